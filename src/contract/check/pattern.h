/* Patterns of instructions: regular expressions whose letters are instructions. */
#ifndef STENO_CONTRACT_PATTERN_H
#define STENO_CONTRACT_PATTERN_H

#include <regex.h>

#include "contract/isa/code.h"

enum {
    STN_MOST_STEPS = 64,    /* instructions in a pattern */
    STN_MOST_NAMES = 4,     /* of operands that must be the same */
    STN_STEP_OPERANDS = 6,  /* told of an instruction */
    STN_MOST_TERMS = 4096,  /* different states while it is looked for */
    STN_MOST_THREADS = 256, /* ways to have got on at once */
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
    int name; /* what it is called, so that another is the same; -1: nothing */
} stn_operand_pattern;

/* One instruction. */
typedef struct stn_step {
    int32_t start, length;       /* in the text of the pattern */
    char mnemonic[STN_MNEMONIC]; /* "": any, or the expression */
    regex_t *expression;         /* on the whole instruction; NULL: none */
    stn_operand_pattern operands[STN_STEP_OPERANDS];
    int operand_count;
} stn_step;

typedef enum stn_term_kind {
    STN_TERM_NOTHING,  /* is over */
    STN_TERM_STEP,     /* one instruction: a */
    STN_TERM_SEQUENCE, /* a, then b */
    STN_TERM_EITHER,   /* a or b */
    STN_TERM_BOTH,     /* a and b, whose instructions may stand between each other's */
    STN_TERM_REPEAT    /* a, from least to most times */
} stn_term_kind;

/* Equal terms have one number. */
typedef struct stn_term {
    uint8_t kind, is_optional; /* is_optional: it may be nothing */
    int16_t a, b;
    int32_t least, most;
} stn_term;

typedef struct stn_pattern {
    char *text;
    stn_step steps[STN_MOST_STEPS];
    int step_count, name_count;
    char names[STN_MOST_NAMES][STN_OPERAND_WORD];
    stn_term terms[STN_MOST_TERMS];
    int term_count;
    int root;
} stn_pattern;

/* Where and why a text is no pattern. */
typedef struct stn_pattern_fault {
    size_t at;
    char why[160];
} stn_pattern_fault;

/* STN_ERR_PARSE with the fault filled in, and no sentence yet; STN_ERR_MEMORY. */
stn_status stn_pattern_parse(const char *text, size_t length, stn_pattern **pattern,
                             stn_pattern_fault *fault);
void stn_pattern_free(stn_pattern *pattern);

/* The term of these parts; -1 when there are too many. */
int stn_pattern_term(stn_pattern *pattern, stn_term term);

/* What was found: matches that share no instruction, as many as there can be. Where there is none,
 * what came nearest to one. */
typedef struct stn_pattern_result {
    int32_t count;
    int is_lost;       /* there were too many ways at once to tell */
    int32_t near;      /* instructions of the nearest that are told; 0: none */
    int32_t near_from; /* their first and last one */
    int32_t near_to;
    int lacks; /* the step that does not follow */
} stn_pattern_result;

/* In a loop, without the ones inside it, from its header on; or in a function. STN_ERR_MEMORY. */
stn_status stn_pattern_find(stn_pattern *pattern, const stn_code *code, int32_t loop,
                            stn_pattern_result *result);

/* pattern_step.c: what operands were bound to, as parts of the code's text. */
typedef struct stn_binding {
    const char *start; /* NULL: nothing yet */
    int length;
} stn_binding;

/* Whether an instruction's text is of a step; then what it binds is bound. */
int stn_step_takes(const stn_step *step, const char *text, stn_binding *bindings);

/* Whether a text can be an expression; if not, where and why. */
int stn_expression_is_sound(const char *text, size_t *at, char *why, size_t room);

#endif
