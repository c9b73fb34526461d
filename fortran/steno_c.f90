!> The C interface of libsteno: structs and functions of the headers in include/steno by their C names.
!! Programs use the module steno instead. test/fortran compares layouts and values with the headers.
module steno_c
   use, intrinsic :: iso_c_binding
   implicit none
   public

   integer, parameter :: STN_MAX_RANK = 8, STN_RANK_BROADCAST = -1

   !> stn_c128, passed by value.
   type, bind(C) :: c_number
      real(c_double) :: re = 0, im = 0
   end type

   type, bind(C) :: c_storage
      integer(c_int32_t) :: format = 0
      integer(c_int) :: rounding = 0, overflow = 0
      integer(c_int32_t) :: padding = 0 ! the library compares bytes
      real(c_double) :: scale = 1, zero = 0
      integer(c_int64_t) :: seed = 0
      type(c_ptr) :: counters = c_null_ptr
   end type

   type, bind(C) :: c_view
      integer(c_int16_t) :: size = 0
      integer(c_int8_t) :: rank = 0, space = 0, read_only = 0, fixed = 0
      integer(c_int16_t) :: traits = 0
      type(c_ptr) :: data = c_null_ptr, label = c_null_ptr
      type(c_storage) :: storage
      integer(c_int64_t) :: extent(STN_MAX_RANK) = 0, stride(STN_MAX_RANK) = 0
      type(c_ptr) :: owner = c_null_ptr, extra = c_null_ptr
      integer(c_int64_t) :: first = 0
      integer(c_int8_t) :: axis(STN_MAX_RANK) = 0
      integer(c_int32_t) :: life = 0, reserved_word = 0
      integer(c_int64_t) :: reserved(2) = 0
   end type

   type, bind(C) :: c_layout
      integer(c_int) :: kind = 0, inner = 0
      integer(c_int32_t) :: rank = 0
      integer(c_int64_t) :: stride(STN_MAX_RANK) = 0, tile(STN_MAX_RANK) = 0
      type(c_funptr) :: offset = c_null_funptr, span = c_null_funptr
      type(c_ptr) :: context = c_null_ptr
      type(c_funptr) :: run = c_null_funptr
   end type

   type, bind(C) :: c_view_spec
      integer(c_size_t) :: size = 0
      type(c_ptr) :: label = c_null_ptr
      type(c_storage) :: storage
      type(c_ptr) :: layout = c_null_ptr
      integer(c_int32_t) :: rank = 0, flags = 0
      type(c_ptr) :: extents = c_null_ptr, strides = c_null_ptr, data = c_null_ptr
      type(c_ptr) :: const_data = c_null_ptr
      type(c_funptr) :: free_data = c_null_funptr
      type(c_ptr) :: context = c_null_ptr
   end type

   type, bind(C) :: c_scales
      type(c_ptr) :: data = c_null_ptr
      integer(c_int32_t) :: format = 0, dimension = -1
      integer(c_int64_t) :: block = 0, phase = 0, stride(STN_MAX_RANK) = 0
   end type

   type, bind(C) :: c_slice
      integer(c_int64_t) :: begin = 0, count = 0, step = 1
      integer(c_int) :: mode = 0
      integer(c_int32_t) :: reserved = 0
   end type

   type, bind(C) :: c_format_info
      integer(c_size_t) :: size = 0
      integer(c_int32_t) :: format = 0
      integer(c_int) :: kind = 0
      integer(c_int32_t) :: component = 0
      type(c_ptr) :: name = c_null_ptr
      integer(c_int64_t) :: bytes = 0, alignment = 0
      integer(c_int) :: bits = 0, exponent_bits = 0, fraction_bits = 0, is_signed = 0
      real(c_double) :: highest = 0, lowest = 0, smallest = 0, epsilon = 0
      integer(c_int64_t) :: block_elements = 0, block_bytes = 0
   end type

   type, bind(C) :: c_format_codec
      integer(c_size_t) :: size = 0
      type(c_ptr) :: name = c_null_ptr
      integer(c_int64_t) :: bytes = 0, alignment = 0
      type(c_funptr) :: decode = c_null_funptr, encode = c_null_funptr
      type(c_ptr) :: context = c_null_ptr, device_text = c_null_ptr
   end type

   type, bind(C) :: c_event
      integer(c_size_t) :: size = 0
      integer(c_int) :: kind = 0
      type(c_ptr) :: label = c_null_ptr, space = c_null_ptr, data = c_null_ptr
      integer(c_int64_t) :: bytes = 0
      type(c_ptr) :: from_label = c_null_ptr, from_space = c_null_ptr, from_data = c_null_ptr
      integer(c_int64_t) :: id = 0
      type(c_ptr) :: output = c_null_ptr, note = c_null_ptr
   end type

   type, bind(C) :: c_matrix_views
      integer(c_size_t) :: size = 0
      type(c_ptr) :: label = c_null_ptr
      integer(c_int) :: kind = 0
      integer(c_int64_t) :: rows = 0, columns = 0
      type(c_view) :: row_start, row, slice_start, row_position, column, values, row_scales
      integer(c_int64_t) :: height = 0
      integer(c_int) :: duplicates = 0
   end type

   type, bind(C) :: c_matrix_info
      integer(c_size_t) :: size = 0
      type(c_ptr) :: label = c_null_ptr
      integer(c_int) :: kind = 0
      integer(c_int64_t) :: rows = 0, columns = 0, entries = 0, bytes = 0
      type(c_storage) :: storage
      integer(c_int) :: space = 0
      integer(c_int64_t) :: height = 0, sigma = 0
      integer(c_int) :: duplicates = 0
   end type

   type, bind(C) :: c_triangular_info
      integer(c_size_t) :: size = 0
      type(c_ptr) :: label = c_null_ptr
      integer(c_int64_t) :: rows = 0, levels = 0, bytes = 0
   end type

   type, bind(C) :: c_optimize_options
      integer(c_size_t) :: size = 0
      integer(c_int) :: kind = 0, method = 0
      integer(c_int64_t) :: max_bytes = 0
   end type

   type, bind(C) :: c_optimize_report
      integer(c_size_t) :: size = 0
      integer(c_int) :: kind = 0, other_kind = 0
      integer(c_int64_t) :: bytes = 0
      real(c_double) :: original_seconds = 0, other_seconds = 0, conversion_seconds = 0
      integer(c_int) :: is_timed = 0
      character(kind=c_char) :: reason(252) = c_null_char
   end type

   type, bind(C) :: c_preconditioner_info
      integer(c_size_t) :: size = 0
      type(c_ptr) :: name = c_null_ptr
      integer(c_int64_t) :: rows = 0, bytes = 0, lower_levels = 0, upper_levels = 0, blocks = 0
      integer(c_int64_t) :: format_blocks(3) = 0
   end type

   type, bind(C) :: c_ilu_options
      integer(c_size_t) :: size = 0
      integer(c_int) :: kind = 0
      type(c_ptr) :: format = c_null_ptr
   end type

   type, bind(C) :: c_block_jacobi_options
      integer(c_size_t) :: size = 0
      integer(c_int64_t) :: max_block_rows = 0
      type(c_ptr) :: block_start = c_null_ptr
      integer(c_int64_t) :: block_count = 0
      type(c_ptr) :: format = c_null_ptr, partition = c_null_ptr
   end type

   type, bind(C) :: c_operator
      integer(c_size_t) :: size = 0
      type(c_ptr) :: label = c_null_ptr
      integer(c_int64_t) :: rows = 0
      type(c_funptr) :: apply = c_null_funptr
      type(c_ptr) :: context = c_null_ptr, reserved(3) = c_null_ptr
   end type

   type, bind(C) :: c_solver_progress
      integer(c_size_t) :: size = 0
      integer(c_int64_t) :: iteration = 0
      real(c_double) :: residual = 0, seconds = 0
      integer(c_int64_t) :: column = 0
   end type

   type, bind(C) :: c_solver_options
      integer(c_size_t) :: size = 0
      integer(c_int) :: method = 0
      integer(c_int32_t) :: arithmetic = 0
      real(c_double) :: relative_tolerance = 0, absolute_tolerance = 0
      integer(c_int64_t) :: max_iterations = 0
      real(c_double) :: max_seconds = 0
      integer(c_int64_t) :: restart = 0
      type(c_storage) :: basis
      type(c_ptr) :: preconditioner = c_null_ptr
      integer(c_int) :: side = 0
      type(c_ptr) :: inner = c_null_ptr, inner_operator = c_null_ptr
      type(c_funptr) :: monitor = c_null_funptr
      type(c_ptr) :: monitor_context = c_null_ptr, checkpoint = c_null_ptr
      integer(c_int64_t) :: basis_block = 0
      integer(c_int) :: orthogonalization = 0
      type(c_ptr) :: partition = c_null_ptr, inner_operators = c_null_ptr
      integer(c_int64_t) :: inner_operator_count = 0
   end type

   type, bind(C) :: c_solver_report
      integer(c_size_t) :: size = 0
      integer(c_int) :: reason = 0
      integer(c_int64_t) :: iterations = 0, restarts = 0, inner_iterations = 0
      real(c_double) :: residual = 0, stored_residual = 0
      integer(c_int64_t) :: saturated = 0
      real(c_double) :: seconds = 0
      type(c_ptr) :: history = c_null_ptr
      integer(c_int64_t) :: history_capacity = 0, history_count = 0
      integer(c_int64_t) :: columns = 0, unsolved_columns = 0
      type(c_ptr) :: column_reports = c_null_ptr
      integer(c_int64_t) :: column_capacity = 0
      real(c_double) :: rounding_error = 0, backward_error = 0
      real(c_double) :: seconds_products = 0, seconds_preconditioner = 0
      real(c_double) :: seconds_orthogonalization = 0, seconds_verification = 0
      integer(c_int64_t) :: bytes = 0
   end type

   !> stn_argument, a union: its first 8 bytes are a double, an integer or an address.
   type, bind(C) :: c_argument
      integer(c_int64_t) :: word(2) = 0
   end type

   ! Functions of one type share an interface. Handles and structs are addresses. gfortran 12 passes
   ! arguments with the attribute value by reference in all calls of such a function in a file but
   ! the first. Functions that a file calls twice have their own interface; test_fortran.sh counts.
   abstract interface
      function text_of(value) bind(C) result(text)
         import
         integer(c_int), value :: value
         type(c_ptr) :: text
      end function
      function text_of_all() bind(C) result(text)
         import
         type(c_ptr) :: text
      end function
      function text_of_object(object) bind(C) result(text)
         import
         type(c_ptr), value :: object
         type(c_ptr) :: text
      end function
      function number_of(object) bind(C) result(number)
         import
         type(c_ptr), value :: object
         integer(c_int) :: number
      end function
      function count_of(object) bind(C) result(count)
         import
         type(c_ptr), value :: object
         integer(c_int64_t) :: count
      end function
      subroutine release_object(object) bind(C)
         import
         type(c_ptr), value :: object
      end subroutine
      function pass_1(a) bind(C) result(status)
         import
         type(c_ptr), value :: a
         integer(c_int) :: status
      end function
      function pass_2(a, b) bind(C) result(status)
         import
         type(c_ptr), value :: a, b
         integer(c_int) :: status
      end function
      function pass_text(a, text) bind(C) result(status)
         import
         type(c_ptr), value :: a
         character(kind=c_char), intent(in) :: text(*)
         integer(c_int) :: status
      end function
      function pass_3(a, b, c) bind(C) result(status)
         import
         type(c_ptr), value :: a, b, c
         integer(c_int) :: status
      end function
      function pass_4(a, b, c, d) bind(C) result(status)
         import
         type(c_ptr), value :: a, b, c, d
         integer(c_int) :: status
      end function
      function pass_5(a, b, c, d, e) bind(C) result(status)
         import
         type(c_ptr), value :: a, b, c, d, e
         integer(c_int) :: status
      end function
      function pass_5_number(a, b, c, d, e, number) bind(C) result(status)
         import
         type(c_ptr), value :: a, b, c, d, e
         integer(c_int), value :: number
         integer(c_int) :: status
      end function
      function pass_2_number(a, b, number) bind(C) result(status)
         import
         type(c_ptr), value :: a, b
         integer(c_int), value :: number
         integer(c_int) :: status
      end function
      function pass_3_number(a, b, c, number) bind(C) result(status)
         import
         type(c_ptr), value :: a, b, c
         integer(c_int), value :: number
         integer(c_int) :: status
      end function
   end interface

   procedure(text_of), bind(C, name="stn_status_name") :: stn_status_name
   procedure(text_of), bind(C, name="stn_stop_reason_name") :: stn_stop_reason_name
   procedure(text_of), bind(C, name="stn_layout_name") :: stn_layout_name
   procedure(text_of_all), bind(C, name="stn_error") :: stn_error
   procedure(text_of_all), bind(C, name="stn_version") :: stn_version
   procedure(pass_text), bind(C, name="stn_exec_create") :: stn_exec_create
   procedure(pass_1), bind(C, name="stn_exec_wait") :: stn_exec_wait
   procedure(text_of_object), bind(C, name="stn_exec_name") :: stn_exec_name
   procedure(number_of), bind(C, name="stn_exec_threads") :: stn_exec_threads
   procedure(number_of), bind(C, name="stn_exec_space") :: stn_exec_space
   procedure(pass_3), bind(C, name="stn_view_create_spec") :: stn_view_create_spec
   procedure(pass_2), bind(C, name="stn_view_wrap_spec") :: stn_view_wrap_spec
   procedure(pass_2), bind(C, name="stn_view_share") :: stn_view_share
   procedure(pass_1), bind(C, name="stn_view_release") :: stn_view_release
   procedure(count_of), bind(C, name="stn_view_use_count") :: stn_view_use_count
   procedure(count_of), bind(C, name="stn_view_count") :: stn_view_count
   procedure(count_of), bind(C, name="stn_view_span") :: stn_view_span
   procedure(number_of), bind(C, name="stn_view_is_contiguous") :: stn_view_is_contiguous
   procedure(number_of), bind(C, name="stn_view_is_unique") :: stn_view_is_unique
   procedure(number_of), bind(C, name="stn_view_is_lvalue") :: stn_view_is_lvalue
   procedure(number_of), bind(C, name="stn_view_layout") :: stn_view_layout
   procedure(pass_2), bind(C, name="stn_view_set_scales") :: stn_view_set_scales
   procedure(pass_2_number), bind(C, name="stn_view_insert_axis") :: stn_view_insert_axis
   procedure(pass_3), bind(C, name="stn_view_copy") :: stn_view_copy
   procedure(pass_3_number), bind(C, name="stn_view_fit_scales") :: stn_view_fit_scales
   procedure(pass_3_number), bind(C, name="stn_view_mirror") :: stn_view_mirror
   procedure(pass_2), bind(C, name="stn_matrix_wrap_views") :: stn_matrix_wrap_views
   procedure(pass_2), bind(C, name="stn_matrix_set_row_scales") :: stn_matrix_set_row_scales
   procedure(pass_text), bind(C, name="stn_matrix_set_label") :: stn_matrix_set_label
   procedure(pass_2), bind(C, name="stn_matrix_describe") :: stn_matrix_describe
   procedure(pass_2), bind(C, name="stn_matrix_get_views") :: stn_matrix_get_views
   procedure(release_object), bind(C, name="stn_matrix_release") :: stn_matrix_release
   procedure(pass_3), bind(C, name="stn_matrix_mirror") :: stn_matrix_mirror
   procedure(pass_3), bind(C, name="stn_sparse_transpose") :: stn_sparse_transpose
   procedure(pass_3), bind(C, name="stn_sparse_sort") :: stn_sparse_sort
   procedure(pass_5), bind(C, name="stn_sparse_permute") :: stn_sparse_permute
   procedure(pass_5), bind(C, name="stn_sparse_from_diagonal") :: stn_sparse_from_diagonal
   procedure(pass_4), bind(C, name="stn_sparse_compensate") :: stn_sparse_compensate
   procedure(pass_5_number), bind(C, name="stn_sparse_equilibrate") :: stn_sparse_equilibrate
   procedure(pass_2), bind(C, name="stn_triangular_describe") :: stn_triangular_describe
   procedure(pass_4), bind(C, name="stn_ilu_create") :: stn_ilu_create
   procedure(pass_4), bind(C, name="stn_block_jacobi_create") :: stn_block_jacobi_create
   procedure(pass_2), bind(C, name="stn_preconditioner_describe") :: stn_preconditioner_describe
   procedure(pass_2), bind(C, name="stn_operator_of_matrix") :: stn_operator_of_matrix
   procedure(pass_1), bind(C, name="stn_checkpoint_create") :: stn_checkpoint_create
   procedure(pass_text), bind(C, name="stn_checkpoint_save") :: stn_checkpoint_save
   procedure(pass_text), bind(C, name="stn_checkpoint_load") :: stn_checkpoint_load

   interface
      subroutine stn_exec_release(exec) bind(C)
         import
         type(c_ptr), value :: exec
      end subroutine
      subroutine stn_kernel_release(kernel) bind(C)
         import
         type(c_ptr), value :: kernel
      end subroutine
      subroutine stn_preconditioner_release(preconditioner) bind(C)
         import
         type(c_ptr), value :: preconditioner
      end subroutine
      subroutine stn_checkpoint_release(checkpoint) bind(C)
         import
         type(c_ptr), value :: checkpoint
      end subroutine
      function stn_operator_of_preconditioner(made, m) bind(C) result(status)
         import
         type(c_ptr), value :: made, m
         integer(c_int) :: status
      end function
      function stn_format_find(name, format) bind(C) result(status)
         import
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int32_t), intent(inout) :: format
         integer(c_int) :: status
      end function
      function stn_format_describe(format, info) bind(C) result(status)
         import
         integer(c_int32_t), value :: format
         type(c_ptr), value :: info
         integer(c_int) :: status
      end function
      function stn_layout_parse(text, layout) bind(C) result(status)
         import
         character(kind=c_char), intent(in) :: text(*)
         type(c_layout), intent(inout) :: layout
         integer(c_int) :: status
      end function
      function stn_view_set_traits(view, traits) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: traits
         integer(c_int) :: status
      end function
      function stn_view_fill(exec, view, number) bind(C) result(status)
         import
         type(c_ptr), value :: exec, view
         real(c_double), value :: number
         integer(c_int) :: status
      end function
      function stn_view_get_complex(view, count, indices, number) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         type(c_number), intent(out) :: number
         integer(c_int) :: status
      end function
      function stn_view_set_complex(view, count, indices, number) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         type(c_number), value :: number
         integer(c_int) :: status
      end function
      function stn_view_get(view, count, indices, number) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         real(c_double), intent(inout) :: number
         integer(c_int) :: status
      end function
      function stn_view_set(view, count, indices, number) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         real(c_double), value :: number
         integer(c_int) :: status
      end function
      function stn_view_share_slice(part, view, count, slices) bind(C) result(status)
         import
         type(c_ptr), value :: part, view
         integer(c_int), value :: count
         type(c_slice), intent(in) :: slices(*)
         integer(c_int) :: status
      end function
      function stn_view_permute(permuted, view, count, order) bind(C) result(status)
         import
         type(c_ptr), value :: permuted, view
         integer(c_int), value :: count
         integer(c_int), intent(in) :: order(*)
         integer(c_int) :: status
      end function
      function stn_view_resize(exec, view, rank, extents, flags) bind(C) result(status)
         import
         type(c_ptr), value :: exec, view
         integer(c_int), value :: rank, flags
         integer(c_int64_t), intent(in) :: extents(*)
         integer(c_int) :: status
      end function
      function stn_view_mirror_view(exec, mirror, view, space, contents) bind(C) result(status)
         import
         type(c_ptr), value :: exec, mirror, view
         integer(c_int), value :: space, contents
         integer(c_int) :: status
      end function
      function stn_kernel_compile(kernel, name, parameters, body, class) bind(C) result(status)
         import
         type(c_ptr), intent(inout) :: kernel
         character(kind=c_char), intent(in) :: name(*), parameters(*), body(*)
         integer(c_int), value :: class
         integer(c_int) :: status
      end function
      function stn_kernel_run(exec, kernel, arithmetic, rank, extents, arguments) bind(C) &
         result(status)
         import
         type(c_ptr), value :: exec, kernel
         integer(c_int32_t), value :: arithmetic
         integer(c_int), value :: rank
         type(c_ptr), value :: extents
         type(c_argument), intent(in) :: arguments(*)
         integer(c_int) :: status
      end function
      function stn_solve(exec, x, a, b, options, report) bind(C) result(status)
         import
         type(c_ptr), value :: exec, x, a, b, options, report
         integer(c_int) :: status
      end function
      function stn_operator_create(op, label, rows, apply, context) bind(C) result(status)
         import
         type(c_operator), intent(inout) :: op
         type(c_ptr), value :: label, context
         integer(c_int64_t), value :: rows
         type(c_funptr), value :: apply
         integer(c_int) :: status
      end function
      function c_string_length(text) bind(C, name="strlen") result(length)
         import
         type(c_ptr), value :: text
         integer(c_size_t) :: length
      end function
   end interface
end module
