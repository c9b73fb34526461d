/* steno contract cubin: CUDA kernels in cubins and other files. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "contract/command/contract.h"
#include "contract/command/json.h"

static const char help[] =
    "usage: steno contract cubin FILE [--kernel NAME] [--json]\n\n"
    "Prints the kernels of a cubin, or of those inside a fat binary or a host object: registers,\n"
    "stack frame, bytes of local memory accesses, and loads and stores by width.\n\n"
    "  --kernel NAME  symbol of a kernel; /EXPRESSION/ selects all whose demangled names match\n"
    "  --json         print one JSON object instead\n";

static void print_kernel(const contract_part *part)
{
    const stn_code_counts *counts = &part->counts;
    char loads[96], stores[96], registers[32], stack[32], spill[32];
    contract_widths(counts->loads, loads, sizeof loads);
    contract_widths(counts->stores, stores, sizeof stores);
    contract_number(contract_measure(part, stn_quantity_find("regs", 4)), registers,
                    sizeof registers);
    contract_number(contract_measure(part, stn_quantity_find("stack", 5)), stack, sizeof stack);
    contract_number(contract_measure(part, stn_quantity_find("spill", 5)), spill, sizeof spill);
    printf("%-7s %5s %6s %6s  %-16s %-16s %6" PRId32 " %7" PRId32 " %9" PRId32 " %7" PRId32
           " %5" PRId32 " %8" PRId32 "  ",
           part->function.target, registers, stack, spill, loads, stores,
           counts->local_loads + counts->local_stores, counts->shared_loads + counts->shared_stores,
           counts->constant_loads, counts->instructions, counts->live[STN_FILE_THREAD],
           counts->unknown);
    contract_print_name(part->function.name, stdout);
    putchar('\n');
}

static void print_head(void)
{
    printf("%-7s %5s %6s %6s  %-16s %-16s %6s %7s %9s %7s %5s %8s  %s\n", "target", "regs", "stack",
           "spill", "loads", "stores", "local", "shared", "constant", "instr.", "live", "unknown",
           "kernel");
}

static void add_kernel(const contract_part *part, json_t *kernels)
{
    json_t *object = contract_json_function(&part->function);
    json_array_append_new(json_object_get(object, "counts"), contract_json_part(part));
    json_array_append_new(kernels, object);
}

/* Adds to `kernels`, or prints text if it is NULL. */
static stn_status report_all(stn_image *image, const contract_choice *choice, json_t *kernels)
{
    int is_printed = 0;
    for (int32_t f = 0; f < choice->count; f++) {
        contract_part part;
        if (image->symbols[choice->functions[f]].machine != STN_MACHINE_NVIDIA)
            continue;
        STN_TRY(contract_count(image, choice->functions[f], STN_LOOP_NONE, &part));
        if (is_printed++ == 0 && !kernels)
            print_head();
        if (kernels)
            add_kernel(&part, kernels);
        else
            print_kernel(&part);
    }
    char why[STN_REASON_MISSING];
    if (is_printed)
        return STN_OK;
    (void)stn_image_why_missing(image, NULL, why, sizeof why);
    return stn_fail(STN_ERR_RANGE, "%s has no CUDA kernels%s", image->name, why);
}

static stn_status print_json(stn_image *image, const contract_choice *choice)
{
    json_t *all = json_object(), *kernels = json_array();
    contract_json_file(all, image);
    json_object_set_new(all, "functions", kernels);
    const stn_status status = report_all(image, choice, kernels);
    if (status == STN_OK)
        return contract_json_print(all);
    json_decref(all);
    return status;
}

enum { KERNEL = FIRST_LONG_OPTION, JSON };

stn_status contract_cubin(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"kernel", required_argument, NULL, KERNEL},
                                            {"json", no_argument, NULL, JSON},
                                            {NULL, 0, NULL, 0}};
    const char *kernel = NULL;
    int json = 0;
    stn_image *image;
    contract_choice choice;
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return STN_OK;
        }
        if (option == JSON)
            json = 1;
        else if (option == KERNEL)
            kernel = optarg;
        else
            return STN_ERR_ARGUMENT;
    }
    STN_TRY(contract_open_only(argc, argv, &image));
    stn_status status = contract_choose(image, kernel, &choice);
    if (status == STN_OK) {
        status = json ? print_json(image, &choice) : report_all(image, &choice, NULL);
        contract_choice_release(&choice);
    }
    stn_image_close(image);
    return status;
}
