/* Mistakes in the macros of kernels, reductions and scans, in one program: test_kernel_errors.sh
 * expects one error for each pattern "error: ...", and no others. */
#include "steno/kernel_fuse.h"
#include "steno/reduce.h"

/* clang-format off */

/* error: steno: the first argument, the name, is empty */
STN_MAP(, (in(x), out(y)), y = x;)

/* error: steno: last_empty: an item of the parameter list is empty\. */
STN_MAP(last_empty, (in(x), out(y), ), y = x;)
/* error: steno: first_empty: an item of the parameter list is empty\. */
STN_FUSE(first_empty, last_empty, f64, (, in(x, f16)))
/* error: steno: reduced_empty: an item of the parameter list is empty\. */
STN_REDUCE(reduced_empty, sum, (in(x), ), x)
/* error: steno: no_operation: the operation is empty; there are sum, .* and norm_inf */
STN_REDUCE(no_operation, , (in(x)), x)
/* error: steno: no_chain: the operation is empty; there are sum, product, min and max */
STN_SCAN(no_chain, , (in(x)), x)
/* error: steno: at_no_name: no parameter is written at\(i, *\); there is at\(i, j\)\. */
STN_MAP(at_no_name, (at(i, ), out(y)), y = STN_R(i);)
/* error: steno: in_no_name: no parameter is written in\(\); there is in\(x\)\. */
STN_MAP(in_no_name, (in(), out(y)), y = 1;)
/* error: steno: gather_no_name: no parameter is written gather\(, 1\); there is gather\(u, 2\) */
STN_MAP(gather_no_name, (at(i), gather(, 1), out(y)), y = STN_R(i);)
/* error: steno: shifted_no_name: no parameter is written shifted\(, nearest, 1\); */
STN_MAP(shifted_no_name, (shifted(, nearest, 1), out(y)), y = 1;)
/* error: steno: no_radius: no parameter is written stencil\(u, nearest, *\); */
STN_MAP(no_radius, (at(i), stencil(u, nearest, ), out(y)), y = STN_R(i);)

/* error: steno: stencil\(u, nearest, 1\.5\): radii must be integers of at least 0 */
STN_MAP(half_radius, (at(i), stencil(u, nearest, 1.5), out(y)), y = STN_AT(u, i);)
/* error: steno: stencil\(u, nearest, 1, -1\): radii must be integers of at least 0 */
STN_MAP(negative_radius, (at(i, j), stencil(u, nearest, 1, -1), out(y)), y = STN_AT(u, i, j);)
/* error: steno: shifted\(u, zero, 0, 0\.5\): offsets must be integers */
STN_MAP(half_offset, (shifted(u, zero, 0, 0.5), out(y)), y = u;)
/* error: steno: shifted\(u, zero, 4294967297\): offsets must be integers */
STN_MAP(large_offset, (shifted(u, zero, 4294967297), out(y)), y = u;)
/* error: steno: shifted\(u, value\(0\.5\), 1\): offsets .* and so must value\(c\) in integer kernels */
STN_MAP_INTEGER(half_value, (shifted(u, value(0.5), 1), out(y)), y = u;)

/* error: steno: no_body: the body is missing */
STN_MAP_COMPLEX(no_body, (in(x), out(y)), )

/* error: assignment of read-only|cannot assign to variable 'x' */
STN_MAP(assigned, (in(x), out(y)), x = 2 * x; y = x;)
/* error: increment of read-only|cannot assign to variable 'i' */
STN_MAP(counted, (at(i), out(y)), i++; y = STN_R(i);)

/* error: steno: STN_AT\(x, \.\.\.\) with 1 index: it takes a gather, scatter or stencil of that rank */
STN_MAP(element_of_in, (at(i), in(x), out(y)), y = STN_AT(x, i);)
/* error: steno: STN_AT\(few, \.\.\.\) with 1 index: it takes a gather, scatter or stencil */
STN_MAP(few_indices, (at(i, j), gather(few, 2), out(y)), y = STN_AT(few, i) + STN_R(j);)
/* error: steno: STN_AT\(none, \.\.\.\) with 0 indices: it takes a gather, scatter or stencil */
STN_MAP(no_indices, (at(i), stencil(none, zero, 1), out(y)), y = STN_AT(none, ) + STN_R(i);)
/* error: steno: STN_AT\(many, \.\.\.\) with 9 indices: it takes a gather, scatter or stencil */
STN_MAP(many_indices, (at(i), gather(many, 8), out(y)), y = STN_AT(many, i, i, i, i, i, i, i, i, i);)
/* error: steno: STN_INDEX_AT\(near, \.\.\.\) with 1 index: it takes a gather or scatter of that rank */
STN_MAP(index_of_stencil, (at(i), stencil(near, zero, 1), out(y)), y = STN_R(STN_INDEX_AT(near, i));)
/* error: steno: STN_PUT\(from, \.\.\.\) with 1 index: it takes a scatter of that rank */
STN_MAP(put_into_gather, (at(i), gather(from, 1)), STN_PUT(from, 1, i);)
/* error: steno: STN_ADD\(x, \.\.\.\) with 1 index: it takes a scatter of that rank */
STN_MAP_COMPLEX(add_to_in, (at(i), in(x)), STN_ADD(x, x, i);)
/* error: steno: STN_EXTENT_OF\(x, \.\.\.\) takes a gather, scatter or stencil */
STN_MAP(extent_of_in, (in(x), out(y)), y = STN_R(STN_EXTENT_OF(x, 0)) + x;)
/* error: steno: STN_STORE\(y, \.\.\.\) takes a masked view */
STN_MAP(stored_out, (in(x), out(y)), STN_STORE(y, x);)
/* error: steno: STN_STORE\(i, \.\.\.\) takes a masked view */
STN_MAP(stored_index, (at(i), out(y)), STN_STORE(i, 1); y = 0;)
/* error: steno: STN_STORE\(u, \.\.\.\) takes a masked view */
STN_MAP_COMPLEX(stored_scatter, (in(x), scatter(u, 1)), STN_STORE(u, x);)
/* error: steno: STN_STORE\(m, \.\.\.\) takes a masked view */
STN_MAP_INTEGER(stored_bits, (bits(m), inout(y)), STN_STORE(m, y);)
/* error: steno: STN_AT\(x, \.\.\.\) with 2 indices: it takes */
STN_REDUCE(reduced_in, sum, (at(i), in(x)), STN_AT(x, i, i))

/* error: steno: the first argument, the name, is empty */
STN_REDUCE(, sum, (in(x)), x)
/* error: steno: the first argument, the name, is empty */
STN_SCAN_BY(, (in(x)), x, a + b, 0)
/* error: steno: the first argument, the name, is empty */
STN_FUSE(, fused, f64, (in(x, f16)))
/* error: steno: no_expression: sum takes one expression */
STN_REDUCE(no_expression, sum, (in(x)), )
/* error: steno: no_scanned: sum takes one expression */
STN_SCAN_INTEGER(no_scanned, sum, (in(x)), )
/* error: steno: no_combine: map, combine, finalize or identity is empty */
STN_REDUCE_BY(no_combine, (in(x)), x, , a, 0)
/* error: steno: no_map: map, combine or identity is empty */
STN_SCAN_BY(no_map, (in(x)), , a + b, 0)
/* clang-format on */
