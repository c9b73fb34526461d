/* What random kernels calculate: one element, straight on the tree. */
#include <math.h>
#include <string.h>

#include "text_tree.h"

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

static int holds(value v)
{
    return v.type >= FLOAT ? v.real != 0 : v.whole != 0;
}

value tree_variables[NAMES];

static int64_t wrap(type t, uint64_t bits)
{
    return t == INT ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
}

/* clang-format off */
static value calculate_integers(int operation, value a, value b, type t)
{
    const uint64_t u = (uint64_t)a.whole, v = (uint64_t)b.whole;
    const int64_t s = a.whole, d = b.whole;
    uint64_t result = 0;
    switch (operation) {
    case ADD: result = u + v; break;
    case SUBTRACT: result = u - v; break;
    case MULTIPLY: result = u * v; break;
    case DIVIDE: result = d == 0 ? 0 : d == -1 ? 0 - u : (uint64_t)(s / d); break;
    case REMAINDER: result = d == 0 || d == -1 ? 0 : (uint64_t)(s % d); break;
    case BIT_AND: result = u & v; break;
    case BIT_OR: result = u | v; break;
    case BIT_XOR: result = u ^ v; break;
    case LEFT: result = u << (v % 64); break;
    case RIGHT: result = (uint64_t)(s >> (v % 64)); break;
    case LESS: return int_of(s < d);
    case LESS_EQUAL: return int_of(s <= d);
    case GREATER: return int_of(s > d);
    case GREATER_EQUAL: return int_of(s >= d);
    case EQUAL: return int_of(s == d);
    default: return int_of(s != d);
    }
    return (value){t, wrap(t, result), 0};
}

static value calculate_reals(int operation, double a, double b, type t)
{
    switch (operation) {
    case ADD: return tree_real(t, a + b);
    case SUBTRACT: return tree_real(t, a - b);
    case MULTIPLY: return tree_real(t, a * b);
    case DIVIDE: return tree_real(t, a / b);
    case LESS: return int_of(a < b);
    case LESS_EQUAL: return int_of(a <= b);
    case GREATER: return int_of(a > b);
    case GREATER_EQUAL: return int_of(a >= b);
    case EQUAL: return int_of(a == b);
    default: return int_of(a != b);
    }
}
/* clang-format on */

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
        a[k] = convert(evaluate(n->children[k]), tree.real).real;
    switch (n->operation) {
    case 0:
        return tree_real(tree.real, sqrt(a[0]));
    case 1:
        return tree_real(tree.real, fabs(a[0]));
    case 2:
        return tree_real(tree.real, floor(a[0]));
    case 3:
        return tree_real(tree.real, ceil(a[0]));
    default:
        return tree.real == FLOAT
                   ? tree_real(FLOAT, (double)fmaf((float)a[0], (float)a[1], (float)a[2]))
                   : tree_real(DOUBLE, fma(a[0], a[1], a[2]));
    }
}

static value assign(const node *n)
{
    value right = evaluate(n->children[0]);
    if (n->words[1]) { /* with an operator */
        int operation = 0;
        while (strncmp(tree_symbols[operation].sign, n->words, strlen(n->words) - 1) != 0 ||
               strlen(tree_symbols[operation].sign) != strlen(n->words) - 1)
            operation++;
        right = calculate(operation, tree_variables[n->operation], right);
    }
    return tree_variables[n->operation] = convert(right, n->type);
}

static value evaluate(const node *n)
{
    value a;
    switch (n->kind) {
    case LITERAL:
        return n->literal;
    case VARIABLE:
        return tree_variables[n->operation];
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
        tree_variables[n->operation] = convert(evaluate(c[0]), n->type);
        return ON;
    case LOOP:
        for (int64_t k = 0;; k++) {
            tree_variables[n->operation] = (value){LONG, k, 0};
            if (k >= evaluate(c[0]).whole % 5)
                return ON;
            left = execute(c[1]);
            if (left == RETURN || left == BREAK)
                return left == RETURN ? RETURN : ON;
        }
    case AT_LEAST_ONCE:
        tree_variables[n->operation] = (value){LONG, 0, 0};
        do {
            left = execute(c[1]);
            if (left == RETURN || left == BREAK)
                return left == RETURN ? RETURN : ON;
            tree_variables[n->operation].whole++;
        } while (tree_variables[n->operation].whole < evaluate(c[0]).whole % 4);
        return ON;
    default:
        (void)evaluate(c[0]);
        return ON;
    }
}

void tree_execute(void)
{
    (void)execute(&tree.nodes[0]);
}
