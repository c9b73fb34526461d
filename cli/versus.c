/* The rounds of `steno bench versus`. */
#include "versus.h"

#include <math.h>

#include "command.h"
#include "contender.h"
#include "core/cpu.h"

enum { MIN_ROUNDS = 7 };
static const double default_seconds = 0.25; /* total time of rounds if their number is not given */

#define VERSUS(kind, name) COLUMN(versus_row, kind, name)
static const column_spec list[] = {
    VERSUS(TEXT, operation), VERSUS(TEXT, format),  VERSUS(TEXT, arith),   VERSUS(INTEGER, threads),
    VERSUS(INTEGER, n),      VERSUS(TEXT, library), VERSUS(REAL, seconds), VERSUS(REAL, ratio),
    VERSUS(REAL, error),     VERSUS(TEXT, isa),     VERSUS(TEXT, core),    VERSUS(TEXT, processor)};
const column_list versus_columns = {list, sizeof list / sizeof *list, sizeof(versus_row)};

stn_status versus_call(void *work)
{
    const versus_turn *turn = work;
    versus_contest *contest = turn->contest;
    if (!turn->peer)
        return contest->operation->steno(contest);
    (contest->format == STN_F64 ? contest->operation->peer_f64
                                : contest->operation->peer_f32)(contest, turn->peer);
    return STN_OK;
}

static const char *name_of(stn_format format)
{
    return format == STN_F64 ? "f64" : "f32";
}

stn_status versus_measure(versus_contest *contest, const peers *others, int64_t repeat,
                          versus_row *rows)
{
    contender all[1 + MAX_PEERS];
    versus_turn turns[1 + MAX_PEERS];
    const int count = 1 + others->count;
    int present = 0, place[1 + MAX_PEERS];
    const contender_rounds limits = {repeat, MIN_ROUNDS, default_seconds,
                                     stn_exec_threads(contest->exec)};
    for (int k = 0; k < count; k++) {
        turns[k] = (versus_turn){contest, k ? &others->list[k - 1] : NULL};
        place[k] = -1;
        if (k > 0 && !versus_has(turns[k].peer, contest->operation, contest->format))
            continue;
        place[k] = present;
        all[present++] = (contender){.call = versus_call, .work = &turns[k]};
    }
    STN_TRY(contenders_run(all, present, &limits));
    for (int k = 0; k < count; k++) {
        rows[k] = (versus_row){.operation = contest->operation->name,
                               .format = name_of(contest->format),
                               .arith = name_of(contest->arithmetic),
                               .library = k ? turns[k].peer->name : "Steno",
                               .threads = stn_exec_threads(contest->exec),
                               .n = contest->n,
                               .seconds = place[k] < 0 ? NAN : all[place[k]].seconds,
                               .error = NAN,
                               .isa = stn_isa_name(stn_isa_chosen()),
                               .core = k ? turns[k].peer->core : "",
                               .processor = processor_name()};
        rows[k].ratio = rows[k].seconds / rows[0].seconds;
        if (place[k] < 0)
            continue;
        STN_TRY(versus_call(&turns[k]));
        if (contest->operation->error)
            rows[k].error = contest->operation->error(contest);
    }
    return STN_OK;
}
