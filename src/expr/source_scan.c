/* Scans as device texts: tasks that reductions do not have. */
#include "expr/source_scan.h"

void stn_put_scan_tasks(stn_writer *w)
{
    const stn_source_reduction *const s = stn_source_reduction_of(w);
    const stn_format arithmetic = s->source.arithmetic;
    stn_put(w, "    const stn_state identity = %sSTN_IDENTITY);\n    (void)identity;\n",
            arithmetic == STN_I64   ? "("
            : arithmetic == STN_F64 ? "stn_f64_of_bits((stn_u64)"
                                    : "stn_f32_of_bits((stn_u32)");
    if (s->has_totals)
        stn_put_view_variable(w, "stn_total", "totals", &s->totals.view);
    stn_put(w,
            "#define STN_HAS_TOTALS %d\n#define STN_IS_EXCLUSIVE %d\n#define STN_ELEMENT %s\n"
            "#include \"expr/device/scan.h\"\n",
            s->has_totals, s->is_exclusive,
            s->kept < s->source.rank ? "STN_ALL, (stn_index)e" : "STN_ALL");
}
