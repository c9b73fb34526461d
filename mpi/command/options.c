/* Arguments of steno-mpi. */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steno/block_jacobi.h"
#include "steno/market.h"

const char mpi_usage[] =
    "usage: mpirun -n RANKS steno-mpi solve FILE [OPTION]...\n"
    "Solves A x = b for the square matrix of a Matrix Market file. Each rank reads a part of the\n"
    "file, and has a part of the rows.\n\n"
    "  --rhs FILE        b, or several of them as columns, in a dense Matrix Market file, which\n"
    "                    each rank reads completely (default: A times a vector of ones)\n"
    "  --solver NAME     cg, minres, bicgstab, gmres, fgmres (flexible), or refinement of CG in "
    "f32\n"
    "                    (default cg)\n"
    "  --arithmetic NAME f64, f32, c128 or c64 (default f64, for complex matrices c128)\n"
    "  --basis FORMAT    storage of the basis of gmres; i16:32 has a factor for each block of 32\n"
    "                    (default: the arithmetic type)\n"
    "  --restart N       vectors of the basis (default 100)\n"
    "  --orthogonalization NAME  of gmres: default, once, if-needed, twice, delayed or sketched\n"
    "                    (default default)\n"
    "  --tolerance X     bound on |b - A x| / |b| (default 1e-10)\n"
    "  --iterations N    maximum number of iterations\n"
    "  --precond NAME    none; jacobi: inverse of the diagonal; bjacobi: inverses of diagonal\n"
    "                    blocks; ilu and ic: factors of the rows of each rank, which depend on "
    "the\n"
    "                    number of ranks, with ilu:f16 in that format (default none)\n"
    "  --block N         rows of a block: 1, 2, 4, 8, 16 or 32 (default 8)\n"
    "  --exchange FORMAT format in which elements are sent; the result then depends on the number\n"
    "                    of ranks\n"
    "  --exec NAME       executor of each rank on the host (default threads)\n"
    "  --threads N       threads of each rank (default 1)\n"
    "  --sum             add repeated entries of the matrix\n"
    "  --lenient         accept common deviations from the specification in both files\n";

static int refuse(mpi_options *o, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(o->message, sizeof o->message, format, values);
    va_end(values);
    return 0;
}

/* Index of a name in a list with a comma and a blank after each name but the last. */
static int find_name(const char *names, const char *name)
{
    const size_t length = strlen(name);
    int index = 0;
    for (const char *at = names;; index++) {
        const size_t one = strcspn(at, ",");
        if (one == length && strncmp(at, name, one) == 0)
            return index;
        if (!at[one])
            return -1;
        at += one + 2;
    }
}

static int read_name(mpi_options *o, const char *what, const char *names, const char *value,
                     int *index)
{
    *index = find_name(names, value);
    return *index >= 0 || refuse(o, "unknown %s '%s' (known: %s)", what, value, names);
}

static int read_count(mpi_options *o, const char *what, const char *value, int64_t most,
                      int64_t *count)
{
    char *end;
    *count = strtoll(value, &end, 10);
    return (end != value && *end == 0 && *count >= 1 && *count <= most) ||
           refuse(o, "%s '%s' must be a number from 1 to %lld", what, value, (long long)most);
}

static int read_format(mpi_options *o, const char *value, stn_format *format)
{
    return stn_format_find(value, format) == STN_OK || refuse(o, "%s", stn_error());
}

static int read_solver(mpi_options *o, const char *value)
{
    static const stn_solver_method methods[] = {STN_SOLVER_CG,       STN_SOLVER_MINRES,
                                                STN_SOLVER_BICGSTAB, STN_SOLVER_GMRES,
                                                STN_SOLVER_FGMRES,   STN_SOLVER_REFINEMENT};
    int index;
    if (!read_name(o, "solver", "cg, minres, bicgstab, gmres, fgmres, refinement", value, &index))
        return 0;
    o->solve.method = methods[index];
    o->solver = value;
    return 1;
}

static int read_arithmetic(mpi_options *o, const char *value)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_C128, STN_C64};
    int index;
    if (!read_name(o, "arithmetic", "f64, f32, c128, c64", value, &index))
        return 0;
    o->solve.arithmetic = formats[index];
    o->has_arithmetic = 1;
    return 1;
}

static int read_basis(mpi_options *o, const char *value)
{
    char name[24];
    stn_format format;
    const char *const colon = strchr(value, ':');
    const size_t length = colon ? (size_t)(colon - value) : strlen(value);
    if (length >= sizeof name || (colon && strcmp(colon, ":32") != 0))
        return refuse(o, "basis '%s': blocks are of 32 elements, as in i16:32", value);
    memcpy(name, value, length);
    name[length] = 0;
    if (!read_format(o, name, &format))
        return 0;
    o->solve.basis = stn_storage_of(format);
    o->solve.basis_block = colon ? 32 : 0;
    return 1;
}

static int read_orthogonalization(mpi_options *o, const char *value)
{
    int index;
    if (!read_name(o, "orthogonalization", "default, once, if-needed, twice, delayed, sketched",
                   value, &index))
        return 0;
    o->solve.orthogonalization = (stn_orthogonalization)index;
    return 1;
}

static int read_tolerance(mpi_options *o, const char *value)
{
    char *end;
    o->solve.relative_tolerance = strtod(value, &end);
    return (end != value && *end == 0 && o->solve.relative_tolerance > 0.0 &&
            o->solve.relative_tolerance < 1.0) ||
           refuse(o, "tolerance '%s' must be between 0 and 1", value);
}

static int read_precond(mpi_options *o, const char *value)
{
    static const char names[] = "none, jacobi, bjacobi, ilu, ic";
    char name[24];
    int index;
    const char *const colon = strchr(value, ':');
    const size_t length = colon ? (size_t)(colon - value) : strlen(value);
    if (length >= sizeof name)
        return refuse(o, "unknown preconditioner '%s' (known: %s)", value, names);
    memcpy(name, value, length);
    name[length] = 0;
    if (!read_name(o, "preconditioner", names, name, &index))
        return 0;
    o->precond = index < 3 ? (precond_kind)index : PRECOND_ILU;
    o->precond_name = value;
    o->factors.kind = index == 4 ? STN_IC0 : STN_ILU0;
    if (!colon)
        return 1;
    if (o->precond != PRECOND_ILU)
        return refuse(o, "preconditioner '%s': only ilu and ic have a format", value);
    o->factors.format = &o->factor_format;
    return read_format(o, colon + 1, &o->factor_format);
}

static int read_block(mpi_options *o, const char *value)
{
    if (!read_count(o, "block", value, STN_BLOCK_JACOBI_MAX_ROWS, &o->block))
        return 0;
    return (o->block & (o->block - 1)) == 0 ||
           refuse(o,
                  "block '%s' must be a power of two: the first rows of ranks are multiples of "
                  "128",
                  value);
}

/* Options of `steno solve` that compare several solves, or write files. */
static int is_of_steno(const char *name)
{
    static const char names[] = "--matrix, --size, --planes, --same-bits-as, --repeat, --json, "
                                "--csv, --history";
    return find_name(names, name) >= 0;
}

/* 2: an option without value. */
static int read_option(mpi_options *o, const char *name, const char *value)
{
    if (strcmp(name, "--sum") == 0)
        o->market_flags |= STN_MARKET_SUM;
    else if (strcmp(name, "--lenient") == 0)
        o->market_flags |= STN_MARKET_LENIENT;
    else if (is_of_steno(name))
        return refuse(o, "%s is an option of `steno solve` without ranks", name);
    else if (find_name("--solver, --arithmetic, --basis, --restart, --orthogonalization, "
                       "--tolerance, --iterations, --precond, --block, --exchange, --exec, "
                       "--threads, --rhs",
                       name) < 0)
        return refuse(o, "unknown %s '%s'", *name == '-' ? "option" : "argument", name);
    else if (!value)
        return refuse(o, "%s needs a value", name);
    else if (strcmp(name, "--solver") == 0)
        return read_solver(o, value);
    else if (strcmp(name, "--arithmetic") == 0)
        return read_arithmetic(o, value);
    else if (strcmp(name, "--basis") == 0)
        return read_basis(o, value);
    else if (strcmp(name, "--restart") == 0)
        return read_count(o, "restart", value, 10000, &o->solve.restart);
    else if (strcmp(name, "--orthogonalization") == 0)
        return read_orthogonalization(o, value);
    else if (strcmp(name, "--tolerance") == 0)
        return read_tolerance(o, value);
    else if (strcmp(name, "--iterations") == 0)
        return read_count(o, "number of iterations", value, INT32_MAX, &o->solve.max_iterations);
    else if (strcmp(name, "--precond") == 0)
        return read_precond(o, value);
    else if (strcmp(name, "--block") == 0)
        return read_block(o, value);
    else if (strcmp(name, "--exchange") == 0)
        return read_format(o, value, &o->exchange);
    else if (strcmp(name, "--threads") == 0)
        return read_count(o, "number of threads", value, 1024, &o->threads);
    else if (strcmp(name, "--rhs") == 0) {
        o->rhs = value;
        return 1;
    } else {
        o->resource = value;
        return 1;
    }
    return 2;
}

int mpi_options_read(mpi_options *o, int argc, char **argv)
{
    *o = (mpi_options){.solver = "cg",
                       .precond_name = "none",
                       .resource = "threads",
                       .solve = STN_SOLVER_OPTIONS_INIT,
                       .inner = STN_SOLVER_OPTIONS_INIT,
                       .factors = STN_ILU_OPTIONS_INIT,
                       .block = 8,
                       .threads = 1};
    for (int k = 1; k < argc; k++)
        o->wants_help |= strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0;
    if (o->wants_help || (argc == 2 && strcmp(argv[1], "help") == 0)) {
        o->wants_help = 1;
        return 1;
    }
    if (argc < 2 || strcmp(argv[1], "solve") != 0)
        return argc < 2 ? refuse(o, "the command is missing: solve")
                        : refuse(o, "unknown command '%s' (known: solve)", argv[1]);
    if (argc < 3 || argv[2][0] == '-')
        return refuse(o, "solve needs a file before its options");
    o->path = argv[2];
    for (int k = 3; k < argc; k++) {
        const int found = read_option(o, argv[k], k + 1 < argc ? argv[k + 1] : NULL);
        if (!found)
            return 0;
        k += found == 1;
    }
    return 1;
}
