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

stn_status precond_take(precond *made, const char *name)
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

stn_status precond_make(precond *made, const stn_exec *exec, const stn_matrix *a, int64_t block)
{
    if (made->is_plain)
        made->format = a->storage.format;
    if (made->kind == PRECOND_FACTORS) {
        made->asked_factors.format = &made->format;
        STN_TRY(stn_ilu_create(exec, &made->factors, a, &made->asked_factors));
        return stn_operator_of_ilu(&made->inverse, &made->factors);
    }
    if (made->kind == PRECOND_NONE)
        return STN_OK;
    if (made->asked_blocks.max_block_rows == 1)
        made->asked_blocks.format = &made->format;
    else
        made->asked_blocks.max_block_rows = block;
    STN_TRY(stn_block_jacobi_create(exec, &made->blocks, a, &made->asked_blocks));
    return stn_operator_of_block_jacobi(&made->inverse, &made->blocks);
}

static void print_blocks(const precond *made)
{
    static const char *const names[2][STN_BLOCK_PARTS] = {{"f16", "f32", "f64"},
                                                          {"c32", "c64", "c128"}};
    const stn_block_jacobi *const blocks = &made->blocks;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    const int is_complex =
        stn_format_describe(made->format, &info) == STN_OK && info.kind == STN_CLASS_COMPLEX;
    printf("%" PRId64 " blocks:", blocks->blocks);
    for (int k = 0; k < STN_BLOCK_PARTS; k++)
        printf("%s %" PRId64 " in %s", k ? "," : "", blocks->part_blocks[k], names[is_complex][k]);
    printf("; %.1f MB\n\n", (double)blocks->bytes / 1e6);
}

void precond_print(const precond *made)
{
    const stn_ilu *const factors = &made->factors;
    if (made->kind == PRECOND_BLOCKS && !made->asked_blocks.format)
        print_blocks(made);
    if (made->kind == PRECOND_FACTORS)
        printf("factors of %" PRId64 " and %" PRId64 " levels; %.1f MB\n\n", factors->lower.levels,
               factors->upper.levels, (double)factors->bytes / 1e6);
}

void precond_release(precond *made)
{
    (void)stn_block_jacobi_release(&made->blocks);
    (void)stn_ilu_release(&made->factors);
}
