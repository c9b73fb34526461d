/* Expectations: contracts as parsed from their language, and the quantities they speak of. */
#ifndef STENO_CONTRACT_EXPECT_H
#define STENO_CONTRACT_EXPECT_H

#include "contract/isa/code.h"

typedef enum stn_relation {
    STN_RELATION_EQUAL,
    STN_RELATION_NOT_EQUAL,
    STN_RELATION_LESS,
    STN_RELATION_AT_MOST,
    STN_RELATION_MORE,
    STN_RELATION_AT_LEAST
} stn_relation;

/* As it is written, such as ">=". */
const char *stn_relation_text(stn_relation relation);

/* Whether `left` and `right` stand in the relation. */
int stn_relation_holds(int64_t left, stn_relation relation, int64_t right);

/* A line and a column of a text, from 1. */
typedef struct stn_place {
    int32_t line, column;
} stn_place;

/* Numbers of facts are kept in thousandths: bytes per element need not be whole. */
enum { STN_FACT_UNIT = 1000, STN_VERSION_PARTS = 3, STN_MOST_RULES = 4, STN_SEQUENCE = -1 };

typedef struct stn_fact {
    stn_place place;
    int32_t quantity; /* STN_SEQUENCE: how often the pattern is found */
    struct stn_pattern *pattern;
    stn_relation relation;
    int64_t number;
} stn_fact;

/* gcc>=12.2; without a version, any of that compiler. */
typedef struct stn_compiler_rule {
    const char *name;
    stn_relation relation;
    int32_t version[STN_VERSION_PARTS];
    int parts; /* of the version */
} stn_compiler_rule;

typedef struct stn_expectation {
    stn_place place;
    const char *function; /* a symbol, or a regular expression without its slashes */
    int is_expression;
    const char *target; /* a pattern */
    stn_compiler_rule rules[STN_MOST_RULES];
    int rule_count;
    int32_t loop; /* a number, STN_LOOP_NONE or STN_LOOP_MAIN */
    int leaves_out_calls;
    int32_t first_fact, fact_count;
} stn_expectation;

typedef struct stn_expectations {
    const char *name; /* of the file; not owned */
    char *strings;
    stn_expectation *list;
    stn_fact *facts;
    int32_t count, fact_count;
} stn_expectations;

/* STN_ERR_PARSE with line and column; then there is nothing to release. `text` ends with 0. */
stn_status stn_expectations_parse(const char *text, const char *name, stn_expectations *all);
void stn_expectations_release(stn_expectations *all);

/* ---- quantities: expect_quantities.c ---- */

/* What a fact is about. */
typedef struct stn_subject {
    const stn_code_counts *counts;
    const stn_function_info *function;
    int32_t loop;
    int leaves_out_calls; /* what called functions do is not meant */
} stn_subject;

/* What the counts leave out, as bits: nobody knows how much of a quantity it has. */
enum {
    STN_HIDDEN_REPEATS = 1, /* by instructions that repeat themselves: all but their first time */
    STN_HIDDEN_UNKNOWN = 2, /* by unknown instructions */
    STN_HIDDEN_CALLS = 4,   /* by called functions */
    STN_HIDDEN_JUMPS = 8,   /* by jumps nobody knows where to: that they are calls, and loops */
    STN_HIDDEN_PATHS = 16, /* by the same, ways through a loop; by ways out of what is known, all */
    STN_HIDDEN_CYCLES = 32,       /* by irreducible cycles of the function: that they are loops */
    STN_HIDDEN_ROUNDS = 64,       /* by those of the loop: what an iteration is */
    STN_HIDDEN_REGISTERS = 128,   /* by instructions whose registers nobody knows */
    STN_HIDDEN_LOADED = 256,      /* by loads of unknown size */
    STN_HIDDEN_STORED = 512,      /* by stores of unknown size */
    STN_HIDDEN_READ_TWICE = 1024, /* by loads that may overlap: that a byte is counted once */
    STN_HIDDEN_WRITTEN_TWICE = 2048
};

/* value / per; or why there is none, which no fact about it survives. Where something is `hidden`,
 * the truth may be more, or less. */
typedef struct stn_measure {
    int64_t value, per;
    const char *absent;
    int hidden;
    int may_be_more, may_be_less;
} stn_measure;

/* What the counts of the subject leave out. */
int stn_subject_hides(const stn_subject *subject);

/* The first instruction of the code's loop, or of the function, that hides one of `hidden`; -1:
 * none. */
int32_t stn_code_hiding(const stn_code *code, int32_t loop, int hidden);

/* The row of the table; -1 when there is none of this name. */
int32_t stn_quantity_find(const char *name, size_t length);

/* Names and meanings in the order of the table; NULL after the last. */
const char *stn_quantity_name(int32_t quantity);
const char *stn_quantity_meaning(int32_t quantity);

stn_measure stn_quantity_measure(int32_t quantity, const stn_subject *subject);

/* Of how often a pattern is found: an instruction of a GPU that is not known may be any. */
stn_measure stn_sequence_measure(int32_t count, int is_lost, const stn_subject *subject);

/* Writes the names that look like `name`, at most three, separated by ", "; "" when none does. */
void stn_quantity_similar(const char *name, size_t length, char *similar, size_t room);

/* ---- targets and compilers: expect_target.c ---- */

/* Whether a pattern (with * and ?, alternatives separated by |) takes a function's target. For
 * x86-64, whose files do not tell the level they were built for, `built_for` says it; when that is
 * "", every level is taken. */
int stn_target_matches(const char *pattern, const char *target, const char *built_for);

/* Whether any target that Steno reads can match the `length` characters of a pattern. */
int stn_target_is_known(const char *pattern, size_t length);

/* Whether files can be by this compiler. */
int stn_compiler_is_known(const char *name);

/* Whether the compiler that a file names ("GCC: (Debian) 12.2.0") follows the rule; if not, why. */
int stn_compiler_follows(const stn_compiler_rule *rule, const char *compiler, char *why,
                         size_t room);

/* ---- printing: print.c, expect_cause.c ---- */

/* As stn_image_print, ending after `most` instructions with how many there are; -1: all.
 * `has_control`: with the control codes and live registers of a GPU. */
stn_status stn_code_print(const stn_code *code, int32_t loop, int32_t most, int has_control,
                          FILE *file);

/* What instruction i was taken for, as listings have it behind the `;`, and which loop begins
 * there.
 */
enum { STN_MOST_WORDS = 160 };
void stn_code_describe(const stn_code *code, int32_t i, char words[STN_MOST_WORDS]);

/* What probably broke the fact on this quantity, one line each; nothing when it cannot be told. */
void stn_print_causes(const stn_code *code, const stn_subject *subject, const stn_expectations *all,
                      const stn_expectation *expectation, const unsigned char *broken, FILE *file);

#endif
