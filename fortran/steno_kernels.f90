!> Kernels compiled from a text at run time.
module steno_kernels
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
   use steno_c
   use steno_core
   use steno_handles
   implicit none
   private

   !> Arithmetic types of a kernel: f64 and f32; i64; c128 and c64.
   integer(int32), parameter, public :: STENO_KERNEL_REAL = 0, STENO_KERNEL_INTEGER = 1, &
      STENO_KERNEL_COMPLEX = 2

   !> A compiled kernel. Assignment creates a further handle.
   type, public :: steno_compiled_kernel
      private
      type(shared_handle), pointer :: handle => null()
   contains
      procedure, private :: assign_kernel
      generic :: assignment(=) => assign_kernel
      final :: finalize_kernel
   end type

   !> The argument for one parameter, made by steno_argument. A view must live until the launch.
   type, public :: steno_kernel_argument
      private
      type(c_argument) :: c
   end type

   !> The argument for real(a), index(n), bits(m) or a view.
   interface steno_argument
      procedure argument_real64, argument_real32, argument_complex, argument_int32, &
         argument_int64, argument_view
   end interface

   !> steno_kernel(kernel, body, parameters) compiles a kernel;
   !! steno_kernel(body, parameters, exec, arithmetic, arguments) compiles and runs one.
   interface steno_kernel
      procedure compile_kernel, compile_and_run
   end interface

   interface steno_release
      procedure finalize_kernel
   end interface

   public :: steno_release, steno_argument, steno_kernel, steno_run

contains

   impure elemental recursive subroutine assign_kernel(to, from)
      class(steno_compiled_kernel), intent(inout) :: to
      type(steno_compiled_kernel), intent(in) :: from
      type(c_ptr) :: last
      call share_handle(to%handle, from%handle, last)
      call stn_kernel_release(last)
   end subroutine

   impure elemental recursive subroutine finalize_kernel(kernel)
      type(steno_compiled_kernel), intent(inout) :: kernel
      type(c_ptr) :: last
      call release_handle(kernel%handle, last)
      call stn_kernel_release(last)
   end subroutine

   recursive subroutine compile_kernel(kernel, body, parameters, name, kind, stat, errmsg)
      type(steno_compiled_kernel), intent(inout) :: kernel
      character(*), intent(in) :: body       !< C statements, such as "y = alpha * x + y"
      character(*), intent(in) :: parameters !< such as "real(alpha), in(x), inout(y)"
      character(*), intent(in), optional :: name   !< in messages; "kernel" by default
      integer(int32), intent(in), optional :: kind !< STENO_KERNEL_REAL by default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: object
      integer(c_int) :: status, class
      character(:), allocatable :: title
      call steno_release(kernel)
      class = STENO_KERNEL_REAL
      if (present(kind)) class = kind
      title = "kernel"
      if (present(name)) title = name
      object = c_null_ptr
      status = stn_kernel_compile(object, c_text(title), c_text(parameters), &
                                  c_text(complete(body)), class)
      call new_handle(kernel%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> A body that is one statement needs no semicolon.
   pure recursive function complete(body) result(text)
      character(*), intent(in) :: body
      character(:), allocatable :: text
      text = trim(body)
      if (len(text) == 0) return
      if (scan(text(len(text):), ";}") == 0) text = text//";"
   end function

   !> Launches a kernel. Without extents, the space is the broadcast of the extents of the views.
   recursive subroutine steno_run(exec, arithmetic, kernel, arguments, extents, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_compiled_kernel), intent(in) :: kernel
      type(steno_kernel_argument), intent(in) :: arguments(:)
      integer(int64), intent(in), optional :: extents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: space(STN_MAX_RANK)
      integer :: known
      type(c_ptr) :: object, shape
      integer(c_int) :: rank
      object = c_null_ptr
      if (associated(kernel%handle)) object = kernel%handle%object
      rank = STN_RANK_BROADCAST
      shape = c_null_ptr
      if (present(extents)) then
         rank = size(extents, kind=c_int)
         known = min(size(extents), size(space))
         space(:known) = extents(:known)
         shape = c_loc(space)
      end if
      call check(stn_kernel_run(at(exec), object, arithmetic, rank, shape, arguments%c), stat, &
                 errmsg)
   end subroutine

   recursive subroutine compile_and_run(body, parameters, exec, arithmetic, arguments, kind, &
                                        stat, errmsg)
      character(*), intent(in) :: body, parameters
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_kernel_argument), intent(in) :: arguments(:)
      integer(int32), intent(in), optional :: kind
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_compiled_kernel) :: kernel
      integer :: status
      character(512) :: message
      message = ""
      call compile_kernel(kernel, body, parameters, kind=kind, stat=status, errmsg=message)
      if (status == STENO_OK) call steno_run(exec, arithmetic, kernel, arguments, stat=status, &
                                             errmsg=message)
      if (status /= STENO_OK) then
         call fail(int(status, c_int), trim(message), stat, errmsg)
      else if (present(stat)) then
         stat = STENO_OK
      end if
   end subroutine

   pure recursive function argument_real64(value) result(argument)
      real(real64), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%c%word(1) = transfer(value, 0_int64)
   end function

   pure recursive function argument_real32(value) result(argument)
      real(real32), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument = argument_real64(real(value, real64))
   end function

   pure recursive function argument_complex(value) result(argument)
      complex(real64), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%c%word = transfer(value, argument%c%word)
   end function

   pure recursive function argument_int32(value) result(argument)
      integer(int32), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%c%word(1) = value
   end function

   pure recursive function argument_int64(value) result(argument)
      integer(int64), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%c%word(1) = value
   end function

   recursive function argument_view(value) result(argument)
      type(steno_view), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%c%word(1) = transfer(at(value), 0_int64)
   end function
end module
