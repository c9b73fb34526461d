/* A reduction as a device text: elements are those of a kernel text, the operation is a
 * row of the library's table, and lanes, tiles and blocks are combined as defined in
 * doc/order.md. Dimensions of the space are those of outputs, followed by the reduced
 * ones. */
#ifndef STENO_EXPR_SOURCE_REDUCE_H
#define STENO_EXPR_SOURCE_REDUCE_H

#include "expr/source.h"
#include "steno/detail/reduce_types.h"

/* Constants of a launch, in order from `number` on. */
typedef enum stn_source_range {
    STN_RANGE_OUTPUTS,
    STN_RANGE_ELEMENTS, /* folded elements of each output */
    STN_RANGE_BEGIN,    /* the first of them, at the beginning of a tile */
    STN_RANGE_NUMBER,   /* number of element 0 */
    STN_RANGE_BLOCK,    /* tiles of a block, a power of two */
    STN_RANGE_BLOCKS,   /* blocks of each output */
    STN_RANGE_PLACE,    /* offset of the first written state or element */
    STN_RANGE_SCALE,    /* scale of norms, bits of f64 */
    STN_RANGE_TASK,
    STN_RANGE_IDENTITY, /* identity of scans, as bits */
    STN_RANGE_NUMBERS
} stn_source_range;

typedef enum stn_source_task {
    STN_TASK_STATES, /* states of all blocks, consecutively */
    STN_TASK_STORE,  /* the only block, stored in the result */
    STN_TASK_FINISH, /* finishes written states */
    STN_TASK_MAP,    /* mapped elements, output by output */
    STN_TASK_PAIRS, /* scans: combines states of pairs of blocks; each is stored at the index of its
                       last tile */
    STN_TASK_SCAN,  /* scans elements, with known carries of tiles */
    STN_TASK_TOTALS
} stn_source_task;

/* A view for results. */
typedef struct stn_source_stored {
    stn_format
        from;   /* arithmetic that results are stored from; for complex numbers that of parts */
    int widens; /* integers are converted to f64: 1 rounded, 2 truncated, 3 with a sticky bit */
    stn_source_view view;
} stn_source_stored;

typedef struct stn_source_reduction {
    stn_source source; /* begins the key */
    stn_reduction_kind operation;
    int kept;      /* dimensions of outputs */
    int number;    /* index of the first constant of stn_source_range */
    int by_groups; /* groups of threads fold lanes of tiles in parallel; otherwise each thread folds
                      its own blocks, for as many adjacent outputs as the source is wide */
    int tiles_at_once; /* tiles that a group folds at once */
    int results; /* of one output, along the last dimension of the result if there are several */
    int maps;    /* has the task of mapping */
    int stores;  /* has the task of storing `result` */
    int scans;   /* the operation of a scan; custom ones are not finalized */
    int is_exclusive, has_totals; /* scans only */
    stn_source_stored result, totals;
    int word[2], letters[2]; /* positions of the program's expressions in its text */
} stn_source_reduction;

enum {
    STN_REDUCE_THREADS = 128, /* of a group */
    STN_ACROSS_LEVELS =
        17 /* tiles per output, if threads have several outputs, are less than 2^16 */
};

/* Finds the expressions of a program-defined operation: 0 if they cannot be separated. */
int stn_source_find_expressions(stn_source_reduction *source, const char *operation_text);

/* The text of a kernel whose arguments are constants, the memory of each view, states or
 * elements, results and totals (if stored), and additional data. */
stn_status stn_source_write_reduction(const stn_source_reduction *source,
                                      const char *operation_text, char **text);

#endif
