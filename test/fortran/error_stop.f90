!> Errors without stat= end the program with the message of the library: the argument selects one.
program error_stop
   use, intrinsic :: iso_fortran_env, only: int32, real64
   use steno
   implicit none
   character(20) :: which
   call get_command_argument(1, which)
   call run()
contains
   subroutine run()
      type(steno_executor) :: exec
      type(steno_view) :: v, w
      type(steno_matrix) :: a
      real(real64), target :: x(3), y(4)
      integer(int32), pointer :: p(:)
      character(100) :: message
      call steno_wrap(v, x, label="x")
      call steno_wrap(w, y, label="y")
      select case (which)
      case ("shape")
         call steno_copy(exec, v, w)
      case ("errmsg")
         call steno_copy(exec, v, w, errmsg=message)
      case ("executor")
         call steno_executor_create(exec, "nowhere")
      case ("pointer")
         call steno_array(v, p)
      case ("matrix")
         call steno_identity(exec, a, -1)
      case ("kernel")
         call steno_kernel("y = ", "out(y)", exec, STENO_F64, [steno_argument(v)])
      end select
      print "(a)", "continued"
   end subroutine
end program
