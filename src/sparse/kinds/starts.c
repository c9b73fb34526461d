/* Starts of rows. */
#include "sparse/kinds/starts.h"

#include "core/status.h"

stn_status stn_starts_init(stn_starts *starts, const char *call, const stn_matrix *csr)
{
    const stn_view *const view = csr->kind == STN_MATRIX_COO ? &csr->positions : &csr->starts;
    *starts = (stn_starts){.wide = csr->row_start, .rows = csr->rows};
    if (csr->row_start)
        return STN_OK;
    STN_TRY(stn_indices_init(&starts->any, call, stn_matrix_name(csr), "row_start", view, 1));
    starts->is_found = csr->kind == STN_MATRIX_COO;
    if (starts->is_found)
        return STN_OK;
    if (view->storage.format == STN_I32 && !stn_view_mapping(view) && view->stride[0] == 1)
        starts->narrow = view->data;
    return STN_OK;
}

int64_t stn_starts_find(const stn_starts *starts, int64_t row)
{
    int64_t low = 0, high = starts->any.count;
    while (low < high) {
        const int64_t entry = low + (high - low) / 2;
        if (stn_index_at(&starts->any, entry) < row)
            low = entry + 1;
        else
            high = entry;
    }
    return low;
}

/* Scans the row indices of the entries, from the first entry of `row` on. */
static void find_rows(const stn_starts *starts, int64_t *buffer, int64_t row, int64_t count)
{
    int64_t numbers[STN_INDICES], at = stn_starts_find(starts, row), k = 0, some = 0;
    buffer[0] = at;
    for (int64_t r = 1; r < count; r++, buffer[r - 1] = at)
        for (;; k++, at++) {
            if (k == some) {
                const int64_t left = starts->any.count - at;
                some = left < STN_INDICES ? left : STN_INDICES;
                k = 0;
                if (some == 0)
                    break;
                stn_indices_read(&starts->any, numbers, at, 1, some);
            }
            if (numbers[k] >= row + r)
                break;
        }
}

const int64_t *stn_starts_read(const stn_starts *starts, int64_t *buffer, int64_t row,
                               int64_t count)
{
    if (starts->wide)
        return starts->wide + row;
    for (int64_t k = 0; starts->narrow && k < count; k++)
        buffer[k] = starts->narrow[row + k];
    if (starts->is_found)
        find_rows(starts, buffer, row, count);
    else if (!starts->narrow)
        stn_indices_read(&starts->any, buffer, row, 1, count);
    return buffer;
}

int stn_starts_are_irregular(const stn_starts *starts)
{
    enum { REMEMBERED = 1 << 12, PLACES = 8, SAMPLE = 16, PREDICTED = 8 };
    int64_t changes = 0;
    if (starts->is_found || starts->rows < PLACES * (SAMPLE + 2) ||
        stn_start_at(starts, starts->rows) <= REMEMBERED)
        return 0;
    for (int64_t place = 0; place < PLACES; place++) {
        int64_t buffer[SAMPLE + 2];
        const int64_t *const start =
            stn_starts_read(starts, buffer, starts->rows / PLACES * place, SAMPLE + 2);
        for (int k = 0; k < SAMPLE; k++)
            changes += start[k + 2] - start[k + 1] != start[k + 1] - start[k];
    }
    return changes > PLACES * SAMPLE / PREDICTED;
}

int64_t stn_starts_share(const stn_starts *starts, int64_t part, int64_t parts)
{
    if (part == 0 || part == parts)
        return part == 0 ? 0 : starts->rows;
    const int64_t work = stn_start_at(starts, starts->rows) + starts->rows;
    const int64_t goal = work / parts * part + work % parts * part / parts;
    int64_t low = 0, high = starts->rows;
    while (low < high) {
        const int64_t row = low + (high - low) / 2;
        if (stn_start_at(starts, row) + row < goal)
            low = row + 1;
        else
            high = row;
    }
    return low;
}
