/* Reading of Matrix Market files by the command. */
#ifndef STENO_CLI_MARKET_H
#define STENO_CLI_MARKET_H

#include "steno/market.h"

/* Reads the file at `path` with the flags of stn_market_read_file. Notes about accepted deviations
 * are printed to the standard error. */
stn_status market_read(const char *path, unsigned flags, stn_market_matrix *matrix);

/* The first option of `flags`, for messages. */
const char *market_option(unsigned flags);

#endif
