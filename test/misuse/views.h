/* Cases of test_misuse.c: views. */
#ifndef STENO_TEST_MISUSE_VIEWS_H
#define STENO_TEST_MISUSE_VIEWS_H

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line. */
#define MISUSE_VIEWS

#endif
