/* A lane of a tile, and trees of states: level[0 .. depth - 1] have decreasing numbers of
 * leaves. */
#define STN_TILES ((STN_ELEMENTS + 127) / 128)
#define STN_PUSH(both, level, depth, number, state)                                                \
    for (stn_i64 stn_k = (number); stn_k & 1; stn_k >>= 1)                                         \
        state = both(level[--depth], state);                                                       \
    level[depth++] = state;
#define STN_FOLD(both, level, depth)                                                               \
    for (; depth > 1; depth--)                                                                     \
        level[depth - 2] = both(level[depth - 2], level[depth - 1]);
STN_FN int stn_held(STN_NUMBERS, stn_i64 tile)
{
    const stn_i64 left = STN_ELEMENTS - tile * 128;
    return left < 128 ? (int)left : 128;
}
STN_FN stn_state stn_lane(STN_GIVEN_ALL, stn_i64 tile, int lane, int held, stn_scaling scale)
{
    stn_i64 e = STN_BEGIN_AT + tile * 128 + lane;
    stn_state state = stn_begun(stn_element(STN_ALL, (stn_count)e), STN_NUMBER + e, scale);
    for (lane += 32; lane < held; lane += 32) {
        e += 32;
        state = stn_onto(state, stn_element(STN_ALL, (stn_count)e), STN_NUMBER + e, scale);
    }
    return state;
}
