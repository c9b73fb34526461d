/* Scans as texts for devices: the tasks that reductions lack. */
#include "expr/source_scan.h"

/* The value of an aligned block stands where that of its last tile was. */
static const char pairs_words[] =
    "    if (STN_TASK == 4) {\n"
    "        const stn_i64 pairs = STN_TILES / (2 * STN_BLOCK);\n"
    "        for (stn_i64 t = STN_THREAD; t < STN_OUTPUTS * pairs; t += STN_THREADS) {\n"
    "            const stn_i64 last = (t / STN_OUTPUTS + 1) * 2 * STN_BLOCK - 1;\n"
    "            const stn_i64 at = last * STN_OUTPUTS + t % STN_OUTPUTS;\n"
    "            states[at] = stn_both(states[at - STN_BLOCK * STN_OUTPUTS], states[at]);\n"
    "        }\n"
    "        return;\n"
    "    }\n";

/* Aligned blocks up to a tile, the largest first. */
static const char carry_words[] =
    "            const int held = stn_held(stn_n, tile);\n"
    "            stn_i64 size = 1, before = 0;\n"
    "            stn_state carry, state, value;\n"
    "            while (2 * size <= tile)\n"
    "                size *= 2;\n"
    "            for (; size > 0; size /= 2) {\n"
    "                if ((tile & size) == 0)\n"
    "                    continue;\n"
    "                value = states[(before + size - 1) * STN_OUTPUTS + o];\n"
    "                carry = before > 0 ? stn_both(carry, value) : value;\n"
    "                before += size;\n"
    "            }\n"
    "            for (int k = 0; k < held; k++) {\n"
    "                const stn_i64 e = tile * 128 + k;\n"
    "                const stn_mapped x = stn_element(STN_ALL, (stn_count)e);\n";
static const char exclusive_words[] =
    "                value = k == 0 ? (tile > 0 ? carry : identity)\n"
    "                               : (tile > 0 ? stn_both(carry, state) : state);\n"
    "                state = k == 0 ? stn_begun(x, e, 1) : stn_onto(state, x, e, 1);\n";
static const char inclusive_words[] =
    "                state = k == 0 ? stn_begun(x, e, 1) : stn_onto(state, x, e, 1);\n"
    "                value = tile > 0 ? stn_both(carry, state) : state;\n";

static void put_scan(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    stn_put_text(w,
                 "    if (STN_TASK == 5) {\n        for (stn_i64 t = STN_THREAD; t < STN_OUTPUTS "
                 "* STN_TILES; t += STN_THREADS) {\n            const stn_i64 o = t % "
                 "STN_OUTPUTS, tile = t / STN_OUTPUTS;\n");
    stn_put_numbered(w, 0, s->kept, "o", "\n");
    stn_put_text(w, carry_words);
    stn_put_text(w, s->is_exclusive ? exclusive_words : inclusive_words);
    stn_put(w, "                stn_store(STN_ALL%s, to, value);\n            }\n        }\n",
            s->kept < s->source.rank ? ", (stn_index)e" : "");
    stn_put_text(w, "        return;\n    }\n");
}

/* All aligned blocks, from the right. */
static void put_totals(stn_writer *w)
{
    stn_put_text(w, "    if (STN_TASK == 6) {\n"
                    "        for (stn_i64 o = STN_THREAD; o < STN_OUTPUTS; o += STN_THREADS) {\n"
                    "            stn_state state = identity;\n"
                    "            stn_i64 end = STN_TILES;\n");
    stn_put_numbered(w, 0, stn_source_reduction_of(w)->kept, "o", "\n");
    stn_put_text(w, "            for (stn_i64 size = 1; end > 0; size *= 2) {\n"
                    "                if ((end & size) == 0)\n"
                    "                    continue;\n"
                    "                const stn_state value = states[(end - 1) * STN_OUTPUTS + o];\n"
                    "                state = end == STN_TILES ? value : stn_both(value, state);\n"
                    "                end -= size;\n"
                    "            }\n"
                    "            stn_store_total(STN_ALL, total, state);\n"
                    "        }\n        return;\n    }\n");
}

void stn_put_scan_tasks(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    const stn_format arithmetic = s->source.arithmetic;
    stn_put(w, "    const stn_state identity = %sSTN_IDENTITY);\n",
            arithmetic == STN_I64   ? "("
            : arithmetic == STN_F64 ? "stn_f64_of_bits((stn_u64)"
                                    : "stn_f32_of_bits((stn_u32)");
    stn_put_text(w, "    (void)identity;\n");
    if (s->has_totals) {
        stn_put_view_variable(w, "stn_total", "totals", &s->totals.view);
        stn_put_text(w, "    const stn_memory_stn_total total = stn_p_stn_total;\n");
        put_totals(w);
    }
    stn_put_text(w, pairs_words);
    put_scan(w);
}
