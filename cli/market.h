/* Matrix Market files as the command reads them. */
#ifndef STENO_CLI_MARKET_H
#define STENO_CLI_MARKET_H

#include "steno/market.h"

/* Reads the file at `path`. `flags` are those of stn_market_read_file. Notes about deviations
 * that were accepted go to the standard error. */
stn_status market_read(const char *path, unsigned flags, stn_market_matrix *matrix);

/* The first option of `flags`, for messages. */
const char *market_option(unsigned flags);

#endif
