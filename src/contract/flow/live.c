/* Which registers of a GPU hold values that are still needed: the classical analysis, from the end
 * of a function to its beginning until nothing changes. A register that is written if a predicate
 * says so keeps its value otherwise: it is needed before, too. */
#include <string.h>

#include "contract/flow/flow.h"
#include "core/memory.h"

/* That of a thread's registers which is needed as long as the kernel runs. */
enum { STACK_POINTER = 1 };

static void unite(stn_registers *all, const stn_registers *more)
{
    for (int w = 0; w < STN_REGISTER_WORDS; w++)
        all->bits[w] |= more->bits[w];
}

/* What is needed behind instruction i; of a call, also by its function, where that is inside this
 * one. */
static stn_registers needed_behind(const stn_code *code, const stn_registers *before, int32_t i)
{
    const stn_machine_instruction *at = &code->instructions[i];
    const int32_t target = at->flow == STN_FLOW_CALL && at->target != STN_NO_TARGET
                               ? stn_code_at_address(code, at->target)
                               : stn_code_target(code, i);
    const int goes_on =
        at->flow == STN_FLOW_NEXT || at->flow == STN_FLOW_BRANCH || at->flow == STN_FLOW_CALL;
    stn_registers needed = {{0}};
    if (goes_on && i + 1 < code->count)
        needed = before[i + 1];
    if (target >= 0)
        unite(&needed, &before[target]);
    else if (at->flow == STN_FLOW_END || at->flow == STN_FLOW_BRANCH)
        needed.bits[0] |= UINT64_C(1) << STACK_POINTER;
    return needed;
}

/* Whether more is needed before instruction i than was known. */
static int look_at(const stn_code *code, stn_registers *before, int32_t i)
{
    const stn_gpu_instruction *gpu = &code->gpu[i];
    stn_registers needed = needed_behind(code, before, i);
    for (int w = 0; w < STN_REGISTER_WORDS && !gpu->may_write; w++)
        needed.bits[w] &= ~gpu->written.bits[w];
    unite(&needed, &gpu->read);
    const int changed = memcmp(&needed, &before[i], sizeof needed) != 0;
    before[i] = needed;
    return changed;
}

/* As often as loops are nested, and once more; code that compilers do not make may take as many
 * rounds as it has jumps back. */
static void analyse(const stn_code *code, stn_registers *before)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int32_t i = code->count - 1; i >= 0; i--)
            changed |= look_at(code, before, i);
    }
}

static void count_live(const stn_registers *before, stn_gpu_instruction *gpu)
{
    enum { LAST = STN_REGISTER_WORDS - 1, PREDICATES = 0xff };
    stn_registers live = *before;
    unite(&live, &gpu->written);
    for (int w = 0; w < LAST; w++)
        gpu->live[w < STN_FIRST_UNIFORM / 64 ? STN_FILE_THREAD : STN_FILE_UNIFORM] +=
            (uint16_t)__builtin_popcountll(live.bits[w]);
    gpu->live[STN_FILE_PREDICATE] = (uint16_t)__builtin_popcountll(live.bits[LAST] & PREDICATES);
    gpu->live[STN_FILE_UNIFORM_PREDICATE] =
        (uint16_t)__builtin_popcountll(live.bits[LAST] & ~(uint64_t)PREDICATES);
}

/* What a function that is called needs, and code that a jump leads to, nobody knows. */
static void note_unknown(stn_code *code)
{
    for (int32_t i = 0; i < code->count; i++)
        if (stn_code_is_unresolved_jump(code, i) || stn_code_leaves(code, &code->instructions[i]))
            code->gpu[i].is_known = 0;
}

stn_status stn_code_find_live(stn_code *code)
{
    stn_registers *before;
    STN_TRY(stn_allocate(&before, code->count, sizeof *before, "registers"));
    memset(before, 0, (size_t)code->count * sizeof *before);
    analyse(code, before);
    for (int32_t i = 0; i < code->count; i++)
        count_live(before + i, code->gpu + i);
    note_unknown(code);
    stn_free(before);
    return STN_OK;
}

/* ---- counts ---- */

/* One more than the highest register of a file that it reads or writes. */
static int highest(const stn_gpu_instruction *gpu, int first, int count)
{
    for (int r = first + count - 1; r >= first; r--)
        if ((gpu->read.bits[r / 64] | gpu->written.bits[r / 64]) >> r % 64 & 1)
            return r - first + 1;
    return 0;
}

static void raise_to(int32_t *most, int value)
{
    if (*most < value)
        *most = value;
}

void stn_code_count_registers(const stn_code *code, int32_t i, stn_code_counts *counts)
{
    static const struct {
        int first, count;
    } files[STN_REGISTER_FILES] = {[STN_FILE_THREAD] = {0, STN_FIRST_UNIFORM},
                                   [STN_FILE_PREDICATE] = {STN_FIRST_PREDICATE, 8},
                                   [STN_FILE_UNIFORM] = {STN_FIRST_UNIFORM, 256},
                                   [STN_FILE_UNIFORM_PREDICATE] = {STN_FIRST_UNIFORM_PREDICATE, 8}};
    if (!code->gpu)
        return;
    const stn_gpu_instruction *gpu = code->gpu + i;
    counts->stalls += gpu->stall;
    counts->waits += gpu->wait != 0;
    for (int f = 0; f < STN_REGISTER_FILES; f++) {
        raise_to(&counts->used[f], highest(gpu, files[f].first, files[f].count));
        raise_to(&counts->live[f], gpu->live[f]);
    }
}
