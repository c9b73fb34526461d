/* Exceptions for statuses of the library. */
#include "core.h"

int core_check(stn_status status)
{
    if (status == STN_OK)
        return 0;
    const int known = (int)status > 0 && (int)status < CORE_STATUSES;
    PyObject *error = known && core->errors[status] ? core->errors[status] : PyExc_RuntimeError;
    PyErr_SetString(error, stn_error());
    return -1;
}
