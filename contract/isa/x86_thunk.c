/* Jumps and returns that x86-64 compilers rewrite against speculation: retpolines, return thunks,
 * and traps after jumps (gcc's -mindirect-branch, -mfunction-return and -mharden-sls, clang's
 * -mretpoline). */
#include <string.h>

#include "contract/isa/line.h"
#include "contract/isa/x86_operand.h"
#include "core/memory.h"

/* ---- thunks by name ---- */

static int begins(const char *name, size_t length, const char *with)
{
    return strlen(with) <= length && memcmp(name, with, strlen(with)) == 0;
}

static int is_indirect_thunk(const char *name, size_t length)
{
    return begins(name, length, "__x86_indirect_") || begins(name, length, "__llvm_retpoline_") ||
           begins(name, length, "__llvm_external_retpoline_") ||
           begins(name, length, "__llvm_lvi_thunk_");
}

void stn_x86_name_target(stn_machine_instruction *to, const char *name, size_t length)
{
    const int is_call = to->flow == STN_FLOW_CALL;
    if (is_call || (to->flow != STN_FLOW_JUMP && to->flow != STN_FLOW_BRANCH))
        return;
    if (to->flow == STN_FLOW_JUMP && begins(name, length, "__x86_return_thunk"))
        to->flow = STN_FLOW_END;
    else if (is_indirect_thunk(name, length))
        to->flow = STN_FLOW_INDIRECT;
    else
        return;
    to->target = STN_NO_TARGET;
}

/* ---- thunks inside the function ---- */

static int is_mnemonic(const stn_code *code, int32_t i, const char *words)
{
    char word[16];
    const char *const text = code->text + code->instructions[i].text;
    const size_t length = strcspn(text, " ");
    if (length >= sizeof word)
        return 0;
    memcpy(word, text, length);
    word[length] = '\0';
    return stn_is_one_of(word, words);
}

/* Writes the top of the stack, from which a return would take its address. */
static int writes_top(const stn_machine_instruction *at)
{
    for (int k = 0; k < at->accesses; k++)
        if (at->access[k].writes && at->access[k].base == X86_RSP && at->access[k].index < 0 &&
            at->access[k].displacement == 0 && at->access[k].bits == 64)
            return 1;
    return 0;
}

/* The call of a retpoline targets `after`, which follows a loop that only speculation enters:
 * pause; lfence; jmp back. -1: not a retpoline. */
static int32_t after_capture(const stn_code *code, int32_t call)
{
    const stn_machine_instruction *at = &code->instructions[call];
    const int32_t after =
        at->flow == STN_FLOW_CALL && at->target != STN_NO_TARGET && at->target > at->address
            ? stn_code_at_address(code, at->target)
            : -1;
    if (after < call + 3)
        return -1;
    const stn_machine_instruction *back = at + (after - call) - 1;
    if (back->flow != STN_FLOW_JUMP || back->target <= at->address || back->target > back->address)
        return -1;
    for (int32_t i = call + 1; i < after - 1; i++)
        if (!is_mnemonic(code, i, "pause lfence int3 nop"))
            return -1;
    return after;
}

enum { TO_JUMP = 1, TO_CALL = 2 };

static void find_targets(const stn_code *code, unsigned char *targets)
{
    memset(targets, 0, (size_t)code->count);
    for (int32_t i = 0; i < code->count; i++) {
        const stn_machine_instruction *at = &code->instructions[i];
        const int32_t target =
            at->target == STN_NO_TARGET ? -1 : stn_code_at_address(code, at->target);
        if (target >= 0)
            targets[target] |= at->flow == STN_FLOW_CALL ? TO_CALL : TO_JUMP;
    }
}

static int ends(const stn_machine_instruction *at)
{
    return at->flow == STN_FLOW_END || at->flow == STN_FLOW_JUMP || at->flow == STN_FLOW_INDIRECT;
}

/* The call becomes a jump, and the return after it a jump to the address stored on top of the
 * stack. If only calls lead there, it is part of the caller. */
static void mark_retpoline(stn_code *code, int32_t call, int32_t after, unsigned char targets)
{
    stn_machine_instruction *const at = code->instructions;
    const int has_pushed = call > 0 && writes_top(&at[call - 1]);
    const int is_called = targets == TO_CALL && call > 0 && ends(&at[call - 1]);
    at[call].flow = STN_FLOW_JUMP;
    at[call].written = 0;
    at[after - 1].flow = STN_FLOW_END;
    at[after - 1].target = STN_NO_TARGET;
    if (writes_top(&at[after]))
        at[after].accesses = 0; /* storing the jump target is not a spill */
    if (after + 1 >= code->count || !is_mnemonic(code, after + 1, "ret"))
        return;
    if (is_called)
        at[after + 1].flow = STN_FLOW_END;
    else if (has_pushed && is_mnemonic(code, after, "lea add"))
        at[after + 1].flow = STN_FLOW_INDIRECT;
}

stn_status stn_x86_mark_thunks(stn_code *code)
{
    unsigned char *targets;
    STN_TRY(stn_allocate(&targets, code->count, 1, "targets of jumps"));
    find_targets(code, targets);
    for (int32_t i = 1; i < code->count; i++) {
        stn_machine_instruction *at = &code->instructions[i];
        if (at->flow == STN_FLOW_END && is_mnemonic(code, i, "ret") && writes_top(at - 1))
            at->flow = STN_FLOW_INDIRECT;
        if (!targets[i] && ends(at - 1) && is_mnemonic(code, i, "int3"))
            at->flow = STN_FLOW_END; /* unreachable */
    }
    for (int32_t i = 0; i < code->count; i++) {
        const int32_t after = after_capture(code, i);
        if (after > 0)
            mark_retpoline(code, i, after, targets[i]);
    }
    stn_free(targets);
    return STN_OK;
}
