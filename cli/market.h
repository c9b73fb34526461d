/* Matrix Market files as the command reads them. */
#ifndef STENO_CLI_MARKET_H
#define STENO_CLI_MARKET_H

#include "steno/market.h"

/* Read the file at `path`, adding repeated entries if `sum`. What the user should know about a file
 * that is read all the same goes to the standard error. */
stn_status market_read(const char *path, int sum, stn_matrix *matrix);

#endif
