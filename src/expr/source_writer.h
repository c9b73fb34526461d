/* The text of a kernel for devices, as it grows. */
#ifndef STENO_EXPR_SOURCE_WRITER_H
#define STENO_EXPR_SOURCE_WRITER_H

#include "expr/source.h"

typedef struct stn_writer {
    const stn_source *source;
    char *text;
    size_t length, room;
    stn_status status; /* the first error; nothing is written then */
    int in_run; /* 1: runs of some views are in arrays, stn_v_NAME; 2: an element of each is */
} stn_writer;

void stn_put_text(stn_writer *w, const char *text);
void stn_put_letters(stn_writer *w, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) void stn_put(stn_writer *w, const char *format, ...);

/* One piece per dimension: "%d" becomes its number; `between` stands between two of them. */
void stn_put_each(stn_writer *w, int rank, const char *piece, const char *between);

/* A text in which `@` stands for a view's name, and for its indices, with a comma before each: $I
 * `stn_index i0`, $J `stn_i64 i0`, $i `i0`, $j `(stn_index)i0`, $h `stn_i0`. */
void stn_put_for(stn_writer *w, const char *name, int rank, const char *text);

int stn_source_is_complex(const stn_writer *w);
const char *stn_source_real(stn_format arithmetic);

/* Of a complex number its parts'; functions of <math.h> are of double in integer kernels, as in C.
 */
const char *stn_source_part(const stn_writer *w);

/* What reads and writes a view: the type stn_memory_NAME of what it is in, and its functions
 * stn_find_NAME for an element's address, stn_load_NAME for its value, stn_code_of_NAME for a
 * value's code there, stn_store_NAME, which counts what it stores. For those that are none of
 * these: stn_decode_NAME, stn_place_NAME. Of parameters with indices stn_at_NAME, stn_put_NAME,
 * stn_index_NAME and stn_update_NAME, and macros that call them in the body. */
void stn_put_view(stn_writer *w, int at);

/* The first ones, for a view that is no parameter. */
void stn_put_stored(stn_writer *w, const char *name, const stn_source_view *v);

/* ---- parts of these ---- */

/* An element's scale as the variable stn_scale, where it has one of its own; `value` of its code
 * becomes the element's, or, stored, the other way; and the number that it draws random bits by. */
void stn_put_scale(stn_writer *w, const stn_source_view *v);
void stn_put_scalings(stn_writer *w, const stn_source_view *v, int is_stored);
void stn_put_number(stn_writer *w, const stn_source_view *v);

/* The type of codes, and what is read of one and written to one. */
void stn_put_code(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_codec(stn_writer *w, const char *name, const stn_source_view *v);

/* stn_store_NAME; of scatters stn_put_NAME and stn_update_NAME. */
void stn_put_store(stn_writer *w, const char *name, const stn_source_view *v);
void stn_put_update(stn_writer *w, int at);

/* ---- a program's words ---- */

/* Around what a program wrote, words that programs have as names and languages of devices do not:
 * elsewhere these languages' own words, such as __global__, stand for some of them. */
void stn_put_reserved(stn_writer *w);
void stn_take_reserved_back(stn_writer *w);

/* The same, and functions of these languages: a program's own of such a name is not there. */
void stn_put_foreign(stn_writer *w);
void stn_take_foreign_back(stn_writer *w);

/* What all texts begin with, and the functions of <math.h>. */
void stn_put_head(stn_writer *w);
void stn_put_math(stn_writer *w);

/* The kernel up to its first statement: its arguments, behind which more may be put, and views as
 * variables stn_p_NAME. */
void stn_put_begin(stn_writer *w);
void stn_put_variables(stn_writer *w);

/* Is a view's type of memory a struct, with `codes` in it? */
int stn_source_has_members(const stn_source_view *v);

/* A view as one variable stn_p_NAME, from the argument that is its memory. */
void stn_put_view_variable(stn_writer *w, const char *name, const char *memory,
                           const stn_source_view *v);

/* A parameter as a variable of the body, for the element at stn_i0, stn_i1, ... */
void stn_put_open(stn_writer *w, int at);

/* The body, from the program's words on to what is stored. */
void stn_put_element(stn_writer *w);

/* How far before and behind an element, at most, a parameter reads a view in a dimension. */
void stn_source_reach(const stn_parameter *p, int d, int *before, int *behind);
int stn_source_has_reach(const stn_parameter *p);

/* Is a view read and written in runs? On the host: is any? */
int stn_source_is_run(const stn_writer *w, int at);
int stn_source_has_runs(const stn_writer *w);

/* Of a device: is a view read and written so many elements at once? */
int stn_source_is_chunk(const stn_source *s, int at);

/* These codes as variables stn_c_NAME, as many as `rows` says, and that of `stn_row` read, the
 * first stn_some of them, from the indices at hand on. */
void stn_put_chunk(stn_writer *w, int at, const char *rows);
void stn_put_chunk_read(stn_writer *w, int at);

/* The first `count` indices, stn_i0 ..., from their number in C order, stn_rest. */
void stn_put_indices_of_rest(stn_writer *w, int count);

/* The loop over these, all of its body but for the last brace. */
void stn_put_wide_loop(stn_writer *w);

/* The kernel of a text for the host's compiler, and what its text begins with. */
void stn_put_host_rules(stn_writer *w);
void stn_put_host_kernel(stn_writer *w);

/* A program's words, so many letters of them: of `long long` one, and no pragmas. */
void stn_put_body(stn_writer *w, const char *text, size_t letters);

/* The text, or the error. */
stn_status stn_put_end(stn_writer *w, char **text);

#endif
