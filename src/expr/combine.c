/* Combines two instructions of a compiled text into one pass over the tile: a product that is only
 * used in a sum, and a factor that is equal for all elements. Each operation is still rounded. */
#include "expr/compiler.h"

#include <string.h>

#include "core/memory.h"

/* Uses of a register: number of reads, and the instruction that writes it; -1: several. */
typedef struct usage {
    int32_t reads, writer;
} usage;

typedef struct pattern {
    stn_operation number, multiply, add, multiply_add, scale, scale_add;
} pattern;

static const pattern patterns[] = {
    {STN_DO_NUMBER_F64, STN_DO_MULTIPLY_F64, STN_DO_ADD_F64, STN_DO_MULTIPLY_ADD_F64,
     STN_DO_SCALE_F64, STN_DO_SCALE_ADD_F64},
    {STN_DO_NUMBER_F32, STN_DO_MULTIPLY_F32, STN_DO_ADD_F32, STN_DO_MULTIPLY_ADD_F32,
     STN_DO_SCALE_F32, STN_DO_SCALE_ADD_F32},
};

static void find_usage(const stn_compiler *c, usage *usages)
{
    for (int32_t t = 0; t < c->temporary_count; t++)
        usages[t] = (usage){0, -2};
    for (int32_t k = 0; k < c->count; k++) {
        const stn_instruction *const now = &c->instructions[k];
        for (int o = 0; o < STN_MAX_OPERANDS; o++)
            if (stn_is_register(now->from[o]))
                usages[now->from[o]].reads++;
        if (stn_is_register(now->to))
            usages[now->to].writer = usages[now->to].writer == -2 ? k : -1;
    }
}

/* A sum with a product that the previous instruction computed only for it. */
static void combine_sum(stn_compiler *c, const pattern *p, const usage *usages, int32_t k)
{
    stn_instruction *const before = &c->instructions[k - 1], *const now = &c->instructions[k];
    if (before->operation != p->multiply || now->operation != p->add ||
        !stn_is_register(before->to) || usages[before->to].reads != 1)
        return;
    const int second = now->from[1] == before->to;
    if (!second && now->from[0] != before->to)
        return;
    now->operation = (uint16_t)p->multiply_add;
    now->from[2] = now->from[1 - second];
    memcpy(now->from, before->from, 2 * sizeof *now->from);
    *before = stn_nothing;
}

/* A product with a constant of the kernel. */
static void combine_factor(stn_compiler *c, const pattern *p, const usage *usages, int32_t k)
{
    stn_instruction *const now = &c->instructions[k];
    if (now->operation != p->multiply && now->operation != p->multiply_add)
        return;
    for (int o = 0; o < 2; o++) {
        const int32_t writer = stn_is_register(now->from[o]) ? usages[now->from[o]].writer : -1;
        if (writer < 0 || c->instructions[writer].operation != p->number)
            continue;
        now->operation = (uint16_t)(now->operation == p->multiply ? p->scale : p->scale_add);
        now->at = c->instructions[writer].at;
        now->from[0] = now->from[1 - o];
        now->from[1] = now->from[2];
        now->from[2] = STN_OPERAND_NONE;
        return;
    }
}

stn_status stn_combine_instructions(stn_compiler *c)
{
    usage *usages;
    STN_TRY(stn_allocate(&usages, c->temporary_count + 1, sizeof *usages, c->kernel->name));
    find_usage(c, usages);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        for (int32_t k = 1; k < c->count; k++)
            combine_sum(c, &patterns[p], usages, k);
        for (int32_t k = 0; k < c->count; k++)
            combine_factor(c, &patterns[p], usages, k);
    }
    stn_free(usages);
    return STN_OK;
}
