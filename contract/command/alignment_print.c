/* The results as text tables and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contract/command/contract.h"
#include "contract/command/alignment.h"
#include "contract/command/json.h"

enum { WORD = 96 };

/* ---- text ---- */

static void print_widths_of(const stn_code_counts *counts)
{
    char loads[WORD], stores[WORD];
    contract_widths(counts->loads, loads, sizeof loads);
    contract_widths(counts->stores, stores, sizeof stores);
    printf(" | %-11s %-6s %7" PRId32, loads, stores, counts->instructions);
}

static void print_gpu_codes(const alignment *all)
{
    char executed[ALIGNMENTS][WORD];
    printf("GPUs: operations of one thread, and instructions executed by all warps of the launch "
           "below\n\n         | aligned to 8                         | aligned to 16\ntarget   | "
           "loads       stores  instr.  executed | loads       stores  instr.  executed | "
           "registers\n");
    for (int k = 0; k < all->gpu_count; k++) {
        const alignment_gpu *gpu = &all->gpus[k];
        printf("%-8s", gpu->target);
        for (int which = 0; which < ALIGNMENTS; which++) {
            alignment_number(gpu->model.of[EXECUTED_INSTRUCTIONS][which], 0, executed[which], WORD);
            print_widths_of(&gpu->counts[which]);
            printf(" %9s", executed[which]);
        }
        printf(" | %" PRId32 ", %" PRId32 "\n", gpu->registers[ALIGNED_8],
               gpu->registers[ALIGNED_16]);
    }
}

static int is_like(const alignment_values *a, const alignment_values *b)
{
    for (int q = 0; q < QUANTITIES; q++)
        for (int which = 0; which < ALIGNMENTS; which++)
            if (q != EXECUTED_INSTRUCTIONS && q != EXECUTED_OTHERS &&
                fabs(a->of[q][which] - b->of[q][which]) > 0.0)
                return 0;
    return 1;
}

/* Compares the other architectures with the printed one. */
static void print_other_targets(const alignment *all, const alignment_gpu *shown)
{
    int like = 0;
    for (int k = 0; k < all->gpu_count; k++)
        like += is_like(&all->gpus[k].model, &shown->model);
    if (like == all->gpu_count)
        printf("All %d architectures are equal except for the instructions above.\n", like);
    for (int k = 0; k < all->gpu_count; k++)
        if (!is_like(&all->gpus[k].model, &shown->model))
            printf("Exceptions: %s (see --json).\n", all->gpus[k].target);
}

static void print_row(const alignment *all, const alignment_values *model, int quantity)
{
    const alignment_quantity *q = &alignment_quantities[quantity];
    char word[WORD];
    printf("%-25s", q->name);
    for (int which = 0; which < ALIGNMENTS; which++) {
        alignment_number(model->of[quantity][which], q->is_percent, word, sizeof word);
        printf(" %11s", word);
    }
    for (int which = 0; which < ALIGNMENTS && all->measured_gpu >= 0; which++) {
        alignment_number(all->measured.of[quantity][which], q->is_percent, word, sizeof word);
        printf(" %11s", word);
    }
    printf("%s%s\n", q->metric ? "  " : "", q->metric ? q->metric : "");
}

static void print_launch(const alignment *all, const alignment_gpu *shown)
{
    const int is_measured = all->measured_gpu >= 0;
    printf("\nA launch of %" PRId64 " blocks of %" PRId32 " threads, %" PRId64
           " elements, on %s\n\n",
           all->settings.blocks, all->settings.threads, all->settings.elements, shown->target);
    printf("%-25s %23s%s\n", "", "model", is_measured ? "                measured" : "");
    printf("%-25s %11s %11s%s\n", "", "aligned 8", "aligned 16",
           is_measured ? "   aligned 8  aligned 16" : "");
    for (int q = 0; q < QUANTITIES; q++)
        print_row(all, &shown->model, q);
    printf("\n");
    print_other_targets(all, shown);
    if (*all->measured_note)
        printf("%s\n", all->measured_note);
    if (is_measured)
        printf("Measured on %s.\n", all->device);
}

/* "5x256 1x32" of the executed or expected accesses. */
static void print_accesses(const alignment_accesses *of)
{
    char loads[WORD], stores[WORD];
    contract_widths(of->loads, loads, sizeof loads);
    contract_widths(of->stores, stores, sizeof stores);
    printf(" %7" PRId32 "  %-18s %s", of->instructions, loads, stores);
}

static void print_cpu_codes(const alignment *all)
{
    printf("CPUs: operations of one iteration of the loop\n\n%-52s | aligned to 8               | "
           "aligned to 16\n%-52s | loads       stores  instr. | loads       stores  instr.\n",
           "", "compiler");
    for (int k = 0; k < all->cpu_count; k++) {
        const alignment_cpu *cpu = &all->cpus[k];
        printf("%-52s", cpu->command);
        for (int which = 0; which < ALIGNMENTS && cpu->is_available; which++)
            print_widths_of(&cpu->counts[which]);
        printf("%s%s\n", cpu->is_available ? "" : " | ", cpu->is_available ? "" : cpu->note);
    }
}

static void print_executions(const alignment *all)
{
    printf("\nThe loop over %d elements: model and valgrind\n\n", ALIGNMENT_COUNT);
    for (int k = 0; k < all->cpu_count; k++) {
        const alignment_cpu *cpu = &all->cpus[k];
        if (!cpu->is_available)
            continue;
        printf("%s%s%s\n", cpu->command, *cpu->note ? ": " : "", cpu->note);
        for (int which = 0; which < ALIGNMENTS && cpu->is_executed; which++) {
            printf("  %-10s model    ", alignment_kernels[which]);
            print_accesses(&cpu->model[which]);
            printf("\n  %-10s valgrind ", alignment_kernels[which]);
            print_accesses(&cpu->executed[which]);
            printf("\n");
        }
    }
}

void alignment_print(const alignment *all)
{
    const alignment_gpu *shown = alignment_shown(all);
    printf("c += a * b on complex numbers of %d bytes, aligned to 8 bytes and to 16\n\n",
           ALIGNMENT_ELEMENT);
    if (shown) {
        print_gpu_codes(all);
        print_launch(all, shown);
    } else if (*all->gpu_note) {
        printf("GPUs: not available: %s\n", all->gpu_note);
    }
    if (all->cpu_count > 0) {
        printf("\n");
        print_cpu_codes(all);
        print_executions(all);
    }
}

/* ---- JSON ---- */

static const char *const keys[ALIGNMENTS] = {"aligned_8", "aligned_16"};

static json_t *json_number(double value)
{
    if (!isfinite(value))
        return json_null();
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *json_values(const alignment_values *values, int which)
{
    json_t *object = json_object();
    for (int q = 0; q < QUANTITIES; q++)
        json_object_set_new(object, alignment_quantities[q].name,
                            json_number(values->of[q][which]));
    return object;
}

static json_t *json_widths(const int32_t *widths)
{
    char name[8];
    json_t *object = json_object();
    for (int w = 0; w < STN_WIDTHS; w++) {
        snprintf(name, sizeof name, "%d", 8 << w);
        if (widths[w] > 0)
            json_object_set_new(object, name, json_integer(widths[w]));
    }
    return object;
}

static json_t *json_code(const stn_code_counts *counts)
{
    json_t *object = json_object();
    json_object_set_new(object, "loads", json_widths(counts->loads));
    json_object_set_new(object, "stores", json_widths(counts->stores));
    json_object_set_new(object, "instructions", json_integer(counts->instructions));
    json_object_set_new(object, "bytes_read", json_integer((json_int_t)counts->distinct_read));
    json_object_set_new(object, "bytes_written",
                        json_integer((json_int_t)counts->distinct_written));
    json_object_set_new(object, "elements",
                        counts->elements > 0 ? json_integer(counts->elements) : json_null());
    return object;
}

static json_t *json_gpu(const alignment_gpu *gpu)
{
    json_t *object = json_object();
    json_object_set_new(object, "target", json_string(gpu->target));
    for (int which = 0; which < ALIGNMENTS; which++) {
        json_t *kernel = json_code(&gpu->counts[which]), *opcodes = json_object();
        json_object_set_new(kernel, "registers", json_integer(gpu->registers[which]));
        json_object_set_new(kernel, "model", json_values(&gpu->model, which));
        for (int k = 0; k < gpu->opcode_count; k++)
            json_object_set_new(opcodes, gpu->opcodes[k].name,
                                gpu->opcodes[k].times[which] < 0
                                    ? json_null()
                                    : json_integer((json_int_t)gpu->opcodes[k].times[which]));
        json_object_set_new(kernel, "executed_per_opcode", opcodes);
        json_object_set_new(object, keys[which], kernel);
    }
    return object;
}

static json_t *json_accesses(const alignment_accesses *of)
{
    json_t *object = json_object();
    json_object_set_new(object, "instructions", json_integer(of->instructions));
    json_object_set_new(object, "loads", json_widths(of->loads));
    json_object_set_new(object, "stores", json_widths(of->stores));
    return object;
}

static json_t *json_cpu(const alignment_cpu *cpu)
{
    json_t *object = json_object();
    json_object_set_new(object, "command", json_string(cpu->command));
    json_object_set_new(object, "target", json_string(cpu->target));
    json_object_set_new(object, "compiler", contract_json_name(cpu->compiler));
    json_object_set_new(object, "note", json_string(cpu->note));
    for (int which = 0; which < ALIGNMENTS && cpu->is_available; which++) {
        json_t *loop = json_code(&cpu->counts[which]);
        if (cpu->is_executed) {
            json_object_set_new(loop, "iterations", json_integer(cpu->iterations[which]));
            json_object_set_new(loop, "model", json_accesses(&cpu->model[which]));
            json_object_set_new(loop, "valgrind", json_accesses(&cpu->executed[which]));
        }
        json_object_set_new(object, keys[which], loop);
    }
    return object;
}

static json_t *json_measured(const alignment *all)
{
    json_t *object = json_object();
    if (all->measured_gpu < 0)
        return json_decref(object), json_null();
    json_object_set_new(object, "device", contract_json_name(all->device));
    for (int which = 0; which < ALIGNMENTS; which++)
        json_object_set_new(object, keys[which], json_values(&all->measured, which));
    return object;
}

/* The counter of ncu for each quantity, or null. */
static json_t *json_metrics(void)
{
    json_t *object = json_object();
    for (int q = 0; q < QUANTITIES; q++)
        json_object_set_new(object, alignment_quantities[q].name,
                            alignment_quantities[q].metric
                                ? json_string(alignment_quantities[q].metric)
                                : json_null());
    return object;
}

stn_status alignment_print_json(const alignment *all)
{
    const alignment_gpu *const shown = alignment_shown(all);
    json_t *object = json_object(), *gpus = json_array(), *cpus = json_array();
    json_object_set_new(object, "elements", json_integer((json_int_t)all->settings.elements));
    json_object_set_new(object, "blocks", json_integer((json_int_t)all->settings.blocks));
    json_object_set_new(object, "threads", json_integer(all->settings.threads));
    for (int k = 0; k < all->gpu_count; k++)
        json_array_append_new(gpus, json_gpu(&all->gpus[k]));
    for (int k = 0; k < all->cpu_count; k++)
        json_array_append_new(cpus, json_cpu(&all->cpus[k]));
    json_object_set_new(object, "metrics", json_metrics());
    json_object_set_new(object, "gpu", gpus);
    json_object_set_new(object, "shown", shown ? json_string(shown->target) : json_null());
    json_object_set_new(object, "gpu_note", contract_json_name(all->gpu_note));
    json_object_set_new(object, "measured", json_measured(all));
    json_object_set_new(object, "measured_note", contract_json_name(all->measured_note));
    json_object_set_new(object, "cpu", cpus);
    return contract_json_print(object);
}
