/* A reduction as a text for devices: its elements are those of a kernel's text, its operation is
 * that of the library's own table, and tiles, lanes and blocks are combined as doc/order.md says.
 * The dimensions of the space are those that outputs have, and behind them those that are reduced.
 */
#ifndef STENO_EXPR_SOURCE_REDUCE_H
#define STENO_EXPR_SOURCE_REDUCE_H

#include "expr/source.h"
#include "steno/detail/reduce_types.h"

/* Numbers of a launch, in order from `number` on. */
typedef enum stn_source_range {
    STN_RANGE_OUTPUTS,
    STN_RANGE_ELEMENTS, /* of each output, that are folded, */
    STN_RANGE_BEGIN,    /* the first of them, which begins a tile, */
    STN_RANGE_NUMBER,   /* and the number that element 0 has */
    STN_RANGE_BLOCK,    /* tiles of a block, a power of two */
    STN_RANGE_BLOCKS,   /* of each output */
    STN_RANGE_PLACE,    /* of the first state or element that is written */
    STN_RANGE_SCALE,    /* of norms, bits of f64 */
    STN_RANGE_TASK,
    STN_RANGE_IDENTITY, /* of scans, its bits */
    STN_RANGE_NUMBERS
} stn_source_range;

typedef enum stn_source_task {
    STN_TASK_STATES, /* the states of all blocks, those of one after those of another */
    STN_TASK_STORE,  /* of the only block, stored in the result */
    STN_TASK_FINISH, /* states that were written become results */
    STN_TASK_MAP,    /* the elements as they are mapped, one output's after another's */
    STN_TASK_PAIRS,  /* of a scan: states of blocks become those of twice as many tiles; each stands
                      * where that of its last tile was */
    STN_TASK_SCAN,   /* what comes before each tile is known then */
    STN_TASK_TOTALS
} stn_source_task;

/* A view that results are stored in. */
typedef struct stn_source_stored {
    stn_format from; /* the arithmetic that they are stored from; of complex numbers theirs */
    int widens;      /* integers become f64: 1 rounded, 2 cut off, 3 with a mark of what is lost */
    stn_source_view view;
} stn_source_stored;

typedef struct stn_source_reduction {
    stn_source source; /* begins the key */
    stn_reduction_kind operation;
    int kept;      /* dimensions that outputs have */
    int number;    /* where those of the range begin */
    int by_groups; /* groups of threads fold the lanes of tiles side by side; else each thread folds
                    * blocks of its own, of as many neighbouring outputs as the source is wide */
    int maps;      /* one of its tasks is to map */
    int stores;    /* one is to store, in `result` */
    int scans;     /* the operation is a scan's, whose own ones are not finished */
    int is_exclusive, has_totals; /* of scans */
    stn_source_stored result, totals;
    int word[2], letters[2]; /* of the program's own operation among its words */
} stn_source_reduction;

enum {
    STN_REDUCE_THREADS = 128, /* of a group */
    STN_ACROSS_LEVELS = 17    /* tiles of an output, where threads have several, are below 2^16 */
};

/* Find the expressions of a program's own operation: 0 when they cannot be told apart. */
int stn_source_find_words(stn_source_reduction *source, const char *words);

/* The text, of a kernel whose arguments are the numbers, each view's memory, that of states or
 * elements, and, where it stores, the result's and that of totals, and what goes along. */
stn_status stn_source_write_reduction(const stn_source_reduction *source, const char *words,
                                      char **text);

#endif
