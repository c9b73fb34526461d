/* The extension module steno._core: declarations that its files share. */
#ifndef STENO_PYTHON_CORE_H
#define STENO_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "steno/kernel_text.h"
#include "steno/steno.h"

enum {
    CORE_STATUSES = STN_ERR_CONVERGENCE + 1,
    CORE_FORMATS = STN_FIRST_REGISTERED /* those of the library */
};

/* State of the module. There is one module per process: a second one is refused. */
typedef struct core_state {
    PyTypeObject *array_base;        /* type of all arrays */
    PyTypeObject *array;             /* class of new arrays, set by the Python layer */
    PyTypeObject *executor;          /* type of executors */
    PyObject *errors[CORE_STATUSES]; /* exception per status, set by the Python layer */
    PyObject *convert;               /* function that creates an array from other objects */
    PyObject *ndarray;               /* class of NumPy's arrays */
    PyObject *check_mask;            /* function that refuses masked arrays */
    PyObject *as_bool; /* function that converts an array of 0 and 1 to NumPy's bool */
    PyObject *pick;    /* function for indices that are lists or arrays */
    PyObject *put;     /* function that assigns to such indices */
    PyObject *text_dtype, *text_name, *text_interface; /* interned names of attributes */
    stn_exec *default_exec;                            /* created by the first call that needs it */
} core_state;

extern core_state *core;

/* ---- errors.c ---- */

/* Returns 0 for STN_OK. Otherwise raises the exception of the status with the message of the
 * library, and returns -1. */
int core_check(stn_status status);

/* Evaluates the call of a library function without the GIL. */
#define CORE_WITHOUT_GIL(status, call)                                                             \
    do {                                                                                           \
        PyThreadState *thread_ = PyEval_SaveThread();                                              \
        (status) = (call);                                                                         \
        PyEval_RestoreThread(thread_);                                                             \
    } while (0)

/* ---- arguments.c ---- */

enum { CORE_MAX_ARGUMENTS = 16 };

/* Parameters of a function, of which the first `required` have no default. */
typedef struct core_signature {
    const char *function;
    int required, count;
    const char *names[CORE_MAX_ARGUMENTS];
} core_signature;

/* A signature from the names of the parameters. */
#define CORE_SIGNATURE(function, required, ...)                                                    \
    {                                                                                              \
        function, required, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),         \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Assigns positional and keyword arguments to `values`, which are borrowed, NULL if missing. */
int core_parse(const core_signature *signature, PyObject *const *arguments, Py_ssize_t count,
               PyObject *keywords, PyObject **values);

/* Raises TypeError if a function has not got the `expected` number of arguments. */
int core_expect_count(Py_ssize_t count, Py_ssize_t expected);
/* Converts a Python integer; `name` is used in the message. */
int core_int64(PyObject *object, const char *name, int64_t *value);
int core_double(PyObject *object, const char *name, double *value);
int core_complex(PyObject *object, const char *name, stn_c128 *value);
/* Extents from an integer or a sequence of integers. */
int core_extents(PyObject *object, int *rank, int64_t *extents);
PyObject *core_tuple(int count, const int64_t *values);

/* ---- formats.c ---- */

const stn_format_info *core_format_info(stn_format format); /* of a built-in format */
/* The character of the buffer protocol, such as "d"; NULL if there is none. */
const char *core_buffer_format(stn_format format);
/* The type string of __array_interface__; NULL if there is none. */
const char *core_type_string(stn_format format);
/* The format of a name of Steno, NumPy or ml_dtypes; -1 if there is none. */
stn_format core_format_of_name(const char *name);
/* The format of an element of the buffer protocol; -1 if there is none. */
stn_format core_format_of_buffer(const char *text, Py_ssize_t bytes);
/* Converts a str that is the name of a format. */
int core_format(PyObject *object, stn_format *format);
/* The arithmetic type that an argument names; `fallback` if it is NULL or None. */
int core_arithmetic(PyObject *object, stn_format fallback, stn_format *arithmetic);
/* The smallest format that represents the values of two formats (doc/python.md). */
stn_format core_promote(stn_format a, stn_format b);

/* ---- array.c ---- */

/* An array. */
typedef struct core_array {
    PyObject ob_base;
    stn_view view;     /* of `memory`, of `buffer`, of the memory of `owner`, or of a device */
    PyObject *owner;   /* keeps the memory alive: an array if this one is a part of it */
    PyObject *scales;  /* keeps the scales alive */
    Py_buffer *buffer; /* wrapped memory, to be released */
    void *memory;      /* own memory, from Python's allocator */
} core_array;

int core_is_array(PyObject *object);
core_array *core_array_new(void);
/* Creates an array with its own memory. */
core_array *core_array_create(const stn_storage *storage, int rank, const int64_t *extents,
                              int initialized);
/* Creates an array that shares the memory of `whole`; its view is to be set. */
core_array *core_array_part(core_array *whole);
/* Whether codes are values: scale 1, zero point 0, no scales, no blocks. */
int core_is_unscaled(const stn_view *view);
/* The format of the values: the storage format if it is unscaled, otherwise f64 or c128. */
stn_format core_value_format(const stn_view *view);
int core_is_integer(stn_format format);
int core_is_complex(stn_format format);
/* The element at an offset as a Python number. */
PyObject *core_scalar(const stn_view *view);
PyType_Spec *core_array_spec(void);

/* ---- create.c ---- */

enum { CORE_STORAGE_ARGUMENTS = 6 };

/* Storage from a format, a scale, a zero point, a rounding, an overflow rule and a seed. */
int core_storage(PyObject *const *arguments, stn_storage *storage);

/* ---- blocks.c ---- */

int core_is_block(stn_format format);
/* Bytes of the blocks of an array; 0 if there are none, or on overflow. */
size_t core_block_bytes(stn_format format, int rank, const int64_t *extents);
/* Creates a view of the blocks in memory of core_block_bytes() bytes. */
stn_status core_block_create(stn_view *view, const stn_view_spec *spec, void *memory, size_t bytes);
/* Bytes of the blocks of an array or a part. */
int64_t core_block_view_bytes(PyObject *self);
/* The view of an array in a block format. Otherwise raises TypeError. */
const stn_view *core_block_view(PyObject *object);

/* ---- operand.c ---- */

/* A view of an argument, which is an array, exports a buffer, or is converted. */
typedef struct core_operand {
    stn_view view;
    PyObject *held;   /* keeps the memory alive */
    Py_buffer buffer; /* to be released, if has_buffer */
    int has_buffer;
    int is_weak;         /* a Python number, which does not affect the format of results */
    int is_beyond;       /* an integer beyond 64 bits, which is an f64 */
    stn_argument number; /* the number */
} core_operand;

/* Wraps memory whose elements have the size of a format. Returns as core_wrap(). */
int core_wrap_codes(core_operand *operand, PyObject *object, stn_format format);
/* Wraps memory that `object` exports. Returns 1, 0 if it exports none that can be wrapped, or -1.
 */
int core_wrap(core_operand *operand, PyObject *object);
int core_operand_get(core_operand *operand, PyObject *object, const char *name);
/* An operand that is written: an array, or memory that is wrapped. */
int core_operand_get_output(core_operand *operand, PyObject *object, const char *name);
void core_operand_release(core_operand *operand);
/* The real parts (index 0) or the imaginary parts (1) of complex elements. */
stn_view core_part(const stn_view *view, int index);
/* Replaces real elements by a complex copy, which complex arithmetic requires. */
int core_make_complex(core_operand *operand);
/* Expands extents of 1 and missing dimensions of the view; the result borrows it. */
int core_broadcast(stn_view *view, int rank, const int64_t *extents);

/* ---- index.c ---- */

PyObject *core_get_item(PyObject *self, PyObject *key);
int core_set_item(PyObject *self, PyObject *key, PyObject *value);
PyObject *core_get_index(PyObject *self, Py_ssize_t index);
PyObject *core_transpose(PyObject *self, PyObject *order);
PyObject *core_reshape(PyObject *self, PyObject *shape);
/* Copies `value` to the elements of a view, broadcast and converted. */
int core_assign(const stn_view *view, PyObject *value);

/* ---- export.c ---- */

int core_get_buffer(PyObject *self, Py_buffer *buffer, int flags);
void core_release_buffer(PyObject *self, Py_buffer *buffer);
PyObject *core_array_interface(PyObject *self, void *context);
PyObject *core_code_interface(PyObject *self, void *context);

/* ---- executor.c ---- */

const stn_exec *core_exec(void); /* the current executor; NULL if it cannot be created */
int core_cuda_device(void);      /* the CUDA device of the current executor, or -1 */
PyType_Spec *core_executor_spec(void);

/* ---- kernels.c ---- */

typedef enum core_operation {
    CORE_ADD,
    CORE_SUBTRACT,
    CORE_MULTIPLY,
    CORE_DIVIDE,
    CORE_FLOOR_DIVIDE,
    CORE_REMAINDER,
    CORE_POWER,
    CORE_NEGATIVE,
    CORE_ABSOLUTE,
    CORE_EQUAL,
    CORE_NOT_EQUAL,
    CORE_LESS,
    CORE_LESS_EQUAL,
    CORE_GREATER,
    CORE_GREATER_EQUAL
} core_operation; /* the first rows of the table of operations */

/* Applies an operation to one or two operands. `out` is NULL or the result. */
PyObject *core_apply(int operation, PyObject *const *operands, PyObject *out);

/* ---- complex.c ---- */

/* Runs a function of NumPy, by name, in c128. */
stn_status core_complex_run(const char *name, const stn_exec *exec, const stn_view *const *operands,
                            const stn_view *result);

/* ---- products.c ---- */

/* The matrix product; `out` and `arithmetic` may be NULL or None. */
PyObject *core_multiply(PyObject *a, PyObject *b, PyObject *out, PyObject *arithmetic);

/* ---- functions of the module, one table per file ---- */

extern PyMethodDef core_block_functions[];   /* blocks.c */
extern PyMethodDef core_create_functions[];  /* create.c */
extern PyMethodDef core_kernel_functions[];  /* kernels.c */
extern PyMethodDef core_reduce_functions[];  /* reduce.c */
extern PyMethodDef core_product_functions[]; /* products.c */
extern PyMethodDef core_dlpack_functions[];  /* dlpack.c */

#endif
