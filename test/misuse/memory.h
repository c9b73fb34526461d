/* Cases of test_misuse.c: memory. */
#ifndef STENO_TEST_MISUSE_MEMORY_H
#define STENO_TEST_MISUSE_MEMORY_H

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line. */
#define MISUSE_MEMORY

#endif
