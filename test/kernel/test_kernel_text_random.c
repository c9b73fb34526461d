/* Random kernels' texts against a second evaluator, which works element by element on the tree that
 * the text was written from. */
#include <math.h>

#include "check.h"
#include "steno/kernel_text.h"
#include "text_tree.h"

enum { MOST = 300 };

/* Small ones, many of them whole; now and then any. */
static double any_number(void)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e30, 1e-310, 0x1p63, 1e10};
    return tree_below(12) == 0  ? odd[tree_below(9)]
           : tree_below(2) == 0 ? tree_below(9) - 4
                                : (tree_below(20001) - 10000) / 777.0;
}

static double number_of(const void *array, int k)
{
    return tree.real == FLOAT ? (double)((const float *)array)[k] : ((const double *)array)[k];
}

static void put_number(void *array, int k, double number)
{
    if (tree.real == FLOAT)
        ((float *)array)[k] = (float)number;
    else
        ((double *)array)[k] = number;
}

typedef struct arrays {
    float x[MOST];
    int8_t z[MOST];
    double y[MOST], w[MOST]; /* or of float */
} arrays;

static void check_program(stn_kernel *kernel, int setting, int count, arrays *a, const void *y,
                          const void *w)
{
    const int64_t extent = count;
    const stn_format arithmetic = tree.real == FLOAT ? STN_F32 : STN_F64;
    stn_storage quarters = stn_storage_of(STN_I8);
    stn_view vx, vz, vy, vw;
    quarters.scale = 0.25;
    const int64_t n = -7;
    const double number = 1.625;
    memcpy(a->y, y, sizeof a->y);
    memcpy(a->w, w, sizeof a->w);
    if (stn_view_wrap(&vx, "x", stn_storage_of(STN_F32), a->x, 1, &extent) ||
        stn_view_wrap(&vz, "z", quarters, a->z, 1, &extent) ||
        stn_view_wrap(&vy, "y", stn_storage_of(arithmetic), a->y, 1, &extent) ||
        stn_view_wrap(&vw, "w", stn_storage_of(arithmetic), a->w, 1, &extent))
        fail_msg("%s", stn_error());
    const stn_argument arguments[] = {{.view = &vx}, {.view = &vz},    {.view = &vy},
                                      {.view = &vw}, {.real = number}, {.index = n}};
    expect_ok(stn_kernel_run(order_use(setting), kernel, arithmetic, STN_RANK_BROADCAST, NULL,
                             arguments));
    for (int k = 0; k < count; k++) {
        tree_variables[X] = tree_real(tree.real, (double)a->x[k]);
        tree_variables[Z] = tree_real(tree.real, 0.25 * a->z[k]);
        tree_variables[Y] = tree_real(tree.real, number_of(y, k));
        tree_variables[W] = tree_real(tree.real, number_of(w, k));
        tree_variables[A] = tree_real(tree.real, number);
        tree_variables[N] = (value){LONG, n, 0};
        tree_variables[I] = (value){LONG, k, 0};
        tree_execute();
        if (!order_same(number_of(a->y, k), tree_variables[Y].real) ||
            !order_same(number_of(a->w, k), tree_variables[W].real))
            fail_msg("%s, %d elements, element %d: y %a, not %a; w %a, not %a; of\n%s",
                     order_setting_name(setting), count, k, number_of(a->y, k),
                     tree_variables[Y].real, number_of(a->w, k), tree_variables[W].real, tree.text);
    }
}

UNIT_TEST(test_random)
{
    static arrays a;
    static double y[MOST], w[MOST];
    const int programs = oracle_count(300, 1000, 3000);
    int too_large = 0;
    for (int k = 0; k < programs; k++) {
        stn_kernel *kernel;
        tree_make((uint64_t)k + 1, k % 2 ? FLOAT : DOUBLE);
        const stn_status status = stn_kernel_compile(
            &kernel, "random", "at(i), in(x), in(z), inout(y), inout(w), real(a), index(n)",
            tree.text, STN_KERNEL_REAL);
        if (status != STN_OK) {
            if (!strstr(stn_error(), "than there are registers"))
                fail_msg("%s of\n%s", stn_error(), tree.text);
            too_large++;
            continue;
        }
        for (int e = 0; e < MOST; e++) {
            a.x[e] = (float)any_number();
            a.z[e] = (int8_t)tree_below(256);
            put_number(y, e, any_number());
            put_number(w, e, e);
        }
        check_program(kernel, k % order_settings(), k % 7 ? 1 + tree_below(MOST) : 128, &a, y, w);
        stn_kernel_release(kernel);
    }
    assert_true(too_large * 50 < programs);
}

RUN_UNIT_TESTS(NULL, order_teardown)
