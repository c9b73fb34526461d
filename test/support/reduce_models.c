/* See reduce_models.h. */
#include "check.h"
#include "reduce_models.h"

#include <math.h>
#include <stdlib.h>

/* ---- elements ---- */

/* name: what an element contributes, as statements. */
#define ELEMENT(name, ...)                                                                         \
    static void name(stn_format arithmetic, const int64_t *index, const kernel_numbers *numbers,   \
                     const reduce_value *v, reduce_value *x, reduce_value *y)                      \
    {                                                                                              \
        (void)arithmetic, (void)index, (void)numbers, (void)v, (void)x, (void)y;                   \
        __VA_ARGS__;                                                                               \
    }

ELEMENT(plain, *x = v[0])
ELEMENT(pair, *x = v[0]; *y = v[1])
/* 1 + x / (64 * (1 + |x|)) */
ELEMENT(near_one, const double size = order_multiply(arithmetic, 64,
                                                     order_add(arithmetic, 1, fabs(v[0].real)));
        const double part = arithmetic == STN_F32 ? (double)((float)v[0].real / (float)size)
                                                  : v[0].real / size;
        x->real = order_add(arithmetic, 1, part))
/* y - a * x */
ELEMENT(distance, const double a = order_round(arithmetic, numbers->real);
        x->real = order_add(arithmetic, v[1].real, -order_multiply(arithmetic, a, v[0].real)))
ELEMENT(is_less, x->integer = v[0].real < v[1].real)
ELEMENT(is_negative, x->integer = v[0].real < 0)
ELEMENT(is_number, x->integer = !isnan(v[0].real))
/* x + (1000 i + 100 j + 10 k + l + n % 1000) */
ELEMENT(numbered, const int64_t number = 1000 * index[0] + 100 * index[1] + 10 * index[2] +
                                         index[3] + numbers->index % 1000;
        const double low = arithmetic == STN_F32 ? (double)(float)number : (double)number;
        x->real = order_add(arithmetic, v[0].real, low))
/* x * u(i % extent) + (m >> 60) */
ELEMENT(gathered, x->real = order_add(arithmetic, order_multiply(arithmetic, v[0].real, v[1].real),
                                      (double)(numbers->bits >> 60)))
ELEMENT(half, x->real = order_multiply(arithmetic, v[0].real, 0.5))

static reduce_value lean(stn_format arithmetic, reduce_value a, reduce_value b)
{
    a.real = order_add(arithmetic, a.real, order_multiply(arithmetic, 0.75, b.real));
    return a;
}

static reduce_value thrice(stn_format arithmetic, reduce_value a)
{
    a.real = order_multiply(arithmetic, a.real, 3);
    return a;
}

/* ---- elements of integers ---- */

static int64_t wrap(uint64_t bits)
{
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* x ^ n */
ELEMENT(mixed_bits, x->integer = v[0].integer ^ numbers->index)
/* x | 1 */
ELEMENT(odd, x->integer = v[0].integer | 1)
/* x % 1000, so that no square is lost */
ELEMENT(small_pair, x->integer = v[0].integer % 1000; y->integer = v[1].integer % 1000)
ELEMENT(small, x->integer = v[0].integer % 1000)
ELEMENT(is_less_integer, x->integer = v[0].integer < v[1].integer)
ELEMENT(is_after, x->integer = v[0].integer > index[0] + numbers->index % 3)

static reduce_value append(stn_format arithmetic, reduce_value a, reduce_value b)
{
    (void)arithmetic;
    a.integer = wrap((uint64_t)a.integer * 31 + (uint64_t)b.integer);
    return a;
}

static reduce_value inverted(stn_format arithmetic, reduce_value a)
{
    (void)arithmetic;
    a.integer = ~a.integer;
    return a;
}

const reduce_model reduce_models[] = {
    {"total", REDUCE_SUM, 0, 1, 0, plain, NULL, NULL, {0, 0}},
    {"grown", REDUCE_PRODUCT, 0, 1, 0, near_one, NULL, NULL, {0, 0}},
    {"least", REDUCE_MIN, 0, 1, 0, plain, NULL, NULL, {0, 0}},
    {"greatest", REDUCE_MAX, 0, 2, 0, distance, NULL, NULL, {0, 0}},
    {"where_least", REDUCE_ARGMIN, 0, 1, 0, plain, NULL, NULL, {0, 0}},
    {"where_greatest", REDUCE_ARGMAX, 0, 2, 0, distance, NULL, NULL, {0, 0}},
    {"how_many", REDUCE_COUNT, 0, 2, 0, is_less, NULL, NULL, {0, 0}},
    {"has_negative", REDUCE_ANY, 0, 1, 0, is_negative, NULL, NULL, {0, 0}},
    {"has_numbers_only", REDUCE_ALL, 0, 1, 0, is_number, NULL, NULL, {0, 0}},
    {"size1", REDUCE_NORM1, 0, 1, 0, plain, NULL, NULL, {0, 0}},
    {"size2", REDUCE_NORM2, 0, 1, 0, plain, NULL, NULL, {0, 0}},
    {"size_largest", REDUCE_NORM_INF, 0, 1, 0, plain, NULL, NULL, {0, 0}},
    {"inner", REDUCE_PRODUCTS, 0, 2, 0, pair, NULL, NULL, {0, 0}},
    {"numbered", REDUCE_SUM, 0, 1, 0, numbered, NULL, NULL, {0, 0}},
    {"gathered", REDUCE_SUM, 0, 2, 1, gathered, NULL, NULL, {0, 0}},
    {"leaning", REDUCE_BY, 0, 1, 0, half, lean, thrice, {7, 0}},
    {"total_integer", REDUCE_SUM, 1, 1, 0, mixed_bits, NULL, NULL, {0, 0}},
    {"product_integer", REDUCE_PRODUCT, 1, 1, 0, odd, NULL, NULL, {0, 0}},
    {"least_integer", REDUCE_MIN, 1, 1, 0, plain, NULL, NULL, {0, 0}},
    {"greatest_integer", REDUCE_MAX, 1, 1, 0, plain, NULL, NULL, {0, 0}},
    {"where_least_integer", REDUCE_ARGMIN, 1, 1, 0, plain, NULL, NULL, {0, 0}},
    {"where_greatest_integer", REDUCE_ARGMAX, 1, 1, 0, small, NULL, NULL, {0, 0}},
    {"how_many_integer", REDUCE_COUNT, 1, 2, 0, is_less_integer, NULL, NULL, {0, 0}},
    {"has_after", REDUCE_ANY, 1, 1, 0, is_after, NULL, NULL, {0, 0}},
    {"all_after", REDUCE_ALL, 1, 1, 0, is_after, NULL, NULL, {0, 0}},
    {"size1_integer", REDUCE_NORM1, 1, 1, 0, small, NULL, NULL, {0, 0}},
    {"size_largest_integer", REDUCE_NORM_INF, 1, 1, 0, small, NULL, NULL, {0, 0}},
    {"inner_integer", REDUCE_PRODUCTS, 1, 2, 0, small_pair, NULL, NULL, {0, 0}},
    {"appended", REDUCE_BY, 1, 1, 0, plain, append, inverted, {0, 7}},
};
const int reduce_model_count = (int)(sizeof reduce_models / sizeof *reduce_models);

reduce_rule reduce_rule_of(const reduce_model *model, stn_format arithmetic)
{
    const reduce_rule rule = {model->operation, arithmetic, model->combine, model->finalize,
                              model->identity};
    return rule;
}

/* ---- arrays ---- */

int reduce_next(int rank, const int64_t *extent, int64_t *index)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++index[d] < extent[d])
            return 1;
        index[d] = 0;
    }
    return 0;
}

int64_t reduce_volume(int rank, const int64_t *extent)
{
    int64_t volume = 1;
    for (int d = 0; d < rank; d++)
        volume *= extent[d];
    return volume;
}

static int64_t place_of(const kernel_array *array, int rank, const int64_t *index)
{
    int64_t offset = 0;
    for (int d = 0; d < array->rank; d++)
        if (array->extent[d] != 1)
            offset += index[rank - array->rank + d] * array->stride[d];
    return array->first + offset * array->element;
}

uint64_t reduce_code(const kernel_array *array, int rank, const int64_t *index)
{
    uint64_t code = 0;
    const uint8_t *at = array->memory + place_of(array, rank, index);
    for (int64_t k = 0; k < array->element; k++)
        code |= (uint64_t)at[k] << 8 * k;
    return code;
}

void reduce_put_code(kernel_array *array, int rank, const int64_t *index, uint64_t code)
{
    uint8_t *at = array->memory + place_of(array, rank, index);
    for (int64_t k = 0; k < array->element; k++)
        at[k] = (uint8_t)(code >> 8 * k);
}

/* Of few values, each many times. */
static uint64_t draw_few(const oracle_format *format, uint64_t seed, uint64_t k, uint64_t count)
{
    return order_draw(format, ORDER_MIXED, seed, oracle_random(seed, k) % 3, count);
}

kernel_array reduce_make(stn_storage storage, int rank, const int64_t *extent,
                         const int64_t *stride, int kind, uint64_t *state)
{
    kernel_array array = kernel_make(storage, rank, extent, stride, state);
    const uint64_t seed = order_next(state);
    const int64_t volume = reduce_volume(rank, extent);
    int64_t index[KERNEL_RANK] = {0};
    const oracle_format *format = &oracle_formats[storage.format];
    for (int64_t k = 0; k < volume; k++) {
        const uint64_t code =
            kind == REDUCE_FEW
                ? draw_few(format, seed, (uint64_t)k, (uint64_t)volume)
                : order_draw(format, (order_kind)kind, seed, (uint64_t)k, (uint64_t)volume);
        reduce_put_code(&array, rank, index, code);
        reduce_next(rank, extent, index);
    }
    return array;
}

/* ---- results ---- */

/* The mapped elements of a line or a block: room for all, and how many there are. */
typedef struct elements {
    reduce_value *x, *y;
    int64_t count;
} elements;

static elements make_room(const reduce_case *c)
{
    const size_t volume = (size_t)reduce_volume(c->rank, c->extent) + 1;
    const elements g = {calloc(volume, sizeof *g.x), calloc(volume, sizeof *g.y), 0};
    assert_non_null(g.x);
    assert_non_null(g.y);
    return g;
}

static void drop_room(elements *g)
{
    free(g->x);
    free(g->y);
}

static void gather_element(const reduce_case *c, const int64_t *index, elements *g)
{
    reduce_value views[REDUCE_VIEWS];
    int64_t padded[KERNEL_RANK] = {0};
    memcpy(padded, index, (size_t)c->rank * sizeof *index);
    for (int v = 0; v < c->model->views; v++) {
        const kernel_array *array = &c->arrays[v];
        const int is_field = v > 0 && v == c->model->field;
        const int64_t place = is_field ? padded[0] % array->extent[0] : 0;
        views[v] = reduce_decode(c->arithmetic, &array->storage,
                                 is_field ? reduce_code(array, 1, &place)
                                          : reduce_code(array, c->rank, index));
    }
    c->model->element(c->arithmetic, padded, &c->numbers, views, &g->x[g->count], &g->y[g->count]);
    g->count++;
}

/* The elements at the kept indices of *at, in C order of the reduced dimensions. */
static void gather(const reduce_case *c, unsigned reduced, const int64_t *at, elements *g)
{
    int64_t extent[KERNEL_RANK], index[KERNEL_RANK], inner[KERNEL_RANK] = {0};
    for (int d = 0; d < c->rank; d++)
        extent[d] = reduced >> d & 1 ? c->extent[d] : 1;
    g->count = 0;
    if (reduce_volume(c->rank, extent) == 0)
        return;
    do {
        for (int d = 0; d < c->rank; d++)
            index[d] = reduced >> d & 1 ? inner[d] : at[d];
        gather_element(c, index, g);
    } while (reduce_next(c->rank, extent, inner));
}

static unsigned all_of(int rank)
{
    return (1u << rank) - 1;
}

reduce_value reduce_expect(const reduce_case *c)
{
    const reduce_rule rule = reduce_rule_of(c->model, c->arithmetic);
    const int64_t none[KERNEL_RANK] = {0};
    elements g = make_room(c);
    gather(c, all_of(c->rank), none, &g);
    const reduce_value value = reduce_order(&rule, g.x, g.y, g.count);
    drop_room(&g);
    return value;
}

static int gives_integer(const reduce_case *c)
{
    return c->arithmetic == STN_I64 || reduce_counts(c->model->operation);
}

void reduce_expect_into(const reduce_case *c, unsigned reduced, kernel_array *result)
{
    const reduce_rule rule = reduce_rule_of(c->model, c->arithmetic);
    int64_t outer[KERNEL_RANK], at[KERNEL_RANK] = {0}, draw = 0;
    elements g = make_room(c);
    for (int d = 0; d < c->rank; d++)
        outer[d] = reduced >> d & 1 ? 1 : c->extent[d];
    if (reduce_volume(c->rank, outer) > 0)
        do {
            int64_t own[KERNEL_RANK];
            int rank = 0;
            for (int d = 0; d < c->rank; d++)
                if (!(reduced >> d & 1))
                    own[rank++] = at[d];
            gather(c, reduced, at, &g);
            const reduce_value value = reduce_order(&rule, g.x, g.y, g.count);
            reduce_put_code(
                result, rank, own,
                reduce_encode(c->arithmetic, &result->storage, value, gives_integer(c), draw++));
        } while (reduce_next(c->rank, outer, at));
    drop_room(&g);
}

void reduce_expect_scan(const reduce_case *c, int exclusive, int dimension, kernel_array *result)
{
    const reduce_rule rule = reduce_rule_of(c->model, c->arithmetic);
    const unsigned along = 1u << dimension;
    int64_t outer[KERNEL_RANK], at[KERNEL_RANK] = {0};
    elements g = make_room(c);
    reduce_value *scanned = calloc((size_t)c->extent[dimension] + 1, sizeof *scanned);
    assert_non_null(scanned);
    for (int d = 0; d < c->rank; d++)
        outer[d] = d == dimension ? 1 : c->extent[d];
    if (reduce_volume(c->rank, c->extent) > 0)
        do {
            gather(c, along, at, &g);
            reduce_scan(&rule, exclusive, g.x, g.count, scanned);
            for (int64_t e = 0; e < g.count; e++) {
                int64_t own[KERNEL_RANK], draw = 0;
                for (int d = 0; d < c->rank; d++) {
                    own[d] = d == dimension ? e : at[d];
                    draw = draw * c->extent[d] + own[d];
                }
                reduce_put_code(result, c->rank, own,
                                reduce_encode(c->arithmetic, &result->storage, scanned[e],
                                              gives_integer(c), draw));
            }
        } while (reduce_next(c->rank, outer, at));
    free(scanned);
    drop_room(&g);
}
