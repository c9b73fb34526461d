/* The kernels inside functions that a SYCL compiler takes for device code. */
#include "kernels.h"

template <class name, class function>
__attribute__((sycl_kernel)) void submit(const function &kernel)
{
    kernel();
}

#define ON_KERNEL(name, format, real, scale)                                                       \
    submit<class of_##name>([=] {                                                                  \
        words[0] =                                                                                 \
            name((stn_##format *)memory, (stn_##real *)memory, (stn_##scale *)memory, words[1]);   \
    });

void submit_all(void *memory, stn_u64 *words)
{
    KERNEL_LIST
}
