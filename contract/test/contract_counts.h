/* Counts of code compared with text such as "loads.256 1, elements 4". */
#ifndef STENO_TEST_CONTRACT_COUNTS_H
#define STENO_TEST_CONTRACT_COUNTS_H

#include "check.h"
#include "contract/isa/code.h"

#include <stdio.h>
#include <string.h>

/* The index of an element by its name after the dot: a width, a kind or a register file. */
static inline size_t count_index(const char *name)
{
    static const char *const lists[][7] = {
        {"8 ", "16 ", "32 ", "64 ", "128 ", "256 ", "512 "},
        {"f64 ", "f32 ", "f16 ", "int "},
        {"thread ", "predicate ", "uniform ", "uniform_predicate "},
    };
    for (size_t list = 0; list < 3; list++)
        for (size_t k = 0; k < 7 && lists[list][k]; k++)
            if (strncmp(name, lists[list][k], strlen(lists[list][k])) == 0)
                return k;
    fail_msg("no element %s", name);
    return 0;
}

#define MEMBER(member)                                                                             \
    {                                                                                              \
#        member, offsetof(stn_code_counts, member), sizeof(((stn_code_counts *)0)->member)         \
    }
#define ELEMENTS(member)                                                                           \
    {                                                                                              \
#        member, offsetof(stn_code_counts, member), sizeof(((stn_code_counts *)0)->member[0])      \
    }

/* `name` is a member, or a member, a dot and an element, followed by a space. */
static inline int64_t count_named(const stn_code_counts *counts, const char *name)
{
    static const struct {
        const char *name;
        size_t offset, size;
    } all[] = {
        MEMBER(size),
        MEMBER(instructions),
        MEMBER(unknown),
        ELEMENTS(loads),
        ELEMENTS(stores),
        MEMBER(raw_read),
        MEMBER(raw_written),
        MEMBER(distinct_read),
        MEMBER(distinct_written),
        MEMBER(read_overlaps),
        MEMBER(write_overlaps),
        MEMBER(elements),
        ELEMENTS(scalar),
        ELEMENTS(packed),
        ELEMENTS(scalar_fma),
        ELEMENTS(packed_fma),
        MEMBER(scalar_conversions),
        MEMBER(packed_conversions),
        MEMBER(gathers),
        MEMBER(scatters),
        MEMBER(calls),
        MEMBER(branches),
        MEMBER(stack_loads),
        MEMBER(stack_stores),
        MEMBER(stack_bytes),
        MEMBER(local_loads),
        MEMBER(local_stores),
        MEMBER(constant_loads),
        MEMBER(divisions),
        MEMBER(approximations),
        ELEMENTS(live),
        ELEMENTS(used),
        MEMBER(unknown_registers),
        MEMBER(stalls),
        MEMBER(waits),
    };
    const size_t length = strcspn(name, ". ");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (strlen(all[k].name) != length || strncmp(all[k].name, name, length) != 0)
            continue;
        const size_t index = name[length] == '.' ? count_index(name + length + 1) : 0;
        const char *from = (const char *)counts + all[k].offset + index * all[k].size;
        int32_t narrow;
        int64_t wide;
        if (all[k].size == sizeof narrow)
            return memcpy(&narrow, from, sizeof narrow), narrow;
        return memcpy(&wide, from, sizeof wide), wide;
    }
    fail_msg("no count %s", name);
    return 0;
}

/* The label is printed if a count differs. */
static inline void assert_counts(const stn_code_counts *counts, const char *expected,
                                 const char *label)
{
    for (const char *at = expected; *at; at += strspn(at, ", ")) {
        const int length = (int)strcspn(at, " ");
        long long value = 0;
        int used = 0;
        assert_int_equal(sscanf(at + length, "%lld%n", &value, &used), 1);
        const long long found = (long long)count_named(counts, at);
        if (found != value)
            fail_msg("%s\n%.*s is %lld, not %lld", label, length, at, found, value);
        at += length + used;
    }
}

#endif
