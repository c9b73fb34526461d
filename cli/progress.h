/* What a long command is doing, on one line of the terminal that is written over. */
#ifndef STENO_CLI_PROGRESS_H
#define STENO_CLI_PROGRESS_H

/* Nothing where the standard error is no terminal. */
void progress(const char *text, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void); /* the line is empty again */

#endif
