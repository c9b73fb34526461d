/* Elements of fields, one at a time, for kernels whose fields are stored otherwise than they
 * compute, or are not to be written. */
#include "view/reader.h"
#include "steno/kernel_types.h"
#include "view/number.h"

void stn_field_read(const stn_field *field, int64_t offset, void *value)
{
    stn_read(field->reader, value, offset / field->reader->run.bytes, 1, 1);
}

void stn_field_write(const stn_field *field, int64_t offset, const void *value)
{
    if (field->refused) {
        __atomic_store_n(field->refused, 1, __ATOMIC_RELAXED);
        return;
    }
    const stn_reader *reader = field->reader;
    const int64_t position = offset / reader->run.bytes;
    const int draws = reader->run.rules.rounding == STN_ROUND_STOCHASTIC;
    const int64_t number = !reader->plain ? position
                           : draws        ? stn_view_order_at(field->view, position)
                                          : 0;
    stn_write(reader, value, position, 1, number, 1);
}

/* Towards zero, into what an int64_t holds; 0 for NaN. */
static int64_t index_of_f64(double value)
{
    if (value >= 0x1p63)
        return INT64_MAX;
    return value >= -0x1p63 ? (int64_t)value : value < 0 ? INT64_MIN : 0;
}

int64_t stn_field_read_index(const stn_field *field, int64_t offset)
{
    const void *code = field->data + offset;
    double value = 0.0;
    stn_storage storage;
    switch (field->view->storage.format) {
    case STN_I8:
        return *(const int8_t *)code;
    case STN_U8:
        return *(const uint8_t *)code;
    case STN_I16:
        return *(const int16_t *)code;
    case STN_U16:
        return *(const uint16_t *)code;
    case STN_I32:
        return *(const int32_t *)code;
    case STN_U32:
        return *(const uint32_t *)code;
    case STN_I64:
        return *(const int64_t *)code;
    default:
        storage = stn_view_storage(field->view);
        (void)stn_decode(STN_F64, &value, &storage, code, 1, 1);
    }
    return index_of_f64(value);
}
