/* Kernels as device texts. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "expr/source_writer.h"

/* ---- common beginning ---- */

/* Does the body call a function of complex.h without the type in its name, other than
 * arithmetic? */
static int has_functions(const stn_kernel *kernel)
{
    static const char *const arithmetic[] = {"of", "add", "multiply", "divide", "conj"};
    const char *at = kernel->text;
    while ((at = strstr(at, "stn_c_")) != NULL) {
        int is_arithmetic = 0;
        at += strlen("stn_c_");
        for (size_t k = 0; k < sizeof arithmetic / sizeof *arithmetic; k++)
            is_arithmetic |= strncmp(at, arithmetic[k], strlen(arithmetic[k])) == 0;
        if (!is_arithmetic)
            return 1;
    }
    return 0;
}

void stn_put_head(stn_writer *w)
{
    const stn_source *s = w->source;
    const int is_complex = stn_source_is_complex(w), is_integer = s->arithmetic == STN_I64;
    const char *const real = stn_source_real(s->arithmetic), *const part = stn_source_part(w);
    stn_put(w, "#include \"steno/detail/accessor/%s.h\"\n",
            stn_source_has_runs(w) ? "run" : "value");
    stn_put(w, "typedef stn_%s real_t;\ntypedef stn_%s stn_part;\n", real, part);
    stn_put(w, "typedef stn_%s stn_index;\ntypedef stn_%s stn_count;\n", s->is_wide ? "i64" : "i32",
            s->is_wide ? "u64" : "u32");
    stn_put(w, "struct stn_numbers {\n    stn_i64 v[%d];\n};\n", s->numbers);
    stn_put(w, "#define STN_IS_COMPLEX %d\n#define STN_IS_INTEGER %d\n", is_complex, is_integer);
    stn_put(w, "#define STN_OF_REAL(f) stn_%s_##f\n#define STN_BITS_OF_PART stn_bits_of_%s\n", real,
            part);
    if (is_complex && has_functions(s->kernel))
        stn_put_text(w, "#include \"steno/complex.h\"\n");
    stn_put_text(w, "#include \"expr/device/kernel.h\"\n");
}

/* ---- the kernel ---- */

static void put_planes_variable(stn_writer *w, const char *name, const char *memory,
                                const stn_source_view *v)
{
    const char *const members[] = {"middle", "lower"};
    stn_put(w, "    stn_p_%s.codes = (STN_GLOBAL stn_u32 *)(%s + STN_V(%d));\n", name, memory,
            v->place);
    for (int k = 0; k < 2; k++)
        stn_put(w, "    stn_p_%s.%s = (STN_GLOBAL stn_u16 *)(%s + STN_V(%d) + STN_V(%d));\n", name,
                members[k], memory, v->place, v->planes_at + k);
}

void stn_put_view_variable(stn_writer *w, const char *name, const char *memory,
                           const stn_source_view *v)
{
    const int is_table = v->layout == STN_SOURCE_TABLE;
    stn_put(w, "    stn_memory_%s stn_p_%s;\n", name, name);
    if (v->block) {
        stn_put(w,
                "    stn_p_%s.codes = (STN_GLOBAL stn_u8 *)(%s + STN_V(%d));\n"
                "    stn_p_%s.scales = stn_p_%s.codes + STN_V(%d);\n",
                name, memory, v->place, name, name, v->blocks);
        if (v->staged)
            stn_put(w, "    stn_p_%s.staged = (STN_GLOBAL stn_u64 *)stn_staged + STN_V(%d);\n",
                    name, v->staged);
        return;
    }
    if (v->planes)
        put_planes_variable(w, name, memory, v);
    else
        stn_put(w, "    stn_p_%s%s = (STN_GLOBAL stn_code_%s *)(%s + STN_V(%d));\n", name,
                stn_source_has_members(v) ? ".codes" : "", name, memory, v->place);
    if (v->scale_bytes)
        stn_put(w, "    stn_p_%s.scales = (STN_GLOBAL const stn_f%d *)(stn_extra + STN_V(%d));\n",
                name, 8 * v->scale_bytes, v->scales_at);
    if (is_table)
        stn_put(w, "    stn_p_%s.places = (STN_GLOBAL const stn_i64 *)(stn_extra + STN_V(%d));\n",
                name, v->places_at);
    if (v->counts)
        stn_put(w, "    stn_p_%s.counts = (STN_GLOBAL stn_u32 *)stn_mnemonics + %d;\n", name,
                v->counts);
}

void stn_put_begin(stn_writer *w)
{
    const stn_source *const s = w->source;
    stn_put(w, "STN_DEVICE_KERNEL steno_%s(STN_GIVEN(struct stn_numbers) stn_n", s->kernel->name);
    for (int at = 0; at < s->kernel->count; at++)
        if (s->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            stn_put(w, ", STN_GLOBAL char *stn_m%d", at);
}

void stn_put_more_arguments(stn_writer *w)
{
    const stn_source *const s = w->source;
    if (s->has_extra)
        stn_put_text(w, ", STN_GLOBAL char *stn_extra");
    if (s->reports)
        stn_put_text(w, ", STN_GLOBAL int *stn_mnemonics");
    if (s->stages)
        stn_put_text(w, ", STN_GLOBAL char *stn_staged");
}

void stn_put_variables(stn_writer *w)
{
    const stn_source *const s = w->source;
    char memory[32];
    stn_put(w, ")\n{\n");
    for (int at = 0; at < s->kernel->count; at++) {
        const stn_parameter *const p = &s->kernel->parameters[at];
        snprintf(memory, sizeof memory, "stn_m%d", at);
        if (p->kind >= STN_PARAMETER_IN)
            stn_put_view_variable(w, p->name, memory, &s->views[at]);
    }
}

int stn_source_has_reach(const stn_parameter *p)
{
    return p->kind == STN_PARAMETER_SHIFTED || p->kind == STN_PARAMETER_STENCIL;
}

void stn_source_reach(const stn_parameter *p, int d, int *before, int *after)
{
    *before = p->kind == STN_PARAMETER_STENCIL ? -p->offset[d] : p->offset[d];
    *after = p->offset[d];
}

void stn_put_indices_of_rest(stn_writer *w, int count)
{
    for (int d = count - 1; d > 0; d--)
        stn_put(w,
                "        const stn_index stn_i%d = (stn_index)(stn_rest %% (stn_count)STN_V(%d));\n"
                "        stn_rest /= (stn_count)STN_V(%d);\n",
                d, d + 1, d + 1);
    if (count > 0)
        stn_put(w,
                "        const stn_index stn_i0 = (stn_index)stn_rest;\n        (void)stn_i0;\n");
}

void stn_put_inside(stn_writer *w)
{
    const stn_source *const s = w->source;
    for (int at = 0; at < s->kernel->count; at++) {
        const stn_parameter *const p = &s->kernel->parameters[at];
        if (!stn_source_has_reach(p) || p->boundary != STN_BOUNDARY_INSIDE)
            continue;
        for (int d = 0; d < s->rank; d++) {
            int before, after;
            stn_source_reach(p, d, &before, &after);
            stn_put(w,
                    "        if (stn_i%d + %d < 0 || stn_i%d + %d >= STN_V(%d))\n            "
                    "continue;\n",
                    d, before, d, after, s->views[at].extents + d);
        }
    }
}

static void put_for(stn_writer *w, int count)
{
    stn_put(w,
            "    for (stn_u64 stn_t = STN_THREAD; stn_t < (stn_u64)STN_V(%d); "
            "stn_t += STN_THREADS) {\n        stn_count stn_rest = (stn_count)stn_t;\n",
            count);
}

static void put_number(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const int k = w->source->number[at];
    if (p->kind == STN_PARAMETER_INDEX)
        stn_put(w, "        const stn_i64 %s = STN_V(%d);\n", p->name, k);
    else if (p->kind == STN_PARAMETER_BITS)
        stn_put(w, "        const stn_u64 %s = (stn_u64)STN_V(%d);\n", p->name, k);
    else if (stn_source_is_complex(w))
        stn_put(w,
                "        real_t stn_is_%s;\n        stn_is_%s.re = stn_%s_of_bits(STN_V(%d));\n"
                "        stn_is_%s.im = stn_%s_of_bits(STN_V(%d));\n        const real_t %s = "
                "stn_is_%s;\n",
                p->name, p->name, stn_source_part(w), k, p->name, stn_source_part(w), k + 1,
                p->name, p->name);
    else if (w->source->arithmetic == STN_I64)
        stn_put(w, "        const real_t %s = STN_V(%d);\n", p->name, k);
    else
        stn_put(w, "        const real_t %s = stn_%s_of_bits(STN_V(%d));\n", p->name,
                stn_source_part(w), k);
    stn_put(w, "        (void)%s;\n", p->name);
}

static void put_index_names(stn_writer *w, int count)
{
    for (int d = 0; d < count; d++)
        stn_put(w, "        const stn_i64 %.*s = stn_i%d;\n        (void)%.*s;\n",
                w->source->lengths[d], w->source->names[d], d, w->source->lengths[d],
                w->source->names[d]);
}

/* The variable of an element that is read. */
static const char *value_of(const stn_writer *w, int at)
{
    const stn_run_way way = stn_source_is_run(w, at) ? w->in_run : STN_RUN_NONE;
    return way == STN_RUN_VALUES  ? "real_t @ = stn_v_@[stn_k];\n        (void)@;\n"
           : way == STN_RUN_VALUE ? "real_t @ = stn_v_@;\n        (void)@;\n"
           : way == STN_RUN_CODES
               ? "real_t @ = stn_decode_@(stn_n, stn_p_@, stn_c_@[stn_row].code[stn_k]$h);\n"
                 "        (void)@;\n"
               : "real_t @ = stn_load_@(stn_n, stn_p_@$h);\n        (void)@;\n";
}

void stn_put_open(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const char *const name = p->name;
    if (w->source->unit && p->kind >= STN_PARAMETER_IN)
        return;
    switch (p->kind) {
    case STN_PARAMETER_REAL:
    case STN_PARAMETER_INDEX:
    case STN_PARAMETER_BITS:
        put_number(w, at);
        return;
    case STN_PARAMETER_AT:
        put_index_names(w, p->rank);
        return;
    case STN_PARAMETER_OUT:
        stn_put(w, "        real_t %s = stn_unassigned();\n", name);
        return;
    case STN_PARAMETER_SHIFTED:
        stn_put_for(w, name, 0, "        const real_t @ = stn_at_@(stn_n, stn_p_@");
        stn_put_reach(w, at);
        stn_put(w, ");\n        (void)%s;\n", name);
        return;
    case STN_PARAMETER_STENCIL:
    case STN_PARAMETER_GATHER:
    case STN_PARAMETER_SCATTER:
        return;
    default:
        stn_put_text(w, p->kind == STN_PARAMETER_INOUT ? "        " : "        const ");
        stn_put_for(w, name, w->source->rank, value_of(w, at));
        if (w->in_run == STN_RUN_VALUES && stn_source_is_run(w, at))
            return;
    }
    if (p->kind == STN_PARAMETER_INOUT)
        stn_put_for(w, name, 0, "        const real_t stn_was_@ = @;\n        (void)stn_was_@;\n");
    if (p->kind == STN_PARAMETER_MASKED)
        stn_put_for(w, name, 0, "        real_t stn_to_@ = @;\n        int stn_stored_@ = 0;\n");
}

/* Does an element keep its code because its value is unchanged? Codes of finite values need no
 * comparison if encoding restores them, nor do infinities that are stored as such. */
void stn_put_is_kept(stn_writer *w, int at)
{
    const char *const name = w->source->kernel->parameters[at].name;
    const stn_source_view *const v = &w->source->views[at];
    if (v->returns_finite && !stn_source_is_complex(w))
        stn_put(w, "stn_is_kept(%s, stn_was_%s, stn_%s_kind(), (stn_overflow)%d)", name, name,
                v->part, v->overflow);
    else
        stn_put(w, "stn_same(%s, stn_was_%s)", name, name);
}

/* The code of an element in its chunk. It is selected without a branch. */
static void put_code(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    stn_put_for(w, p->name, w->source->rank,
                "        stn_c_@[1].code[stn_k] = stn_code_of_@(stn_n, stn_p_@, @$h);\n");
    if (p->kind != STN_PARAMETER_INOUT || w->source->views[at].returns)
        return;
    stn_put_text(w, "        if (");
    stn_put_is_kept(w, at);
    stn_put_for(w, p->name, 0,
                ")\n            stn_c_@[1].code[stn_k] = stn_c_@[stn_row].code[stn_k];\n");
}

static void put_close(stn_writer *w, int at)
{
    const stn_parameter *const p = &w->source->kernel->parameters[at];
    const char *const name = p->name;
    if (p->kind < STN_PARAMETER_INOUT || p->kind > STN_PARAMETER_MASKED || w->source->unit)
        return;
    if (stn_source_in_blocks(w->source, at)) {
        stn_put_block_code(w, at);
        return;
    }
    if ((w->in_run == STN_RUN_VALUES && stn_source_is_run(w, at)) ||
        (w->in_run == STN_RUN_KEPT && p->kind == STN_PARAMETER_OUT)) {
        stn_put(w, "        stn_v_%s[stn_k] = %s;\n", name, name);
        return;
    }
    if (w->in_run == STN_RUN_CODES && stn_source_is_run(w, at)) {
        put_code(w, at);
        return;
    }
    if (p->kind == STN_PARAMETER_MASKED)
        stn_put(w, "        if (stn_stored_%s)\n    ", name);
    else if (p->kind == STN_PARAMETER_INOUT && !w->source->views[at].returns) {
        stn_put_text(w, "        if (!");
        stn_put_is_kept(w, at);
        stn_put_text(w, ")\n    ");
    }
    stn_put_for(w, name, w->source->rank,
                p->kind == STN_PARAMETER_MASKED
                    ? "        stn_store_@(stn_n, stn_p_@, stn_to_@$h);\n"
                    : "        stn_store_@(stn_n, stn_p_@, @$h);\n");
}

void stn_put_element(stn_writer *w)
{
    const stn_kernel *const kernel = w->source->kernel;
    stn_put_foreign(w);
    for (int at = 0; at < kernel->count; at++)
        stn_put_open(w, at);
    stn_put(w, "        STN_BEGIN\n#define return STN_LEAVE\n");
    stn_put_body(w, kernel->text, strlen(kernel->text));
    stn_put(w, "\n#undef return\n        STN_END\n");
    for (int at = 0; at < kernel->count; at++)
        put_close(w, at);
    stn_put_foreign_end(w);
}

static void put_elements(stn_writer *w)
{
    put_for(w, 0);
    stn_put_indices_of_rest(w, w->source->rank);
    stn_put_inside(w);
    stn_put_element(w);
}

/* The indices of a group: the first index stn_b of its rows, and those of the other dimensions. */
static void put_group(stn_writer *w)
{
    const stn_source *const s = w->source;
    const int last = s->rank - 1;
    if (last == 0) {
        stn_put(w, "        const stn_index stn_b = (stn_index)stn_rest;\n");
        return;
    }
    stn_put(w,
            "        const stn_index stn_i%d = (stn_index)(stn_rest %% (stn_count)STN_V(%d));\n"
            "        stn_rest /= (stn_count)STN_V(%d);\n"
            "        const stn_index stn_b = (stn_index)(stn_rest %% (stn_count)STN_V(%d)) * %d;\n"
            "        stn_rest /= (stn_count)STN_V(%d);\n",
            last, last + 1, last + 1, s->chunks + 1, s->group, s->chunks + 1);
    stn_put_indices_of_rest(w, last - 1);
}

static void put_within(stn_writer *w, int d, int is_group)
{
    const int inner = w->source->inner + 2 * d;
    if (is_group)
        stn_put_text(w, " && (stn_count)(stn_b");
    else
        stn_put(w, " && (stn_count)(stn_i%d", d);
    stn_put(w, " - (stn_index)STN_V(%d)) < (stn_count)STN_V(%d)", inner, inner + 1);
}

static void put_rows(stn_writer *w, int along)
{
    stn_put(w,
            "        STN_UNROLL for (int stn_k = 0; stn_k < %d; stn_k++) {\n"
            "        const stn_index stn_i%d = stn_b + stn_k;\n",
            w->source->group, along);
}

/* Outputs are stored after all elements are computed: compilers do not move reads before stores,
 * which could be to the same memory. */
static void put_inner_group(stn_writer *w, int along)
{
    const stn_kernel *const kernel = w->source->kernel;
    stn_put_text(w, "#undef STN_INNER\n#define STN_INNER 2\n#undef STN_LABEL\n"
                    "#define STN_LABEL stn_inner_end\n");
    for (int at = 0; at < kernel->count; at++)
        if (kernel->parameters[at].kind == STN_PARAMETER_OUT)
            stn_put(w, "        real_t stn_v_%s[%d];\n", kernel->parameters[at].name,
                    w->source->group);
    put_rows(w, along);
    w->in_run = STN_RUN_KEPT;
    stn_put_element(w);
    w->in_run = STN_RUN_NONE;
    stn_put_text(w, "        }\n");
    put_rows(w, along);
    for (int at = 0; at < kernel->count; at++)
        if (kernel->parameters[at].kind == STN_PARAMETER_OUT)
            stn_put_for(w, kernel->parameters[at].name, w->source->rank,
                        "        stn_store_@(stn_n, stn_p_@, stn_v_@[stn_k]$h);\n");
    stn_put(w, "        (void)stn_i%d;\n        }\n", along);
}

/* A thread processes an element in each of several rows, so that it divides by extents once and
 * threads access adjacent elements. The body is compiled twice: with boundaries, and without
 * them. */
static void put_groups(stn_writer *w)
{
    const stn_source *const s = w->source;
    const int along = s->rank > 1 ? s->rank - 2 : 0;
    put_for(w, s->chunks);
    put_group(w);
    stn_put_text(w, "        const int stn_is_inner = 1");
    for (int d = 0; d < s->rank; d++)
        put_within(w, d, d == along);
    stn_put(w,
            ";\n        if (!stn_is_inner)\n"
            "        for (stn_index stn_i%d = stn_b; stn_i%d < stn_b + %d && stn_i%d < "
            "(stn_index)STN_V(%d); stn_i%d++) {\n",
            along, along, s->group, along, along + 1, along);
    stn_put_inside(w);
    stn_put_element(w);
    stn_put_text(w, "        }\n        else {\n");
    put_inner_group(w, along);
    stn_put_text(w, "        }\n");
}

/* For bodies that move elements: the address of the current one. */
static void put_address(stn_writer *w)
{
    stn_put_text(w, "#define STN_ADDRESS(name) stn_find_##name(stn_n, stn_p_##name");
    stn_put_for(w, "", w->source->rank, "$h)\n");
}

static void put_kernel(stn_writer *w)
{
    if (w->source->unit)
        put_address(w);
    stn_put_begin(w);
    stn_put_more_arguments(w);
    stn_put_variables(w);
    if (w->source->blocks)
        stn_put_block_loop(w);
    else if (w->source->wide > 1)
        stn_put_wide_loop(w);
    else if (w->source->group)
        put_groups(w);
    else
        put_elements(w);
    stn_put(w, "    }\n}\n");
}

stn_status stn_put_end(stn_writer *w, char **text)
{
    *text = w->status == STN_OK ? w->text : NULL;
    if (w->status != STN_OK)
        stn_free(w->text);
    return w->status;
}

stn_status stn_source_write(const stn_source *source, char **text)
{
    stn_writer w = {.source = source, .status = STN_OK};
    if (source->is_host)
        stn_put_host_rules(&w);
    stn_put_head(&w);
    for (int at = 0, widens = 0; at < source->kernel->count; at++)
        if (source->views[at].widens && !widens++)
            stn_put_text(&w, "#include \"expr/device/widen.h\"\n");
    for (int at = 0; at < source->kernel->count; at++)
        if (source->kernel->parameters[at].kind >= STN_PARAMETER_IN)
            stn_put_view(&w, at);
    stn_put_math(&w);
    if (source->is_host)
        stn_put_host_kernel(&w);
    else
        put_kernel(&w);
    return stn_put_end(&w, text);
}
