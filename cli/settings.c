/* The options of `steno bench`. */
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "measure/openmp.h"
#include "command.h"
#include "core/cpu.h"
#include "executor.h"
#include "market.h"
#include "output.h"
#include "parse.h"

const char settings_help[] =
    "usage: steno bench [KERNEL,...] [OPTION]...\n"
    "       steno bench versus [OPTION]...   comparison with OpenBLAS and BLIS (see its --help)\n"
    "       steno bench report [OPTION]...   time and error over size (see its --help)\n\n"
    "Measures kernels with their operands stored in each format.\n\n"
    "  axpy   y = 1.5 x + y    x in the format, y in the arithmetic type\n"
    "  dot    x . y            x and y in the format\n"
    "  gemv   y = A x          A and x in the format, y in the arithmetic type\n"
    "  spmv   y = A x          A sparse, its values in the format, x and y in the arithmetic type\n"
    "  sliced y = A x          the same in slices, compared with f64 in compressed rows\n"
    "                          (default axpy,dot,gemv, or those that match the matrix)\n\n"
    "  --format LIST     storage formats, also block formats such as bfp16 and mxfp4, or all,\n"
    "                    without block formats (default f64,f32,f16,bf16,i16,e4m3,i8)\n"
    "  --arith TYPE      arithmetic type and format of results, f64 or f32 (default f64)\n"
    "  --size N          elements of a vector or entries of a matrix, such as 1e7 or 64M, or\n"
    "                    ROWSxCOLUMNS for gemv (default several times the last-level cache)\n"
    "  --matrix FILE     Matrix Market file, optionally .gz: dense for gemv, sparse for spmv\n"
    "  --sum             add repeated entries of that file (STN_MARKET_SUM)\n"
    "  --lenient         accept common deviations from the specification in that file\n"
    "  --threads N       number of threads (default: STENO_NUM_THREADS, see steno/exec.h)\n"
    "  --exec NAME       executor, such as threads, openmp, reference or a device: cuda:0, hip:0,\n"
    "                    opencl:0 (default threads; see steno info)\n"
    "  --same-bits-as NAME  compute each result on this executor, too, and fail if a bit differs\n"
    "  --isa NAME        instruction set, such as avx2 (default the widest; see steno info)\n"
    "  --repeat N        number of rounds; the median counts (default 5 to 15, as time allows)\n"
    "  --json FILE       write one JSON object per row; - is the standard output\n"
    "  --csv FILE        write comma-separated values; - is the standard output\n"
    "  --bits            add result_bits, a hash of the bits of the result, to JSON and CSV\n";

enum {
    FORMAT = FIRST_LONG_OPTION,
    ARITH,
    SIZE,
    MATRIX,
    SUM,
    LENIENT,
    THREADS,
    EXEC,
    SAME_BITS,
    ISA,
    REPEAT,
    JSON,
    CSV,
    BITS
};

/* ---- lists ---- */

static stn_status take_kernel(const char *word, void *context)
{
    bench_settings *all = context;
    const bench_kernel *kernel;
    STN_TRY(kernel_find(word, &kernel));
    for (int k = 0; k < all->kernel_count; k++)
        if (all->kernels[k] == kernel)
            return STN_OK;
    all->kernels[all->kernel_count++] = kernel;
    return STN_OK;
}

static void add_format(bench_settings *all, stn_format format)
{
    for (int k = 0; k < all->format_count; k++)
        if (all->formats[k] == format)
            return;
    all->formats[all->format_count++] = format;
}

static int is_real(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK &&
           (info.kind == STN_CLASS_FLOAT || info.kind == STN_CLASS_INTEGER);
}

stn_status settings_take_format(const char *word, void *context)
{
    bench_settings *all = context;
    stn_format format;
    if (strcmp(word, "all") == 0) {
        for (format = 0; format < STN_BUILTIN_FORMATS; format++)
            if (is_real(format))
                add_format(all, format);
        return STN_OK;
    }
    STN_TRY(stn_format_find(word, &format));
    if (!is_real(format))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "format %s is not supported: bench supports real formats of single elements", word);
    add_format(all, format);
    return STN_OK;
}

/* Kernels take block formats, too. */
static stn_status take_stored_format(const char *word, void *context)
{
    stn_format format;
    if (strcmp(word, "all") == 0)
        return settings_take_format(word, context);
    STN_TRY(stn_format_find(word, &format));
    if (!stored_is_blocks(format))
        return settings_take_format(word, context);
    add_format(context, format);
    return STN_OK;
}

static stn_status parse_arithmetic(const char *word, bench_settings *all)
{
    STN_TRY(stn_format_find(word, &all->arithmetic));
    if (all->arithmetic == STN_F64 || all->arithmetic == STN_F32)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "the arithmetic type must be f64 or f32, not %s", word);
}

/* ---- options ---- */

static stn_status take_option(int option, const char *value, bench_settings *all)
{
    stn_isa isa;
    switch (option) {
    case FORMAT:
        return parse_list("format", value, take_stored_format, all);
    case ARITH:
        return parse_arithmetic(value, all);
    case SIZE:
        return parse_size(value, &all->size, &all->rows, &all->columns);
    case MATRIX:
        all->matrix = value;
        return STN_OK;
    case SUM:
        all->market |= STN_MARKET_SUM;
        return STN_OK;
    case LENIENT:
        all->market |= STN_MARKET_LENIENT;
        return STN_OK;
    case THREADS:
        return parse_count("number of threads", value, MAX_THREADS, &all->threads);
    case EXEC:
        all->exec = value;
        return STN_OK;
    case SAME_BITS:
        all->same_bits = value;
        return STN_OK;
    case ISA:
        all->isa = value;
        return stn_isa_find(value, &isa);
    case REPEAT:
        return parse_count("number of repeats", value, MAX_REPEATS, &all->repeat);
    case JSON:
        return output_take(&all->files.json, value);
    case CSV:
        return output_take(&all->files.csv, value);
    case BITS:
        all->bits = 1;
        return STN_OK;
    case 'h':
        all->help = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

/* Rejects contradictory options. */
static stn_status check(const bench_settings *all)
{
    int takes_matrix = all->kernel_count == 0;
    for (int k = 0; k < all->kernel_count; k++) {
        takes_matrix |= all->kernels[k]->a != ABSENT;
        if (all->rows && (all->kernels[k]->a == ABSENT || all->kernels[k]->sparse))
            return stn_fail(STN_ERR_ARGUMENT, "a size ROWSxCOLUMNS applies to gemv, not to %s",
                            all->kernels[k]->name);
    }
    if (all->matrix && !takes_matrix)
        return stn_fail(STN_ERR_ARGUMENT, "--matrix applies to gemv, spmv and sliced only");
    if (all->market && !all->matrix)
        return stn_fail(STN_ERR_ARGUMENT, "%s requires --matrix", market_option(all->market));
    return columns_check_files(&all->files);
}

static stn_status use_defaults(bench_settings *all)
{
    if (all->format_count == 0)
        STN_TRY(parse_list("format", "f64,f32,f16,bf16,i16,e4m3,i8", settings_take_format, all));
    if (all->rows && all->kernel_count == 0)
        STN_TRY(take_kernel("gemv", all));
    if (!all->matrix && all->kernel_count == 0)
        STN_TRY(parse_list("kernel", "axpy,dot,gemv", take_kernel, all));
    return STN_OK;
}

stn_status settings_parse(int argc, char **argv, bench_settings *all)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"format", required_argument, NULL, FORMAT},
                                            {"arith", required_argument, NULL, ARITH},
                                            {"size", required_argument, NULL, SIZE},
                                            {"matrix", required_argument, NULL, MATRIX},
                                            {"sum", no_argument, NULL, SUM},
                                            {"lenient", no_argument, NULL, LENIENT},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"exec", required_argument, NULL, EXEC},
                                            {"same-bits-as", required_argument, NULL, SAME_BITS},
                                            {"isa", required_argument, NULL, ISA},
                                            {"repeat", required_argument, NULL, REPEAT},
                                            {"json", required_argument, NULL, JSON},
                                            {"csv", required_argument, NULL, CSV},
                                            {"bits", no_argument, NULL, BITS},
                                            {NULL, 0, NULL, 0}};
    *all = (bench_settings){.arithmetic = STN_F64};
    for (int option; !all->help && (option = next_option(argc, argv, options)) != -1;)
        STN_TRY(take_option(option, optarg, all));
    if (all->help)
        return STN_OK;
    for (; optind < argc; optind++)
        STN_TRY(parse_list("kernel", argv[optind], take_kernel, all));
    STN_TRY(use_defaults(all));
    return check(all);
}

/* ---- executor ---- */

stn_status settings_make_exec(const bench_settings *all, stn_exec **exec)
{
    stn_isa isa;
    if (all->isa) {
        STN_TRY(stn_isa_find(all->isa, &isa));
        STN_TRY(stn_isa_use(isa));
    }
    STN_TRY(executor_create(exec, all->exec, all->threads));
    if (!executor_is_device(*exec))
        omp_set_num_threads(stn_exec_threads(*exec));
    return STN_OK;
}
