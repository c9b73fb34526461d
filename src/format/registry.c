/* The registry: built-in formats from the table, followed by registered ones in order of
 * registration. */
#include "format/registry.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "format/block.h"

enum { MAX_FORMATS = 1024 };

/* Codes of a number of bytes that is not a power of two are stored without padding. */
#define ALIGNMENT(bytes) (((bytes) & ((bytes)-1)) == 0 ? (bytes) : 1)

/* clang-format off */
#define FLOAT_ROW(id, NAME, text, width, exponent, fraction, specials, overflow_rule)                      \
    [STN_##NAME] = {{.size = sizeof(stn_format_info), .format = STN_##NAME,                        \
                     .kind = STN_CLASS_FLOAT, .component = STN_##NAME, .name = #text,              \
                     .bytes = width / 8, .alignment = ALIGNMENT(width / 8), .bits = width,         \
                     .exponent_bits = exponent, .fraction_bits = fraction, .is_signed = 1},        \
                    {0}, #text, NULL},
#define INTEGER_ROW(id, NAME, text, width, sign)                                                   \
    [STN_##NAME] = {{.size = sizeof(stn_format_info), .format = STN_##NAME,                        \
                     .kind = STN_CLASS_INTEGER, .component = STN_##NAME, .name = #text,            \
                     .bytes = width / 8, .alignment = width / 8, .bits = width,                    \
                     .is_signed = sign},                                                           \
                    {0}, #text, NULL},
#define COMPLEX_ROW(id, NAME, text, COMPONENT)                                                     \
    [STN_##NAME] = {{.size = sizeof(stn_format_info), .format = STN_##NAME,                        \
                     .kind = STN_CLASS_COMPLEX, .component = STN_##COMPONENT, .name = #text},      \
                    {0}, #text, NULL},
/* clang-format on */

static stn_format_entry builtin[STN_FIRST_REGISTERED] = {
    STN_FORMAT_TABLE(FLOAT_ROW, INTEGER_ROW, COMPLEX_ROW)};

#define FLOAT_KIND(id, NAME, name, ...) [STN_##NAME] = stn_##name##_kind,
#define NO_ROW(...)
static stn_float_kind (*const float_kinds[STN_BUILTIN_FORMATS])(void) = {
    STN_FORMAT_TABLE(FLOAT_KIND, NO_ROW, NO_ROW)};

const stn_format_entry *_Atomic stn_format_entries;

static stn_format_entry *registered[MAX_FORMATS];
static _Atomic int32_t registered_count;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void complete_float(stn_format_info *info, stn_float_kind kind)
{
    const stn_u64 all_ones = ((stn_u64)1 << (kind.exponent_bits + kind.fraction_bits)) - 1;
    const stn_u64 infinity = all_ones >> kind.fraction_bits << kind.fraction_bits;
    const stn_u64 largest = (kind.finite_only ? all_ones : infinity) - 1;
    info->highest = stn_f64_of_bits(stn_float_decode(largest, kind));
    info->lowest = -info->highest;
    info->smallest = stn_f64_of_bits(stn_float_decode(1, kind));
    info->epsilon = ldexp(1.0, -kind.fraction_bits);
}

static void complete_integer(stn_format_info *info)
{
    info->highest = ldexp(1.0, info->bits - info->is_signed) - 1.0;
    info->lowest = info->is_signed ? -ldexp(1.0, info->bits - 1) : 0.0;
    info->smallest = info->epsilon = 1.0;
}

static void complete_complex(stn_format_info *info)
{
    const stn_format_info part = builtin[info->component].info;
    const stn_format_info whole = *info;
    *info = part;
    info->format = whole.format;
    info->kind = whole.kind;
    info->component = whole.component;
    info->name = whole.name;
    info->bytes = 2 * part.bytes;
    info->bits = 2 * part.bits;
}

static void complete_blocks(void)
{
    for (int k = STN_BUILTIN_FORMATS; k < STN_FIRST_REGISTERED; k++) {
        builtin[k].info.format = k;
        stn_block_describe(&builtin[k].info);
        builtin[k].block = stn_block_builtin(k);
        snprintf(builtin[k].word, sizeof builtin[k].word, "%s", builtin[k].info.name);
    }
}

/* Limits derived from a row of the table. */
static void complete(void)
{
    const stn_modes modes = stn_modes_enter();
    for (int k = 0; k < STN_BUILTIN_FORMATS; k++) {
        stn_format_info *info = &builtin[k].info;
        if (info->kind == STN_CLASS_FLOAT)
            complete_float(info, float_kinds[k]());
        else if (info->kind == STN_CLASS_INTEGER)
            complete_integer(info);
    }
    for (int k = 0; k < STN_BUILTIN_FORMATS; k++) {
        if (builtin[k].info.kind == STN_CLASS_COMPLEX)
            complete_complex(&builtin[k].info);
        builtin[k].info.block_elements = 1;
        builtin[k].info.block_bytes = builtin[k].info.bytes;
    }
    complete_blocks();
    stn_modes_leave(modes);
    atomic_store_explicit(&stn_format_entries, builtin, memory_order_release);
}

int32_t stn_format_count(void)
{
    return STN_FIRST_REGISTERED + atomic_load_explicit(&registered_count, memory_order_acquire);
}

const stn_format_entry *stn_format_entry_find(stn_format format)
{
    pthread_once(&once, complete);
    if ((uint32_t)format < STN_FIRST_REGISTERED)
        return &builtin[format];
    const int32_t count = stn_format_count();
    if (format < 0 || format >= count) {
        stn_fail(STN_ERR_FORMAT, "format %d is unknown (0 to %d)", format, count - 1);
        return NULL;
    }
    return registered[format - STN_FIRST_REGISTERED];
}

const char *stn_format_text(stn_format format)
{
    static _Thread_local char message[24];
    const stn_format_entry *const entry = stn_format_entry_of(format);
    if (entry)
        return entry->info.name;
    (void)snprintf(message, sizeof message, "format %d", format);
    return message;
}

stn_status stn_format_describe(stn_format format, stn_format_info *info)
{
    STN_TRY(STN_STRUCT_CHECK(info, stn_format_info, name, "stn_format_describe: info"));
    const stn_format_entry *entry = stn_format_entry_of(format);
    if (!entry)
        return STN_ERR_FORMAT;
    STN_STRUCT_WRITE(info, &entry->info, stn_format_info);
    return STN_OK;
}

static stn_format find(const char *name)
{
    for (stn_format k = 0; k < stn_format_count(); k++)
        if (strcmp(stn_format_entry_of(k)->info.name, name) == 0)
            return k;
    return -1;
}

stn_status stn_format_find(const char *name, stn_format *format)
{
    if (!name || !format)
        return stn_fail(STN_ERR_ARGUMENT, "stn_format_find: %s is NULL", name ? "format" : "name");
    const stn_format found = find(name);
    if (found < 0) {
        char known[320] = "";
        for (stn_format k = 0; k < STN_FIRST_REGISTERED; k++)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s",
                     builtin[k].info.name);
        return stn_fail(STN_ERR_FORMAT, "unknown format '%s' (known:%s)", name, known);
    }
    *format = found;
    return STN_OK;
}

/* Appends an entry, which is immutable from now on. The lock is held. */
static stn_status append(stn_format_entry *entry, stn_format *format)
{
    const int32_t at = atomic_load(&registered_count);
    if (at == MAX_FORMATS) {
        stn_fail(STN_ERR_RANGE, "format '%s': %d formats are registered already", entry->info.name,
                 MAX_FORMATS);
        stn_free(entry);
        return STN_ERR_RANGE;
    }
    entry->info.format = STN_FIRST_REGISTERED + at;
    entry->info.component = entry->block ? STN_F64 : entry->info.format;
    snprintf(entry->word, sizeof entry->word, "own%d", at);
    registered[at] = entry;
    atomic_store_explicit(&registered_count, at + 1, memory_order_release);
    *format = entry->info.format;
    return STN_OK;
}

/* A new entry followed by its name and text; described, but not listed yet. */
static stn_status create_entry(const stn_format_codec *codec, stn_format_class kind,
                               stn_format_entry **made)
{
    const size_t length = strlen(codec->name) + 1;
    const size_t letters = codec->device_text ? strlen(codec->device_text) + 1 : 0;
    stn_format_entry *entry;
    STN_TRY(stn_allocate(&entry, 1, sizeof *entry + length + letters, "format"));
    char *const name = (char *)(entry + 1), *const text = name + length;
    memcpy(name, codec->name, length);
    if (letters)
        memcpy(text, codec->device_text, letters);
    *entry = (stn_format_entry){{.size = sizeof(stn_format_info),
                                 .kind = kind,
                                 .name = name,
                                 .bytes = codec->bytes,
                                 .alignment = codec->alignment,
                                 .bits = (int)(codec->bytes * 8),
                                 .is_signed = 1,
                                 .highest = NAN,
                                 .lowest = NAN,
                                 .smallest = NAN,
                                 .epsilon = NAN,
                                 .block_elements = 1,
                                 .block_bytes = codec->bytes},
                                *codec,
                                "",
                                NULL};
    entry->codec.name = name;
    entry->codec.device_text = letters ? text : NULL;
    *made = entry;
    return STN_OK;
}

static stn_status check_element(const char *name, int64_t bytes, int64_t alignment)
{
    if (bytes < 1 || bytes > 1 << 20)
        return stn_fail(STN_ERR_ARGUMENT,
                        "format '%s': %lld bytes per element is out of range (1 to 1048576)", name,
                        (long long)bytes);
    if (alignment < 1 || (alignment & (alignment - 1)) || bytes % alignment)
        return stn_fail(STN_ERR_ARGUMENT,
                        "format '%s': alignment %lld is not a power of two that divides %lld bytes",
                        name, (long long)alignment, (long long)bytes);
    return STN_OK;
}

/* Devices represent codes as integers. */
static stn_status check_text(const stn_format_codec *codec)
{
    const int64_t bytes = codec->bytes;
    if (codec->device_text && (bytes > 8 || (bytes & (bytes - 1)) || codec->alignment != bytes))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "format '%s': %lld bytes aligned to %lld; a device text requires 1, 2, 4 "
                        "or 8 bytes, aligned to the same number",
                        codec->name, (long long)bytes, (long long)codec->alignment);
    return STN_OK;
}

static stn_status check_name(const char *name)
{
    if (!name || !*name)
        return stn_fail(STN_ERR_ARGUMENT, "format name is NULL or empty");
    if (strncmp(name, "opaque", 6) == 0)
        return stn_fail(STN_ERR_FORMAT,
                        "format name '%.40s': \"opaque\" is reserved for stn_format_opaque", name);
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return stn_fail(STN_ERR_ARGUMENT,
                            "format name '%.40s': only letters, digits, '_' and '-' are allowed",
                            name);
    return STN_OK;
}

/* Lists a new entry, unless a format of its name exists. */
static stn_status append_new(stn_format_entry *entry, stn_format *format)
{
    stn_status status;
    pthread_mutex_lock(&registering);
    if (find(entry->info.name) >= 0) {
        status = stn_fail(STN_ERR_FORMAT, "format '%s' already exists", entry->info.name);
        stn_free(entry);
    } else {
        status = append(entry, format);
    }
    pthread_mutex_unlock(&registering);
    return status;
}

static stn_status register_codec(stn_format *format, const stn_format_codec *codec)
{
    STN_TRY(check_name(codec->name));
    STN_TRY(check_element(codec->name, codec->bytes, codec->alignment));
    if (!codec->decode || !codec->encode)
        return stn_fail(STN_ERR_ARGUMENT, "format '%s': its %s function is NULL", codec->name,
                        codec->decode ? "encode" : "decode");
    STN_TRY(check_text(codec));
    stn_format_entry *entry;
    STN_TRY(create_entry(codec, STN_CLASS_REGISTERED, &entry));
    return append_new(entry, format);
}

stn_status stn_format_register(stn_format *format, const stn_format_codec *codec)
{
    stn_format_codec known;
    STN_TRY(
        STN_STRUCT_READ(&known, codec, stn_format_codec, context, "stn_format_register: codec"));
    if (!format)
        return stn_fail(STN_ERR_ARGUMENT, "stn_format_register: format is NULL");
    return register_codec(format, &known);
}

static stn_status check_range(const char *name, const char *member, int64_t value, int minimum,
                              int maximum)
{
    return value >= minimum && value <= maximum
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT, "format '%s': %s is %lld; it must be %d to %d", name,
                          member, (long long)value, minimum, maximum);
}

static stn_status register_blocks(stn_format *format, const stn_block_codec *codec)
{
    const stn_format_codec element = {
        .name = codec->name, .bytes = sizeof(double), .alignment = sizeof(double)};
    stn_format_entry *entry;
    stn_block_format *block;
    STN_TRY(check_name(codec->name));
    STN_TRY(check_range(codec->name, "elements", codec->elements, 2, STN_BLOCK_MOST_ELEMENTS));
    STN_TRY(check_range(codec->name, "code_bytes", codec->code_bytes, 1, 1024));
    STN_TRY(check_range(codec->name, "scale_bytes", codec->scale_bytes, 0, 64));
    if (!codec->decode || !codec->encode)
        return stn_fail(STN_ERR_ARGUMENT, "format '%s': its %s function is NULL", codec->name,
                        codec->decode ? "encode" : "decode");
    STN_TRY(stn_allocate(&block, 1, sizeof *block, "format"));
    const stn_status status = create_entry(&element, STN_CLASS_BLOCK, &entry);
    if (status != STN_OK) {
        stn_free(block);
        return status;
    }
    *block = stn_block_registered(codec);
    block->codec.name = entry->info.name;
    entry->block = block;
    entry->info.bits = (int)(codec->code_bytes * 8 / codec->elements);
    entry->info.block_elements = codec->elements;
    entry->info.block_bytes = codec->code_bytes + codec->scale_bytes;
    const stn_status listed = append_new(entry, format);
    if (listed != STN_OK)
        stn_free(block);
    return listed;
}

stn_status stn_format_register_blocks(stn_format *format, const stn_block_codec *codec)
{
    stn_block_codec known;
    STN_TRY(STN_STRUCT_READ(&known, codec, stn_block_codec, context,
                            "stn_format_register_blocks: codec"));
    if (!format)
        return stn_fail(STN_ERR_ARGUMENT, "stn_format_register_blocks: format is NULL");
    return register_blocks(format, &known);
}

stn_status stn_format_opaque(stn_format *format, int64_t bytes, int64_t alignment)
{
    char name[64];
    if (!format)
        return stn_fail(STN_ERR_ARGUMENT, "stn_format_opaque: format is NULL");
    STN_TRY(check_element("opaque", bytes, alignment));
    snprintf(name, sizeof name, "opaque%lld-%lld", (long long)bytes, (long long)alignment);
    const stn_format_codec shape = {.name = name, .bytes = bytes, .alignment = alignment};
    stn_format_entry *entry;
    STN_TRY(create_entry(&shape, STN_CLASS_OPAQUE, &entry));
    pthread_mutex_lock(&registering);
    const stn_format found = find(name);
    stn_status status = STN_OK;
    if (found >= 0) {
        stn_free(entry);
        *format = found;
    } else {
        status = append(entry, format);
    }
    pthread_mutex_unlock(&registering);
    return status;
}
