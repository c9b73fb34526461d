/* Finds stack accesses: those relative to a register that is at a constant distance from the stack
 * pointer, such as a frame pointer, on every path. */
#include "contract/flow/flow.h"
#include "contract/isa/aarch64_operand.h"
#include "contract/isa/x86_operand.h"
#include "core/memory.h"

/* Sets of registers as bits. A block begins with the intersection of its predecessors; `anywhere`
 * is the intersection over all unresolved jumps, and `landing` that over all calls, which may
 * continue in exception handlers that nothing else reaches. */
typedef struct frames {
    stn_code *code;
    const stn_graph *graph;
    uint64_t *begin; /* by block */
    int32_t *waiting, *is_waiting;
    int32_t count; /* blocks in the work list */
    uint64_t anywhere, landing;
} frames;

static int32_t stack_pointer(const stn_code *code)
{
    return code->machine == STN_MACHINE_X86_64 ? X86_RSP : A64_SP;
}

static uint64_t bit(int number)
{
    return UINT64_C(1) << number % 64;
}

static uint64_t pass(const stn_code *code, int32_t i, uint64_t now)
{
    const stn_machine_instruction *at = &code->instructions[i];
    const int copies =
        at->copies && (at->copy_from == stack_pointer(code) || (now & bit(at->copy_from)));
    return (now & ~at->written) | (copies ? bit(at->copy_to) : 0);
}

static void lower(frames *f, int32_t block, uint64_t to)
{
    const uint64_t kept = f->begin[block] & to;
    if (kept == f->begin[block])
        return;
    f->begin[block] = kept;
    if (!f->is_waiting[block])
        f->waiting[f->count++] = block;
    f->is_waiting[block] = 1;
}

static int32_t block_end(const frames *f, int32_t block)
{
    return block + 1 < f->graph->blocks ? f->graph->first[block + 1] : f->code->count;
}

static void follow(frames *f, int32_t block)
{
    const stn_graph *graph = f->graph;
    uint64_t now = f->begin[block];
    for (int32_t i = graph->first[block]; i < block_end(f, block); i++) {
        now = pass(f->code, i, now);
        if (f->code->instructions[i].flow == STN_FLOW_CALL)
            f->landing &= now;
        if (stn_code_is_unresolved_jump(f->code, i))
            f->anywhere &= now;
    }
    for (int32_t w = graph->ways[block]; w < graph->ways[block + 1]; w++)
        lower(f, graph->next[w], now);
}

static int has_way(const frames *f, int32_t block)
{
    return f->graph->dominator[f->graph->number[block]] != 0;
}

static uint64_t without_way(const frames *f)
{
    const uint64_t agreed = f->anywhere & f->landing;
    return agreed == ~UINT64_C(0) ? 0 : agreed;
}

/* Iterates until nothing changes; a register leaves a block at most once. */
static void settle(frames *f)
{
    uint64_t anywhere, landing;
    do {
        anywhere = f->anywhere;
        landing = f->landing;
        while (f->count > 0) {
            const int32_t block = f->waiting[--f->count];
            f->is_waiting[block] = 0;
            follow(f, block);
        }
        for (int32_t b = 1; b < f->graph->blocks; b++)
            lower(f, b, has_way(f, b) ? f->anywhere : without_way(f));
    } while (f->count > 0 || anywhere != f->anywhere || landing != f->landing);
}

/* With an index, the access traverses a local array, unless all stack accesses use the frame
 * pointer. */
static int is_on_stack(const stn_code *code, const stn_access *access, uint64_t now)
{
    const int frame = code->machine == STN_MACHINE_X86_64 ? X86_RBP : A64_FRAME;
    return access->space == STN_SPACE_MEMORY && access->base >= 0 && (now & bit(access->base)) &&
           (access->index < 0 || access->base == frame);
}

static void mark(const frames *f)
{
    for (int32_t b = 0; b < f->graph->blocks; b++) {
        uint64_t now = f->begin[b];
        for (int32_t i = f->graph->first[b]; i < block_end(f, b); i++) {
            stn_machine_instruction *at = &f->code->instructions[i];
            for (int k = 0; k < at->accesses; k++)
                if (is_on_stack(f->code, &at->access[k], now))
                    at->access[k].space = STN_SPACE_STACK;
            now = pass(f->code, i, now);
        }
    }
}

static stn_status find(frames *f, int32_t **memory)
{
    const int64_t blocks = f->graph->blocks;
    STN_TRY(stn_allocate(&f->begin, blocks, sizeof *f->begin, "registers"));
    STN_TRY(stn_allocate(memory, 2 * blocks, sizeof **memory, "basic blocks"));
    f->waiting = *memory;
    f->is_waiting = *memory + blocks;
    for (int32_t b = 0; b < blocks; b++) {
        f->begin[b] = ~UINT64_C(0);
        f->is_waiting[b] = 1;
        f->waiting[blocks - 1 - b] = b;
    }
    f->begin[0] = 0;
    f->count = (int32_t)blocks;
    settle(f);
    mark(f);
    return STN_OK;
}

static int copies_stack_pointer(const stn_code *code)
{
    for (int32_t i = 0; i < code->count; i++)
        if (code->instructions[i].copies && code->instructions[i].copy_from == stack_pointer(code))
            return 1;
    return 0;
}

stn_status stn_code_mark_frames(stn_code *code)
{
    stn_graph graph;
    int32_t *memory = NULL;
    frames f = {.code = code, .graph = &graph, .anywhere = ~UINT64_C(0), .landing = ~UINT64_C(0)};
    if (!copies_stack_pointer(code))
        return STN_OK;
    stn_status status = stn_graph_create(code, &graph);
    if (status == STN_OK)
        status = find(&f, &memory);
    stn_free(f.begin);
    stn_free(memory);
    stn_graph_release(&graph);
    return status;
}
