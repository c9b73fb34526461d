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

   !> Classes of arguments, and the kinds of parameters that are not views.
   integer, parameter :: IS_REAL = 0, IS_INTEGER = 1, IS_COMPLEX = 2, IS_VIEW = 3
   integer(c_int), parameter :: PARAMETER_REAL = 0, PARAMETER_INDEX = 1, PARAMETER_BITS = 2, &
      PARAMETER_AT = 3

   !> The argument for one parameter, made by steno_argument. A view must live until the launch.
   type, public :: steno_kernel_argument
      private
      type(c_argument) :: c
      integer :: class = IS_REAL
   end type

   !> The beginning of stn_kernel, and stn_parameter, in steno/detail/kernel_types.h.
   integer(c_int32_t), parameter :: KERNEL_VERSION = 1
   type, bind(C) :: c_kernel
      integer(c_size_t) :: size
      integer(c_int32_t) :: version, count
      type(c_ptr) :: name, text, parameters
   end type
   type, bind(C) :: c_parameter
      integer(c_int) :: kind
      type(c_ptr) :: name
      integer(c_int32_t) :: rank, offset(4)
      integer(c_int) :: boundary
      real(c_double) :: value
      integer(c_int64_t) :: whole
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
      character(:), allocatable :: mistake
      object = c_null_ptr
      if (associated(kernel%handle)) object = kernel%handle%object
      call find_mistake(object, arithmetic, arguments%class, mistake)
      if (len(mistake) > 0) then
         call fail(STENO_ERR_ARGUMENT, mistake, stat, errmsg)
         return
      end if
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

   !> The first argument that does not match its parameter, in a message; "" if there is none.
   recursive subroutine find_mistake(object, arithmetic, classes, mistake)
      type(c_ptr), intent(in) :: object
      integer(int32), intent(in) :: arithmetic
      integer, intent(in) :: classes(:)
      character(:), allocatable, intent(out) :: mistake
      type(c_kernel), pointer :: kernel
      type(c_parameter), pointer :: parameters(:)
      character(120) :: text
      integer :: k, count
      mistake = ""
      if (.not. c_associated(object)) return ! the library refuses it
      call c_f_pointer(object, kernel)
      if (kernel%version /= KERNEL_VERSION) return
      call c_f_pointer(kernel%parameters, parameters, [kernel%count])
      count = 0
      do k = 1, size(parameters)
         if (parameters(k)%kind == PARAMETER_AT) cycle
         count = count + 1
         if (count > size(classes) .or. len(mistake) > 0) cycle
         if (takes(parameters(k)%kind, arithmetic, classes(count))) cycle
         write (text, "(a, i0, a)") ": argument ", count, " does not match its parameter "
         mistake = "kernel "//f_text(kernel%name)//trim(text)//" "//f_text(parameters(k)%name)// &
                   ": "//wanted(parameters(k)%kind, arithmetic)//" is required"
      end do
      if (count == size(classes)) return
      write (text, "(a, i0, a, i0)") " has ", count, " parameters with arguments; not ", &
         size(classes)
      mistake = "kernel "//f_text(kernel%name)//trim(text)
   end subroutine

   !> Can a parameter take an argument of a class?
   pure recursive logical function takes(kind, arithmetic, class)
      integer(c_int), intent(in) :: kind
      integer(int32), intent(in) :: arithmetic
      integer, intent(in) :: class
      select case (kind)
      case (PARAMETER_REAL)
         takes = class == merge(IS_INTEGER, IS_REAL, arithmetic == STENO_I64) .or. &
            (class == IS_COMPLEX .and. (arithmetic == STENO_C128 .or. arithmetic == STENO_C64))
      case (PARAMETER_INDEX, PARAMETER_BITS)
         takes = class == IS_INTEGER
      case default
         takes = class == IS_VIEW
      end select
   end function

   pure recursive function wanted(kind, arithmetic) result(what)
      integer(c_int), intent(in) :: kind
      integer(int32), intent(in) :: arithmetic
      character(:), allocatable :: what
      if (takes(kind, arithmetic, IS_VIEW)) then
         what = "a view"
      else if (takes(kind, arithmetic, IS_INTEGER)) then
         what = "an integer"
      else if (takes(kind, arithmetic, IS_COMPLEX)) then
         what = "a real or complex number"
      else
         what = "a real number"
      end if
   end function

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
      argument%class = IS_COMPLEX
      argument%c%word = transfer(value, argument%c%word)
   end function

   pure recursive function argument_int32(value) result(argument)
      integer(int32), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%class = IS_INTEGER
      argument%c%word(1) = value
   end function

   pure recursive function argument_int64(value) result(argument)
      integer(int64), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%class = IS_INTEGER
      argument%c%word(1) = value
   end function

   recursive function argument_view(value) result(argument)
      type(steno_view), intent(in) :: value
      type(steno_kernel_argument) :: argument
      argument%class = IS_VIEW
      argument%c%word(1) = transfer(at(value), 0_int64)
   end function
end module
