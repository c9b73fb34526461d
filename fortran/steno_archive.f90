!> Archives: arrays of independently compressed blocks. The module is not part of the module steno:
!! programs use it in addition and link with -lsteno_codec (CMake: steno::fortran_codec).
module steno_archive
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_core
   use steno_handles
   use steno_solver
   implicit none
   private

   !> What a codec promises about values that are read again.
   integer(int32), parameter, public :: STENO_ARCHIVE_LOSSLESS = 0, STENO_ARCHIVE_BOUNDED = 1, &
      STENO_ARCHIVE_UNBOUNDED = 2

   !> An archive. Assignment creates a further handle.
   type, public :: steno_archive_handle
      private
      type(shared_handle), pointer :: handle => null()
   contains
      procedure, private :: assign_archive
      generic :: assignment(=) => assign_archive
      final :: finalize_archive
   end type

   !> Properties of an archive.
   type, public :: steno_archive_info
      integer(int32) :: format = 0                 !< of the elements
      integer(int64), allocatable :: extent(:)     !< of the array
      integer(int64), allocatable :: block(:)      !< extents of a block
      character(:), allocatable :: codec           !< text of the codec
      integer(int32) :: loss = 0                   !< STENO_ARCHIVE_LOSSLESS, ...
      logical :: is_mapped = .false.               !< opened from a file
      real(real64) :: error_bound = 0              !< largest absolute error
      integer(int64) :: blocks = 0                 !< number of blocks
      integer(int64) :: array_bytes = 0            !< bytes without compression
      integer(int64) :: bytes = 0                  !< bytes of all compressed blocks
      integer(int64) :: smallest_block = 0         !< bytes of the smallest compressed block
      integer(int64) :: largest_block = 0          !< bytes of the largest compressed block
      real(real64) :: ratio = 0                    !< array_bytes / bytes
   end type

   !> Properties of a codec.
   type, public :: steno_archive_codec_info
      character(:), allocatable :: name        !< such as "zstd"
      character(:), allocatable :: library     !< that implements it, with its version; "": missing
      character(:), allocatable :: parameters  !< parameters with their ranges
      integer(int32) :: loss = 0               !< promise without parameters
      logical :: is_filter = .false.           !< it precedes a codec
   end type

   type, bind(C) :: c_archive_options
      integer(c_size_t) :: size = 0
      type(c_ptr) :: codec = c_null_ptr, block = c_null_ptr
      integer(c_int64_t) :: cached_blocks = 0
   end type

   type, bind(C) :: c_archive_info
      integer(c_size_t) :: size = 0
      integer(c_int32_t) :: format = 0, rank = 0
      integer(c_int64_t) :: extent(STN_MAX_RANK) = 0, block(STN_MAX_RANK) = 0
      character(kind=c_char) :: codec(64) = c_null_char
      integer(c_int) :: loss = 0
      integer(c_int32_t) :: is_mapped = 0
      real(c_double) :: error_bound = 0
      integer(c_int64_t) :: blocks = 0, array_bytes = 0, bytes = 0
      integer(c_int64_t) :: smallest_block = 0, largest_block = 0
      real(c_double) :: ratio = 0
   end type

   type, bind(C) :: c_archive_codec_info
      integer(c_size_t) :: size = 0
      type(c_ptr) :: name = c_null_ptr, library = c_null_ptr, parameters = c_null_ptr
      integer(c_int) :: loss = 0
      integer(c_int32_t) :: is_filter = 0
   end type

   !> Creates an archive whose elements are zero.
   interface steno_archive_create
      procedure create_archive, create_archive_int32
   end interface
   interface steno_release
      procedure finalize_archive
   end interface

   public :: steno_archive_create, steno_archive_pack, steno_archive_open, steno_archive_save
   public :: steno_archive_describe, steno_archive_read, steno_archive_write, steno_archive_verify
   public :: steno_archive_view, steno_archive_save_checkpoint, steno_archive_load_checkpoint
   public :: steno_archive_codec_count, steno_archive_codec_describe, steno_release

   interface
      function stn_archive_codec_count() bind(C) result(count)
         import
         integer(c_int) :: count
      end function
      function stn_archive_codec_describe(index, info) bind(C) result(status)
         import
         integer(c_int), value :: index
         type(c_archive_codec_info), intent(inout) :: info
         integer(c_int) :: status
      end function
      function stn_archive_create(archive, format, rank, extents, options) bind(C) result(status)
         import
         type(c_ptr), intent(inout) :: archive
         integer(c_int32_t), value :: format
         integer(c_int), value :: rank
         integer(c_int64_t), intent(in) :: extents(*)
         type(c_archive_options), intent(in) :: options
         integer(c_int) :: status
      end function
      function stn_archive_pack(exec, archive, format, view, options) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         type(c_ptr), intent(inout) :: archive
         integer(c_int32_t), value :: format
         type(c_ptr), value :: view
         type(c_archive_options), intent(in) :: options
         integer(c_int) :: status
      end function
      function stn_archive_open(archive, path) bind(C) result(status)
         import
         type(c_ptr), intent(inout) :: archive
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int) :: status
      end function
      function stn_archive_save(archive, path) bind(C) result(status)
         import
         type(c_ptr), value :: archive
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int) :: status
      end function
      function stn_archive_describe(archive, info) bind(C) result(status)
         import
         type(c_ptr), value :: archive
         type(c_archive_info), intent(inout) :: info
         integer(c_int) :: status
      end function
      function stn_archive_read(exec, to, archive, first) bind(C) result(status)
         import
         type(c_ptr), value :: exec, to, archive, first
         integer(c_int) :: status
      end function
      function stn_archive_write(exec, archive, from, first) bind(C) result(status)
         import
         type(c_ptr), value :: exec, archive, from, first
         integer(c_int) :: status
      end function
      function stn_archive_verify(exec, archive) bind(C) result(status)
         import
         type(c_ptr), value :: exec, archive
         integer(c_int) :: status
      end function
      function stn_archive_view(view, archive) bind(C) result(status)
         import
         type(c_ptr), value :: view, archive
         integer(c_int) :: status
      end function
      function stn_archive_save_checkpoint(exec, checkpoint, path, codec) bind(C) result(status)
         import
         type(c_ptr), value :: exec, checkpoint
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), value :: codec
         integer(c_int) :: status
      end function
      function stn_archive_load_checkpoint(exec, checkpoint, path) bind(C) result(status)
         import
         type(c_ptr), value :: exec, checkpoint
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int) :: status
      end function
      subroutine stn_archive_release(archive) bind(C)
         import
         type(c_ptr), value :: archive
      end subroutine
   end interface

contains

   ! ---- handles

   impure elemental recursive subroutine assign_archive(to, from)
      class(steno_archive_handle), intent(inout) :: to
      type(steno_archive_handle), intent(in) :: from
      type(c_ptr) :: last
      call share_handle(to%handle, from%handle, last)
      call stn_archive_release(last)
   end subroutine

   impure elemental recursive subroutine finalize_archive(archive)
      type(steno_archive_handle), intent(inout) :: archive
      type(c_ptr) :: last
      call release_handle(archive%handle, last)
      call stn_archive_release(last)
   end subroutine

   ! ---- options

   !> A C string at an address; null if it is absent.
   recursive subroutine keep_text(text, letters, address)
      character(*), intent(in), optional :: text
      character(kind=c_char), allocatable, target, intent(inout) :: letters(:)
      type(c_ptr), intent(out) :: address
      integer :: i
      address = c_null_ptr
      if (.not. present(text)) return
      allocate (letters(len_trim(text) + 1))
      do i = 1, len_trim(text)
         letters(i) = text(i:i)
      end do
      letters(size(letters)) = c_null_char
      address = c_loc(letters)
   end subroutine

   !> Extents of blocks, or 1-based indices, of an array of `rank` dimensions, less `base`.
   recursive subroutine keep_indices(indices, rank, base, kept, address, status)
      integer, intent(in), optional :: indices(:)
      integer, intent(in) :: rank, base
      integer(c_int64_t), target, intent(inout) :: kept(STN_MAX_RANK)
      type(c_ptr), intent(out) :: address
      integer(c_int), intent(out) :: status
      status = STENO_OK
      address = c_null_ptr
      if (.not. present(indices)) return
      if (size(indices) /= rank .or. rank > STN_MAX_RANK) then
         status = STENO_ERR_SHAPE
         return
      end if
      kept(:rank) = indices - base
      address = c_loc(kept)
   end subroutine

   ! ---- creation

   recursive subroutine create_archive(archive, format, extents, codec, block, cached_blocks, &
                                       stat, errmsg)
      type(steno_archive_handle), intent(inout) :: archive
      integer(int32), intent(in) :: format
      integer(int64), intent(in) :: extents(:)
      character(*), intent(in), optional :: codec      !< text, such as "zfp:accuracy=1e-6"
      integer, intent(in), optional :: block(:)        !< extents of a block
      integer, intent(in), optional :: cached_blocks   !< decoded blocks that views keep
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(kind=c_char), allocatable, target :: letters(:)
      integer(c_int64_t), target :: shape(STN_MAX_RANK)
      type(c_archive_options) :: options
      type(c_ptr) :: object
      integer(c_int) :: status
      call steno_release(archive)
      call set_options(size(extents), codec, block, cached_blocks, options, letters, shape, status)
      if (status /= STENO_OK) then
         call fail(status, "block does not have the dimensions of the array", stat, errmsg)
         return
      end if
      object = c_null_ptr
      status = stn_archive_create(object, format, size(extents, kind=c_int), extents, options)
      call new_handle(archive%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine create_archive_int32(archive, format, extents, codec, block, &
                                             cached_blocks, stat, errmsg)
      type(steno_archive_handle), intent(inout) :: archive
      integer(int32), intent(in) :: format
      integer(int32), intent(in) :: extents(:)
      character(*), intent(in), optional :: codec
      integer, intent(in), optional :: block(:)
      integer, intent(in), optional :: cached_blocks
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call create_archive(archive, format, int(extents, int64), codec, block, cached_blocks, stat, &
                          errmsg)
   end subroutine

   recursive subroutine set_options(rank, codec, block, cached_blocks, options, letters, shape, &
                                    status)
      integer, intent(in) :: rank
      character(*), intent(in), optional :: codec
      integer, intent(in), optional :: block(:), cached_blocks
      type(c_archive_options), intent(inout) :: options
      character(kind=c_char), allocatable, target, intent(inout) :: letters(:)
      integer(c_int64_t), target, intent(inout) :: shape(STN_MAX_RANK)
      integer(c_int), intent(out) :: status
      options%size = c_sizeof(options)
      if (present(cached_blocks)) options%cached_blocks = cached_blocks
      call keep_text(codec, letters, options%codec)
      call keep_indices(block, rank, 0, shape, options%block, status)
   end subroutine

   !> Creates an archive of the elements of a view, converted to `format`.
   recursive subroutine steno_archive_pack(exec, archive, format, view, codec, block, &
                                           cached_blocks, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_archive_handle), intent(inout) :: archive
      integer(int32), intent(in) :: format
      type(steno_view), intent(in) :: view
      character(*), intent(in), optional :: codec
      integer, intent(in), optional :: block(:)
      integer, intent(in), optional :: cached_blocks
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(kind=c_char), allocatable, target :: letters(:)
      integer(c_int64_t), target :: shape(STN_MAX_RANK)
      type(c_archive_options) :: options
      type(c_ptr) :: object
      integer(c_int) :: status
      call set_options(steno_rank(view), codec, block, cached_blocks, options, letters, shape, &
                       status)
      if (status /= STENO_OK) then
         call fail(status, "block does not have the dimensions of the view", stat, errmsg)
         return
      end if
      object = c_null_ptr
      status = stn_archive_pack(at(exec), object, format, at(view), options)
      call steno_release(archive) ! the view may be one of it
      call new_handle(archive%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Opens a file of steno_archive_save, which is mapped.
   recursive subroutine steno_archive_open(archive, path, stat, errmsg)
      type(steno_archive_handle), intent(inout) :: archive
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: object
      integer(c_int) :: status
      call steno_release(archive)
      object = c_null_ptr
      status = stn_archive_open(object, c_text(path))
      call new_handle(archive%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine steno_archive_save(archive, path, stat, errmsg)
      type(steno_archive_handle), intent(in) :: archive
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_archive_save(object_of(archive%handle), c_text(path)), stat, errmsg)
   end subroutine

   ! ---- properties

   recursive subroutine steno_archive_describe(archive, info, stat, errmsg)
      type(steno_archive_handle), intent(in) :: archive
      type(steno_archive_info), intent(out) :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_archive_info) :: found
      integer(c_int) :: status
      integer :: i
      found%size = c_sizeof(found)
      status = stn_archive_describe(object_of(archive%handle), found)
      info%format = found%format
      info%extent = found%extent(:found%rank)
      info%block = found%block(:found%rank)
      info%codec = ""
      do i = 1, size(found%codec)
         if (found%codec(i) == c_null_char) exit
         info%codec = info%codec//found%codec(i)
      end do
      info%loss = found%loss
      info%is_mapped = found%is_mapped /= 0
      info%error_bound = found%error_bound
      info%blocks = found%blocks
      info%array_bytes = found%array_bytes
      info%bytes = found%bytes
      info%smallest_block = found%smallest_block
      info%largest_block = found%largest_block
      info%ratio = found%ratio
      call check(status, stat, errmsg)
   end subroutine

   !> Number of codecs and filters, including those whose library is missing.
   integer function steno_archive_codec_count()
      steno_archive_codec_count = stn_archive_codec_count()
   end function

   !> Properties of the codec with an index, from 1.
   recursive subroutine steno_archive_codec_describe(index, info, stat, errmsg)
      integer, intent(in) :: index
      type(steno_archive_codec_info), intent(out) :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_archive_codec_info) :: found
      integer(c_int) :: status
      found%size = c_sizeof(found)
      status = stn_archive_codec_describe(int(index - 1, c_int), found)
      info%name = f_text(found%name)
      info%library = f_text(found%library)
      info%parameters = f_text(found%parameters)
      info%loss = found%loss
      info%is_filter = found%is_filter /= 0
      call check(status, stat, errmsg)
   end subroutine

   ! ---- elements

   !> Reads a box of elements, which has the extents of `to`.
   recursive subroutine steno_archive_read(exec, to, archive, first, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(in) :: to
      type(steno_archive_handle), intent(in) :: archive
      integer, intent(in), optional :: first(:) !< indices of its first element; 1 by default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: corner(STN_MAX_RANK)
      type(c_ptr) :: address
      integer(c_int) :: status
      call keep_indices(first, steno_rank(to), 1, corner, address, status)
      if (status /= STENO_OK) then
         call fail(status, "first does not have the dimensions of the view", stat, errmsg)
         return
      end if
      call check(stn_archive_read(at(exec), at(to), object_of(archive%handle), address), stat, &
                 errmsg)
   end subroutine

   !> Writes a box of elements, which has the extents of `from`.
   recursive subroutine steno_archive_write(exec, archive, from, first, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_archive_handle), intent(in) :: archive
      type(steno_view), intent(in) :: from
      integer, intent(in), optional :: first(:) !< indices of its first element; 1 by default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: corner(STN_MAX_RANK)
      type(c_ptr) :: address
      integer(c_int) :: status
      call keep_indices(first, steno_rank(from), 1, corner, address, status)
      if (status /= STENO_OK) then
         call fail(status, "first does not have the dimensions of the view", stat, errmsg)
         return
      end if
      call check(stn_archive_write(at(exec), object_of(archive%handle), at(from), address), stat, &
                 errmsg)
   end subroutine

   !> Decodes every block and checks its checksum.
   recursive subroutine steno_archive_verify(exec, archive, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_archive_handle), intent(in) :: archive
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_archive_verify(at(exec), object_of(archive%handle)), stat, errmsg)
   end subroutine

   !> A view of the elements, which every operation on the host reads and writes.
   recursive subroutine steno_archive_view(view, archive, stat, errmsg)
      type(steno_view), intent(inout) :: view
      type(steno_archive_handle), intent(in) :: archive
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: status
      call new_view(view)
      status = stn_archive_view(at(view), object_of(archive%handle))
      if (status /= STENO_OK) call steno_release(view)
      call check(status, stat, errmsg)
   end subroutine

   ! ---- checkpoints

   !> Saves a checkpoint, compressed by a lossless codec.
   recursive subroutine steno_archive_save_checkpoint(exec, checkpoint, path, codec, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_checkpoint), intent(in) :: checkpoint
      character(*), intent(in) :: path
      character(*), intent(in), optional :: codec
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(kind=c_char), allocatable, target :: letters(:)
      type(c_ptr) :: address
      call keep_text(codec, letters, address)
      call check(stn_archive_save_checkpoint(at(exec), object_of(checkpoint%handle), &
                                             c_text(path), address), stat, errmsg)
   end subroutine

   !> Loads a checkpoint, which must have been created.
   recursive subroutine steno_archive_load_checkpoint(exec, checkpoint, path, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_checkpoint), intent(in) :: checkpoint
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_archive_load_checkpoint(at(exec), object_of(checkpoint%handle), &
                                             c_text(path)), stat, errmsg)
   end subroutine
end module
