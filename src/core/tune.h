/* Memory access parameters of this processor: a table by processor family, and the user's file,
 * which overrides it. They never change a bit of any result. */
#ifndef STENO_CORE_TUNE_H
#define STENO_CORE_TUNE_H

#include <stdint.h>

#include "core/environment.h"
#include "core/status.h"

enum { STN_MAX_STREAMS = 4 };

/* X(name, least, most, what) */
#define STN_TUNE_TABLE(X)                                                                          \
    X(streams, 1, STN_MAX_STREAMS, "streams of tiles that a thread reads concurrently in a sum")   \
    X(rows, 1, 4, "rows of a matrix that a thread sums concurrently")                              \
    X(prefetch, 0, 65536, "prefetch distance of converting kernels, in elements; 0: no prefetch")  \
    X(ahead, 0, 65536, "prefetch distance of converting sums, in bytes; 0: no prefetch")           \
    X(sparse, 0, 65536, "prefetch distance of sparse matrix products, in bytes; 0: no prefetch")   \
    X(alone, 0, 1 << 20, "KiB that one thread processes while the other threads wake up")          \
    X(nontemporal, 0, 1 << 20, "size of results from which stores bypass the caches, in MiB")

typedef struct stn_tune {
#define STN_TUNE_MEMBER(name, minimum, maximum, what) int32_t name;
    STN_TUNE_TABLE(STN_TUNE_MEMBER)
#undef STN_TUNE_MEMBER
} stn_tune;

/* The values for the family of this processor: amd, intel, arm or other, stored in `family`. */
STN_PRIVATE_API stn_tune stn_tune_of_family(const char **family);

/* The same with the user's file, which is read once. Files for other processors are ignored.
 * STN_ERR_IO or STN_ERR_ARGUMENT if the file cannot be used: it is unreadable, truncated,
 * malformed, owned by another user, or writable by other users. */
stn_status stn_tune_get(stn_tune *tune);

/* The same without a status: the family's values if the file cannot be used. */
STN_PRIVATE_API const stn_tune *stn_tuned(void);

/* Copies of `ahead` and `sparse` for loops, set when an executor is created. */
extern int64_t stn_tuned_ahead, stn_tuned_sparse;

/* Source of the values: the family, or the file. */
STN_PRIVATE_API const char *stn_tune_source(void);

/* Replaces the values, for tests and benches; existing executors keep their
 * streams. */
STN_PRIVATE_API void stn_tune_use(const stn_tune *tune);

/* Should the calling thread do this work alone? */
static inline int stn_is_for_one_thread(double bytes)
{
    return bytes <= 1024.0 * stn_tuned()->alone;
}

/* Is this number of bytes of results too large for the caches? */
static inline int stn_passes_caches(int64_t bytes)
{
    return bytes >> 20 >= stn_tuned()->nontemporal;
}

/* STENO_TUNE, or steno/tune in the user's configuration folder, XDG_CONFIG_HOME or .config in
 * the home folder; "" if there is neither. */
STN_PRIVATE_API void stn_tune_path(char path[STN_MAX_PATH]);

/* Writes a file for this processor, and reads one; `name` is for messages. Files for other
 * processors change nothing. */
enum { STN_TUNE_BYTES = 4096 };
STN_PRIVATE_API void stn_tune_write(const stn_tune *tune, char text[STN_TUNE_BYTES]);
stn_status stn_tune_read(const char *name, char *text, stn_tune *tune, int *is_other);

#endif
