/* The kernels on a device by a SYCL compiler at run time: prints a word for each, as host.c does,
 * and ends with 77 where there is no device. Its arguments are folders of headers. */
#include <sycl/sycl.hpp>

#include "kernels.h"

#include <stdio.h>
#include <string>
#include <vector>

namespace next = sycl::ext::oneapi::experimental;

static const char text[] =
    "#include <sycl/sycl.hpp>\n"
    "#include \"kernels.h\"\n"
    "namespace next = sycl::ext::oneapi;\n"
    "#define ON_KERNEL(name, format, real, scale)\\\n"
    "    extern \"C\" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(\\\n"
    "        (next::experimental::nd_range_kernel<1>))\\\n"
    "    void on_##name(void *memory, void *wide, void *scales, stn_u64 *words)\\\n"
    "    {\\\n"
    "        const stn_u64 item = next::this_work_item::get_nd_item<1>().get_global_linear_id();\\\n"
    "        words[item] = name((stn_##format *)memory, (stn_##real *)wide,\\\n"
    "                           (stn_##scale *)scales, item);\\\n"
    "    }\n"
    "KERNEL_LIST\n";

/* As many bytes as the widest format takes. */
enum { MEMORY = ITEMS * REGION * 16, FACTORS = ITEMS * SCALES * 16 };

static void print_word(const char *name, const stn_u64 *words)
{
    stn_u64 sum = 0;
    for (int item = 0; item < ITEMS; item++)
        sum = fold(sum, words[item]);
    printf("%s %016llx\n", name, (unsigned long long)sum);
}

static void run(sycl::queue &queue, const std::vector<std::string> &options)
{
    auto source = next::create_kernel_bundle_from_source(
        queue.get_context(), next::source_language::sycl, std::string(text));
    auto built = next::build(source, next::properties{next::build_options{options}});
    void *const memory = sycl::malloc_device(MEMORY, queue);
    void *const wide = sycl::malloc_device(MEMORY, queue);
    void *const scales = sycl::malloc_device(FACTORS, queue);
    stn_u64 *const words = sycl::malloc_shared<stn_u64>(ITEMS, queue);
#define ON_KERNEL(name, format, real, scale)                                                       \
    queue                                                                                          \
        .submit([&](sycl::handler &handler) {                                                      \
            handler.set_args(memory, wide, scales, words);                                         \
            handler.parallel_for(sycl::nd_range<1>(ITEMS, 1),                                      \
                                 built.ext_oneapi_get_kernel("on_" #name));                        \
        })                                                                                         \
        .wait_and_throw();                                                                         \
    print_word(#name, words);
    KERNEL_LIST
}

int main(int count, char **folders)
{
    std::vector<std::string> options = {"-ffp-contract=off"};
    for (int k = 1; k < count; k++)
        options.push_back(std::string("-I") + folders[k]);
#ifdef FEW_KERNELS
    options.push_back("-DFEW_KERNELS");
#endif
    if (sycl::device::get_devices().empty())
        return 77;
    try {
        sycl::queue queue;
        run(queue, options);
    } catch (const sycl::exception &error) {
        fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
