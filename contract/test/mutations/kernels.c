/* Kernels whose machine code kernels.cg bounds. Each macro that a compiler option defines breaks
 * one promise, and the check must notice. */
#include <stddef.h>

#ifdef MUTATE_RESTRICT
#    define RESTRICT
#else
#    define RESTRICT restrict
#endif

#ifdef MUTATE_LITERAL
#    define HALF 0.5
#else
#    define HALF 0.5f
#endif

/* A row behind the other one, as far away as the rows are long. */
#ifdef MUTATE_ROWS
#    define X(k) (x[k].value + x[(k) + count].value)
#else
#    define X(k) x[k].value
#endif

#ifdef MUTATE_DIVIDE
#    define PRODUCT(a, b) ((a) / (b))
#else
#    define PRODUCT(a, b) ((a) * (b))
#endif

#ifdef MUTATE_PREFETCH
#    define FETCH(address) __builtin_prefetch(address)
#else
#    define FETCH(address) (void)(address)
#endif

/* A float behind a tag byte is neither aligned nor beside the next one. */
#ifdef MUTATE_PACKED
typedef struct __attribute__((packed)) element {
    char tag;
    float value;
} element;
#else
typedef struct element {
    float value;
} element;
#endif

/* The variable lies in memory here; and no vector register outlives this, so that what they hold
 * goes through the stack. */
#ifdef MUTATE_SPILL
#    define KEEP(variable) __asm__ volatile("" : "+m"(variable))
#    define FORGET                                                                                 \
        __asm__ volatile("" ::                                                                     \
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",     \
                               "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",        \
                               "xmm15")
#else
#    define KEEP(variable) (void)(variable)
#    define FORGET         (void)0
#endif

void axpy_f32(size_t count, float alpha, const element *RESTRICT x, float *RESTRICT y);

void axpy_f32(size_t count, float alpha, const element *RESTRICT x, float *RESTRICT y)
{
    for (size_t k = 0; k < count; k++) {
        KEEP(alpha);
        FETCH(x + k + 64);
        y[k] = PRODUCT(alpha, X(k)) + HALF * y[k];
    }
}

void dot_f32(size_t count, const element *RESTRICT x, const float *RESTRICT y,
             float *RESTRICT sums);

/* Eight sums, as many as a vector has lanes, since floats do not associate. */
void dot_f32(size_t count, const element *RESTRICT x, const float *RESTRICT y, float *RESTRICT sums)
{
    for (size_t k = 0; k + 8 <= count; k += 8) {
        FORGET;
        for (size_t lane = 0; lane < 8; lane++)
            sums[lane] += x[k + lane].value * y[k + lane];
    }
}
