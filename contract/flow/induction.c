/* The advance of registers per iteration of a loop: constant steps, also through copies of a
 * register that return to it. */
#include "contract/flow/distinct.h"

static int slot(int number)
{
    return number % STN_COURSE_REGISTERS;
}

void stn_course_begin(stn_course *course, const stn_code *code, int32_t loop)
{
    for (int r = 0; r < STN_COURSE_REGISTERS; r++) {
        course->origin[r] = r;
        course->offset[r] = 0;
    }
    course->skipped_until = 0;
    course->end = code->instructions[code->loops[loop].last].address;
}

/* A forward branch, or an early jump to the next iteration, skips the instructions in between. */
static void note_branch(stn_course *course, const stn_machine_instruction *at, uint64_t header)
{
    const int is_branch = at->flow == STN_FLOW_BRANCH || at->flow == STN_FLOW_JUMP;
    if (!is_branch)
        return;
    if (at->target == header && at->address < course->end)
        course->skipped_until = STN_NO_TARGET;
    else if (at->target > at->address && at->target <= course->end &&
             at->target > course->skipped_until)
        course->skipped_until = at->target;
}

/* Inner loops add constants an unknown number of times. */
void stn_course_step(stn_course *course, const stn_code *code, int32_t loop, int32_t instruction)
{
    const stn_machine_instruction *at = &code->instructions[instruction];
    const int once = code->loop_of[instruction] == loop;
    if (instruction == code->loops[loop].first)
        course->skipped_until = 0;
    if (!stn_code_in_loop(code, loop, instruction))
        return;
    const int steps = at->step_register >= 0, always = at->address >= course->skipped_until;
    uint64_t lost = at->written;
    if (steps && once)
        lost &= ~(UINT64_C(1) << slot(at->step_register));
    if (at->copies && once && always) {
        lost &= ~(UINT64_C(1) << slot(at->copy_to));
        course->origin[slot(at->copy_to)] = course->origin[slot(at->copy_from)];
        course->offset[slot(at->copy_to)] =
            course->offset[slot(at->copy_from)] + (uint64_t)at->copy_offset;
    }
    if (steps && once)
        course->offset[slot(at->step_register)] += (uint64_t)at->step;
    else if (steps)
        lost |= UINT64_C(1) << slot(at->step_register);
    for (int r = 0; r < STN_COURSE_REGISTERS && lost >> r; r++)
        if (lost >> r & 1)
            course->origin[r] = -1;
    note_branch(course, at, code->instructions[code->loops[loop].header].address);
}

/* A register that ends as a copy of another one advances with it. */
stn_advances stn_course_advances(const stn_code *code, int32_t loop)
{
    stn_advances result = {.is_known = 0};
    stn_course course;
    stn_course_begin(&course, code, loop);
    for (int32_t k = 0; k <= code->loops[loop].last - code->loops[loop].first; k++)
        stn_course_step(&course, code, loop, stn_loop_at(&code->loops[loop], k));
    for (int r = 0; r < STN_COURSE_REGISTERS; r++) {
        const int origin = course.origin[r];
        if (origin < 0 || course.origin[origin] != origin)
            continue;
        result.of[r] = (int64_t)course.offset[origin];
        result.is_known |= UINT64_C(1) << r;
    }
    return result;
}
