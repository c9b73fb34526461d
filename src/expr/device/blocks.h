/* Codes of adjacent elements of a block, as words: the one at bit `at` is read, or added to zeros.
 */
#ifndef STN_RUN_CODE
#define STN_RUN_CODE
STN_FN stn_u32 stn_run_code(const stn_u32 *words, int at, int bits)
{
    stn_u32 code = words[at / 32] >> at % 32;
    if (at % 32 + bits > 32)
        code |= words[at / 32 + 1] << (32 - at % 32);
    return bits == 32 ? code : code & (((stn_u32)1 << bits) - 1);
}
STN_FN void stn_add_run_code(stn_u32 *words, int at, int bits, stn_u32 code)
{
    words[at / 32] |= code << at % 32;
    if (at % 32 + bits > 32)
        words[at / 32 + 1] |= code >> (32 - at % 32);
}
#endif
