/* A loop of core/transpose.c over the squares of a block of WORDS: COLUMNS columns at a time, as
 * measured on 64 x 64 words. Blocks narrower than a square are passed to NARROW. */
#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define ROW         JOIN(words_, WORDS)
#define SQUARE      JOIN(square_, WORDS)
#define BYTES       ((int64_t)sizeof((*(const ROW *)NULL)[0]))
#define SIDE        ((int64_t)sizeof(ROW) / BYTES)

INLINE void SQUARE(char *to, int64_t to_step, const char *from, int64_t step, int64_t r, int64_t c)
{
    ROW row[SIDE];
    for (int64_t k = 0; k < SIDE; k++)
        row[k] = *(const ROW *)(const void *)(from + ((r + k) * step + c) * BYTES);
    JOIN(turn_, WORDS)(row);
    for (int64_t k = 0; k < SIDE; k++)
        *(ROW *)(void *)(to + ((c + k) * to_step + r) * BYTES) = row[k];
}

/* Squares at the end of rows and columns may overlap others. */
STN_VERSIONS static void JOIN(transpose_, WORDS)(char *to, int64_t to_step, const char *from,
                                                 int64_t step, int64_t rows, int64_t columns)
{
    const int64_t whole_rows = rows & -SIDE, whole_columns = columns & -SIDE;
    if (rows < SIDE || columns < SIDE) {
        NARROW(to, to_step, from, step, rows, columns);
        return;
    }
    for (int64_t begin = 0; begin < whole_columns; begin += COLUMNS)
        for (int64_t r = 0; r < whole_rows; r += SIDE)
            for (int64_t c = begin; c < whole_columns && c < begin + COLUMNS; c += SIDE)
                SQUARE(to, to_step, from, step, r, c);
    for (int64_t r = 0; r < whole_rows && whole_columns < columns; r += SIDE)
        SQUARE(to, to_step, from, step, r, columns - SIDE);
    for (int64_t c = 0; c < whole_columns && whole_rows < rows; c += SIDE)
        SQUARE(to, to_step, from, step, rows - SIDE, c);
    if (whole_columns < columns && whole_rows < rows)
        SQUARE(to, to_step, from, step, rows - SIDE, columns - SIDE);
}

#undef JOIN2
#undef JOIN
#undef ROW
#undef SQUARE
#undef BYTES
#undef SIDE
#undef WORDS
#undef COLUMNS
#undef NARROW
