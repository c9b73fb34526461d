/* Body of a reduction kernel by task (stn_source_task): store states of blocks as results, store
 * mapped elements, or fold blocks. */
#if STN_STORES
#    define STN_KEEP(at, state)                                                                    \
        if (STN_TASK == 1)                                                                         \
            stn_store(STN_ALL, to, state);                                                         \
        else                                                                                       \
            states[at] = state;
if (STN_TASK == 2) { /* each thread has its outputs */
    for (stn_i64 o = STN_THREAD; o < STN_OUTPUTS; o += STN_THREADS) {
        STN_INDICES(o)
        stn_state finished[58];
        int depth = 0;
        for (stn_i64 b = 0; b < STN_BLOCKS; b++) {
            stn_state state = states[b * STN_OUTPUTS + o];
            STN_PUSH(stn_both, finished, depth, b, state)
        }
        STN_FOLD(stn_both, finished, depth)
        stn_store(STN_ALL, to, finished[0]);
    }
    return;
}
#else
#    define STN_KEEP(at, state) states[at] = state;
#endif

#if STN_MAPS
if (STN_TASK == 3) {
    STN_GLOBAL stn_mapped *const mapped = (STN_GLOBAL stn_mapped *)more + STN_PLACE;
    for (stn_i64 t = STN_THREAD; t < STN_OUTPUTS * STN_ELEMENTS; t += STN_THREADS) {
        const stn_i64 o = t / STN_ELEMENTS, e = STN_BEGIN_AT + t % STN_ELEMENTS;
        (void)o;
        STN_INDICES(o)
        mapped[t] = stn_element(STN_ALL, (stn_count)e);
    }
    return;
}
#endif

#define STN_END_OF(begin) (begin + STN_BLOCK < STN_TILES ? begin + STN_BLOCK : STN_TILES)

/* One block per group: a few tiles at a time, first each lane, then lanes, then pairs of tiles. */
#if STN_BY_GROUPS
for (stn_i64 t = STN_GROUP; t < STN_OUTPUTS * STN_BLOCKS; t += STN_GROUPS) {
    const stn_i64 o = t % STN_OUTPUTS, begin = t / STN_OUTPUTS * STN_BLOCK, end = STN_END_OF(begin);
    int depth = 0;
    (void)o;
    STN_INDICES(o)
    for (stn_i64 tile = begin; tile < end; tile += STN_AT_ONCE) {
        const int tiles = end - tile < STN_AT_ONCE ? (int)(end - tile) : STN_AT_ONCE;
        for (int k = STN_ITEM * STN_RUN; k < tiles * 32; k += STN_ITEMS * STN_RUN) {
            const int held = stn_held(stn_n, tile + k / 32);
#    if STN_RUN > 1
            /* In parts with an offset, tiles do not begin at multiples of 16
             * bytes. */
            if (held == 128 && STN_BEGIN_AT % STN_RUN == 0) {
                const stn_states all = stn_lanes(STN_ALL, tile + k / 32, k % 32, held, scale);
                STN_UNROLL for (int j = 0; j < STN_RUN; j++) lanes[k + j] = all.of[j];
                continue;
            }
#    endif
            for (int j = k; j < k + STN_RUN && j % 32 < held; j++)
                lanes[j] = stn_lane(STN_ALL, tile + j / 32, j % 32, held, scale);
        }
        STN_BARRIER;
        for (int apart = 16; apart > 0; apart /= 2) {
            for (int k = STN_ITEM; k < tiles * apart; k += STN_ITEMS) {
                const int at = k / apart * 32 + k % apart;
                if (k % apart + apart < stn_held(stn_n, tile + k / apart))
                    lanes[at] = stn_both(lanes[at], lanes[at + apart]);
            }
            STN_BARRIER;
        }
        for (int apart = 1; apart < tiles; apart *= 2) {
            for (int k = 2 * apart * STN_ITEM; k + apart < tiles; k += 2 * apart * STN_ITEMS)
                lanes[k * 32] = stn_both(lanes[k * 32], lanes[(k + apart) * 32]);
            STN_BARRIER;
        }
        if (STN_ITEM == 0) {
            stn_state state = lanes[0];
            STN_PUSH(stn_both, levels, depth, (tile - begin) / STN_AT_ONCE, state)
        }
        STN_BARRIER;
    }
    if (STN_ITEM == 0) {
        STN_FOLD(stn_both, levels, depth)
        STN_KEEP(t, levels[0])
    }
}

/* Each thread folds the same block of adjacent outputs of a row. */
#elif STN_RUN > 1
const stn_i64 row = STN_ROW, of_row = (row + STN_RUN - 1) / STN_RUN;
const stn_i64 pieces = STN_OUTPUTS / row * of_row;
for (stn_i64 t = STN_THREAD; t < pieces * STN_BLOCKS; t += STN_THREADS) {
    const stn_i64 piece = t % pieces, begin = t / pieces * STN_BLOCK, end = STN_END_OF(begin);
    const stn_i64 o = piece / of_row * row + piece % of_row * STN_RUN;
    STN_INDICES(o)
    const stn_states all = stn_blocks(STN_ALL, begin, end, scale);
    const stn_index stn_b = STN_ALONG;
#    if !STN_FOLDS_AGAIN
    STN_UNROLL
#    endif
    for (int j = 0; j < STN_RUN; j++) {
        const stn_index STN_ALONG = stn_b + j;
        if (STN_ALONG >= row)
            break;
        STN_KEEP(t / pieces * STN_OUTPUTS + o + j, all.of[j])
    }
}

/* One block per thread. */
#else
for (stn_i64 t = STN_THREAD; t < STN_OUTPUTS * STN_BLOCKS; t += STN_THREADS) {
    const stn_i64 o = t % STN_OUTPUTS, begin = t / STN_OUTPUTS * STN_BLOCK, end = STN_END_OF(begin);
    (void)o;
    STN_INDICES(o)
    const stn_state state = stn_block(STN_ALL, begin, end, scale);
    STN_KEEP(t, state)
}
#endif
