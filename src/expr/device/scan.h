/* Tasks of scan kernels in addition to folding blocks (stn_source_task). */

#if STN_HAS_TOTALS
if (STN_TASK == 6) { /* all aligned blocks, from the right */
    for (stn_i64 o = STN_THREAD; o < STN_OUTPUTS; o += STN_THREADS) {
        stn_state state = identity;
        stn_i64 end = STN_TILES;
        STN_INDICES(o)
        for (stn_i64 size = 1; end > 0; size *= 2) {
            if ((end & size) == 0)
                continue;
            const stn_state value = states[(end - 1) * STN_OUTPUTS + o];
            state = end == STN_TILES ? value : stn_both(value, state);
            end -= size;
        }
        stn_store_total(STN_ALL, stn_p_stn_total, state);
    }
    return;
}
#endif

if (STN_TASK == 4) { /* the value of an aligned block is stored at the index of its last tile */
    const stn_i64 pairs = STN_TILES / (2 * STN_BLOCK);
    for (stn_i64 t = STN_THREAD; t < STN_OUTPUTS * pairs; t += STN_THREADS) {
        const stn_i64 last = (t / STN_OUTPUTS + 1) * 2 * STN_BLOCK - 1;
        const stn_i64 at = last * STN_OUTPUTS + t % STN_OUTPUTS;
        states[at] = stn_both(states[at - STN_BLOCK * STN_OUTPUTS], states[at]);
    }
    return;
}

if (STN_TASK ==
    5) { /* the carry of a tile consists of the aligned blocks before it, largest first */
    for (stn_i64 t = STN_THREAD; t < STN_OUTPUTS * STN_TILES; t += STN_THREADS) {
        const stn_i64 o = t % STN_OUTPUTS, tile = t / STN_OUTPUTS;
        STN_INDICES(o)
        const int held = stn_held(stn_n, tile);
        stn_i64 size = 1, before = 0;
        stn_state carry, state, value;
        while (2 * size <= tile)
            size *= 2;
        for (; size > 0; size /= 2) {
            if ((tile & size) == 0)
                continue;
            value = states[(before + size - 1) * STN_OUTPUTS + o];
            carry = before > 0 ? stn_both(carry, value) : value;
            before += size;
        }
        for (int k = 0; k < held; k++) {
            const stn_i64 e = tile * 128 + k;
            const stn_mapped x = stn_element(STN_ALL, (stn_count)e);
#if STN_IS_EXCLUSIVE
            value = k == 0 ? (tile > 0 ? carry : identity)
                           : (tile > 0 ? stn_both(carry, state) : state);
            state = k == 0 ? stn_begun(x, e, 1) : stn_onto(state, x, e, 1);
#else
            state = k == 0 ? stn_begun(x, e, 1) : stn_onto(state, x, e, 1);
            value = tile > 0 ? stn_both(carry, state) : state;
#endif
            stn_store(STN_ELEMENT, to, value);
        }
    }
    return;
}
