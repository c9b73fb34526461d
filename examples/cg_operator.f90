!> Conjugate gradients with an operator of the program.
module second_difference
   use, intrinsic :: iso_fortran_env, only: int32, real64
   use steno
   implicit none
   type, extends(steno_operator) :: difference
   contains
      procedure :: apply
   end type
contains
   subroutine apply(self, exec, arithmetic, x, y, stat)
      class(difference), intent(inout) :: self
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      integer, intent(out) :: stat
      real(real64), pointer :: from(:), to(:)
      integer :: i, n
      call steno_wait(exec, stat)
      if (arithmetic /= STENO_F64 .or. .not. same_type_as(self, difference())) &
         stat = STENO_ERR_UNSUPPORTED
      if (stat /= STENO_OK) return
      call steno_array(x, from)
      call steno_array(y, to)
      n = size(from)
      do i = 1, n
         to(i) = 2*from(i)
         if (i > 1) to(i) = to(i) - from(i - 1)
         if (i < n) to(i) = to(i) - from(i + 1)
      end do
   end subroutine
end module

program cg_operator
   use second_difference
   implicit none
   call solve()
contains
   subroutine solve()
      integer, parameter :: n = 100
      real(real64), target :: x(n), b(n)
      type(steno_executor) :: exec
      type(steno_view) :: to, from
      type(difference) :: a
      type(steno_solver_report) :: report
      call steno_executor_create(exec, "threads")
      b = 1
      x = 0
      call steno_wrap(to, x)
      call steno_wrap(from, b)
      call steno_solve(exec, to, a, from, report=report)
      print "(2a, i0, a)", steno_stop_reason_name(report%reason), " after ", report%iterations, &
         " iterations"
   end subroutine
end program
