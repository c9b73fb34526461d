/* For files that are included once per arithmetic type T (f64, f32), whose values are REAL:
 * of(name) is name_T, V is vT, a vector of values, and AFFINE is affine_T. */
#ifndef STENO_FORMAT_OF_H
#define STENO_FORMAT_OF_H

#define STN_PASTE2(a, b)  a##b
#define STN_PASTE_T(a, b) STN_PASTE2(a, b)
#define of(name)          STN_PASTE_T(name##_, T)
#define V                 STN_PASTE_T(v, T)
#define AFFINE            of(affine)

#endif
