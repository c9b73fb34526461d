/* The scales of a scene: found, counted and changed by element and by the selecting indices. */
#include "accessor_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static check_value number(const check_type *type, double value)
{
    return type->arithmetic == STN_F64 ? (check_value){.f64 = value}
                                       : (check_value){.f32 = (float)value};
}

static check_value expected_scale(const check_scene *scene, const stn_size *at)
{
    const int format = scene->type->scale_format;
    const stn_size place = check_scale_place(scene, at);
    return number(scene->type, oracle_decode(&oracle_formats[format],
                                             check_code(format, scene->expected_scales, place, 0)));
}

/* The indices that select an element's scale, blocks counted from the one of the first element. */
static void direct_indices(const check_scene *scene, const stn_size *at, stn_size *direct)
{
    const stn_size block = scene->type->block;
    for (int d = 0; d < scene->type->rank; d++) {
        if (!check_selects(scene->type, d))
            continue;
        *direct++ = d == check_last_selected(scene->type)
                        ? (scene->begin[d] + at[d]) / block - scene->begin[d] / block
                        : at[d];
    }
}

static stn_size expected_count(const check_scene *scene)
{
    stn_size last[8], direct[8] = {0}, count = 1;
    for (int d = 0; d < scene->type->rank; d++) {
        if (scene->extent[d] == 0)
            return 0;
        last[d] = scene->extent[d] - 1;
    }
    direct_indices(scene, last, direct);
    for (int k = 0; k < 8; k++)
        count *= direct[k] + 1;
    return count;
}

static void assert_scale(const check_scene *scene, const stn_size *at, check_value got)
{
    if (!check_same(scene->type->arithmetic, got, expected_scale(scene, at)))
        fail_msg("%s: the scale of an element is another", scene->type->label);
}

static void check_found(const check_scene *scene)
{
    const check_type *const type = scene->type;
    stn_size at[8] = {0}, direct[8] = {0};
    do {
        direct_indices(scene, at, direct);
        assert_scale(scene, at, type->scale(scene->x.bytes, at));
        assert_scale(scene, at, type->scale_direct(scene->x.bytes, direct));
    } while (check_next(type->rank, scene->extent, at));
}

/* The scale of `at` becomes `value` as its format has it, and with it that of its neighbours. */
static void check_change(const check_scene *scene, const stn_size *at, double value, int by_element)
{
    const check_type *const type = scene->type;
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    const check_value given = number(type, value);
    const double exact = type->arithmetic == STN_F64 ? given.f64 : (double)given.f32;
    stn_size direct[8] = {0};
    unsigned events = 0;
    direct_indices(scene, at, direct);
    check_put_code(type->scale_format, scene->expected_scales, check_scale_place(scene, at), 0,
                   oracle_encode(&oracle_formats[type->scale_format], exact, rule, &events));
    assert_scale(scene, at,
                 by_element ? type->set_scale(scene->x.bytes, at, given)
                            : type->set_scale_direct(scene->x.bytes, direct, given));
    check_memory(scene);
}

void check_scales(const check_scene *scene)
{
    static const stn_size first[8];
    const check_type *const type = scene->type;
    const int bytes = oracle_formats[type->scale_format].bits / 8;
    assert_int_equal(type->scale_count(scene->x.bytes), expected_count(scene));
    assert_ptr_equal(type->scales(scene->x.bytes),
                     scene->scales + check_scale_place(scene, first) * bytes);
    if (check_count(type->rank, scene->extent) == 0)
        return;
    const stn_size all = check_count(type->rank, scene->extent);
    check_found(scene);
    for (stn_size k = 0; k < all; k += 1 + all / 6) {
        stn_size at[8] = {0};
        check_index(type->rank, scene->extent, k, at);
        check_change(scene, at, 0.75, 1);
        check_change(scene, at, -1.3, 0); /* rounded, as it is stored */
        check_gets(scene);
    }
    check_found(scene);
}
