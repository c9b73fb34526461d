/* Names of parameters and members in public headers, which a program's macros would replace.
 * Written by test_names.sh write. No include guard: macros may be defined between headers. */
/* clang-format off */
#if defined(__GNUC__) && ( \
    defined a || defined above || defined absolute_tolerance || defined address || defined \
    alignment || defined alignments || defined alpha || defined ap || defined apply || defined \
    approximations || defined arguments || defined arithmetic || defined arrays || defined at || \
    defined axis || defined b || defined bare || defined basis || defined basis_block || defined \
    begin || defined below || defined beta || defined beyond || defined bf16 || defined bits || \
    defined block || defined block_count || defined block_start || defined block_tiles || defined \
    blocks || defined body || defined boundary || defined branches || defined broken || defined \
    buffer || defined by_column || defined by_row || defined bytes || defined c || defined c128 \
    || defined c32 || defined c64 || defined cache_hints || defined call || defined calls || \
    defined capacity || defined carries || defined chains || defined checkpoint || defined choice \
    || defined codec || defined codes || defined column || defined column_capacity || defined \
    column_format || defined column_order || defined column_reports || defined columns || defined \
    combine || defined compiler || defined complex_number || defined component || defined conj || \
    defined conj_a || defined conj_b || defined const_data || defined constant_loads || defined \
    contents || defined context || defined copy || defined count || defined counters || defined \
    counts || defined d || defined d1 || defined d2 || defined data || defined decode || defined \
    desired || defined deviations || defined device_text || defined diag || defined diagonal || \
    defined dimension || defined dimensions || defined distinct_read || defined distinct_written \
    || defined divisions || defined duplicates || defined e4m3 || defined e5m2 || defined edge || \
    defined element || defined elements || defined encode || defined end || defined ends || \
    defined entries || defined epsilon || defined event || defined exchanged || defined exec || \
    defined expected || defined exponent_bits || defined extent || defined extents || defined \
    extra || defined f16 || defined f32 || defined f64 || defined field || defined file || \
    defined finish || defined finite_only || defined first || defined first_column || defined \
    first_row || defined fixed || defined flags || defined format || defined format_blocks || \
    defined formats || defined fraction_bits || defined free_data || defined from || defined \
    from_data || defined from_label || defined from_space || defined function || defined \
    functions || defined fused || defined fused_end || defined gathers || defined global_loads || \
    defined global_stores || defined has_scales || defined has_zeros || defined head || defined \
    height || defined held || defined here || defined highest || defined history || defined \
    history_capacity || defined history_count || defined hook || defined i16 || defined i32 || \
    defined i64 || defined i8 || defined id || defined identity || defined im || defined imag || \
    defined image || defined incx || defined incy || defined index || defined index_bits || \
    defined indexed || defined indices || defined info || defined inner || defined \
    inner_iterations || defined inner_operator || defined instructions || defined integer || \
    defined irreducible || defined is_checked || defined is_const || defined is_cplusplus || \
    defined is_row_major || defined is_signed || defined iteration || defined iterations || \
    defined k || defined kernel || defined kernel_class || defined key || defined kind || defined \
    kl || defined ku || defined label || defined launch || defined layout || defined lda || \
    defined ldb || defined ldc || defined leading || defined left || defined length || defined \
    level || defined levels || defined life || defined live || defined load_bytes || defined \
    load_efficiency || defined load_hits || defined load_misses || defined load_requests || \
    defined load_sectors || defined load_sectors_per_request || defined loads || defined \
    local_loads || defined local_stores || defined loop || defined loops || defined lost_ways || \
    defined lower_levels || defined lowest || defined m || defined machine || defined made || \
    defined main_loop || defined mark || defined mask || defined matrix || defined max_block_rows \
    || defined max_iterations || defined max_seconds || defined message || defined method || \
    defined mirror || defined mode || defined monitor || defined monitor_context || defined n || \
    defined name || defined native || defined norm || defined norms || defined note || defined \
    number || defined numbers || defined offset || defined old || defined op || defined operand \
    || defined operation || defined options || defined order || defined output || defined \
    overflow || defined owner || defined packed || defined packed_conversions || defined \
    packed_fma || defined panel || defined parameter || defined parameters || defined part || \
    defined parts || defined path || defined permuted || defined phase || defined place || \
    defined preconditioner || defined probe || defined progress || defined r || defined radius || \
    defined rank || defined raw_read || defined raw_written || defined re || defined read_only || \
    defined read_overlaps || defined reader || defined real || defined reason || defined reduced \
    || defined reduction || defined registers || defined relative_tolerance || defined repeats || \
    defined report || defined reserved || defined reserved_word || defined residual || defined \
    resource || defined restart || defined restarts || defined result || defined results || \
    defined right || defined rounding || defined routine || defined row || defined row_order || \
    defined row_position || defined row_scales || defined row_start || defined row_start_format \
    || defined rows || defined run || defined runs || defined s || defined saturated || defined \
    scalar || defined scalar_conversions || defined scalar_fma || defined scale || defined \
    scale_block || defined scale_dimension || defined scale_format || defined scale_mask || \
    defined scales || defined scan || defined scatters || defined seconds || defined seed || \
    defined sequence || defined shared_loads || defined shared_stores || defined side || defined \
    sigma || defined size || defined skipped || defined slice_start || defined slices || defined \
    smallest || defined space || defined span || defined spec || defined stack_bytes || defined \
    stack_loads || defined stack_stores || defined stalls || defined state || defined states || \
    defined status || defined step || defined storage || defined store_bytes || defined \
    store_efficiency || defined store_misses || defined store_requests || defined store_sectors \
    || defined store_sectors_per_request || defined stored || defined stored_residual || defined \
    stores || defined stream || defined stride || defined strides || defined summed || defined \
    symbol || defined symmetry || defined t || defined tail || defined target || defined text || \
    defined threads || defined tile || defined to || defined totals || defined traits || defined \
    trans || defined transa || defined transb || defined triangle || defined type || defined u16 \
    || defined u32 || defined u64 || defined u8 || defined underflowed || defined unknown || \
    defined unknown_registers || defined unresolved_jumps || defined unsized_loads || defined \
    unsized_stores || defined unsolved_columns || defined unused_values || defined uplo || \
    defined upper_levels || defined used || defined value || defined value_format || defined \
    values || defined version || defined view || defined views || defined waits || defined warps \
    || defined wider || defined width || defined words || defined write_overlaps || defined x || \
    defined x1 || defined y || defined y1 || defined z || defined zero || \
    0)
#ifdef __cplusplus
#define STN_ASSERT static_assert
#else
#define STN_ASSERT _Static_assert
#endif
#define STN_W(word) STN_W_EXPANDED(#word, #word "", word)
#define STN_W_EXPANDED(...) STN_W_CHECK(__VA_ARGS__)
#define STN_W_CHECK(name, text, ...) \
    STN_ASSERT(!__builtin_strcmp(text, #__VA_ARGS__), \
        "steno: the program has a macro " name "; define it after including the headers of Steno")
    STN_W(a); STN_W(above); STN_W(absolute_tolerance); STN_W(address); STN_W(alignment);
    STN_W(alignments); STN_W(alpha); STN_W(ap); STN_W(apply); STN_W(approximations);
    STN_W(arguments); STN_W(arithmetic); STN_W(arrays); STN_W(at); STN_W(axis); STN_W(b);
    STN_W(bare); STN_W(basis); STN_W(basis_block); STN_W(begin); STN_W(below); STN_W(beta);
    STN_W(beyond); STN_W(bf16); STN_W(bits); STN_W(block); STN_W(block_count);
    STN_W(block_start); STN_W(block_tiles); STN_W(blocks); STN_W(body); STN_W(boundary);
    STN_W(branches); STN_W(broken); STN_W(buffer); STN_W(by_column); STN_W(by_row); STN_W(bytes);
    STN_W(c); STN_W(c128); STN_W(c32); STN_W(c64); STN_W(cache_hints); STN_W(call); STN_W(calls);
    STN_W(capacity); STN_W(carries); STN_W(chains); STN_W(checkpoint); STN_W(choice);
    STN_W(codec); STN_W(codes); STN_W(column); STN_W(column_capacity); STN_W(column_format);
    STN_W(column_order); STN_W(column_reports); STN_W(columns); STN_W(combine); STN_W(compiler);
    STN_W(complex_number); STN_W(component); STN_W(conj); STN_W(conj_a); STN_W(conj_b);
    STN_W(const_data); STN_W(constant_loads); STN_W(contents); STN_W(context); STN_W(copy);
    STN_W(count); STN_W(counters); STN_W(counts); STN_W(d); STN_W(d1); STN_W(d2); STN_W(data);
    STN_W(decode); STN_W(desired); STN_W(deviations); STN_W(device_text); STN_W(diag);
    STN_W(diagonal); STN_W(dimension); STN_W(dimensions); STN_W(distinct_read);
    STN_W(distinct_written); STN_W(divisions); STN_W(duplicates); STN_W(e4m3); STN_W(e5m2);
    STN_W(edge); STN_W(element); STN_W(elements); STN_W(encode); STN_W(end); STN_W(ends);
    STN_W(entries); STN_W(epsilon); STN_W(event); STN_W(exchanged); STN_W(exec); STN_W(expected);
    STN_W(exponent_bits); STN_W(extent); STN_W(extents); STN_W(extra); STN_W(f16); STN_W(f32);
    STN_W(f64); STN_W(field); STN_W(file); STN_W(finish); STN_W(finite_only); STN_W(first);
    STN_W(first_column); STN_W(first_row); STN_W(fixed); STN_W(flags); STN_W(format);
    STN_W(format_blocks); STN_W(formats); STN_W(fraction_bits); STN_W(free_data); STN_W(from);
    STN_W(from_data); STN_W(from_label); STN_W(from_space); STN_W(function); STN_W(functions);
    STN_W(fused); STN_W(fused_end); STN_W(gathers); STN_W(global_loads); STN_W(global_stores);
    STN_W(has_scales); STN_W(has_zeros); STN_W(head); STN_W(height); STN_W(held); STN_W(here);
    STN_W(highest); STN_W(history); STN_W(history_capacity); STN_W(history_count); STN_W(hook);
    STN_W(i16); STN_W(i32); STN_W(i64); STN_W(i8); STN_W(id); STN_W(identity); STN_W(im);
    STN_W(imag); STN_W(image); STN_W(incx); STN_W(incy); STN_W(index); STN_W(index_bits);
    STN_W(indexed); STN_W(indices); STN_W(info); STN_W(inner); STN_W(inner_iterations);
    STN_W(inner_operator); STN_W(instructions); STN_W(integer); STN_W(irreducible);
    STN_W(is_checked); STN_W(is_const); STN_W(is_cplusplus); STN_W(is_row_major);
    STN_W(is_signed); STN_W(iteration); STN_W(iterations); STN_W(k); STN_W(kernel);
    STN_W(kernel_class); STN_W(key); STN_W(kind); STN_W(kl); STN_W(ku); STN_W(label);
    STN_W(launch); STN_W(layout); STN_W(lda); STN_W(ldb); STN_W(ldc); STN_W(leading);
    STN_W(left); STN_W(length); STN_W(level); STN_W(levels); STN_W(life); STN_W(live);
    STN_W(load_bytes); STN_W(load_efficiency); STN_W(load_hits); STN_W(load_misses);
    STN_W(load_requests); STN_W(load_sectors); STN_W(load_sectors_per_request); STN_W(loads);
    STN_W(local_loads); STN_W(local_stores); STN_W(loop); STN_W(loops); STN_W(lost_ways);
    STN_W(lower_levels); STN_W(lowest); STN_W(m); STN_W(machine); STN_W(made); STN_W(main_loop);
    STN_W(mark); STN_W(mask); STN_W(matrix); STN_W(max_block_rows); STN_W(max_iterations);
    STN_W(max_seconds); STN_W(message); STN_W(method); STN_W(mirror); STN_W(mode);
    STN_W(monitor); STN_W(monitor_context); STN_W(n); STN_W(name); STN_W(native); STN_W(norm);
    STN_W(norms); STN_W(note); STN_W(number); STN_W(numbers); STN_W(offset); STN_W(old);
    STN_W(op); STN_W(operand); STN_W(operation); STN_W(options); STN_W(order); STN_W(output);
    STN_W(overflow); STN_W(owner); STN_W(packed); STN_W(packed_conversions); STN_W(packed_fma);
    STN_W(panel); STN_W(parameter); STN_W(parameters); STN_W(part); STN_W(parts); STN_W(path);
    STN_W(permuted); STN_W(phase); STN_W(place); STN_W(preconditioner); STN_W(probe);
    STN_W(progress); STN_W(r); STN_W(radius); STN_W(rank); STN_W(raw_read); STN_W(raw_written);
    STN_W(re); STN_W(read_only); STN_W(read_overlaps); STN_W(reader); STN_W(real); STN_W(reason);
    STN_W(reduced); STN_W(reduction); STN_W(registers); STN_W(relative_tolerance);
    STN_W(repeats); STN_W(report); STN_W(reserved); STN_W(reserved_word); STN_W(residual);
    STN_W(resource); STN_W(restart); STN_W(restarts); STN_W(result); STN_W(results);
    STN_W(right); STN_W(rounding); STN_W(routine); STN_W(row); STN_W(row_order);
    STN_W(row_position); STN_W(row_scales); STN_W(row_start); STN_W(row_start_format);
    STN_W(rows); STN_W(run); STN_W(runs); STN_W(s); STN_W(saturated); STN_W(scalar);
    STN_W(scalar_conversions); STN_W(scalar_fma); STN_W(scale); STN_W(scale_block);
    STN_W(scale_dimension); STN_W(scale_format); STN_W(scale_mask); STN_W(scales); STN_W(scan);
    STN_W(scatters); STN_W(seconds); STN_W(seed); STN_W(sequence); STN_W(shared_loads);
    STN_W(shared_stores); STN_W(side); STN_W(sigma); STN_W(size); STN_W(skipped);
    STN_W(slice_start); STN_W(slices); STN_W(smallest); STN_W(space); STN_W(span); STN_W(spec);
    STN_W(stack_bytes); STN_W(stack_loads); STN_W(stack_stores); STN_W(stalls); STN_W(state);
    STN_W(states); STN_W(status); STN_W(step); STN_W(storage); STN_W(store_bytes);
    STN_W(store_efficiency); STN_W(store_misses); STN_W(store_requests); STN_W(store_sectors);
    STN_W(store_sectors_per_request); STN_W(stored); STN_W(stored_residual); STN_W(stores);
    STN_W(stream); STN_W(stride); STN_W(strides); STN_W(summed); STN_W(symbol); STN_W(symmetry);
    STN_W(t); STN_W(tail); STN_W(target); STN_W(text); STN_W(threads); STN_W(tile); STN_W(to);
    STN_W(totals); STN_W(traits); STN_W(trans); STN_W(transa); STN_W(transb); STN_W(triangle);
    STN_W(type); STN_W(u16); STN_W(u32); STN_W(u64); STN_W(u8); STN_W(underflowed);
    STN_W(unknown); STN_W(unknown_registers); STN_W(unresolved_jumps); STN_W(unsized_loads);
    STN_W(unsized_stores); STN_W(unsolved_columns); STN_W(unused_values); STN_W(uplo);
    STN_W(upper_levels); STN_W(used); STN_W(value); STN_W(value_format); STN_W(values);
    STN_W(version); STN_W(view); STN_W(views); STN_W(waits); STN_W(warps); STN_W(wider);
    STN_W(width); STN_W(words); STN_W(write_overlaps); STN_W(x); STN_W(x1); STN_W(y); STN_W(y1);
    STN_W(z); STN_W(zero);
#undef STN_W
#undef STN_W_EXPANDED
#undef STN_W_CHECK
#undef STN_ASSERT
#endif
/* clang-format on */
