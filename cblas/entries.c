/* Every function of the library by its C and Fortran names: each calls one implementation for all
 * types. */
#include <complex.h>

#include "cblas/bodies.h"
#include "cblas/xerbla.h"

enum { FROM_C, FROM_FORTRAN };

#define FORMAT_s STN_F32
#define FORMAT_d STN_F64
#define FORMAT_c STN_C64
#define FORMAT_z STN_C128

/* clang-format off */

/* ---- arguments of implementations, from C ---- */

#define C_PASS(L, kind, name)    C_PASS_##kind(L, name)
#define C_PASS_TRANSPOSE(L, t)   t
#define C_PASS_TRIANGLE(L, t)    t
#define C_PASS_DIAGONAL(L, d)    d
#define C_PASS_SIDE(L, s)        s
#define C_PASS_SIZE(L, n)        n
#define C_PASS_NUMBER(L, x)      C_NUMBER_##L(x)
#define C_PASS_REAL(L, x)        (double)(x)
#define C_PASS_FROM(L, p)        p
#define C_PASS_INTO(L, p)        p
#define C_PASS_INTO_REAL(L, p)   p
#define C_NUMBER_s(x)             stn_c128_of((double)(x), 0.0)
#define C_NUMBER_d(x)             stn_c128_of(x, 0.0)
#define C_NUMBER_c(at)            stn_cblas_number(STN_C64, at)
#define C_NUMBER_z(at)            stn_cblas_number(STN_C128, at)

/* ---- Fortran parameters, and arguments of implementations from them ---- */

#define F(L, kind, name)          F_##kind(L) name
#define F_TRANSPOSE(L)            const char *
#define F_TRIANGLE(L)             const char *
#define F_DIAGONAL(L)             const char *
#define F_SIDE(L)                 const char *
#define F_SIZE(L)                 const int *
#define F_NUMBER(L)               const STN_CBLAS_ELEMENT_##L *
#define F_REAL(L)                 const STN_CBLAS_REAL_##L *
#define F_FROM(L)                 const STN_CBLAS_ELEMENT_##L *
#define F_INTO(L)                 STN_CBLAS_ELEMENT_##L *
#define F_INTO_REAL(L)            STN_CBLAS_REAL_##L *

#define F_PASS(L, kind, name)    F_PASS_##kind(L, name)
#define F_PASS_TRANSPOSE(L, t)   transpose_of(*(t))
#define F_PASS_TRIANGLE(L, t)    triangle_of(*(t))
#define F_PASS_DIAGONAL(L, d)    diagonal_of(*(d))
#define F_PASS_SIDE(L, s)        side_of(*(s))
#define F_PASS_SIZE(L, n)        *(n)
#define F_PASS_NUMBER(L, x)      stn_cblas_number(FORMAT_##L, x)
#define F_PASS_REAL(L, x)        (double)*(x)
#define F_PASS_FROM(L, p)        p
#define F_PASS_INTO(L, p)        p
#define F_PASS_INTO_REAL(L, p)   p

/* clang-format on */

/* Other letters are kept for the message. */
static int choose(char letter, const char *letters, int first)
{
    const char *const found = letter ? strchr(letters, stn_cblas_upper(letter)) : NULL;
    return found ? first + (int)(found - letters) : STN_CBLAS_LETTER + (unsigned char)letter;
}
static CBLAS_TRANSPOSE transpose_of(char letter)
{
    return (CBLAS_TRANSPOSE)choose(letter, "NTC", CblasNoTrans);
}
static CBLAS_UPLO triangle_of(char letter)
{
    return (CBLAS_UPLO)choose(letter, "UL", CblasUpper);
}
static CBLAS_DIAG diagonal_of(char letter)
{
    return (CBLAS_DIAG)choose(letter, "NU", CblasNonUnit);
}
static CBLAS_SIDE side_of(char letter)
{
    return (CBLAS_SIDE)choose(letter, "LR", CblasLeft);
}

/* ---- functions of the tables ---- */

/* clang-format off */
#define CALL(L, name, layout, from) \
    const stn_cblas_call call = {#name, FORMAT_##L, layout, from, NULL}
#define ARGUMENT(L, kind, name) name
#define WORDS_(...)             #__VA_ARGS__
#define WORDS(...)              WORDS_(__VA_ARGS__)
#define CHECKED_CALL(L, name, layout, from, like) \
    const stn_cblas_call call = {#name, FORMAT_##L, layout, from, WORDS(STN_CBLAS_##like(ARGUMENT, L))}

#define PLAIN(L, name, like)                                                                       \
    void cblas_##L##name(STN_CBLAS_##like(STN_CBLAS_C, L))                                         \
    {                                                                                              \
        static CALL(L, L##name, CblasColMajor, FROM_C);                                            \
        stn_cblas_##like(&call, STN_CBLAS_##like(C_PASS, L));                                     \
    }                                                                                              \
    STN_API void L##name##_(STN_CBLAS_##like(F, L));                                               \
    void L##name##_(STN_CBLAS_##like(F, L))                                                        \
    {                                                                                              \
        static CALL(L, L##name, CblasColMajor, FROM_FORTRAN);                                      \
        stn_cblas_##like(&call, STN_CBLAS_##like(F_PASS, L));                                     \
    }
#define LAID_OUT(L, name, like)                                                                    \
    void cblas_##L##name(CBLAS_LAYOUT layout, STN_CBLAS_##like(STN_CBLAS_C, L))                    \
    {                                                                                              \
        CHECKED_CALL(L, L##name, layout, FROM_C, like);                                            \
        stn_cblas_##like(&call, STN_CBLAS_##like(C_PASS, L));                                     \
    }                                                                                              \
    STN_API void L##name##_(STN_CBLAS_##like(F, L));                                               \
    void L##name##_(STN_CBLAS_##like(F, L))                                                        \
    {                                                                                              \
        static CHECKED_CALL(L, L##name, CblasColMajor, FROM_FORTRAN, like);                        \
        stn_cblas_##like(&call, STN_CBLAS_##like(F_PASS, L));                                     \
    }
#define VALUE(L, type, name, like)                                                                 \
    type cblas_##name(STN_CBLAS_##like(STN_CBLAS_C, L))                                            \
    {                                                                                              \
        static CALL(L, name, CblasColMajor, FROM_C);                                               \
        return (type)stn_cblas_##like(&call, STN_CBLAS_##like(C_PASS, L));                        \
    }                                                                                              \
    STN_API type name##_(STN_CBLAS_##like(F, L));                                                  \
    type name##_(STN_CBLAS_##like(F, L))                                                           \
    {                                                                                              \
        static CALL(L, name, CblasColMajor, FROM_FORTRAN);                                         \
        return (type)stn_cblas_##like(&call, STN_CBLAS_##like(F_PASS, L));                        \
    }
STN_CBLAS_FUNCTIONS(PLAIN, LAID_OUT)
STN_CBLAS_VALUES(VALUE)

/* ---- positions from 0, and 0 if absent; in Fortran from 1 ---- */

#define PLACE(L)                                                                                   \
    CBLAS_INDEX cblas_i##L##amax(STN_CBLAS_iamax(STN_CBLAS_C, L))                                  \
    {                                                                                              \
        static CALL(L, i##L##amax, CblasColMajor, FROM_C);                                         \
        const int64_t position = stn_cblas_iamax(&call, STN_CBLAS_iamax(C_PASS, L));                 \
        return position < 0 ? 0 : (CBLAS_INDEX)position;                                                 \
    }                                                                                              \
    STN_API int i##L##amax_(STN_CBLAS_iamax(F, L));                                                \
    int i##L##amax_(STN_CBLAS_iamax(F, L))                                                         \
    {                                                                                              \
        static CALL(L, i##L##amax, CblasColMajor, FROM_FORTRAN);                                   \
        return (int)stn_cblas_iamax(&call, STN_CBLAS_iamax(F_PASS, L)) + 1;                       \
    }
PLACE(s)
PLACE(d)
PLACE(c)
PLACE(z)

/* ---- products of complex vectors: function results in Fortran ---- */

#define DOT_SUB(L, name, real, is_conjugated)                                                      \
    void cblas_##L##name##_sub(STN_CBLAS_dot(STN_CBLAS_C, L), void *result)                        \
    {                                                                                              \
        static CALL(L, L##name, CblasColMajor, FROM_C);                                            \
        stn_cblas_set_number(FORMAT_##L, result,                                                   \
            stn_cblas_dot_complex(&call, is_conjugated, STN_CBLAS_dot(C_PASS, L)));               \
    }                                                                                              \
    STN_API real complex L##name##_(STN_CBLAS_dot(F, L));                                          \
    real complex L##name##_(STN_CBLAS_dot(F, L))                                                   \
    {                                                                                              \
        static CALL(L, L##name, CblasColMajor, FROM_FORTRAN);                                      \
        real complex result;                                                                       \
        stn_cblas_set_number(FORMAT_##L, &result,                                                  \
            stn_cblas_dot_complex(&call, is_conjugated, STN_CBLAS_dot(F_PASS, L)));               \
        return result;                                                                             \
    }
DOT_SUB(c, dotu, float, 0)
DOT_SUB(c, dotc, float, 1)
DOT_SUB(z, dotu, double, 0)
DOT_SUB(z, dotc, double, 1)
/* clang-format on */

/* ---- auxiliary functions of BLAS ---- */

/* Are these the same letter, ignoring case? */
STN_API int lsame_(const char *one, const char *other);
int lsame_(const char *one, const char *other)
{
    return stn_cblas_upper(*one) == stn_cblas_upper(*other);
}

/* xerbla_ with a name in an array of letters. */
STN_API void xerbla_array_(const char *name, const int *length, const int *info);
void xerbla_array_(const char *name, const int *length, const int *info)
{
    xerbla_(name, info, *length > 0 ? (size_t)*length : 0);
}
