/* Rules of arithmetic that a program's compiler was told not to keep. */
#include "core/status.h"
#include "map/text.h"

stn_status stn_kernel_keeps_rules(const stn_kernel *kernel, unsigned traits)
{
    static const struct {
        unsigned breaks;
        const char *what, *flag;
    } rules[] = {
        {STN_BREAKS_REORDERED, "sums are reordered", "-fassociative-math"}, /* fuses as well */
        {STN_BREAKS_FUSED, "products and sums are fused", "-ffp-contract=fast"},
        {STN_BREAKS_INVERTED, "quotients are approximate", "-freciprocal-math"},
        {STN_BREAKS_UNSIGNED, "zeros lose their signs", "-fno-signed-zeros"}};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (traits & rules[k].breaks * STN_TEXT_BREAKS)
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "kernel %s: %s in the program's loops, which changes results: compile "
                            "without %s, or what implies it (-ffast-math, -Ofast, "
                            "-funsafe-math-optimizations)",
                            kernel->name, rules[k].what, rules[k].flag);
    return STN_OK;
}
