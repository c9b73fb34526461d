/* The growing text of a kernel for devices. */
#ifndef STENO_EXPR_SOURCE_WRITER_H
#define STENO_EXPR_SOURCE_WRITER_H

#include "expr/source.h"

/* Values of views that are accessed in runs: none; in arrays stn_v_NAME; one element of each, in
 * stn_v_NAME; as codes in stn_c_NAME. The last one: outputs are kept in stn_v_NAME. */
typedef enum stn_run_way {
    STN_RUN_NONE,
    STN_RUN_VALUES,
    STN_RUN_VALUE,
    STN_RUN_CODES,
    STN_RUN_KEPT
} stn_run_way;

typedef struct stn_writer {
    const stn_source *source;
    char *text;
    size_t length, buffer;
    stn_status status;  /* the first error, after which nothing is written */
    stn_run_way in_run; /* of the body that is being written */
    int in_bands;       /* on the host: it reads elements of stencils from decoded rows */
} stn_writer;

void stn_put_text(stn_writer *w, const char *text);
void stn_put_letters(stn_writer *w, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) void stn_put(stn_writer *w, const char *format, ...);

/* One piece per dimension: "%d" is replaced by its index; `between` separates them. */
void stn_put_each(stn_writer *w, int rank, const char *piece, const char *between);

/* A text in which `@` is replaced by the name of a view, and these by its indices, each after a
 * comma: $I `stn_index i0`, $J `stn_i64 i0`, $i `i0`, $j `(stn_index)i0`, $h `stn_i0`. */
void stn_put_for(stn_writer *w, const char *name, int rank, const char *text);

int stn_source_is_complex(const stn_writer *w);
const char *stn_source_real(stn_format arithmetic);

/* For complex numbers that of parts; <math.h> functions use double in integer kernels, as in
 * C. */
const char *stn_source_part(const stn_writer *w);

/* Access to a view: the type stn_memory_NAME of its memory, and functions: stn_find_NAME returns
 * an element's address, stn_load_NAME its value, stn_code_of_NAME the code of a value, and
 * stn_store_NAME stores and counts. For other kinds: stn_decode_NAME, stn_place_NAME. For
 * parameters with indices: stn_at_NAME, stn_put_NAME, stn_index_NAME and stn_update_NAME, and
 * macros that call them in the body. */
void stn_put_view(stn_writer *w, int at);

/* The first of these for a view that is not a parameter. */
void stn_put_stored(stn_writer *w, const char *name, const stn_source_view *v);

/* ---- parts of the above ---- */

/* Replaces the index i0, i1, ... of a dimension by that of the element that the boundary selects;
 * or returns the boundary value. */
void stn_put_boundary(stn_writer *w, const stn_parameter *p, const stn_source_view *v, int d);

/* The arguments of stn_at_NAME after the memory, each following a comma. */
void stn_put_reach(stn_writer *w, int at);

/* On the host: is the last of them whether the accessed row exists? */
int stn_source_may_miss_rows(const stn_writer *w, int at);

/* Defines stn_scale, if scales vary; converts `value` from a code's value to the element's, or
 * back for stores; and the number that selects random bits. */
void stn_put_scale(stn_writer *w, const stn_source_view *v);
void stn_put_scalings(stn_writer *w, const stn_source_view *v, int is_stored);
void stn_put_number(stn_writer *w, const stn_source_view *v);

/* The type of codes, and decoding and encoding. */
void stn_put_code(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_codec(stn_writer *w, const char *name, const stn_source_view *v);

/* For block formats: the type of the memory, stn_fetch_NAME, which decodes the code of an element,
 * and stn_store_blocks_NAME, which encodes the blocks of adjacent codes. For staged elements:
 * stn_store_NAME, and for scatter stn_update_NAME. */
void stn_put_block_memory(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_block_codec(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_staged_store(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_staged_update(stn_writer *w, const char *name, const stn_source_view *v);

/* Is the parameter an output of which a thread encodes whole blocks? */
int stn_source_in_blocks(const stn_source *s, int at);

/* stn_store_NAME; for scatter stn_put_NAME and stn_update_NAME. */
void stn_put_store(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_update(stn_writer *w, int at);

/* ---- the program's text ---- */

/* Definitions around the program's text for identifiers that device languages
 * reserve. */
void stn_put_reserved(stn_writer *w);
void stn_put_reserved_end(stn_writer *w);

/* The same, and for functions of these languages that the program may define. */
void stn_put_foreign(stn_writer *w);
void stn_put_foreign_end(stn_writer *w);

/* The common beginning, and the <math.h> functions. */
void stn_put_head(stn_writer *w);
void stn_put_math(stn_writer *w);

/* The kernel up to its first statement: its arguments, which may be followed by more, and views
 * as variables stn_p_NAME. The last arguments are additional data, reported words and staged codes.
 */
void stn_put_begin(stn_writer *w);
void stn_put_more_arguments(stn_writer *w);
void stn_put_variables(stn_writer *w);

/* Is the view's memory type a struct with the member `codes`? */
int stn_source_has_members(const stn_source_view *v);

/* A view as variable stn_p_NAME, from its memory argument. */
void stn_put_view_variable(stn_writer *w, const char *name, const char *memory,
                           const stn_source_view *v);

/* A parameter as a variable of the body, for the element at stn_i0, stn_i1, ... */
void stn_put_open(stn_writer *w, int at);

/* The body, including the program's text and stores. */
void stn_put_element(stn_writer *w);

/* Is a view read and written in runs? On the host: is any? */
int stn_source_is_run(const stn_writer *w, int at);
int stn_source_has_runs(const stn_writer *w);

/* Defines the macro that reads an element of a view by indices; and the element of the decoded rows
 * of a stencil. */
void stn_put_at(stn_writer *w, int at);
void stn_put_band_value(stn_writer *w, int at);

/* Devices: is a view read and written in chunks? */
int stn_source_is_chunk(const stn_source *s, int at);

/* Defines stn_c_NAME with `rows` chunks of codes, and reads the first stn_some codes of chunk
 * `stn_row` from the current indices on. */
void stn_put_chunk(stn_writer *w, int at, const char *rows);
void stn_put_chunk_read(stn_writer *w, int at);

/* The first `count` indices stn_i0, ... from their number stn_rest in C order. */
void stn_put_indices_of_rest(stn_writer *w, int count);

/* The loop over these, except for its closing brace; and the loop over neighbors of whole blocks.
 */
void stn_put_wide_loop(stn_writer *w);
void stn_put_block_loop(stn_writer *w);

/* The statement that keeps the code of an output in a block format until its block is complete. */
void stn_put_block_code(stn_writer *w, int at);

/* Continues with the next element unless all accesses of the current one are inside. */
void stn_put_inside(stn_writer *w);

/* Is an inout element's value unchanged, so that it keeps its code? */
void stn_put_is_kept(stn_writer *w, int at);

/* The kernel of a text for the host's compiler, and the beginning of its text. */
void stn_put_host_rules(stn_writer *w);
void stn_put_host_kernel(stn_writer *w);

/* `letters` characters of a program's text, with `long long` replaced by `long` and without
 * pragmas. */
void stn_put_body(stn_writer *w, const char *text, size_t letters);

/* Returns the text or the error. */
stn_status stn_put_end(stn_writer *w, char **text);

#endif
