/* Random kernels: made as trees, and written as texts. Each is sound C: no variable is assigned and
 * read in one expression without an order. */
#include "check.h"
#include "text_tree.h"

#include <stdio.h>

program tree;
static const char *const names[] = {"x", "z", "y", "w", "a", "n", "i"};

int tree_below(int count)
{
    return (int)(order_next(&tree.state) % (uint64_t)count);
}

value tree_real(type t, double real)
{
    return (value){t, 0, t == FLOAT ? (double)(float)real : real};
}

static node *make(kind k, int operation, type t, node *a, node *b, node *c)
{
    assert_true(tree.used < NODES);
    node *const made = &tree.nodes[tree.used++];
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
    const int k = tree_below((int)(sizeof list / sizeof *list) + 2);
    node *const made = make(LITERAL, 0, INT, NULL, NULL, NULL);
    if (k >= (int)(sizeof list / sizeof *list)) {
        made->words = "R(0.3)";
        made->literal = tree_real(tree.real, 0.3);
        made->type = tree.real;
        return made;
    }
    made->words = list[k].words;
    made->type = list[k].type;
    made->literal = list[k].type >= FLOAT ? tree_real(list[k].type, list[k].real)
                                          : (value){list[k].type, (int64_t)list[k].real, 0};
    return made;
}

static node *variable(void)
{
    int which;
    do
        which = tree_below(FIRST_LOCAL + tree.locals);
    while (which == W);
    return make(VARIABLE, which, tree.types[which], NULL, NULL, NULL);
}

static int assignable(void)
{
    int which;
    do
        which = tree_below(tree.locals + 2);
    while (which >= 2 && tree.is_counter[FIRST_LOCAL + which - 2]);
    return which < 2 ? (which ? Y : W) : FIRST_LOCAL + which - 2;
}

/* ---- operators ---- */

const symbol tree_symbols[] = {{"+", 0}, {"-", 0},  {"*", 0},  {"/", 0},  {"<", 0}, {"<=", 0},
                               {">", 0}, {">=", 0}, {"==", 0}, {"!=", 0}, {"%", 1}, {"&", 1},
                               {"|", 1}, {"^", 1},  {"<<", 1}, {">>", 1}};
static const char *const functions[] = {"sqrt", "fabs", "floor", "ceil", "fma"};

static int compares(int operation)
{
    return operation >= LESS && operation <= DIFFERENT;
}

static node *expression(int depth);

static node *integer(int depth)
{
    node *const e = expression(depth);
    return e->type < FLOAT ? e : make(CAST, 0, tree_below(2) ? INT : LONG, e, NULL, NULL);
}

static node *binary(int depth)
{
    const int operation = tree_below(OPERATORS), whole = tree_symbols[operation].of_integers;
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
    node *const a = tree_below(3) ? expression(depth) : integer(depth);
    const int sign = a->type < FLOAT && tree_below(2) ? '~' : tree_below(2) ? '-' : '!';
    return make(UNARY, sign, sign == '!' ? INT : a->type, a, NULL, NULL);
}

static node *expression(int depth)
{
    const int choice = depth <= 0 ? tree_below(2) : tree_below(12);
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
        return make(CAST, 0, (type)tree_below(4), a, NULL, NULL);
    if (choice == 5 && tree_below(4))
        return make(CALL, tree_below(4), tree.real, a, NULL, NULL);
    b = expression(depth - 1);
    if (choice == 3)
        return make(tree_below(2) ? AND : OR, 0, INT, a, b, NULL);
    c = expression(depth - 1);
    return choice == 2 ? make(CHOICE, 0, wider(b, c), a, b, c) : make(CALL, 4, tree.real, a, b, c);
}

/* ---- statements ---- */

static node *statement(int depth);

static node *sequence(int depth)
{
    const int locals = tree.locals, count = 1 + tree_below(4);
    node *const made = make(SEQUENCE, 0, INT, NULL, NULL, NULL);
    for (int k = 0; k < count; k++)
        made->children[made->count++] = statement(depth);
    tree.locals = locals;
    return made;
}

static node *assignment(int depth)
{
    static const char *const signs[] = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    const int to = assignable(), with_operator = to != W && tree_below(3) == 0;
    const char *const words =
        !with_operator ? "=" : signs[tree_below(tree.types[to] < FLOAT ? 10 : 4)];
    node *from = expression(depth);
    if (strchr("%&|^<>", *words) && from->type >= FLOAT)
        from = make(CAST, 0, LONG, from, NULL, NULL);
    node *const made = make(ASSIGN, to, tree.types[to], from, NULL, NULL);
    made->words = words;
    return made;
}

static node *declaration(void)
{
    node *const first = expression(3);
    const int which = FIRST_LOCAL + tree.locals++;
    tree.types[which] = tree_below(2) ? tree.real : (type)tree_below(4);
    tree.is_counter[which] = 0;
    return make(DECLARE, which, tree.types[which], first, NULL, NULL);
}

static node *branch(int depth)
{
    node *condition = expression(3);
    if (tree_below(3) == 0) /* an assignment for those that come so far */
        condition = make(tree_below(2) ? AND : OR, 0, INT, condition, assignment(2), NULL);
    node *const then = sequence(depth - 1);
    return make(IF, 0, INT, condition, then, tree_below(2) ? sequence(depth - 1) : NULL);
}

/* With a counter that nobody assigns; the bound is calculated again in each round. */
static node *loop(int depth)
{
    node *const bound = integer(2);
    const int which = FIRST_LOCAL + tree.locals++;
    tree.types[which] = LONG;
    tree.is_counter[which] = 1;
    tree.loops++;
    node *const body = sequence(depth - 1);
    tree.loops--;
    tree.locals--;
    return make(tree_below(2) ? LOOP : AT_LEAST_ONCE, which, LONG, bound, body, NULL);
}

static node *statement(int depth)
{
    const int choice = tree_below(depth <= 0 || tree.used > 1200 ? 6 : 12);
    if (choice == 0 && depth < 3) /* return; or break, continue */
        return make(IF, 0, INT, expression(2),
                    make(LEAVE, tree_below(tree.loops ? 3 : 1), INT, NULL, NULL, NULL), NULL);
    if (choice == 1 && tree.locals < 14)
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
    tree.length += (size_t)vsnprintf(tree.text + tree.length, sizeof tree.text - tree.length,
                                     format, arguments);
    va_end(arguments);
    assert_true(tree.length < sizeof tree.text);
}

static const char *type_words(type t)
{
    static const char *const words[] = {"int", "int64_t", "float", "double"};
    return t == tree.real && tree.length % 2 ? "real_t" : words[t];
}

static void say_name(int which)
{
    if (which < FIRST_LOCAL)
        say("%s", names[which]);
    else
        say("v%d", which);
}

static void write_node(const node *n);

static void write_expression(const node *n)
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
        say(" %s ", n->kind == BINARY ? tree_symbols[n->operation].sign
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
    default:
        break;
    }
}

static void write_loop(const node *n)
{
    node *const *const c = n->children;
    if (n->kind == LOOP) {
        say("for (int64_t v%d = 0; v%d < (", n->operation, n->operation);
        write_node(c[0]);
        say(") %% 5; v%d++) ", n->operation);
        write_node(c[1]);
    } else {
        say("{ int64_t v%d = 0; do ", n->operation);
        write_node(c[1]);
        say("while (++v%d < (", n->operation);
        write_node(c[0]);
        say(") %% 4); }\n");
    }
}

static void write_node(const node *n)
{
    node *const *const c = n->children;
    switch (n->kind) {
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
    case AT_LEAST_ONCE:
        write_loop(n);
        break;
    case LEAVE:
        say("%s;\n", n->operation == 0 ? "return" : n->operation == 1 ? "break" : "continue");
        break;
    case DECLARE:
        say("%s v%d = ", type_words(n->type), n->operation);
        write_node(c[0]);
        say(";\n");
        break;
    default:
        write_expression(n);
        break;
    }
}

static void write_program(void)
{
    node *const whole = make(SEQUENCE, 0, INT, NULL, NULL, NULL);
    for (int k = 0; k < 4; k++)
        whole->children[whole->count++] = statement(3);
    write_node(whole);
    tree.nodes[0] = *whole;
}

void tree_make(uint64_t seed, type real)
{
    static const type types[] = {DOUBLE, DOUBLE, DOUBLE, DOUBLE, DOUBLE, LONG, LONG};
    memset(&tree, 0, offsetof(program, nodes));
    tree.state = seed;
    tree.real = real;
    tree.used = 1; /* 0 will be the whole */
    tree.length = 0;
    for (int k = 0; k < FIRST_LOCAL; k++)
        tree.types[k] = types[k] == DOUBLE ? real : types[k];
    write_program();
}
