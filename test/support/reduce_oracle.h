/* What the tests of reductions and scans measure Steno against: the order of doc/order.md over
 * plain arrays of values, one operation at a time, in plain C. */
#ifndef STENO_TEST_REDUCE_ORACLE_H
#define STENO_TEST_REDUCE_ORACLE_H

#include "order_oracle.h"

/* A value in f64 or f32 arithmetic stands in `real`, one in i64 arithmetic and any number of an
 * element, count or truth in `integer`. */
typedef struct reduce_value {
    double real;
    int64_t integer;
} reduce_value;

typedef enum reduce_operation {
    REDUCE_SUM,
    REDUCE_PRODUCT,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_ARGMIN,
    REDUCE_ARGMAX,
    REDUCE_COUNT, /* of elements whose `integer` is not 0; so ANY and ALL */
    REDUCE_ANY,
    REDUCE_ALL,
    REDUCE_NORM1,
    REDUCE_NORM2, /* not in i64 */
    REDUCE_NORM_INF,
    REDUCE_PRODUCTS, /* the sum of x * y by fma */
    REDUCE_BY,       /* the functions of a rule */
    REDUCE_OPERATIONS
} reduce_operation;

typedef reduce_value reduce_combine(stn_format arithmetic, reduce_value a, reduce_value b);
typedef reduce_value reduce_finalize(stn_format arithmetic, reduce_value a);

/* What is calculated; the functions and the identity are of REDUCE_BY. */
typedef struct reduce_rule {
    reduce_operation operation;
    stn_format arithmetic;
    reduce_combine *combine;
    reduce_finalize *finalize; /* NULL: the value as it is */
    reduce_value identity;
} reduce_rule;

/* Is the result an int64_t, whatever the arithmetic? */
int reduce_counts(reduce_operation operation);

/* The same bits, or both NaN. */
int reduce_same(const reduce_rule *rule, reduce_value a, reduce_value b);

/* The result over `count` elements; y is read by REDUCE_PRODUCTS only. */
reduce_value reduce_order(const reduce_rule *rule, const reduce_value *x, const reduce_value *y,
                          int64_t count);

/* The scan of `count` elements; sum, product, min, max, and BY without finalize. */
void reduce_scan(const reduce_rule *rule, int exclusive, const reduce_value *x, int64_t count,
                 reduce_value *scanned);

/* ---- elements, by the codecs of oracle.h ---- */

reduce_value reduce_decode(stn_format arithmetic, const stn_storage *storage, uint64_t code);
uint64_t reduce_encode(stn_format arithmetic, const stn_storage *storage, reduce_value value,
                       int is_integer, int64_t draw);

#endif
