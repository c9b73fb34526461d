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

static stn_status take_factors(precond *p, stn_ilu_kind kind)
{
    const char *const colon = strchr(p->name, ':');
    p->kind = PRECOND_FACTORS;
    p->is_plain = !colon;
    p->asked_factors = (stn_ilu_options)STN_INIT(stn_ilu_options, .kind = kind);
    return colon ? stn_format_find(colon + 1, &p->format) : STN_OK;
}

static stn_status take_blocks(precond *p, int is_plain)
{
    p->kind = PRECOND_BLOCKS;
    p->is_plain = 1;
    p->asked_blocks =
        (stn_block_jacobi_options)STN_INIT(stn_block_jacobi_options, .max_block_rows = is_plain);
    return STN_OK;
}

stn_status precond_parse(precond *p, const char *name)
{
    memset(p, 0, sizeof *p);
    p->name = name;
    if (strcmp(name, "none") == 0)
        return STN_OK;
    if (strcmp(name, "jacobi") == 0 || strcmp(name, "bjacobi") == 0)
        return take_blocks(p, name[0] == 'j');
    if (is_kind(name, "ilu"))
        return take_factors(p, STN_ILU0);
    if (is_kind(name, "ic"))
        return take_factors(p, STN_IC0);
    return stn_fail(STN_ERR_ARGUMENT,
                    "unknown preconditioner '%s' (known: none, jacobi, bjacobi, ilu, ic)", name);
}

stn_status precond_create(precond *p, const stn_exec *exec, const stn_matrix *a, int64_t block)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    STN_TRY(stn_matrix_describe(a, &info));
    if (p->is_plain)
        p->format = info.storage.format;
    if (p->kind == PRECOND_NONE)
        return STN_OK;
    if (p->kind == PRECOND_FACTORS) {
        p->asked_factors.format = &p->format;
        STN_TRY(stn_ilu_create(exec, &p->handle, a, &p->asked_factors));
    } else {
        if (p->asked_blocks.max_block_rows == 1)
            p->asked_blocks.format = &p->format;
        else
            p->asked_blocks.max_block_rows = block;
        STN_TRY(stn_block_jacobi_create(exec, &p->handle, a, &p->asked_blocks));
    }
    return stn_operator_of_preconditioner(&p->inverse, p->handle);
}

static void print_blocks(const precond *p, const stn_preconditioner_info *blocks)
{
    static const char *const names[2][STN_BLOCK_JACOBI_FORMATS] = {{"f16", "f32", "f64"},
                                                                   {"c32", "c64", "c128"}};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    const int is_complex =
        stn_format_describe(p->format, &info) == STN_OK && info.kind == STN_CLASS_COMPLEX;
    printf("%" PRId64 " blocks:", blocks->blocks);
    for (int k = 0; k < STN_BLOCK_JACOBI_FORMATS; k++)
        printf("%s %" PRId64 " in %s", k ? "," : "", blocks->format_blocks[k],
               names[is_complex][k]);
    printf("; %.1f MB\n\n", (double)blocks->bytes / 1e6);
}

void precond_print(const precond *p)
{
    stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
    if (!p->handle || stn_preconditioner_describe(p->handle, &info) != STN_OK)
        return;
    if (p->kind == PRECOND_FACTORS)
        printf("factors of %" PRId64 " and %" PRId64 " levels; %.1f MB\n\n", info.lower_levels,
               info.upper_levels, (double)info.bytes / 1e6);
    else if (!p->asked_blocks.format)
        print_blocks(p, &info);
}

void precond_release(precond *p)
{
    stn_preconditioner_release(p->handle);
}
