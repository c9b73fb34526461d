!> Operations on sparse matrices: transposes, triangular systems, parts, sums, values, norms, and the
!! storage that products read. Rows, columns and permutations count from 1.
module steno_sparse_operations
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_c_operations
   use steno_core
   use steno_handles
   use steno_sparse
   implicit none
   private

   !> Norms of rows and columns.
   integer(int32), parameter, public :: STENO_SPARSE_NORM_1 = 1, STENO_SPARSE_NORM_2 = 2, &
      STENO_SPARSE_NORM_INF = 3
   !> Rows and columns that steno_equilibrate scales.
   integer(int32), parameter, public :: STENO_EQUILIBRATE_BOTH = 0, STENO_EQUILIBRATE_ROWS = 1, &
      STENO_EQUILIBRATE_COLUMNS = 2
   !> How steno_matrix_optimize decides.
   integer(int32), parameter, public :: STENO_OPTIMIZE_TIMED = 0, STENO_OPTIMIZE_MODEL = 1

   !> A triangle of a matrix. Assignment creates a further handle; only one solve at a time may use
   !! an object.
   type, public :: steno_triangular
      private
      type(shared_handle), pointer :: handle => null()
   contains
      procedure, private :: assign_triangular
      generic :: assignment(=) => assign_triangular
      final :: finalize_triangular
   end type

   !> Properties of a triangle.
   type, public :: steno_triangular_info
      integer(int64) :: rows = 0   !< number of rows
      integer(int64) :: levels = 0 !< number of levels, whose rows are solved in parallel
      integer(int64) :: bytes = 0  !< bytes that a solve reads in addition to the vectors
   end type

   !> Decision of steno_matrix_optimize.
   type, public :: steno_optimize_report
      integer(int32) :: kind = 0              !< kind of storage that products read
      integer(int32) :: other_kind = 0        !< fastest other kind; STENO_MATRIX_AUTO: none compared
      integer(int64) :: bytes = 0             !< size of the copy; 0: there is no copy
      real(real64) :: original_seconds = 0    !< per product with the arrays; 0: not determined
      real(real64) :: other_seconds = 0       !< per product with the other kind
      real(real64) :: conversion_seconds = 0  !< duration of the conversion
      logical :: is_timed = .false.           !< times are measured, not estimated
      character(252) :: reason = ""           !< the decision and its reason as a sentence
   end type

   interface steno_release
      procedure finalize_triangular
   end interface
   interface steno_permute
      procedure permute_matrix
   end interface

   public :: steno_release, steno_transpose, steno_sort, steno_permute, steno_extract
   public :: steno_from_diagonal, steno_identity, steno_diagonal, steno_scale, steno_add
   public :: steno_compensate, steno_equilibrate, steno_row_norms, steno_column_norms
   public :: steno_triangular_create, steno_triangular_solve, steno_triangular_describe
   public :: steno_matrix_optimize, steno_matrix_prepare_transpose, steno_matrix_update_values
   public :: steno_sparse_bytes

   interface
      subroutine stn_triangular_release(t) bind(C)
         import
         type(c_ptr), value :: t
      end subroutine
      function stn_triangular_create(exec, made, a, triangle, diagonal) bind(C) result(status)
         import
         type(c_ptr), value :: exec, made, a
         integer(c_int), value :: triangle, diagonal
         integer(c_int) :: status
      end function
      function stn_sparse_extract(exec, made, a, first_row, rows, first_column, columns) bind(C) &
         result(status)
         import
         type(c_ptr), value :: exec, made, a
         integer(c_int64_t), value :: first_row, rows, first_column, columns
         integer(c_int) :: status
      end function
      function stn_sparse_identity(exec, made, label, storage, rows) bind(C) result(status)
         import
         type(c_ptr), value :: exec, made, label, storage
         integer(c_int64_t), value :: rows
         integer(c_int) :: status
      end function
      function stn_sparse_bytes(a, kind, format, bytes) bind(C) result(status)
         import
         type(c_ptr), value :: a
         integer(c_int), value :: kind
         integer(c_int32_t), value :: format
         integer(c_int64_t), intent(inout) :: bytes
         integer(c_int) :: status
      end function
      function stn_matrix_optimize(exec, arithmetic, a, products, options, report) bind(C) &
         result(status)
         import
         type(c_ptr), value :: exec, a, options, report
         integer(c_int32_t), value :: arithmetic
         integer(c_int64_t), value :: products
         integer(c_int) :: status
      end function
      function stn_matrix_prepare_transpose(exec, a) bind(C) result(status)
         import
         type(c_ptr), value :: exec, a
         integer(c_int) :: status
      end function
      function stn_matrix_update_values(exec, a) bind(C) result(status)
         import
         type(c_ptr), value :: exec, a
         integer(c_int) :: status
      end function
   end interface

contains

   ! ---- order and selection of entries

   !> Creates the transpose.
   recursive subroutine steno_transpose(exec, made, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_ptr) :: address
      address = new_matrix(handle)
      call keep_matrix(made, handle, stn_sparse_transpose(at(exec), address, at(a)), stat, errmsg)
   end subroutine

   !> Creates a matrix with ascending columns in each row.
   recursive subroutine steno_sort(exec, made, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_ptr) :: address
      address = new_matrix(handle)
      call keep_matrix(made, handle, stn_sparse_sort(at(exec), address, at(a)), stat, errmsg)
   end subroutine

   !> Creates a matrix whose row r is row row_order(r) of `a`, and whose column c is its column
   !! column_order(c). Without an argument, the order is kept.
   recursive subroutine permute_matrix(exec, made, a, row_order, column_order, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(in), optional :: row_order(:), column_order(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(steno_matrix_info) :: info
      integer(c_int64_t), allocatable, target :: rows(:), columns(:)
      type(c_ptr) :: address
      integer :: status
      call steno_matrix_describe(a, info, status)
      if (status == STENO_OK) then
         if (present(row_order)) call keep_order(rows, row_order, info%rows, status)
         if (present(column_order)) call keep_order(columns, column_order, info%columns, status)
         if (status /= STENO_OK) then
            call fail(int(status, c_int), "the length of row_order or column_order is not the number of rows &
                      &or columns of the matrix", stat, errmsg)
            return
         end if
      end if
      address = new_matrix(handle)
      call keep_matrix(made, handle, stn_sparse_permute(at(exec), address, at(a), order_at(rows), &
                                                        order_at(columns)), stat, errmsg)
   end subroutine

   recursive subroutine keep_order(kept, order, expected, status)
      integer(c_int64_t), allocatable, intent(out) :: kept(:)
      integer, intent(in) :: order(:)
      integer(int64), intent(in) :: expected
      integer, intent(inout) :: status
      integer :: k
      if (size(order, kind=int64) /= expected) status = STENO_ERR_SHAPE
      allocate (kept(max(size(order), 1)))
      do k = 1, size(order)
         kept(k) = order(k) - 1_c_int64_t
      end do
   end subroutine

   recursive function order_at(order) result(address)
      integer(c_int64_t), allocatable, target, intent(in) :: order(:)
      type(c_ptr) :: address
      address = c_null_ptr
      if (allocated(order)) address = c_loc(order)
   end function

   !> Creates a matrix from the block of `rows` x `columns` entries that begins at first_row and
   !! first_column.
   recursive subroutine steno_extract(exec, made, a, first_row, rows, first_column, columns, &
                                      stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(in) :: first_row, rows, first_column, columns
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_ptr) :: address
      integer(c_int) :: status
      address = new_matrix(handle)
      status = stn_sparse_extract(at(exec), address, at(a), first_row - 1_c_int64_t, &
                                  int(rows, c_int64_t), first_column - 1_c_int64_t, &
                                  int(columns, c_int64_t))
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Creates a diagonal matrix. Its values have the storage of `diagonal` without `storage`.
   recursive subroutine steno_from_diagonal(exec, made, diagonal, storage, label, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_view), intent(in) :: diagonal
      type(steno_storage), intent(in), optional :: storage
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_storage), target :: stored
      character(kind=c_char), allocatable, target :: name(:)
      type(c_ptr) :: address
      integer(c_int) :: status
      address = new_matrix(handle)
      if (associated(diagonal%c)) stored = diagonal%c%storage
      if (present(storage)) stored = c_storage_of(storage)
      status = stn_sparse_from_diagonal(at(exec), address, label_at(name, label), c_loc(stored), &
                                        at(diagonal))
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Creates the identity with `rows` rows.
   recursive subroutine steno_identity(exec, made, rows, storage, label, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      integer, intent(in) :: rows
      type(steno_storage), intent(in), optional :: storage !< f64 by default
      character(*), intent(in), optional :: label
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_storage), target :: stored
      character(kind=c_char), allocatable, target :: name(:)
      type(c_ptr) :: address
      integer(c_int) :: status
      address = new_matrix(handle)
      if (present(storage)) stored = c_storage_of(storage)
      status = stn_sparse_identity(at(exec), address, label_at(name, label), c_loc(stored), &
                                   int(rows, c_int64_t))
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Address of a copy of a label in `name`; null without a label.
   recursive function label_at(name, label) result(address)
      character(kind=c_char), allocatable, target, intent(inout) :: name(:)
      character(*), intent(in), optional :: label
      type(c_ptr) :: address
      integer :: k
      address = c_null_ptr
      if (.not. present(label)) return
      allocate (name(len_trim(label) + 1))
      do k = 1, len_trim(label)
         name(k) = label(k:k)
      end do
      name(size(name)) = c_null_char
      address = c_loc(name)
   end function

   ! ---- values

   !> Extracts the diagonal into `d`.
   recursive subroutine steno_diagonal(exec, arithmetic, d, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: d
      type(steno_matrix), intent(in) :: a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_sparse_diagonal(at(exec), arithmetic, at(d), at(a)), stat, errmsg)
   end subroutine

   !> Multiplies each value in place by the factors of its row and its column.
   recursive subroutine steno_scale(exec, arithmetic, a, by_row, by_column, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_matrix), intent(inout) :: a
      type(steno_view), intent(in), optional :: by_row, by_column !< no factors if absent
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: rows, columns
      rows = c_null_ptr
      columns = c_null_ptr
      if (present(by_row)) rows = at(by_row)
      if (present(by_column)) columns = at(by_column)
      call check(stn_sparse_scale(at(exec), arithmetic, at(a), rows, columns), stat, errmsg)
   end subroutine

   !> Creates alpha A + beta B with ascending columns.
   recursive subroutine steno_add(exec, arithmetic, made, alpha, a, beta, b, storage, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_matrix), intent(inout) :: made
      real(real64), intent(in) :: alpha, beta
      type(steno_matrix), intent(in) :: a, b
      type(steno_storage), intent(in) :: storage !< storage of the values
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_storage), target :: stored
      type(c_ptr) :: address
      integer(c_int) :: status
      address = new_matrix(handle)
      stored = c_storage_of(storage)
      status = stn_sparse_add(at(exec), arithmetic, address, alpha, at(a), beta, at(b), &
                              c_loc(stored))
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Creates a matrix with narrower values and the same row sums.
   recursive subroutine steno_compensate(exec, made, a, storage, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      type(steno_storage), intent(in) :: storage
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_storage), target :: stored
      type(c_ptr) :: address
      integer(c_int) :: status
      address = new_matrix(handle)
      stored = c_storage_of(storage)
      status = stn_sparse_compensate(at(exec), address, at(a), c_loc(stored))
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Creates R A C with diagonal matrices R and C of powers of two.
   recursive subroutine steno_equilibrate(exec, made, a, choice, by_row, by_column, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in) :: choice !< STENO_EQUILIBRATE_BOTH, ...
      type(steno_view), intent(in), optional :: by_row, by_column !< R and C, f64
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(matrix_handle), pointer :: handle
      type(c_ptr) :: address, rows, columns
      integer(c_int) :: status
      rows = c_null_ptr
      columns = c_null_ptr
      if (present(by_row)) rows = at(by_row)
      if (present(by_column)) columns = at(by_column)
      address = new_matrix(handle)
      status = stn_sparse_equilibrate(at(exec), address, rows, columns, at(a), choice)
      call keep_matrix(made, handle, status, stat, errmsg)
   end subroutine

   !> Computes the norms of the rows.
   recursive subroutine steno_row_norms(exec, arithmetic, norms, a, norm, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: norms
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in) :: norm
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_sparse_row_norms(at(exec), arithmetic, at(norms), at(a), norm), stat, errmsg)
   end subroutine

   !> Computes the norms of the columns.
   recursive subroutine steno_column_norms(exec, arithmetic, norms, a, norm, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: norms
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in) :: norm
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_sparse_column_norms(at(exec), arithmetic, at(norms), at(a), norm), stat, &
                 errmsg)
   end subroutine

   ! ---- triangular systems

   impure elemental recursive subroutine assign_triangular(to, from)
      class(steno_triangular), intent(inout) :: to
      type(steno_triangular), intent(in) :: from
      type(c_ptr) :: last
      call share_handle(to%handle, from%handle, last)
      call stn_triangular_release(last)
   end subroutine

   impure elemental recursive subroutine finalize_triangular(t)
      type(steno_triangular), intent(inout) :: t
      type(c_ptr) :: last
      call release_handle(t%handle, last)
      call stn_triangular_release(last)
   end subroutine

   !> Creates the lower or upper triangle of a square matrix.
   recursive subroutine steno_triangular_create(exec, made, a, triangle, diagonal, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_triangular), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in) :: triangle !< STENO_LOWER or STENO_UPPER
      integer(int32), intent(in) :: diagonal !< STENO_DIAGONAL_NON_UNIT or STENO_DIAGONAL_UNIT
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(made)
      object = c_null_ptr
      status = stn_triangular_create(at(exec), c_loc(object), at(a), triangle, diagonal)
      call new_handle(made%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   recursive function at_triangular(t) result(object)
      type(steno_triangular), intent(in) :: t
      type(c_ptr) :: object
      object = c_null_ptr
      if (associated(t%handle)) object = t%handle%object
   end function

   !> Solves T x = b.
   recursive subroutine steno_triangular_solve(exec, arithmetic, x, t, b, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, b
      type(steno_triangular), intent(in) :: t
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_triangular_solve(at(exec), arithmetic, at(x), at_triangular(t), at(b)), stat, &
                 errmsg)
   end subroutine

   !> Properties of a triangle.
   recursive subroutine steno_triangular_describe(t, info, stat, errmsg)
      type(steno_triangular), intent(in) :: t
      type(steno_triangular_info), intent(out) :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_triangular_info), target :: found
      integer(c_int) :: status
      found%size = c_sizeof(found)
      status = stn_triangular_describe(at_triangular(t), c_loc(found))
      info = steno_triangular_info(found%rows, found%levels, found%bytes)
      call check(status, stat, errmsg)
   end subroutine

   ! ---- storage that products read

   !> Selects the kind of storage that products of a matrix read, for a number of products.
   recursive subroutine steno_matrix_optimize(exec, arithmetic, a, expected_products, kind, &
                                              method, max_bytes, report, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_matrix), intent(inout) :: a
      integer, intent(in) :: expected_products !< 0 discards the copy
      integer(int32), intent(in), optional :: kind      !< STENO_MATRIX_AUTO by default
      integer(int32), intent(in), optional :: method    !< STENO_OPTIMIZE_TIMED by default
      integer(int64), intent(in), optional :: max_bytes !< limit of the copy; 0: none
      type(steno_optimize_report), intent(out), optional :: report
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_optimize_options), target :: options
      type(c_optimize_report), target :: found
      integer(c_int) :: status
      options%size = c_sizeof(options)
      found%size = c_sizeof(found)
      if (present(kind)) options%kind = kind
      if (present(method)) options%method = method
      if (present(max_bytes)) options%max_bytes = max_bytes
      status = stn_matrix_optimize(at(exec), arithmetic, at(a), int(expected_products, int64), &
                                   c_loc(options), c_loc(found))
      if (present(report)) report = steno_optimize_report(found%kind, found%other_kind, &
         found%bytes, found%original_seconds, found%other_seconds, found%conversion_seconds, &
         found%is_timed /= 0, f_text(c_loc(found%reason)))
      call check(status, stat, errmsg)
   end subroutine

   !> Stores the transpose in the matrix; products with the transpose read it.
   recursive subroutine steno_matrix_prepare_transpose(exec, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_matrix_prepare_transpose(at(exec), at(a)), stat, errmsg)
   end subroutine

   !> Copies the values of the arrays to the copies that products read, after the program wrote them.
   recursive subroutine steno_matrix_update_values(exec, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_matrix), intent(inout) :: a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_matrix_update_values(at(exec), at(a)), stat, errmsg)
   end subroutine

   !> Size of a matrix in another kind and format, in bytes.
   recursive subroutine steno_sparse_bytes(a, kind, format, bytes, stat, errmsg)
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in) :: kind, format
      integer(int64), intent(out) :: bytes
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      bytes = 0
      call check(stn_sparse_bytes(at(a), kind, format, bytes), stat, errmsg)
   end subroutine
end module
