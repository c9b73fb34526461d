/* Folds of tiles and blocks by one thread: STN_SOME(stn_tile), ... of one output or of adjacent
 * ones, with STN_LEVELS tree levels. */

/* In bit-reversed order of lanes, few states are live at a
 * time. */
STN_FN STN_SOME(stn_state) STN_SOME(stn_tile)(STN_GIVEN_ALL, stn_i64 tile, stn_scaling scale)
{
    const int held = stn_held(stn_n, tile);
    STN_SOME(stn_state) s0, s1, s2, s3, s4, s5;
    for (int l0 = 0; l0 < 2 && l0 < held; l0 += 1) {
        for (int l1 = l0; l1 < l0 + 4 && l1 < held; l1 += 2) {
            for (int l2 = l1; l2 < l1 + 8 && l2 < held; l2 += 4) {
                for (int l3 = l2; l3 < l2 + 16 && l3 < held; l3 += 8) {
                    for (int l4 = l3; l4 < l3 + 32 && l4 < held; l4 += 16) {
                        s5 = STN_SOME(stn_lane)(STN_ALL, tile, l4, held, scale);
                        s4 = l4 == l3 ? s5 : STN_SOME(stn_both)(s4, s5);
                    }
                    s3 = l3 == l2 ? s4 : STN_SOME(stn_both)(s3, s4);
                }
                s2 = l2 == l1 ? s3 : STN_SOME(stn_both)(s2, s3);
            }
            s1 = l1 == l0 ? s2 : STN_SOME(stn_both)(s1, s2);
        }
        s0 = l0 == 0 ? s1 : STN_SOME(stn_both)(s0, s1);
    }
    return s0;
}

STN_FN STN_SOME(stn_state)
    STN_SOME(stn_block)(STN_GIVEN_ALL, stn_i64 begin, stn_i64 end, stn_scaling scale)
{
    STN_SOME(stn_state) level[STN_LEVELS];
    int depth = 0;
    for (stn_i64 tile = begin; tile < end; tile++) {
        STN_SOME(stn_state) state = STN_SOME(stn_tile)(STN_ALL, tile, scale);
        STN_PUSH(STN_SOME(stn_both), level, depth, tile - begin, state)
    }
    STN_FOLD(STN_SOME(stn_both), level, depth)
    return level[0];
}
