!> Structs of the module steno_c have the layouts of the headers.
program layout
   use, intrinsic :: iso_c_binding
   use checks
   use steno_c
   use steno_market, only: c_market_matrix
   implicit none
   interface
      subroutine reference_layout(values) bind(C)
         import :: c_int64_t
         integer(c_int64_t), intent(out) :: values(*)
      end subroutine
   end interface
   type(c_number) :: number
   type(c_storage) :: storage
   type(c_view), target :: view
   type(c_layout), target :: order
   type(c_view_spec), target :: spec
   type(c_scales) :: scales
   type(c_slice) :: slice
   type(c_format_info) :: format
   type(c_matrix_views), target :: views
   type(c_matrix_info) :: matrix
   type(c_preconditioner_info) :: preconditioner
   type(c_ilu_options) :: ilu
   type(c_block_jacobi_options) :: blocks
   type(c_operator), target :: op
   type(c_solver_progress) :: progress
   type(c_solver_options), target :: options
   type(c_solver_report), target :: report
   type(c_argument) :: argument
   type(c_triangular_info), target :: triangle
   type(c_optimize_options), target :: optimization
   type(c_optimize_report), target :: decision
   type(c_format_codec), target :: codec
   type(c_event), target :: event
   type(c_market_matrix), target :: file
   integer(c_int64_t) :: expected(37), found(37)
   integer :: k
   character(3) :: digits
   call reference_layout(expected)
   found(:18) = [integer(c_int64_t) :: c_sizeof(number), c_sizeof(storage), c_sizeof(view), &
                 c_sizeof(order), c_sizeof(spec), c_sizeof(scales), c_sizeof(slice), &
                 c_sizeof(format), c_sizeof(views), c_sizeof(matrix), c_sizeof(preconditioner), &
                 c_sizeof(ilu), c_sizeof(blocks), c_sizeof(op), c_sizeof(progress), &
                 c_sizeof(options), c_sizeof(report), c_sizeof(argument)]
   found(19:) = [between(c_loc(view), c_loc(view%stride)), &
                 between(c_loc(spec), c_loc(spec%const_data)), &
                 between(c_loc(order), c_loc(order%context)), &
                 between(c_loc(views), c_loc(views%height)), &
                 between(c_loc(options), c_loc(options%checkpoint)), &
                 between(c_loc(report), c_loc(report%column_reports)), &
                 between(c_loc(op), c_loc(op%context)), &
                 c_sizeof(triangle), c_sizeof(optimization), c_sizeof(decision), &
                 c_sizeof(codec), c_sizeof(event), c_sizeof(file), &
                 between(c_loc(triangle), c_loc(triangle%bytes)), &
                 between(c_loc(optimization), c_loc(optimization%max_bytes)), &
                 between(c_loc(decision), c_loc(decision%reason)), &
                 between(c_loc(codec), c_loc(codec%device_text)), &
                 between(c_loc(event), c_loc(event%note)), &
                 between(c_loc(file), c_loc(file%deviations))]
   do k = 1, size(found)
      write (digits, "(i0)") k
      call expect(found(k) == expected(k), "layout "//digits)
   end do
   call finish()
contains
   integer(c_int64_t) function between(first, second)
      type(c_ptr), intent(in) :: first, second
      between = transfer(second, 0_c_int64_t) - transfer(first, 0_c_int64_t)
   end function
end program
