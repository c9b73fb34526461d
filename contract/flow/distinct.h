/* Bytes at distinct addresses, and the advance of an iteration. */
#ifndef STENO_CONTRACT_DISTINCT_H
#define STENO_CONTRACT_DISTINCT_H

#include "contract/isa/code.h"

/* Bytes [from, to) relative to base and index registers with these value numbers. Places of equal
 * base, index and scale differ only in the bytes. */
typedef struct stn_code_location {
    int32_t base, index, scale;
    int64_t base_value, index_value;
    int32_t writes;
    int64_t from, to;
    uint64_t origins;    /* origins of the access */
    int32_t instruction; /* the first one that accesses it */
} stn_code_location;

int stn_code_location_is_contiguous(const stn_code_location *a, const stn_code_location *b);

/* The memory accesses of a whole function, sorted by place and ascending bytes, without gathers.
 * Must be freed even after an error. STN_ERR_MEMORY. */
stn_status stn_code_locations(const stn_code *code, stn_code_location **locations, int32_t *count);

/* Fills distinct_read and distinct_written of a loop or, with STN_LOOP_NONE, of the function. */
stn_status stn_code_distinct(const stn_code *code, int32_t loop, stn_code_counts *counts);

/* The first instruction that may read (or write) bytes that the loop or function also reads (or
 * writes) through another base or index; -1: none. STN_ERR_MEMORY. */
stn_status stn_code_overlap(const stn_code *code, int32_t loop, int writes, int32_t *instruction);

/* Elements that an iteration of the loop advances by; 0 if unknown. */
stn_status stn_code_elements(const stn_code *code, int32_t loop, int32_t *elements);

/* Registers during an iteration: each holds the initial value of `origin` plus `offset`; origin -1:
 * unknown. */
enum { STN_COURSE_REGISTERS = 64 };
typedef struct stn_course {
    int origin[STN_COURSE_REGISTERS];
    uint64_t offset[STN_COURSE_REGISTERS];
    uint64_t skipped_until; /* instructions before this address may be skipped */
    uint64_t end;           /* the last instruction of the loop */
} stn_course;

/* The advance of each register per iteration; is_known: bit per register. */
typedef struct stn_advances {
    int64_t of[STN_COURSE_REGISTERS];
    uint64_t is_known;
} stn_advances;

/* induction.c */
void stn_course_begin(stn_course *course, const stn_code *code, int32_t loop);
void stn_course_step(stn_course *course, const stn_code *code, int32_t loop, int32_t instruction);
stn_advances stn_course_advances(const stn_code *code, int32_t loop);

#endif
