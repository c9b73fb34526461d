/* Expectations: contracts parsed from their language, and the quantities they bound. */
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

/* The relation as text, such as ">=". */
const char *stn_relation_text(stn_relation relation);

/* Is `left` relation `right` true? */
int stn_relation_holds(int64_t left, stn_relation relation, int64_t right);

/* Line and column in a text, from 1. */
typedef struct stn_text_position {
    int32_t line, column;
} stn_text_position;

/* Numbers in facts are stored in thousandths because bytes per element may be fractional. */
enum { STN_FACT_UNIT = 1000, STN_VERSION_PARTS = 3, STN_MAX_RULES = 4, STN_SEQUENCE = -1 };

typedef struct stn_fact {
    stn_text_position position;
    int32_t quantity; /* row of the table, or STN_SEQUENCE: the number of matches */
    struct stn_pattern *pattern;
    stn_relation relation;
    int64_t number;
} stn_fact;

/* gcc>=12.2; without a version, any version of the compiler. */
typedef struct stn_compiler_rule {
    const char *name;
    stn_relation relation;
    int32_t version[STN_VERSION_PARTS];
    int parts; /* parts of the version */
} stn_compiler_rule;

typedef struct stn_expectation {
    stn_text_position position;
    const char *function; /* symbol, or regular expression without slashes */
    int is_expression;
    const char *target; /* pattern */
    stn_compiler_rule rules[STN_MAX_RULES];
    int rule_count;
    int32_t loop; /* number, STN_LOOP_NONE or STN_LOOP_MAIN */
    int leaves_out_calls;
    int32_t first_fact, fact_count;
} stn_expectation;

typedef struct stn_expectations {
    const char *name; /* name of the file; not owned */
    char *strings;
    stn_expectation *list;
    stn_fact *facts;
    int32_t count, fact_count;
} stn_expectations;

/* STN_ERR_PARSE with line and column; then nothing must be released. `text` ends with 0. */
stn_status stn_expectations_parse(const char *text, const char *name, stn_expectations *all);
void stn_expectations_release(stn_expectations *all);

/* ---- quantities: quantities.c ---- */

/* The subject of a fact. */
typedef struct stn_subject {
    const stn_code_counts *counts;
    const stn_function_info *function;
    int32_t loop;
    int leaves_out_calls; /* operations of called functions are excluded */
} stn_subject;

/* Bits for reasons why counts are incomplete. */
enum {
    STN_HIDDEN_REPEATS = 1, /* repeated instructions: all repetitions except the first */
    STN_HIDDEN_UNKNOWN = 2, /* unknown instructions */
    STN_HIDDEN_CALLS = 4,   /* called functions */
    STN_HIDDEN_JUMPS = 8,   /* unresolved jumps: they may be calls or loops */
    STN_HIDDEN_PATHS =
        16, /* unresolved jumps inside a loop: paths; exits from known code: everything */
    STN_HIDDEN_CYCLES = 32,       /* irreducible cycles of the function: they may be loops */
    STN_HIDDEN_ROUNDS = 64,       /* irreducible cycles of the loop: iterations are unknown */
    STN_HIDDEN_REGISTERS = 128,   /* instructions with unknown registers */
    STN_HIDDEN_LOADED = 256,      /* loads of unknown size */
    STN_HIDDEN_STORED = 512,      /* stores of unknown size */
    STN_HIDDEN_READ_TWICE = 1024, /* loads that may overlap: a byte may be counted twice */
    STN_HIDDEN_WRITTEN_TWICE = 2048
};

/* value / per, or the reason why it is undefined, which breaks every fact about it. If something is
 * `hidden`, the true value may be larger or smaller. */
typedef struct stn_measure {
    int64_t value, per;
    const char *absent;
    int hidden;
    int may_be_more, may_be_less;
} stn_measure;

/* Reasons why counts of the subject are incomplete. */
int stn_subject_hides(const stn_subject *subject);

/* The first instruction of the code's loop, or of the function, that causes one of `hidden`; -1:
 * none. */
int32_t stn_code_hiding(const stn_code *code, int32_t loop, int hidden);

/* The row of the table; -1 for unknown names. */
STN_PRIVATE_API int32_t stn_quantity_find(const char *name, size_t length);

/* Names and meanings in table order; NULL after the last one. */
STN_PRIVATE_API const char *stn_quantity_name(int32_t quantity);
STN_PRIVATE_API const char *stn_quantity_meaning(int32_t quantity);

STN_PRIVATE_API stn_measure stn_quantity_measure(int32_t quantity, const stn_subject *subject);

/* The number of matches of a pattern. An unknown GPU instruction may match anything. */
stn_measure stn_sequence_measure(int32_t count, int is_lost, const stn_subject *subject);

/* Writes up to three names similar to `name`, separated by ", "; "" if there are none. */
void stn_quantity_similar(const char *name, size_t length, char *similar, size_t capacity);

/* ---- targets and compilers: target.c ---- */

/* Does a pattern (with *, ? and alternatives separated by |) match the target of a function? x86-64
 * files do not contain the level that they were built for; `built_for` is this level, and ""
 * matches every level. */
int stn_target_matches(const char *pattern, const char *target, const char *built_for);

/* Can a known target match the `length` characters of a pattern? */
int stn_target_is_known(const char *pattern, size_t length);

/* Is this the name of a known compiler? */
int stn_compiler_is_known(const char *name);

/* Does the compiler named in a file ("GCC: (Debian) 12.2.0") satisfy the rule? If not, writes the
 * reason. */
int stn_compiler_follows(const stn_compiler_rule *rule, const char *compiler, char *reason,
                         size_t capacity);

/* ---- printing: print.c, cause.c ---- */

/* stn_image_print for at most `maximum` instructions (-1: all), followed by the number of omitted
 * ones. `has_control`: with control codes and live registers of a GPU. */
STN_PRIVATE_API stn_status stn_code_print(const stn_code *code, int32_t loop, int32_t maximum,
                                          int has_control, FILE *file);

/* The classification of instruction i, as listed after `;`, and the loop that begins there. */
enum { STN_MAX_DESCRIPTION = 160 };
STN_PRIVATE_API void stn_code_describe(const stn_code *code, int32_t i,
                                       char description[STN_MAX_DESCRIPTION]);

/* Prints likely causes of a broken fact about this quantity, one per line; nothing if there are
 * none. */
void stn_print_causes(const stn_code *code, const stn_subject *subject, const stn_expectations *all,
                      const stn_expectation *expectation, const unsigned char *broken, FILE *file);

#endif
