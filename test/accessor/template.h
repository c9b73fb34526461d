/* stn::accessor against the accessors of accessor.h: the same values and the same bytes, for every
 * arithmetic and storage, in every layout, with scales, in parts and in runs. */
#include <stdio.h>
#include <string.h>

#ifdef STN_CHECKED
static int reports;
static void report(const char *, const char *, int, long long, long long)
{
    reports++;
}
#    define STN_CHECK_FAILED report
#endif
#include "steno/accessor.hpp"

static int failures;
#define CHECK(holds)                                                                               \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            failures++;                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #holds);                                     \
        }                                                                                          \
    } while (0)

enum { ROWS = 3, COLUMNS = 37, COUNT = ROWS * COLUMNS };

template <class real> real numbered(int k)
{
    return (real)((k % 2 ? -1 : 1) * (k * 0.37 + 0.1));
}
template <> stn_c128 numbered<stn_c128>(int k)
{
    return stn_c128_of(numbered<double>(k), numbered<double>(k + 5));
}
template <> stn_c64 numbered<stn_c64>(int k)
{
    return stn_c64_of(numbered<float>(k), numbered<float>(k + 5));
}

/* X is of the template, Y of a macro, over two arrays of the same bytes. */
template <class X, class Y, class code> void compare(X x, Y y, code *of_x, code *of_y)
{
    typedef typename Y::real real;
    for (int k = 0; k < COUNT; k++) {
        const int i = k / COLUMNS, j = k % COLUMNS;
        const real a = (x(i, j) = numbered<real>(k)), b = (y(i, j) = numbered<real>(k));
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
    const real more = x(1, 2) += numbered<real>(3), other = y(1, 2) += numbered<real>(3);
    CHECK(memcmp(&more, &other, sizeof more) == 0);
    x(2, 3) -= numbered<real>(4), y(2, 3) -= numbered<real>(4);
    x(0, 3) *= numbered<real>(4), y(0, 3) *= numbered<real>(4);
    x(0, 4) /= numbered<real>(4), y(0, 4) /= numbered<real>(4);
    x(0, 0) = x(1, 1), y(0, 0) = y(1, 1);
    CHECK(memcmp(of_x, of_y, COUNT * sizeof *of_x) == 0);
    for (int k = 0; k < COUNT; k++) {
        const real a = x.to_const()(k / COLUMNS, k % COLUMNS), b = y(k / COLUMNS, k % COLUMNS);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
    CHECK(x.length(1) == COLUMNS && x.length(2) == 1 && x.count() == COUNT);
}

template <class real, class code, class Y> void compare_dense(const Y &y, code *of_y)
{
    static code of_x[COUNT];
    compare(stn::accessor<2, real, code>(of_x, ROWS, COLUMNS), y, of_x, of_y);
}

/* Parts and runs, against elements. */
template <class X> void check_parts(X x)
{
    typename X::real values[COUNT], read[COUNT];
    for (int k = 0; k < COUNT; k++)
        values[k] = numbered<typename X::real>(k);
    x.store(values, COUNT, 0, 0);
    x.load(read, COUNT - 5, 0, 5);
    const X part = x.sub(stn_span_of(1, 3), stn_span_of(4, 30));
    for (int k = 5; k < COUNT; k++)
        CHECK(read[k - 5] == (typename X::real)x(k / COLUMNS, k % COLUMNS));
    CHECK(part.length(0) == 2 && part.length(1) == 26);
    CHECK((typename X::real)part(1, 2) == (typename X::real)x(2, 6));
    CHECK((typename X::real)part.to_const().sub(stn_at(1), stn_all())(0, 3) ==
          (typename X::real)x(2, 7));
    const typename X::real stored = part(0, 0) = values[1];
    CHECK(stored == (typename X::real)x(1, 4));
}

#define PAIR(real, name, label)                                                                    \
    STN_ACCESSOR(label, 2, real, stn_##name)                                                       \
    static void compare_##label()                                                                  \
    {                                                                                              \
        static stn_##name of_y[COUNT];                                                             \
        compare_dense<real>(label##_dense(of_y, ROWS, COLUMNS), of_y);                             \
    }
PAIR(double, f64, d_f64)
PAIR(double, f32, d_f32)
PAIR(double, f16, d_f16)
PAIR(float, bf16, s_bf16)
PAIR(double, e4m3, d_e4m3)
PAIR(float, e5m2, s_e5m2)
PAIR(int64_t, i8, i_i8)
PAIR(int64_t, u64, i_u64)
PAIR(float, u16, s_u16)
PAIR(double, i64, d_i64)
PAIR(stn_c128, c128, z_c128)
PAIR(stn_c128, c64, z_c64)
PAIR(stn_c64, c32, c_c32)

STN_ACCESSOR_LEFT(to_left, 2, double, stn_f16)
STN_ACCESSOR_SCALED(by_row, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(by_both, 2, float, int16_t, 0x3)
STN_ACCESSOR_SCALED(by_none, 2, double, int8_t, 0x0)

static void compare_layouts_and_scales()
{
    static stn_f16 halves[2][COUNT];
    static int8_t bytes[2][COUNT];
    static int16_t words[2][COUNT];
    double scales[ROWS] = {0.5, 0.25, 0.75};
    float each[COUNT];
    for (int k = 0; k < COUNT; k++)
        each[k] = 0.01f * (float)(k + 1);
    compare(stn::accessor<2, double, stn_f16, stn::left>(halves[0], ROWS, COLUMNS),
            to_left_dense(halves[1], ROWS, COLUMNS), halves[0], halves[1]);
    const stn::accessor<2, double, int8_t, stn::right, stn::scaled<0x2>> rows(bytes[0], scales,
                                                                              ROWS, COLUMNS);
    compare(rows, by_row_dense(bytes[1], ROWS, COLUMNS, scales), bytes[0], bytes[1]);
    check_parts(rows);
    const stn::accessor<2, float, int16_t, stn::right, stn::scaled<0x3>> both(words[0], each, ROWS,
                                                                              COLUMNS);
    compare(both, by_both_dense(words[1], ROWS, COLUMNS, each), words[0], words[1]);
    check_parts(both);
    const stn::accessor<2, double, int8_t, stn::left, stn::scaled<0x0>> none(bytes[0], scales, ROWS,
                                                                             COLUMNS);
    check_parts(none);
    const stn_size extents[2] = {ROWS, COLUMNS}, strides[2] = {1, ROWS};
    const stn::accessor<2, double, stn_f16, stn::strided> turned(halves[0], extents, strides);
    check_parts(turned);
    CHECK(turned.stride(1) == ROWS && turned.stride(2) == 0 && turned.data() == halves[0]);
    CHECK((double)turned(2, 5) == stn_f16_to_f64(halves[0][2 + 5 * ROWS]));
}

static void compare_words()
{
    stn_c64 kept[2] = {stn_c64_of(3, 4), stn_c64_of(1, -1)};
    const stn::accessor<1, stn_c128, stn_c64> z(kept, 2);
    CHECK(z(0) == stn_c128_of(3, 4) && z(0) != z(1) && !(z(1) == 1.0));
    CHECK(2.0 * z(0) == stn_c128_of(6, 8) && z(0) + z(1) == stn_c128_of(4, 3) &&
          -z(0) == 0.0 - z(0));
    float numbers[2] = {1, 2};
    const stn::accessor<1, double, float> x(numbers, 2);
    CHECK(x(0) < x(1) && x(0) + 1.0 == x(1) && x(0) * x(1) == 2.0);
    CHECK(sizeof(stn::accessor<1, double, float>) == 24);
#if defined(__FLT16_MANT_DIG__)
    stn_float16 own[2] = {};
    stn::accessor<1, double, stn_float16> h(own, 2);
    h(1) = -0.375;
    CHECK((double)own[1] == -0.375);
#endif
}

#ifdef STN_CHECKED
static void check_reports()
{
    float kept[6] = {1, 2, 3, 4, 5, 6};
    const stn::accessor<2, double, float> x(kept, 2, 3);
    double values[9] = {0};
    CHECK((double)x(2, 0) == 0.0 && reports == 1);
    CHECK((x(0, -1) = 7.0) == 0.0 && reports == 2);
    CHECK(x.to_const()(0, 3) == 0.0 && reports == 3);
    CHECK(x.sub(stn_span_of(0, 3), stn_all()).count() == 0 && reports == 4);
    x.load(values, 7, 0, 0);
    x.store(values, 2, 1, 2);
    CHECK(reports == 6 && kept[5] == 6);
    const stn_size extents[2] = {2, 3}, strides[2] = {3, 2};
    CHECK((stn::accessor<2, double, float>(kept, extents, strides).count() == 0) && reports == 7);
}
#endif

int main()
{
    compare_d_f64(), compare_d_f32(), compare_d_f16(), compare_s_bf16(), compare_d_e4m3();
    compare_s_e5m2(), compare_i_i8(), compare_i_u64(), compare_s_u16(), compare_d_i64();
    compare_z_c128(), compare_z_c64(), compare_c_c32();
    compare_layouts_and_scales();
    compare_words();
#ifdef STN_CHECKED
    check_reports();
#endif
    return failures != 0;
}
