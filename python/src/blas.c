/* Functions of BLAS by name. The Python layer defines their parameters and defaults. */
#include "sparse.h"

#include <string.h>

enum { MAX_VIEWS = 4, MAX_SCALARS = 2, MAX_OPTIONS = 4 };

/* A call: operands in the order of the C function. */
typedef struct blas_call {
    const stn_exec *exec;
    stn_format arithmetic;
    core_operand operands[MAX_VIEWS];
    const stn_view *views[MAX_VIEWS];
    stn_c128 scalars[MAX_SCALARS];
    int options[MAX_OPTIONS];
    double parameter[5]; /* of rotm */
    double real;         /* results */
    stn_c128 complex_number;
    int64_t index;
} blas_call;

typedef stn_status blas_function(blas_call *c);

/* Shorthand of the table: executor and type, views, scalars, options. */
#define ET      c->exec, c->arithmetic
#define V(k)    c->views[k]
#define R(k)    c->scalars[k].re
#define Z(k)    c->scalars[k]
#define TRI(k)  (stn_triangle) c->options[k]
#define DIAG(k) (stn_diagonal) c->options[k]
#define SIDE(k) (stn_side) c->options[k]
#define CONJ(k) (stn_conjugate) c->options[k]
#define EITHER  core_is_complex(c->arithmetic)
#define F(name, ...)                                                                               \
    static stn_status do_##name(blas_call *c)                                                      \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

/* clang-format off */
F(dot, stn_dot(ET, &c->real, V(0), V(1)))
F(dotu, stn_dotu(ET, &c->complex_number, V(0), V(1)))
F(dotc, stn_dotc(ET, &c->complex_number, V(0), V(1)))
F(nrm2, stn_nrm2(ET, &c->real, V(0)))
F(asum, stn_asum(ET, &c->real, V(0)))
F(iamax, stn_iamax(ET, &c->index, V(0)))
F(swap, stn_swap(ET, V(0), V(1)))
F(copy, stn_view_copy(c->exec, V(1), V(0)))
F(scal, EITHER ? stn_scal_complex(ET, Z(0), V(0)) : stn_scal(ET, R(0), V(0)))
F(axpy, EITHER ? stn_axpy_complex(ET, Z(0), V(0), V(1)) : stn_axpy(ET, R(0), V(0), V(1)))
F(axpby, EITHER ? stn_axpby_complex(ET, Z(0), V(0), Z(1), V(1))
                : stn_axpby(ET, R(0), V(0), R(1), V(1)))
F(rot, EITHER ? stn_rot_complex(ET, V(0), V(1), R(0), Z(1)) : stn_rot(ET, V(0), V(1), R(0), R(1)))
F(rotm, stn_rotm(ET, V(0), V(1), c->parameter))

F(gemv, EITHER ? stn_gemv_complex(ET, Z(0), CONJ(0), V(0), V(1), Z(1), V(2))
               : stn_gemv(ET, R(0), V(0), V(1), R(1), V(2)))
F(gemvt, stn_gemvt(ET, R(0), V(0), V(1), R(1), V(2), V(3)))
F(symv, stn_symv(ET, TRI(0), R(0), V(0), V(1), R(1), V(2)))
F(hemv, stn_hemv(ET, TRI(0), Z(0), V(0), V(1), Z(1), V(2)))
F(trmv, stn_trmv(ET, TRI(0), DIAG(1), CONJ(2), V(0), V(1)))
F(trsv, stn_trsv(ET, TRI(0), DIAG(1), CONJ(2), V(0), V(1)))
F(ger, stn_ger(ET, R(0), V(0), V(1), V(2)))
F(geru, stn_geru(ET, Z(0), V(0), V(1), V(2)))
F(gerc, stn_gerc(ET, Z(0), V(0), V(1), V(2)))
F(syr, stn_syr(ET, TRI(0), R(0), V(0), V(1)))
F(her, stn_her(ET, TRI(0), R(0), V(0), V(1)))
F(syr2, stn_syr2(ET, TRI(0), R(0), V(0), V(1), V(2)))
F(her2, stn_her2(ET, TRI(0), Z(0), V(0), V(1), V(2)))

F(gemm, EITHER ? stn_gemm_complex(ET, Z(0), CONJ(0), V(0), CONJ(1), V(1), Z(1), V(2))
               : stn_gemm(ET, R(0), V(0), V(1), R(1), V(2)))
F(symm, EITHER ? stn_symm_complex(ET, SIDE(0), TRI(1), Z(0), V(0), V(1), Z(1), V(2))
               : stn_symm(ET, SIDE(0), TRI(1), R(0), V(0), V(1), R(1), V(2)))
F(hemm, stn_hemm(ET, SIDE(0), TRI(1), Z(0), V(0), V(1), Z(1), V(2)))
F(syrk, EITHER ? stn_syrk_complex(ET, TRI(0), Z(0), V(0), Z(1), V(1))
               : stn_syrk(ET, TRI(0), R(0), V(0), R(1), V(1)))
F(herk, stn_herk(ET, TRI(0), R(0), CONJ(1), V(0), R(1), V(1)))
F(syr2k, EITHER ? stn_syr2k_complex(ET, TRI(0), Z(0), V(0), V(1), Z(1), V(2))
                : stn_syr2k(ET, TRI(0), R(0), V(0), V(1), R(1), V(2)))
F(her2k, stn_her2k(ET, TRI(0), Z(0), CONJ(1), V(0), V(1), R(1), V(2)))
F(trmm, EITHER ? stn_trmm_complex(ET, SIDE(0), TRI(1), DIAG(2), Z(0), CONJ(3), V(0), V(1))
               : stn_trmm(ET, SIDE(0), TRI(1), DIAG(2), R(0), CONJ(3), V(0), V(1)))
F(trsm, EITHER ? stn_trsm_complex(ET, SIDE(0), TRI(1), DIAG(2), Z(0), CONJ(3), V(0), V(1))
               : stn_trsm(ET, SIDE(0), TRI(1), DIAG(2), R(0), CONJ(3), V(0), V(1)))

typedef enum blas_result { NOTHING, REAL, COMPLEX, INDEX } blas_result;

#define ROW(name, ...) {#name, do_##name, __VA_ARGS__}
static const struct {
    const char *name;
    blas_function *call;
    int views;
    unsigned written; /* bit per view */
    int scalars, options;
    blas_result result;
} functions[] = {
    ROW(dot, 2, 0, 0, 0, REAL), ROW(dotu, 2, 0, 0, 0, COMPLEX), ROW(dotc, 2, 0, 0, 0, COMPLEX),
    ROW(nrm2, 1, 0, 0, 0, REAL), ROW(asum, 1, 0, 0, 0, REAL), ROW(iamax, 1, 0, 0, 0, INDEX),
    ROW(swap, 2, 3, 0, 0, NOTHING), ROW(copy, 2, 2, 0, 0, NOTHING), ROW(scal, 1, 1, 1, 0, NOTHING),
    ROW(axpy, 2, 2, 1, 0, NOTHING), ROW(axpby, 2, 2, 2, 0, NOTHING), ROW(rot, 2, 3, 2, 0, NOTHING),
    ROW(rotm, 2, 3, 0, 0, NOTHING),
    ROW(gemv, 3, 4, 2, 1, NOTHING), ROW(gemvt, 4, 12, 2, 0, NOTHING),
    ROW(symv, 3, 4, 2, 1, NOTHING), ROW(hemv, 3, 4, 2, 1, NOTHING),
    ROW(trmv, 2, 2, 0, 3, NOTHING), ROW(trsv, 2, 2, 0, 3, NOTHING), ROW(ger, 3, 4, 1, 0, NOTHING),
    ROW(geru, 3, 4, 1, 0, NOTHING), ROW(gerc, 3, 4, 1, 0, NOTHING), ROW(syr, 2, 2, 1, 1, NOTHING),
    ROW(her, 2, 2, 1, 1, NOTHING), ROW(syr2, 3, 4, 1, 1, NOTHING), ROW(her2, 3, 4, 1, 1, NOTHING),
    ROW(gemm, 3, 4, 2, 2, NOTHING), ROW(symm, 3, 4, 2, 2, NOTHING), ROW(hemm, 3, 4, 2, 2, NOTHING),
    ROW(syrk, 2, 2, 2, 1, NOTHING), ROW(herk, 2, 2, 2, 2, NOTHING), ROW(syr2k, 3, 4, 2, 1, NOTHING),
    ROW(her2k, 3, 4, 2, 2, NOTHING), ROW(trmm, 2, 2, 1, 4, NOTHING), ROW(trsm, 2, 2, 1, 4, NOTHING),
};
/* clang-format on */

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static int find(PyObject *object)
{
    const char *name = PyUnicode_AsUTF8AndSize(object, NULL);
    for (int k = 0; name && k < FUNCTIONS; k++)
        if (strcmp(functions[k].name, name) == 0)
            return k;
    if (name)
        PyErr_Format(PyExc_ValueError, "%R is not a function of BLAS", object);
    return -1;
}

static int expect_size(PyObject *tuple, Py_ssize_t size)
{
    if (PyTuple_Check(tuple) && PyTuple_Size(tuple) == size)
        return 0;
    PyErr_Format(PyExc_TypeError, "%zd elements expected in %R", size, tuple);
    return -1;
}

/* Operands and their names in the tuple, alternately. Returns the number that is held, or -1. */
static int get_operands(blas_call *c, int f, PyObject *tuple)
{
    for (int k = 0; k < functions[f].views; k++) {
        const int is_written = functions[f].written >> k & 1;
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, 2 * k + 1), NULL);
        PyObject *object = PyTuple_GetItem(tuple, 2 * k);
        if (!name || (is_written ? core_operand_get_output : core_operand_get)(&c->operands[k],
                                                                               object, name) < 0) {
            while (k-- > 0)
                core_operand_release(&c->operands[k]);
            return -1;
        }
        c->views[k] = &c->operands[k].view;
    }
    return 0;
}

/* The arithmetic is complex if an operand or a factor is. */
static int choose_arithmetic(blas_call *c, int f, PyObject *name)
{
    int is_complex = 0;
    for (int k = 0; k < functions[f].views; k++)
        is_complex |= core_is_complex(c->views[k]->storage.format);
    for (int k = 0; k < functions[f].scalars; k++)
        is_complex |= c->scalars[k].im != 0;
    if (core_arithmetic(name, is_complex ? STN_C128 : STN_F64, &c->arithmetic) < 0)
        return -1;
    for (int k = 0; k < functions[f].views && core_is_complex(c->arithmetic); k++)
        if (!(functions[f].written >> k & 1) && functions[f].call != do_copy &&
            core_make_complex(&c->operands[k]) < 0)
            return -1;
    return 0;
}

static int get_numbers(blas_call *c, int f, PyObject *scalars, PyObject *options)
{
    if (functions[f].call == do_rotm) {
        if (expect_size(scalars, 5) < 0)
            return -1;
        for (int k = 0; k < 5; k++)
            if (core_double(PyTuple_GetItem(scalars, k), "parameter", &c->parameter[k]) < 0)
                return -1;
        return 0;
    }
    if (expect_size(scalars, functions[f].scalars) < 0 ||
        expect_size(options, functions[f].options) < 0)
        return -1;
    for (int k = 0; k < functions[f].scalars; k++)
        if (core_complex(PyTuple_GetItem(scalars, k), "a factor", &c->scalars[k]) < 0)
            return -1;
    for (int k = 0; k < functions[f].options; k++) {
        int64_t value;
        if (core_int64(PyTuple_GetItem(options, k), "an option", &value) < 0)
            return -1;
        c->options[k] = (int)value;
    }
    return 0;
}

static PyObject *result_of(const blas_call *c, int f)
{
    switch (functions[f].result) {
    case REAL:
        return PyFloat_FromDouble(c->real);
    case COMPLEX:
        return PyComplex_FromDoubles(c->complex_number.re, c->complex_number.im);
    case INDEX:
        return PyLong_FromLongLong(c->index);
    default:
        Py_RETURN_NONE;
    }
}

/* blas(name, operands and their names, scalars, options, arithmetic) */
static PyObject *blas(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *name, *operands, *scalars, *options, *arithmetic, *result = NULL;
    blas_call c;
    memset(&c, 0, sizeof c);
    c.exec = core_exec();
    if (!c.exec ||
        !PyArg_ParseTuple(arguments, "UOOOO", &name, &operands, &scalars, &options, &arithmetic))
        return NULL;
    const int f = find(name);
    if (f < 0 || expect_size(operands, 2 * functions[f].views) < 0 ||
        get_numbers(&c, f, scalars, options) < 0 || get_operands(&c, f, operands) < 0)
        return NULL;
    if (choose_arithmetic(&c, f, arithmetic) == 0) {
        stn_status status;
        CORE_WITHOUT_GIL(status, functions[f].call(&c));
        result = core_check(status) < 0 ? NULL : result_of(&c, f);
    }
    for (int k = 0; k < functions[f].views; k++)
        core_operand_release(&c.operands[k]);
    return result;
}

/* ---- rotations ---- */

/* rotg(a, b, arithmetic): r, z, c, s */
static PyObject *rotg(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *objects[2], *name;
    stn_c128 a, b, sine = {0.0, 0.0};
    stn_format arithmetic;
    double c;
    if (!PyArg_ParseTuple(arguments, "OOO", &objects[0], &objects[1], &name) ||
        core_complex(objects[0], "a", &a) < 0 || core_complex(objects[1], "b", &b) < 0)
        return NULL;
    const int is_complex = PyComplex_Check(objects[0]) || PyComplex_Check(objects[1]);
    if (core_arithmetic(name, is_complex ? STN_C128 : STN_F64, &arithmetic) < 0)
        return NULL;
    if (core_is_complex(arithmetic)) {
        if (core_check(stn_rotg_complex(arithmetic, &a, &b, &c, &sine)) < 0)
            return NULL;
        return Py_BuildValue("(NNdN)", PyComplex_FromDoubles(a.re, a.im),
                             PyComplex_FromDoubles(b.re, b.im), c,
                             PyComplex_FromDoubles(sine.re, sine.im));
    }
    if (core_check(stn_rotg(arithmetic, &a.re, &b.re, &c, &sine.re)) < 0)
        return NULL;
    return Py_BuildValue("(dddd)", a.re, b.re, c, sine.re);
}

/* rotmg(d1, d2, x1, y1, arithmetic): d1, d2, x1, parameter */
static PyObject *rotmg(PyObject *module, PyObject *arguments)
{
    (void)module;
    double d1, d2, x1, y1, p[5];
    PyObject *name;
    stn_format arithmetic;
    if (!PyArg_ParseTuple(arguments, "ddddO", &d1, &d2, &x1, &y1, &name) ||
        core_arithmetic(name, STN_F64, &arithmetic) < 0 ||
        core_check(stn_rotmg(arithmetic, &d1, &d2, &x1, y1, p)) < 0)
        return NULL;
    return Py_BuildValue("(ddd(ddddd))", d1, d2, x1, p[0], p[1], p[2], p[3], p[4]);
}

PyMethodDef core_blas_functions[] = {
    {"blas", blas, METH_VARARGS, NULL},
    {"rotg", rotg, METH_VARARGS, NULL},
    {"rotmg", rotmg, METH_VARARGS, NULL},
    {0},
};
