!> Operations on sparse matrices, the storage that products read, and Matrix Market files.
module test_sparse
   use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
   use checks
   use steno
   use steno_market
   implicit none
   integer, parameter :: n = 4
   type(steno_executor) :: exec
contains

   !> The matrix (4 -1 0 0; -2 4 -1 0; 0 -2 4 -1; 0 0 -2 4), with its columns in reverse order.
   subroutine create(a, dense)
      type(steno_matrix), intent(inout) :: a
      real(real64), intent(out) :: dense(n, n)
      integer(int32), pointer :: row_start(:), column(:)
      real(real64), pointer :: values(:)
      type(steno_view) :: v
      type(steno_matrix) :: wrapped
      integer :: i, j, k
      allocate (row_start(n + 1), column(3*n - 2), values(3*n - 2))
      dense = 0
      k = 0
      do i = 1, n
         row_start(i) = k + 1
         do j = min(i + 1, n), max(i - 1, 1), -1
            k = k + 1
            column(k) = j
            if (i == j) dense(i, j) = 4
            if (i > j) dense(i, j) = -2
            if (i < j) dense(i, j) = -1
            values(k) = dense(i, j)
         end do
      end do
      row_start(n + 1) = k + 1
      call steno_wrap(v, values)
      call steno_wrap_csr(wrapped, n, n, row_start, column, v)
      call steno_convert(exec, a, wrapped, STENO_MATRIX_CSR)
      call steno_release(wrapped)
      deallocate (row_start, column, values)
   end subroutine

   !> The elements of a matrix, from its products with unit vectors.
   function elements(a, columns) result(dense)
      type(steno_matrix), intent(in) :: a
      integer, intent(in) :: columns
      real(real64), allocatable :: dense(:, :)
      type(steno_matrix_info) :: info
      real(real64), target :: units(columns, columns)
      real(real64), allocatable, target :: product(:, :)
      type(steno_view) :: x, y
      integer :: j
      call steno_matrix_describe(a, info)
      allocate (product(info%rows, columns))
      units = 0
      do j = 1, columns
         units(j, j) = 1
      end do
      call steno_wrap(x, units)
      call steno_wrap(y, product)
      call steno_spmv(exec, STENO_F64, 1.0_real64, a, x, 0.0_real64, y)
      dense = product
   end function

   subroutine orders()
      type(steno_matrix) :: a, b, none
      real(real64) :: dense(n, n)
      type(steno_view) :: column, row_start
      integer(int32), pointer :: columns(:)
      integer :: stat
      character(200) :: message
      call create(a, dense)
      call expect(all(elements(a, n) == dense), "the matrix")
      call steno_transpose(exec, b, a)
      call expect(all(elements(b, n) == transpose(dense)), "transpose")
      call steno_sort(exec, b, a)
      call steno_get_views(b, column=column, row_start=row_start)
      call expect(steno_is_read_only(column) .and. steno_count(row_start) == n + 1, "views")
      call steno_array(column, columns)
      call expect(all(columns(:5) == [0, 1, 0, 1, 2]), "sorted columns")
      call steno_permute(exec, b, a, row_order=[4, 3, 2, 1])
      call expect(all(elements(b, n) == dense(n:1:-1, :)), "permuted rows")
      call steno_permute(exec, b, a, column_order=[2, 3, 4, 1])
      call expect(all(elements(b, n) == dense(:, [2, 3, 4, 1])), "permuted columns")
      call steno_permute(exec, b, a, row_order=[1, 2, 3], stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "an order that is too short")
      call steno_permute(exec, b, a, row_order=[1, 2, 3, 3], stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_RANGE .and. len_trim(message) > 0, "a repeated row")
      call steno_permute(exec, b, none, row_order=[1, 2], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "permute: a matrix that was not created")
      call steno_extract(exec, b, a, 2, 3, 1, 2)
      call expect(all(elements(b, 2) == dense(2:4, 1:2)), "block")
      call steno_extract(exec, b, a, 2, 4, 1, 2, stat=stat)
      call expect(stat == STENO_ERR_RANGE, "a block that exceeds the matrix")
      call steno_transpose(exec, a, a)
      call expect(all(elements(a, n) == transpose(dense)), "a matrix becomes its transpose")
   end subroutine

   subroutine values()
      type(steno_matrix) :: a, b
      real(real64) :: dense(n, n)
      real(real64), target :: d(n), norms(n), factors(n)
      type(steno_view) :: vd, vn, vf
      integer :: stat, i
      call create(a, dense)
      call steno_wrap(vd, d)
      call steno_wrap(vn, norms)
      call steno_wrap(vf, factors)
      call steno_diagonal(exec, STENO_F64, vd, a)
      call expect(all(d == 4), "diagonal")
      call steno_row_norms(exec, STENO_F64, vn, a, STENO_SPARSE_NORM_1)
      call expect(all(norms == [5, 7, 7, 6]), "row norms")
      call steno_column_norms(exec, STENO_F64, vn, a, STENO_SPARSE_NORM_INF)
      call expect(all(norms == 4), "column norms")
      call steno_row_norms(exec, STENO_F64, vn, a, 7, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "an invalid norm")
      factors = [1, 2, 3, 4]
      call steno_scale(exec, STENO_F64, a, by_row=vf)
      call expect(all(elements(a, n) == spread(factors, 2, n)*dense), "scaled rows")
      call steno_scale(exec, STENO_F64, a, by_column=vf)
      call expect(all(elements(a, n) == spread(factors, 2, n)*dense*spread(factors, 1, n)), &
                  "scaled columns")
      call steno_identity(exec, b, n)
      call steno_add(exec, STENO_F64, a, 2.0_real64, b, -1.0_real64, b, steno_storage(STENO_F32))
      call steno_diagonal(exec, STENO_F64, vd, a)
      call expect(all(d == 1), "sum")
      d = [1, 2, 3, 4]
      call steno_from_diagonal(exec, a, vd, steno_storage(STENO_F16), label="d")
      call steno_row_norms(exec, STENO_F64, vn, a, STENO_SPARSE_NORM_2)
      call expect(all(norms == d), "a diagonal matrix")
      call steno_from_diagonal(exec, a, vd)
      call create(a, dense)
      call steno_equilibrate(exec, b, a, STENO_EQUILIBRATE_ROWS, by_row=vd)
      call expect(all(d == [(2.0_real64 ** (1 - exponent(maxval(abs(dense(i, :))))), i=1, n)]), &
                  "powers of two")
      call steno_compensate(exec, b, a, steno_storage(STENO_F16))
      d = 0
      factors = 1
      call steno_spmv(exec, STENO_F64, 1.0_real64, b, vf, 0.0_real64, vd)
      call expect(all(d == [(sum(dense(i, :)), i=1, n)]), "the same row sums")
   end subroutine

   subroutine triangles()
      type(steno_matrix) :: a
      type(steno_triangular) :: lower, same
      type(steno_triangular_info) :: info
      real(real64) :: dense(n, n)
      real(real64), target :: x(n), b(n)
      type(steno_view) :: vx, vb
      integer :: stat
      call create(a, dense)
      call steno_triangular_create(exec, lower, a, STENO_LOWER, STENO_DIAGONAL_NON_UNIT)
      call steno_release(a)
      same = lower
      call steno_release(lower)
      lower = same
      call steno_triangular_describe(lower, info)
      call expect(info%rows == n .and. info%levels == n, "levels")
      b = [4, -2, -2, -2]
      call steno_wrap(vx, x)
      call steno_wrap(vb, b)
      call steno_triangular_solve(exec, STENO_F64, vx, lower, vb)
      call expect(all(x == [1.0d0, 0.0d0, -0.5d0, -0.75d0]), "triangular solve")
      call steno_triangular_solve(exec, STENO_F64, vx, same, vb)
      call steno_release(same)
      call steno_triangular_solve(exec, STENO_F64, vx, same, vb, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a released triangle")
      call steno_triangular_create(exec, lower, a, STENO_LOWER, STENO_DIAGONAL_UNIT, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a released matrix")
      call steno_triangular_describe(lower, info, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a triangle that was not created")
   end subroutine

   subroutine optimization()
      type(steno_matrix) :: a
      type(steno_optimize_report) :: report
      real(real64) :: dense(n, n)
      integer(int64) :: bytes
      integer :: stat
      call create(a, dense)
      call steno_sparse_bytes(a, STENO_MATRIX_CSR, STENO_F64, bytes)
      call expect(bytes == 8*(n + 1) + 12*(3*n - 2), "bytes")
      call steno_matrix_optimize(exec, STENO_F64, a, 1000, kind=STENO_MATRIX_SELL, &
                                 method=STENO_OPTIMIZE_MODEL, report=report)
      call expect(report%kind == STENO_MATRIX_SELL .and. report%bytes > 0, "optimize")
      call expect(index(report%reason, "SELL") > 0, "reason: "//trim(report%reason))
      call expect(all(elements(a, n) == dense), "a product with a copy")
      call steno_matrix_update_values(exec, a)
      call steno_matrix_optimize(exec, STENO_F64, a, 0)
      call steno_matrix_optimize(exec, STENO_F64, a, -1, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a negative number of products")
   end subroutine

   subroutine preconditioners()
      type(steno_matrix) :: a
      type(steno_preconditioner) :: blocks
      type(steno_preconditioner_info) :: info
      real(real64) :: dense(n, n)
      integer :: stat, empty(0)
      call create(a, dense)
      call steno_block_jacobi_create(exec, blocks, a, block_start=[1, 2, 5])
      call steno_preconditioner_describe(blocks, info)
      call expect(info%blocks == 2 .and. info%rows == n .and. info%name == "block-Jacobi", "blocks")
      call steno_block_jacobi_create(exec, blocks, a, block_start=empty, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "no block starts")
      call steno_block_jacobi_create(exec, blocks, a, block_start=[1, 3], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "block starts that do not cover the matrix")
      call steno_preconditioner_describe(blocks, info, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "blocks that were not created")
   end subroutine

   subroutine checkpoints()
      type(steno_matrix) :: a
      type(steno_checkpoint) :: checkpoint, other, none
      type(steno_solver_options) :: options
      real(real64) :: dense(n, n)
      real(real64), target :: x(n), expected(n), b(n)
      type(steno_view) :: vx, vb, ve
      integer(int8), allocatable :: bytes(:)
      integer :: stat
      call create(a, dense)
      call steno_wrap(vx, x)
      call steno_wrap(ve, expected)
      call steno_wrap(vb, b)
      b = [1, 2, 3, 4]
      x = 0
      expected = 0
      options%method = STENO_SOLVER_BICGSTAB
      call steno_solve(exec, ve, a, vb, options)
      options%max_iterations = 1
      call steno_checkpoint_create(checkpoint)
      call steno_checkpoint_bytes(checkpoint, bytes)
      call expect(size(bytes) == 0, "an empty checkpoint")
      call steno_solve(exec, vx, a, vb, options, checkpoint=checkpoint, stat=stat)
      call steno_checkpoint_bytes(checkpoint, bytes)
      call expect(size(bytes) > 0, "bytes of a checkpoint")
      call steno_checkpoint_create(other)
      call steno_checkpoint_assign(other, bytes)
      options%max_iterations = 0
      call steno_solve(exec, vx, a, vb, options, checkpoint=other)
      call expect(all(x == expected), "continued from copied bytes")
      bytes(size(bytes)) = not(bytes(size(bytes)))
      call steno_checkpoint_assign(other, bytes, stat=stat)
      call expect(stat == STENO_ERR_PARSE, "altered bytes")
      call steno_checkpoint_bytes(none, bytes, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT .and. size(bytes) == 0, "no checkpoint")
   end subroutine

   subroutine files()
      type(steno_matrix) :: a, b
      type(steno_matrix_info) :: info
      type(steno_market_info) :: file
      type(steno_view) :: v, w
      real(real64) :: dense(n, n)
      real(real32), target :: narrow(2, 3)
      real(real64), pointer :: wide(:, :)
      integer(int32), target :: row(2), column(2), whole(2)
      integer :: stat, unit
      character(200) :: message
      call create(a, dense)
      call steno_market_write_file(a, "a.mtx")
      call steno_market_read_file(b, "a.mtx", info=file)
      call expect(all(elements(b, n) == dense) .and. file%entries == 3*n - 2, "a matrix")
      b = b
      a = b
      call steno_release(b)
      call expect(all(elements(a, n) == dense), "a further handle of a matrix of a file")
      call steno_market_read_file(v, "a.mtx", stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_UNSUPPORTED .and. index(message, "a.mtx") > 0, "sparse view")
      row = [1, 2]
      column = [2, 1]
      whole = [7, -3]
      call steno_wrap(v, whole)
      call steno_wrap_coo(a, 2, 2, row, column, v)
      call steno_market_write_file(a, "whole.mtx.gz")
      call steno_market_read_file(b, "whole.mtx.gz", info=file)
      call steno_matrix_describe(b, info)
      call expect(file%field == STENO_MARKET_INTEGER .and. info%storage%format == STENO_I64, &
                  "integers remain integers")
      narrow = reshape([1, 2, 3, 4, 5, 6], [2, 3])
      call steno_wrap(w, narrow)
      call steno_market_write_file(w, "dense.mtx")
      call steno_market_read_file(v, "dense.mtx", label="dense", info=file)
      call steno_array(v, wide)
      call expect(all(wide == narrow) .and. file%storage == STENO_MARKET_DENSE, "a dense matrix")
      call steno_market_read_file(a, "dense.mtx", stat=stat)
      call expect(stat == STENO_ERR_UNSUPPORTED, "a dense file as a sparse matrix")
      call steno_market_read_file(a, "missing.mtx", stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_IO .and. index(message, "missing.mtx") > 0, "a missing file")
      open (newunit=unit, file="twice.mtx", action="write")
      write (unit, "(a)") "%%MatrixMarket matrix coordinate real general", "2 2 2", "1 1 1", "1 1 2"
      close (unit)
      call steno_market_read_file(a, "twice.mtx", stat=stat)
      call expect(stat == STENO_ERR_PARSE, "repeated positions")
      call steno_market_read_file(a, "twice.mtx", flags=STENO_MARKET_SUM, info=file)
      call expect(file%summed == 1 .and. file%stored == 2, "added positions")
   end subroutine

   !> Index arrays that are pointers without targets are refused, and the matrix is released.
   subroutine missing_indices()
      type(steno_matrix) :: a
      type(steno_view) :: v
      integer(int32), pointer :: narrow(:), no_narrow(:)
      integer(int64), pointer :: wide(:), no_wide(:)
      real(real64), target :: values(1)
      character(200) :: message
      integer :: base, stat
      allocate (narrow(2), wide(2))
      nullify (no_narrow, no_wide)
      call steno_wrap(v, values)
      do base = 0, 1
         narrow = [base, base + 1]
         wide = narrow
         call create_one()
         call steno_wrap_csr(a, 1, 1, no_narrow, narrow, v, base=base, stat=stat, errmsg=message)
         call expect_missing("row_start")
         call create_one()
         call steno_wrap_csr(a, 1, 1, wide, no_wide, v, base=base, stat=stat, errmsg=message)
         call expect_missing("column")
         call create_one()
         call steno_wrap_coo(a, 1, 1, no_wide, wide, v, base=base, stat=stat, errmsg=message)
         call expect_missing("row")
         call create_one()
         call steno_wrap_coo(a, 1, 1, narrow(:1), no_narrow, v, base=base, stat=stat, &
                             errmsg=message)
         call expect_missing("column")
      end do
      deallocate (narrow, wide)
   contains
      subroutine create_one()
         call steno_wrap_csr(a, 1, 1, narrow, narrow(:1), v, base=base)
      end subroutine
      subroutine expect_missing(name)
         character(*), intent(in) :: name
         type(steno_matrix_info) :: info
         call expect(stat == STENO_ERR_ARGUMENT .and. &
                     index(message, name//" is a pointer that is not associated") == 1, name)
         call steno_matrix_describe(a, info, stat)
         call expect(stat /= STENO_OK, name//": the matrix is released")
      end subroutine
   end subroutine
end module

program sparse
   use test_sparse
   implicit none
   call steno_executor_create(exec, "threads:threads=2")
   call orders()
   call values()
   call triangles()
   call optimization()
   call preconditioners()
   call checkpoints()
   call missing_indices()
   call files()
   call steno_release(exec)
   call finish()
end program
