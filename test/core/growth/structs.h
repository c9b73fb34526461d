/* All public structs that begin with their size, except those that test_growing_structs.sh exempts.
 *
 *     STRUCT(kind, type, last)
 *
 * kind         INPUT: the library reads it; OUTPUT: the library writes it; REPORT: both; GIVEN: the
 *              library passes its own struct to a function of the program
 * last         last member of the shortest layout: later members have the default 0
 *
 * accept_TYPE in program.c is a call with such a struct. */
#define STRUCTS                                                                                    \
    STRUCT(INPUT, stn_accessor_type, stride)                                                       \
    STRUCT(INPUT, stn_archive_options, codec)                                                      \
    STRUCT(INPUT, stn_array_advice_options, target)                                                \
    STRUCT(INPUT, stn_block_codec, context)                                                        \
    STRUCT(INPUT, stn_block_jacobi_options, max_block_rows)                                        \
    STRUCT(INPUT, stn_comm_functions, release)                                                     \
    STRUCT(INPUT, stn_csr_arrays, storage)                                                         \
    STRUCT(INPUT, stn_distributed_options, storage)                                                \
    STRUCT(INPUT, stn_format_codec, context)                                                       \
    STRUCT(INPUT, stn_gpu_launch, threads)                                                         \
    STRUCT(INPUT, stn_ilu_options, kind)                                                           \
    STRUCT(INPUT, stn_optimize_options, max_bytes)                                                 \
    STRUCT(INPUT, stn_product_rounding, vector_absolute)                                           \
    STRUCT(INPUT, stn_solve_advice_options, max_bytes)                                             \
    STRUCT(INPUT, stn_solver_options, arithmetic)                                                  \
    STRUCT(INPUT, stn_view_spec, context)                                                          \
    STRUCT(OUTPUT, stn_archive_codec_info, is_filter)                                              \
    STRUCT(OUTPUT, stn_archive_info, ratio)                                                        \
    STRUCT(OUTPUT, stn_array_choice, is_efficient)                                                 \
    STRUCT(OUTPUT, stn_block_arrays, scale_step)                                                   \
    STRUCT(OUTPUT, stn_code_counts, unknown)                                                       \
    STRUCT(OUTPUT, stn_comm_info, bytes)                                                           \
    STRUCT(OUTPUT, stn_contract_result, broken)                                                    \
    STRUCT(OUTPUT, stn_distributed_info, bytes)                                                    \
    STRUCT(OUTPUT, stn_format_info, name)                                                          \
    STRUCT(OUTPUT, stn_function_info, symbol)                                                      \
    STRUCT(OUTPUT, stn_gpu_counts, warps)                                                          \
    STRUCT(OUTPUT, stn_image_info, name)                                                           \
    STRUCT(OUTPUT, stn_market_matrix, values)                                                      \
    STRUCT(OUTPUT, stn_matrix_info, duplicates)                                                    \
    STRUCT(OUTPUT, stn_matrix_traits, similarity)                                                  \
    STRUCT(OUTPUT, stn_matrix_views, duplicates)                                                   \
    STRUCT(OUTPUT, stn_optimize_report, reason)                                                    \
    STRUCT(OUTPUT, stn_partition_info, comm)                                                       \
    STRUCT(OUTPUT, stn_preconditioner_info, format_blocks)                                         \
    STRUCT(OUTPUT, stn_solve_choice, text)                                                         \
    STRUCT(OUTPUT, stn_triangular_info, bytes)                                                     \
    STRUCT(REPORT, stn_guard_report, used)                                                         \
    STRUCT(REPORT, stn_solver_report, iterations)                                                  \
    STRUCT(GIVEN, stn_event, space)                                                                \
    STRUCT(GIVEN, stn_solver_progress, residual)
