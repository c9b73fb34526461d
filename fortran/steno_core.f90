!> Constants, errors, formats and executors.
module steno_core
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
   use steno_c
   implicit none
   private
   public :: check, fail, c_text, f_text, at
   public :: shared_handle, share_handle, new_handle, release_handle, object_of

   !> Statuses of a call: the values of stat=.
   integer(int32), parameter, public :: STENO_OK = 0, STENO_ERR_ARGUMENT = 1, &
      STENO_ERR_FORMAT = 2, STENO_ERR_SHAPE = 3, STENO_ERR_RANGE = 4, STENO_ERR_MEMORY = 5, &
      STENO_ERR_IO = 6, STENO_ERR_PARSE = 7, STENO_ERR_UNSUPPORTED = 8, STENO_ERR_ALIAS = 9, &
      STENO_ERR_DEVICE = 10, STENO_ERR_CONVERGENCE = 11
   !> Storage formats; F64, F32, I64, C128 and C64 are arithmetic types, too.
   integer(int32), parameter, public :: STENO_F64 = 0, STENO_F32 = 1, STENO_F16 = 2, &
      STENO_BF16 = 3, STENO_E4M3 = 4, STENO_I8 = 5, STENO_U8 = 6, STENO_I16 = 7, STENO_U16 = 8, &
      STENO_I32 = 9, STENO_U32 = 10, STENO_I64 = 11, STENO_U64 = 12, STENO_C128 = 13, &
      STENO_C64 = 14, STENO_C32 = 15, STENO_E5M2 = 16, STENO_F24 = 17, STENO_F40 = 18, &
      STENO_F48 = 19, STENO_BFP8 = 20, STENO_BFP16 = 21, STENO_BFP32 = 22, &
      STENO_MXFP8_E4M3 = 23, STENO_MXFP8_E5M2 = 24, STENO_MXFP6_E3M2 = 25, &
      STENO_MXFP6_E2M3 = 26, STENO_MXFP4 = 27, STENO_MXINT8 = 28, STENO_NVFP4 = 29
   !> Classes of formats.
   integer(int32), parameter, public :: STENO_CLASS_FLOAT = 0, STENO_CLASS_INTEGER = 1, &
      STENO_CLASS_COMPLEX = 2, STENO_CLASS_OPAQUE = 3, STENO_CLASS_REGISTERED = 4, &
      STENO_CLASS_BLOCK = 5
   !> Rounding of stored values, overflow, and kinds of fitted scales.
   integer(int32), parameter, public :: STENO_ROUND_NEAREST = 0, STENO_ROUND_TOWARD_ZERO = 1, &
      STENO_ROUND_STOCHASTIC = 2
   integer(int32), parameter, public :: STENO_OVERFLOW_DEFAULT = 0, STENO_OVERFLOW_INFINITY = 1, &
      STENO_OVERFLOW_SATURATE = 2, STENO_OVERFLOW_NAN = 3
   integer(int32), parameter, public :: STENO_SCALE_POWER_OF_TWO = 0, STENO_SCALE_EXACT = 1
   !> Spaces of memory.
   integer(int32), parameter, public :: STENO_SPACE_HOST = 0, STENO_SPACE_PINNED = 1, &
      STENO_SPACE_MANAGED = 2, STENO_SPACE_DEVICE = 3

   !> Counts of events while values are stored, which the library never resets.
   type, bind(C), public :: steno_counters
      integer(c_int64_t) :: saturated = 0   !< values beyond the largest finite one
      integer(c_int64_t) :: underflowed = 0 !< nonzero values that were stored as zero
      integer(c_int64_t) :: nan = 0         !< NaN
   end type

   !> Storage of the values of an array: value = scale * (code - zero).
   !! steno_storage(STENO_F16, scale=0.5d0) is f16 with a scale.
   type, public :: steno_storage
      integer(int32) :: format = STENO_F64                 !< format of the codes
      integer(int32) :: rounding = STENO_ROUND_NEAREST     !< rounding of stored values
      integer(int32) :: overflow = STENO_OVERFLOW_DEFAULT  !< values beyond the largest finite one
      real(real64) :: scale = 1                            !< finite and not 0
      real(real64) :: zero = 0                             !< zero point, in units of the code
      integer(int64) :: seed = 0                           !< of stochastic rounding
      type(steno_counters), pointer :: counters => null()  !< counts events, or null
   end type

   !> Properties of a format.
   type, public :: steno_format_info
      character(16) :: name = ""          !< such as "f16"
      integer(int64) :: bytes = 0         !< size of an element
      integer(int32) :: bits = 0          !< bits of an element without padding
      integer(int32) :: exponent_bits = 0 !< floats and complex formats
      integer(int32) :: fraction_bits = 0 !< floats and complex formats
      logical :: is_signed = .false.      !< the format has negative values
      real(real64) :: highest = 0         !< largest finite value
      real(real64) :: lowest = 0          !< smallest finite value
      real(real64) :: smallest = 0        !< smallest positive value
      real(real64) :: epsilon = 0         !< spacing of the values above 1
      integer(int32) :: kind = 0          !< class: STENO_CLASS_FLOAT, ...
      integer(int32) :: component = 0     !< format of the parts of a complex format
      integer(int64) :: alignment = 0     !< alignment of an element in bytes
   end type

   !> A handle that assignments share: the object is released with the last one.
   type :: shared_handle
      type(c_ptr) :: object = c_null_ptr
      integer :: uses = 1
   end type

   !> Executor: where and how operations run. One that was not created is the calling thread, which
   !! functions of views accept.
   type, public :: steno_executor
      private
      type(shared_handle), pointer :: handle => null()
   contains
      procedure, private :: assign_executor
      generic :: assignment(=) => assign_executor
      final :: finalize_executor
   end type

   !> Address of the object of an executor for a C function; null without an object.
   interface at
      procedure at_executor
   end interface
   !> Releases a handle; one that has no object is unchanged. Handles are also released when their
   !! variables cease to exist, except those of the main program and of modules.
   interface steno_release
      procedure finalize_executor
   end interface

   public :: steno_executor_create, steno_executor_name, steno_executor_threads
   public :: steno_executor_space, steno_executor_layout, steno_wait, steno_release
   public :: steno_executor_adopt_cuda, steno_executor_adopt_hip
   public :: steno_space_name, steno_space_accessible, steno_format_count, steno_abi_version
   public :: steno_format_find, steno_format_describe, steno_status_name, steno_version
   public :: c_storage_of, f_storage_of

   interface
      function stn_exec_adopt_cuda(exec, context, stream) bind(C) result(status)
         import
         type(c_ptr), value :: exec, context, stream
         integer(c_int) :: status
      end function
      function stn_exec_adopt_hip(exec, context, stream) bind(C) result(status)
         import
         type(c_ptr), value :: exec, context, stream
         integer(c_int) :: status
      end function
      function stn_exec_layout(exec) bind(C) result(layout)
         import
         type(c_ptr), value :: exec
         integer(c_int) :: layout
      end function
      function stn_space_name(space) bind(C) result(name)
         import
         integer(c_int), value :: space
         type(c_ptr) :: name
      end function
      function stn_space_accessible(exec, space) bind(C) result(accessible)
         import
         type(c_ptr), value :: exec
         integer(c_int), value :: space
         integer(c_int) :: accessible
      end function
      function stn_format_count() bind(C) result(count)
         import
         integer(c_int32_t) :: count
      end function
      function stn_abi_version() bind(C) result(version)
         import
         integer(c_int) :: version
      end function
   end interface

contains

   !> Reports the status of a C function: in stat and errmsg, or by error stop with the message.
   recursive subroutine check(status, stat, errmsg)
      integer(c_int), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      if (status == STENO_OK) then
         if (present(stat)) stat = status
      else
         call fail(status, f_text(stn_error()), stat, errmsg)
      end if
   end subroutine

   !> Reports an error with a message.
   recursive subroutine fail(status, message, stat, errmsg)
      integer(c_int), intent(in) :: status
      character(*), intent(in) :: message
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      if (present(errmsg)) errmsg = message
      if (.not. present(stat)) error stop message
      stat = status
   end subroutine

   !> A C string of a Fortran one, without its trailing blanks.
   pure recursive function c_text(text) result(same)
      character(*), intent(in) :: text
      character(kind=c_char, len=len_trim(text) + 1) :: same
      same = trim(text)//c_null_char
   end function

   !> A Fortran string of a C one; "" of null.
   recursive function f_text(text) result(same)
      type(c_ptr), intent(in) :: text
      character(:), allocatable :: same
      character(kind=c_char), pointer :: letters(:)
      integer :: i
      if (.not. c_associated(text)) then
         same = ""
         return
      end if
      call c_f_pointer(text, letters, [c_string_length(text)])
      allocate (character(size(letters)) :: same)
      do i = 1, size(letters)
         same(i:i) = letters(i)
      end do
   end function

   recursive function c_storage_of(storage) result(same)
      type(steno_storage), intent(in) :: storage
      type(c_storage) :: same
      same = c_storage(storage%format, storage%rounding, storage%overflow, 0, storage%scale, &
                       storage%zero, storage%seed, c_null_ptr)
      if (associated(storage%counters)) same%counters = c_loc(storage%counters)
   end function

   recursive function f_storage_of(storage) result(same)
      type(c_storage), intent(in) :: storage
      type(steno_storage) :: same
      same = steno_storage(storage%format, storage%rounding, storage%overflow, storage%scale, &
                           storage%zero, storage%seed)
      if (c_associated(storage%counters)) call c_f_pointer(storage%counters, same%counters)
   end function

   ! ---- shared handles

   !> Makes `to` a further handle of the object of `from`.
   recursive subroutine share_handle(to, from, last)
      type(shared_handle), pointer, intent(inout) :: to
      type(shared_handle), pointer, intent(in) :: from
      type(c_ptr), intent(out) :: last !< object that `to` released as its last handle, or null
      type(shared_handle), pointer :: same
      same => from
      if (associated(same)) same%uses = same%uses + 1
      call release_handle(to, last)
      to => same
   end subroutine

   !> Creates a handle of an object, which may be null.
   recursive subroutine new_handle(handle, object)
      type(shared_handle), pointer, intent(inout) :: handle
      type(c_ptr), intent(in) :: object
      handle => null()
      if (.not. c_associated(object)) return
      allocate (handle)
      handle%object = object
   end subroutine

   !> The object of a handle, or null.
   recursive function object_of(handle) result(object)
      type(shared_handle), pointer, intent(in) :: handle
      type(c_ptr) :: object
      object = c_null_ptr
      if (associated(handle)) object = handle%object
   end function

   !> Releases a handle. `last` is its object, if no other handle has it, or null.
   recursive subroutine release_handle(handle, last)
      type(shared_handle), pointer, intent(inout) :: handle
      type(c_ptr), intent(out) :: last
      last = c_null_ptr
      if (.not. associated(handle)) return
      handle%uses = handle%uses - 1
      if (handle%uses == 0) then
         last = handle%object
         deallocate (handle)
      end if
      handle => null()
   end subroutine

   ! ---- executors

   impure elemental recursive subroutine assign_executor(to, from)
      class(steno_executor), intent(inout) :: to
      type(steno_executor), intent(in) :: from
      type(c_ptr) :: last
      call share_handle(to%handle, from%handle, last)
      call stn_exec_release(last)
   end subroutine

   impure elemental recursive subroutine finalize_executor(exec)
      type(steno_executor), intent(inout) :: exec
      type(c_ptr) :: last
      call release_handle(exec%handle, last)
      call stn_exec_release(last)
   end subroutine

   recursive function at_executor(exec) result(object)
      type(steno_executor), intent(in) :: exec
      type(c_ptr) :: object
      object = c_null_ptr
      if (associated(exec%handle)) object = exec%handle%object
   end function

   !> Creates the executor that a resource string such as "threads:threads=4" describes.
   recursive subroutine steno_executor_create(exec, resource, stat, errmsg)
      type(steno_executor), intent(inout) :: exec
      character(*), intent(in) :: resource
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(exec)
      object = c_null_ptr
      status = stn_exec_create(c_loc(object), c_text(resource))
      call new_handle(exec%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Waits until all queued work of an executor has completed.
   recursive subroutine steno_wait(exec, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_exec_wait(at(exec)), stat, errmsg)
   end subroutine

   !> Kind of an executor, such as "threads"; "no executor" if it was not created.
   recursive function steno_executor_name(exec) result(name)
      type(steno_executor), intent(in) :: exec
      character(:), allocatable :: name
      name = f_text(stn_exec_name(at(exec)))
   end function

   !> Number of host threads of an executor.
   recursive integer function steno_executor_threads(exec)
      type(steno_executor), intent(in) :: exec
      steno_executor_threads = stn_exec_threads(at(exec))
   end function

   !> Space in which an executor creates views.
   recursive integer(int32) function steno_executor_space(exec)
      type(steno_executor), intent(in) :: exec
      steno_executor_space = stn_exec_space(at(exec))
   end function

   !> Creates an executor that uses a CUDA context and stream of the program, which must outlive it.
   recursive subroutine steno_executor_adopt_cuda(exec, context, stream, stat, errmsg)
      type(steno_executor), intent(inout) :: exec
      type(c_ptr), intent(in) :: context, stream
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(exec)
      object = c_null_ptr
      status = stn_exec_adopt_cuda(c_loc(object), context, stream)
      call new_handle(exec%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Creates an executor that uses a HIP context and stream of the program.
   recursive subroutine steno_executor_adopt_hip(exec, context, stream, stat, errmsg)
      type(steno_executor), intent(inout) :: exec
      type(c_ptr), intent(in) :: context, stream
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(exec)
      object = c_null_ptr
      status = stn_exec_adopt_hip(c_loc(object), context, stream)
      call new_handle(exec%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Name of the layout with which C programs create views on an executor, such as "left".
   !! steno_create has layout left unless it gets another one.
   recursive function steno_executor_layout(exec) result(name)
      type(steno_executor), intent(in) :: exec
      character(:), allocatable :: name
      name = f_text(stn_layout_name(stn_exec_layout(at(exec))))
   end function

   !> Name of a space: "host", "pinned", "managed" or "device".
   recursive function steno_space_name(space) result(name)
      integer(int32), intent(in) :: space
      character(:), allocatable :: name
      name = f_text(stn_space_name(space))
   end function

   !> Can code that runs on an executor access a space?
   recursive logical function steno_space_accessible(exec, space)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: space
      steno_space_accessible = stn_space_accessible(at(exec), space) /= 0
   end function

   ! ---- formats and statuses

   !> Number of formats, built-in and registered: ids are from 0 to this number - 1.
   recursive integer function steno_format_count()
      steno_format_count = stn_format_count()
   end function

   !> Id of the format with a name, such as "f16".
   recursive subroutine steno_format_find(name, format, stat, errmsg)
      character(*), intent(in) :: name
      integer(int32), intent(out) :: format
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      format = -1
      call check(stn_format_find(c_text(name), format), stat, errmsg)
   end subroutine

   !> Properties of a format.
   recursive subroutine steno_format_describe(format, info, stat, errmsg)
      integer(int32), intent(in) :: format
      type(steno_format_info), intent(out) :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_format_info), target :: found
      integer(c_int) :: status
      found%size = c_sizeof(found)
      status = stn_format_describe(format, c_loc(found))
      if (status == STENO_OK) then
         info = steno_format_info(f_text(found%name), found%bytes, found%bits, &
                                  found%exponent_bits, found%fraction_bits, &
                                  found%is_signed /= 0, found%highest, found%lowest, &
                                  found%smallest, found%epsilon, found%kind, &
                                  found%component, found%alignment)
      end if
      call check(status, stat, errmsg)
   end subroutine

   !> Name of a status, such as "STN_ERR_SHAPE".
   recursive function steno_status_name(status) result(name)
      integer, intent(in) :: status
      character(:), allocatable :: name
      name = f_text(stn_status_name(int(status, c_int)))
   end function

   !> Version of the binary interface of the library.
   recursive integer function steno_abi_version()
      steno_abi_version = stn_abi_version()
   end function

   !> Version of the library, such as "0.1.0".
   recursive function steno_version() result(version)
      character(:), allocatable :: version
      version = f_text(stn_version())
   end function
end module
