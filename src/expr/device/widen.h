/* 64-bit integers as doubles whose rounding to a format is a single rounding: 1 rounded, 2
 * truncated, 3 with a sticky bit. */
STN_FN stn_f64 stn_widened(stn_i64 value, int how)
{
    const stn_u64 magnitude = value < 0 ? 0 - (stn_u64)value : (stn_u64)value;
    stn_f64 size = (stn_f64)magnitude;
    if (magnitude >> 53 != 0 && how != 1) {
        const int dropped = 11 - STN_LEADING_ZEROS(magnitude);
        const stn_u64 whole = magnitude >> dropped;
        const stn_u64 marked = how == 3 && whole << dropped != magnitude ? whole | 1 : whole;
        size = (stn_f64)marked * (stn_f64)((stn_u64)1 << dropped);
    }
    return value < 0 ? -size : size;
}
