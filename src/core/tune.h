/* How threads walk through memory on this processor: a table by its family, and what the user's
 * file says instead. None of it changes a bit of any result. */
#ifndef STENO_CORE_TUNE_H
#define STENO_CORE_TUNE_H

#include <stdint.h>

#include "core/environment.h"
#include "core/status.h"

enum { STN_MOST_STREAMS = 4 };

/* X(name, least, most, what) */
#define STN_TUNE_TABLE(X)                                                                          \
    X(streams, 1, STN_MOST_STREAMS, "streams of tiles that a thread reads concurrently in a sum")  \
    X(rows, 1, 4, "rows of a matrix that a thread sums concurrently")                              \
    X(prefetch, 0, 65536, "prefetch distance of converting kernels, in elements; 0: no prefetch")  \
    X(ahead, 0, 65536, "prefetch distance of converting sums, in bytes; 0: no prefetch")           \
    X(sparse, 0, 65536, "prefetch distance of sparse matrix products, in bytes; 0: no prefetch")   \
    X(alone, 0, 1 << 20, "KiB that one thread processes while the other threads wake up")          \
    X(nontemporal, 0, 1 << 20, "size of results from which stores bypass the caches, in MiB")

typedef struct stn_tune {
#define STN_TUNE_MEMBER(name, least, most, what) int32_t name;
    STN_TUNE_TABLE(STN_TUNE_MEMBER)
#undef STN_TUNE_MEMBER
} stn_tune;

/* Measured for the family of this processor: amd, intel, arm or other, which `family` becomes. */
stn_tune stn_tune_of_family(const char **family);

/* The same, or what the user's file says: read once. A file for another processor says nothing.
 * STN_ERR_IO or STN_ERR_ARGUMENT when it cannot be used: it cannot be read, is cut off, has a word
 * or a number that is none, belongs to somebody else or can be written by others. */
stn_status stn_tune_get(stn_tune *tune);

/* The same where nobody asks for a status: the family's, when the file cannot be used. */
const stn_tune *stn_tuned(void);

/* `ahead` and `sparse` of it, from when an executor was made on: loops read them. */
extern int64_t stn_tuned_ahead, stn_tuned_sparse;

/* Where that is from: the family, or the file. */
const char *stn_tune_source(void);

/* Use another from now on, for tests and benches; executors keep the streams they were made with.
 */
void stn_tune_use(const stn_tune *tune);

/* Is this work for the calling thread alone? */
static inline int stn_is_for_one_thread(double bytes)
{
    return bytes <= 1024.0 * stn_tuned()->alone;
}

/* Bytes of results that are too many to stay in the caches? */
static inline int stn_passes_caches(int64_t bytes)
{
    return bytes >> 20 >= stn_tuned()->nontemporal;
}

/* STENO_TUNE, or steno/tune in the user's configuration folder, XDG_CONFIG_HOME or .config at
 * home; "" where there is neither. */
void stn_tune_path(char path[STN_MOST_PATH]);

/* The text of such a file for this processor; and read from one, whose name is for messages: one
 * for another processor changes nothing. */
enum { STN_TUNE_BYTES = 4096 };
void stn_tune_write(const stn_tune *tune, char text[STN_TUNE_BYTES]);
stn_status stn_tune_read(const char *name, char *text, stn_tune *tune, int *is_other);

#endif
