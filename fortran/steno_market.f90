!> Matrix Market files. The module is not part of the module steno: programs use it in addition and
!! link with -lsteno_market (CMake: steno::fortran_market).
module steno_market
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_core
   use steno_handles
   use steno_memory
   use steno_views
   use steno_sparse
   use steno_sparse_operations
   implicit none
   private

   !> Field, symmetry and storage of a file.
   integer(int32), parameter, public :: STENO_MARKET_REAL = 0, STENO_MARKET_INTEGER = 1, &
      STENO_MARKET_COMPLEX = 2, STENO_MARKET_PATTERN = 3
   integer(int32), parameter, public :: STENO_MARKET_GENERAL = 0, STENO_MARKET_SYMMETRIC = 1, &
      STENO_MARKET_SKEW = 2, STENO_MARKET_HERMITIAN = 3
   integer(int32), parameter, public :: STENO_MARKET_CSR = 0, STENO_MARKET_DENSE = 1
   !> Flags of steno_market_read_file, to be added.
   integer(int32), parameter, public :: STENO_MARKET_SUM = 1, STENO_MARKET_LENIENT = 2
   !> Deviations that STENO_MARKET_LENIENT accepts; the index of `deviations` is one higher.
   integer(int32), parameter, public :: STENO_MARKET_BYTE_ORDER_MARK = 0, &
      STENO_MARKET_LEADING_BLANKS = 1, STENO_MARKET_REAL_HERMITIAN = 2, &
      STENO_MARKET_ZERO_DIAGONAL = 3, STENO_MARKET_TRAILING_COMMENT = 4, &
      STENO_MARKET_NONFINITE = 5, STENO_MARKET_OVERFLOW = 6

   !> Properties of a file that was read.
   type, public :: steno_market_info
      integer(int32) :: field = 0           !< STENO_MARKET_REAL, ...
      integer(int32) :: symmetry = 0        !< of the file; the matrix has the expanded entries
      integer(int32) :: storage = 0         !< STENO_MARKET_CSR or STENO_MARKET_DENSE
      integer(int64) :: rows = 0            !< number of rows
      integer(int64) :: columns = 0         !< number of columns
      integer(int64) :: stored = 0          !< entries in the file
      integer(int64) :: summed = 0          !< entries that were added to an earlier one
      integer(int64) :: unused_values = 0   !< ignored values after the positions of a pattern
      integer(int64) :: entries = 0         !< entries after expansion
      integer(int64) :: deviations(8) = 0   !< deviations of each kind
   end type

   !> stn_market_matrix.
   type, bind(C), public :: c_market_matrix
      integer(c_size_t) :: size = 0
      integer(c_int) :: field = 0, symmetry = 0, storage = 0
      integer(c_int64_t) :: rows = 0, columns = 0, stored = 0, summed = 0, unused_values = 0
      integer(c_int64_t) :: entries = 0
      type(c_ptr) :: row_start = c_null_ptr, column = c_null_ptr
      integer(c_int32_t) :: value_format = 0
      type(c_ptr) :: values = c_null_ptr
      integer(c_int64_t) :: deviations(8) = 0
   end type

   !> Reads a file, plain or compressed with gzip: a sparse one as a matrix, a dense one as a view of
   !! rank 2 in Fortran order. Values are f64, i64 or c128.
   interface steno_market_read_file
      procedure read_matrix, read_view
   end interface
   !> Writes a file, compressed with gzip if the path ends in ".gz".
   interface steno_market_write_file
      procedure write_matrix, write_view
   end interface

   public :: steno_market_read_file, steno_market_write_file

   interface
      function stn_market_read_file(matrix, path, flags) bind(C) result(status)
         import
         type(c_market_matrix), intent(inout) :: matrix
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value :: flags
         integer(c_int) :: status
      end function
      function stn_market_write_file(matrix, path) bind(C) result(status)
         import
         type(c_market_matrix), intent(in) :: matrix
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int) :: status
      end function
      function stn_market_wrap(made, matrix, label) bind(C) result(status)
         import
         type(c_ptr), value :: made
         type(c_market_matrix), intent(in) :: matrix
         character(kind=c_char), intent(in) :: label(*)
         integer(c_int) :: status
      end function
      subroutine stn_market_release(matrix) bind(C)
         import
         type(c_market_matrix), intent(inout) :: matrix
      end subroutine
   end interface

contains

   ! ---- reading

   recursive subroutine read_matrix(matrix, path, flags, label, info, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      character(*), intent(in) :: path
      integer(int32), intent(in), optional :: flags !< 0 by default
      character(*), intent(in), optional :: label   !< the path by default
      type(steno_market_info), intent(out), optional :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_market_matrix), pointer :: file
      type(matrix_handle), pointer :: handle
      type(c_ptr) :: address
      character(:), allocatable :: name
      integer(c_int) :: status
      name = path
      if (present(label)) name = label
      address = new_matrix(handle)
      allocate (file)
      handle%memory = c_loc(file)
      handle%free => free_file
      call read_file(file, path, flags, info, status)
      if (status == STENO_OK) status = stn_market_wrap(address, file, c_text(name))
      call keep_matrix(matrix, handle, status, stat, errmsg)
   end subroutine

   recursive subroutine read_file(file, path, flags, info, status)
      type(c_market_matrix), intent(inout) :: file
      character(*), intent(in) :: path
      integer(int32), intent(in), optional :: flags
      type(steno_market_info), intent(out), optional :: info
      integer(c_int), intent(out) :: status
      integer(c_int) :: options
      options = 0
      if (present(flags)) options = flags
      file%size = c_sizeof(file)
      status = stn_market_read_file(file, c_text(path), options)
      if (present(info)) info = steno_market_info(file%field, file%symmetry, file%storage, &
         file%rows, file%columns, file%stored, file%summed, file%unused_values, file%entries, &
         file%deviations)
   end subroutine

   !> Releases a file after the matrix that refers to it.
   recursive subroutine free_file(memory)
      type(c_ptr), intent(in) :: memory
      type(c_market_matrix), pointer :: file
      call c_f_pointer(memory, file)
      call stn_market_release(file)
      deallocate (file)
   end subroutine

   recursive subroutine read_view(view, path, flags, label, info, stat, errmsg)
      type(steno_view), intent(inout) :: view
      character(*), intent(in) :: path
      integer(int32), intent(in), optional :: flags
      character(*), intent(in), optional :: label
      type(steno_market_info), intent(out), optional :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_market_matrix) :: file
      type(steno_view) :: by_row
      type(steno_executor) :: calling_thread
      type(steno_storage) :: storage
      character(512) :: message
      integer(c_int) :: read
      integer :: status
      message = ""
      call read_file(file, path, flags, info, read)
      if (read /= STENO_OK) then
         call check(read, stat, errmsg)
         return
      end if
      if (file%storage /= STENO_MARKET_DENSE) then
         status = STENO_ERR_UNSUPPORTED
         message = trim(path)//": a sparse matrix is not read as a view"
      else
         storage%format = file%value_format
         call steno_wrap_address(by_row, file%values, storage, [file%rows, file%columns], &
                                 [file%columns, 1_int64], stat=status, errmsg=message)
         if (status == STENO_OK) &
            call steno_create(calling_thread, view, storage, [file%rows, file%columns], &
                              label=label, stat=status, errmsg=message)
         if (status == STENO_OK) &
            call steno_copy(calling_thread, view, by_row, stat=status, errmsg=message)
      end if
      call steno_release(by_row)
      call stn_market_release(file)
      call finish(status, message, stat, errmsg)
   end subroutine

   recursive subroutine finish(status, message, stat, errmsg)
      integer, intent(in) :: status
      character(*), intent(in) :: message
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      if (status /= STENO_OK) then
         call fail(int(status, c_int), trim(message), stat, errmsg)
      else if (present(stat)) then
         stat = STENO_OK
      end if
   end subroutine

   ! ---- writing

   recursive subroutine write_matrix(matrix, path, stat, errmsg)
      type(steno_matrix), intent(in) :: matrix
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_executor) :: calling_thread
      type(steno_matrix) :: plain, sorted
      type(steno_matrix_info) :: info
      type(steno_view) :: row_start, column, values, scales
      type(c_market_matrix) :: file
      character(512) :: message
      integer :: status
      message = ""
      call steno_matrix_describe(matrix, info, stat=status, errmsg=message)
      if (status == STENO_OK) &
         call steno_get_views(matrix, values=values, row_scales=scales, stat=status, errmsg=message)
      if (status == STENO_OK) &
         call choose_format(file, info%storage, has_scales(values) .or. steno_count(scales) > 0, &
                            status, message)
      if (status == STENO_OK) &
         call steno_convert(calling_thread, plain, matrix, STENO_MATRIX_CSR, &
                            steno_storage(file%value_format), stat=status, errmsg=message)
      if (status == STENO_OK) &
         call steno_sort(calling_thread, sorted, plain, stat=status, errmsg=message)
      if (status == STENO_OK) &
         call steno_get_views(sorted, row_start=row_start, column=column, values=values, &
                              stat=status, errmsg=message)
      if (status == STENO_OK) then
         file%rows = info%rows
         file%columns = info%columns
         file%entries = steno_count(values)
         file%row_start = row_start%c%data
         file%column = column%c%data
         file%values = values%c%data
         call write_file(file, path, status, message)
      end if
      call finish(status, message, stat, errmsg)
   end subroutine

   recursive subroutine write_view(view, path, stat, errmsg)
      type(steno_view), intent(in) :: view
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_executor) :: calling_thread
      type(steno_view) :: by_row
      type(c_market_matrix) :: file
      character(512) :: message
      integer :: status
      message = ""
      if (steno_rank(view) /= 2) then
         call fail(STENO_ERR_SHAPE, "a Matrix Market file needs a view of rank 2", stat, errmsg)
         return
      end if
      call choose_format(file, steno_storage_of(view), has_scales(view), status, message)
      if (status == STENO_OK) &
         call steno_create(calling_thread, by_row, steno_storage(file%value_format), &
                           steno_shape(view), layout="right", stat=status, errmsg=message)
      if (status == STENO_OK) &
         call steno_copy(calling_thread, by_row, view, stat=status, errmsg=message)
      if (status == STENO_OK) then
         file%storage = STENO_MARKET_DENSE
         file%rows = steno_extent(view, 1)
         file%columns = steno_extent(view, 2)
         file%entries = steno_count(view)
         file%values = by_row%c%data
         call write_file(file, path, status, message)
      end if
      call finish(status, message, stat, errmsg)
   end subroutine

   recursive logical function has_scales(view)
      type(steno_view), intent(in) :: view
      type(steno_view) :: scales
      integer :: stat
      call steno_get_scales(view, scales, stat=stat)
      has_scales = steno_count(scales) > 0
   end function

   !> Field and format of the values: integers without scales remain integers.
   recursive subroutine choose_format(file, storage, scaled, status, message)
      type(c_market_matrix), intent(inout) :: file
      type(steno_storage), intent(in) :: storage
      logical, intent(in) :: scaled !< there are scales in addition to that of the storage
      integer, intent(out) :: status
      character(*), intent(inout) :: message
      type(steno_format_info) :: info
      file%field = STENO_MARKET_REAL
      file%value_format = STENO_F64
      call steno_format_describe(storage%format, info, stat=status, errmsg=message)
      if (info%kind == STENO_CLASS_COMPLEX) then
         file%field = STENO_MARKET_COMPLEX
         file%value_format = STENO_C128
      else if (info%kind == STENO_CLASS_INTEGER .and. storage%scale == 1 .and. &
               storage%zero == 0 .and. .not. scaled) then
         file%field = STENO_MARKET_INTEGER
         file%value_format = STENO_I64
      end if
   end subroutine

   recursive subroutine write_file(file, path, status, message)
      type(c_market_matrix), intent(inout) :: file
      character(*), intent(in) :: path
      integer, intent(out) :: status
      character(*), intent(inout) :: message
      file%size = c_sizeof(file)
      file%stored = file%entries
      call check(stn_market_write_file(file, c_text(path)), status, message)
   end subroutine
end module
