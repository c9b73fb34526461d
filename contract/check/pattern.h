/* Patterns of instructions: regular expressions over instructions. */
#ifndef STENO_CONTRACT_PATTERN_H
#define STENO_CONTRACT_PATTERN_H

#include <regex.h>

#include "contract/isa/code.h"

enum {
    STN_MAX_STEPS = 64,    /* instructions in a pattern */
    STN_MAX_NAMES = 4,     /* names of operands that must be equal */
    STN_STEP_OPERANDS = 6, /* operands per step */
    STN_MAX_TERMS = 4096,  /* different states during a search */
    STN_MAX_THREADS = 256, /* simultaneous partial matches */
    STN_OPERAND_WORD = 12,
    STN_MNEMONIC = 32
};

typedef enum stn_operand_kind {
    STN_OPERAND_ANY,
    STN_OPERAND_REGISTER,
    STN_OPERAND_IMMEDIATE,
    STN_OPERAND_MEMORY,
    STN_OPERAND_WORD_OR_CLASS /* rax, or ymm for ymm0 to ymm31 */
} stn_operand_kind;

typedef struct stn_operand_pattern {
    stn_operand_kind kind;
    char word[STN_OPERAND_WORD];
    int name; /* index of the name that binds the operand; -1: none */
} stn_operand_pattern;

/* One instruction. */
typedef struct stn_step {
    int32_t start, length;       /* in the pattern's text */
    char mnemonic[STN_MNEMONIC]; /* "": any, or the expression */
    regex_t *expression;         /* applied to the whole instruction; NULL: none */
    stn_operand_pattern operands[STN_STEP_OPERANDS];
    int operand_count;
} stn_step;

typedef enum stn_term_kind {
    STN_TERM_NOTHING,  /* empty */
    STN_TERM_STEP,     /* one instruction */
    STN_TERM_SEQUENCE, /* a followed by b */
    STN_TERM_EITHER,   /* a or b */
    STN_TERM_BOTH,     /* a and b, whose instructions may interleave */
    STN_TERM_REPEAT    /* a, repeated from least to most times */
} stn_term_kind;

/* Equal terms have the same number. */
typedef struct stn_term {
    uint8_t kind, is_optional; /* is_optional: it matches the empty sequence */
    int16_t a, b;
    int32_t least, maximum;
} stn_term;

typedef struct stn_pattern {
    char *text;
    stn_step steps[STN_MAX_STEPS];
    int step_count, name_count;
    char names[STN_MAX_NAMES][STN_OPERAND_WORD];
    stn_term terms[STN_MAX_TERMS];
    int term_count;
    int root;
} stn_pattern;

/* Position and reason of a syntax error. */
typedef struct stn_pattern_fault {
    size_t at;
    char reason[160];
} stn_pattern_fault;

/* STN_ERR_PARSE with the fault filled in, but without a recorded message; STN_ERR_MEMORY. */
stn_status stn_pattern_parse(const char *text, size_t length, stn_pattern **pattern,
                             stn_pattern_fault *fault);
void stn_pattern_free(stn_pattern *pattern);

/* The term with these parts; -1 if there are too many. */
int stn_pattern_term(stn_pattern *pattern, stn_term term);

/* Result of a search: the maximum number of matches that share no instruction; without a match, the
 * longest partial match. */
typedef struct stn_pattern_result {
    int32_t count;
    int is_lost;       /* too many partial matches; the count is unknown */
    int32_t near;      /* matched instructions of the longest partial match; 0: none */
    int32_t near_from; /* its first and last instruction */
    int32_t near_to;
    int lacks; /* the step that does not match */
} stn_pattern_result;

/* Searches a loop from its header on, without inner loops, or a function. STN_ERR_MEMORY. */
stn_status stn_pattern_find(stn_pattern *pattern, const stn_code *code, int32_t loop,
                            stn_pattern_result *result);

/* pattern_step.c: the text that an operand name is bound to. */
typedef struct stn_binding {
    const char *start; /* NULL: unbound */
    int length;
} stn_binding;

/* Does the instruction match the step? If so, its names are bound. */
int stn_step_takes(const stn_step *step, const char *text, stn_binding *bindings);

/* Is the text a valid expression? If not, sets position and reason. */
int stn_expression_is_sound(const char *text, size_t *at, char *reason, size_t capacity);

#endif
