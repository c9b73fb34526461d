/* One attempt to solve a linear system by a method of an advice. */
#ifndef STENO_ADVISE_ATTEMPT_H
#define STENO_ADVISE_ATTEMPT_H

#include "advise/solve.h"

typedef struct stn_attempt {
    const stn_exec *exec;
    const stn_solve_advice *advice;
    stn_solve_choice choice;
    double tolerance;       /* of the system that is solved */
    double end;             /* time after which no iteration starts, or infinity */
    stn_view x, b;          /* of the system as given, in the arithmetic type */
    int is_missing;         /* the preconditioner could not be created */
    stn_counters lost;      /* values that narrow formats of the last attempt did not hold */
    int is_lossy;           /* too many of them: nothing was solved */
    char losses[64];        /* description of `lost` */
    stn_stop_reason reason; /* why the attempt stopped */
    int is_interrupted;     /* by the monitor of the options */
    int64_t iterations;
} stn_attempt;

/* Runs the method, from x. STN_OK: it converged by its own measure. STN_ERR_CONVERGENCE: it did
 * not, a part of it could not be created, or the matrix exceeds the range of its arithmetic. */
stn_status stn_attempt_run(stn_attempt *attempt);

/* A solve is observed in windows of STN_WATCH_WINDOW iterations (or cycles of GMRES), later of a
 * quarter of the iterations so far, because plateaus become longer. It stagnates if, at the rate of
 * the last window, it needs more than STN_WATCH_MOST further ones. */
enum { STN_WATCH_WINDOW = 1000, STN_WATCH_CYCLES = 3, STN_WATCH_PART = 4, STN_WATCH_MOST = 40 };

typedef struct stn_watch {
    double target, best, first; /* residuals: first: the best one when the window began */
    int64_t begin, window;      /* iterations */
} stn_watch;

/* To be called after each iteration: does the solve stagnate? */
int stn_watch_stagnates(stn_watch *watch, int64_t iteration, double residual);

#endif
