/* The kernels as functions of this program, in C or C++: prints a word for each. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>

/* As many bytes as the widest format takes. */
enum { MEMORY = ITEMS * REGION * 16, FACTORS = ITEMS * SCALES * 16 };

static void print_word(const char *name, const stn_u64 *words)
{
    stn_u64 sum = 0;
    for (int item = 0; item < ITEMS; item++)
        sum = fold(sum, words[item]);
    printf("%s %016llx\n", name, (unsigned long long)sum);
}

int main(void)
{
    void *const memory = calloc(1, MEMORY), *const wide = calloc(1, MEMORY);
    void *const scales = calloc(1, FACTORS);
    stn_u64 words[ITEMS];
    if (!memory || !wide || !scales)
        return 1;
#define ON_KERNEL(name, format, real, scale)                                                       \
    run_##name(memory, wide, scales, words);                                                       \
    print_word(#name, words);
    KERNEL_LIST
    free(memory);
    free(wide);
    free(scales);
    return 0;
}
