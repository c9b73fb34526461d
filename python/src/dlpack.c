/* DLPack 1.x: exchange of arrays with other libraries without a copy. Source: dlpack.h,
 * version 1.1. */
#include "core.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef enum dl_device_type {
    DL_CPU = 1,
    DL_CUDA = 2,
    DL_CUDA_HOST = 3,
    DL_CUDA_MANAGED = 13
} dl_device_type;

typedef enum dl_type_code {
    DL_INT = 0,
    DL_UINT = 1,
    DL_FLOAT = 2,
    DL_BFLOAT = 4,
    DL_COMPLEX = 5,
    DL_BOOL = 6,
    DL_FLOAT8_E4M3FN = 10,
    DL_FLOAT8_E5M2 = 12
} dl_type_code;

typedef struct dl_tensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t rank;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } type;
    int64_t *extents, *strides;
    uint64_t offset; /* of the first element in bytes */
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*release)(struct dl_managed *managed);
} dl_managed;

typedef struct dl_versioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*release)(struct dl_versioned *managed);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

enum { DL_READ_ONLY = 1, DL_MAJOR = 1, DL_MINOR = 1 };

/* What both kinds of capsules contain. */
typedef struct exported {
    union {
        dl_managed old;
        dl_versioned new;
    } managed;
    PyObject *array;
    int64_t extents[STN_MAX_RANK], strides[STN_MAX_RANK];
} exported;

static const struct {
    stn_format format;
    uint8_t code, bits;
} types[] = {
    {STN_F64, DL_FLOAT, 64},
    {STN_F32, DL_FLOAT, 32},
    {STN_F16, DL_FLOAT, 16},
    {STN_BF16, DL_BFLOAT, 16},
    {STN_E4M3, DL_FLOAT8_E4M3FN, 8},
    {STN_E5M2, DL_FLOAT8_E5M2, 8},
    {STN_I8, DL_INT, 8},
    {STN_U8, DL_UINT, 8},
    {STN_I16, DL_INT, 16},
    {STN_U16, DL_UINT, 16},
    {STN_I32, DL_INT, 32},
    {STN_U32, DL_UINT, 32},
    {STN_I64, DL_INT, 64},
    {STN_U64, DL_UINT, 64},
    {STN_C128, DL_COMPLEX, 128},
    {STN_C64, DL_COMPLEX, 64},
    {STN_C32, DL_COMPLEX, 32},
    {STN_U8, DL_BOOL, 8},
};

/* ---- export ---- */

/* Consumers may release a tensor in any thread, and after the interpreter has ended. */
static void release_exported(exported *data)
{
    if (!Py_IsInitialized())
        return;
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(data->array);
    PyMem_Free(data);
    PyGILState_Release(state);
}

static void release_old(dl_managed *managed)
{
    release_exported(managed->context);
}

static void release_new(dl_versioned *managed)
{
    release_exported(managed->context);
}

/* A consumer renames the capsule of a tensor that it has taken. */
static void delete_capsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        dl_managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
        managed->release(managed);
    } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        dl_versioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        managed->release(managed);
    }
}

/* The row of `types` of a format; -1 if DLPack has none. */
static int type_of(stn_format format)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].format == format)
            return (int)k;
    return -1;
}

static int is_on_device(const stn_view *view)
{
    return view->space == STN_SPACE_DEVICE || view->space == STN_SPACE_MANAGED;
}

static dl_device_type device_type_of(const stn_view *view)
{
    static const dl_device_type types_of_spaces[] = {[STN_SPACE_HOST] = DL_CPU,
                                                     [STN_SPACE_PINNED] = DL_CPU,
                                                     [STN_SPACE_MANAGED] = DL_CUDA_MANAGED,
                                                     [STN_SPACE_DEVICE] = DL_CUDA};
    return types_of_spaces[view->space];
}

static const char *reason_against(const stn_view *view, int is_versioned)
{
    if (type_of(view->storage.format) < 0)
        return "DLPack does not have the format of the array: export a.codes";
    if (!core_is_unscaled(view))
        return "the codes of a scaled array are not its values: export a.codes and a.scales";
    if (is_on_device(view) && core_cuda_device() < 0)
        return "the array is in the memory of a device: export it in a with statement of its CUDA "
               "executor";
    return view->read_only && !is_versioned ? "a read-only array requires DLPack 1.0 or later"
                                            : NULL;
}

static void fill_tensor(dl_tensor *tensor, exported *data, const stn_view *view)
{
    const int type = type_of(view->storage.format);
    tensor->type.code = types[type].code;
    tensor->type.bits = types[type].bits;
    tensor->type.lanes = 1;
    memcpy(data->extents, view->extent, sizeof data->extents);
    memcpy(data->strides, view->stride, sizeof data->strides);
    tensor->data = view->data;
    tensor->device.type = device_type_of(view);
    tensor->device.id = is_on_device(view) ? core_cuda_device() : 0;
    tensor->rank = view->rank;
    tensor->extents = data->extents;
    tensor->strides = data->strides;
}

/* dlpack_export(array, is_versioned): a capsule. */
static PyObject *dlpack_export(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *object;
    int is_versioned;
    if (!PyArg_ParseTuple(arguments, "O!i", core->array_base, &object, &is_versioned))
        return NULL;
    const stn_view *view = &((core_array *)object)->view;
    const char *reason = reason_against(view, is_versioned);
    if (reason) {
        PyErr_SetString(PyExc_BufferError, reason);
        return NULL;
    }
    if (is_on_device(view)) { /* consumers do not know the queue of the executor */
        stn_status status;
        const stn_exec *exec = core_exec();
        CORE_WITHOUT_GIL(status, stn_exec_wait(exec));
        if (core_check(status) < 0)
            return NULL;
    }
    exported *data = PyMem_Calloc(1, sizeof *data);
    if (!data)
        return PyErr_NoMemory();
    data->array = Py_NewRef(object);
    if (is_versioned) {
        dl_versioned *managed = &data->managed.new;
        managed->version.major = DL_MAJOR;
        managed->version.minor = DL_MINOR;
        managed->context = data;
        managed->release = release_new;
        managed->flags = view->read_only ? DL_READ_ONLY : 0;
        fill_tensor(&managed->tensor, data, view);
    } else {
        data->managed.old.context = data;
        data->managed.old.release = release_old;
        fill_tensor(&data->managed.old.tensor, data, view);
    }
    PyObject *capsule = PyCapsule_New(
        &data->managed, is_versioned ? "dltensor_versioned" : "dltensor", delete_capsule);
    if (!capsule)
        release_exported(data);
    return capsule;
}

/* dlpack_device(array): the type and the number of its device. */
static PyObject *dlpack_device(PyObject *module, PyObject *object)
{
    (void)module;
    if (!core_is_array(object)) {
        PyErr_SetString(PyExc_TypeError, "an array expected");
        return NULL;
    }
    const stn_view *view = &((core_array *)object)->view;
    const int device = is_on_device(view) ? core_cuda_device() : 0;
    if (device < 0) {
        PyErr_SetString(PyExc_BufferError, reason_against(view, 1));
        return NULL;
    }
    return Py_BuildValue("(ii)", (int)device_type_of(view), device);
}

/* ---- import ---- */

/* Waits for the work of the producer, for which the queues of executors do not wait. Its context is
 * that of the calling thread. */
static int wait_for_producer(void)
{
    const char *name = getenv("STENO_CUDA_DRIVER");
    void *driver = dlopen(name && *name ? name : "libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *symbol = driver ? dlsym(driver, "cuCtxSynchronize") : NULL;
    int (*synchronize)(void) = NULL;
    int error = -1;
    memcpy(&synchronize, &symbol, sizeof symbol);
    if (synchronize) {
        PyThreadState *thread = PyEval_SaveThread();
        error = synchronize();
        PyEval_RestoreThread(thread);
    }
    if (driver)
        (void)dlclose(driver);
    if (error != 0)
        PyErr_Format(
            PyExc_BufferError,
            "the library that exports the array has no CUDA context in this thread, or its "
            "work has failed (error %d)",
            error);
    return error == 0 ? 0 : -1;
}

/* Host memory, or that of the CUDA device of the current executor. */
static int check_device(const dl_tensor *tensor)
{
    const dl_device_type type = tensor->device.type;
    const int id = tensor->device.id;
    if (type == DL_CPU || type == DL_CUDA_HOST)
        return 0;
    if (type != DL_CUDA && type != DL_CUDA_MANAGED) {
        PyErr_Format(PyExc_BufferError,
                     "the array is on a device of DLPack's type %d, neither in host memory nor in "
                     "that of a CUDA device",
                     (int)type);
        return -1;
    }
    if (core_cuda_device() != id) {
        PyErr_Format(PyExc_BufferError,
                     "the array is in the memory of CUDA device %d: import it in a with statement "
                     "of steno.executor(\"cuda:%d\")",
                     id, id);
        return -1;
    }
    return wait_for_producer();
}

/* Keeps an imported tensor alive: a capsule that releases it. */
static void release_imported(PyObject *capsule)
{
    dl_managed *old =
        PyCapsule_IsValid(capsule, "steno.old") ? PyCapsule_GetPointer(capsule, "steno.old") : NULL;
    dl_versioned *new =
        PyCapsule_IsValid(capsule, "steno.new") ? PyCapsule_GetPointer(capsule, "steno.new") : NULL;
    if (old && old->release)
        old->release(old);
    if (new &&new->release)
        new->release(new);
}

static int wrap_tensor(stn_view *view, const dl_tensor *tensor)
{
    stn_format format = -1;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].code == tensor->type.code && types[k].bits == tensor->type.bits)
            format = types[k].format;
    if (format < 0 || tensor->type.lanes != 1) {
        PyErr_Format(PyExc_TypeError,
                     "elements of DLPack's type code %d with %d bits are not "
                     "supported",
                     tensor->type.code, tensor->type.bits);
        return -1;
    }
    if (check_device(tensor) < 0)
        return -1;
    if (tensor->rank < 0 || tensor->rank > STN_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "the array has %d dimensions; at most %d are supported",
                     (int)tensor->rank, STN_MAX_RANK);
        return -1;
    }
    stn_view_spec spec = STN_VIEW_SPEC_INIT;
    spec.storage = stn_storage_of(format);
    spec.rank = tensor->rank;
    spec.extents = tensor->extents;
    spec.strides = tensor->strides;
    spec.data = tensor->data ? (char *)tensor->data + tensor->offset : NULL;
    stn_status status = stn_view_wrap_spec(view, &spec);
    if (status == STN_OK && tensor->device.type == DL_CUDA)
        status = stn_view_set_space(view, STN_SPACE_DEVICE);
    if (status == STN_OK && tensor->device.type == DL_CUDA_MANAGED)
        status = stn_view_set_space(view, STN_SPACE_MANAGED);
    return core_check(status);
}

/* dlpack_import(capsule): an array that shares the memory and owns the tensor. */
static PyObject *dlpack_import(PyObject *module, PyObject *capsule)
{
    (void)module;
    const int is_new = PyCapsule_IsValid(capsule, "dltensor_versioned");
    if (!is_new && !PyCapsule_IsValid(capsule, "dltensor")) {
        PyErr_SetString(PyExc_TypeError, "__dlpack__() has not returned a capsule of DLPack");
        return NULL;
    }
    void *managed = PyCapsule_GetPointer(capsule, is_new ? "dltensor_versioned" : "dltensor");
    dl_versioned *new = managed;
    if (is_new && new->version.major > DL_MAJOR) {
        PyErr_Format(PyExc_BufferError, "the array has version %d of DLPack; 1 is supported",
                     (int)new->version.major);
        return NULL;
    }
    core_array *array = core_array_new();
    if (!array)
        return NULL;
    const dl_tensor *tensor = is_new ? &new->tensor : &((dl_managed *)managed)->tensor;
    if (wrap_tensor(&array->view, tensor) < 0) {
        Py_DECREF(array);
        return NULL;
    }
    array->view.read_only = is_new && (new->flags &DL_READ_ONLY);
    array->owner = PyCapsule_New(managed, is_new ? "steno.new" : "steno.old", NULL);
    if (!array->owner ||
        PyCapsule_SetName(capsule, is_new ? "used_dltensor_versioned" : "used_dltensor") < 0 ||
        PyCapsule_SetDestructor(array->owner, release_imported) < 0)
        Py_CLEAR(array);
    return (PyObject *)array;
}

PyMethodDef core_dlpack_functions[] = {
    {"dlpack_export", dlpack_export, METH_VARARGS, NULL},
    {"dlpack_device", dlpack_device, METH_O, NULL},
    {"dlpack_import", dlpack_import, METH_O, NULL},
    {0},
};
