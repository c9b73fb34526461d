/* Integers of 64 bits as doubles, from which rounding to a format is rounding once: 1 rounded, 2
 * cut off, 3 with a mark of what is lost. */
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
