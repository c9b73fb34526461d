/* Products of vectors and matrices. */
#include "core.h"

static const stn_c128 one = {1.0, 0.0}, zero = {0.0, 0.0};

/* Operands of a product, with the arithmetic type and the format of the result. */
typedef struct factors {
    core_operand x, y;
    stn_format arithmetic, format;
} factors;

static void release(factors *pair)
{
    core_operand_release(&pair->x);
    core_operand_release(&pair->y);
}

static int get_factors(factors *pair, PyObject *x, PyObject *y, PyObject *arithmetic)
{
    if (core_operand_get(&pair->x, x, "x") < 0)
        return -1;
    if (core_operand_get(&pair->y, y, "y") < 0) {
        core_operand_release(&pair->x);
        return -1;
    }
    pair->format = core_promote(core_value_format(&pair->x.view), core_value_format(&pair->y.view));
    const stn_format fallback = core_is_complex(pair->format) ? STN_C128 : STN_F64;
    if (core_arithmetic(arithmetic, fallback, &pair->arithmetic) == 0 &&
        (!core_is_complex(pair->arithmetic) ||
         (core_make_complex(&pair->x) == 0 && core_make_complex(&pair->y) == 0)))
        return 0;
    release(pair);
    return -1;
}

static PyObject *dot_of(const factors *pair)
{
    const stn_exec *exec = core_exec();
    stn_status status;
    if (!exec)
        return NULL;
    const stn_view *x = &pair->x.view, *y = &pair->y.view;
    if (core_is_complex(pair->arithmetic)) {
        stn_c128 sum;
        CORE_WITHOUT_GIL(status, stn_dotu(exec, pair->arithmetic, &sum, x, y));
        return core_check(status) < 0 ? NULL : PyComplex_FromDoubles(sum.re, sum.im);
    }
    double sum;
    CORE_WITHOUT_GIL(status, stn_dot(exec, pair->arithmetic, &sum, x, y));
    return core_check(status) < 0 ? NULL : PyFloat_FromDouble(sum);
}

/* c = a b of a matrix and a vector, or of two matrices. */
static stn_status multiply_once(const stn_exec *exec, stn_format arithmetic, const stn_view *c,
                                const stn_view *a, const stn_view *b)
{
    stn_view transposed;
    static const int order[] = {1, 0};
    if (a->rank == 1) {
        const stn_status status = stn_view_permute(&transposed, b, 2, order);
        if (status != STN_OK)
            return status;
        b = a;
        a = &transposed;
    }
    if (core_is_complex(arithmetic))
        return b->rank == 1
                   ? stn_gemv_complex(exec, arithmetic, one, STN_NO_CONJUGATE, a, b, zero, c)
                   : stn_gemm_complex(exec, arithmetic, one, STN_NO_CONJUGATE, a, STN_NO_CONJUGATE,
                                      b, zero, c);
    return b->rank == 1 ? stn_gemv(exec, arithmetic, 1.0, a, b, 0.0, c)
                        : stn_gemm(exec, arithmetic, 1.0, a, b, 0.0, c);
}

/* Element `index` of the first dimension. */
static stn_status element(stn_view *part, const stn_view *view, int64_t index)
{
    stn_slice slices[STN_MAX_RANK];
    for (int d = 0; d < view->rank; d++)
        slices[d] = d == 0 ? stn_slice_index(index) : stn_slice_all();
    return stn_view_slice(part, view, view->rank, slices);
}

/* c = a b for each pair of matrices of stacks. */
static stn_status multiply_stacks(const stn_exec *exec, stn_format arithmetic, const stn_view *c,
                                  const stn_view *a, const stn_view *b)
{
    if (a->rank <= 2 && b->rank <= 2)
        return multiply_once(exec, arithmetic, c, a, b);
    stn_status status = STN_OK;
    for (int64_t k = 0; k < c->extent[0] && status == STN_OK; k++) {
        stn_view parts[3];
        status = element(&parts[0], c, k);
        if (status == STN_OK)
            status = element(&parts[1], a, k);
        if (status == STN_OK)
            status = element(&parts[2], b, k);
        if (status == STN_OK)
            status = multiply_stacks(exec, arithmetic, &parts[0], &parts[1], &parts[2]);
    }
    return status;
}

static int refuse_shapes(const stn_view *a, const stn_view *b)
{
    PyObject *first = core_tuple(a->rank, a->extent), *second = core_tuple(b->rank, b->extent);
    if (first && second)
        PyErr_Format(PyExc_ValueError, "arrays of the shapes %R and %R cannot be multiplied", first,
                     second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return -1;
}

/* Broadcasts stacks of matrices and determines the shape of their product. */
static int shape_of_product(stn_view *a, stn_view *b, int *rank, int64_t *extents)
{
    const int is_vector[] = {a->rank == 1, b->rank == 1};
    if (a->rank == 0 || b->rank == 0 ||
        a->extent[a->rank - 1] != b->extent[is_vector[1] ? 0 : b->rank - 2])
        return refuse_shapes(a, b);
    *rank = 0;
    if (a->rank > 2 || b->rank > 2) {
        const int stacks = (a->rank > b->rank ? a->rank : b->rank) - 2;
        int64_t shape[2][STN_MAX_RANK];
        for (int d = 0; d < stacks; d++) {
            const int in_a = d - stacks + a->rank - 2, in_b = d - stacks + b->rank - 2;
            const int64_t m = in_a < 0 ? 1 : a->extent[in_a], n = in_b < 0 ? 1 : b->extent[in_b];
            if (m != n && m != 1 && n != 1)
                return refuse_shapes(a, b);
            shape[0][d] = shape[1][d] = extents[(*rank)++] = m == 1 ? n : m;
        }
        stn_view *const views[] = {a, b};
        for (int k = 0; k < 2; k++) {
            const int own = is_vector[k] ? 1 : 2;
            for (int d = 0; d < own; d++)
                shape[k][stacks + d] = views[k]->extent[views[k]->rank - own + d];
            views[k]->owner = NULL;
            if (core_broadcast(views[k], stacks + own, shape[k]) < 0)
                return -1;
        }
    }
    if (!is_vector[0])
        extents[(*rank)++] = a->extent[a->rank - 2];
    if (!is_vector[1])
        extents[(*rank)++] = b->extent[b->rank - 1];
    return 0;
}

static int multiply_into(factors *pair, PyObject *out)
{
    core_operand result;
    const stn_exec *exec = core_exec();
    if (!exec || core_operand_get_output(&result, out, "out") < 0)
        return -1;
    stn_status status;
    CORE_WITHOUT_GIL(status, multiply_stacks(exec, pair->arithmetic, &result.view, &pair->x.view,
                                             &pair->y.view));
    core_operand_release(&result);
    return core_check(status);
}

static int check_out(PyObject *out, int rank, const int64_t *extents)
{
    core_operand result;
    if (core_operand_get_output(&result, out, "out") < 0)
        return -1;
    int matches = result.view.rank == rank;
    for (int d = 0; d < rank && matches; d++)
        matches = result.view.extent[d] == extents[d];
    core_operand_release(&result);
    if (matches)
        return 0;
    PyObject *shape = core_tuple(rank, extents);
    if (shape)
        PyErr_Format(PyExc_ValueError, "out does not have the shape %R of the product", shape);
    Py_XDECREF(shape);
    return -1;
}

static PyObject *multiply(factors *pair, PyObject *out)
{
    int rank = 0;
    int64_t extents[STN_MAX_RANK + 2];
    if (shape_of_product(&pair->x.view, &pair->y.view, &rank, extents) < 0)
        return NULL;
    if (rank == 0 && !out)
        return dot_of(pair);
    if (rank == 0) {
        PyErr_SetString(PyExc_ValueError, "the product of two vectors is a number: it has no out");
        return NULL;
    }
    if (out && check_out(out, rank, extents) < 0)
        return NULL;
    const stn_storage storage =
        stn_storage_of(core_is_integer(pair->format) ? pair->arithmetic : pair->format);
    PyObject *result =
        out ? Py_NewRef(out) : (PyObject *)core_array_create(&storage, rank, extents, 0);
    if (result && multiply_into(pair, result) < 0)
        Py_CLEAR(result);
    return result;
}

PyObject *core_multiply(PyObject *a, PyObject *b, PyObject *out, PyObject *arithmetic)
{
    factors pair;
    if (get_factors(&pair, a, b, arithmetic) < 0)
        return NULL;
    PyObject *result = multiply(&pair, out && out != Py_None ? out : NULL);
    release(&pair);
    return result;
}

static PyObject *dot(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                     PyObject *keywords)
{
    static const core_signature signature = CORE_SIGNATURE("dot", 2, "x", "y", "arithmetic");
    (void)module;
    PyObject *values[3];
    factors pair;
    if (core_parse(&signature, arguments, count, keywords, values) < 0 ||
        get_factors(&pair, values[0], values[1], values[2]) < 0)
        return NULL;
    PyObject *result = dot_of(&pair);
    release(&pair);
    return result;
}

static PyObject *matmul(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                        PyObject *keywords)
{
    static const core_signature signature =
        CORE_SIGNATURE("matmul", 2, "a", "b", "out", "arithmetic");
    (void)module;
    PyObject *values[4];
    if (core_parse(&signature, arguments, count, keywords, values) < 0)
        return NULL;
    return core_multiply(values[0], values[1], values[2], values[3]);
}

static PyObject *axpy(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                      PyObject *keywords)
{
    static const core_signature signature =
        CORE_SIGNATURE("axpy", 3, "alpha", "x", "y", "arithmetic");
    (void)module;
    PyObject *values[4], *result = NULL;
    stn_c128 alpha;
    core_operand x, y;
    stn_format arithmetic;
    const stn_exec *exec = core_exec();
    if (!exec || core_parse(&signature, arguments, count, keywords, values) < 0 ||
        core_complex(values[0], "alpha", &alpha) < 0 || core_operand_get(&x, values[1], "x") < 0)
        return NULL;
    if (core_operand_get_output(&y, values[2], "y") == 0) {
        const int is_complex = core_is_complex(y.view.storage.format);
        if (core_arithmetic(values[3], is_complex ? STN_C128 : STN_F64, &arithmetic) == 0 &&
            (!is_complex || core_make_complex(&x) == 0)) {
            stn_status status;
            if (core_is_complex(arithmetic))
                CORE_WITHOUT_GIL(status,
                                 stn_axpy_complex(exec, arithmetic, alpha, &x.view, &y.view));
            else
                CORE_WITHOUT_GIL(status, stn_axpy(exec, arithmetic, alpha.re, &x.view, &y.view));
            if (core_check(status) == 0)
                result = Py_NewRef(values[2]);
        }
        core_operand_release(&y);
    }
    core_operand_release(&x);
    return result;
}

#define FUNCTION(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

PyMethodDef core_product_functions[] = {
    {"dot", FUNCTION(dot),
     "dot($module, x, y, arithmetic=None)\n--\n\n"
     "The dot product of two vectors.\n\n"
     "Complex elements are not conjugated.\n\n"
     "Parameters\n----------\n"
     "x, y : array_like\n"
     "    Vectors of the same length.\n"
     "arithmetic : str, optional\n"
     "    The type in which products are added: ``\"f64\"`` (the default), ``\"f32\"``,\n"
     "    ``\"c128\"`` or ``\"c64\"``.\n\n"
     "Returns\n-------\n"
     "float or complex\n"
     "    The sum, with the same bits for every number of threads.\n\n"
     "Examples\n--------\n"
     ">>> import steno\n"
     ">>> x = steno.array([1.0, 2.0, 3.0], \"f16\")\n"
     ">>> steno.dot(x, x)\n"
     "14.0\n"},
    {"matmul", FUNCTION(matmul),
     "matmul($module, a, b, out=None, arithmetic=None)\n--\n\n"
     "The product of matrices, vectors, or stacks of matrices; ``a @ b``.\n\n"
     "Parameters\n----------\n"
     "a, b : array_like\n"
     "    Arrays with the shapes that ``numpy.matmul`` accepts.\n"
     "out : Array or numpy.ndarray, optional\n"
     "    The result. By default, an array in the promoted format of ``a`` and ``b``.\n"
     "arithmetic : str, optional\n"
     "    The type of the computation, as of `dot`.\n\n"
     "Returns\n-------\n"
     "Array, float or complex\n"
     "    The product, or a number if both are vectors.\n\n"
     "Examples\n--------\n"
     ">>> import steno\n"
     ">>> a = steno.array([[1.0, 2.0], [3.0, 4.0]], \"f16\")\n"
     ">>> a @ [1.0, 10.0]\n"
     "Array([21., 43.], format='f64')\n"},
    {"axpy", FUNCTION(axpy),
     "axpy($module, alpha, x, y, arithmetic=None)\n--\n\n"
     "Computes ``y = alpha * x + y`` in place.\n\n"
     "Parameters\n----------\n"
     "alpha : float or complex\n"
     "    The factor of `x`.\n"
     "x : array_like\n"
     "    A vector.\n"
     "y : Array or numpy.ndarray\n"
     "    A vector of the same length, which is updated.\n"
     "arithmetic : str, optional\n"
     "    The type of the computation, as of `dot`.\n\n"
     "Returns\n-------\n"
     "Array or numpy.ndarray\n"
     "    `y`.\n\n"
     "Examples\n--------\n"
     ">>> import steno\n"
     ">>> y = steno.ones(3, \"bf16\")\n"
     ">>> steno.axpy(2.0, [1.0, 2.0, 3.0], y)\n"
     "Array([3., 5., 7.], format='bf16')\n"},
    {0},
};
