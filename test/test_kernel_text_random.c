/* Random kernels' texts against a second evaluator, which works element by element on the tree that
 * the text was written from. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "order_oracle.h"
#include "steno/kernel_text.h"

/* ---- values ---- */

/* In the order of C's usual conversions. */
typedef enum type { INT, LONG, FLOAT, DOUBLE } type;
typedef struct value {
    type type;
    int64_t whole;
    double real; /* of both kinds of floats */
} value;

static int64_t clamp(double real, double least, double most, int64_t low, int64_t high)
{
    return isnan(real) ? 0 : real >= most ? high : real <= least ? low : (int64_t)real;
}

static value convert(value v, type to)
{
    const int was_float = v.type >= FLOAT;
    const double real = was_float ? v.real : 0;
    v.real = 0;
    if (to == DOUBLE)
        v.real = was_float ? real : (double)v.whole;
    else if (to == FLOAT)
        v.real = (double)(was_float ? (float)real : (float)v.whole);
    else if (to == LONG)
        v.whole = was_float ? clamp(real, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX) : v.whole;
    else
        v.whole = was_float ? clamp(real, -0x1p31, 0x1p31 - 1, INT32_MIN, INT32_MAX)
                            : (int32_t)(uint32_t)(uint64_t)v.whole;
    v.type = to;
    return v;
}

static value int_of(int64_t whole)
{
    return (value){INT, whole, 0};
}

static value real_of(type t, double real)
{
    return (value){t, 0, t == FLOAT ? (double)(float)real : real};
}

static int holds(value v)
{
    return v.type >= FLOAT ? v.real != 0 : v.whole != 0;
}

/* ---- trees ---- */

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

enum { NODES = 4000, NAMES = 64, VIEWS = 3 };
enum { X, Z, Y, W, A, N, I, FIRST_LOCAL };
static const char *const names[] = {"x", "z", "y", "w", "a", "n", "i"};

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

static program p;

static int below(int count)
{
    return (int)(order_next(&p.state) % (uint64_t)count);
}

static node *make(kind k, int operation, type t, node *a, node *b, node *c)
{
    assert_true(p.used < NODES);
    node *const made = &p.nodes[p.used++];
    *made = (node){.kind = k, .operation = operation, .type = t, .children = {a, b, c}};
    while (made->count < 3 && made->children[made->count])
        made->count++;
    return made;
}

static type wider(const node *a, const node *b)
{
    return a->type > b->type ? a->type : b->type;
}

/* ---- what to write ---- */

static node *literal(void)
{
    static const struct {
        const char *words;
        type type;
        double real;
    } list[] = {{"0", INT, 0},
                {"1", INT, 1},
                {"2", INT, 2},
                {"7", INT, 7},
                {"0x7fffffff", INT, 2147483647},
                {"3L", LONG, 3},
                {"12345678901", LONG, 12345678901.0},
                {"0.1", DOUBLE, 0.1},
                {"2.5f", FLOAT, 2.5},
                {"0.1f", FLOAT, 0.1},
                {"1e-3", DOUBLE, 1e-3},
                {"0x1.8p1", DOUBLE, 3}};
    const int k = below((int)(sizeof list / sizeof *list) + 2);
    node *const made = make(LITERAL, 0, INT, NULL, NULL, NULL);
    if (k >= (int)(sizeof list / sizeof *list)) {
        made->words = "R(0.3)";
        made->literal = real_of(p.real, 0.3);
        made->type = p.real;
        return made;
    }
    made->words = list[k].words;
    made->type = list[k].type;
    made->literal = list[k].type >= FLOAT ? real_of(list[k].type, list[k].real)
                                          : (value){list[k].type, (int64_t)list[k].real, 0};
    return made;
}

static node *variable(void)
{
    int which;
    do
        which = below(FIRST_LOCAL + p.locals);
    while (which == W);
    return make(VARIABLE, which, p.types[which], NULL, NULL, NULL);
}

static int assignable(void)
{
    int which;
    do
        which = below(p.locals + 2);
    while (which >= 2 && p.is_counter[FIRST_LOCAL + which - 2]);
    return which < 2 ? (which ? Y : W) : FIRST_LOCAL + which - 2;
}

/* ---- operators ---- */

typedef struct operator
{
    const char *sign;
    int of_integers; /* only */
}
operator;
static const operator operators[] = {{"+", 0}, {"-", 0},  {"*", 0},  {"/", 0},  {"<", 0}, {"<=", 0},
                                     {">", 0}, {">=", 0}, {"==", 0}, {"!=", 0}, {"%", 1}, {"&", 1},
                                     {"|", 1}, {"^", 1},  {"<<", 1}, {">>", 1}};
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
static const char *const functions[] = {"sqrt", "fabs", "floor", "ceil", "fma"};

static int compares(int operation)
{
    return operation >= LESS && operation <= DIFFERENT;
}

static node *expression(int depth);

static node *integer(int depth)
{
    node *const e = expression(depth);
    return e->type < FLOAT ? e : make(CAST, 0, below(2) ? INT : LONG, e, NULL, NULL);
}

static node *binary(int depth)
{
    const int operation = below(OPERATORS), whole = operators[operation].of_integers;
    node *const a = whole ? integer(depth) : expression(depth), *const b = whole
                                                                               ? integer(depth)
                                                                               : expression(depth);
    const type t = compares(operation)                       ? INT
                   : operation == LEFT || operation == RIGHT ? a->type
                                                             : wider(a, b);
    return make(BINARY, operation, t, a, b, NULL);
}

static node *unary(int depth)
{
    node *const a = below(3) ? expression(depth) : integer(depth);
    const int sign = a->type < FLOAT && below(2) ? '~' : below(2) ? '-' : '!';
    return make(UNARY, sign, sign == '!' ? INT : a->type, a, NULL, NULL);
}

static node *expression(int depth)
{
    const int choice = depth <= 0 ? below(2) : below(12);
    node *a, *b, *c;
    if (choice == 0)
        return literal();
    if (choice == 1)
        return variable();
    if (choice >= 7)
        return binary(depth - 1);
    if (choice == 6)
        return unary(depth - 1);
    a = expression(depth - 1);
    if (choice == 4)
        return make(CAST, 0, (type)below(4), a, NULL, NULL);
    if (choice == 5 && below(4))
        return make(CALL, below(4), p.real, a, NULL, NULL);
    b = expression(depth - 1);
    if (choice == 3)
        return make(below(2) ? AND : OR, 0, INT, a, b, NULL);
    c = expression(depth - 1);
    return choice == 2 ? make(CHOICE, 0, wider(b, c), a, b, c) : make(CALL, 4, p.real, a, b, c);
}

/* ---- statements ---- */

static node *statement(int depth);

static node *sequence(int depth)
{
    const int locals = p.locals, count = 1 + below(4);
    node *const made = make(SEQUENCE, 0, INT, NULL, NULL, NULL);
    for (int k = 0; k < count; k++)
        made->children[made->count++] = statement(depth);
    p.locals = locals;
    return made;
}

static node *assignment(int depth)
{
    static const char *const signs[] = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    const int to = assignable(), with_operator = to != W && below(3) == 0;
    const char *const words = !with_operator ? "=" : signs[below(p.types[to] < FLOAT ? 10 : 4)];
    node *from = expression(depth);
    if (strchr("%&|^<>", *words) && from->type >= FLOAT)
        from = make(CAST, 0, LONG, from, NULL, NULL);
    node *const made = make(ASSIGN, to, p.types[to], from, NULL, NULL);
    made->words = words;
    return made;
}

static node *declaration(void)
{
    node *const first = expression(3);
    const int which = FIRST_LOCAL + p.locals++;
    p.types[which] = below(2) ? p.real : (type)below(4);
    p.is_counter[which] = 0;
    return make(DECLARE, which, p.types[which], first, NULL, NULL);
}

static node *branch(int depth)
{
    node *condition = expression(3);
    if (below(3) == 0) /* an assignment for those that come so far */
        condition = make(below(2) ? AND : OR, 0, INT, condition, assignment(2), NULL);
    node *const then = sequence(depth - 1);
    return make(IF, 0, INT, condition, then, below(2) ? sequence(depth - 1) : NULL);
}

/* With a counter that nobody assigns; the bound is calculated again in each round. */
static node *loop(int depth)
{
    node *const bound = integer(2);
    const int which = FIRST_LOCAL + p.locals++;
    p.types[which] = LONG;
    p.is_counter[which] = 1;
    p.loops++;
    node *const body = sequence(depth - 1);
    p.loops--;
    p.locals--;
    return make(below(2) ? LOOP : AT_LEAST_ONCE, which, LONG, bound, body, NULL);
}

static node *statement(int depth)
{
    const int choice = below(depth <= 0 || p.used > 1200 ? 6 : 12);
    if (choice == 0 && depth < 3) /* return; or break, continue */
        return make(IF, 0, INT, expression(2),
                    make(LEAVE, below(p.loops ? 3 : 1), INT, NULL, NULL, NULL), NULL);
    if (choice == 1 && p.locals < 14)
        return declaration();
    if (choice < 6)
        return make(EXPRESSION, 0, INT, assignment(3), NULL, NULL);
    return choice < 10 ? branch(depth) : loop(depth);
}

/* ---- as a text ---- */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    p.length += (size_t)vsnprintf(p.text + p.length, sizeof p.text - p.length, format, arguments);
    va_end(arguments);
    assert_true(p.length < sizeof p.text);
}

static const char *type_words(type t)
{
    static const char *const words[] = {"int", "int64_t", "float", "double"};
    return t == p.real && p.length % 2 ? "real_t" : words[t];
}

static void say_name(int which)
{
    if (which < FIRST_LOCAL)
        say("%s", names[which]);
    else
        say("v%d", which);
}

static void write_node(const node *n)
{
    node *const *const c = n->children;
    switch (n->kind) {
    case LITERAL:
        say("%s", n->words);
        break;
    case VARIABLE:
        say_name(n->operation);
        break;
    case UNARY:
        say("%c(", n->operation);
        write_node(c[0]);
        say(")");
        break;
    case BINARY:
    case AND:
    case OR:
        say("(");
        write_node(c[0]);
        say(" %s ", n->kind == BINARY ? operators[n->operation].sign
                    : n->kind == AND  ? "&&"
                                      : "||");
        write_node(c[1]);
        say(")");
        break;
    case CHOICE:
        say("(");
        write_node(c[0]);
        say(" ? ");
        write_node(c[1]);
        say(" : ");
        write_node(c[2]);
        say(")");
        break;
    case CAST:
        say("(%s)(", type_words(n->type));
        write_node(c[0]);
        say(")");
        break;
    case CALL:
        say("%s(", functions[n->operation]);
        for (int k = 0; k < n->count; k++) {
            say("%s", k ? ", " : "");
            write_node(c[k]);
        }
        say(")");
        break;
    case ASSIGN:
        say("(");
        say_name(n->operation);
        say(" %s ", n->words);
        write_node(c[0]);
        say(")");
        break;
    case SEQUENCE:
        say("{\n");
        for (int k = 0; k < n->count; k++)
            write_node(c[k]);
        say("}\n");
        break;
    case EXPRESSION:
        write_node(c[0]);
        say(";\n");
        break;
    case IF:
        say("if (");
        write_node(c[0]);
        say(") ");
        write_node(c[1]);
        if (n->count > 2) {
            say("else ");
            write_node(c[2]);
        }
        break;
    case LOOP:
        say("for (int64_t v%d = 0; v%d < (", n->operation, n->operation);
        write_node(c[0]);
        say(") %% 5; v%d++) ", n->operation);
        write_node(c[1]);
        break;
    case AT_LEAST_ONCE:
        say("{ int64_t v%d = 0; do ", n->operation);
        write_node(c[1]);
        say("while (++v%d < (", n->operation);
        write_node(c[0]);
        say(") %% 4); }\n");
        break;
    case LEAVE:
        say("%s;\n", n->operation == 0 ? "return" : n->operation == 1 ? "break" : "continue");
        break;
    case DECLARE:
        say("%s v%d = ", type_words(n->type), n->operation);
        write_node(c[0]);
        say(";\n");
        break;
    }
}

/* ---- as it is calculated ---- */

static value variables[NAMES];

static int64_t wrap(type t, uint64_t bits)
{
    return t == INT ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
}

static value calculate_integers(int operation, value a, value b, type t)
{
    const uint64_t u = (uint64_t)a.whole, v = (uint64_t)b.whole;
    const int64_t s = a.whole, d = b.whole;
    uint64_t result = 0;
    switch (operation) {
    case ADD:
        result = u + v;
        break;
    case SUBTRACT:
        result = u - v;
        break;
    case MULTIPLY:
        result = u * v;
        break;
    case DIVIDE:
        result = d == 0 ? 0 : d == -1 ? 0 - u : (uint64_t)(s / d);
        break;
    case REMAINDER:
        result = d == 0 || d == -1 ? 0 : (uint64_t)(s % d);
        break;
    case BIT_AND:
        result = u & v;
        break;
    case BIT_OR:
        result = u | v;
        break;
    case BIT_XOR:
        result = u ^ v;
        break;
    case LEFT:
        result = u << (v % 64);
        break;
    case RIGHT:
        result = (uint64_t)(s >> (v % 64));
        break;
    case LESS:
        return int_of(s < d);
    case LESS_EQUAL:
        return int_of(s <= d);
    case GREATER:
        return int_of(s > d);
    case GREATER_EQUAL:
        return int_of(s >= d);
    case EQUAL:
        return int_of(s == d);
    default:
        return int_of(s != d);
    }
    return (value){t, wrap(t, result), 0};
}

static value calculate_reals(int operation, double a, double b, type t)
{
    switch (operation) {
    case ADD:
        return real_of(t, a + b);
    case SUBTRACT:
        return real_of(t, a - b);
    case MULTIPLY:
        return real_of(t, a * b);
    case DIVIDE:
        return real_of(t, a / b);
    case LESS:
        return int_of(a < b);
    case LESS_EQUAL:
        return int_of(a <= b);
    case GREATER:
        return int_of(a > b);
    case GREATER_EQUAL:
        return int_of(a >= b);
    case EQUAL:
        return int_of(a == b);
    default:
        return int_of(a != b);
    }
}

static value calculate(int operation, value a, value b)
{
    type t = a.type > b.type ? a.type : b.type;
    if (operation == LEFT || operation == RIGHT)
        return calculate_integers(operation, a, b, a.type);
    a = convert(a, t);
    b = convert(b, t);
    return t < FLOAT ? calculate_integers(operation, a, b, t)
                     : calculate_reals(operation, a.real, b.real, t);
}

static value evaluate(const node *n);

static value call(const node *n)
{
    double a[3] = {0};
    for (int k = 0; k < n->count; k++)
        a[k] = convert(evaluate(n->children[k]), p.real).real;
    switch (n->operation) {
    case 0:
        return real_of(p.real, sqrt(a[0]));
    case 1:
        return real_of(p.real, fabs(a[0]));
    case 2:
        return real_of(p.real, floor(a[0]));
    case 3:
        return real_of(p.real, ceil(a[0]));
    default:
        return p.real == FLOAT ? real_of(FLOAT, (double)fmaf((float)a[0], (float)a[1], (float)a[2]))
                               : real_of(DOUBLE, fma(a[0], a[1], a[2]));
    }
}

static value assign(const node *n)
{
    value right = evaluate(n->children[0]);
    if (n->words[1]) { /* with an operator */
        int operation = 0;
        while (strncmp(operators[operation].sign, n->words, strlen(n->words) - 1) != 0 ||
               strlen(operators[operation].sign) != strlen(n->words) - 1)
            operation++;
        right = calculate(operation, variables[n->operation], right);
    }
    return variables[n->operation] = convert(right, n->type);
}

static value evaluate(const node *n)
{
    value a;
    switch (n->kind) {
    case LITERAL:
        return n->literal;
    case VARIABLE:
        return variables[n->operation];
    case UNARY:
        a = evaluate(n->children[0]);
        if (n->operation == '!')
            return int_of(!holds(a));
        if (n->operation == '~')
            return (value){a.type, ~a.whole, 0};
        return a.type >= FLOAT ? (value){a.type, 0, -a.real}
                               : (value){a.type, wrap(a.type, 0 - (uint64_t)a.whole), 0};
    case BINARY:
        a = evaluate(n->children[0]);
        return calculate(n->operation, a, evaluate(n->children[1]));
    case AND:
        return int_of(holds(evaluate(n->children[0])) && holds(evaluate(n->children[1])));
    case OR:
        return int_of(holds(evaluate(n->children[0])) || holds(evaluate(n->children[1])));
    case CHOICE:
        return convert(evaluate(n->children[holds(evaluate(n->children[0])) ? 1 : 2]), n->type);
    case CAST:
        return convert(evaluate(n->children[0]), n->type);
    case CALL:
        return call(n);
    default:
        return assign(n);
    }
}

typedef enum way { ON, RETURN, BREAK, CONTINUE } way;

static way execute(const node *n)
{
    node *const *const c = n->children;
    way left = ON;
    switch (n->kind) {
    case SEQUENCE:
        for (int k = 0; k < n->count && left == ON; k++)
            left = execute(c[k]);
        return left;
    case IF:
        return holds(evaluate(c[0])) ? execute(c[1]) : n->count > 2 ? execute(c[2]) : ON;
    case LEAVE:
        return (way)(RETURN + n->operation);
    case DECLARE:
        variables[n->operation] = convert(evaluate(c[0]), n->type);
        return ON;
    case LOOP:
        for (int64_t k = 0;; k++) {
            variables[n->operation] = (value){LONG, k, 0};
            if (k >= evaluate(c[0]).whole % 5)
                return ON;
            left = execute(c[1]);
            if (left == RETURN || left == BREAK)
                return left == RETURN ? RETURN : ON;
        }
    case AT_LEAST_ONCE:
        variables[n->operation] = (value){LONG, 0, 0};
        do {
            left = execute(c[1]);
            if (left == RETURN || left == BREAK)
                return left == RETURN ? RETURN : ON;
            variables[n->operation].whole++;
        } while (variables[n->operation].whole < evaluate(c[0]).whole % 4);
        return ON;
    default:
        (void)evaluate(c[0]);
        return ON;
    }
}

/* ---- both ---- */

enum { MOST = 300 };

static void write_program(void)
{
    node *const whole = make(SEQUENCE, 0, INT, NULL, NULL, NULL);
    for (int k = 0; k < 4; k++)
        whole->children[whole->count++] = statement(3);
    write_node(whole);
    p.nodes[0] = *whole;
}

static void begin(uint64_t seed, type real)
{
    static const type types[] = {DOUBLE, DOUBLE, DOUBLE, DOUBLE, DOUBLE, LONG, LONG};
    memset(&p, 0, offsetof(program, nodes));
    p.state = seed;
    p.real = real;
    p.used = 1; /* 0 will be the whole */
    p.length = 0;
    for (int k = 0; k < FIRST_LOCAL; k++)
        p.types[k] = types[k] == DOUBLE ? real : types[k];
    write_program();
}

/* Small ones, many of them whole; now and then any. */
static double any_number(void)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e30, 1e-310, 0x1p63, 1e10};
    return below(12) == 0  ? odd[below(9)]
           : below(2) == 0 ? below(9) - 4
                           : (below(20001) - 10000) / 777.0;
}

static double number_of(const void *array, int k)
{
    return p.real == FLOAT ? (double)((const float *)array)[k] : ((const double *)array)[k];
}

static void put_number(void *array, int k, double number)
{
    if (p.real == FLOAT)
        ((float *)array)[k] = (float)number;
    else
        ((double *)array)[k] = number;
}

typedef struct arrays {
    float x[MOST];
    int8_t z[MOST];
    double y[MOST], w[MOST]; /* or of float */
} arrays;

static void check_program(stn_kernel *kernel, int setting, int count, arrays *a, const void *y,
                          const void *w)
{
    const int64_t extent = count;
    const stn_format arithmetic = p.real == FLOAT ? STN_F32 : STN_F64;
    stn_storage quarters = stn_storage_of(STN_I8);
    stn_view vx, vz, vy, vw;
    quarters.scale = 0.25;
    const int64_t n = -7;
    const double number = 1.625;
    memcpy(a->y, y, sizeof a->y);
    memcpy(a->w, w, sizeof a->w);
    if (stn_view_wrap(&vx, "x", stn_storage_of(STN_F32), a->x, 1, &extent, NULL) ||
        stn_view_wrap(&vz, "z", quarters, a->z, 1, &extent, NULL) ||
        stn_view_wrap(&vy, "y", stn_storage_of(arithmetic), a->y, 1, &extent, NULL) ||
        stn_view_wrap(&vw, "w", stn_storage_of(arithmetic), a->w, 1, &extent, NULL))
        fail_msg("%s", stn_error());
    const stn_argument arguments[] = {{.view = &vx}, {.view = &vz},    {.view = &vy},
                                      {.view = &vw}, {.real = number}, {.index = n}};
    if (stn_kernel_run(order_use(setting), kernel, arithmetic, -1, NULL, arguments) != STN_OK)
        fail_msg("%s", stn_error());
    for (int k = 0; k < count; k++) {
        variables[X] = real_of(p.real, (double)a->x[k]);
        variables[Z] = real_of(p.real, 0.25 * a->z[k]);
        variables[Y] = real_of(p.real, number_of(y, k));
        variables[W] = real_of(p.real, number_of(w, k));
        variables[A] = real_of(p.real, number);
        variables[N] = (value){LONG, n, 0};
        variables[I] = (value){LONG, k, 0};
        (void)execute(&p.nodes[0]);
        if (!order_same(number_of(a->y, k), variables[Y].real) ||
            !order_same(number_of(a->w, k), variables[W].real))
            fail_msg("%s, %d elements, element %d: y %a, not %a; w %a, not %a; of\n%s",
                     order_setting_name(setting), count, k, number_of(a->y, k), variables[Y].real,
                     number_of(a->w, k), variables[W].real, p.text);
    }
}

static void test_random(void **context)
{
    static arrays a;
    static double y[MOST], w[MOST];
    const int programs = oracle_quick() ? 300 : 3000;
    int too_large = 0;
    (void)context;
    for (int k = 0; k < programs; k++) {
        stn_kernel *kernel;
        begin((uint64_t)k + 1, k % 2 ? FLOAT : DOUBLE);
        const stn_status status =
            stn_kernel_compile("random", "in(x), in(z), inout(y), out(w), real(a), index(n)",
                               p.text, STN_KERNEL_REAL, &kernel);
        if (status != STN_OK) {
            if (!strstr(stn_error(), "than there are registers"))
                fail_msg("%s of\n%s", stn_error(), p.text);
            too_large++;
            continue;
        }
        for (int e = 0; e < MOST; e++) {
            a.x[e] = (float)any_number();
            a.z[e] = (int8_t)below(256);
            put_number(y, e, any_number());
            put_number(w, e, e);
        }
        check_program(kernel, k % order_settings(), k % 7 ? 1 + below(MOST) : 128, &a, y, w);
        stn_kernel_release(kernel);
    }
    assert_true(too_large * 50 < programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    const int failed = cmocka_run_group_tests_name("kernel_text_random", tests, NULL, NULL);
    order_release_executors();
    return failed;
}
