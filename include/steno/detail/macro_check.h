/* Names of parameters and members in public headers, which a program's macros would replace.
 * Written by test_names.sh write. No include guard: macros may be defined between headers. */
/* clang-format off */
#if defined(__GNUC__) && ( \
    defined a || defined above || defined absolute || defined absolute_tolerance || defined added \
    || defined address || defined advice || defined alignment || defined alignments || defined \
    all || defined alpha || defined ap || defined apply || defined approximations || defined \
    archive || defined arguments || defined arithmetic || defined array_bytes || defined arrays \
    || defined at || defined axis || defined b || defined backward_error || defined bandwidth || \
    defined bare || defined basis || defined basis_block || defined basis_format || defined begin \
    || defined below || defined beta || defined beyond || defined bf16 || defined bias || defined \
    bits || defined block || defined block_bytes || defined block_count || defined block_elements \
    || defined block_start || defined block_tiles || defined blocks || defined body || defined \
    bound || defined boundary || defined boundary_rows || defined branches || defined broken || \
    defined buffer || defined by_column || defined by_row || defined bytes || defined c || \
    defined c128 || defined c32 || defined c64 || defined cache_hints || defined cached_blocks || \
    defined call || defined calls || defined capacity || defined carries || defined chains || \
    defined checkpoint || defined choice || defined code_bytes || defined code_step || defined \
    codec || defined codes || defined column || defined column_capacity || defined column_format \
    || defined column_order || defined column_reports || defined columns || defined combine || \
    defined comm || defined compiler || defined complex_number || defined component || defined \
    conj || defined conj_a || defined conj_b || defined const_data || defined constant_loads || \
    defined contents || defined context || defined converged || defined conversion_seconds || \
    defined copy || defined count || defined counters || defined counts || defined d || defined \
    d1 || defined d2 || defined data || defined ddof || defined decode || defined desired || \
    defined deviations || defined device_text || defined diag || defined diagonal || defined \
    diagonal_spread || defined dimension || defined dimensions || defined distinct_read || \
    defined distinct_written || defined divisions || defined dominance || defined dropped || \
    defined duplicates || defined e4m3 || defined e5m2 || defined edge || defined element || \
    defined elements || defined encode || defined end || defined ends || defined entries || \
    defined epsilon || defined error_bound || defined event || defined exchange || defined \
    exchange_format || defined exchanged || defined exchanges || defined exec || defined expected \
    || defined expected_products || defined exponent_bits || defined extent || defined extents || \
    defined extra || defined f16 || defined f24 || defined f32 || defined f40 || defined f48 || \
    defined f64 || defined factor || defined field || defined file || defined finish || defined \
    finite_only || defined first || defined first_column || defined first_row || defined fixed || \
    defined flags || defined form || defined format || defined format_blocks || defined formats \
    || defined fraction_bits || defined free_data || defined from || defined from_data || defined \
    from_label || defined from_space || defined function || defined functions || defined fused || \
    defined fused_end || defined gathers || defined ghosts || defined global_loads || defined \
    global_stores || defined goal || defined granule || defined half || defined has_diagonal || \
    defined has_nonfinite || defined has_scales || defined has_zeros || defined head || defined \
    height || defined held || defined here || defined highest || defined history || defined \
    history_capacity || defined history_count || defined hook || defined i16 || defined i32 || \
    defined i64 || defined i8 || defined id || defined identity || defined im || defined imag || \
    defined image || defined incx || defined incy || defined index || defined index_bits || \
    defined indexed || defined indices || defined info || defined inner || defined \
    inner_iterations || defined inner_method || defined inner_operator || defined \
    inner_operator_count || defined inner_operators || defined instructions || defined integer || \
    defined irreducible || defined is_checked || defined is_const || defined is_cplusplus || \
    defined is_efficient || defined is_equilibrated || defined is_filter || defined is_mapped || \
    defined is_plain || defined is_positive || defined is_relative || defined is_revoked || \
    defined is_row_major || defined is_signed || defined is_symmetric || defined is_timed || \
    defined iteration || defined iterations || defined k || defined kernel || defined \
    kernel_class || defined key || defined kind || defined kl || defined ku || defined label || \
    defined largest || defined largest_block || defined launch || defined layout || defined lda \
    || defined ldb || defined ldc || defined leading || defined least_normal || defined left || \
    defined length || defined level || defined levels || defined library || defined life || \
    defined live || defined load_bytes || defined load_efficiency || defined load_hits || defined \
    load_misses || defined load_requests || defined load_sectors || defined \
    load_sectors_per_request || defined loads || defined local_loads || defined local_stores || \
    defined loop || defined loops || defined loss || defined lost_ways || defined lower_levels || \
    defined lowest || defined m || defined machine || defined made || defined main_loop || \
    defined mark || defined mask || defined matrix || defined matrix_absolute || defined \
    matrix_format || defined matrix_relative || defined max_block_rows || defined max_bytes || \
    defined max_error || defined max_iterations || defined max_message_bytes || defined \
    max_relative || defined max_seconds || defined mean_dominance || defined meets_target || \
    defined merge || defined merge_context || defined message || defined messages || defined \
    method || defined mine || defined mirror || defined mode || defined monitor || defined \
    monitor_context || defined n || defined name || defined native || defined norm || defined \
    norms || defined note || defined number || defined numbers || defined offset || defined old \
    || defined op || defined operand || defined operation || defined options || defined order || \
    defined original_seconds || defined orthogonalization || defined other_kind || defined \
    other_seconds || defined others || defined output || defined overflow || defined owner || \
    defined packed || defined packed_conversions || defined packed_fma || defined panel || \
    defined parameter || defined parameters || defined part || defined partition || defined parts \
    || defined path || defined pc || defined permuted || defined phase || defined place || \
    defined planes || defined preconditioner || defined preconditioner_format || defined probe || \
    defined progress || defined promotions || defined r || defined radius || defined rank || \
    defined ranks || defined ratio || defined raw_read || defined raw_written || defined re || \
    defined read_only || defined read_overlaps || defined read_seconds || defined reader || \
    defined real || defined reason || defined receive_count || defined receive_counts || defined \
    received || defined receives || defined reduced || defined reduction || defined registers || \
    defined relative || defined relative_tolerance || defined release || defined repeats || \
    defined report || defined reserved || defined reserved_word || defined residual || defined \
    resource || defined restart || defined restarts || defined result || defined results || \
    defined revoke || defined right || defined rms_error || defined rms_relative || defined \
    rounding || defined rounding_error || defined routine || defined row || defined row_blocks || \
    defined row_order || defined row_position || defined row_scales || defined row_spread || \
    defined row_start || defined row_start_format || defined rows || defined run || defined runs \
    || defined s || defined saturated || defined scalar || defined scalar_conversions || defined \
    scalar_fma || defined scale || defined scale_block || defined scale_bytes || defined \
    scale_dimension || defined scale_format || defined scale_mask || defined scale_step || \
    defined scales || defined scan || defined scatters || defined seconds || defined \
    seconds_orthogonalization || defined seconds_preconditioner || defined seconds_products || \
    defined seconds_verification || defined seed || defined send_count || defined send_counts || \
    defined sends || defined sent || defined sequence || defined shared_loads || defined \
    shared_stores || defined shell || defined shift || defined side || defined sigma || defined \
    sign_shift || defined similarity || defined size || defined skipped || defined slice_start || \
    defined slices || defined smallest || defined smallest_block || defined space || defined span \
    || defined spec || defined special || defined stack_bytes || defined stack_loads || defined \
    stack_stores || defined stalls || defined state || defined states || defined status || \
    defined step || defined storage || defined store_bytes || defined store_efficiency || defined \
    store_misses || defined store_requests || defined store_sectors || defined \
    store_sectors_per_request || defined stored || defined stored_residual || defined stores || \
    defined storing || defined stream || defined stride || defined strides || defined summed || \
    defined symbol || defined symmetry || defined t || defined tail || defined target || defined \
    text || defined threads || defined tile || defined to || defined totals || defined traits || \
    defined trans || defined transa || defined transb || defined triangle || defined type || \
    defined u16 || defined u32 || defined u64 || defined u8 || defined underflowed || defined \
    unit || defined unknown || defined unknown_registers || defined unresolved_jumps || defined \
    unsized_loads || defined unsized_stores || defined unsolved_columns || defined unused_values \
    || defined uplo || defined upper_levels || defined used || defined value || defined \
    value_format || defined values || defined vec || defined vector_absolute || defined \
    vector_relative || defined version || defined view || defined views || defined wait || \
    defined waits || defined warps || defined whole_highest || defined whole_lowest || defined \
    whole_zero || defined wider || defined width || defined words || defined write_overlaps || \
    defined x || defined x1 || defined y || defined y1 || defined z || defined zero || \
    0)
#ifdef __cplusplus
#define STN_ASSERT static_assert
#else
#define STN_ASSERT _Static_assert
#endif
#define STN_W(a, b, c, d, e, f, g, h) \
    STN_W_EXPANDED(#a, #a "", a); STN_W_EXPANDED(#b, #b "", b); \
    STN_W_EXPANDED(#c, #c "", c); STN_W_EXPANDED(#d, #d "", d); \
    STN_W_EXPANDED(#e, #e "", e); STN_W_EXPANDED(#f, #f "", f); \
    STN_W_EXPANDED(#g, #g "", g); STN_W_EXPANDED(#h, #h "", h)
#define STN_W_EXPANDED(...) STN_W_CHECK(__VA_ARGS__)
#define STN_W_CHECK(name, text, ...) \
    STN_ASSERT(!__builtin_strcmp(text, #__VA_ARGS__), \
        "steno: the program has a macro " name "; define it after including the headers of Steno")
    STN_W(a, above, absolute, absolute_tolerance, added, address, advice, alignment);
    STN_W(alignments, all, alpha, ap, apply, approximations, archive, arguments);
    STN_W(arithmetic, array_bytes, arrays, at, axis, b, backward_error, bandwidth); STN_W(bare,
    basis, basis_block, basis_format, begin, below, beta, beyond); STN_W(bf16, bias, bits, block,
    block_bytes, block_count, block_elements, block_start); STN_W(block_tiles, blocks, body,
    bound, boundary, boundary_rows, branches, broken); STN_W(buffer, by_column, by_row, bytes, c,
    c128, c32, c64); STN_W(cache_hints, cached_blocks, call, calls, capacity, carries, chains,
    checkpoint); STN_W(choice, code_bytes, code_step, codec, codes, column, column_capacity,
    column_format); STN_W(column_order, column_reports, columns, combine, comm, compiler,
    complex_number, component); STN_W(conj, conj_a, conj_b, const_data, constant_loads, contents,
    context, converged); STN_W(conversion_seconds, copy, count, counters, counts, d, d1, d2);
    STN_W(data, ddof, decode, desired, deviations, device_text, diag, diagonal);
    STN_W(diagonal_spread, dimension, dimensions, distinct_read, distinct_written, divisions,
    dominance, dropped); STN_W(duplicates, e4m3, e5m2, edge, element, elements, encode, end);
    STN_W(ends, entries, epsilon, error_bound, event, exchange, exchange_format, exchanged);
    STN_W(exchanges, exec, expected, expected_products, exponent_bits, extent, extents, extra);
    STN_W(f16, f24, f32, f40, f48, f64, factor, field); STN_W(file, finish, finite_only, first,
    first_column, first_row, fixed, flags); STN_W(form, format, format_blocks, formats,
    fraction_bits, free_data, from, from_data); STN_W(from_label, from_space, function,
    functions, fused, fused_end, gathers, ghosts); STN_W(global_loads, global_stores, goal,
    granule, half, has_diagonal, has_nonfinite, has_scales); STN_W(has_zeros, head, height, held,
    here, highest, history, history_capacity); STN_W(history_count, hook, i16, i32, i64, i8, id,
    identity); STN_W(im, imag, image, incx, incy, index, index_bits, indexed); STN_W(indices,
    info, inner, inner_iterations, inner_method, inner_operator, inner_operator_count,
    inner_operators); STN_W(instructions, integer, irreducible, is_checked, is_const,
    is_cplusplus, is_efficient, is_equilibrated); STN_W(is_filter, is_mapped, is_plain,
    is_positive, is_relative, is_revoked, is_row_major, is_signed); STN_W(is_symmetric, is_timed,
    iteration, iterations, k, kernel, kernel_class, key); STN_W(kind, kl, ku, label, largest,
    largest_block, launch, layout); STN_W(lda, ldb, ldc, leading, least_normal, left, length,
    level); STN_W(levels, library, life, live, load_bytes, load_efficiency, load_hits,
    load_misses); STN_W(load_requests, load_sectors, load_sectors_per_request, loads,
    local_loads, local_stores, loop, loops); STN_W(loss, lost_ways, lower_levels, lowest, m,
    machine, made, main_loop); STN_W(mark, mask, matrix, matrix_absolute, matrix_format,
    matrix_relative, max_block_rows, max_bytes); STN_W(max_error, max_iterations,
    max_message_bytes, max_relative, max_seconds, mean_dominance, meets_target, merge);
    STN_W(merge_context, message, messages, method, mine, mirror, mode, monitor);
    STN_W(monitor_context, n, name, native, norm, norms, note, number); STN_W(numbers, offset,
    old, op, operand, operation, options, order); STN_W(original_seconds, orthogonalization,
    other_kind, other_seconds, others, output, overflow, owner); STN_W(packed,
    packed_conversions, packed_fma, panel, parameter, parameters, part, partition); STN_W(parts,
    path, pc, permuted, phase, place, planes, preconditioner); STN_W(preconditioner_format,
    probe, progress, promotions, r, radius, rank, ranks); STN_W(ratio, raw_read, raw_written, re,
    read_only, read_overlaps, read_seconds, reader); STN_W(real, reason, receive_count,
    receive_counts, received, receives, reduced, reduction); STN_W(registers, relative,
    relative_tolerance, release, repeats, report, reserved, reserved_word); STN_W(residual,
    resource, restart, restarts, result, results, revoke, right); STN_W(rms_error, rms_relative,
    rounding, rounding_error, routine, row, row_blocks, row_order); STN_W(row_position,
    row_scales, row_spread, row_start, row_start_format, rows, run, runs); STN_W(s, saturated,
    scalar, scalar_conversions, scalar_fma, scale, scale_block, scale_bytes);
    STN_W(scale_dimension, scale_format, scale_mask, scale_step, scales, scan, scatters,
    seconds); STN_W(seconds_orthogonalization, seconds_preconditioner, seconds_products,
    seconds_verification, seed, send_count, send_counts, sends); STN_W(sent, sequence,
    shared_loads, shared_stores, shell, shift, side, sigma); STN_W(sign_shift, similarity, size,
    skipped, slice_start, slices, smallest, smallest_block); STN_W(space, span, spec, special,
    stack_bytes, stack_loads, stack_stores, stalls); STN_W(state, states, status, step, storage,
    store_bytes, store_efficiency, store_misses); STN_W(store_requests, store_sectors,
    store_sectors_per_request, stored, stored_residual, stores, storing, stream); STN_W(stride,
    strides, summed, symbol, symmetry, t, tail, target); STN_W(text, threads, tile, to, totals,
    traits, trans, transa); STN_W(transb, triangle, type, u16, u32, u64, u8, underflowed);
    STN_W(unit, unknown, unknown_registers, unresolved_jumps, unsized_loads, unsized_stores,
    unsolved_columns, unused_values); STN_W(uplo, upper_levels, used, value, value_format,
    values, vec, vector_absolute); STN_W(vector_relative, version, view, views, wait, waits,
    warps, whole_highest); STN_W(whole_lowest, whole_zero, wider, width, words, write_overlaps,
    x, x1); STN_W(y, y1, z, zero, stn_w, stn_w, stn_w, stn_w);
#undef STN_W
#undef STN_W_EXPANDED
#undef STN_W_CHECK
#undef STN_ASSERT
#endif
/* clang-format on */
