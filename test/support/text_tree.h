/* Random kernels as trees, for test_kernel_text_random.c: what they are, their text, and what they
 * calculate. */
#ifndef STENO_TEST_TEXT_TREE_H
#define STENO_TEST_TEXT_TREE_H

#include <stddef.h>

#include "order_oracle.h"

/* In the order of C's usual conversions. */
typedef enum type { INT, LONG, FLOAT, DOUBLE } type;
typedef struct value {
    type type;
    int64_t whole;
    double real; /* of both kinds of floats */
} value;

typedef enum kind {
    /* expressions */
    LITERAL,
    VARIABLE,
    UNARY,
    BINARY,
    AND,
    OR,
    CHOICE,
    CAST,
    CALL,
    ASSIGN,
    /* statements */
    SEQUENCE,
    EXPRESSION,
    IF,
    LOOP,
    AT_LEAST_ONCE,
    LEAVE,
    DECLARE
} kind;

typedef struct node {
    kind kind;
    type type;     /* of the value, or of what is declared */
    int operation; /* an operator, function, variable, or type */
    value literal;
    const char *words; /* of a literal */
    int count;
    struct node *children[4];
} node;

enum { NODES = 4000, NAMES = 64 };
/* Variables: parameters, the index, and those that the text declares. */
enum { X, Z, Y, W, A, N, I, FIRST_LOCAL };

typedef struct program {
    uint64_t state;
    type real;
    int used, locals, loops;
    type types[NAMES]; /* of the variables that can be seen at the moment */
    char is_counter[NAMES];
    node nodes[NODES];
    char text[60000];
    size_t length;
} program;

extern program tree;

/* Operators of two operands. */
typedef struct symbol {
    const char *sign;
    int of_integers; /* only */
} symbol;
extern const symbol tree_symbols[];
enum {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    EQUAL,
    DIFFERENT,
    REMAINDER,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    LEFT,
    RIGHT,
    OPERATORS
};

/* Make another tree, whose root is node 0, and its text. */
void tree_make(uint64_t seed, type real);

/* A random number below `count`, of the tree's. */
int tree_below(int count);

/* A number of this type of floats. */
value tree_real(type t, double real);

/* Calculate an element: variables go in and come out. */
extern value tree_variables[NAMES];
void tree_execute(void);

#endif
