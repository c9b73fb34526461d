/* Decoders of instructions. decode_*.txt lists lines and what they are decoded to, the other lists
 * what other disassemblers know about memory accesses. */
#include "check.h"
#include "contract/isa/line.h"
#include "contract_sass.h"

#include <inttypes.h>
#include <stdlib.h>

typedef void (*decoder)(const char *line, stn_machine_instruction *to);

typedef struct tally {
    int lines, unknown, wrong;
} tally;

/* Calls `check` for each line of a list, except empty lines and those that begin with #. */
static tally check_list(const char *name, void (*check)(char *line, tally *of))
{
    char path[4096], line[256];
    tally found = {0, 0, 0};
    snprintf(path, sizeof path, STENO_TEST_DATA "/../../contract/test/%s", name);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        found.lines++;
        check(line, &found);
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

static stn_machine_instruction decoded(decoder decode, const char *line)
{
    stn_machine_instruction found;
    memset(&found, 0x55, sizeof found);
    decode(line, &found);
    return found;
}

/* ---- descriptions of decoded instructions ----
 *
 *   +f64 4              arithmetic on four f64; / division, ~ approximation, * fma, = conversion
 *   ?                   unknown
 *   r256:8@7+0*8-16     reads (w: writes, u: both) 256 bits, elements of 8 bytes, in memory at
 *                       register 7 + register 0 * 8 - 16; % on the stack, & in constant memory,
 *                       $ in shared memory, ! in local memory
 *   r64x4:...           a gather of four
 *   branch 50           control flow and its target in hexadecimal, if it is known
 *   6+=8                a step of register 6 */

static int describe_operation(const stn_machine_instruction *at, char *to, size_t size)
{
    static const char *const kinds[] = {"f64", "f32", "f16", "int"};
    const char mark = at->operation == STN_OP_FMA          ? '*'
                      : at->operation == STN_OP_CONVERSION ? '='
                      : at->approximates && at->divides    ? '~'
                      : at->divides                        ? '/'
                      : at->approximates                   ? '!'
                                                           : '+';
    if (at->operation == STN_OP_UNKNOWN)
        return snprintf(to, size, "? ");
    if (at->operation == STN_OP_OTHER)
        return 0;
    return snprintf(to, size, "%c%s %d ", mark, kinds[at->kind], at->lanes);
}

static int describe_access(const stn_access *access, char *to, size_t size)
{
    static const char spaces[] = {[STN_SPACE_MEMORY] = '@',
                                  [STN_SPACE_STACK] = '%',
                                  [STN_SPACE_LOCAL] = '!',
                                  [STN_SPACE_SHARED] = '$',
                                  [STN_SPACE_CONSTANT] = '&'};
    char times[16] = "", index[32] = "";
    if (access->lanes > 1)
        snprintf(times, sizeof times, "x%d", access->lanes);
    if (access->index >= 0)
        snprintf(index, sizeof index, "+%d*%d", access->index, access->scale);
    return snprintf(to, size, "%c%d%s:%d%c%d%s%+" PRId64 " ",
                    access->reads && access->writes ? 'u'
                    : access->reads                 ? 'r'
                                                    : 'w',
                    access->bits, times, access->element, spaces[access->space], access->base,
                    index, access->displacement);
}

static int describe_flow(const stn_machine_instruction *at, char *to, size_t size)
{
    static const char *const flows[] = {"", "branch", "jump", "call", "elsewhere", "end"};
    if (at->flow == STN_FLOW_NEXT)
        return 0;
    if (at->target == STN_NO_TARGET)
        return snprintf(to, size, "%s ", flows[at->flow]);
    return snprintf(to, size, "%s %" PRIx64 " ", flows[at->flow], at->target);
}

enum { TEXT = 256 };

static void describe(const stn_machine_instruction *at, char text[TEXT])
{
    int used = describe_operation(at, text, TEXT);
    for (int k = 0; k < at->accesses && k < 2; k++)
        used += describe_access(&at->access[k], text + used, TEXT - (size_t)used);
    used += describe_flow(at, text + used, TEXT - (size_t)used);
    if (at->step_register >= 0)
        used += snprintf(text + used, TEXT - (size_t)used, "%d+=%" PRId64 " ", at->step_register,
                         at->step);
    if (used == 0)
        snprintf(text, TEXT, "nothing");
    else
        text[used - 1] = '\0';
}

/* The part of the description that `expected` begins with. */
static void describe_as(const char *expected, const stn_machine_instruction *at, char text[TEXT])
{
    if (strncmp(expected, "writes ", 7) == 0)
        snprintf(text, TEXT, "writes %" PRIx64, at->written);
    else if (strncmp(expected, "copies ", 7) == 0 && at->copies)
        snprintf(text, TEXT, "copies %d from %d", at->copy_to, at->copy_from);
    else if (strncmp(expected, "copies ", 7) == 0)
        snprintf(text, TEXT, "copies nothing");
    else
        describe(at, text);
}

/* ---- lines and their descriptions ---- */

static int is_sound(const stn_machine_instruction *at)
{
    int sound = at->lanes >= 1 && at->lanes <= 64 && at->kind >= 0 && at->kind < STN_KINDS &&
                at->accesses >= 0 && at->accesses <= 2;
    for (int k = 0; sound && k < at->accesses; k++)
        sound = at->access[k].bits >= 8 && at->access[k].bits <= 512 && at->access[k].lanes >= 1 &&
                at->access[k].lanes <= 64;
    return sound;
}

/* Lines with up to three damaged characters are decoded to instructions of possible sizes. */
static void check_damaged(const char *good, decoder decode, tally *of)
{
    static const char marks[] = " ,[]{}*+-0123456789abcdefpqrstvxyz<>#.";
    static uint32_t seed = 7;
    const size_t length = strlen(good);
    for (size_t round = 0; round < 300 && length > 0; round++) {
        char line[TEXT];
        snprintf(line, sizeof line, "%s", good);
        for (size_t edits = 1 + round % 3; edits > 0; edits--) {
            seed = seed * 1664525 + 1013904223;
            const size_t mark = seed >> 8;
            line[(seed >> 16) % length] = mark % 11 ? marks[mark % (sizeof marks - 1)] : 0;
        }
        const stn_machine_instruction found = decoded(decode, line);
        if (is_sound(&found))
            continue;
        print_error("%s: an impossible size\n", line);
        of->wrong++;
    }
}

static void check_description(char *line, decoder decode, tally *of)
{
    char text[TEXT];
    char *end = strstr(line, " => ");
    assert_non_null(end);
    *end = '\0';
    const char *expected = end + 4;
    const stn_machine_instruction found = decoded(decode, line);
    describe_as(expected, &found, text);
    if (strcmp(text, expected) != 0) {
        print_error("%s\n    is        %s\n    should be %s\n", line, text, expected);
        of->wrong++;
    }
    check_damaged(line, decode, of);
}

static void check_x86(char *line, tally *of)
{
    check_description(line, stn_x86_decode, of);
}

static void check_aarch64(char *line, tally *of)
{
    check_description(line, stn_aarch64_decode, of);
}

static int describe_registers(const stn_registers *set, char *to, size_t size)
{
    static const struct {
        int first, end;
        const char *name;
    } files[] = {{0, STN_FIRST_UNIFORM, "R"},
                 {STN_FIRST_UNIFORM, STN_FIRST_PREDICATE, "UR"},
                 {STN_FIRST_PREDICATE, STN_FIRST_UNIFORM_PREDICATE, "P"},
                 {STN_FIRST_UNIFORM_PREDICATE, STN_FIRST_UNIFORM_PREDICATE + 8, "UP"}};
    int used = 0;
    for (int f = 0; f < COUNT_OF(files); f++)
        for (int r = files[f].first; r < files[f].end; r++)
            if (set->bits[r / 64] >> r % 64 & 1)
                used += snprintf(to + used, size - (size_t)used, "%s%d ", files[f].name,
                                 r - files[f].first);
    return used;
}

/* "90 LOW HIGH => TEXT | DESCRIPTION | WRITTEN <- READ"; the registers are ? if they are unknown.
 */
static void check_sass(char *line, tally *of)
{
    char text[2 * TEXT], description[TEXT];
    int sm, start = 0;
    unsigned long long low, high;
    assert_int_equal(sscanf(line, "%d %llx %llx => %n", &sm, &low, &high, &start), 3);
    const made_word words[] = {{low, high}, exit_word()};
    stn_image *image = image_of(sm, words, 2);
    assert_int_equal(count(image, STN_LOOP_NONE).instructions, 2);
    const stn_code *code = &image->codes[0];
    describe(&code->instructions[0], description);
    int used = snprintf(text, sizeof text, "%s | %s | ", code->text + code->instructions[0].text,
                        description);
    if (code->gpu[0].is_known) {
        used += describe_registers(&code->gpu[0].written, text + used, sizeof text - (size_t)used);
        used += snprintf(text + used, sizeof text - (size_t)used, "<- ");
        used += describe_registers(&code->gpu[0].read, text + used, sizeof text - (size_t)used);
        text[used - 1] = '\0';
    } else {
        strcpy(text + used, "?");
    }
    if (strcmp(text, line + start) != 0) {
        print_error("%.*s%s\n    should be %s\n", start, line, text, line + start);
        of->wrong++;
    }
    stn_image_close(image);
}

UNIT_TEST(lines_are_decoded)
{
    assert_no_wrong(check_list("decode_x86.txt", check_x86), 364, 0);
    assert_no_wrong(check_list("decode_aarch64.txt", check_aarch64), 262, 0);
    assert_no_wrong(check_list("decode_sass.txt", check_sass), 151, 0);
}

UNIT_TEST(long_lines_are_truncated)
{
    char line[4000], text[TEXT];
    memset(line, 'a', sizeof line);
    line[sizeof line - 1] = 0;
    stn_machine_instruction found = decoded(stn_x86_decode, line);
    describe(&found, text);
    assert_string_equal(text, "?");
    memcpy(line, "mov QWORD PTR [rdi],", 20);
    found = decoded(stn_x86_decode, line);
    describe(&found, text);
    assert_string_equal(text, "w64:8@7+0");
}

/* ---- no instruction that accesses memory is decoded as one that does not ---- */

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
static void check_x86_memory(char *line, tally *of)
{
    char directions[3];
    int bytes, text = 0, reads = 0, writes = 0;
    assert_int_equal(sscanf(line, "%2s %d %n", directions, &bytes, &text), 2);
    const stn_machine_instruction found = decoded(stn_x86_decode, line + text);
    if (found.operation == STN_OP_UNKNOWN) {
        of->unknown++;
        return;
    }
    for (int k = 0; k < found.accesses; k++) {
        reads |= found.access[k].reads;
        writes |= found.access[k].writes;
    }
    if (found.is_hint && found.accesses == 0)
        return;
    if (reads != (strchr(directions, 'R') != NULL) || writes != (strchr(directions, 'W') != NULL) ||
        (bytes && bytes != bytes_of(&found))) {
        print_error("%s: reads %d, writes %d, %d bytes\n", line, reads, writes,
                    (int)bytes_of(&found));
        of->wrong++;
    }
}

static void check_aarch64_memory(char *line, tally *of)
{
    const stn_machine_instruction found = decoded(stn_aarch64_decode, line);
    if (found.operation == STN_OP_UNKNOWN) {
        of->unknown++;
    } else if (found.accesses == 0) {
        print_error("%s: no access\n", line);
        of->wrong++;
    }
}

/* By NVIDIA's reference of the instruction set; a texture query reads its description only. */
static const char sass_accesses[] =
    "LD LDC LDG LDGSTS LDL LDS LDSM STSM ST STG STL STS ATOM ATOMG ATOMS RED REDG REDAS STAS CCTL "
    "CCTLL CCTLT TEX TLD TLD4 TXD SUATOM SULD SURED SUST UBLKCP UBLKPF UBLKRED UTMACCTL UTMALDG "
    "UTMAPF UTMAREDG UTMASTG SYNCS ARRIVES LDTRAM LDTM STTM UTCCP UMEMSETS FOOTPRINT ALD AST IPA "
    "PIXLD ISBERD ISBEWR OUT UREDGR UTCATOMSWS HGMMA IGMMA BGMMA QGMMA ULDC LDCU UTCHMMA UTCQMMA "
    "UTCOMMA";

/* Steno's name of an instruction differs if newer disassemblers rename it or a flag selects it. */
static int is_same_name(const char *text, const char *name)
{
    static const char *const pairs[][2] = {
        {"RED", "REDG"},    {"ERRBAR", "CGAERRBAR"}, {"UCGABAR", "UCGABAR_ARV"},
        {"IADD3", "IADD"},  {"FADD", "FHADD"},       {"UCGABAR", "UCGABAR_WAIT"},
        {"FFMA", "FHFMA"},  {"IMAD", "IMUL"},        {"UFADD", "UFHADD"},
        {"UFFMA", "UFHFMA"}};
    const size_t length = strcspn(text, " .");
    int same = strncmp(text, name, length) == 0 && strlen(name) == length;
    for (int k = 0; k < COUNT_OF(pairs); k++)
        same |=
            strcmp(name, pairs[k][1]) == 0 && strncmp(text, pairs[k][0], strlen(pairs[k][0])) == 0;
    return same;
}

static void check_opcode(unsigned opcode, const char *name, int sm, tally *of)
{
    const made_word words[] = {{opcode | 0x7000, 0}, exit_word()};
    stn_image *image = image_of(sm, words, 2);
    assert_int_equal(count(image, STN_LOOP_NONE).instructions, 2);
    const stn_machine_instruction *at = &image->codes[0].instructions[0];
    const char *text = image->codes[0].text + at->text;
    const int accesses = at->accesses > 0 || at->is_hint;
    if (at->operation == STN_OP_UNKNOWN) {
        of->unknown++;
    } else if (!is_same_name(text, name) || (stn_is_one_of(name, sass_accesses) && !accesses)) {
        print_error("sm_%d, %03x %s: '%s', %d accesses\n", sm, opcode, name, text, at->accesses);
        of->wrong++;
    }
    stn_image_close(image);
}

/* "1ba UBLKCP 90 100 120" */
static void check_sass_memory(char *line, tally *of)
{
    char name[32];
    unsigned opcode;
    int text = 0;
    assert_int_equal(sscanf(line, "%x %31s%n", &opcode, name, &text), 2);
    for (char *at = line + text; *at;)
        check_opcode(opcode, name, (int)strtol(at, &at, 10), of);
}

static void check_unsized(char *line, tally *of)
{
    char name[32];
    int sm, loads, stores, shared_loads, shared_stores, hints;
    unsigned long long low, high;
    (void)of;
    assert_int_equal(sscanf(line, "%d %llx %llx %31s %d %d %d %d %d", &sm, &low, &high, name,
                            &loads, &stores, &shared_loads, &shared_stores, &hints),
                     9);
    const made_word words[] = {{low, high}, exit_word()};
    stn_image *image = image_of(sm, words, 2);
    const stn_code_counts c = count(image, STN_LOOP_NONE);
    const char *text = image->codes[0].text;
    if (strncmp(text, name, strlen(name)) != 0 || c.unsized_loads != loads ||
        c.unsized_stores != stores || c.shared_loads != shared_loads ||
        c.shared_stores != shared_stores || c.cache_hints != hints || c.unknown != 0)
        fail_msg("%s: '%s' loads %d, stores %d, shared %d and %d, hints %d", line, text,
                 c.unsized_loads, c.unsized_stores, c.shared_loads, c.shared_stores, c.cache_hints);
    assert_int_equal(c.raw_read + c.raw_written + c.distinct_read + c.distinct_written, 0);
    stn_image_close(image);
}

UNIT_TEST(accesses_of_unknown_size)
{
    assert_no_wrong(check_list("unsized_sass.txt", check_unsized), 67, 0);
}

UNIT_TEST(accesses_agree_with_other_disassemblers)
{
    assert_no_wrong(check_list("memory_x86.txt", check_x86_memory), 1300, 180);
    assert_no_wrong(check_list("memory_aarch64.txt", check_aarch64_memory), 400, 140);
    assert_no_wrong(check_list("opcodes_sass.txt", check_sass_memory), 250, 310);
}

RUN_UNIT_TESTS(NULL, NULL)
