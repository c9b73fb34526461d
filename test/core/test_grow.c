/* Structs with a size: shorter and longer layouts as input and as output. */
#include <stdlib.h>

#include "core/grow.h"
#include "check.h"

typedef struct options {
    size_t size;
    int64_t first;
    double later;
    const char *last;
} options;

typedef struct later_options {
    options known;
    int64_t unknown[2];
} later_options;

static stn_status read(options *to, const void *from)
{
    return STN_STRUCT_READ(to, (const options *)from, options, first, "f: options");
}

UNIT_TEST(test_reads_sizes)
{
    later_options from = {.known = {.size = sizeof(options), .first = 7, .later = 0.5}};
    options to;
    assert_int_equal(read(&to, &from), STN_OK);
    assert_true(to.first == 7 && to.later == 0.5 && to.size == sizeof to);
    from.known.size = STN_SIZE_TO(options, first);
    assert_int_equal(read(&to, &from), STN_OK);
    assert_true(to.first == 7 && to.later == 0.0 && to.size == sizeof to);
    from.known.size = sizeof from;
    assert_int_equal(read(&to, &from), STN_OK);
    assert_true(to.first == 7 && to.later == 0.5 && to.size == sizeof to);
    from.unknown[1] = 1;
    assert_int_equal(read(&to, &from), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "f: options: the member size is 48, this version of "
                                        "options has 32 bytes, and byte 40, "));
}

UNIT_TEST(test_refuses_sizes)
{
    static const size_t sizes[] = {0, sizeof(size_t), 20, STN_STRUCT_MAX + sizeof(size_t),
                                   SIZE_MAX};
    options to, from = {0};
    for (int k = 0; k < COUNT_OF(sizes); k++) {
        from.size = sizes[k];
        assert_int_equal(read(&to, &from), STN_ERR_ARGUMENT);
        assert_non_null(strstr(stn_error(), "which no version of options has"));
        assert_int_equal(STN_STRUCT_CHECK(&from, options, first, "f"), STN_ERR_ARGUMENT);
    }
    assert_int_equal(read(&to, NULL), STN_ERR_ARGUMENT);
    assert_string_equal(stn_error(), "f: options is NULL");
}

UNIT_TEST(test_writes_at_most_size)
{
    static const size_t sizes[] = {STN_SIZE_TO(options, first), sizeof(options),
                                   sizeof(later_options)};
    const options from = {sizeof from, 7, 0.5, "last"};
    for (int k = 0; k < COUNT_OF(sizes); k++) {
        unsigned char to[sizeof(later_options)];
        memset(to, 0xa5, sizeof to);
        memcpy(to, &sizes[k], sizeof sizes[k]);
        assert_int_equal(STN_STRUCT_CHECK((options *)(void *)to, options, first, "f"), STN_OK);
        STN_STRUCT_WRITE((options *)(void *)to, &from, options);
        const size_t written = sizes[k] < sizeof from ? sizes[k] : sizeof from;
        assert_memory_equal(to, &sizes[k], sizeof sizes[k]);
        assert_memory_equal(to + sizeof(size_t), (const char *)&from + sizeof(size_t),
                            written - sizeof(size_t));
        for (size_t at = written; at < sizeof to; at++)
            assert_int_equal(to[at], 0xa5);
    }
}

RUN_UNIT_TESTS(NULL, NULL)
