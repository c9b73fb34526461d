/* Loops whose bytes per element are known by construction, for test_contract_elements.sh, which
 * reads them here: LOOP(name, bytes per element, parameters, body). An element is one of the index
 * i; where all arrays are of structs with as many numbers, "or" gives those per number, too. 0: one
 * array advances by more numbers than another, so that the number must not be determined. */
#include <stdint.h>

/* clang-format off */
typedef struct two { float x, y; } two;
typedef struct three { float x, y, z; } three;
typedef struct four { float x, y, z, w; } four;
typedef struct pair { double x, y; } pair;
typedef struct padded { float x; double y; } padded;
typedef struct unlike { int32_t a, b; double c; } unlike;
typedef struct color { uint8_t r, g, b; } color;
typedef struct point { int16_t x, y; } point;
typedef struct pixel { uint8_t r, g, b, a; } pixel;
/* clang-format on */

#define R              *restrict
#define OR(per_number) /* read by the test */
#define LOOP(name, bytes, parameters, body)                                                        \
    void name parameters;                                                                          \
    void name parameters                                                                           \
    {                                                                                              \
        for (long i = 0; i < n; i++)                                                               \
            body;                                                                                  \
    }

/* clang-format off */
LOOP(copy_i8, 2, (long n, int8_t R y, const int8_t R x), y[i] = x[i])
LOOP(copy_f32, 8, (long n, float R y, const float R x), y[i] = x[i])
LOOP(scale_f32, 8, (long n, float R y, const float R x, float a), y[i] = a * x[i])
LOOP(scale_f64, 16, (long n, double R y, const double R x, double a), y[i] = a * x[i])
LOOP(three_f32, 8, (long n, float R y, const float R x), y[i] = 3 * x[i] + 1)
LOOP(axpy_f32, 12, (long n, float R y, const float R x, float a), y[i] += a * x[i])
LOOP(axpy_f64, 24, (long n, double R y, const double R x, double a), y[i] += a * x[i])
LOOP(in_place_f32, 8, (long n, float R y, float a), y[i] *= a)

LOOP(widen_i8_i16, 3, (long n, int16_t R y, const int8_t R x), y[i] = x[i])
LOOP(widen_i8_i32, 5, (long n, int32_t R y, const int8_t R x), y[i] = x[i])
LOOP(widen_i16_i32, 6, (long n, int32_t R y, const int16_t R x), y[i] = x[i])
LOOP(widen_i32_i64, 12, (long n, int64_t R y, const int32_t R x), y[i] = x[i])
LOOP(widen_u8_i64, 9, (long n, int64_t R y, const uint8_t R x), y[i] = x[i])
LOOP(narrow_i32_i16, 6, (long n, int16_t R y, const int32_t R x), y[i] = (int16_t)x[i])
LOOP(narrow_i32_i8, 5, (long n, int8_t R y, const int32_t R x), y[i] = (int8_t)x[i])
LOOP(narrow_i64_i32, 12, (long n, int32_t R y, const int64_t R x), y[i] = (int32_t)x[i])
LOOP(narrow_i16_i8, 3, (long n, int8_t R y, const int16_t R x), y[i] = (int8_t)x[i])

LOOP(i8_to_f32, 5, (long n, float R y, const int8_t R x), y[i] = x[i])
LOOP(u8_to_f32, 5, (long n, float R y, const uint8_t R x), y[i] = x[i])
LOOP(i16_to_f32, 6, (long n, float R y, const int16_t R x), y[i] = x[i])
LOOP(i32_to_f32, 8, (long n, float R y, const int32_t R x), y[i] = (float)x[i])
LOOP(i32_to_f64, 12, (long n, double R y, const int32_t R x), y[i] = x[i])
LOOP(i8_to_f64, 9, (long n, double R y, const int8_t R x), y[i] = x[i])
LOOP(f32_to_f64, 12, (long n, double R y, const float R x), y[i] = x[i])
LOOP(f64_to_f32, 12, (long n, float R y, const double R x), y[i] = (float)x[i])
LOOP(f32_to_i32, 8, (long n, int32_t R y, const float R x), y[i] = (int32_t)x[i])
LOOP(f64_to_i32, 12, (long n, int32_t R y, const double R x), y[i] = (int32_t)x[i])
LOOP(f32_to_i8, 5, (long n, int8_t R y, const float R x), y[i] = (int8_t)x[i])
LOOP(f32_to_i16, 6, (long n, int16_t R y, const float R x), y[i] = (int16_t)x[i])
LOOP(scaled_i8_f32, 5, (long n, float R y, const int8_t R x, float a, float b), y[i] = a * x[i] + b)
LOOP(scaled_i16_f64, 10, (long n, double R y, const int16_t R x, double a), y[i] = a * x[i])
LOOP(bf16_to_f32, 6, (long n, uint32_t R y, const uint16_t R x), y[i] = (uint32_t)x[i] << 16)
LOOP(f32_to_bf16, 6, (long n, uint16_t R y, const uint32_t R x), y[i] = (uint16_t)(x[i] >> 16))
LOOP(narrow_axpy, 12, (long n, float R y, const float R x, double a), y[i] = (float)(y[i] + a * x[i]))
LOOP(mixed_axpy, 20, (long n, double R y, const float R x, double a), y[i] += a * x[i])

LOOP(add_i8, 3, (long n, int8_t R y, const int8_t R x), y[i] = (int8_t)(y[i] + x[i]))
LOOP(add_i16, 6, (long n, int16_t R y, const int16_t R x), y[i] = (int16_t)(y[i] + x[i]))
LOOP(add_i32, 12, (long n, int32_t R y, const int32_t R x), y[i] += x[i])
LOOP(add_i64, 24, (long n, int64_t R y, const int64_t R x), y[i] += x[i])
LOOP(multiply_i8, 3, (long n, int8_t R y, const int8_t R x), y[i] = (int8_t)(y[i] * x[i]))
LOOP(multiply_i64, 24, (long n, int64_t R y, const int64_t R x), y[i] *= x[i])
LOOP(shift_i8, 2, (long n, uint8_t R y, const uint8_t R x), y[i] = x[i] >> 1)
LOOP(shift_i64, 16, (long n, int64_t R y, const int64_t R x), y[i] = x[i] >> 63)
LOOP(xor_i8, 2, (long n, int8_t R y, const int8_t R x), y[i] = x[i] ^ 1)
LOOP(xor_i32, 8, (long n, int32_t R y, const int32_t R x), y[i] = x[i] ^ 1)
LOOP(seventh_u8, 2, (long n, uint8_t R y, const uint8_t R x), y[i] = x[i] / 7)
LOOP(seventh_u16, 4, (long n, uint16_t R y, const uint16_t R x), y[i] = x[i] / 7)
LOOP(seventh_u32, 8, (long n, uint32_t R y, const uint32_t R x), y[i] = x[i] / 7)
LOOP(absolute_f32, 8, (long n, float R y, const float R x), y[i] = x[i] < 0 ? -x[i] : x[i])
LOOP(negative_f64, 16, (long n, double R y, const double R x), y[i] = -x[i])
LOOP(less_f32, 12, (long n, float R y, const float R x, const float R z), y[i] = x[i] < z[i] ? x[i] : z[i])
LOOP(chosen_f32, 9, (long n, float R y, const float R x, const int8_t R c), y[i] = c[i] ? x[i] : 0)
LOOP(chosen_f64, 17, (long n, double R y, const double R x, const int8_t R c), y[i] = c[i] ? x[i] : 0)
LOOP(positive_u8, 5, (long n, uint8_t R y, const float R x), y[i] = x[i] > 0)
LOOP(iota_i8, 1, (long n, int8_t R y), y[i] = (int8_t)i)
LOOP(iota_f32, 4, (long n, float R y), y[i] = (float)i)
LOOP(beside, 12, (long n, float R y, const float R x, int16_t R w, const int16_t R v), (y[i] = 2 * x[i], w[i] = (int16_t)~v[i]))
LOOP(backwards, 8, (long n, float R y, const float R x), y[i] = 2 * x[n - 1 - i])
LOOP(root_f64, 16, (long n, double R y, const double R x), y[i] = 1 / x[i])

LOOP(sum_f32, 4, (long n, float R y, const float R x), *y += x[i])
LOOP(sum_f64, 8, (long n, double R y, const double R x), *y += x[i])
LOOP(sum_i32, 4, (long n, int32_t R y, const int32_t R x), *y += x[i])
LOOP(sum_i8, 1, (long n, int32_t R y, const int8_t R x), *y += x[i])
LOOP(sum_wide, 4, (long n, double R y, const float R x), *y += x[i])
LOOP(dot_f64, 16, (long n, double R y, const double R x, const double R z), *y += x[i] * z[i])
LOOP(dot_i16, 4, (long n, int32_t R y, const int16_t R x, const int16_t R z), *y += x[i] * z[i])
LOOP(greatest, 2, (long n, int16_t R y, const int16_t R x), *y = x[i] > *y ? x[i] : *y)

LOOP(sum_i64_u8, 8, (long n, uint8_t R y, const int64_t R x), *y = (uint8_t)(*y + (uint8_t)x[i]))
LOOP(sum_i64_i32, 8, (long n, int32_t R y, const int64_t R x), *y += (int32_t)x[i])
LOOP(sum_i32_u16, 4, (long n, uint16_t R y, const int32_t R x), *y = (uint16_t)(*y + (uint16_t)x[i]))
LOOP(sum_i32_i64, 4, (long n, int64_t R y, const int32_t R x), *y += x[i])
LOOP(sum_u16_u32, 2, (long n, uint32_t R y, const uint16_t R x), *y += x[i])
LOOP(minus_u32_u64, 4, (long n, uint64_t R y, const uint32_t R x), *y -= x[i])
LOOP(dot_i32_i64, 8, (long n, int64_t R y, const int32_t R x, const int32_t R z), *y += (int64_t)x[i] * z[i])
LOOP(add_i32_i64, 20, (long n, int64_t R y, const int32_t R x), y[i] += x[i])
LOOP(both_i32_i64, 16, (long n, int64_t R y, const int32_t R x, const int32_t R z), y[i] = (int64_t)x[i] - z[i])
LOOP(beside_i32_i64, 20, (long n, int64_t R y, const int64_t R x, const int32_t R z), y[i] = x[i] + z[i])
LOOP(minus_u16_u32, 10, (long n, uint32_t R y, const uint16_t R x), y[i] -= x[i])
LOOP(dots_i16_i32, 12, (long n, int32_t R y, const int16_t R x, const int16_t R z), y[i] += x[i] * z[i])
LOOP(upper_i32, 10, (long n, int16_t R y, const int32_t R x, const int32_t R z), y[i] = (int16_t)((x[i] + z[i]) >> 16))
LOOP(root_of_i64, 12, (long n, float R y, const int64_t R x), y[i] = (float)x[i])
LOOP(widen_u16_u64, 10, (long n, uint64_t R y, const uint16_t R x), y[i] = x[i] + 1u)

LOOP(first_of_two, 0, (long n, float R y, const two R s), y[i] = s[i].x)
LOOP(both_of_two, 0, (long n, float R y, const two R s), y[i] = s[i].x + s[i].y)
LOOP(wide_of_two, 0, (long n, double R y, const two R s), y[i] = (double)s[i].x + s[i].y)
LOOP(all_of_three, 0, (long n, float R y, const three R s), y[i] = s[i].x + s[i].y + s[i].z)
LOOP(first_of_four, 0, (long n, float R y, const four R s), y[i] = s[i].x)
LOOP(all_of_four, 0, (long n, float R y, const four R s), y[i] = s[i].x + s[i].y * s[i].z + s[i].w)
LOOP(second_of_pair, 0, (long n, double R y, const pair R s), y[i] = 2 * s[i].y)
LOOP(both_of_pair, 0, (long n, double R y, const pair R s), y[i] = s[i].x * s[i].y)
LOOP(both_of_padded, 0, (long n, double R y, const padded R s), y[i] = s[i].x + s[i].y)
LOOP(all_of_unlike, 0, (long n, double R y, const unlike R s), y[i] = s[i].a + s[i].b * s[i].c)
LOOP(all_of_color, 0, (long n, uint8_t R y, const color R s), y[i] = (uint8_t)((s[i].r + s[i].g + s[i].b) / 3))
LOOP(both_of_point, 0, (long n, int32_t R y, const point R s), y[i] = s[i].x * s[i].y)
LOOP(sum_of_two, 8, (long n, float R y, const two R s), *y += s[i].x)
LOOP(sum_of_four, 16, (long n, float R y, const four R s), *y += s[i].z)
LOOP(sum_of_pairs, 32, (long n, double R y, const pair R s, const pair R t), *y += s[i].x * t[i].x)
LOOP(sum_of_points, 4, (long n, int32_t R y, const point R s), *y += s[i].x)
LOOP(into_two, 0, (long n, two R s, const float R x, const float R y), (s[i].x = x[i], s[i].y = y[i]))
LOOP(into_three, 0, (long n, three R s, const float R x), (s[i].x = x[i], s[i].y = 0, s[i].z = 1))
LOOP(one_of_two, 16, (long n, two R s, float a), s[i].x *= a)
LOOP(across_two, 16, (long n, two R s), s[i].y = s[i].x)
LOOP(scaled_two, 16 OR(8), (long n, two R s, float a), (s[i].x *= a, s[i].y *= a))
LOOP(scaled_pair, 32 OR(16), (long n, pair R s, double a), (s[i].x *= a, s[i].y *= a))
LOOP(turned_two, 16 OR(8), (long n, two R t, const two R s), (t[i].x = -s[i].y, t[i].y = s[i].x))
LOOP(copied_two, 16 OR(8), (long n, two R t, const two R s), t[i] = s[i])
LOOP(filled_two, 8 OR(4), (long n, two R t, two v), t[i] = v)
LOOP(copied_point, 8 OR(4), (long n, point R t, const point R s), t[i] = s[i])
LOOP(copied_pixel, 8 OR(2), (long n, pixel R t, const pixel R s), t[i] = s[i])
LOOP(filled_pixel, 4 OR(1), (long n, pixel R t, pixel v), t[i] = v)
LOOP(grey_pixel, 0, (long n, pixel R t, const uint8_t R x), (t[i].r = t[i].g = t[i].b = t[i].a = x[i]))
LOOP(red_of_pixel, 0, (long n, uint8_t R y, const pixel R s), y[i] = (uint8_t)(s[i].r + 1))
LOOP(light_of_pixel, 0, (long n, uint8_t R y, const pixel R s), y[i] = (uint8_t)((s[i].r + 2 * s[i].g + s[i].b) >> 2))
LOOP(product_two, 24 OR(12), (long n, two R t, const two R s, const two R u), (t[i].x = s[i].x * u[i].x - s[i].y * u[i].y, t[i].y = s[i].x * u[i].y + s[i].y * u[i].x))
LOOP(product_pair, 48 OR(24), (long n, pair R t, const pair R s, const pair R u), (t[i].x = s[i].x * u[i].x - s[i].y * u[i].y, t[i].y = s[i].x * u[i].y + s[i].y * u[i].x))
LOOP(every_other, 0, (long n, double R y, const double R x), y[i] = 2 * x[2 * i])
LOOP(every_third, 0, (long n, float R y, const float R x), y[i] = 2 * x[3 * i])
LOOP(negatives_beside_f32, 0, (long n, float R y, const float R x), (y[2 * i] = x[i], y[2 * i + 1] = -x[i]))
LOOP(negatives_beside_i32, 0, (long n, int32_t R y, const int32_t R x), (y[2 * i] = x[i], y[2 * i + 1] = -x[i]))
LOOP(pairs_f32, 0, (long n, float R y, const float R x), y[i] = x[2 * i] + x[2 * i + 1])
LOOP(pairs_i32, 0, (long n, int32_t R y, const int32_t R x), y[i] = x[2 * i] + x[2 * i + 1])
LOOP(pairs_i16_i32, 0, (long n, int32_t R y, const int16_t R x), y[i] = x[2 * i] * x[2 * i + 1])
LOOP(pairs_f32_f64, 0, (long n, double R y, const float R x), y[i] = (double)x[2 * i] + x[2 * i + 1])
LOOP(four_times_i16, 0, (long n, int16_t R y, const int16_t R x), y[4 * i] = y[4 * i + 1] = y[4 * i + 2] = y[4 * i + 3] = x[i])
LOOP(halves_i32, 8, (long n, int16_t R y, const int32_t R x), (y[2 * i] = (int16_t)x[i], y[2 * i + 1] = (int16_t)(x[i] >> 16)))
LOOP(picked, 20, (long n, double R y, const double R x, const int32_t R k), y[i] = x[k[i]])
/* clang-format on */
