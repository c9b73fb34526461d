!> Unusual handles: in modules, arrays and derived types, as arguments and results, released ones;
!! callbacks that fail; threads; extents of more than 32 bits; all kinds in all ranks.
module test_handles
   use, intrinsic :: iso_c_binding, only: c_ptr, c_loc
   use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
   use checks
   use steno
   implicit none

   type :: field
      type(steno_view) :: values
      type(steno_matrix) :: matrix
      type(steno_executor) :: exec
   end type

   type, extends(field) :: named_field
      type(steno_preconditioner), allocatable :: m
   end type

   !> Fails in the call with a number, or releases its argument's handles, or solves another system.
   type, extends(steno_operator) :: hostile
      integer :: calls = 0
      integer :: fails_at = 0
      integer :: status = STENO_ERR_IO
      logical :: solves = .false.
      type(steno_view) :: kept
   contains
      procedure :: apply => apply_hostile
   end type

   type(steno_view), save :: global
   type(steno_executor), save :: exec
contains

   recursive subroutine apply_hostile(self, exec, arithmetic, x, y, stat)
      class(hostile), intent(inout) :: self
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      integer, intent(out) :: stat
      real(real64), target :: u(3), v(3)
      type(steno_view) :: local, inner_x, inner_b
      type(hostile) :: inner
      self%calls = self%calls + 1
      stat = self%status
      if (self%calls == self%fails_at) return
      local = x
      call steno_release(local)
      self%kept = y
      if (self%solves) then
         u = 0
         v = [1, 2, 3]
         call steno_wrap(inner_x, u)
         call steno_wrap(inner_b, v)
         call steno_solve(exec, inner_x, inner, inner_b)
         call expect(all(abs(u - v/2) < 1d-12), "a solve in an operator")
      end if
      call steno_axpby(exec, arithmetic, 2.0_real64, x, 0.0_real64, y, stat)
   end subroutine

   subroutine produce(v)
      type(steno_view), intent(out) :: v
      call expect(steno_rank(v) == 0 .and. steno_count(v) == 0, "intent(out) is an empty view")
      call steno_create(exec, v, steno_storage(STENO_F64), [7])
   end subroutine

   !> A function result that is a handle: assignment shares it. gfortran 12 does not finalize the
   !! result itself, so functions should return no handles; subroutines do.
   subroutine part_of(part, v)
      type(steno_view), intent(inout) :: part
      type(steno_view), intent(in) :: v
      call steno_subview(part, v, [steno_slice(2, 3)])
   end subroutine

   subroutine arguments()
      type(steno_view) :: v, w
      integer :: stat
      call steno_create(exec, v, steno_storage(STENO_F64), [3])
      w = v
      call produce(v)
      call expect(steno_count(v) == 7 .and. steno_use_count(w) == 1, "intent(out) releases")
      call part_of(v, v)
      call expect(steno_count(v) == 2 .and. steno_use_count(v) == 1, "a view becomes its part")
      call steno_permute(v, v, [1])
      call steno_insert_axis(v, v, 1)
      call expect(all(steno_shape(v) == [1, 2]) .and. steno_use_count(v) == 1, "the same variable")
      global = v
      global = global
      call expect(steno_use_count(global) == 2, "a module variable")
      call steno_release(global)
      call steno_release(global)
      call expect(steno_use_count(v) == 1, "released twice")
      v = global
      call expect(steno_rank(v) == 0, "assignment of an empty view")
      call steno_wrap_address(w, c_loc_of_nothing(), steno_storage(STENO_F64), [0_int64], stat=stat)
      call expect(stat == STENO_OK .and. steno_count(w) == 0, "no address and no elements")
   end subroutine

   function c_loc_of_nothing() result(address)
      use, intrinsic :: iso_c_binding, only: c_null_ptr
      type(c_ptr) :: address
      address = c_null_ptr
   end function

   subroutine containers()
      type(steno_view) :: v, several(3)
      type(steno_view), allocatable :: list(:), more(:)
      type(named_field) :: f
      type(field), allocatable :: g
      integer :: k
      call steno_create(exec, v, steno_storage(STENO_F64), [5])
      several = v
      call expect(steno_use_count(v) == 4, "an array of handles")
      several(3) = several(1)
      call expect(steno_use_count(v) == 4, "an element of an array")
      allocate (list(2))
      do k = 1, 2
         list(k) = several(k)
      end do
      call move_alloc(list, more)
      call expect(steno_use_count(v) == 6 .and. .not. allocated(list), "move_alloc")
      f%values = v
      f%exec = exec
      allocate (f%m)
      call steno_identity(exec, f%matrix, 5)
      call steno_ilu_create(exec, f%m, f%matrix)
      allocate (g)
      g%values = f%values
      g%matrix = f%matrix
      call expect(steno_use_count(v) == 8, "components")
      deallocate (g)
      deallocate (more)
      call expect(steno_use_count(v) == 5, "deallocated components")
      call steno_release(several)
      call expect(steno_use_count(v) == 2, "release of an array")
      call steno_spmv(f%exec, STENO_F64, 1.0_real64, f%matrix, v, 0.0_real64, f%values, stat=k)
      call expect(k == STENO_ERR_ALIAS, "a product of a vector with itself")
   end subroutine

   !> Operations with handles that have no object are errors, not crashes.
   subroutine released()
      type(steno_executor) :: none
      type(steno_view) :: v, w
      type(steno_matrix) :: a, b
      type(steno_preconditioner) :: m
      type(steno_checkpoint) :: checkpoint
      type(steno_compiled_kernel) :: kernel
      type(steno_kernel_argument) :: arguments(1)
      real(real64), pointer :: p(:)
      real(real64) :: x
      integer(int64) :: index
      integer :: stat
      character(10) :: short
      call steno_executor_create(none, "nowhere", stat=stat, errmsg=short)
      call expect(stat /= STENO_OK .and. len_trim(short) > 0, "an unknown executor")
      call expect(steno_executor_name(none) == "no executor", "no executor")
      call steno_copy(none, v, w, stat)
      call expect(stat /= STENO_OK .or. steno_count(v) == 0, "copy of empty views")
      call steno_get(v, [1], x, stat)
      call expect(stat /= STENO_OK, "an element of an empty view")
      call steno_array(v, p, stat)
      call expect(stat == STENO_ERR_SHAPE .and. .not. associated(p), "a pointer to an empty view")
      call steno_subview(w, v, [steno_slice()], stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a part of an empty view")
      call steno_set_scale(v, 2.0_real64, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a scale of an empty view")
      call steno_set_scales(v, w, stat=stat)
      call expect(stat /= STENO_OK, "scales of an empty view")
      call steno_iamax(exec, STENO_F64, index, v, stat)
      call expect(stat /= STENO_OK, "iamax of an empty view")
      call steno_spmv(exec, STENO_F64, 1.0_real64, a, v, 0.0_real64, w, stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a product without a matrix")
      call steno_convert(exec, b, a, STENO_MATRIX_CSR, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "conversion without a matrix")
      call steno_set_row_scales(a, v, stat)
      call expect(stat == STENO_ERR_ARGUMENT, "scales of rows without a matrix")
      call m%apply(exec, STENO_F64, v, w, stat)
      call expect(stat == STENO_ERR_ARGUMENT, "no preconditioner")
      call steno_solve(exec, v, a, w, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a solve without a matrix")
      call steno_checkpoint_save(checkpoint, "none", stat)
      call expect(stat == STENO_ERR_ARGUMENT, "no checkpoint")
      arguments(1) = steno_argument(v)
      call steno_run(exec, STENO_F64, kernel, arguments, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "no kernel")
      call steno_release(v)
      call steno_release(a)
      call steno_release(m)
      call steno_release(kernel)
   end subroutine

   subroutine callbacks()
      real(real64), target :: x(4), b(4)
      type(steno_view) :: vx, vb
      type(hostile) :: a, m
      type(steno_solver_options) :: options, inner
      type(steno_solver_report) :: report
      type(steno_executor) :: none
      integer :: stat
      character(200) :: message
      call steno_wrap(vx, x)
      call steno_wrap(vb, b)
      b = [1, 2, 3, 4]
      x = 0
      a%solves = .true.
      call steno_solve(exec, vx, a, vb)
      call expect(all(abs(x - b/2) < 1d-12), "an operator that solves")
      a%solves = .false.
      a%fails_at = a%calls + 1
      x = 0
      call steno_solve(exec, vx, a, vb, stat=stat, errmsg=message, report=report)
      call expect(stat == STENO_ERR_IO .and. report%reason == STENO_STOP_CALL_FAILED, "status")
      call expect(all(x == 0) .and. len_trim(message) > 0, "x is unchanged")
      a%fails_at = a%calls + 1
      a%status = 12345
      call steno_solve(exec, vx, a, vb, stat=stat, errmsg=message)
      call expect(stat /= STENO_OK .and. len_trim(message) > 0, "an unknown status is an error")
      m%fails_at = 1
      call steno_solve(exec, vx, a, vb, preconditioner=m, stat=stat)
      call expect(stat == STENO_ERR_IO, "a preconditioner that fails")
      options%method = STENO_SOLVER_REFINEMENT
      m%fails_at = m%calls + 1
      call steno_solve(exec, vx, a, vb, options, inner=inner, inner_operator=m, stat=stat)
      call expect(stat == STENO_ERR_IO, "an inner operator that fails")
      call steno_solve(none, vx, a, vb, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a solve without an executor")
      x = 0
      call steno_solve(exec, vx, a, vb)
      call expect(all(abs(x - b/2) < 1d-12), "a solve after errors")
   end subroutine

   !> Products of private views in a parallel region.
   subroutine threads()
      integer, parameter :: count = 8
      real(real64), target :: a(40, 40), x(40, count), y(40, count), sums(1)
      type(steno_view) :: matrix, total
      integer :: k, wrong
      a = 0
      do k = 1, 40
         a(k, k) = k
      end do
      x = 1
      y = 0
      sums = 0
      wrong = 0
      call steno_wrap(matrix, a)
      call steno_wrap(total, sums)
      !$omp parallel do reduction(+:wrong)
      do k = 1, count
         call multiply(matrix, x(:, k), y(:, k), total, wrong)
      end do
      !$omp end parallel do
      call expect(wrong == 0 .and. all(y == spread([(k, k=1, 40)], 2, count)), "products in threads")
      call expect(sums(1) == 40*count, "an atomic sum")
   end subroutine

   subroutine multiply(matrix, x, y, total, wrong)
      type(steno_view), intent(in) :: matrix, total
      real(real64), intent(in), target, contiguous :: x(:)
      real(real64), intent(inout), target, contiguous :: y(:)
      integer, intent(inout) :: wrong
      type(steno_executor) :: own
      type(steno_view) :: from, to, shared
      integer :: stat, k
      character(100) :: message
      call steno_executor_create(own, "reference")
      shared = matrix
      call steno_wrap(from, x)
      call steno_wrap(to, y)
      do k = 1, 20
         call steno_gemv(own, STENO_F64, 1.0_real64, shared, from, 0.0_real64, to)
         call steno_gemv(own, STENO_F64, 1.0_real64, shared, shared, 0.0_real64, to, stat, message)
         if (stat == STENO_OK .or. len_trim(message) == 0) wrong = wrong + 1
      end do
      do k = 1, 40
         call steno_atomic_update(total, [1], STENO_ATOMIC_ADD, 1.0_real64)
      end do
   end subroutine

   !> 2^33 elements of one byte with stride 0, and offsets beyond 2^31.
   subroutine large()
      integer(int8), target :: code(1)
      integer(int8), pointer :: p(:)
      type(steno_view) :: v, part
      integer :: stat
      real(real64) :: x
      code = 5
      call steno_wrap_address(v, c_loc(code), steno_storage(STENO_I8), [2_int64**33], [0_int64])
      call expect(steno_count(v) == 2_int64**33 .and. steno_extent(v, 1) == 2_int64**33, "2^33")
      call steno_subview(part, v, [steno_slice(2_int64**32, 2_int64**33, 2_int64**31)])
      call steno_get(part, [3], x)
      call expect(steno_count(part) == 3 .and. x == 5, "a part beyond 2^31")
      call steno_subview(part, v, [steno_slice(1, 2_int64**33 + 1)], stat)
      call expect(stat == STENO_ERR_RANGE, "one too many")
      call steno_array(v, p, stat)
      call expect(stat == STENO_ERR_UNSUPPORTED, "no pointer to repeated elements")
      call steno_create(exec, v, steno_storage(STENO_F64), [2_int64**40, 2_int64**30], stat=stat)
      call expect(stat == STENO_ERR_RANGE .and. steno_rank(v) == 0, "more than the address space")
   end subroutine
end module

program handles
   use test_handles
   implicit none
   call steno_executor_create(exec, "threads:threads=2")
   call arguments()
   call containers()
   call released()
   call callbacks()
   call threads()
   call large()
   call steno_release(exec)
   call finish()
end program
