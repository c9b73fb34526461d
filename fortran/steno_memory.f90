!> Memory of views: new memory, arrays of the program, other sizes, mirrors.
module steno_memory
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_core
   use steno_handles
   implicit none
   private

   !> Flags of steno_create and steno_resize, to be added.
   integer(int32), parameter, public :: STENO_CREATE_UNINITIALIZED = 1, STENO_CREATE_PADDED = 2, &
      STENO_CREATE_PINNED = 4, STENO_CREATE_MANAGED = 8
   !> Contents of steno_mirror_view.
   integer(int32), parameter, public :: STENO_MIRROR_UNINITIALIZED = 0, STENO_MIRROR_COPY = 1

   !> Creates a view with its own memory, whose elements are zero.
   interface steno_create
      procedure create_view, create_view_int32
   end interface
   !> Changes the extents of a view that owns its memory, and keeps the elements of both sizes.
   interface steno_resize
      procedure resize_view, resize_view_int32
   end interface

   !> Like steno_resize, but without keeping elements.
   interface steno_reallocate
      procedure reallocate_view, reallocate_view_int32
   end interface

   !> Extents of wrap_memory for a pointer that is not associated.
   integer(int64), parameter, public :: not_associated = -1

   public :: wrap_memory, memory_of
   public :: steno_create, steno_resize, steno_reallocate, steno_mirror, steno_mirror_view
   public :: steno_wrap_address, steno_set_space

   interface
      function stn_view_reallocate(exec, view, rank, extents, flags) bind(C) result(status)
         import
         type(c_ptr), value :: exec, view
         integer(c_int), value :: rank, flags
         integer(c_int64_t), intent(in) :: extents(*)
         integer(c_int) :: status
      end function
      function stn_view_set_space(view, space) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: space
         integer(c_int) :: status
      end function
   end interface

contains

   recursive subroutine create_view(exec, view, storage, extents, layout, label, flags, stat, &
                                    errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      type(steno_storage), intent(in) :: storage
      integer(int64), intent(in) :: extents(:)
      character(*), intent(in), optional :: layout !< "left" by default; texts of layout.h
      character(*), intent(in), optional :: label
      integer(int32), intent(in), optional :: flags
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_view_spec), target :: spec
      type(c_layout), target :: order
      integer(c_int64_t), target :: shape(STN_MAX_RANK)
      integer(c_int) :: status
      call new_view(view)
      call set_label(view, label)
      shape = 0
      shape(:min(size(extents), STN_MAX_RANK)) = extents(:min(size(extents), STN_MAX_RANK))
      spec = c_view_spec(size=c_sizeof(spec), label=view%c%label, storage=c_storage_of(storage), &
                         layout=c_loc(order), rank=size(extents), extents=c_loc(shape))
      if (present(flags)) spec%flags = flags
      if (present(layout)) then
         status = stn_layout_parse(c_text(layout), order)
      else
         status = stn_layout_parse(c_text("left"), order)
      end if
      if (status == STENO_OK) status = stn_view_create_spec(at(exec), at(view), c_loc(spec))
      if (status /= STENO_OK) call steno_release(view)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine create_view_int32(exec, view, storage, extents, layout, label, flags, &
                                          stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      type(steno_storage), intent(in) :: storage
      integer(int32), intent(in) :: extents(:)
      character(*), intent(in), optional :: layout, label
      integer(int32), intent(in), optional :: flags
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call create_view(exec, view, storage, int(extents, int64), layout, label, flags, stat, errmsg)
   end subroutine

   !> Wraps an array. addresses(0) is its first element, addresses(d) the second one along
   !! dimension d if there is one.
   recursive subroutine wrap_memory(view, addresses, extents, native, bytes, storage, label, &
                                    read_only, stat, errmsg)
      type(steno_view), intent(inout) :: view
      type(c_ptr), intent(in) :: addresses(0:)
      integer(int64), intent(in) :: extents(:)
      integer(int32), intent(in) :: native !< format of the elements unless there is a storage
      integer, intent(in) :: bytes         !< size of an element
      type(steno_storage), intent(in), optional :: storage
      character(*), intent(in), optional :: label
      logical, intent(in), optional :: read_only
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: strides(STN_MAX_RANK)
      type(steno_storage) :: stored
      integer(c_int) :: status
      integer :: uneven
      if (any(extents == not_associated)) then
         call fail(STENO_ERR_ARGUMENT, "the array is a pointer that is not associated, or is not &
                   &allocated", stat, errmsg)
         return
      end if
      stored%format = native
      if (present(storage)) stored = storage
      if (.not. holds(native, bytes, stored%format)) then
         call fail(STENO_ERR_FORMAT, "elements of the array cannot hold the format: real and &
                   &complex arrays have their own format, integers any format of their size", &
                   stat, errmsg)
         return
      end if
      call find_strides(addresses, extents, bytes, strides, uneven)
      if (uneven > 0) then
         call fail(STENO_ERR_SHAPE, "the distance between elements along dimension "// &
                   achar(iachar("0") + uneven)//" is not a multiple of their size", stat, errmsg)
         return
      end if
      call wrap_strided(view, addresses(0), extents, strides, stored, label, read_only, status)
      call check(status, stat, errmsg)
   end subroutine

   !> Wraps memory at an address: of a device, of another library, or of an array whose type
   !! steno_wrap does not accept. Without strides, the layout is left.
   recursive subroutine steno_wrap_address(view, address, storage, extents, strides, label, &
                                           read_only, space, stat, errmsg)
      type(steno_view), intent(inout) :: view
      type(c_ptr), intent(in) :: address !< element (1, ..., 1)
      type(steno_storage), intent(in) :: storage
      integer(int64), intent(in) :: extents(:)
      integer(int64), intent(in), optional :: strides(:) !< in elements
      character(*), intent(in), optional :: label
      logical, intent(in), optional :: read_only
      integer(int32), intent(in), optional :: space !< STENO_SPACE_HOST by default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: steps(size(extents)), contiguous
      integer(c_int) :: status
      integer :: of_space
      integer :: d
      if (present(strides)) then
         if (size(strides) /= size(extents)) then
            call fail(STENO_ERR_SHAPE, "strides and extents have different lengths", stat, errmsg)
            return
         end if
         steps = strides
      else
         contiguous = 1
         do d = 1, size(extents)
            steps(d) = contiguous
            contiguous = saturated_product(contiguous, extents(d))
         end do
      end if
      call wrap_strided(view, address, extents, steps, storage, label, read_only, status)
      if (status == STENO_OK .and. present(space)) then
         call steno_set_space(view, space, of_space, errmsg)
         status = int(of_space, c_int)
      end if
      if (status /= STENO_OK) call steno_release(view)
      call check(status, stat, errmsg)
   end subroutine

   !> a * b of extents, at most huge: the library refuses the larger ones.
   pure recursive integer(int64) function saturated_product(a, b)
      integer(int64), intent(in) :: a, b
      saturated_product = huge(a)
      if (b <= 0) then
         saturated_product = a
      else if (a <= huge(a)/b) then
         saturated_product = a*b
      end if
   end function

   recursive subroutine wrap_strided(view, address, extents, strides, storage, label, read_only, &
                                     status)
      type(steno_view), intent(inout) :: view
      type(c_ptr), intent(in) :: address
      integer(int64), intent(in) :: extents(:), strides(:)
      type(steno_storage), intent(in) :: storage
      character(*), intent(in), optional :: label
      logical, intent(in), optional :: read_only
      integer(c_int), intent(out) :: status
      type(c_view_spec), target :: spec
      integer(c_int64_t), target :: shape(STN_MAX_RANK), steps(STN_MAX_RANK)
      integer :: rank
      rank = min(size(extents), STN_MAX_RANK)
      shape = 0
      steps = 0
      shape(:rank) = extents(:rank)
      steps(:rank) = strides(:rank)
      call new_view(view)
      call set_label(view, label)
      spec = c_view_spec(size=c_sizeof(spec), label=view%c%label, storage=c_storage_of(storage), &
                         rank=size(extents), extents=c_loc(shape), strides=c_loc(steps), &
                         data=address)
      status = stn_view_wrap_spec(at(view), c_loc(spec))
      if (status /= STENO_OK) then
         call steno_release(view)
      else if (present(read_only)) then
         if (read_only) view%c%read_only = 1
      end if
   end subroutine

   !> Can elements of `bytes` bytes, whose own format is `native`, hold codes of a format?
   recursive logical function holds(native, bytes, format)
      integer(int32), intent(in) :: native, format
      integer, intent(in) :: bytes
      type(steno_format_info) :: info
      integer :: stat
      holds = format == native
      if (holds) return
      if (all(native /= [STENO_I8, STENO_I16, STENO_I32, STENO_I64])) return
      call steno_format_describe(format, info, stat)
      holds = stat /= STENO_OK .or. info%bytes == bytes ! an invalid format has the C message
   end function

   !> Strides in elements, from addresses as of wrap_memory. `uneven`: dimension without a stride.
   recursive subroutine find_strides(addresses, extents, bytes, strides, uneven)
      type(c_ptr), intent(in) :: addresses(0:)
      integer(int64), intent(in) :: extents(:)
      integer, intent(in) :: bytes
      integer(c_int64_t), intent(out) :: strides(:)
      integer, intent(out) :: uneven
      integer(int64) :: step, contiguous
      integer :: d
      uneven = 0
      strides = 0
      contiguous = 1
      do d = 1, size(extents)
         strides(d) = contiguous
         if (extents(d) > 1 .and. c_associated(addresses(0))) then
            step = transfer(addresses(d), step) - transfer(addresses(0), step)
            strides(d) = step/bytes
            if (strides(d)*bytes /= step) uneven = d
         end if
         contiguous = strides(d)*extents(d)
      end do
   end subroutine

   !> Memory of a view with elements contiguous in Fortran order, as `native` elements or codes.
   recursive subroutine memory_of(view, rank, native, bytes, data, extents, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: rank
      integer(int32), intent(in) :: native
      integer, intent(in) :: bytes
      type(c_ptr), intent(out) :: data
      integer(int64), intent(out) :: extents(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: is_lvalue
      data = c_null_ptr
      extents = 0
      is_lvalue = stn_view_is_lvalue(at(view))
      if (steno_rank(view) /= rank) then
         call fail(STENO_ERR_SHAPE, "the rank of the pointer is not that of the view", stat, errmsg)
      else if (.not. holds(native, bytes, view%c%storage%format)) then
         call fail(STENO_ERR_FORMAT, "the type of the pointer does not match the format of the &
                   &view", stat, errmsg)
      else if (view%c%storage%format == native .and. is_lvalue == 0) then
         call fail(STENO_ERR_UNSUPPORTED, "the view has a scale, is atomic, or is in the memory of &
                   &a device", stat, errmsg)
      else if (.not. is_left(view)) then
         call fail(STENO_ERR_UNSUPPORTED, "the elements of the view are not contiguous in &
                   &Fortran order", stat, errmsg)
      else
         data = view%c%data
         extents = view%c%extent(:rank)
         if (present(stat)) stat = STENO_OK
      end if
   end subroutine

   recursive logical function is_left(view)
      type(steno_view), intent(in) :: view
      integer(int64) :: contiguous
      integer :: d
      contiguous = 1
      is_left = .true.
      if (stn_view_count(at(view)) == 0) return
      is_left = .not. c_associated(view%c%extra)
      do d = 1, int(view%c%rank)
         is_left = is_left .and. (view%c%extent(d) == 1 .or. view%c%stride(d) == contiguous)
         contiguous = contiguous*view%c%extent(d)
      end do
   end function

   ! ---- other sizes and mirrors

   recursive subroutine resize_view(exec, view, extents, flags, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      integer(int64), intent(in) :: extents(:)
      integer(int32), intent(in), optional :: flags
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: options
      options = 0
      if (present(flags)) options = flags
      call check(stn_view_resize(at(exec), at(view), size(extents, kind=c_int), extents, options), &
                 stat, errmsg)
   end subroutine

   recursive subroutine resize_view_int32(exec, view, extents, flags, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      integer(int32), intent(in) :: extents(:)
      integer(int32), intent(in), optional :: flags
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call resize_view(exec, view, int(extents, int64), flags, stat, errmsg)
   end subroutine

   recursive subroutine reallocate_view(exec, view, extents, flags, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      integer(int64), intent(in) :: extents(:)
      integer(int32), intent(in), optional :: flags
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: options
      options = 0
      if (present(flags)) options = flags
      call check(stn_view_reallocate(at(exec), at(view), size(extents, kind=c_int), extents, options), &
                 stat, &
                 errmsg)
   end subroutine

   recursive subroutine reallocate_view_int32(exec, view, extents, flags, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      integer(int32), intent(in) :: extents(:)
      integer(int32), intent(in), optional :: flags
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call reallocate_view(exec, view, int(extents, int64), flags, stat, errmsg)
   end subroutine

   !> States in which space wrapped memory is.
   recursive subroutine steno_set_space(view, space, stat, errmsg)
      type(steno_view), intent(inout) :: view
      integer(int32), intent(in) :: space
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_view_set_space(at(view), space), stat, errmsg)
   end subroutine

   !> Creates an uninitialized view of the same shape and storage in another space.
   recursive subroutine steno_mirror(exec, mirror, view, space, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: mirror
      type(steno_view), intent(in) :: view
      integer(int32), intent(in) :: space
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: status
      call new_view(mirror)
      status = stn_view_mirror(at(exec), at(mirror), at(view), space)
      if (status /= STENO_OK) call steno_release(mirror)
      call check(status, stat, errmsg)
   end subroutine

   !> Creates a further handle of a view if its space is accessible like `space`, else a mirror.
   recursive subroutine steno_mirror_view(exec, mirror, view, space, contents, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: mirror
      type(steno_view), intent(in) :: view
      integer(int32), intent(in) :: space
      integer(int32), intent(in) :: contents !< STENO_MIRROR_UNINITIALIZED or STENO_MIRROR_COPY
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: status
      call new_view(mirror)
      status = stn_view_mirror_view(at(exec), at(mirror), at(view), space, contents)
      call keep_label(mirror, view, status)
      call check(status, stat, errmsg)
   end subroutine
end module
