/* The figures of `steno bench report` as one self-contained HTML file. */
#ifndef STENO_CLI_PAGE_H
#define STENO_CLI_PAGE_H

#include "figures.h"

typedef struct page {
    const figures_row *rows; /* sorted by operation, size, line */
    int row_count;
    const figures_line *lines;
    int line_count;
    const peers *peers;
    int threads, argc; /* arguments of the command */
    char **argv;
} page;

/* The style sheet of the pages. */
extern const char page_style[];

stn_status page_write(const page *all, const char *path);

#endif
