!> BLAS, sparse matrices, solvers and kernels: results have the bits of the C library.
module test_operations
   use, intrinsic :: iso_fortran_env, only: int16, int32, int64, real64
   use, intrinsic :: iso_c_binding, only: c_double, c_int16_t, c_int32_t, c_int64_t
   use checks
   use steno
   implicit none

   !> The second difference, as an operator of the program.
   type, extends(steno_operator) :: laplacian
      integer :: calls = 0
      integer :: fails_at = 0
   contains
      procedure :: apply => apply_laplacian
   end type

   type, extends(steno_monitor) :: counter
      integer :: calls = 0
      integer :: stops_at = 0
   contains
      procedure :: observe => count_iteration
   end type

   interface
      real(c_double) function reference_dot(x, y, count) bind(C)
         import :: c_double, c_int16_t, c_int64_t
         integer(c_int16_t), intent(in) :: x(*), y(*)
         integer(c_int64_t), value :: count
      end function
      integer(c_int64_t) function reference_solve(rows, row_start, column, values, b, x) bind(C)
         import :: c_double, c_int32_t, c_int64_t
         integer(c_int64_t), value :: rows
         integer(c_int32_t), intent(in) :: row_start(*), column(*)
         real(c_double), intent(in) :: values(*), b(*)
         real(c_double), intent(inout) :: x(*)
      end function
   end interface

   integer, parameter :: n = 200
   type(steno_executor) :: exec
contains

   subroutine apply_laplacian(self, exec, arithmetic, x, y, stat)
      class(laplacian), intent(inout) :: self
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      integer, intent(out) :: stat
      real(real64), pointer :: from(:), to(:)
      integer :: i
      stat = STENO_ERR_UNSUPPORTED
      self%calls = self%calls + 1
      if (arithmetic /= STENO_F64 .or. self%calls == self%fails_at) return
      call steno_wait(exec)
      call steno_array(x, from)
      call steno_array(y, to)
      do i = 1, size(from)
         to(i) = 0 ! in the order of a sum of three elements
         if (i > 1) to(i) = -from(i - 1)
         if (i < size(from)) to(i) = to(i) - from(i + 1)
         to(i) = to(i) + 2*from(i)
      end do
      stat = STENO_OK
   end subroutine

   subroutine count_iteration(self, iteration, residual, seconds, stop)
      class(counter), intent(inout) :: self
      integer(int64), intent(in) :: iteration
      real(real64), intent(in) :: residual, seconds
      logical, intent(inout) :: stop
      self%calls = self%calls + 1
      call expect(iteration == self%calls .and. residual >= 0 .and. seconds >= 0, "progress")
      stop = self%calls == self%stops_at
   end subroutine

   subroutine vectors()
      integer(int16), target :: x(1000), y(1000)
      complex(real64), target :: z(3)
      complex(real64) :: product
      real(real64) :: wide, c, s, a, b
      type(steno_view) :: v, w
      integer(int64) :: index
      integer :: i, stat
      x = [(int(z'3000', int16) + int(mod(37*i, 900), int16), i=1, 1000)]
      y = [(int(z'3400', int16) + int(mod(91*i, 700), int16), i=1, 1000)]
      call steno_wrap(v, x, storage=steno_storage(STENO_F16))
      call steno_wrap(w, y, storage=steno_storage(STENO_F16))
      call steno_dot(exec, STENO_F32, wide, v, w)
      call expect(wide == reference_dot(x, y, 1000_int64), "dot has the bits of C")
      call steno_iamax(exec, STENO_F64, index, v)
      call expect(index == maxloc(x, 1), "iamax counts from 1")
      call steno_axpy(exec, STENO_F32, 0.0_real64, v, w)
      call steno_dot(exec, STENO_C128, wide, v, w, stat=stat)
      call expect(stat == STENO_ERR_UNSUPPORTED, "dot in c128")
      z = [(1, 2), (3, -4), (0, 1)]
      call steno_wrap(v, z)
      call steno_dotc(exec, STENO_C128, product, v, v)
      call expect(product == (31.0_real64, 0.0_real64), "dotc")
      call steno_scal(exec, STENO_C128, (0.0_real64, 1.0_real64), v)
      call expect(z(1) == (-2.0_real64, 1.0_real64), "complex scal")
      a = 3
      b = 4
      call steno_rotg(STENO_F64, a, b, c, s)
      call expect(abs(a) == 5 .and. abs(c*5) == 3, "rotg")
   end subroutine

   subroutine matrices()
      real(real64), target :: a(3, 2), x(2), y(3), b(2, 4), c(3, 4), t(2, 2)
      type(steno_view) :: va, vx, vy, vb, vc, transpose_of_a, vt
      integer :: i, stat
      a = reshape([(real(i, real64), i=1, 6)], [3, 2])
      b = reshape([(real(i, real64), i=1, 8)], [2, 4])
      x = [1, 2]
      y = 7
      call steno_wrap(va, a)
      call steno_wrap(vx, x)
      call steno_wrap(vy, y)
      call steno_gemv(exec, STENO_F64, 1.0_real64, va, vx, 1.0_real64, vy)
      call expect(all(y == 7 + matmul(a, x)), "gemv")
      call steno_permute(transpose_of_a, va, [2, 1])
      call steno_gemv(exec, STENO_F64, 1.0_real64, transpose_of_a, vy, 0.0_real64, vx)
      call expect(all(x == matmul(transpose(a), y)), "gemv with the transpose")
      call steno_wrap(vb, b)
      call steno_wrap(vc, c)
      call steno_gemm(exec, STENO_F64, 2.0_real64, va, vb, 0.0_real64, vc)
      call expect(all(c == 2*matmul(a, b)), "gemm")
      call steno_gemv(exec, STENO_F64, 1.0_real64, va, vy, 0.0_real64, vx, stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "gemv: extents")
      t = reshape([2, 1, 0, 4], [2, 2])
      x = [4, 10]
      call steno_wrap(vt, t)
      call steno_trsv(exec, STENO_F64, STENO_LOWER, STENO_DIAGONAL_NON_UNIT, STENO_NO_CONJUGATE, &
                      vt, vx)
      call expect(all(x == [2.0_real64, 2.0_real64]), "trsv")
   end subroutine

   subroutine reductions()
      real(real64), target :: a(3, 2), along(3), running(3, 2)
      integer(int64), target :: whole(4), places(2)
      complex(real64), target :: z(2)
      type(steno_view) :: va, vr, vw, vz, vp, vs
      real(real64) :: value
      complex(real64) :: sum_of_z
      integer(int64) :: k
      integer :: stat
      a = reshape([3, -1, 4, 1, -5, 9], [3, 2])
      whole = [7, -2, 9, 9]
      z = [(1, 2), (3, -5)]
      call steno_wrap(va, a)
      call steno_wrap(vr, along)
      call steno_wrap(vw, whole)
      call steno_wrap(vz, z)
      call steno_wrap(vs, running)
      call steno_wrap(vp, places)
      call steno_sum(exec, STENO_F64, value, va)
      call expect(value == sum(a), "sum")
      call steno_sum(exec, STENO_I64, k, vw)
      call expect(k == sum(whole), "sum of integers")
      call steno_sum(exec, STENO_C128, sum_of_z, vz)
      call expect(sum_of_z == (4, -3), "complex sum")
      call steno_mean(exec, STENO_F64, value, va)
      call expect(abs(value - sum(a)/6) < 1d-15, "mean")
      call steno_mean(exec, STENO_C128, sum_of_z, vz)
      call expect(sum_of_z == (2, -1.5_real64), "complex mean")
      call steno_variance(exec, STENO_F64, value, va)
      call expect(abs(value - sum((a - sum(a)/6)**2)/6) < 1d-13, "variance of a population")
      call steno_variance(exec, STENO_F64, value, va, ddof=1)
      call expect(abs(value - sum((a - sum(a)/6)**2)/5) < 1d-13, "variance from a sample")
      call steno_min(exec, STENO_F64, value, va)
      call expect(value == -5, "min")
      call steno_min(exec, STENO_I64, k, vw)
      call expect(k == -2, "min of integers")
      call steno_max(exec, STENO_F64, value, va)
      call expect(value == 9, "max")
      call steno_max(exec, STENO_I64, k, vw)
      call expect(k == 9, "max of integers")
      call steno_argmin(exec, STENO_I64, k, vw)
      call expect(k == 2, "argmin counts from 1")
      call steno_argmax(exec, STENO_I64, k, vw)
      call expect(k == 3, "argmax: the first one")
      call steno_argmin(exec, STENO_F64, k, va)
      call expect(k == 4, "argmin of a matrix: the last index varies fastest")
      call steno_norm(exec, STENO_C128, value, vz)
      call expect(abs(value - sqrt(39.0_real64)) < 1d-14, "norm")
      call steno_sum_into(exec, STENO_F64, vr, va, [2])
      call expect(all(along == sum(a, 2)), "sums of rows")
      call steno_mean_into(exec, STENO_F64, vr, va, [2])
      call expect(all(along == sum(a, 2)/2), "means of rows")
      call steno_variance_into(exec, STENO_F64, vr, va, [2], ddof=1)
      call expect(all(along == (a(:, 1) - a(:, 2))**2/2), "variances of rows")
      call steno_min_into(exec, STENO_F64, vr, va, [2])
      call expect(all(along == minval(a, 2)), "minima of rows")
      call steno_max_into(exec, STENO_F64, vr, va, [2])
      call expect(all(along == maxval(a, 2)), "maxima of rows")
      call steno_argmin_into(exec, STENO_F64, vp, va, [1])
      call expect(all(places + 1 == minloc(a, 1)), "rows of minima")
      call steno_argmax_into(exec, STENO_F64, vp, va, [1])
      call expect(all(places + 1 == maxloc(a, 1)), "rows of maxima")
      call steno_norm_into(exec, STENO_F64, vr, va, [2])
      call expect(maxval(abs(along - norm2(a, 2))) < 1d-14, "norms of rows")
      call steno_cumsum(exec, STENO_F64, vs, va, 1)
      call expect(all(running(3, :) == sum(a, 1)) .and. all(running(1, :) == a(1, :)), "cumsum")
      call steno_cumsum(exec, STENO_F64, vs, va, 3, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "cumsum: dimension 3 of 2")
      call steno_sum_into(exec, STENO_F64, vr, va, [0], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "sums along dimension 0")
      call steno_max(exec, STENO_C128, value, vz, stat=stat)
      call expect(stat /= STENO_OK, "max of complex numbers")
   end subroutine

   !> The matrix of the second difference; indices count from `base`.
   subroutine second_difference(row_start, column, values, base)
      integer(int32), intent(out) :: row_start(n + 1), column(3*n - 2)
      real(real64), intent(out) :: values(3*n - 2)
      integer, intent(in) :: base
      integer :: i, j, k
      k = 0
      do i = 1, n
         row_start(i) = k + base
         do j = max(i - 1, 1), min(i + 1, n)
            k = k + 1
            column(k) = j - 1 + base
            values(k) = merge(2, -1, i == j)
         end do
      end do
      row_start(n + 1) = k + base
   end subroutine

   subroutine solve()
      integer(int32), target :: row_start(n + 1), column(3*n - 2), zero_start(n + 1)
      integer(int32), target :: zero_column(3*n - 2)
      real(real64), target :: values(3*n - 2), b(n), x(n), expected(n), y(n)
      real(real64), allocatable :: history(:)
      type(steno_matrix) :: a, same, narrow, zero
      type(steno_matrix_info) :: info
      type(steno_view) :: vv, vb, vx, vy
      type(steno_preconditioner) :: ilu, blocks
      type(steno_checkpoint) :: checkpoint
      type(steno_solver_options) :: options
      type(steno_solver_report) :: report
      type(laplacian) :: map
      type(counter) :: monitor
      integer(int64) :: iterations
      integer :: i, stat
      character(200) :: message
      call second_difference(row_start, column, values, 1)
      call second_difference(zero_start, zero_column, values, 0)
      b = [(mod(17*i, 29)/8.0_real64, i=1, n)]
      expected = 0
      y = 0
      iterations = reference_solve(int(n, int64), zero_start, zero_column, values, b, expected)
      call steno_wrap(vv, values)
      call steno_wrap(vb, b)
      call steno_wrap(vx, x)
      call steno_wrap(vy, y)
      call steno_wrap_csr(a, n, n, row_start, column, vv)
      call steno_wrap_csr(zero, n, n, zero_start, zero_column, vv, base=0)
      call steno_spmv(exec, STENO_F64, 1.0_real64, zero, vb, 0.0_real64, vy)
      same = a
      call steno_release(a)
      a = same
      x = 0
      call steno_solve(exec, vx, a, vb, report=report, history=history)
      call expect(report%reason == STENO_STOP_CONVERGED, "CG converges")
      call expect(report%iterations == iterations .and. all(x == expected), "the bits of C")
      call expect(size(history) == iterations, "history")
      x = 0
      call steno_solve(exec, vx, map, vb, report=report, monitor=monitor)
      call expect(all(x == expected) .and. map%calls > iterations, "an operator of the program")
      call expect(monitor%calls == iterations, "monitor")
      x = 0
      map%fails_at = map%calls + 3
      call steno_solve(exec, vx, map, vb, report=report, stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_UNSUPPORTED .and. report%reason == STENO_STOP_CALL_FAILED, &
                  "an operator that fails")
      call steno_ilu_create(exec, ilu, a, format=STENO_F32)
      call steno_block_jacobi_create(exec, blocks, a, max_block_rows=4)
      x = 0
      options%method = STENO_SOLVER_BICGSTAB
      call steno_solve(exec, vx, a, vb, options, report, preconditioner=ilu)
      call expect(report%iterations < 10 .and. maxval(abs(x - expected)) < 1d-3, "ILU(0)")
      call blocks%apply(exec, STENO_F64, vb, vy, stat)
      call expect(stat == STENO_OK .and. maxval(abs(y)) > 0, "applying a preconditioner")
      x = 0
      call steno_solve(exec, vx, a, vb, report=report, preconditioner=blocks)
      call expect(maxval(abs(x - expected)) < 1d-3, "block-Jacobi")
      options = steno_solver_options(max_iterations=5)
      call steno_solve(exec, vx, a, vb, options, report, checkpoint=checkpoint, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a solve with a checkpoint that was not created")
      call steno_checkpoint_create(checkpoint)
      x = 0
      call steno_solve(exec, vx, a, vb, options, report, checkpoint=checkpoint, stat=stat, &
                       errmsg=message)
      if (report%iterations /= 5) print *, stat, trim(message), report%iterations
      call expect(stat == STENO_ERR_CONVERGENCE .and. report%iterations == 5, "5 iterations")
      call steno_solve(exec, vx, a, vb, report=report, checkpoint=checkpoint)
      call expect(all(x == expected), "continued from a checkpoint")
      call steno_convert(exec, narrow, a, STENO_MATRIX_AUTO, steno_storage(STENO_F16))
      call steno_matrix_describe(narrow, info)
      call expect(info%storage%format == STENO_F16 .and. info%entries == 3*n - 2, "f16 matrix")
      call steno_residual(exec, STENO_F64, vy, vb, narrow, vx)
      call expect(maxval(abs(y)) < 1d-8, "residual")
      row_start(2) = 0
      call steno_wrap_csr(zero, n, n, row_start, column, vv, stat=stat)
      call expect(stat == STENO_ERR_RANGE, "an invalid row start")
   end subroutine

   subroutine kernels()
      integer(int16), target :: y(5)
      real(real64), target :: x(5)
      type(steno_view) :: vx, vy
      type(steno_compiled_kernel) :: axpy, same
      integer :: stat
      character(200) :: message
      real(real64) :: found
      x = [1, 2, 3, 4, 5]
      y = 0
      call steno_wrap(vx, x)
      call steno_wrap(vy, y, storage=steno_storage(STENO_F16))
      call steno_kernel(axpy, "y = alpha * x + y", "real(alpha), in(x), inout(y)")
      same = axpy
      call steno_release(axpy)
      call steno_run(exec, STENO_F64, same, &
                     [steno_argument(2.5_real64), steno_argument(vx), steno_argument(vy)])
      call steno_get(vy, [5], found)
      call expect(found == 12.5, "a kernel")
      call steno_kernel("y = n * x", "index(n), in(x), out(y)", exec, STENO_F64, &
                        [steno_argument(3), steno_argument(vx), steno_argument(vy)])
      call steno_get(vy, [2], found)
      call expect(found == 6, "a kernel in one call")
      call steno_kernel(axpy, "y = alpha *", "real(alpha), out(y)", stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_PARSE .and. len_trim(message) > 0, "a malformed kernel")
      call wrong_arguments(vx, vy)
   end subroutine

   !> Arguments that do not match the parameters are refused; at has no argument.
   subroutine wrong_arguments(vx, vy)
      type(steno_view), intent(in) :: vx, vy
      type(steno_compiled_kernel) :: k
      character(*), parameter :: list = "at(i), real(a), shifted(x, zero, 1), index(n), out(y)"
      type(steno_kernel_argument) :: a(4)
      integer(int64), target :: whole(2) = [4, 5]
      type(steno_view) :: integers
      integer :: stat
      character(200) :: message
      real(real64) :: found
      call steno_wrap(integers, whole)
      call steno_kernel(k, "y = a * x + n + i", list, name="k")
      a = [steno_argument(0.5_real64), steno_argument(vx), steno_argument(2_int64), &
           steno_argument(vy)]
      call steno_run(exec, STENO_F64, k, a)
      call steno_get(vy, [2], found)
      call expect(found == 4.5, "matching arguments")
      call steno_run(exec, STENO_F64, k, a(:3), stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_ARGUMENT .and. &
                  message == "kernel k has 4 parameters with arguments; not 3", "three arguments")
      call steno_run(exec, STENO_F64, k, [a, a(4)], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "five arguments")
      call refuse([steno_argument(1), a(2:)], "1 does not match its parameter a: a real number")
      call refuse([a(1), a(1), a(3:)], "2 does not match its parameter x: a view")
      call refuse([a(:2), a(1), a(4)], "3 does not match its parameter n: an integer")
      call refuse([a(:3), steno_argument((1d0, 0d0))], "4 does not match its parameter y: a view")
      call steno_kernel("y = n * x", "real(n), in(x), out(y)", exec, STENO_I64, &
                        [steno_argument(3), steno_argument(integers), steno_argument(integers)], &
                        kind=STENO_KERNEL_INTEGER)
      call expect(all(whole == [12, 15]), "an integer for real in integer arithmetic")
   contains
      subroutine refuse(arguments, text)
         type(steno_kernel_argument), intent(in) :: arguments(:)
         character(*), intent(in) :: text
         call steno_run(exec, STENO_F64, k, arguments, stat=stat, errmsg=message)
         call expect(stat == STENO_ERR_ARGUMENT .and. &
                     message == "kernel k: argument "//text//" is required", text)
      end subroutine
   end subroutine
end module

program operations
   use test_operations
   implicit none
   call steno_executor_create(exec, "threads:threads=2")
   call vectors()
   call matrices()
   call reductions()
   call solve()
   call kernels()
   call steno_release(exec)
   call finish()
end program
