/* steno info: processor, instruction sets, threads, devices and the table of formats. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "core/cpu.h"
#include "core/tune.h"
#include "exec/cuda/load.h"
#include "exec/device.h"
#include "executor.h"
#include "pool.h"
#include "steno/archive.h"
#include "steno/exec.h"
#include "steno/format.h"

static const char help[] =
    "usage: steno info [OPTION]...\n\n"
    "Prints the version, the processor features that Steno uses, the threads, the devices (or the\n"
    "reason why none is available), the storage formats with their bits, range and epsilon (the\n"
    "spacing of the values above 1), and the codecs of archives with their libraries.\n\n"
    "  --exec NAME   executor that is created and described, such as threads, threads:threads=2 "
    "or\n"
    "                a device: cuda:0, hip:0, opencl:0 (default threads)\n"
    "  --json        print one JSON object instead\n";

static const char *const kinds[] = {"float", "integer", "complex", "opaque", "registered", "block"};

static int has_range(const stn_format_info *info)
{
    return info->kind == STN_CLASS_FLOAT || info->kind == STN_CLASS_INTEGER ||
           info->kind == STN_CLASS_BLOCK;
}

static void print_format(const stn_format_info *info)
{
    stn_format_info component = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(info->component,
                              &component); /* cannot fail: a row of the same table */
    printf("  %-10s %3" PRId32 "  %-8s %5d", info->name, info->format, kinds[info->kind],
           info->bits);
    if (has_range(info))
        printf("  %12.6g  %12.6g  %12.6g  %12.6g\n", info->lowest, info->highest, info->smallest,
               info->epsilon);
    else
        printf("  two %s\n", component.name);
}

static stn_status print_formats(void)
{
    printf("\n  %-10s %3s  %-8s %5s  %12s  %12s  %12s  %12s\n", "format", "id", "kind", "bits",
           "lowest", "highest", "smallest > 0", "epsilon");
    for (int32_t format = 0; format < stn_format_count(); format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        STN_TRY(stn_format_describe(format, &info));
        print_format(&info);
    }
    return STN_OK;
}

/* ---- devices ---- */

/* STN_ERR_DEVICE  no installed compiler supports the CUDA or HIP device */
static stn_status expect_compiler(stn_device *device)
{
    const stn_cuda_compiler *compiler;
    return device->calls->platform
               ? stn_cuda_compiler_get(device->calls->platform, stn_cuda_of(device)->capability,
                                       &compiler)
               : STN_OK;
}

/* Calls `report` for each device of the kind that can be opened. Returns the missing library or
 * driver, or NULL. */
static const char *for_devices(const char *kind,
                               void (*report)(const stn_device *device, void *context),
                               void *context)
{
    static char missing[512];
    const int count = stn_device_count(kind);
    snprintf(missing, sizeof missing, "%s", count > 0 ? "" : stn_error());
    for (int number = 0; number < count; number++) {
        stn_device *device;
        stn_status status = stn_device_open(kind, number, &device);
        if (status == STN_OK) {
            report(device, context);
            status = expect_compiler(device);
            stn_device_release(device);
        }
        if (status != STN_OK)
            snprintf(missing, sizeof missing, "%s", stn_error());
    }
    return missing[0] ? missing : NULL;
}

static void print_device(const stn_device *device, void *context)
{
    (void)context;
    printf("device            %s: %s, %s, %d multiprocessors, %zu MiB%s%s\n", device->resource,
           device->name, device->version, device->processors, device->bytes >> 20,
           device->inexact ? "; f32 " : "", device->inexact ? device->inexact : "");
}

static void print_devices(void)
{
    for (int k = 0; stn_device_kind(k); k++) {
        const char *const missing = for_devices(stn_device_kind(k), print_device, NULL);
        if (missing)
            printf("%-17s %s\n", stn_device_kind(k), missing);
    }
}

static void add_device(const stn_device *device, void *context)
{
    json_array_append_new(context,
                          json_pack("{s:s, s:s, s:s, s:i, s:I, s:b}", "resource", device->resource,
                                    "name", device->name, "version", device->version,
                                    "multiprocessors", device->processors, "bytes",
                                    (json_int_t)device->bytes, "exact", device->inexact == NULL));
}

static json_t *json_devices(void)
{
    json_t *object = json_object();
    for (int k = 0; stn_device_kind(k); k++) {
        json_t *array = json_array();
        const char *const missing = for_devices(stn_device_kind(k), add_device, array);
        json_object_set_new(object, stn_device_kind(k),
                            json_pack("{s:o, s:s?}", "devices", array, "missing", missing));
    }
    return object;
}

static void print_tune(void)
{
    const stn_tune *const tune = stn_tuned();
    printf("memory           ");
#define PRINT(name, minimum, maximum, what) printf(" %s %d", #name, tune->name);
    STN_TUNE_TABLE(PRINT)
#undef PRINT
    printf(", by %s\n", stn_tune_source());
}

static json_t *json_tune(void)
{
    const stn_tune *const tune = stn_tuned();
    json_t *object = json_pack("{s:s}", "source", stn_tune_source());
#define ADD(name, minimum, maximum, what)                                                          \
    json_object_set_new(object, #name, json_integer(tune->name));
    STN_TUNE_TABLE(ADD)
#undef ADD
    return object;
}

/* ---- codecs of archives ---- */

#if STN_HAVE_CODEC
static stn_status print_codecs(void)
{
    static const char *const losses[] = {"lossless", "bounded", "lossy"};
    printf("\n  %-10s %-9s  %-16s parameters\n", "codec", "values", "library");
    for (int k = 0; k < stn_archive_codec_count(); k++) {
        stn_archive_codec_info info = STN_ARCHIVE_CODEC_INFO_INIT;
        STN_TRY(stn_archive_codec_describe(k, &info));
        printf("  %-10s %-9s  %-16s %s\n", info.name, info.is_filter ? "filter" : losses[info.loss],
               info.library ? info.library : "missing", info.parameters);
    }
    return STN_OK;
}

static json_t *json_codecs(void)
{
    json_t *array = json_array();
    for (int k = 0; k < stn_archive_codec_count(); k++) {
        stn_archive_codec_info info = STN_ARCHIVE_CODEC_INFO_INIT;
        if (stn_archive_codec_describe(k, &info) == STN_OK)
            json_array_append_new(array, json_pack("{s:s, s:s?, s:s, s:b}", "name", info.name,
                                                   "library", info.library, "parameters",
                                                   info.parameters, "filter", info.is_filter));
    }
    return array;
}
#else
static stn_status print_codecs(void)
{
    puts("\ncodecs            missing: built without libsteno_codec");
    return STN_OK;
}

static json_t *json_codecs(void)
{
    return json_array();
}
#endif

static int has_openmp(void)
{
    stn_exec *exec;
    if (stn_exec_create(&exec, "openmp:threads=1"))
        return 0;
    stn_exec_release(exec);
    return 1;
}

static stn_status print_text(const stn_exec *exec, const stn_processors *processors)
{
    printf("steno %s, binary interface %d\n", stn_version(), stn_abi_version());
    printf("processor         %s\n", stn_cpu_features());
    printf("instruction sets ");
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        if (stn_isa_available((stn_isa)isa))
            printf(" %s", stn_isa_name((stn_isa)isa));
    printf(", in use: %s\n", stn_isa_name(stn_isa_chosen()));
    printf("executor          %s\n", executor_description(exec));
    pool_print(processors);
    print_tune();
    print_devices();
    printf("OpenMP            %s\n",
           has_openmp() ? "executor openmp" : "missing: built without OpenMP");
    printf("MPI               %s\n",
           STN_HAVE_MPI ? "libsteno_mpi and steno-mpi"
                        : "missing: built without libsteno_mpi (Debian: libopenmpi-dev)");
    STN_TRY(print_formats());
    return print_codecs();
}

static json_t *json_words(const char *words)
{
    json_t *array = json_array();
    while (*words) {
        const size_t length = strcspn(words, " ");
        json_array_append_new(array, json_stringn(words, length));
        words += length + strspn(words + length, " ");
    }
    return array;
}

static json_t *json_isas(void)
{
    json_t *array = json_array();
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        if (stn_isa_available((stn_isa)isa))
            json_array_append_new(array, json_string(stn_isa_name((stn_isa)isa)));
    return array;
}

static json_t *json_format(const stn_format_info *info)
{
    json_t *object = json_pack("{s:s, s:i, s:s, s:i}", "name", info->name, "id", info->format,
                               "kind", kinds[info->kind], "bits", info->bits);
    if (info->block_elements > 1) {
        json_object_set_new(object, "block_elements", json_integer(info->block_elements));
        json_object_set_new(object, "block_bytes", json_integer(info->block_bytes));
    }
    if (has_range(info)) {
        json_object_set_new(object, "lowest", json_real(info->lowest));
        json_object_set_new(object, "highest", json_real(info->highest));
        json_object_set_new(object, "smallest", json_real(info->smallest));
        json_object_set_new(object, "epsilon", json_real(info->epsilon));
    }
    return object;
}

static stn_status print_json(const stn_exec *exec, const stn_processors *processors)
{
    json_t *formats = json_array();
    for (int32_t format = 0; format < stn_format_count(); format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        if (stn_format_describe(format, &info) == STN_OK)
            json_array_append_new(formats, json_format(&info));
    }
    json_t *all = json_pack(
        "{s:s, s:i, s:o, s:o, s:s, s:s, s:s?, s:i, s:o, s:o, s:o, s:o, s:o, s:b}", "version",
        stn_version(), "abi", stn_abi_version(), "features", json_words(stn_cpu_features()),
        "isa_available", json_isas(), "isa", stn_isa_name(stn_isa_chosen()), "exec",
        executor_name(exec), "device", executor_device(exec), "threads", stn_exec_threads(exec),
        "pool", pool_to_json(processors), "memory", json_tune(), "devices", json_devices(),
        "formats", formats, "codecs", json_codecs(), "mpi", STN_HAVE_MPI);
    char *text = all ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    if (!text)
        return stn_fail(STN_ERR_MEMORY, "no memory for the JSON text");
    puts(text);
    free(text);
    return STN_OK;
}

enum { JSON = FIRST_LONG_OPTION, EXEC };

stn_status command_info(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"json", no_argument, NULL, JSON},
                                            {"exec", required_argument, NULL, EXEC},
                                            {NULL, 0, NULL, 0}};
    const char *resource = NULL;
    int json = 0;
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == '?')
            return STN_ERR_ARGUMENT;
        if (option == 'h') {
            fputs(help, stdout);
            return STN_OK;
        }
        json |= option == JSON;
        resource = option == EXEC ? optarg : resource;
    }
    if (optind < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno info: unexpected argument '%s'", argv[optind]);
    stn_exec *exec;
    stn_processors processors;
    STN_TRY(stn_processors_describe("threads", &processors));
    STN_TRY(executor_create(&exec, resource, 0));
    const stn_status status = json ? print_json(exec, &processors) : print_text(exec, &processors);
    stn_exec_release(exec);
    return status;
}
