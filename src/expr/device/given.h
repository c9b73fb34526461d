/* Constants passed by the host as bits of doubles: of double, or of f32 on devices without
 * double, to which they are rounded once. */
#ifdef STN_HAVE_DOUBLE
typedef stn_f64 stn_given;
STN_FN stn_given stn_given_as(stn_u64 bits)
{
    return stn_f64_of_bits(bits);
}
#else
typedef stn_f32 stn_given;
STN_FN stn_given stn_given_as(stn_u64 bits)
{
    unsigned events = 0;
    return stn_f32_of_bits((stn_u32)stn_float_encode(bits, stn_f32_kind(), STN_ROUND_NEAREST,
                                                     STN_OVERFLOW_INFINITY, 0, &events));
}
#endif
