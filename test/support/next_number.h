/* The next greater number, for oracles of nextup and nextdown. */
#ifndef STENO_TEST_NEXT_NUMBER_H
#define STENO_TEST_NEXT_NUMBER_H

#include <stdint.h>
#include <string.h>

/* The next number that is greater, by the order of the bits. */
static inline double above_f64(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = number == 0 ? 1 : number > 0 ? bits + 1 : bits - 1;
    memcpy(&number, &bits, sizeof bits);
    return number;
}
static inline float above_f32(float number)
{
    int32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = number == 0 ? 1 : number > 0 ? bits + 1 : bits - 1;
    memcpy(&number, &bits, sizeof bits);
    return number;
}

#endif
