/* Reductions and scans as device texts. */
#include <string.h>

#include "expr/source_scan.h"

/* ---- the operation ---- */

/* In the order of stn_reduction_kind. */
static const char *const operations[] = {"own", "sum",    "product", "products", "min",
                                         "max", "argmin", "argmax",  "count",    "any",
                                         "all", "norm1",  "norm2",   "norm_inf", "state"};

/* "by combine; finalize; identity", or, for scans, "by combine; identity": the identity is not
 * needed. */
int stn_source_find_expressions(stn_source_reduction *source, const char *operation_text)
{
    int count = 0, begin = 3;
    const int length = (int)strlen(operation_text);
    for (int k = begin; k <= length; k++) {
        if (operation_text[k] != ';' && operation_text[k] != '\0')
            continue;
        if (count < 2) {
            source->word[count] = begin;
            source->letters[count] = k - begin;
        }
        count++;
        begin = k + 2;
    }
    return count == (source->scans ? 2 : 3);
}

/* An expression of the program as a function. */
static void put_own(stn_writer *w, const char *operation_text, int at, const char *function,
                    const char *parameters)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    stn_put_foreign(w);
    stn_put(w, "STN_FN real_t stn_own_%s_%s(%s)\n{\n    return %s(", function,
            stn_source_real(s->source.arithmetic), parameters,
            stn_source_is_complex(w) ? "" : "(real_t)");
    stn_put_body(w, operation_text + s->word[at], (size_t)s->letters[at]);
    stn_put_text(w, ");\n}\n");
    stn_put_foreign_end(w);
}

static void put_operation(stn_writer *w, const char *operation_text)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    const char *const name = operations[s->operation];
    if (s->operation == STN_REDUCE_WITH_state)
        stn_put_state(w, operation_text);
    if (s->operation == STN_REDUCE_WITH_own) {
        put_own(w, operation_text, 0, "combined", "const real_t a, const real_t b");
        if (!s->scans)
            put_own(w, operation_text, 1, "finalized", "const real_t a");
        else
            stn_put(w, "STN_FN real_t stn_own_finalized_%s(real_t a)\n{\n    return a;\n}\n",
                    stn_source_real(s->source.arithmetic));
    }
    stn_put(w, "STN_OPERATION_%s(STN_DEFINE, stn_own, %s)\n", name,
            stn_source_real(s->source.arithmetic));
}

/* ---- elements ---- */

/* Indices of dimensions begin to end - 1 from a number in C order; `ending` follows each
 * statement. */
static void put_numbered(stn_writer *w, int begin, int end, const char *number, const char *ending)
{
    if (begin == end)
        return;
    stn_put(w, "stn_count stn_rest_%d = (stn_count)(%s);%s", begin, number, ending);
    for (int d = end - 1; d > begin; d--)
        stn_put(w,
                "const stn_index stn_i%d = (stn_index)(stn_rest_%d %% (stn_count)STN_V(%d));%s"
                "stn_rest_%d /= (stn_count)STN_V(%d);%s",
                d, begin, d + 1, ending, begin, d + 1, ending);
    stn_put(w, "const stn_index stn_i%d = (stn_index)stn_rest_%d;%s", begin, begin, ending);
}

/* Parameters of functions: the views of the kernel, and the current output. */
static void put_given(stn_writer *w)
{
    const stn_source *const s = w->source;
    static const char *const range[STN_RANGE_NUMBERS] = {
        "OUTPUTS", "ELEMENTS", "BEGIN_AT", "NUMBER", "BLOCK",
        "BLOCKS",  "PLACE",    "SCALE",    "TASK",   "IDENTITY"};
    for (int k = 0; k < STN_RANGE_NUMBERS; k++)
        stn_put(w, "#define STN_%s STN_V(%d)\n", range[k], stn_source_reduction_of(w)->number + k);
    stn_put_text(w, "#define STN_GIVEN_ALL STN_NUMBERS");
    for (int at = 0; at < s->kernel->count; at++)
        if (s->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            stn_put(w, ", const stn_memory_%s stn_p_%s", s->kernel->parameters[at].name,
                    s->kernel->parameters[at].name);
    for (int d = 0; d < stn_source_reduction_of(w)->kept; d++)
        stn_put(w, ", const stn_index stn_i%d", d);
    stn_put_text(w, "\n#define STN_ALL stn_n");
    for (int at = 0; at < s->kernel->count; at++)
        if (s->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            stn_put(w, ", stn_p_%s", s->kernel->parameters[at].name);
    for (int d = 0; d < stn_source_reduction_of(w)->kept; d++)
        stn_put(w, ", stn_i%d", d);
    stn_put_text(w, "\n");
}

/* ", stn_i1, stn_i2": indices of the reduced dimensions. */
static void put_reduced(stn_writer *w, const char *type)
{
    for (int d = stn_source_reduction_of(w)->kept; d < w->source->rank; d++)
        stn_put(w, ", %sstn_i%d", type, d);
}

/* The mapped element at given indices with known values of its chunk; and the element with a
 * number. */
static void put_element(stn_writer *w, const char *operation_text)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    const stn_reduction_kind op = s->operation;
    const int is_condition = op >= STN_REDUCE_WITH_count && op <= STN_REDUCE_WITH_all;
    stn_put_text(w, "STN_FN stn_mapped stn_element_at(STN_GIVEN_ALL");
    put_reduced(w, "const stn_index ");
    for (int at = 0; at < s->source.kernel->count; at++)
        if (stn_source_is_chunk(&s->source, at))
            stn_put(w, ", const real_t stn_v_%s", s->source.kernel->parameters[at].name);
    stn_put_text(w, ")\n{\n");
    stn_put_foreign(w);
    w->in_run = STN_RUN_VALUE;
    for (int at = 0; at < s->source.kernel->count; at++)
        stn_put_open(w, at);
    w->in_run = STN_RUN_NONE;
    if (op == STN_REDUCE_WITH_state) {
        stn_put_state_element(w, operation_text);
    } else {
        stn_put(w, "    STN_MAP_%s(%s, ",
                op == STN_REDUCE_WITH_products ? "PAIR"
                : is_condition                 ? "CONDITION"
                                               : "VALUE",
                stn_source_real(s->source.arithmetic));
        stn_put_body(w, s->source.kernel->text, strlen(s->source.kernel->text));
        stn_put_text(w, ")\n}\n");
    }
    stn_put_foreign_end(w);
    stn_put_text(w, "STN_FN stn_mapped stn_element(STN_GIVEN_ALL, const stn_count stn_e)\n{\n"
                    "    (void)stn_e;\n");
    put_numbered(w, s->kept, s->source.rank, "stn_e", "\n");
    stn_put_text(w, "    return stn_element_at(STN_ALL");
    put_reduced(w, "");
    for (int at = 0; at < s->source.kernel->count; at++)
        if (stn_source_is_chunk(&s->source, at))
            stn_put_for(w, s->source.kernel->parameters[at].name, s->source.rank,
                        ", stn_load_@(stn_n, stn_p_@$h)");
    stn_put_text(w, ");\n}\n");
}

/* ---- tiles and blocks ---- */

/* By one thread: one output, or adjacent ones. */
static void put_fold(stn_writer *w, const char *plural, int levels)
{
    stn_put(w,
            "#undef STN_SOME\n#define STN_SOME(name) name%s\n#undef STN_LEVELS\n"
            "#define STN_LEVELS %d\n#include \"expr/device/fold.h\"\n",
            plural, levels);
}

/* ---- adjacent elements: lanes of a tile if rows are reduced, or outputs ---- */

static int is_across(const stn_source_reduction *s)
{
    return s->source.wide > 1 && !s->by_groups;
}

static void put_chunks(stn_writer *w, void (*put)(stn_writer *w, int at))
{
    for (int at = 0; at < w->source->kernel->count; at++)
        if (stn_source_is_chunk(w->source, at))
            put(w, at);
}

static void put_four(stn_writer *w, int at)
{
    stn_put_chunk(w, at, "[4]");
}

static void put_decoded(stn_writer *w, int at)
{
    stn_put_for(w, w->source->kernel->parameters[at].name, w->source->rank,
                ", stn_decode_@(stn_n, stn_p_@, stn_c_@[stn_row].code[j]$h)");
}

/* The four elements of each lane of a tile, all read before any is used. */
static void put_rows(stn_writer *w)
{
    stn_put(w,
            "    STN_UNROLL for (int stn_row = 0; stn_row < 4; stn_row++)%s {\n"
            "        const stn_i64 e = first + stn_row * 32;\n",
            is_across(stn_source_reduction_of(w)) ? " if (lane + stn_row * 32 < held)" : "");
    put_numbered(w, stn_source_reduction_of(w)->kept, w->source->rank, "e", "\n");
}

static void put_neighbours(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    stn_put_text(w, "typedef struct {\n    stn_state of[STN_RUN];\n} stn_states;\n"
                    "STN_FN stn_states stn_lanes(STN_GIVEN_ALL, stn_i64 tile, int lane, int held, "
                    "stn_scaling scale)\n{\n"
                    "    const stn_i64 first = STN_BEGIN_AT + tile * 128 + lane;\n"
                    "    stn_states states;\n    (void)held;\n");
    if (is_across(s))
        stn_put_text(w, "    const stn_i64 stn_left = STN_ROW - STN_ALONG;\n"
                        "    const int stn_some = stn_left < STN_RUN ? (int)stn_left : STN_RUN;\n");
    else
        stn_put_text(w, "    enum { stn_some = STN_RUN };\n");
    put_chunks(w, put_four);
    put_rows(w);
    put_chunks(w, stn_put_chunk_read);
    stn_put_text(w, "    }\n");
    put_rows(w);
    stn_put(w,
            "        const stn_index stn_b = STN_ALONG;\n"
            "        STN_UNROLL for (int j = 0; j < STN_RUN; j++) {\n"
            "            const stn_i64 number = STN_NUMBER + e%s;\n"
            "            const stn_index STN_ALONG = stn_b + j;\n"
            "            const stn_mapped x = stn_element_at(STN_ALL",
            is_across(s) ? "" : " + j");
    put_reduced(w, "");
    put_chunks(w, put_decoded);
    stn_put_text(w, ");\n            states.of[j] = stn_row == 0 ? stn_begun(x, number, scale) : "
                    "stn_onto(states.of[j], x, number, scale);\n        }\n    }\n"
                    "    return states;\n}\n");
}

/* Adjacent outputs per thread, with less than 2^16 tiles per output. */
static void put_across(stn_writer *w)
{
    stn_put_text(w, "STN_FN stn_states stn_boths(stn_states a, const stn_states b)\n{\n"
                    "    STN_UNROLL for (int j = 0; j < STN_RUN; j++)\n"
                    "        a.of[j] = stn_both(a.of[j], b.of[j]);\n    return a;\n}\n");
    put_fold(w, "##s", STN_ACROSS_LEVELS);
}

/* ---- results ---- */

/* Functions of the result use the arithmetic that it is stored from. */
static void put_stored(stn_writer *w, const char *name, const stn_source_stored *stored)
{
    const stn_source *const own = w->source;
    stn_source other = *own;
    other.arithmetic = stored->from;
    w->source = &other;
    stn_put(w, "typedef stn_%s stn_real_%s;\ntypedef stn_%s stn_part_%s;\n",
            stn_source_real(other.arithmetic), name, stn_source_part(w), name);
    stn_put(w, "#define real_t stn_real_%s\n#define stn_part stn_part_%s\n", name, name);
    stn_put_stored(w, name, &stored->view);
    stn_put_text(w, "#undef real_t\n#undef stn_part\n");
    w->source = own;
}

/* Norms whose squares overflow or underflow are recomputed with scales 2^-600 or 2^-100, 2^600 or
 * 2^100. */
static void put_norm(stn_writer *w)
{
    const stn_format arithmetic = w->source->arithmetic;
    const int is_wide = arithmetic == STN_F64 || arithmetic == STN_C128;
    stn_put(w,
            "    if (STN_ELEMENTS > 0 && (state >= STN_GREATEST_%s || state < (stn_scaling)%s)) {\n"
            "        scale = state >= STN_GREATEST_%s ? (stn_scaling)%s : (stn_scaling)%s;\n"
            "        state = stn_block(STN_ALL, 0, STN_TILES, scale);\n    }\n",
            is_wide ? "f64" : "f32", is_wide ? "0x1p-900" : "0x1p-80f", is_wide ? "f64" : "f32",
            is_wide ? "0x1p-600" : "0x1p-100f", is_wide ? "0x1p600" : "0x1p100f");
}

/* Stores one value. A state of several results has them along the last dimension of the view. */
static void put_result(stn_writer *w, const char *view, const stn_source_stored *stored, int rank,
                       int result, int results)
{
    const int is_state = stn_source_reduction_of(w)->operation == STN_REDUCE_WITH_state;
    stn_put_text(w, "    {\n        const stn_result value = ");
    if (is_state)
        stn_put(w, "stn_own_result_%d(state);\n", result);
    else
        stn_put_text(w, "stn_finished(state, scale);\n");
    stn_put(w, "        stn_store_%s(stn_n, to, %s", view,
            stored->widens ? "stn_widened_i64(value, " : "value");
    if (stored->widens)
        stn_put(w, "%d)", stored->widens);
    stn_put_each(w, rank, ", stn_i%d", "");
    if (results > 1)
        stn_put(w, ", %d", result);
    stn_put_text(w, ");\n    }\n");
}

/* A function that stores the results of the current output, or an element of a scan. */
static void put_store(stn_writer *w, const char *function, const char *view,
                      const stn_source_stored *stored, int rank)
{
    const int results = stn_source_reduction_of(w)->results;
    put_stored(w, view, stored);
    stn_put(w, "STN_FN void %s(STN_GIVEN_ALL", function);
    for (int d = stn_source_reduction_of(w)->kept; d < rank; d++)
        stn_put(w, ", const stn_index stn_i%d", d);
    stn_put(w,
            ", const stn_memory_%s to, stn_state state)\n{\n    stn_scaling scale = 1;\n"
            "    (void)scale;\n",
            view);
    if (stn_source_reduction_of(w)->operation == STN_REDUCE_WITH_norm2)
        put_norm(w);
    for (int result = 0; result < results; result++)
        put_result(w, view, stored, rank, result, results);
    stn_put_text(w, "}\n");
}

static void put_stores(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    if (s->result.widens || s->totals.widens)
        stn_put_text(w, "#include \"expr/device/widen.h\"\n");
    put_store(w, "stn_store", "stn_to", &s->result, s->scans ? s->source.rank : s->kept);
    if (s->has_totals)
        put_store(w, "stn_store_total", "stn_total", &s->totals, s->kept);
}

/* ---- the kernel ---- */

/* Definitions for the kernel body, which is a file. */
static void put_facts(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    const int along = s->source.along < 0 ? 0 : s->source.along;
    stn_put_text(w, "#define STN_INDICES(o) ");
    put_numbered(w, 0, s->kept, "o", " ");
    stn_put(w, "\n#define STN_STORES %d\n#define STN_MAPS %d\n#define STN_BY_GROUPS %d\n",
            s->stores && !s->scans, s->maps, s->by_groups);
    stn_put(w, "#define STN_AT_ONCE %d\n", s->tiles_at_once);
    stn_put(w, "#define STN_ALONG stn_i%d\n#define STN_ROW STN_V(%d)\n#define STN_FOLDS_AGAIN %d\n",
            along, along + 1, s->operation == STN_REDUCE_WITH_norm2);
}

/* ---- the whole ---- */

static void put_kernel(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    stn_put_begin(w);
    stn_put_text(w, ", STN_GLOBAL char *more");
    if (s->stores)
        stn_put_text(w, ", STN_GLOBAL char *result");
    if (s->has_totals)
        stn_put_text(w, ", STN_GLOBAL char *totals");
    stn_put_more_arguments(w);
    stn_put_variables(w);
    if (s->by_groups)
        stn_put_text(w, "    STN_LOCAL stn_state lanes[(STN_AT_ONCE + 1) * 32], levels[58];\n");
    stn_put_text(w, "    STN_GLOBAL stn_state *const states = (STN_GLOBAL stn_state *)more + "
                    "STN_PLACE;\n    const stn_scaling scale = (stn_scaling)STN_V_REAL(");
    stn_put(w, "%d);\n", s->number + STN_RANGE_SCALE);
    if (s->stores) {
        stn_put_view_variable(w, "stn_to", "result", &s->result.view);
        stn_put_text(w, "    const stn_memory_stn_to to = stn_p_stn_to;\n");
    }
    if (s->scans)
        stn_put_scan_tasks(w);
    stn_put_text(w, "#include \"expr/device/reduction.h\"\n}\n");
}

stn_status stn_source_write_reduction(const stn_source_reduction *source,
                                      const char *operation_text, char **text)
{
    stn_writer w = {.source = &source->source, .status = STN_OK};
    stn_put_head(&w);
    stn_put_text(&w, "#include \"expr/device/operation.h\"\n");
    for (int at = 0; at < source->source.kernel->count; at++)
        if (source->source.kernel->parameters[at].kind >= STN_PARAMETER_IN)
            stn_put_view(&w, at);
    stn_put_math(&w);
    put_operation(&w, operation_text);
    stn_put(&w, "#define STN_RUN %d\n", source->source.wide > 1 ? source->source.wide : 1);
    put_facts(&w);
    put_given(&w);
    put_element(&w, operation_text);
    stn_put_text(&w, "#include \"expr/device/lane.h\"\n");
    put_fold(&w, "", 58);
    if (source->source.wide > 1)
        put_neighbours(&w);
    if (is_across(source))
        put_across(&w);
    if (source->stores)
        put_stores(&w);
    put_kernel(&w);
    return stn_put_end(&w, text);
}
