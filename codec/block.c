/* Blocks: the bytes of a codec after one byte that states the method, or the elements unchanged. */
#include <string.h>

#include "codec/packer.h"
#include "core/memory.h"

enum { METHOD_CODEC = 0, METHOD_UNCHANGED = 1, LENGTH_BYTES = 4 };

stn_status stn_packer_state_create(const stn_packer *packer, const stn_cells *largest,
                                   stn_packer_state **state)
{
    static const char what[] = "memory of a thread for an archive";
    const stn_packer_row *const row = packer->row;
    const int64_t scratch = row->scratch_bytes ? row->scratch_bytes(largest) : 0;
    stn_packer_state *made;
    *state = NULL;
    STN_TRY(stn_allocate(&made, 1, sizeof *made, what));
    *made = (stn_packer_state){.capacity = stn_cells_bytes(largest), .scratch_bytes = scratch};
    stn_status status = stn_allocate(&made->elements, made->capacity, 1, what);
    if (status == STN_OK)
        status = stn_allocate(&made->filtered, made->capacity, 1, what);
    if (status == STN_OK)
        status = stn_allocate(&made->packed, made->capacity + 1, 1, what);
    if (status == STN_OK)
        status = stn_allocate(&made->scratch, scratch, 1, what);
    if (status != STN_OK) {
        stn_packer_state_release(packer, made);
        return status;
    }
    if (scratch > 0)
        memset(made->scratch, 0, (size_t)scratch);
    *state = made;
    return STN_OK;
}

void stn_packer_state_release(const stn_packer *packer, stn_packer_state *state)
{
    if (!state)
        return;
    if (packer->row->close)
        packer->row->close(state);
    stn_free(state->elements);
    stn_free(state->filtered);
    stn_free(state->packed);
    stn_free(state->scratch);
    stn_free(state);
}

/* ---- complex values: real parts and imaginary parts are separate blocks ---- */

static stn_cells parts_of(const stn_cells *cells)
{
    stn_cells parts = *cells;
    parts.parts = 1;
    parts.bytes = cells->bytes / cells->parts;
    return parts;
}

static void split(void *to, const void *from, const stn_cells *cells)
{
    const size_t bytes = (size_t)cells->bytes / 2;
    char *const real = to, *const imaginary = real + cells->count * cells->bytes / 2;
    for (int64_t k = 0; k < cells->count; k++) {
        memcpy(real + k * cells->bytes / 2, (const char *)from + k * cells->bytes, bytes);
        memcpy(imaginary + k * cells->bytes / 2,
               (const char *)from + k * cells->bytes + cells->bytes / 2, bytes);
    }
}

static void join(void *to, const void *from, const stn_cells *cells)
{
    const size_t bytes = (size_t)cells->bytes / 2;
    const char *const real = from, *const imaginary = real + cells->count * cells->bytes / 2;
    for (int64_t k = 0; k < cells->count; k++) {
        memcpy((char *)to + k * cells->bytes, real + k * cells->bytes / 2, bytes);
        memcpy((char *)to + k * cells->bytes + cells->bytes / 2, imaginary + k * cells->bytes / 2,
               bytes);
    }
}

static int64_t encode_complex(const stn_packer *packer, stn_packer_state *state,
                              const stn_cells *cells, const void *elements, uint8_t *bytes,
                              int64_t capacity)
{
    const stn_cells parts = parts_of(cells);
    if (capacity <= LENGTH_BYTES)
        return 0;
    split(state->filtered, elements, cells);
    const int64_t first = packer->row->encode(packer, state, &parts, state->filtered,
                                              bytes + LENGTH_BYTES, capacity - LENGTH_BYTES);
    if (first <= 0 || first + LENGTH_BYTES >= capacity)
        return first < 0 ? first : 0;
    const int64_t second = packer->row->encode(
        packer, state, &parts, (const char *)state->filtered + stn_cells_bytes(&parts),
        bytes + LENGTH_BYTES + first, capacity - LENGTH_BYTES - first);
    const uint32_t length = (uint32_t)first;
    memcpy(bytes, &length, LENGTH_BYTES);
    return second <= 0 ? second : LENGTH_BYTES + first + second;
}

static const char *decode_complex(const stn_packer *packer, stn_packer_state *state,
                                  const stn_cells *cells, const uint8_t *bytes, int64_t length,
                                  void *elements)
{
    const stn_cells parts = parts_of(cells);
    uint32_t first = 0;
    if (length > LENGTH_BYTES)
        memcpy(&first, bytes, LENGTH_BYTES);
    if (first == 0 || first >= length - LENGTH_BYTES)
        return "the length of its real parts is invalid";
    bytes += LENGTH_BYTES;
    const char *reason = packer->row->decode(packer, state, &parts, bytes, first, state->filtered);
    if (!reason)
        reason =
            packer->row->decode(packer, state, &parts, bytes + first, length - LENGTH_BYTES - first,
                                (char *)state->filtered + stn_cells_bytes(&parts));
    if (!reason)
        join(elements, state->filtered, cells);
    return reason;
}

/* ---- all blocks ---- */

static int is_zero(const void *elements, int64_t bytes)
{
    const char *const first = elements;
    return bytes == 0 || (first[0] == 0 && memcmp(first, first + 1, (size_t)bytes - 1) == 0);
}

static int64_t encode(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                      const void *elements, uint8_t *bytes, int64_t capacity)
{
    if (packer->row->is_typed && cells->parts == 2)
        return encode_complex(packer, state, cells, elements, bytes, capacity);
    if (packer->filter) {
        packer->filter->filter(state->filtered, elements, cells->count, cells->bytes);
        elements = state->filtered;
    }
    return packer->row->encode(packer, state, cells, elements, bytes, capacity);
}

int64_t stn_block_encode(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                         const void *elements)
{
    const int64_t bytes = stn_cells_bytes(cells);
    if (is_zero(elements, bytes))
        return 0;
    const int64_t length = encode(packer, state, cells, elements, state->packed + 1, bytes);
    if (length < 0)
        return -1;
    if (length > 0 && length < bytes) {
        state->packed[0] = METHOD_CODEC;
        return 1 + length;
    }
    state->packed[0] = METHOD_UNCHANGED;
    memcpy(state->packed + 1, elements, (size_t)bytes);
    return 1 + bytes;
}

int stn_block_takes_strides(const stn_packer *packer, const stn_cells *cells, const uint8_t *bytes,
                            int64_t length)
{
    return packer->row->takes_strides && cells->parts == 1 && cells->rank <= 4 && length > 0 &&
           bytes[0] == METHOD_CODEC;
}

const char *stn_block_decode(const stn_packer *packer, stn_packer_state *state,
                             const stn_cells *cells, const uint8_t *bytes, int64_t length,
                             void *elements)
{
    const int64_t expected = stn_cells_bytes(cells);
    if (length == 0) {
        memset(elements, 0, (size_t)expected);
        return NULL;
    }
    if (bytes[0] == METHOD_UNCHANGED) {
        if (length != 1 + expected)
            return "its length is not that of its elements";
        memcpy(elements, bytes + 1, (size_t)expected);
        return NULL;
    }
    if (bytes[0] != METHOD_CODEC)
        return "its method is unknown";
    if (packer->row->is_typed && cells->parts == 2)
        return decode_complex(packer, state, cells, bytes + 1, length - 1, elements);
    if (!packer->filter)
        return packer->row->decode(packer, state, cells, bytes + 1, length - 1, elements);
    const char *const reason =
        packer->row->decode(packer, state, cells, bytes + 1, length - 1, state->filtered);
    if (!reason)
        packer->filter->unfilter(elements, state->filtered, cells->count, cells->bytes);
    return reason;
}
