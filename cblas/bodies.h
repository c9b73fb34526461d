/* One implementation of each function for all types and both interfaces. */
#ifndef STENO_CBLAS_BODIES_H
#define STENO_CBLAS_BODIES_H

#include "cblas/call.h"

/* Types of parameters. */
#define STN_CBLAS_B(L, kind, name) STN_CBLAS_B_##kind name
#define STN_CBLAS_B_TRANSPOSE      CBLAS_TRANSPOSE
#define STN_CBLAS_B_TRIANGLE       CBLAS_UPLO
#define STN_CBLAS_B_DIAGONAL       CBLAS_DIAG
#define STN_CBLAS_B_SIDE           CBLAS_SIDE
#define STN_CBLAS_B_SIZE           int
#define STN_CBLAS_B_NUMBER         stn_c128
#define STN_CBLAS_B_REAL           double
#define STN_CBLAS_B_FROM           const void *
#define STN_CBLAS_B_INTO           void *
#define STN_CBLAS_B_INTO_REAL      void *

#define STN_CBLAS_BODY(type, like)                                                                 \
    type stn_cblas_##like(const stn_cblas_call *call, STN_CBLAS_##like(STN_CBLAS_B, ))

/* ---- level 1 ---- */

STN_CBLAS_BODY(double, dot);
STN_CBLAS_BODY(double, dot_wide); /* f32, computed in f64 */
STN_CBLAS_BODY(double, dot_onto); /* alpha plus that */
STN_CBLAS_BODY(double, nrm2);
STN_CBLAS_BODY(double, asum);
STN_CBLAS_BODY(double, abs1);
STN_CBLAS_BODY(int64_t, iamax); /* -1: none */
STN_CBLAS_BODY(void, copy);
STN_CBLAS_BODY(void, swap);
STN_CBLAS_BODY(void, axpy);
STN_CBLAS_BODY(void, axpby);
STN_CBLAS_BODY(void, scal);
STN_CBLAS_BODY(void, scal_real);
STN_CBLAS_BODY(void, rot);
STN_CBLAS_BODY(void, rotg);
STN_CBLAS_BODY(void, rotm);
STN_CBLAS_BODY(void, rotmg);

/* x^T y, or x^H y, of complex vectors. */
stn_c128 stn_cblas_dot_complex(const stn_cblas_call *call, int is_conjugated,
                               STN_CBLAS_dot(STN_CBLAS_B, ));

/* ---- level 2 ---- */

STN_CBLAS_BODY(void, gemv);
STN_CBLAS_BODY(void, gbmv);
STN_CBLAS_BODY(void, symv);
STN_CBLAS_BODY(void, sbmv);
STN_CBLAS_BODY(void, spmv);
STN_CBLAS_BODY(void, trmv);
STN_CBLAS_BODY(void, tbmv);
STN_CBLAS_BODY(void, tpmv);
STN_CBLAS_BODY(void, trsv);
STN_CBLAS_BODY(void, tbsv);
STN_CBLAS_BODY(void, tpsv);
STN_CBLAS_BODY(void, ger);
STN_CBLAS_BODY(void, gerc);
STN_CBLAS_BODY(void, syr);
STN_CBLAS_BODY(void, spr);
STN_CBLAS_BODY(void, syr2);
STN_CBLAS_BODY(void, spr2);

/* ---- level 3 ---- */

STN_CBLAS_BODY(void, gemm);
STN_CBLAS_BODY(void, symm);
STN_CBLAS_BODY(void, hemm);
STN_CBLAS_BODY(void, syrk);
STN_CBLAS_BODY(void, herk);
STN_CBLAS_BODY(void, syr2k);
STN_CBLAS_BODY(void, her2k);
STN_CBLAS_BODY(void, trmm);
STN_CBLAS_BODY(void, trsm);

#endif
