/* Kernels as texts for the host's compiler: a loop along the last dimension, which it vectorizes.
 * Rows, or blocks of long rows, are pieces for threads. */
#include <stdio.h>
#include <string.h>

#include "expr/source_writer.h"

/* Is one of these values infinite or NaN? */
static void put_odd(stn_writer *w)
{
    if (stn_source_has_runs(w))
        stn_put(w, "STN_FN int stn_are_odd(const real_t *values, stn_i64 count)\n{\n"
                   "    int odd = 0;\n    for (stn_i64 k = 0; k < count; k++)\n"
                   "        odd |= values[k] - values[k] != 0;\n    return odd;\n}\n");
}

/* Kernels with many views have short runs, whose values compilers keep in registers, and prefetch:
 * a D2Q9 fluid in f16 takes 7.1 ms on Zen 4 with runs of 32, 9.0 with runs of 128, and 12 without
 * prefetching. */
enum { MANY_PARAMETERS = 8, LONG_RUN = 128, SHORT_RUN = 32 };

static int has_many(const stn_writer *w)
{
    return w->source->kernel->count > MANY_PARAMETERS;
}

static void put_arguments(stn_writer *w)
{
    const stn_source *const s = w->source;
    int scatters = 0, count = 0;
    for (int at = 0; at < s->kernel->count; at++)
        scatters |= s->kernel->parameters[at].kind == STN_PARAMETER_SCATTER;
    stn_put(w,
            "enum { STN_RUN = %d };\n#define STN_APART %s\n#define STN_ALONE %s\n"
            "STN_DEVICE_KERNEL steno_%s(const struct stn_numbers *stn_given, char *const *stn_m, "
            "int *stn_mnemonics, const stn_i64 *stn_piece)\n{\n"
            "    const struct stn_numbers stn_copy = *stn_given;\n"
            "    const struct stn_numbers *const stn_n = &stn_copy;\n",
            has_many(w) ? SHORT_RUN : LONG_RUN, scatters ? "" : "STN_NO_ORDER",
            scatters || s->shares ? "" : "restrict", s->kernel->name);
    if (s->arithmetic != STN_I64)
        stn_put(w, "    STN_MATHS_%s\n", stn_source_part(w));
    for (int at = 0; at < s->kernel->count; at++) {
        const char *const name = s->kernel->parameters[at].name;
        if (s->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            stn_put(w,
                    "    stn_code_%s *STN_ALONE const stn_p_%s = (stn_code_%s *)(stn_m[%d] + "
                    "STN_V(%d));\n",
                    name, name, name, count++, s->views[at].place);
    }
}

/* The indices of a piece except for the last one, which runs from stn_low to stn_high. Those of the
 * next piece are found without divisions, which take as long as a short row. */
static void put_piece(stn_writer *w)
{
    const int last = w->source->rank - 1;
    stn_put(w, "    stn_i64 stn_rest = stn_piece[0] / stn_piece[2];\n"
               "    stn_i64 stn_block = stn_piece[0] %% stn_piece[2];\n");
    for (int d = last - 1; d >= 0; d--)
        stn_put(w,
                "    stn_index stn_next%d = stn_rest %% STN_V(%d);\n    stn_rest /= STN_V(%d);\n",
                d, d + 1, d + 1);
    stn_put(
        w,
        "    (void)stn_rest;\n"
        "    for (stn_i64 stn_t = stn_piece[0]; stn_t < stn_piece[1]; stn_t++) {\n"
        "        stn_i64 stn_low = stn_block * stn_piece[3], stn_high = stn_low + stn_piece[3];\n"
        "        stn_high = stn_high < STN_V(%d) ? stn_high : STN_V(%d);\n",
        last + 1, last + 1);
    for (int d = 0; d < last; d++)
        stn_put(w, "        const stn_index stn_i%d = stn_next%d;\n", d, d);
    stn_put_text(w, "        if (++stn_block == stn_piece[2]) {\n        stn_block = 0;\n");
    for (int d = last - 1; d >= 0; d--)
        stn_put(w, "        if (++stn_next%d == STN_V(%d)) {\n        stn_next%d = 0;\n", d, d + 1,
                d);
    for (int d = 0; d <= last; d++)
        stn_put_text(w, d == last ? "}\n" : "        }");
}

/* ---- rows within the radius ---- */

/* Are rows of the view found once per row of the space, before the loop along it? */
static int has_rows(const stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    return w->source->is_host && stn_source_has_reach(p) && p->boundary != STN_BOUNDARY_INSIDE &&
           w->source->rank > 1;
}

int stn_source_may_miss_rows(const stn_writer *w, int at)
{
    const stn_boundary boundary = w->source->kernel->parameters[at].boundary;
    return has_rows(w, at) && (boundary == STN_BOUNDARY_ZERO || boundary == STN_BOUNDARY_VALUE);
}

/* The entry of an access in a table of rows of one dimension. */
static void put_entry(stn_writer *w, int at, const char *table, int d)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    stn_put(w, "%s%d_%s[", table, d, p->name);
    if (p->kind == STN_PARAMETER_STENCIL)
        stn_put(w, "(i%d) - stn_i%d + %d]", d, d, (int)p->offset[d]);
    else
        stn_put_text(w, "0]");
}

void stn_put_reach(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int last = w->source->rank - 1;
    for (int d = 0; d <= last; d++) {
        stn_put_text(w, ", ");
        if (d < last && has_rows(w, at))
            put_entry(w, at, "stn_row", d);
        else if (p->kind == STN_PARAMETER_STENCIL)
            stn_put(w, "i%d", d);
        else
            stn_put(w, "(stn_i64)stn_i%d + %d", d, (int)p->offset[d]);
    }
    stn_put_text(w, ", STN_INNER");
    for (int d = 0; d < last && stn_source_may_miss_rows(w, at); d++) {
        stn_put_text(w, d == 0 ? ", STN_INNER == 2 || (" : " & ");
        put_entry(w, at, "stn_has_row", d);
        stn_put_text(w, d == last - 1 ? ")" : "");
    }
}

/* The indices of rows in a dimension; instead of a row outside of the view, if it has boundary
 * values, that of one inside and 0 in a second table. */
static void put_table(stn_writer *w, int at, int d)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const int may_miss = stn_source_may_miss_rows(w, at);
    const stn_parameter nearest = {.name = p->name, .boundary = STN_BOUNDARY_NEAREST};
    int before, after;
    stn_source_reach(p, d, &before, &after);
    stn_put(w, "        stn_index stn_row%d_%s[%d];\n", d, p->name, after - before + 1);
    if (may_miss)
        stn_put(w, "        int stn_has_row%d_%s[%d];\n", d, p->name, after - before + 1);
    stn_put(w,
            "        for (int stn_k = 0; stn_k < %d; stn_k++) {\n"
            "        stn_i64 i%d = (stn_i64)stn_i%d + stn_k + %d;\n",
            after - before + 1, d, d, before);
    if (may_miss)
        stn_put(w,
                "        stn_has_row%d_%s[stn_k] = i%d >= 0 && i%d < STN_V(%d);\n"
                "        stn_all &= stn_has_row%d_%s[stn_k];\n",
                d, p->name, d, d, v->extents + d, d, p->name);
    stn_put_boundary(w, may_miss ? &nearest : p, v, d);
    stn_put(w, "        stn_row%d_%s[stn_k] = (stn_index)i%d;\n        }\n", d, p->name, d);
}

/* Returns whether rows may be missing; if so, stn_all is whether there are all of them. */
static int put_tables(stn_writer *w)
{
    int may_miss = 0;
    for (int at = 0; at < w->source->kernel->count; at++)
        may_miss |= stn_source_may_miss_rows(w, at);
    if (may_miss)
        stn_put_text(w, "        int stn_all = 1;\n");
    for (int at = 0; at < w->source->kernel->count; at++)
        for (int d = 0; d < w->source->rank - 1 && has_rows(w, at); d++)
            put_table(w, at, d);
    return may_miss;
}

/* Restricts `low` to `high` to the range in which a parameter needs no boundary. */
static void put_limits(stn_writer *w, int at, const char *low, const char *high)
{
    const stn_source *const s = w->source;
    const stn_parameter *const p = &s->kernel->parameters[at];
    const int last = s->rank - 1, extents = s->views[at].extents;
    int before, after;
    for (int d = 0; d < last && p->boundary == STN_BOUNDARY_INSIDE; d++) {
        stn_source_reach(p, d, &before, &after);
        stn_put(w, "        if (stn_i%d + %d < 0 || stn_i%d + %d >= STN_V(%d))\n", d, before, d,
                after, extents + d);
        stn_put(w, "            continue;\n");
    }
    stn_source_reach(p, last, &before, &after);
    stn_put(w, "        %s = %s + %d < 0 ? %d : %s;\n", low, low, before, -before, low);
    stn_put(w, "        %s = %s + %d > STN_V(%d) ? STN_V(%d) - %d : %s;\n", high, high, after,
            extents + last, extents + last, after, high);
}

/* Returns whether boundaries must be checked outside of stn_first to stn_behind along the last
 * dimension. */
static int put_all_limits(stn_writer *w)
{
    const stn_source *const s = w->source;
    int has = 0;
    for (int k = 0; k < 2 * s->kernel->count; k++) {
        const int at = k % s->kernel->count, is_inside = k < s->kernel->count;
        const stn_parameter *const p = &s->kernel->parameters[at];
        if (!stn_source_has_reach(p) || (p->boundary == STN_BOUNDARY_INSIDE) != is_inside)
            continue;
        if (!is_inside && !has++)
            stn_put(w, "        stn_i64 stn_first = stn_low, stn_behind = stn_high;\n");
        put_limits(w, at, is_inside ? "stn_low" : "stn_first",
                   is_inside ? "stn_high" : "stn_behind");
    }
    if (has)
        stn_put(w, "        stn_first = stn_first < stn_high ? stn_first : stn_high;\n"
                   "        stn_behind = stn_behind > stn_first ? stn_behind : stn_first;\n");
    return has;
}

/* ---- runs: narrow formats, which compilers decode well in loops ---- */

/* Limits of the decoded rows within the radius of a stencil, which are on the stack: 12 KiB. */
enum { MAX_BAND_ROWS = 9, MAX_BAND_RADIUS = 20 };

static int is_narrow(const stn_source *s, const stn_source_view *v)
{
    const int is_u32 = s->arithmetic == STN_F64 && strcmp(v->format, "u32") == 0;
    return (v->bytes <= 2 || is_u32) && (s->arithmetic == STN_F64 || s->arithmetic == STN_F32) &&
           !v->is_stochastic && v->layout == STN_SOURCE_STRIDED && v->step[s->rank - 1] == 1;
}

int stn_source_is_run(const stn_writer *w, int at)
{
    const stn_source *const s = w->source;
    const stn_parameter_kind kind = s->kernel->parameters[at].kind;
    if (!s->is_host)
        return stn_source_is_chunk(s, at);
    return kind >= STN_PARAMETER_IN && kind <= STN_PARAMETER_OUT && is_narrow(s, &s->views[at]);
}

/* The rows within the radius of a stencil. */
static int rows_of(const stn_parameter *p)
{
    int rows = 1;
    for (int d = 0; d < p->rank - 1 && rows <= MAX_BAND_ROWS; d++)
        rows *= p->offset[d] > MAX_BAND_ROWS ? MAX_BAND_ROWS + 1 : 2 * p->offset[d] + 1;
    return rows;
}

/* Are the rows within the radius of a stencil decoded once per run? Integers are not: compilers
 * convert them in the loop, which takes 0.8 times the time for 5 points. */
static int is_band(const stn_writer *w, int at)
{
    const stn_source *const s = w->source;
    const stn_parameter *const p = &s->kernel->parameters[at];
    const stn_source_view *const v = &s->views[at];
    return s->is_host && p->kind == STN_PARAMETER_STENCIL && !has_many(w) && is_narrow(s, v) &&
           v->format[0] != 'i' && v->format[0] != 'u' && rows_of(p) <= MAX_BAND_ROWS &&
           p->offset[p->rank - 1] <= MAX_BAND_RADIUS;
}

int stn_source_has_runs(const stn_writer *w)
{
    int has = 0;
    for (int at = 0; at < w->source->kernel->count && w->source->is_host; at++)
        has |= stn_source_is_run(w, at) || is_band(w, at);
    return has;
}

/* Pointer to the codes of a run. */
static void put_codes(stn_writer *w, int at)
{
    stn_put_for(w, w->source->kernel->parameters[at].name, w->source->rank - 1,
                "stn_p_@ + stn_place_@(stn_n$h, stn_b)");
}

/* Zero point and scale, or values that change no bit; the zero point -0 preserves signed zeros. */
static void put_affine(stn_writer *w, const stn_source_view *v, const char *none)
{
    if (v->has_zero)
        stn_put(w, "(real_t)STN_V_REAL(%d), ", v->affine + 1);
    else
        stn_put(w, "%s, ", none);
    if (v->has_scale || v->has_zero)
        stn_put(w, "(real_t)STN_V_REAL(%d)", v->affine);
    else
        stn_put(w, "1");
}

/* Prefetches a later run into L2: with many views, the processor's own prefetching does not
 * follow. */
static void put_prefetch(stn_writer *w, int at)
{
    enum { AHEAD = 768 };
    if (!has_many(w))
        return;
    stn_put(w,
            "        for (stn_i64 stn_k = 0; stn_k < stn_some * %d; stn_k += 64)\n"
            "            __builtin_prefetch((const char *)(",
            w->source->views[at].bytes);
    put_codes(w, at);
    stn_put(w, " + %d) + stn_k, 0, 2);\n", AHEAD);
}

/* A conversion of `count` elements from `first` on, which is part of a run. */
typedef void put_part(stn_writer *w, int at, const char *first, const char *count);

/* `count` elements: the last vector overlaps the previous one, because conversions of single
 * elements are slow. */
static void put_vectors(stn_writer *w, int at, put_part *put, const char *count)
{
    enum { VECTOR = 16 };
    char whole[64], last[64], vector[8];
    snprintf(whole, sizeof whole, "(%s) / %d * %d", count, VECTOR, VECTOR);
    snprintf(last, sizeof last, "(%s) - %d", count, VECTOR);
    snprintf(vector, sizeof vector, "%d", VECTOR);
    stn_put(w, "        if ((%s) >= %d) {\n", count, VECTOR);
    put(w, at, "0", whole);
    stn_put(w, "        if ((%s) %% %d != 0)\n", count, VECTOR);
    put(w, at, last, vector);
    stn_put_text(w, "        } else\n");
    put(w, at, "0", count);
}

static void put_read_part(stn_writer *w, int at, const char *first, const char *count)
{
    const stn_source_view *const v = &w->source->views[at];
    const char *const name = w->source->kernel->parameters[at].name;
    stn_put(w, "        stn_read_run_%s_%s(stn_v_%s + %s, ", stn_source_real(w->source->arithmetic),
            v->format, name, first);
    put_codes(w, at);
    stn_put(w, " + %s, %s, ", first, count);
    put_affine(w, v, "0");
    stn_put(w, ");\n");
}

static void put_read(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    stn_put(w, "        real_t stn_v_%s[STN_RUN];\n", p->name);
    if (p->kind != STN_PARAMETER_OUT)
        put_vectors(w, at, put_read_part, "stn_some");
}

/* Row stn_k of a band in dimension d, counted from the first row within the radius. */
static void put_band_row(stn_writer *w, int at, int d)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    int below = 1;
    for (int e = d + 1; e < p->rank - 1; e++)
        below *= 2 * p->offset[e] + 1;
    stn_put(w, "stn_k / %d %% %d", below, 2 * p->offset[d] + 1);
}

static void put_band_part(stn_writer *w, int at, const char *first, const char *count)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const int last = p->rank - 1;
    stn_put(w, "        stn_read_run_%s_%s(stn_band_%s[stn_k] + %s, stn_p_%s + stn_place_%s(stn_n",
            stn_source_real(w->source->arithmetic), v->format, p->name, first, p->name, p->name);
    for (int d = 0; d < last; d++) {
        if (has_rows(w, at))
            stn_put(w, ", stn_row%d_%s[", d, p->name);
        else
            stn_put(w, ", stn_i%d - %d + (", d, (int)p->offset[d]);
        put_band_row(w, at, d);
        stn_put_text(w, has_rows(w, at) ? "]" : ")");
    }
    stn_put(w, ", stn_b - %d) + %s, %s, ", (int)p->offset[last], first, count);
    put_affine(w, v, "0");
    stn_put(w, ");\n");
}

/* Decodes the rows within the radius. */
static void put_band(stn_writer *w, int at)
{
    enum { LINE_VALUES = 16 };
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int around = 2 * p->offset[p->rank - 1];
    char count[32];
    snprintf(count, sizeof count, "stn_some + %d", around);
    stn_put(w,
            "        __attribute__((aligned(64))) real_t stn_band_%s[%d][STN_RUN + %d];\n"
            "        for (int stn_k = 0; stn_k < %d; stn_k++) {\n",
            p->name, rows_of(p), (around + LINE_VALUES - 1) / LINE_VALUES * LINE_VALUES,
            rows_of(p));
    put_vectors(w, at, put_band_part, count);
    stn_put_text(w, "        }\n");
}

void stn_put_band_value(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int last = p->rank - 1;
    stn_put(w, "stn_band_%s[0", p->name);
    for (int d = 0, below = rows_of(p); d < last; d++) {
        below /= 2 * p->offset[d] + 1;
        stn_put(w, " + ((i%d) - stn_i%d + %d) * %d", d, d, (int)p->offset[d], below);
    }
    stn_put(w, "][(i%d) - stn_b + %d]", last, (int)p->offset[last]);
}

/* Lets the body read bands, or elements. */
static void put_band_access(stn_writer *w, int in_bands)
{
    w->in_bands = in_bands;
    for (int at = 0; at < w->source->kernel->count; at++)
        if (is_band(w, at)) {
            stn_put(w, "#undef stn_at_call_%s\n", w->source->kernel->parameters[at].name);
            stn_put_at(w, at);
        }
    w->in_bands = 0;
}

static void put_write_part(stn_writer *w, int at, const char *first, const char *count)
{
    const stn_source_view *const v = &w->source->views[at];
    stn_put(w, "        stn_write_run_%s_%s(", stn_source_real(w->source->arithmetic), v->format);
    put_codes(w, at);
    stn_put(w, " + %s, stn_v_%s + %s, %s, ", first, w->source->kernel->parameters[at].name, first,
            count);
    put_affine(w, v, "-(real_t)0");
    stn_put(w, ", (stn_rounding)%d, (stn_overflow)%d, 0, 0);\n", v->rounding, v->overflow);
}

/* Unchanged values keep their codes: if storing them might not restore the code, each is
 * compared. */
static void put_write(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const stn_source_view *const v = &w->source->views[at];
    const char *const name = p->name;
    if (p->kind == STN_PARAMETER_IN)
        return;
    if (!v->returns) {
        stn_put(w, "        if (%sstn_are_odd(stn_v_%s, stn_some)) {\n",
                v->returns_finite ? "" : "1 || ", name);
        stn_put_for(w, name, w->source->rank - 1,
                    "            for (stn_i64 stn_k = 0; stn_k < stn_some; stn_k++)\n"
                    "                if (!stn_same(stn_v_@[stn_k], stn_load_@(stn_n, stn_p_@$h, "
                    "stn_b + stn_k)))\n"
                    "                    stn_store_@(stn_n, stn_p_@, stn_v_@[stn_k]$h, stn_b + "
                    "stn_k);\n"
                    "        } else\n");
    }
    put_vectors(w, at, put_write_part, "stn_some");
}

/* A run of `some` elements. */
static void put_run(stn_writer *w, const char *some, int bands)
{
    const stn_source *const s = w->source;
    stn_put(w, "        const stn_i64 stn_some = %s;\n", some);
    for (int at = 0; at < s->kernel->count; at++) {
        if (stn_source_is_run(w, at)) {
            put_prefetch(w, at);
            put_read(w, at);
        }
        if (bands && is_band(w, at))
            put_band(w, at);
    }
    stn_put(w,
            "        STN_APART\n"
            "        for (stn_i64 stn_k = 0; stn_k < stn_some; stn_k++) {\n"
            "        const stn_index stn_i%d = stn_b + stn_k;\n",
            s->rank - 1);
    w->in_run = STN_RUN_VALUES;
    stn_put_element(w);
    w->in_run = STN_RUN_NONE;
    stn_put(w, "        }\n");
    for (int at = 0; at < s->kernel->count; at++)
        if (stn_source_is_run(w, at))
            put_write(w, at);
}

/* Complete runs are loops of known length. `bands`: all rows within the radii are in the views. */
static void put_runs(stn_writer *w, int bands)
{
    if (bands)
        put_band_access(w, 1);
    stn_put(w, "        stn_index stn_b = stn_low;\n"
               "        for (; stn_high - stn_b >= STN_RUN; stn_b += STN_RUN) {\n");
    put_run(w, "STN_RUN", bands);
    stn_put(w, "        }\n        if (stn_b < stn_high) {\n");
    put_run(w, "stn_high - stn_b", bands);
    stn_put(w, "        }\n");
    if (bands)
        put_band_access(w, 0);
}

static void put_elements(stn_writer *w)
{
    const int last = w->source->rank - 1;
    stn_put(w,
            "        STN_APART\n"
            "        for (stn_index stn_i%d = stn_low; stn_i%d < stn_high; stn_i%d++) {\n",
            last, last, last);
    stn_put_element(w);
    stn_put(w, "        }\n");
}

/* May a body convert numbers to integers? See kernel_compiler.h. */
static int may_convert(const char *text)
{
    static const char *const types[] = {"int ",  "int)",   "int8",  "int1",    "int3",  "int6",
                                        "long",  "short",  "char",  "signed",  "size_", "_t)",
                                        "lrint", "lround", "ilogb", "INDEX_AT"};
    int may = 0;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (const char *at = strstr(text, types[k]); at; at = strstr(at + 1, types[k]))
            may |= strcmp(types[k], "_t)") != 0 || at < text + 4 || strncmp(at - 4, "real", 4) != 0;
    return may;
}

void stn_put_host_rules(stn_writer *w)
{
    if (!may_convert(w->source->kernel->text))
        stn_put_text(w, "#if defined __GNUC__ && !defined __clang__\n"
                        "#pragma GCC optimize(\"no-trapping-math\", \"fp-contract=off\")\n"
                        "#endif\n");
}

/* The loop over elements stn_low to stn_high - 1, in which boundaries along the last dimension are
 * not checked; `inner` is that of STN_INNER. */
static void put_loop(stn_writer *w, int inner)
{
    stn_put(w, "#undef STN_INNER\n#define STN_INNER %d\n        {\n", inner);
    if (stn_source_has_runs(w))
        put_runs(w, inner == 2);
    else
        put_elements(w);
    stn_put_text(w, "        }\n");
}

void stn_put_host_kernel(stn_writer *w)
{
    const int last = w->source->rank - 1;
    put_odd(w);
    put_arguments(w);
    put_piece(w);
    const int may_miss = put_tables(w);
    if (put_all_limits(w)) {
        stn_put(w,
                "        for (stn_index stn_i%d = stn_low < stn_first ? stn_low : stn_behind; "
                "stn_i%d < stn_high; stn_i%d = stn_i%d + 1 == stn_first ? stn_behind : stn_i%d + "
                "1) {\n",
                last, last, last, last, last);
        stn_put_element(w);
        stn_put(w, "        }\n        stn_low = stn_first;\n        stn_high = stn_behind;\n");
    }
    if (may_miss) {
        stn_put_text(w, "        if (!stn_all)\n");
        put_loop(w, 1);
        stn_put_text(w, "        else\n");
    }
    put_loop(w, 2);
    stn_put(w, "    }\n}\n");
}
