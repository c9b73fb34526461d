/* No instruction that touches memory is taken for one that does not: lists of instructions that
 * other disassemblers made. What Steno does not know is unknown, which hides bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contract/isa/line.h"
#include "contract_sass.h"

typedef struct tally {
    int lines, unknown, wrong;
} tally;

/* Each line of a list but those that begin with #. */
static tally go_through(const char *name, void (*take)(char *line, tally *of))
{
    char path[4096], line[256];
    tally found = {0, 0, 0};
    snprintf(path, sizeof path, STENO_TEST_DATA "/../contract/%s", name);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        found.lines++;
        take(line, &found);
    }
    assert_int_equal(fclose(list), 0);
    return found;
}

static void assert_no_wrong(tally found, int least, int most_unknown)
{
    assert_int_equal(found.wrong, 0);
    assert_true(found.lines >= least);
    assert_true(found.unknown <= most_unknown);
}

static int64_t bytes_of(const stn_machine_instruction *at)
{
    int64_t bytes = 0;
    for (int k = 0; k < at->accesses; k++) {
        const stn_access *access = &at->access[k];
        bytes += (int64_t)access->bits / 8 * access->lanes * (access->reads + access->writes);
    }
    return bytes;
}

/* "RW 8 add DWORD PTR [rdi],ecx" */
static void take_x86(char *line, tally *of)
{
    char way[3];
    int bytes, text = 0, reads = 0, writes = 0;
    stn_machine_instruction found;
    assert_int_equal(sscanf(line, "%2s %d %n", way, &bytes, &text), 2);
    memset(&found, 0, sizeof found);
    stn_x86_decode(line + text, &found);
    if (found.operation == STN_OP_UNKNOWN) {
        of->unknown++;
        return;
    }
    for (int k = 0; k < found.accesses; k++) {
        reads |= found.access[k].reads;
        writes |= found.access[k].writes;
    }
    const int is_hint = found.is_hint && found.accesses == 0;
    if (!is_hint && (reads != (strchr(way, 'R') != NULL) || writes != (strchr(way, 'W') != NULL) ||
                     (bytes && bytes != bytes_of(&found)))) {
        printf("%s: reads %d, writes %d, %d bytes\n", line, reads, writes, (int)bytes_of(&found));
        of->wrong++;
    }
}

static void x86_touches_what_others_say(void **state)
{
    (void)state;
    assert_no_wrong(go_through("memory_x86.txt", take_x86), 1300, 180);
}

static void take_aarch64(char *line, tally *of)
{
    stn_machine_instruction found;
    memset(&found, 0, sizeof found);
    stn_aarch64_decode(line, &found);
    if (found.operation == STN_OP_UNKNOWN) {
        of->unknown++;
    } else if (found.accesses == 0) {
        printf("%s: touches no memory\n", line);
        of->wrong++;
    }
}

static void aarch64_touches_memory(void **state)
{
    (void)state;
    assert_no_wrong(go_through("memory_aarch64.txt", take_aarch64), 400, 140);
}

/* By NVIDIA's reference of the instruction set; a query of a texture reads its description only. */
static const char touching[] =
    "LD LDC LDG LDGSTS LDL LDS LDSM STSM ST STG STL STS ATOM ATOMG ATOMS RED REDG REDAS STAS CCTL "
    "CCTLL CCTLT TEX TLD TLD4 TXD SUATOM SULD SURED SUST UBLKCP UBLKPF UBLKRED UTMACCTL UTMALDG "
    "UTMAPF UTMAREDG UTMASTG SYNCS ARRIVES LDTRAM LDTM STTM UTCCP UMEMSETS FOOTPRINT ALD AST IPA "
    "PIXLD ISBERD ISBEWR OUT UREDGR UTCATOMSWS HGMMA IGMMA BGMMA QGMMA ULDC LDCU UTCHMMA UTCQMMA "
    "UTCOMMA";

/* Those that newer disassemblers have other names for, or that are variants by a flag. */
static int is_other_name(const char *text, const char *name)
{
    static const char *const pairs[][2] = {
        {"RED", "REDG"},    {"ERRBAR", "CGAERRBAR"}, {"UCGABAR", "UCGABAR_ARV"},
        {"IADD3", "IADD"},  {"FADD", "FHADD"},       {"UCGABAR", "UCGABAR_WAIT"},
        {"FFMA", "FHFMA"},  {"IMAD", "IMUL"},        {"UFADD", "UFHADD"},
        {"UFFMA", "UFHFMA"}};
    for (size_t k = 0; k < COUNT(pairs); k++)
        if (strcmp(name, pairs[k][1]) == 0 && strncmp(text, pairs[k][0], strlen(pairs[k][0])) == 0)
            return 1;
    return 0;
}

static int touches(const stn_machine_instruction *at)
{
    return at->accesses > 0 || at->is_hint;
}

static void take_opcode(unsigned opcode, const char *name, int sm, tally *of)
{
    const made_word words[] = {{opcode | 0x7000, 0}, exit_word()};
    stn_image *image = image_of(sm, words, 2);
    assert_int_equal(count(image, STN_LOOP_NONE).instructions, 2);
    const stn_machine_instruction *at = &image->codes[0].instructions[0];
    const char *text = image->codes[0].text + at->text;
    const size_t length = strcspn(text, " .");
    const int is_same = strncmp(text, name, length) == 0 && strlen(name) == length;
    if (at->operation == STN_OP_UNKNOWN) {
        of->unknown++;
    } else if ((!is_same && !is_other_name(text, name)) ||
               (stn_is_one_of(name, touching) && !touches(at))) {
        printf("sm_%d, %03x %s: '%s', %d accesses\n", sm, opcode, name, text, at->accesses);
        of->wrong++;
    }
    stn_image_close(image);
}

/* "1ba UBLKCP 90 100 120" */
static void take_sass(char *line, tally *of)
{
    char name[32];
    unsigned opcode;
    int text = 0;
    assert_int_equal(sscanf(line, "%x %31s%n", &opcode, name, &text), 2);
    for (char *at = line + text; *at;)
        take_opcode(opcode, name, (int)strtol(at, &at, 10), of);
}

static void sass_touches_memory(void **state)
{
    (void)state;
    assert_no_wrong(go_through("opcodes_sass.txt", take_sass), 250, 310);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x86_touches_what_others_say),
        cmocka_unit_test(aarch64_touches_memory),
        cmocka_unit_test(sass_touches_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
