/* Progress of a long command on one line of the terminal. */
#ifndef STENO_CLI_PROGRESS_H
#define STENO_CLI_PROGRESS_H

/* A no-op if the standard error is not a terminal. */
void progress(const char *text, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void); /* clears the line */

#endif
