/* What compiling a kernel's text refuses, in which words and where; what it allocates; and what C
 * leaves open. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "core/memory.h"
#include "order_oracle.h"
#include "steno/kernel_text.h"
#include "make_view.h"

#define PARAMETERS "at(i, j), real(a), index(n), bits(m), in(x), inout(y), inout(w), scatter(u, 2)"

static void refused(const char *parameters, const char *body, stn_kernel_class kernel_class,
                    const char *place, const char *sentence)
{
    char expected[600];
    stn_kernel *kernel = (stn_kernel *)(void *)&expected;
    snprintf(expected, sizeof expected, "kernel k, %s: %s", place, sentence);
    const stn_status status = stn_kernel_compile(&kernel, "k", parameters, body, kernel_class);
    if (status != STN_ERR_PARSE || kernel)
        fail_msg("'%.200s' is not refused", body);
    if (strcmp(stn_error(), expected) != 0)
        fail_msg("'%s', not '%s'", stn_error(), expected);
}

/* Body, position of the error, and message. */
static const char *const messages[][3] = {
    {"y = x", "1:6", "';' is missing at the end"},
    {"y = x\n  w = 2;", "2:3", "';' is missing before 'w'"},
    {"y = x + ;", "1:9", "a value is missing before ';'"},
    {"y = x +", "1:8", "the text ends within an expression"},
    {"y = (x;", "1:7", "')' is missing before ';'"},
    {"y = z;", "1:5", "unknown name 'z'"},
    {"y = exp3(x);", "1:5", "unknown name 'exp3'"},
    {"y = x @ 2;", "1:7", "unexpected character '@'"},
    {"y = \xe4;", "1:5", "unexpected character"},
    {"y = x; /* never", "1:8", "a comment is not terminated"},
    {"x = y;", "1:6", "'x' is an `in` parameter and cannot be assigned"},
    {"a = 1;", "1:6", "'a' is a constant and cannot be assigned"},
    {"n++;", "1:4", "'n' is a constant and cannot be assigned"},
    {"i = 1;", "1:6", "'i' is an index and cannot be assigned"},
    {"const int c = 1; c = 2;", "1:23", "'c' is const and cannot be assigned"},
    {"x + y = 3;", "1:7", "only a variable can be assigned"},
    {"3 = y;", "1:3", "only a variable can be assigned"},
    {"x ? y : w = 3;", "1:11", "only a variable can be assigned"},
    {"(y + 1)++;", "1:10", "only a variable can be incremented or decremented"},
    {"++3;", "1:4", "only a variable can be incremented or decremented"},
    {"y = sqrt(x, 2);", "1:11", "')' is missing before ','"},
    {"y = pow(x);", "1:10", "',' is missing before ')'"},
    {"y = fma(x, y);", "1:13", "',' is missing before ')'"},
    {"y = STN_AT(u);", "1:13", "an index is missing"},
    {"y = STN_AT(u, i, j, 0);", "1:19", "more indices than the view has dimensions"},
    {"y = k;", "1:5", "unknown name 'k'; at(i, j) names indices"},
    {"y = STN_AT(x, i);", "1:12", "'x' cannot be indexed"},
    {"y = STN_AT(3, i);", "1:12", "'3' cannot be indexed"},
    {"y = u;", "1:5", "'u' must be indexed by STN_AT(...)"},
    {"y = STN_EXTENT_OF(u, 8);", "1:23", "a dimension must be an integer from 0 to 7"},
    {"y = STN_EXTENT_OF(u, n);", "1:23", "a dimension must be an integer from 0 to 7"},
    {"y = x % 2;", "1:10", "'%' cannot be applied to double and int"},
    {"y = n & x;", "1:10", "'&' cannot be applied to int64_t and double"},
    {"y = n << 1.5;", "1:13", "'<<' cannot be applied to int64_t and double"},
    {"y = STN_PUT(u, x, i, 0);", "1:24", "nothing cannot be converted to double"},
    {"y = ~x;", "1:7", "~ requires an integer"},
    {"y = -STN_PUT(u, x, i, 0);", "1:25", "unary + and - require a number"},
    {"if (STN_PUT(u, x, i, 0)) y = 1;", "1:24", "a condition must be a number"},
    {"y = x.re;", "1:7", "only complex numbers have the members .re and .im"},
    {"int y = 1; int y = 2;", "1:16", "'y' is declared twice"},
    {"int if = 1;", "1:5", "'if' cannot be a variable's name"},
    {"int 3 = 1;", "1:5", "'3' cannot be a variable's name"},
    {"void v;", "1:1", "unexpected 'void'"},
    {"const y = 1;", "1:7", "unknown type 'y'"},
    {"if (x) int t = 1;", "1:8", "a declaration must be in a block"},
    {"switch (n) { }", "1:1", "unexpected 'switch'"},
    {"goto out;", "1:1", "unexpected 'goto'"},
    {"else y = 1;", "1:1", "unexpected 'else'"},
    {"break;", "1:1", "'break' is outside of a loop"},
    {"if (x) continue;", "1:8", "'continue' is outside of a loop"},
    {"return y;", "1:8", "a kernel body returns no value: ';' is missing before 'y'"},
    {"do y = 1; until (x);", "1:11", "'while' is missing after the body of 'do'"},
    {"for (;;", "1:8", "')' is missing at the end"},
    {"{ y = 1;", "1:9", "'}' is missing at the end"},
    {"y = 1; }", "1:8", "unmatched '}'"},
    {"y = 99999999999999999999;", "1:5", "99999999999999999999 is too large"},
    {"y = 9223372036854775808;", "1:5", "9223372036854775808 is too large"},
    {"y = 1.5l;", "1:5", "1.5l is not a number"},
    {"y = 08;", "1:5", "08 is not a number"},
    {"y = 1lul;", "1:5", "1lul is not a number"},
    {"y = 0x;", "1:5", "0x is not a number"},
    {"y = 0x1.8;", "1:5", "0x1.8 is not a number"},
    {"y = 1e;", "1:5", "1e is not a number"},
    {"y = 3x;", "1:5", "3x is not a number"},
    {"y = 1.2.3;", "1:5", "1.2.3 is not a number"},
    {"y = sizeof(x);", "1:5", "unknown name 'sizeof'"},
};

UNIT_TEST(test_messages)
{
    for (int k = 0; k < COUNT_OF(messages); k++)
        refused(PARAMETERS, messages[k][0], STN_KERNEL_REAL, messages[k][1], messages[k][2]);
    refused("in(x), out(w)", "w = x + x;", STN_KERNEL_COMPLEX, "1:10",
            "'+' cannot be applied to a complex number and a complex number");
    refused("in(x), out(w)", "w = 1;", STN_KERNEL_COMPLEX, "1:6",
            "int cannot be converted to a complex number");
    refused("in(x), out(w)", "w.re = x;", STN_KERNEL_COMPLEX, "1:9",
            "a complex number cannot be converted to double");
    refused("in(x), out(w)", "w++;", STN_KERNEL_COMPLEX, "1:4",
            "only a variable can be incremented or decremented");
    refused("in(x), out(w)", "x.re = 1;", STN_KERNEL_COMPLEX, "1:9",
            "'x' is an `in` parameter and cannot be assigned");
    refused("in(x), out(w)", "w = x; const real_t t = {1, 2, 3};", STN_KERNEL_COMPLEX, "1:32",
            "'}' is missing before '3'");
}

#define A_RADIUS "a radius must be an integer from 0 to 2147483647"

UNIT_TEST(test_parameters)
{
    static const char *const cases[][3] = {
        {"in(x),", "1:7",
         "unknown kind of parameter '' (known: real, index, bits, at, in, inout, out, masked, "
         "shifted, stencil, gather, scatter)"},
        {"view(x)", "1:1",
         "unknown kind of parameter 'view' (known: real, index, bits, at, in, inout, out, masked, "
         "shifted, stencil, gather, scatter)"},
        {"in x", "1:4", "'(' is missing before 'x'"},
        {"in(x) out(y)", "1:7", "',' is missing before 'out'"},
        {"in(3)", "1:4", "'3' cannot be a parameter's name"},
        {"at(i), in(i)", "1:11", "parameter 'i' is declared twice"},
        {"at(i, j), at(k)", "1:15", "at is used twice"},
        {"at(a, b, c, d, e, f, g, h, m)", "1:28", "more than eight indices"},
        {"gather(u)", "1:9", "',' is missing before ')'"},
        {"gather(u, 9)", "1:12", "a rank must be an integer from 1 to 8"},
        {"scatter(u, 0)", "1:13", "a rank must be an integer from 1 to 8"},
        {"scatter(u, n)", "1:12", "a rank must be an integer from 1 to 8"},
        {"shifted(u, 1)", "1:12", "a boundary must be nearest, zero, periodic, value(c) or inside"},
        {"shifted(u, nearest)", "1:19", "an offset must be an integer of at most 31 bits"},
        {"stencil(u, nearest, -1)", "1:21", "a radius must be an integer from 0 to 2147483647"},
        {"stencil(u, zero, 1, 1, 1, 1, 1)", "1:30", "more than four dimensions"},
        {"stencil(u, value(x), 1)", "1:18", "a boundary value must be a number"},
        {"in(stn_x)", "1:4", "'stn_x' cannot be a parameter's name"},
        {"in(sizeof)", "1:4", "'sizeof' cannot be a parameter's name"},
        {"in(x),\n out(real_t)", "2:6", "'real_t' cannot be a parameter's name"},
        {"at(void)", "1:4", "'void' cannot be a parameter's name"},
        {"in(x), field(u)", "1:8",
         "'field' was replaced: gather(u, 2) reads any element, scatter(u, 2) writes any element, "
         "and stencil(u, nearest, 1, 1) reads neighbors"},
        {"real(double)", "1:6", "'double' cannot be a parameter's name"},
        {"in(x),\nreal(x)", "2:6", "parameter 'x' is declared twice"},
        {"in(x", "1:5", "')' is missing at the end"},
        {"stencil(u, nearest, )", "1:21", A_RADIUS},
        {"out(w),\n stencil(u, zero, r)", "2:19", A_RADIUS},
        {"stencil(u, zero, -1)", "1:18", A_RADIUS},
        {"stencil(u, zero, 1.5)", "1:18", A_RADIUS},
        {"stencil(u, zero, 1, 2147483648)", "1:21", A_RADIUS},
        {"stencil(u, zero, 1x)", "1:18", "1x is not a number"},
        {"stencil(u, zero, 1 1)", "1:20", "')' is missing before '1'"},
        {"in(u, 1)", "1:5", "')' is missing before ','"},
    };
    char words[32];
    for (int k = 0; k < COUNT_OF(cases); k++) {
        snprintf(words, sizeof words, "parameters %s", cases[k][1]);
        refused(cases[k][0], "", STN_KERNEL_REAL, words, cases[k][2]);
    }
    char many[1024];
    int at = sprintf(many, "in(a0)");
    for (int k = 1; k <= 48; k++)
        at += sprintf(many + at, ",in(a%d)", k);
    refused(many, "", STN_KERNEL_REAL, "parameters 1:375", "more than 48 parameters");
}

UNIT_TEST(test_stencils)
{
    static const char *const cases[][3] = {
        {"w = STN_AT(u, i);", "1:16", "fewer indices than the view has dimensions"},
        {"w = STN_AT(u, i, j, k);", "1:19", "more indices than the view has dimensions"},
        {"w = STN_AT(u);", "1:13", "an index is missing"},
        {"STN_PUT(u, w, i, j);", "1:9", "'u' is a stencil, which only STN_AT reads"},
        {"w = STN_INDEX_AT(u, i, j);", "1:18", "'u' is a stencil, which only STN_AT reads"},
        {"w = u;", "1:5", "'u' must be indexed by STN_AT(...)"},
    };
    stn_kernel *kernel;
    for (int k = 0; k < COUNT_OF(cases); k++)
        refused("at(i, j), stencil(u, nearest, 1, 1), out(w)", cases[k][0], STN_KERNEL_REAL,
                cases[k][1], cases[k][2]);
    expect_ok(stn_kernel_compile(&kernel, "k", "stencil(u, zero, 0, 0x7fffffff), at(i, j), out(w)",
                                 "w = STN_AT(u, i, j);", STN_KERNEL_REAL));
    assert_int_equal(kernel->parameters[0].kind, STN_PARAMETER_STENCIL);
    assert_int_equal(kernel->parameters[0].rank, 2);
    assert_int_equal(kernel->parameters[0].offset[0], 0);
    assert_int_equal(kernel->parameters[0].offset[1], INT32_MAX);
    assert_int_equal(kernel->parameters[1].rank, 2);
    stn_kernel_release(kernel);
}

/* An output has a value at the end of every path. */
UNIT_TEST(test_unassigned)
{
    static const char message[] = "the output 'w' is not assigned on every path";
    static const char *const bodies[][2] = {
        {"", "1:1"},
        {"if (x > 0) w = 1;", "1:18"},
        {"if (x > 0) w = 1; else if (x < 0) w = 2;", "1:41"},
        {"if (x > 0) return; w = 1;", "1:12"},
        {"while (x > 0) { w = 1; break; }", "1:32"},
        {"for (int n = 0; n < 3; n++) w = n;", "1:35"},
        {"do { if (x > 1) break; w = 1; } while (x > 2);", "1:47"},
        {"do { if (x > 1) continue; w = 1; } while (x > 2);", "1:50"},
        {"x > 0 && (w = 1) > 0;", "1:22"},
        {"x > 0 ? (w = 1) : 0;", "1:21"},
        {"{ real_t w = x; w = 1; }", "1:25"},
    };
    static const char *const fine[] = {
        "w = 1;",
        "if (x > 0) w = 1; else w = 2;",
        "if (x > 0) { w = 1; return; } w = 2;",
        "if (x > 0) { w = 1; if (x > 1) return; } else { w = 2; }",
        "do w = 1; while (x > 2);",
        "do { w = 1; if (x > 1) break; } while (x > 2);",
        "while (w = x) { if (x > 2) break; else continue; }",
        "(w = 1) > 0 && x > 3;",
        "w += x;",
        "w++;",
    };
    for (int k = 0; k < COUNT_OF(bodies); k++)
        refused("in(x), out(w)", bodies[k][0], STN_KERNEL_REAL, bodies[k][1], message);
    for (int k = 0; k < COUNT_OF(fine); k++) {
        stn_kernel *kernel;
        if (stn_kernel_compile(&kernel, "k", "in(x), out(w)", fine[k], STN_KERNEL_REAL) != STN_OK)
            fail_msg("%s of %s", stn_error(), fine[k]);
        stn_kernel_release(kernel);
    }
    refused("in(x), out(w)", "w.re = x.re;", STN_KERNEL_COMPLEX, "1:13", message);
    refused("in(x), masked(w)", "w = x;", STN_KERNEL_REAL, "1:6",
            "'w' is masked; STN_STORE stores it");
    refused("in(x), inout(w)", "STN_STORE(w, x);", STN_KERNEL_REAL, "1:11", "'w' is not masked");
    refused("in(x), gather(u, 1)", "STN_PUT(u, x, 0);", STN_KERNEL_REAL, "1:9",
            "'u' is a gather parameter, which is read-only");
    refused("in(x), scatter(u, 2)", "STN_PUT(u, x, 0);", STN_KERNEL_REAL, "1:16",
            "fewer indices than the view has dimensions");
    refused("in(x), scatter(u, 1)", "STN_MAX(u, x, 0);", STN_KERNEL_COMPLEX, "1:8",
            "complex numbers are not ordered");
}

UNIT_TEST(test_arguments)
{
    stn_kernel *kernel;
    char name[300];
    memset(name, 'n', sizeof name);
    name[201] = '\0';
    expect_error(stn_kernel_compile(&kernel, NULL, "in(x)", "", STN_KERNEL_REAL), STN_ERR_ARGUMENT,
                 "name is NULL");
    expect_error(stn_kernel_compile(&kernel, "k", NULL, "", STN_KERNEL_REAL), STN_ERR_ARGUMENT,
                 "parameters is NULL");
    expect_error(stn_kernel_compile(&kernel, "k", "in(x)", NULL, STN_KERNEL_REAL), STN_ERR_ARGUMENT,
                 "body is NULL");
    expect_error(stn_kernel_compile(NULL, "k", "in(x)", "", STN_KERNEL_REAL), STN_ERR_ARGUMENT,
                 NULL);
    expect_error(stn_kernel_compile(&kernel, "", "in(x)", "", STN_KERNEL_REAL), STN_ERR_ARGUMENT,
                 NULL);
    expect_error(stn_kernel_compile(&kernel, name, "in(x)", "", STN_KERNEL_REAL), STN_ERR_ARGUMENT,
                 NULL);
    expect_error(stn_kernel_compile(&kernel, "k", "in(x)", "", (stn_kernel_class)3),
                 STN_ERR_ARGUMENT, "class 3");
    assert_null(kernel);
    name[200] = '\0';
    expect_ok(stn_kernel_compile(&kernel, name, "in(x)", "", STN_KERNEL_REAL));
    stn_kernel_release(kernel);
    stn_kernel_release(NULL);
}

/* A text of `count` times a piece between two others. */
static char *repeated(const char *before, const char *piece, int count, const char *behind)
{
    char *text = calloc(strlen(before) + strlen(piece) * (size_t)count + strlen(behind) + 1, 1),
         *at;
    assert_non_null(text);
    at = stpcpy(text, before);
    for (int k = 0; k < count; k++)
        at = stpcpy(at, piece);
    stpcpy(at, behind);
    return text;
}

/* A text is compiled, or refused by this message. */
static void check_limit(const char *before, const char *piece, int count, const char *after,
                        const char *message)
{
    stn_kernel *kernel;
    char *const text = repeated(before, piece, count, after);
    const stn_status status =
        stn_kernel_compile(&kernel, "k", "in(x), inout(y)", text, STN_KERNEL_REAL);
    if (message)
        expect_error(status, STN_ERR_PARSE, message);
    else
        expect_ok(status);
    stn_kernel_release(kernel);
    free(text);
}

UNIT_TEST(test_limits)
{
    static char words[40000];
    size_t at = 0;
    check_limit("y = ", "(", 30000, "x", "nested too deeply: the limit is 80");
    check_limit("y = ", "(", 78, "x", "nested too deeply: the limit is 80");
    check_limit("y = ", "(", 77, "x;", "')' is missing");
    check_limit("", "{", 81, "", "nested too deeply: the limit is 80");
    check_limit("", "{", 80, "", "'}' is missing");
    check_limit("y = ", "-", 300, "x;", "nested too deeply");
    check_limit("y = ", "- ", 101, "x;", "nested too deeply");
    check_limit("", "y = ", 10000, "x;", "nested too deeply");
    check_limit("y = ", "x ? x : ", 8000, "x;", "nested too deeply");
    check_limit("y = ", "x ? ", 8000, "x;", "nested too deeply");
    check_limit("", "{", 60000, "", "nested too deeply");
    check_limit("", "if (x) ", 9000, "y = 1;", "nested too deeply");
    check_limit("", "y = y / x;", 7000, "", "the text is longer than");
    check_limit("", "y/=x;", 10000, "", "too many instructions: the limit is 8191");
    check_limit("y=x", "+x", 15000, ";", "too many instructions: the limit is 8191");
    check_limit("y=x", "+x", 8000, ";", NULL);
    check_limit("y = ", "x", 70000, ";", "the text is longer than");
    for (int k = 0; k < 300; k++)
        at += (size_t)sprintf(words + at, "y += %d.5;", k);
    check_limit(words, "", 0, "", "too many different numbers: the limit is 256");
    at = 0;
    for (int k = 0; k < 300; k++)
        at += (size_t)sprintf(words + at, "int v%d;", k);
    check_limit(words, "", 0, "", "too many variables: the limit is 256");
    at = (size_t)sprintf(words, "real_t v0 = x");
    for (int k = 1; k < 70; k++)
        at += (size_t)sprintf(words + at, ", v%d = x / v%d", k, k - 1);
    at += (size_t)sprintf(words + at, "; y = 0");
    for (int k = 0; k < 70; k++)
        at += (size_t)sprintf(words + at, " + v%d", k);
    check_limit(words, "", 0, ";", "too many values are needed at once: the limit is 64");
    check_limit("y = ", "x - (", 30, "x" /* unbalanced */, "')' is missing");
}

UNIT_TEST(test_no_memory)
{
    stn_kernel *kernel;
    int nth = 1;
    for (;; nth++) {
        stn_fail_allocation(nth);
        const stn_status status =
            stn_kernel_compile(&kernel, "k", PARAMETERS, "y = R(0.5) * x;", STN_KERNEL_REAL);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(kernel);
    }
    stn_kernel_release(kernel);
    assert_true(nth > 10);
}

/* ---- what runs ---- */

static int64_t value_of(const char *expression, int64_t x)
{
    char body[200];
    stn_kernel *kernel;
    int64_t w = 77;
    snprintf(body, sizeof body, "w = %s;", expression);
    expect_ok(stn_kernel_compile(&kernel, "k", "in(x), out(w)", body, STN_KERNEL_INTEGER));
    const stn_view vx = wrap_view("x", stn_storage_of(STN_I64), &x, 0, NULL);
    const stn_view vw = wrap_view("w", stn_storage_of(STN_I64), &w, 0, NULL);
    const stn_argument arguments[] = {{.view = &vx}, {.view = &vw}};
    expect_ok(stn_kernel_run(order_use(0), kernel, STN_I64, STN_RANK_BROADCAST, NULL, arguments));
    stn_kernel_release(kernel);
    return w;
}

UNIT_TEST(test_what_c_leaves_open)
{
    static const struct {
        const char *expression;
        int64_t x, result;
    } cases[] = {
        {"x + 1", INT64_MAX, INT64_MIN},
        {"x * x", INT64_C(1) << 32, 0},
        {"-x", INT64_MIN, INT64_MIN},
        {"x / 0", 5, 0},
        {"x % 0", 5, 0},
        {"(uint64_t)x / 0", 5, 0},
        {"(uint64_t)x % 0", 5, 0},
        {"x / -1", INT64_MIN, INT64_MIN},
        {"x % -1", INT64_MIN, 0},
        {"(int)x / -1", INT32_MIN, INT32_MIN},
        {"1 / (int)x", 0, 0},
        {"x << 65", 3, 6},
        {"x >> 64", -3, -3},
        {"x << -1", 1, INT64_MIN},
        {"2147483647 + (int)x", 1, INT32_MIN},
        {"(int)x * 65536", 65536, 0},
        {"(int)x", INT64_C(0x1ffffffff), -1},
        {"(int64_t)(x * 1e300)", 5, INT64_MAX},
        {"(int64_t)(x * 1e300)", -5, INT64_MIN},
        {"(int64_t)(x / 0.0)", 0, 0},
        {"(int)(x * 1e10)", 5, INT32_MAX},
        {"(int)(x * 1e10)", -5, INT32_MIN},
        {"(uint64_t)(x * 1.0)", -5, 0},
        {"(uint64_t)(x * 1e300)", 5, -1},
        {"0x80000000 * (0 + 2)", 0, 0},
        {"(int)1e300 + (int)-1e300", 0, -1},
        {"(uint64_t)1e300", 0, -1},
        {"(int64_t)1e19f", 0, INT64_MAX},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const int64_t found = value_of(cases[k].expression, cases[k].x);
        if (found != cases[k].result)
            fail_msg("%s is %lld, not %lld", cases[k].expression, (long long)found,
                     (long long)cases[k].result);
    }
}

/* Comments are none of the text. */
UNIT_TEST(test_comments)
{
    static const char body[] = "// y = 3; STN_PUT(u, x, i, j)\n"
                               "/* if (x) w = 1; else ? & STN_AT(u, i, j) */ w/**/=/* \n */STN_AT( "
                               "/* , i */ u, 0) // return\n ;";
    stn_kernel *kernel;
    double u[] = {3, 4}, w[2] = {0};
    const int64_t two = 2;
    stn_view vu;
    expect_ok(stn_kernel_compile(&kernel, "k", "gather(u, 1), out(w)", body, STN_KERNEL_REAL));
    expect_ok(stn_view_wrap_const(&vu, "u", stn_storage_of(STN_F64), u, 1, &two));
    const stn_view vw = wrap_view("w", stn_storage_of(STN_F64), w, 1, &two);
    const stn_argument arguments[] = {{.view = &vu}, {.view = &vw}};
    expect_ok(stn_kernel_run(order_use(0), kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments));
    assert_true(w[0] == 3 && w[1] == 3);
    stn_kernel_release(kernel);
}

/* A locale that writes a comma for the decimal point: one of the system's, or made here. */
static int enter_comma_locale(void)
{
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        return 1;
    return setenv("LOCPATH", ".", 1) == 0 &&
           system("localedef -i de_DE -f UTF-8 ./text-locale >/dev/null 2>&1") != -1 &&
           setlocale(LC_NUMERIC, "text-locale") != NULL;
}

static void leave_comma_locale(void)
{
    setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
    if (system("rm -rf ./text-locale") != 0)
        print_message("text-locale could not be removed\n");
}

/* Decimal points are points, whatever the program's language. */
UNIT_TEST(test_locales)
{
    stn_kernel *kernel;
    double w = 0;
    if (!enter_comma_locale()) {
        leave_comma_locale();
        print_message("skipped: there is no locale with a decimal comma\n");
        skip();
    }
    const stn_status status =
        stn_kernel_compile(&kernel, "k", "out(w)", "w = 1.5;", STN_KERNEL_REAL);
    leave_comma_locale();
    expect_ok(status);
    const stn_view vw = wrap_view("w", stn_storage_of(STN_F64), &w, 0, NULL);
    const stn_argument arguments[] = {{.view = &vw}};
    expect_ok(stn_kernel_run(order_use(0), kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments));
    assert_true(w == 1.5);
    stn_kernel_release(kernel);
}

/* Launches check as for any kernel, and say its name. */
UNIT_TEST(test_launches)
{
    stn_kernel *kernel;
    double values[8] = {0};
    const int64_t four = 4;
    stn_view x;
    expect_ok(stn_view_wrap_const(&x, "x", stn_storage_of(STN_F64), values, 1, &four));
    stn_view y = wrap_view("y", stn_storage_of(STN_F64), values + 4, 1, &four);
    expect_ok(stn_kernel_compile(&kernel, "shift", "at(i), gather(u, 2), inout(y)",
                                 "y = STN_AT(u, i, 0);", STN_KERNEL_REAL));
    stn_argument arguments[] = {{.view = &x}, {.view = &y}};
    expect_error(stn_kernel_run(order_use(0), kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
                 STN_ERR_SHAPE, NULL);
    assert_string_equal(kernel->name, "shift");
    assert_non_null(strstr(stn_error(), "kernel shift: u has rank 2 in the kernel"));
    expect_error(stn_kernel_run(order_use(0), kernel, STN_I64, STN_RANK_BROADCAST, NULL, arguments),
                 STN_ERR_ARGUMENT, NULL);
    stn_kernel_release(kernel);
    expect_ok(stn_kernel_compile(&kernel, "put", "at(i), in(x), scatter(u, 1)", "STN_PUT(u, x, i);",
                                 STN_KERNEL_REAL));
    arguments[1].view = &x;
    expect_error(stn_kernel_run(order_use(0), kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
                 STN_ERR_ARGUMENT, "u is read-only");
    stn_kernel_release(kernel);
}

UNIT_TEST(test_threads)
{
    enum { N = 5000 };
    static double x[N], y[4][N];
    const int64_t count = N;
    stn_kernel *kernel;
    int wrong = 0;
    expect_ok(stn_kernel_compile(&kernel, "k", "at(i), in(x), inout(y)",
                                 "for (int n = 0; n < i % 5; n++) if (x > 2) y += R(0.5) * x;",
                                 STN_KERNEL_REAL));
    const stn_exec *const exec = order_use(0);
    for (int k = 0; k < N; k++)
        x[k] = k % 7;
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
    for (int t = 0; t < 4; t++) {
        stn_view vx, vy;
        if (stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 1, &count) ||
            stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y[t], 1, &count) ||
            stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL,
                           (const stn_argument[]){{.view = &vx}, {.view = &vy}}))
            wrong++;
        for (int k = 0; k < N; k++)
            wrong += y[t][k] != (x[k] > 2 ? 0.5 * x[k] * (k % 5) : 0);
    }
    assert_int_equal(wrong, 0);
    stn_kernel_release(kernel);
}

RUN_UNIT_TESTS(NULL, order_teardown)
