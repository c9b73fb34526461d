/* Body of a reduction kernel by task (stn_source_task): store states of blocks as results, store
 * mapped elements, or fold blocks. */

/* By a group: pairs of adjacent states, which all threads see, into the first one. */
#define STN_FOLD_ADJACENT(level, count)                                                            \
    for (int apart = 1; apart < count; apart *= 2) {                                               \
        for (int k = 2 * apart * STN_ITEM; k + apart < count; k += 2 * apart * STN_ITEMS)          \
            level[k] = stn_both(level[k], level[k + apart]);                                       \
        STN_BARRIER;                                                                               \
    }
#if STN_STORES
#    define STN_KEEP(at, state)                                                                    \
        if (STN_TASK == 1)                                                                         \
            stn_store(STN_ALL, to, state);                                                         \
        else                                                                                       \
            states[at] = state;
if (STN_TASK == 2) {
#    if STN_BY_GROUPS
    /* Each group has an output, and each of its threads adjacent states, a power of two of them. */
    for (stn_i64 o = STN_GROUP; o < STN_OUTPUTS; o += STN_GROUPS) {
        stn_i64 each = 1;
        while (each * STN_ITEMS < STN_BLOCKS)
            each *= 2;
        const int parts = (int)((STN_BLOCKS + each - 1) / each);
        STN_INDICES(o)
        if (STN_ITEM < parts) {
            const stn_i64 begin = STN_ITEM * each, end = begin + each;
            int depth = 0;
            stn_state finished[58];
            for (stn_i64 b = begin; b < end && b < STN_BLOCKS; b++) {
                stn_state state = states[b * STN_OUTPUTS + o];
                STN_PUSH(stn_both, finished, depth, b - begin, state)
            }
            STN_FOLD(stn_both, finished, depth)
            lanes[STN_ITEM] = finished[0];
        }
        STN_BARRIER;
        STN_FOLD_ADJACENT(lanes, parts)
        if (STN_ITEM == 0)
            stn_store(STN_ALL, to, lanes[0]);
        STN_BARRIER;
    }
#    else
    for (stn_i64 o = STN_THREAD; o < STN_OUTPUTS; o += STN_THREADS) { /* each thread has outputs */
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
#    endif
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

/* One block per group, a few tiles at a time. STN_RUN adjacent lanes of a tile are computed by one
 * thread, and then STN_OF_PART lanes, each STN_PARTS apart, are folded by one thread; finally the
 * parts of a tile, and the tiles. Lanes of adjacent tiles are adjacent in memory; one unused lane
 * between those of each index keeps threads that store different lanes of a tile in different
 * banks. */
#if STN_BY_GROUPS
#    define STN_PARTS               (128 / STN_AT_ONCE)
#    define STN_OF_PART             (32 / STN_PARTS)
#    define STN_LANE_AT(tile, lane) ((lane) * (STN_AT_ONCE + 1) + (tile))
#    define STN_HALVE(apart)                                                                       \
        STN_UNROLL for (int m = 0; m < (apart) && (apart) < STN_OF_PART;                           \
                        m++) if (part + (m + (apart)) * STN_PARTS < held) own[m] =                 \
            stn_both(own[m], own[(m + (apart)) % STN_OF_PART]);
for (stn_i64 t = STN_GROUP; t < STN_OUTPUTS * STN_BLOCKS; t += STN_GROUPS) {
    const stn_i64 o = t % STN_OUTPUTS, begin = t / STN_OUTPUTS * STN_BLOCK, end = STN_END_OF(begin);
    int depth = 0;
    (void)o;
    STN_INDICES(o)
    for (stn_i64 tile = begin; tile < end; tile += STN_AT_ONCE) {
        const int tiles = end - tile < STN_AT_ONCE ? (int)(end - tile) : STN_AT_ONCE;
        for (int k = STN_ITEM * STN_RUN; k < tiles * 32; k += STN_ITEMS * STN_RUN) {
            const int of = k / 32, held = stn_held(stn_n, tile + of);
#    if STN_RUN > 1
            /* In parts with an offset, tiles do not begin at multiples of 16
             * bytes. */
            if (held == 128 && STN_BEGIN_AT % STN_RUN == 0) {
                const stn_states all = stn_lanes(STN_ALL, tile + of, k % 32, held, scale);
                STN_UNROLL for (int j = 0; j < STN_RUN; j++) lanes[STN_LANE_AT(of, k % 32 + j)] =
                    all.of[j];
                continue;
            }
#    endif
            for (int j = k % 32; j < k % 32 + STN_RUN && j < held; j++)
                lanes[STN_LANE_AT(of, j)] = stn_lane(STN_ALL, tile + of, j, held, scale);
        }
        STN_BARRIER;
        for (int k = STN_ITEM; k < STN_AT_ONCE * STN_PARTS; k += STN_ITEMS) {
            const int of = k % STN_AT_ONCE, part = k / STN_AT_ONCE;
            if (of < tiles) {
                const int held = stn_held(stn_n, tile + of);
                stn_state own[STN_OF_PART];
                STN_UNROLL for (int m = 0; m < STN_OF_PART; m++) own[m] =
                    lanes[STN_LANE_AT(of, part + m * STN_PARTS)];
                STN_HALVE(8)
                STN_HALVE(4)
                STN_HALVE(2)
                STN_HALVE(1)
                lanes[STN_LANE_AT(of, part)] = own[0];
            }
        }
        STN_BARRIER;
        for (int apart = STN_PARTS / 2; apart > 0; apart /= 2) {
            for (int k = STN_ITEM; k < tiles * apart; k += STN_ITEMS) {
                const int of = k / apart, part = k % apart;
                if (part + apart < stn_held(stn_n, tile + of))
                    lanes[STN_LANE_AT(of, part)] = stn_both(lanes[STN_LANE_AT(of, part)],
                                                            lanes[STN_LANE_AT(of, part + apart)]);
            }
            STN_BARRIER;
        }
        STN_FOLD_ADJACENT(lanes, tiles)
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
