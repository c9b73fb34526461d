/* steno contract alignment: effects of the alignment of complex numbers on machine code and its
 * execution. */
#define _POSIX_C_SOURCE 200809L
#include "contract/command/alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "contract/command/contract.h"
#include "core/memory.h"
#include "parse.h"

static const char help[] =
    "usage: steno contract alignment [OPTION]...\n\n"
    "Shows the effect of aligning complex numbers of 16 bytes to 8 bytes, as their parts are, or "
    "to\n"
    "16 bytes, for c += a * b. GPUs: machine code for all architectures that NVRTC supports, a\n"
    "model of a launch, and the counters of a GPU if ncu is installed. CPUs: the loops of gcc and\n"
    "clang, and the accesses counted by valgrind if it is installed. The exit status is 1 if a\n"
    "measurement differs from the model.\n\n"
    "  --only gpu|cpu   only GPUs or only CPUs\n"
    "  --elements N     elements of the launch, with K, M or G (default 1024)\n"
    "  --threads N      threads of a block (default 256)\n"
    "  --ncu PROGRAM    NVIDIA's profiler (default ncu)\n"
    "  --json           print one JSON object instead, which steno-plot draws\n"
    "  --launch         only launch the kernels, in an NVTX range, for a profiler\n";

const char *const alignment_kernels[ALIGNMENTS] = {"muladd_c8", "muladd_c16"};

const alignment_quantity alignment_quantities[QUANTITIES] = {
    [EXECUTED_LOADS] = {"loads", "smsp__sass_inst_executed_op_global_ld.sum", CHECK_EQUAL, 0},
    [EXECUTED_STORES] = {"stores", "smsp__sass_inst_executed_op_global_st.sum", CHECK_EQUAL, 0},
    [EXECUTED_LOCAL_STORES] = {"local stores", "smsp__sass_inst_executed_op_local_st.sum",
                               CHECK_EQUAL, 0},
    [EXECUTED_INSTRUCTIONS] = {"instructions", "smsp__inst_executed.sum", CHECK_EQUAL, 0},
    [EXECUTED_OTHERS] = {"other instructions", NULL, CHECK_EQUAL, 0},
    [LOAD_REQUESTS] = {"L1 load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                       CHECK_EQUAL, 0},
    [LOAD_SECTORS] = {"L1 load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                      CHECK_EQUAL, 0},
    [STORE_SECTORS] = {"L1 store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                       CHECK_EQUAL, 0},
    [LOAD_MISSES] = {"L1 load misses", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
                     CHECK_REPORTED, 0},
    [L2_MISSES] = {"L2 read misses", "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum",
                   CHECK_REPORTED, 0},
    [DRAM_BYTES] = {"DRAM bytes read", "dram__bytes_read.sum", CHECK_REPORTED, 0},
    [SECTORS_PER_REQUEST] = {"load sectors per request", NULL, CHECK_EQUAL, 0},
    [LOAD_HITS] = {"L1 load hits", NULL, CHECK_REPORTED, 1},
    [LOAD_EFFICIENCY] = {"load efficiency", NULL, CHECK_EQUAL, 1},
};

/* Each thread loads three elements. */
void alignment_derive(const alignment_settings *settings, alignment_values *values)
{
    enum { LOADED = 3 };
    for (int which = 0; which < ALIGNMENTS; which++) {
        double(*const of)[ALIGNMENTS] = values->of;
        const double sectors = of[LOAD_SECTORS][which];
        const double bytes = (double)(settings->elements * LOADED * ALIGNMENT_ELEMENT);
        of[EXECUTED_OTHERS][which] = of[EXECUTED_INSTRUCTIONS][which] - of[EXECUTED_LOADS][which] -
                                     of[EXECUTED_STORES][which];
        of[SECTORS_PER_REQUEST][which] = sectors / of[LOAD_REQUESTS][which];
        of[LOAD_HITS][which] = (sectors - of[LOAD_MISSES][which]) / sectors;
        of[LOAD_EFFICIENCY][which] = bytes / (sectors * STN_SECTOR_BYTES);
    }
}

void alignment_contradict(alignment *all, const char *what, double found, double model)
{
    if (all->contradictions++ == 0)
        snprintf(all->contradiction, sizeof all->contradiction, "%s: measured %.15g, modeled %.15g",
                 what, found, model);
}

const alignment_gpu *alignment_shown(const alignment *all)
{
    if (all->gpu_count == 0)
        return NULL;
    return &all->gpus[all->measured_gpu >= 0 ? all->measured_gpu : all->gpu_count - 1];
}

void alignment_number(double value, int is_percent, char *text, size_t capacity)
{
    if (!isfinite(value))
        snprintf(text, capacity, "-");
    else if (is_percent)
        snprintf(text, capacity, "%.4g %%", 100.0 * value);
    else
        snprintf(text, capacity, "%.12g", value);
}

/* ---- options ---- */

typedef enum part { PART_GPU = 1, PART_CPU = 2 } part;

typedef struct options {
    alignment_settings settings;
    int parts, json, launch;
} options;

enum { ONLY = FIRST_LONG_OPTION, ELEMENTS, THREADS, NCU, JSON, LAUNCH };

static stn_status parse_part(const char *word, int *parts)
{
    *parts = strcmp(word, "gpu") == 0 ? PART_GPU : strcmp(word, "cpu") == 0 ? PART_CPU : 0;
    return *parts ? STN_OK
                  : stn_fail(STN_ERR_ARGUMENT, "--only must be gpu or cpu, not '%s'", word);
}

static stn_status take_option(int option, options *o)
{
    switch (option) {
    case ONLY:
        return parse_part(optarg, &o->parts);
    case ELEMENTS:
        return parse_count("number of elements", optarg, INT32_MAX, &o->settings.elements);
    case THREADS: {
        int64_t threads;
        STN_TRY(parse_count("number of threads", optarg, 1024, &threads));
        o->settings.threads = (int32_t)threads;
        return STN_OK;
    }
    case NCU:
        o->settings.ncu = optarg;
        return STN_OK;
    case JSON:
        o->json = 1;
        return STN_OK;
    case LAUNCH:
        o->launch = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT;
    }
}

static stn_status check_options(int argc, char **argv, options *o)
{
    if (optind < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s: unexpected argument '%s'", argv[0],
                        argv[optind]);
    o->settings.blocks = (o->settings.elements + o->settings.threads - 1) / o->settings.threads;
    return STN_OK;
}

static stn_status report(const alignment *all, const options *o)
{
    if (o->json)
        STN_TRY(alignment_print_json(all));
    else
        alignment_print(all);
    if (all->contradictions == 0)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "%d measured values differ from the model; %s",
                    all->contradictions, all->contradiction);
}

static stn_status find_out(alignment *all, const options *o)
{
    for (int q = 0; q < QUANTITIES; q++)
        all->measured.of[q][ALIGNED_8] = all->measured.of[q][ALIGNED_16] = NAN;
    if (o->parts & PART_GPU) {
        STN_TRY(alignment_look_at_gpus(all));
        STN_TRY(alignment_measure(all));
    }
    if (o->parts & PART_CPU)
        STN_TRY(alignment_look_at_cpus(all));
    return report(all, o);
}

stn_status contract_alignment(int argc, char **argv)
{
    static const struct option names[] = {{"help", no_argument, NULL, 'h'},
                                          {"only", required_argument, NULL, ONLY},
                                          {"elements", required_argument, NULL, ELEMENTS},
                                          {"threads", required_argument, NULL, THREADS},
                                          {"ncu", required_argument, NULL, NCU},
                                          {"json", no_argument, NULL, JSON},
                                          {"launch", no_argument, NULL, LAUNCH},
                                          {NULL, 0, NULL, 0}};
    options o = {.settings = {.elements = ALIGNMENT_COUNT, .threads = 256, .ncu = "ncu"},
                 .parts = PART_GPU | PART_CPU};
    alignment *all;
    for (int option; (option = next_option(argc, argv, names)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return STN_OK;
        }
        STN_TRY(take_option(option, &o));
    }
    STN_TRY(check_options(argc, argv, &o));
    if (o.launch)
        return alignment_launch(&o.settings);
    STN_TRY(stn_allocate(&all, 1, sizeof *all, "the results"));
    memset(all, 0, sizeof *all);
    all->settings = o.settings;
    all->measured_gpu = -1;
    stn_status status = stn_allocate(&all->gpus, MAX_TARGETS, sizeof *all->gpus, "the results");
    if (status == STN_OK)
        status = find_out(all, &o);
    stn_free(all->gpus);
    stn_free(all);
    return status;
}
