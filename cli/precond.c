/* Preconditioners by name: blocks and incomplete factors. */
#include "precond.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

/* "ilu:f16" is the kind "ilu" with a format. */
static int is_kind(const char *name, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(name, kind, length) == 0 && (name[length] == '\0' || name[length] == ':');
}

static stn_status take_factors(precond *made, stn_ilu_kind kind)
{
    const char *const colon = strchr(made->name, ':');
    made->kind = PRECOND_FACTORS;
    made->is_plain = !colon;
    made->asked_factors = (stn_ilu_options)STN_INIT(stn_ilu_options, .kind = kind);
    return colon ? stn_format_find(colon + 1, &made->format) : STN_OK;
}

static stn_status take_blocks(precond *made, int is_plain)
{
    made->kind = PRECOND_BLOCKS;
    made->is_plain = 1;
    made->asked_blocks =
        (stn_block_jacobi_options)STN_INIT(stn_block_jacobi_options, .max_block_rows = is_plain);
    return STN_OK;
}

stn_status precond_parse(precond *made, const char *name)
{
    memset(made, 0, sizeof *made);
    made->name = name;
    if (strcmp(name, "none") == 0)
        return STN_OK;
    if (strcmp(name, "jacobi") == 0 || strcmp(name, "bjacobi") == 0)
        return take_blocks(made, name[0] == 'j');
    if (is_kind(name, "ilu"))
        return take_factors(made, STN_ILU0);
    if (is_kind(name, "ic"))
        return take_factors(made, STN_IC0);
    return stn_fail(STN_ERR_ARGUMENT,
                    "unknown preconditioner '%s' (known: none, jacobi, bjacobi, ilu, ic)", name);
}

stn_status precond_create(precond *made, const stn_exec *exec, const stn_matrix *a, int64_t block)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    STN_TRY(stn_matrix_describe(a, &info));
    if (made->is_plain)
        made->format = info.storage.format;
    if (made->kind == PRECOND_NONE)
        return STN_OK;
    if (made->kind == PRECOND_FACTORS) {
        made->asked_factors.format = &made->format;
        STN_TRY(stn_ilu_create(exec, &made->made, a, &made->asked_factors));
    } else {
        if (made->asked_blocks.max_block_rows == 1)
            made->asked_blocks.format = &made->format;
        else
            made->asked_blocks.max_block_rows = block;
        STN_TRY(stn_block_jacobi_create(exec, &made->made, a, &made->asked_blocks));
    }
    return stn_operator_of_preconditioner(&made->inverse, made->made);
}

static void print_blocks(const precond *made, const stn_preconditioner_info *blocks)
{
    static const char *const names[2][STN_BLOCK_JACOBI_FORMATS] = {{"f16", "f32", "f64"},
                                                                   {"c32", "c64", "c128"}};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    const int is_complex =
        stn_format_describe(made->format, &info) == STN_OK && info.kind == STN_CLASS_COMPLEX;
    printf("%" PRId64 " blocks:", blocks->blocks);
    for (int k = 0; k < STN_BLOCK_JACOBI_FORMATS; k++)
        printf("%s %" PRId64 " in %s", k ? "," : "", blocks->format_blocks[k],
               names[is_complex][k]);
    printf("; %.1f MB\n\n", (double)blocks->bytes / 1e6);
}

void precond_print(const precond *made)
{
    stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
    if (!made->made || stn_preconditioner_describe(made->made, &info) != STN_OK)
        return;
    if (made->kind == PRECOND_FACTORS)
        printf("factors of %" PRId64 " and %" PRId64 " levels; %.1f MB\n\n", info.lower_levels,
               info.upper_levels, (double)info.bytes / 1e6);
    else if (!made->asked_blocks.format)
        print_blocks(made, &info);
}

void precond_release(precond *made)
{
    stn_preconditioner_release(made->made);
}
