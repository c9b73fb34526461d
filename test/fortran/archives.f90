!> Archives: packed, read, written and opened again; views of them; checkpoints; errors.
program test_archives
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
   use checks
   use steno
   use steno_archive
   implicit none
   type(steno_executor) :: exec
   call steno_executor_create(exec, "reference")
   call pack_and_read()
   call write_and_open()
   call codecs()
   call checkpoints()
   call errors()
   call steno_release(exec)
   call finish()
contains

   subroutine pack_and_read()
      real(real64), target :: a(20, 7, 5), part(3, 2, 4)
      type(steno_archive_handle) :: archive, same
      type(steno_archive_info) :: info
      type(steno_view) :: view, to, all
      integer :: i
      a = reshape([(0.5_real64*i, i=1, size(a))], shape(a))
      call steno_wrap(view, a)
      call steno_archive_pack(exec, archive, STENO_F32, view, codec="none", block=[8, 4, 2])
      call steno_archive_describe(archive, info)
      call expect(all_equal(info%extent, [20, 7, 5]) .and. all_equal(info%block, [8, 4, 2]), &
                  "extents of an archive")
      call expect(info%codec == "none" .and. info%format == STENO_F32 .and. info%blocks == 18, &
                  "properties of an archive")
      same = archive
      call steno_release(archive)
      call steno_wrap(to, part)
      call steno_archive_read(exec, to, same, [17, 6, 2])
      call expect(maxval(abs(part - a(17:19, 6:7, 2:5))) == 0, "a box from the middle")
      call steno_archive_read(exec, to, same)
      call expect(maxval(abs(part - a(:3, :2, :4))) == 0, "the first box")
      call steno_archive_view(all, same)
      call steno_release(same) ! the view keeps it
      a = 0
      call steno_copy(exec, view, all)
      call expect(a(20, 7, 5) == 350 .and. a(2, 1, 1) == 1, "a view of an archive")
   end subroutine

   logical function all_equal(found, expected)
      integer(int64), intent(in) :: found(:)
      integer, intent(in) :: expected(:)
      all_equal = size(found) == size(expected)
      if (all_equal) all_equal = all(found == expected)
   end function

   subroutine write_and_open()
      character(*), parameter :: path = "archive-test.stn"
      real(real32), target :: column(6), found(6, 4)
      type(steno_archive_handle) :: archive, opened
      type(steno_archive_info) :: info
      type(steno_view) :: from, to
      integer :: unit
      column = [1, 2, 3, 4, 5, 6]
      call steno_archive_create(archive, STENO_F32, [6, 4], cached_blocks=2)
      call steno_wrap(from, column(6:1:-1))
      call steno_insert_axis(from, from, 2)
      call steno_archive_write(exec, archive, from, [1, 3])
      call steno_archive_save(archive, path)
      call steno_archive_open(opened, path)
      call steno_archive_verify(exec, opened)
      call steno_archive_describe(opened, info)
      call expect(info%is_mapped .and. info%error_bound == 0 .and. &
                  info%loss == STENO_ARCHIVE_LOSSLESS, "an opened archive")
      call steno_wrap(to, found)
      found = -1
      call steno_archive_read(exec, to, opened)
      call expect(all(found(:, 3) == column(6:1:-1)) .and. all(found(:, [1, 2, 4]) == 0), &
                  "a column of an archive")
      call steno_release(opened)
      open (newunit=unit, file=path)
      close (unit, status="delete")
   end subroutine

   subroutine codecs()
      type(steno_archive_codec_info) :: info
      integer :: k, lossless, stat
      lossless = 0
      do k = 1, steno_archive_codec_count()
         call steno_archive_codec_describe(k, info)
         if (info%loss == STENO_ARCHIVE_LOSSLESS) lossless = lossless + 1
      end do
      call expect(lossless > 2, "codecs")
      call steno_archive_codec_describe(0, info, stat)
      call expect(stat == STENO_ERR_RANGE, "the codec with index 0")
   end subroutine

   subroutine checkpoints()
      character(*), parameter :: path = "checkpoint-test.stn"
      type(steno_checkpoint) :: checkpoint
      integer :: stat
      character(200) :: message
      call steno_checkpoint_create(checkpoint)
      call steno_archive_save_checkpoint(exec, checkpoint, path, "none", stat, message)
      call expect(stat == STENO_ERR_ARGUMENT, "an empty checkpoint")
      call steno_archive_load_checkpoint(exec, checkpoint, "missing.stn", stat, message)
      call expect(stat == STENO_ERR_IO, "a missing checkpoint")
   end subroutine

   subroutine errors()
      real(real64), target :: a(4)
      type(steno_archive_handle) :: archive, none
      type(steno_archive_info) :: info
      type(steno_view) :: view
      integer :: stat
      character(200) :: message
      call steno_wrap(view, a)
      call steno_archive_pack(exec, archive, STENO_F64, view, codec="zip", stat=stat, errmsg=message)
      call expect(stat /= STENO_OK .and. index(message, "zip") > 0, "an unknown codec")
      call steno_archive_pack(exec, archive, STENO_F64, view, block=[2, 2], stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "a block of another rank")
      call steno_archive_describe(none, info, stat)
      call expect(stat == STENO_ERR_ARGUMENT .and. size(info%extent) == 0, "no archive")
      call steno_archive_view(view, none, stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a view of no archive")
      call steno_archive_create(archive, STENO_F64, [4])
      call steno_wrap(view, a)
      call steno_archive_read(exec, view, archive, [2], stat)
      call expect(stat == STENO_ERR_RANGE, "a box that ends outside")
   end subroutine
end program
