!> Sparse matrices: creation, conversion, products and triangular systems. Row and column numbers of
!! arguments count from 1; index arrays count from the `base` that the program declares.
module steno_sparse
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_c_operations
   use steno_core
   use steno_handles
   use steno_memory
   use steno_arrays
   implicit none
   private

   !> Kinds of matrices, and treatment of repeated entries of STENO_MATRIX_COO in conversions.
   integer(int32), parameter, public :: STENO_MATRIX_AUTO = 0, STENO_MATRIX_CSR = 1, &
      STENO_MATRIX_SLICED = 2, STENO_MATRIX_COO = 3, STENO_MATRIX_ELL = 4, STENO_MATRIX_SELL = 5, &
      STENO_MATRIX_PACKED = 6
   integer(int32), parameter, public :: STENO_DUPLICATES_REFUSE = 0, STENO_DUPLICATES_SUM = 1, &
      STENO_DUPLICATES_KEEP = 2

   !> A linear map that solvers apply: a matrix, a preconditioner, or a type of the program that
   !! extends this one.
   type, abstract, public :: steno_operator
   contains
      procedure(apply_operator), deferred :: apply
   end type

   abstract interface
      !> y = A x. x and y are contiguous, in the arithmetic type; x must not be written.
      subroutine apply_operator(self, exec, arithmetic, x, y, stat)
         import :: steno_operator, steno_executor, steno_view, int32
         class(steno_operator), intent(inout) :: self
         type(steno_executor), intent(in) :: exec
         integer(int32), intent(in) :: arithmetic
         type(steno_view), intent(in) :: x, y
         integer, intent(out) :: stat !< STENO_OK; another status ends the solve
      end subroutine
   end interface

   abstract interface
      subroutine free_memory(memory)
         import :: c_ptr
         type(c_ptr), intent(in) :: memory
      end subroutine
   end interface

   type, public :: matrix_handle
      type(c_ptr) :: object = c_null_ptr
      integer :: uses = 1
      type(steno_view), allocatable :: arrays(:) !< views that the matrix refers to
      type(c_ptr) :: memory = c_null_ptr         !< released after the object, by `free`
      procedure(free_memory), pointer, nopass :: free => null()
   end type

   !> A sparse matrix. Assignment creates a further handle.
   type, extends(steno_operator), public :: steno_matrix
      type(matrix_handle), pointer :: handle => null() !< for this library only
   contains
      procedure :: apply => apply_matrix
      procedure, private :: assign_matrix
      generic :: assignment(=) => assign_matrix
      final :: finalize_matrix
   end type

   !> Properties of a matrix.
   type, public :: steno_matrix_info
      integer(int32) :: kind = 0         !< STENO_MATRIX_CSR, ...
      integer(int64) :: rows = 0         !< number of rows
      integer(int64) :: columns = 0      !< number of columns
      integer(int64) :: entries = 0      !< number of stored entries
      integer(int64) :: bytes = 0        !< size of all arrays
      type(steno_storage) :: storage     !< storage of the values
      integer(int64) :: height = 0       !< SELL: rows per slice
      integer(int64) :: sigma = 0        !< SELL: rows that are sorted together
   end type

   interface at
      procedure at_matrix
   end interface
   interface steno_release
      procedure finalize_matrix
   end interface
   !> Wraps compressed sparse rows. If `base` is 1 (the default), row_start and column count from 1
   !! and are copied; if it is 0, nothing is copied. Values are never copied.
   interface steno_wrap_csr
      procedure wrap_csr_int32, wrap_csr_int64
   end interface
   !> Wraps coordinates, as steno_wrap_csr does.
   interface steno_wrap_coo
      procedure wrap_coo_int32, wrap_coo_int64
   end interface
   !> y = alpha A x + beta y.
   interface steno_spmv
      procedure spmv_real, spmv_complex
   end interface

   public :: at, new_matrix, keep_matrix
   public :: steno_release, steno_wrap_csr, steno_wrap_coo, steno_wrap_matrix
   public :: steno_get_views, steno_matrix_describe, steno_matrix_mirror, steno_set_row_scales
   public :: steno_convert, steno_convert_sell, steno_spmv, steno_spmv_transposed, steno_residual

   interface
      function stn_sparse_convert(exec, made, a, kind, storage) bind(C) result(status)
         import
         type(c_ptr), value :: exec, made, a, storage
         integer(c_int), value :: kind
         integer(c_int) :: status
      end function
      function stn_sparse_convert_sell(exec, made, a, height, sigma, storage) bind(C) &
         result(status)
         import
         type(c_ptr), value :: exec, made, a, storage
         integer(c_int64_t), value :: height, sigma
         integer(c_int) :: status
      end function
   end interface

contains

   ! ---- handles

   impure elemental recursive subroutine assign_matrix(to, from)
      class(steno_matrix), intent(inout) :: to
      type(steno_matrix), intent(in) :: from
      type(matrix_handle), pointer :: same
      same => from%handle
      if (associated(same)) same%uses = same%uses + 1
      call release_matrix(to%handle)
      to%handle => same
   end subroutine

   impure elemental recursive subroutine finalize_matrix(matrix)
      type(steno_matrix), intent(inout) :: matrix
      call release_matrix(matrix%handle)
   end subroutine

   recursive subroutine release_matrix(handle)
      type(matrix_handle), pointer, intent(inout) :: handle
      if (.not. associated(handle)) return
      handle%uses = handle%uses - 1
      if (handle%uses == 0) then
         call stn_matrix_release(handle%object)
         if (allocated(handle%arrays)) then
            call steno_release(handle%arrays)
            deallocate (handle%arrays)
         end if
         if (associated(handle%free)) call handle%free(handle%memory)
         deallocate (handle)
      end if
      handle => null()
   end subroutine

   recursive function at_matrix(matrix) result(object)
      type(steno_matrix), intent(in) :: matrix
      type(c_ptr) :: object
      object = c_null_ptr
      if (associated(matrix%handle)) object = matrix%handle%object
   end function

   !> Address of the object of a new handle, for a C function that creates the matrix.
   recursive function new_matrix(handle) result(address)
      type(matrix_handle), pointer, intent(inout) :: handle
      type(c_ptr) :: address
      allocate (handle)
      address = c_loc(handle%object)
   end function

   !> After the creation: `matrix` has the new handle, or none on an error.
   recursive subroutine keep_matrix(matrix, handle, status, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      type(matrix_handle), pointer, intent(inout) :: handle
      integer(c_int), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call release_matrix(matrix%handle)
      matrix%handle => handle
      if (status /= STENO_OK) call release_matrix(matrix%handle)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine apply_matrix(self, exec, arithmetic, x, y, stat)
      class(steno_matrix), intent(inout) :: self
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      integer, intent(out) :: stat
      call steno_spmv(exec, arithmetic, 1.0_real64, self, x, 0.0_real64, y, stat)
   end subroutine

   ! ---- creation

   !> Wraps views of index arrays that count from 0 as a matrix of any kind but STENO_MATRIX_SLICED.
   !! sparse.h describes the arrays of each kind.
   recursive subroutine steno_wrap_matrix(matrix, kind, rows, columns, row_start, row, &
                                          slice_start, row_position, column, values, row_scales, &
                                          height, duplicates, label, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      integer(int32), intent(in) :: kind
      integer(int64), intent(in) :: rows, columns
      type(steno_view), intent(in), optional :: row_start, row, slice_start, row_position
      type(steno_view), intent(in), optional :: column, values, row_scales
      integer(int64), intent(in), optional :: height
      integer(int32), intent(in), optional :: duplicates
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_matrix_views), target :: c
      type(c_ptr) :: made
      integer(c_int) :: status
      made = new_matrix(handle)
      allocate (handle%arrays(7))
      c%size = c_sizeof(c)
      c%kind = kind
      c%rows = rows
      c%columns = columns
      if (present(height)) c%height = height
      if (present(duplicates)) c%duplicates = duplicates
      call take(c%row_start, handle%arrays(1), row_start)
      call take(c%row, handle%arrays(2), row)
      call take(c%slice_start, handle%arrays(3), slice_start)
      call take(c%row_position, handle%arrays(4), row_position)
      call take(c%column, handle%arrays(5), column)
      call take(c%values, handle%arrays(6), values)
      call take(c%row_scales, handle%arrays(7), row_scales)
      status = stn_matrix_wrap_views(made, c_loc(c))
      if (status == STENO_OK .and. present(label)) &
         status = stn_matrix_set_label(handle%object, c_text(label))
      call keep_matrix(matrix, handle, status, stat, errmsg)
   end subroutine

   recursive subroutine take(struct, kept, view)
      type(c_view), intent(inout) :: struct
      type(steno_view), intent(inout) :: kept
      type(steno_view), intent(in), optional :: view
      if (.not. present(view)) return
      kept = view
      if (associated(kept%c)) struct = kept%c
   end subroutine

   recursive subroutine wrap_csr_int32(matrix, rows, columns, row_start, column, values, base, &
                                       label, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      integer, intent(in) :: rows, columns
      integer(int32), pointer, intent(in) :: row_start(:), column(:)
      type(steno_view), intent(in) :: values
      integer, intent(in), optional :: base
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: starts, indices
      call from_base_int32(starts, row_start, "row_start", base, stat, errmsg)
      if (succeeded(stat)) call from_base_int32(indices, column, "column", base, stat, errmsg)
      if (.not. succeeded(stat)) then
         call steno_release(matrix)
         return
      end if
      call steno_wrap_matrix(matrix, STENO_MATRIX_CSR, int(rows, int64), int(columns, int64), &
                             row_start=starts, column=indices, values=values, label=label, &
                             stat=stat, errmsg=errmsg)
   end subroutine

   recursive subroutine wrap_csr_int64(matrix, rows, columns, row_start, column, values, base, &
                                       label, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      integer, intent(in) :: rows, columns
      integer(int64), pointer, intent(in) :: row_start(:), column(:)
      type(steno_view), intent(in) :: values
      integer, intent(in), optional :: base
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: starts, indices
      call from_base_int64(starts, row_start, "row_start", base, stat, errmsg)
      if (succeeded(stat)) call from_base_int64(indices, column, "column", base, stat, errmsg)
      if (.not. succeeded(stat)) then
         call steno_release(matrix)
         return
      end if
      call steno_wrap_matrix(matrix, STENO_MATRIX_CSR, int(rows, int64), int(columns, int64), &
                             row_start=starts, column=indices, values=values, label=label, &
                             stat=stat, errmsg=errmsg)
   end subroutine

   recursive subroutine wrap_coo_int32(matrix, rows, columns, row, column, values, base, &
                                       duplicates, label, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      integer, intent(in) :: rows, columns
      integer(int32), pointer, intent(in) :: row(:), column(:)
      type(steno_view), intent(in) :: values
      integer, intent(in), optional :: base
      integer(int32), intent(in), optional :: duplicates
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: indices(2)
      call from_base_int32(indices(1), row, "row", base, stat, errmsg)
      if (succeeded(stat)) call from_base_int32(indices(2), column, "column", base, stat, errmsg)
      if (.not. succeeded(stat)) then
         call steno_release(matrix)
         return
      end if
      call steno_wrap_matrix(matrix, STENO_MATRIX_COO, int(rows, int64), int(columns, int64), &
                             row=indices(1), column=indices(2), values=values, &
                             duplicates=duplicates, label=label, stat=stat, errmsg=errmsg)
   end subroutine

   recursive subroutine wrap_coo_int64(matrix, rows, columns, row, column, values, base, &
                                       duplicates, label, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      integer, intent(in) :: rows, columns
      integer(int64), pointer, intent(in) :: row(:), column(:)
      type(steno_view), intent(in) :: values
      integer, intent(in), optional :: base
      integer(int32), intent(in), optional :: duplicates
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: indices(2)
      call from_base_int64(indices(1), row, "row", base, stat, errmsg)
      if (succeeded(stat)) call from_base_int64(indices(2), column, "column", base, stat, errmsg)
      if (.not. succeeded(stat)) then
         call steno_release(matrix)
         return
      end if
      call steno_wrap_matrix(matrix, STENO_MATRIX_COO, int(rows, int64), int(columns, int64), &
                             row=indices(1), column=indices(2), values=values, &
                             duplicates=duplicates, label=label, stat=stat, errmsg=errmsg)
   end subroutine

   !> A view of indices that count from 0: a wrapped array, or a copy if they count from 1.
   recursive subroutine from_base_int32(view, indices, name, base, stat, errmsg)
      type(steno_view), intent(inout) :: view
      integer(int32), pointer, intent(in) :: indices(:)
      character(*), intent(in) :: name
      integer, intent(in), optional :: base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_executor) :: calling_thread
      integer(int32), pointer :: copy(:)
      integer :: first
      first = 1
      if (present(base)) first = base
      if (.not. associated(indices)) then
         call fail(STENO_ERR_ARGUMENT, name//" is a pointer that is not associated, or is not &
                   &allocated", stat, errmsg)
      else if (first == 0) then
         call steno_wrap(view, indices, stat=stat, errmsg=errmsg)
      else
         call steno_create(calling_thread, view, steno_storage(STENO_I32), &
                           [size(indices, kind=int64)], stat=stat, errmsg=errmsg)
         if (.not. succeeded(stat)) return
         call steno_array(view, copy)
         if (associated(copy)) copy = indices - first
      end if
   end subroutine

   recursive subroutine from_base_int64(view, indices, name, base, stat, errmsg)
      type(steno_view), intent(inout) :: view
      integer(int64), pointer, intent(in) :: indices(:)
      character(*), intent(in) :: name
      integer, intent(in), optional :: base
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_executor) :: calling_thread
      integer(int64), pointer :: copy(:)
      integer :: first
      first = 1
      if (present(base)) first = base
      if (.not. associated(indices)) then
         call fail(STENO_ERR_ARGUMENT, name//" is a pointer that is not associated, or is not &
                   &allocated", stat, errmsg)
      else if (first == 0) then
         call steno_wrap(view, indices, stat=stat, errmsg=errmsg)
      else
         call steno_create(calling_thread, view, steno_storage(STENO_I64), &
                           [size(indices, kind=int64)], stat=stat, errmsg=errmsg)
         if (.not. succeeded(stat)) return
         call steno_array(view, copy)
         if (associated(copy)) copy = indices - first
      end if
   end subroutine

   !> Did a call succeed that has returned with this optional argument?
   pure recursive logical function succeeded(stat)
      integer, intent(in), optional :: stat
      succeeded = .true.
      if (present(stat)) succeeded = stat == STENO_OK
   end function

   !> Properties of a matrix.
   recursive subroutine steno_matrix_describe(matrix, info, stat, errmsg)
      type(steno_matrix), intent(in) :: matrix
      type(steno_matrix_info), intent(out) :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_matrix_info), target :: found
      integer(c_int) :: status
      found%size = c_sizeof(found)
      status = stn_matrix_describe(at(matrix), c_loc(found))
      if (status == STENO_OK) then
         info = steno_matrix_info(found%kind, found%rows, found%columns, found%entries, &
                                  found%bytes, f_storage_of(found%storage), found%height, &
                                  found%sigma)
      end if
      call check(status, stat, errmsg)
   end subroutine

   !> Creates views of the arrays of a matrix, which must live as long as they do. They are
   !! read-only, and indices count from 0. Arrays that the kind does not have are empty views.
   recursive subroutine steno_get_views(matrix, row_start, row, slice_start, row_position, &
                                        column, values, row_scales, stat, errmsg)
      type(steno_matrix), intent(in) :: matrix
      type(steno_view), intent(inout), optional :: row_start, row, slice_start, row_position
      type(steno_view), intent(inout), optional :: column, values, row_scales
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_matrix_views), target :: c
      integer(c_int) :: status
      c%size = c_sizeof(c)
      status = stn_matrix_get_views(at(matrix), c_loc(c))
      if (status == STENO_OK) then
         call keep_array(row_start, c%row_start, status)
         call keep_array(row, c%row, status)
         call keep_array(slice_start, c%slice_start, status)
         call keep_array(row_position, c%row_position, status)
         call keep_array(column, c%column, status)
         call keep_array(values, c%values, status)
         call keep_array(row_scales, c%row_scales, status)
      end if
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine keep_array(view, array, status)
      type(steno_view), intent(inout), optional :: view
      type(c_view), intent(in), target :: array
      integer(c_int), intent(inout) :: status
      if (.not. present(view) .or. status /= STENO_OK) return
      call new_view(view)
      if (array%size /= 0) status = stn_view_share(at(view), c_loc(array))
   end subroutine

   !> Multiplies row r by scales(r). The matrix keeps a handle of the view.
   recursive subroutine steno_set_row_scales(matrix, scales, stat, errmsg)
      type(steno_matrix), intent(inout) :: matrix
      type(steno_view), intent(in) :: scales
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: status
      status = stn_matrix_set_row_scales(at(matrix), at(scales))
      if (status == STENO_OK) then
         if (.not. allocated(matrix%handle%arrays)) allocate (matrix%handle%arrays(7))
         matrix%handle%arrays(7) = scales
      end if
      call check(status, stat, errmsg)
   end subroutine

   ! ---- conversion

   !> Copies a matrix to the memory of an executor, or to the host.
   recursive subroutine steno_matrix_mirror(exec, made, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_ptr) :: address
      address = new_matrix(handle)
      call keep_matrix(made, handle, stn_matrix_mirror(at(exec), address, at(a)), stat, errmsg)
   end subroutine

   !> Converts a matrix to another kind and, with `storage`, to another storage of its values.
   recursive subroutine steno_convert(exec, made, a, kind, storage, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in) :: kind
      type(steno_storage), intent(in), optional :: storage
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_storage), target :: stored
      type(c_ptr) :: address, stored_at
      integer(c_int) :: status
      address = new_matrix(handle)
      stored_at = c_null_ptr
      if (present(storage)) then
         stored = c_storage_of(storage)
         stored_at = c_loc(stored)
      end if
      status = stn_sparse_convert(at(exec), address, at(a), kind, stored_at)
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Converts a matrix to STENO_MATRIX_SELL with slices of `height` rows, sorted within `sigma`.
   recursive subroutine steno_convert_sell(exec, made, a, height, sigma, storage, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(in) :: height, sigma
      type(steno_storage), intent(in), optional :: storage
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_storage), target :: stored
      type(c_ptr) :: address, stored_at
      integer(c_int) :: status
      address = new_matrix(handle)
      stored_at = c_null_ptr
      if (present(storage)) then
         stored = c_storage_of(storage)
         stored_at = c_loc(stored)
      end if
      status = stn_sparse_convert_sell(at(exec), address, at(a), int(height, c_int64_t), &
                                       int(sigma, c_int64_t), stored_at)
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   ! ---- products

   recursive subroutine spmv_real(exec, arithmetic, alpha, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha, beta
      type(steno_matrix), intent(in) :: a
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_spmv(at(exec), arithmetic, alpha, at(a), at(x), beta, at(y)), stat, errmsg)
   end subroutine

   recursive subroutine spmv_complex(exec, arithmetic, alpha, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(in) :: alpha, beta
      type(steno_matrix), intent(in) :: a
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_spmv_complex(at(exec), arithmetic, c_number(alpha%re, alpha%im), at(a), &
                                  at(x), c_number(beta%re, beta%im), at(y)), stat, errmsg)
   end subroutine

   !> y = alpha A^T x + beta y. Each call creates the transpose.
   recursive subroutine steno_spmv_transposed(exec, arithmetic, alpha, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha, beta
      type(steno_matrix), intent(in) :: a
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_spmv_transposed(at(exec), arithmetic, alpha, at(a), at(x), beta, at(y)), &
                 stat, errmsg)
   end subroutine

   !> r = b - A x in one pass.
   recursive subroutine steno_residual(exec, arithmetic, r, b, a, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: r, b
      type(steno_matrix), intent(in) :: a
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_sparse_residual(at(exec), arithmetic, at(r), at(b), at(a), at(x)), stat, &
                 errmsg)
   end subroutine
end module
