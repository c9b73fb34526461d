/* The language of expectations: every construct, and every error with its line and column. */
#include "check.h"
#include "contract/check/expect.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>

static stn_expectations parsed(const char *text)
{
    stn_expectations all;
    if (stn_expectations_parse(text, "a.cg", &all) != STN_OK)
        fail_msg("'%s': %s", text, stn_error());
    return all;
}

static void assert_fact(const stn_expectations *all, int32_t f, const char *name,
                        stn_relation relation, int64_t thousandths)
{
    assert_in_range(f, 0, all->fact_count - 1);
    assert_string_equal(stn_quantity_name(all->facts[f].quantity), name);
    assert_int_equal(all->facts[f].relation, relation);
    assert_int_equal(all->facts[f].number, thousandths);
}

UNIT_TEST(one_line)
{
    stn_expectations all = parsed("kernel axpy_f32 @x86-64-v3 gcc>=12.2 loop=main : "
                                  "load.width >= 256, spill == 0");
    assert_int_equal(all.count, 1);
    assert_int_equal(all.fact_count, 2);
    const stn_expectation *one = all.list;
    assert_string_equal(one->function, "axpy_f32");
    assert_int_equal(one->is_expression, 0);
    assert_string_equal(one->target, "x86-64-v3");
    assert_int_equal(one->rule_count, 1);
    assert_string_equal(one->rules[0].name, "gcc");
    assert_int_equal(one->rules[0].relation, STN_RELATION_AT_LEAST);
    assert_int_equal(one->rules[0].parts, 2);
    assert_int_equal(one->rules[0].version[0], 12);
    assert_int_equal(one->rules[0].version[1], 2);
    assert_int_equal(one->loop, STN_LOOP_MAIN);
    assert_int_equal(one->position.line, 1);
    assert_int_equal(one->position.column, 1);
    assert_fact(&all, 0, "load.width", STN_RELATION_AT_LEAST, 256000);
    assert_fact(&all, 1, "spill", STN_RELATION_EQUAL, 0);
    assert_int_equal(all.facts[1].position.column, 69);
    stn_expectations_release(&all);
}

UNIT_TEST(relations_and_numbers)
{
    stn_expectations all = parsed("kernel f @*: load==1,store!=2 , load.8<3, load.16 <= 4 ,"
                                  "load.32>5,load.64 >=6, bytes/elem <= 12.5, regs == 1.234,"
                                  "fma<0.01, calls < 1000000000000");
    const stn_relation relations[] = {STN_RELATION_EQUAL, STN_RELATION_NOT_EQUAL,
                                      STN_RELATION_LESS,  STN_RELATION_AT_MOST,
                                      STN_RELATION_MORE,  STN_RELATION_AT_LEAST};
    const char *names[] = {"load", "store", "load.8", "load.16", "load.32", "load.64"};
    assert_int_equal(all.fact_count, 10);
    for (int f = 0; f < 6; f++)
        assert_fact(&all, f, names[f], relations[f], 1000 * (f + 1));
    assert_fact(&all, 6, "bytes/elem", STN_RELATION_AT_MOST, 12500);
    assert_fact(&all, 7, "regs", STN_RELATION_EQUAL, 1234);
    assert_fact(&all, 8, "fma", STN_RELATION_LESS, 10);
    assert_fact(&all, 9, "calls", STN_RELATION_LESS, 1000000000000000);
    stn_expectations_release(&all);
}

UNIT_TEST(lines_blocks_and_comments)
{
    stn_expectations all = parsed("# a comment\n\n"
                                  "kernel f @sm_90 : load.128 == 3, # and in the next line\n"
                                  "    store.128 == 1\n"
                                  "\tkernel g @* loop=none { load == 1\r\n"
                                  "\n  # within\n"
                                  "  store == 2, calls == 0,\n"
                                  "  fma == 1 } # done\n"
                                  "kernel h @aarch64 gcc clang<15 loop=2 calls=left-out:load>0");
    assert_int_equal(all.count, 3);
    assert_int_equal(all.fact_count, 7);
    assert_int_equal(all.list[0].fact_count, 2);
    assert_int_equal(all.list[1].first_fact, 2);
    assert_int_equal(all.list[1].fact_count, 4);
    assert_int_equal(all.list[1].position.line, 5);
    assert_int_equal(all.list[1].position.column, 2);
    assert_int_equal(all.list[1].loop, STN_LOOP_NONE);
    assert_int_equal(all.facts[3].position.line, 8);
    assert_int_equal(all.facts[3].position.column, 3);
    assert_fact(&all, 5, "fma", STN_RELATION_EQUAL, 1000);
    assert_int_equal(all.list[2].loop, 2);
    assert_int_equal(all.list[2].leaves_out_calls, 1);
    assert_int_equal(all.list[1].leaves_out_calls, 0);
    assert_int_equal(all.list[2].rule_count, 2);
    assert_int_equal(all.list[2].rules[0].parts, 0);
    assert_string_equal(all.list[2].rules[1].name, "clang");
    stn_expectations_release(&all);
}

UNIT_TEST(expressions)
{
    stn_expectations all = parsed("kernel /^axpy<float, (a|b)>::operator\\/\\(\\)/ @* : load > 0\n"
                                  "kernel _ZN1aC2Ev.part$0 @sm_?0|sm_9* : load > 0");
    assert_int_equal(all.list[0].is_expression, 1);
    assert_string_equal(all.list[0].function, "^axpy<float, (a|b)>::operator/\\(\\)");
    assert_string_equal(all.list[1].function, "_ZN1aC2Ev.part$0");
    assert_string_equal(all.list[1].target, "sm_?0|sm_9*");
    stn_expectations_release(&all);
}

UNIT_TEST(repetitions_in_expressions)
{
    stn_expectations all = parsed("kernel /^[+*?]+[]+*]?([[:alpha:]+?]+\\+\\?)+$/ @* : load > 0");
    stn_expectations_release(&all);
}

UNIT_TEST(symbols_beyond_ascii)
{
    stn_expectations all = parsed("kernel gr\xc3\xb6\xc3\x9f"
                                  "e_\xce\xb1 @* : load > 0");
    assert_string_equal(all.list[0].function, "gr\xc3\xb6\xc3\x9f"
                                              "e_\xce\xb1");
    assert_string_equal(all.list[0].target, "*");
    stn_expectations_release(&all);
}

UNIT_TEST(every_quantity_is_found_by_its_name)
{
    char text[128];
    int32_t count = 0;
    for (; stn_quantity_name(count); count++) {
        snprintf(text, sizeof text, "kernel f @* : %s >= 1", stn_quantity_name(count));
        stn_expectations all = parsed(text);
        assert_int_equal(all.facts[0].quantity, count);
        assert_true(strlen(stn_quantity_meaning(count)) > 0);
        stn_expectations_release(&all);
    }
    assert_true(count > 40);
    assert_null(stn_quantity_meaning(count));
}

/* ---- errors ---- */

#define HEAD  "a compiler (gcc, clang, nvcc), loop=, calls=left-out, : or {"
#define KNOWN "(known: x86-64, x86-64-v2 to x86-64-v4, aarch64, sm_75 to sm_120)"

static const struct {
    const char *text, *message; /* after "a.cg:" */
} refused[] = {
    /* heads */
    {"", "1:1: the file contains no contract"},
    {"\n # nothing\n\n", "4:1: the file contains no contract"},
    {"kernels f @* : load > 0", "1:1: expected kernel, not 'kernels'"},
    {"  function f", "1:3: expected kernel, not 'function'"},
    {"kernel", "1:7: expected a function's symbol or /expression/, not the end of the file"},
    {"kernel # f\n", "1:11: expected a function's symbol or /expression/, not the end of the line"},
    {"kernel @*", "1:8: expected a function's symbol or /expression/, not '@*'"},
    {"kernel \x01", "1:8: expected a function's symbol or /expression/, not the byte 0x01"},
    {"kernel f : load > 0", "1:10: expected @ and a target, not ':'"},
    {"kernel f g @*", "1:10: expected @ and a target, not 'g'"},
    {"kernel f @ : load > 0", "1:11: expected a target such as x86-64 or sm_*, not ' '"},
    {"kernel f @aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa : load > 0",
     "1:11: the target is longer than 40 characters"},
    {"kernel f @*", "1:12: expected " HEAD ", not the end of the file"},
    {"kernel f @* load > 0\n", "1:13: expected " HEAD ", not 'load'"},
    {"kernel f @* 12 : load > 0", "1:13: expected " HEAD ", not '12'"},
    {"kernel f @* gcc>=x : load > 0", "1:18: expected a version number, not 'x'"},
    {"kernel f @* gcc>=12. : load > 0", "1:21: expected a version number, not ' '"},
    {"kernel f @* gcc>=1.2.3.4 : load > 0",
     "1:23: expected at most three numbers in a version, not '.4'"},
    {"kernel f @* gcc>=123456 : load > 0", "1:23: a version number is too large"},
    {"kernel f @* gcc=12 : load > 0", "1:16: use == instead of ="},
    {"kernel f @* gcc gcc gcc gcc gcc : load > 0", "1:29: more than 4 rules for compilers"},
    {"kernel f @* gcc : load > 0 x", "1:28: expected , or the end of the line, not 'x'"},
    {"kernel f @* loop : load > 0", "1:13: expected " HEAD ", not 'loop'"},
    {"kernel f @* Gcc>=12 : load > 0", "1:13: expected " HEAD ", not 'Gcc>=12'"},
    {"kernel f @x86_64 : load > 0", "1:11: unknown target 'x86_64' " KNOWN},
    {"kernel f @x86-64|riscv64 : load > 0", "1:18: unknown target 'riscv64' " KNOWN},
    {"\nkernel f @sm_9*|sm_91 : load > 0", "2:17: unknown target 'sm_91' " KNOWN},
    {"kernel f @aarch64||sm_90 : load > 0", "1:19: unknown target '' " KNOWN},
    {"kernel f @* calls=none : load > 0", "1:19: expected left-out, not 'none'"},
    {"kernel f @* loop=last : load > 0",
     "1:18: expected main, none or the number of a loop, not 'last'"},
    {"kernel f @* loop= : load > 0", "1:18: expected main, none or the number of a loop, not ' '"},
    {"kernel f @* loop=-1 : load > 0",
     "1:18: expected main, none or the number of a loop, not '-1'"},
    {"kernel f @* loop=12345678 : load > 0",
     "1:18: expected main, none or the number of a loop, not '12345678'"},
    {"kernel f @* loop=1 loop=main : load > 0", "1:20: loop= is given twice"},
    /* expressions */
    {"kernel /f @* : load > 0", "1:8: the closing / of the expression is missing"},
    {"kernel /f\n/ @* : load > 0", "1:8: the closing / of the expression is missing"},
    {"kernel /f\\/", "1:8: the closing / of the expression is missing"},
    {"kernel /f\\", "1:8: the closing / of the expression is missing"},
    {"kernel // @* : load > 0", "1:9: the expression is empty"},
    {"kernel /a{3}/ @* : load > 0", "1:10: counts in braces cannot be used in an expression"},
    {"kernel /(a)\\1/ @* : load > 0", "1:12: back references cannot be used in an expression"},
    {"kernel /a+b+c+d+e+f+g+h+i+/ @* : load > 0", "1:9: more than 8 + in an expression"},
    {"kernel /((a+b?)+c)+/ @* : load > 0", "1:9: more than 2 nested + in an expression"},
    {"kernel /(((((((((((((((((((((((((((((((((a)))))))))))))))))))))))))))))))))/ @* : load > 0",
     "1:9: more than 32 ( in an expression"},
    {"kernel /a?+/ @* : load > 0", "1:9: a repetition of a repetition in an expression"},
    {"kernel /a???????????????????????????????++++/ @* : load > 0",
     "1:9: more than 2 nested + in an expression"},
    {"kernel "
     "/a?b?c?d?e?f?g?h?i?a?b?c?d?e?f?g?h?i?a?b?c?d?e?f?g?h?i?a?b?c?d?e?f?g?h?i?a?b?c?d?e?f?g?h?i?a?"
     "b?c?d?e?f?g?h?i?a?b?c?d?e?f?g?h?i?a?b?/ @* : load > 0",
     "1:9: more than 64 ?, * and | in an expression"},
    /* facts */
    {"kernel f @* :", "1:14: expected a quantity, not the end of the file"},
    {"kernel f @* : # none\n", "1:21: expected a quantity, not the end of the line"},
    {"kernel f @* : load.258 > 0",
     "1:15: unknown quantity 'load.258'; similar: load.256, load.8, load.128"},
    {"kernel f @* : spills == 0", "1:15: unknown quantity 'spills'; similar: spill, stalls"},
    {"kernel f @* : frobnicate == 0", "1:15: unknown quantity 'frobnicate'; see doc/contract.md"},
    {"kernel f @* : load", "1:19: expected one of == != < <= > >=, not the end of the file"},
    {"kernel f @* : load = 0", "1:20: use == instead of ="},
    {"kernel f @* : load => 0", "1:20: use == instead of ="},
    {"kernel f @* : load ! 0", "1:20: expected one of == != < <= > >=, not '!'"},
    {"kernel f @* : load ~ 0", "1:20: expected one of == != < <= > >=, not '~'"},
    {"kernel f @* : load >", "1:21: expected a number, not the end of the file"},
    {"kernel f @* : load > -1", "1:22: expected a number, not '-1'"},
    {"kernel f @* : load > .5", "1:22: expected a number, not '.5'"},
    {"kernel f @* : load > 1.", "1:24: expected a digit, not the end of the file"},
    {"kernel f @* : load > 1.2345", "1:27: more than three digits after the point"},
    {"kernel f @* : load > 1000000000001", "1:22: the number is too large"},
    {"kernel f @* : load > 99999999999999999999999", "1:22: the number is too large"},
    {"kernel f @* : load > 0x10", "1:23: expected , or the end of the line, not 'x10'"},
    {"kernel f @* : load > 1 store > 1", "1:24: expected , or the end of the line, not 'store'"},
    {"kernel f @* : load > 1,\n\n", "3:1: expected a quantity, not the end of the file"},
    {"kernel f @* : load > 1,, store > 1", "1:24: expected a quantity, not ','"},
    {"kernel f @* : load > 1 }", "1:24: expected , or the end of the line, not '}'"},
    {"kernel f @* { }", "1:15: expected a quantity, not '}'"},
    {"kernel f @* {\n load > 1\n", "3:1: expected a quantity, not the end of the file"},
    {"kernel f @* { load > 1",
     "1:23: expected , or } or the end of the line, not the end of the file"},
    {"kernel f @* { load > 1 store", "1:24: expected , or } or the end of the line, not 'store'"},
    {"kernel f @* { load > 1 } kernel", "1:26: expected the end of the line, not 'kernel'"},
    {"kernel f @* : load > 1\n  load > 2", "2:3: expected kernel, not 'load'"},
};

/* The message is that, or begins with it. */
static void assert_refused(const char *text, const char *message, int is_whole)
{
    stn_expectations all;
    memset(&all, 0x5a, sizeof all);
    const stn_status status = stn_expectations_parse(text, "a.cg", &all);
    if (status == STN_OK)
        fail_msg("accepted: %s", text);
    assert_int_equal(status, STN_ERR_PARSE);
    assert_memory_equal(stn_error(), "a.cg:", 5);
    if (is_whole)
        assert_string_equal(stn_error() + 5, message);
    assert_memory_equal(stn_error() + 5, message, strlen(message));
    assert_null(all.list);
    assert_int_equal(all.count, 0);
}

UNIT_TEST(refused_texts)
{
    char longest[400] = "kernel /";
    for (int k = 0; k < COUNT_OF(refused); k++)
        assert_refused(refused[k].text, refused[k].message, 1);
    memset(longest + 8, 'a', 300);
    assert_refused(longest, "1:9: the expression is longer than 256 characters", 1);
    assert_refused("kernel /(a/ @* : load > 0", "1:9: not a regular expression: ", 0);
}

UNIT_TEST(every_allocation_may_fail)
{
    for (int64_t nth = 1; nth <= 3; nth++) {
        stn_expectations all;
        stn_fail_allocation(nth);
        expect_error(stn_expectations_parse("kernel f @* : load > 0", "a.cg", &all), STN_ERR_MEMORY,
                     NULL);
        stn_fail_allocation(0);
        assert_null(all.strings);
    }
}

/* ---- targets and compilers ---- */

UNIT_TEST(targets)
{
    assert_true(stn_target_matches("*", "x86-64", ""));
    assert_true(stn_target_matches("x86-64", "x86-64", "x86-64-v3"));
    assert_true(stn_target_matches("x86-64-v3", "x86-64", ""));
    assert_true(stn_target_matches("x86-64-v4", "x86-64", ""));
    assert_true(stn_target_matches("x86-64-v3", "x86-64", "x86-64-v3"));
    assert_false(stn_target_matches("x86-64-v4", "x86-64", "x86-64-v3"));
    assert_false(stn_target_matches("x86-64-v9", "x86-64", ""));
    assert_false(stn_target_matches("x86-64-v3", "aarch64", ""));
    assert_false(stn_target_matches("x86-6", "x86-64", ""));
    assert_false(stn_target_matches("x86-644", "x86-64", ""));
    assert_true(stn_target_matches("sm_*", "sm_120", ""));
    assert_true(stn_target_matches("sm_?0", "sm_90", ""));
    assert_false(stn_target_matches("sm_?0", "sm_120", ""));
    assert_true(stn_target_matches("aarch64|sm_90", "sm_90", ""));
    assert_false(stn_target_matches("aarch64|sm_90", "sm_9", ""));
    assert_true(stn_target_matches("*a*a*6*", "aarch64", ""));
    assert_false(stn_target_matches("*a*a*a*", "aarch64", ""));
    assert_true(stn_target_is_known("sm_75", 5));
    assert_true(stn_target_is_known("x86-64-v2|riscv64", 9));
    assert_true(stn_target_is_known("sm_121", 6));
    assert_true(stn_target_is_known("sm_9?", 5));
    assert_false(stn_target_is_known("sm_91", 5));
    assert_false(stn_target_is_known("sm_70", 5));
    assert_false(stn_target_is_known("sm_12", 5));
    assert_false(stn_target_is_known("sm90", 4));
    assert_false(stn_target_is_known("riscv64", 7));
}

static int follows(const char *rule, const char *compiler)
{
    char text[128], why[160] = "";
    snprintf(text, sizeof text, "kernel f @* %s : load > 0", rule);
    stn_expectations all = parsed(text);
    const int yes = stn_compiler_follows(all.list[0].rules, compiler, why, sizeof why);
    assert_int_equal(yes, *why == '\0');
    stn_expectations_release(&all);
    return yes;
}

UNIT_TEST(compilers)
{
    const char *gcc = "GCC: (Debian 12.2.0-14+deb12u1) 12.2.0";
    const char *clang = "Debian clang version 14.0.6";
    const char *both[] = {"gcc",      "gcc>=12",  "gcc<=12", "gcc==12",     "gcc==12.2",
                          "gcc>12.1", "gcc<12.3", "gcc<13",  "gcc>=12.2.0", "gcc!=11"};
    const char *neither[] = {"gcc>12",  "gcc<12", "gcc==11",   "gcc>=12.2.1", "gcc<12.2",
                             "gcc!=12", "clang",  "clang>=12", "nvcc"};
    for (int k = 0; k < COUNT_OF(both); k++)
        assert_true(follows(both[k], gcc));
    for (int k = 0; k < COUNT_OF(neither); k++)
        assert_false(follows(neither[k], gcc));
    assert_true(follows("clang>=14", clang));
    assert_false(follows("clang>=15", clang));
    assert_false(follows("gcc", clang));
    assert_false(follows("gcc", ""));
    assert_true(follows("gcc>=9", "GCC: (GNU) 13.1.1"));
    assert_true(follows("nvcc>=12", "Cuda compilation tools, release 12.8, V12.8.93"));
}

RUN_UNIT_TESTS(NULL, NULL)
