/* What use has found: wrong calls that passed in silence, right ones that were refused. One case
 * for each, by room; every header of misuse/ ends with the list of its cases. */

#include "misuse/memory.h"
#include "misuse/kernels.h"
#include "misuse/flags.h"
#include "misuse/data.h"
#include "misuse/views.h"
#include "misuse/operands.h"
#include "misuse/contracts.h"
#include "misuse/market.h"

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        MISUSE_MEMORY MISUSE_KERNELS MISUSE_FLAGS MISUSE_DATA MISUSE_VIEWS MISUSE_OPERANDS MISUSE_CONTRACTS
        MISUSE_MARKET
    };
    /* clang-format on */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
