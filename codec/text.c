/* Codec texts: [FILTER+]NAME[:PARAMETER=VALUE[,PARAMETER=VALUE]...] */
#define _GNU_SOURCE
#include "codec/packer.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

const stn_packer_row *const stn_packer_rows[] = {
    &stn_packer_none,    &stn_packer_zstd,       &stn_packer_zlib, &stn_packer_lz4,
    &stn_packer_blosc,   &stn_packer_lzw,        &stn_packer_zfp,  &stn_packer_sz,
    &stn_packer_shuffle, &stn_packer_bitshuffle,
};
enum { ROWS = sizeof stn_packer_rows / sizeof *stn_packer_rows };

/* A part of a text. */
typedef struct word {
    const char *at;
    size_t length;
} word;

static int is_word(word one, const char *text)
{
    return strlen(text) == one.length && memcmp(one.at, text, one.length) == 0;
}

static const char *names(int filters)
{
    static _Thread_local char text[128];
    size_t at = 0;
    for (int k = 0; k < ROWS; k++)
        if ((stn_packer_rows[k]->filter != NULL) == filters)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "",
                                   stn_packer_rows[k]->name);
    return text;
}

static stn_status find_row(const char *call, const char *text, word name, int filters,
                           const stn_packer_row **row)
{
    for (int k = 0; k < ROWS; k++)
        if ((stn_packer_rows[k]->filter != NULL) == filters &&
            is_word(name, stn_packer_rows[k]->name)) {
            *row = stn_packer_rows[k];
            return STN_OK;
        }
    return stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s '%.*s' is unknown; known are %s", call, text,
                    filters ? "filter" : "codec", (int)name.length, name.at, names(filters));
}

/* Reads a complete decimal number, whatever the locale is. */
static int scan_number(const char *digits, double *number)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end = NULL;
    if (!plain)
        return 0;
    *number = strtod_l(digits, &end, plain);
    freelocale(plain);
    return end != digits && *end == '\0' && strspn(digits, "0123456789.eE+-") == strlen(digits);
}

/* Reads the value of parameter k. */
static stn_status read_value(const char *call, const char *text, word value, int k,
                             stn_packer *packer)
{
    const stn_packer_parameter *const parameter = &packer->row->parameter[k];
    char digits[STN_PACKER_TEXT];
    memcpy(digits, value.at, value.length); /* shorter than the text */
    digits[value.length] = '\0';
    double number;
    if (!scan_number(digits, &number))
        return stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s is '%s', not a number", call, text,
                        parameter->name, digits);
    if (!(number >= parameter->minimum && number <= parameter->maximum) ||
        (parameter->is_integer && number != rint(number)))
        return stn_fail(STN_ERR_RANGE, "%s: codec '%s': %s is %s; it must be %s from %g to %g",
                        call, text, parameter->name, digits,
                        parameter->is_integer ? "an integer" : "a number", parameter->minimum,
                        parameter->maximum);
    packer->value[k] = number;
    packer->given |= 1u << k;
    return STN_OK;
}

static stn_status read_parameter(const char *call, const char *text, word one, stn_packer *packer)
{
    const char *const equals = memchr(one.at, '=', one.length);
    const size_t length = equals ? (size_t)(equals - one.at) : one.length;
    int k = 0;
    while (packer->row->parameter[k].name &&
           !is_word((word){one.at, length}, packer->row->parameter[k].name))
        k++;
    if (!packer->row->parameter[k].name)
        return stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s has no parameter '%.*s'; it has %s",
                        call, text, packer->row->name, (int)length, one.at,
                        packer->row->parameters[0] ? packer->row->parameters : "none");
    if (!equals || packer->given & 1u << k)
        return stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s %s", call, text,
                        packer->row->parameter[k].name, equals ? "occurs twice" : "has no value");
    return read_value(call, text, (word){equals + 1, one.length - length - 1}, k, packer);
}

static stn_status check(const char *call, const char *text, const stn_packer *packer)
{
    const stn_packer_row *const row = packer->row;
    if (!row->library)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: codec '%s' is not available: libsteno_codec was built without %s",
                        call, text, row->needs);
    if (packer->filter && row->is_typed)
        return stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s compresses values, so it has no filter",
                        call, text, row->name);
    if (row->parameter_is_required && !packer->given)
        return stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s requires a parameter: %s", call, text,
                        row->name, row->parameters);
    const char *const reason = row->check ? row->check(packer) : NULL;
    return reason ? stn_fail(STN_ERR_PARSE, "%s: codec '%s': %s", call, text, reason) : STN_OK;
}

stn_status stn_packer_parse(const char *call, const char *text, stn_packer *packer)
{
    *packer = (stn_packer){0};
    if (strlen(text) >= STN_PACKER_TEXT)
        return stn_fail(STN_ERR_PARSE,
                        "%s: the codec text has %zu characters; at most %d are allowed", call,
                        strlen(text), STN_PACKER_TEXT - 1);
    const size_t head = strcspn(text, ":");
    const char *const plus = memchr(text, '+', head);
    const char *const name = plus ? plus + 1 : text;
    if (plus)
        STN_TRY(find_row(call, text, (word){text, (size_t)(plus - text)}, 1, &packer->filter));
    STN_TRY(find_row(call, text, (word){name, (size_t)(text + head - name)}, 0, &packer->row));
    for (const char *at = text + head; *at;) {
        const size_t length = strcspn(++at, ",");
        STN_TRY(read_parameter(call, text, (word){at, length}, packer));
        at += length;
    }
    return check(call, text, packer);
}

const char *stn_packer_default(void)
{
    return stn_packer_zstd.library   ? "shuffle+zstd"
           : stn_packer_zlib.library ? "shuffle+zlib"
                                     : "shuffle+lzw";
}

double stn_packer_value(const stn_packer *packer, int k, double otherwise)
{
    return packer->given & 1u << k ? packer->value[k] : otherwise;
}

/* ---- descriptions ---- */

int stn_archive_codec_count(void)
{
    return ROWS;
}

stn_status stn_archive_codec_describe(int index, stn_archive_codec_info *info)
{
    static const char call[] = "stn_archive_codec_describe";
    STN_TRY(STN_STRUCT_CHECK(info, stn_archive_codec_info, is_filter,
                             "stn_archive_codec_describe: info"));
    if (index < 0 || index >= ROWS)
        return stn_fail(STN_ERR_RANGE, "%s: index is %d; it must be from 0 to %d", call, index,
                        ROWS - 1);
    const stn_packer_row *const row = stn_packer_rows[index];
    const stn_archive_codec_info result = STN_INIT(
        stn_archive_codec_info, .name = row->name, .library = row->library,
        .parameters = row->parameters, .loss = row->loss, .is_filter = row->filter != NULL);
    STN_STRUCT_WRITE(info, &result, stn_archive_codec_info);
    return STN_OK;
}
