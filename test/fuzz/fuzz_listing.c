/* Fuzzes decoders of disassembly text: the first byte chooses the machine, the first line
 * is a sequence to look for, and each other one an instruction. */
#define _POSIX_C_SOURCE 200809L
#include "contract/check/pattern.h"
#include "core/memory.h"
#include "fuzz/image.h"

enum { MOST_INSTRUCTIONS = 400 };

static void decode_line(stn_code *code, const char *text)
{
    stn_machine_instruction *at = code->instructions + code->count;
    *at = (stn_machine_instruction){.address = 4 * (uint64_t)code->count,
                                    .bytes = 4,
                                    .target = STN_NO_TARGET,
                                    .step_register = -1,
                                    .lanes = 1,
                                    .vector = -1,
                                    .text = (int32_t)(text - code->text)};
    if (code->machine == STN_MACHINE_AARCH64)
        stn_aarch64_decode(text, at);
    else
        stn_x86_decode(text, at);
    require(at->accesses >= 0 && at->accesses <= 2, "accesses");
    for (int a = 0; a < at->accesses; a++)
        require(at->access[a].bits >= 0 && at->access[a].bits <= 512 && at->access[a].lanes > 0,
                "an access");
    code->count++;
}

/* Cuts the text at the ends of its lines. */
static void decode_lines(stn_code *code, char *lines)
{
    for (char *end; lines && *lines && code->count < MOST_INSTRUCTIONS; lines = end) {
        end = strchr(lines, '\n');
        if (end)
            *end++ = '\0';
        decode_line(code, lines);
    }
}

static void look_for(const stn_code *code, const char *sequence)
{
    stn_pattern *pattern;
    stn_pattern_fault fault;
    stn_pattern_result result;
    const size_t length = strlen(sequence);
    const stn_status status = stn_pattern_parse(sequence, length, &pattern, &fault);
    if (status != STN_OK) {
        require(pattern == NULL, "a pattern with a fault");
        require(status != STN_ERR_PARSE || (fault.at <= length && *fault.reason), "a fault");
        return;
    }
    require(stn_pattern_find(pattern, code, STN_LOOP_NONE, &result) == STN_OK, "not looked for");
    require(result.count >= 0 && result.count <= code->count, "too many matches");
    require(result.near == 0 ||
                (result.near_from <= result.near_to && result.near_to < code->count),
            "the nearest");
    stn_pattern_free(pattern);
}

FUZZ(bytes, size)
{
    if (size < 2)
        return 0;
    static stn_machine_instruction instructions[MOST_INSTRUCTIONS];
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = '\0';
    stn_code code = {.machine = bytes[0] & 1 ? STN_MACHINE_AARCH64 : STN_MACHINE_X86_64,
                     .instructions = instructions,
                     .text = text,
                     .main_loop = -1};
    char *end = strchr(text, '\n');
    if (end)
        *end++ = '\0';
    decode_lines(&code, end);
    look_for(&code, text);
    free(text);
    return 0;
}
