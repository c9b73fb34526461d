/* The machine code of one function: shared queries. */
#include "contract/isa/code.h"

#include <string.h>

#include "core/memory.h"

void stn_code_release(stn_code *code)
{
    stn_free(code->instructions);
    stn_free(code->gpu);
    stn_free(code->text);
    stn_free(code->cases);
    stn_free(code->loops);
    stn_free(code->loop_of);
    stn_free(code->in_cycle);
    memset(code, 0, sizeof *code);
}

int32_t stn_code_at_address(const stn_code *code, uint64_t address)
{
    int32_t low = 0, high = code->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (code->instructions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->count && code->instructions[low].address == address ? low : -1;
}

int32_t stn_code_first_case(const stn_code *code, int32_t instruction)
{
    int32_t low = 0, high = code->case_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (code->cases[middle].from < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->case_count && code->cases[low].from == instruction ? low : code->case_count;
}

int stn_code_is_unresolved_jump(const stn_code *code, int32_t instruction)
{
    return code->instructions[instruction].flow == STN_FLOW_INDIRECT &&
           stn_code_first_case(code, instruction) == code->case_count;
}

int stn_code_is_inside(const stn_code *code, uint64_t address)
{
    if (code->count == 0)
        return 0;
    const stn_machine_instruction *last = &code->instructions[code->count - 1];
    return address >= code->instructions[0].address &&
           address < last->address + (uint64_t)last->bytes;
}

int stn_code_is_unsized(const stn_machine_instruction *instruction, int loads, int stores)
{
    for (int k = 0; k < instruction->accesses; k++) {
        const stn_access *access = &instruction->access[k];
        if (access->space == STN_SPACE_MEMORY && access->bits == 0 &&
            ((loads && access->reads) || (stores && access->writes)))
            return 1;
    }
    return 0;
}

/* A jump to another function is a tail call, and so is a branch to a part of the function that is
 * stored elsewhere. A GPU branch without a target is an exit. */
int stn_code_leaves(const stn_code *code, const stn_machine_instruction *instruction)
{
    const int is_branch =
        instruction->flow == STN_FLOW_BRANCH && code->machine != STN_MACHINE_NVIDIA;
    const int goes = is_branch || instruction->flow == STN_FLOW_JUMP;
    return instruction->flow == STN_FLOW_CALL ||
           (goes && !stn_code_is_inside(code, instruction->target));
}
