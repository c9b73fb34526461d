/* Cases of test_misuse.c: flags. */
#ifndef STENO_TEST_MISUSE_FLAGS_H
#define STENO_TEST_MISUSE_FLAGS_H

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line. */
#define MISUSE_FLAGS

#endif
