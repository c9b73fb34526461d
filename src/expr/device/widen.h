/* 64-bit integers as doubles whose rounding to a format is a single rounding: 1 rounded, 2
 * truncated, 3 with a sticky bit. */
STN_FN stn_f64 stn_widened_u64(stn_u64 value, int how)
{
    stn_f64 size = (stn_f64)value;
    if (value >> 53 != 0 && how != 1) {
        const int dropped = 11 - STN_LEADING_ZEROS(value);
        const stn_u64 whole = value >> dropped;
        const stn_u64 marked = how == 3 && whole << dropped != value ? whole | 1 : whole;
        size = (stn_f64)marked * (stn_f64)((stn_u64)1 << dropped);
    }
    return size;
}
STN_FN stn_f64 stn_widened_i64(stn_i64 value, int how)
{
    return value < 0 ? -stn_widened_u64(0 - (stn_u64)value, how)
                     : stn_widened_u64((stn_u64)value, how);
}
