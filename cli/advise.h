/* steno advise: what the parts of the command share. */
#ifndef STENO_CLI_ADVISE_H
#define STENO_CLI_ADVISE_H

#include "columns.h"
#include "steno/advise.h"
#include "steno/market.h"

enum { ADVISE_MAX_CODECS = 16 };

typedef struct advise_job {
    const char *path;
    stn_array_advice_options target;
    int has_target;
    const char *codecs[ADVISE_MAX_CODECS];
    int codec_count;
    const char *exec_name, *rhs, *certificate;
    int64_t memory; /* bytes; 0: no limit */
    int verifies;
    columns_files files;
    stn_exec *exec;
} advise_job;

/* Advice for the elements of a view. `name` is the file. */
stn_status advise_array(advise_job *job, const stn_view *view);

/* Checks a certificate of an array, whose file it names, or `path` if that is not NULL. */
stn_status advise_check_array(const stn_exec *exec, const char *path, const stn_view *view);

#endif
