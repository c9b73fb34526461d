!> Sums, means, variances, extremes, norms and running sums of views of any format, layout and rank.
!! Dimensions and indices of elements count from 1.
module steno_reductions
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_c_operations
   use steno_core
   use steno_handles
   implicit none
   private

   !> Sum of all elements. The type of the result selects the arithmetic types: f64 and f32, i64, or
   !! c128 and c64.
   interface steno_sum
      procedure sum_real, sum_integer, sum_complex
   end interface
   !> Arithmetic mean of all elements, with the arithmetic types f64 and f32, or c128 and c64.
   interface steno_mean
      procedure mean_real, mean_complex
   end interface
   !> Smallest element, or NaN if an element is NaN.
   interface steno_min
      procedure min_real, min_integer
   end interface
   !> Largest element, or NaN if an element is NaN.
   interface steno_max
      procedure max_real, max_integer
   end interface

   public :: steno_sum, steno_mean, steno_variance, steno_min, steno_max, steno_argmin, steno_argmax
   public :: steno_norm, steno_cumsum
   public :: steno_sum_into, steno_mean_into, steno_variance_into, steno_min_into, steno_max_into
   public :: steno_argmin_into, steno_argmax_into, steno_norm_into

contains

   ! ---- all elements

   recursive subroutine sum_real(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_sum(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine sum_integer(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_sum_integer(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine sum_complex(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_number), target :: found
      integer(c_int) :: status
      found = c_number()
      status = stn_sum_complex(at(exec), arithmetic, c_loc(found), at(x))
      result = cmplx(found%re, found%im, real64)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine mean_real(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_mean(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine mean_complex(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_number), target :: found
      integer(c_int) :: status
      found = c_number()
      status = stn_mean_complex(at(exec), arithmetic, c_loc(found), at(x))
      result = cmplx(found%re, found%im, real64)
      call check(status, stat, errmsg)
   end subroutine

   !> Variance of all elements: the sum of the squared deviations from the mean, divided by n - ddof.
   !! `ddof` is 0, the default, for a population, and 1 for an estimate from a sample.
   recursive subroutine steno_variance(exec, arithmetic, result, x, ddof, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(in), optional :: ddof
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_variance(at(exec), arithmetic, c_loc(found), at(x), ddof_of(ddof))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine min_real(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_min(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine min_integer(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_min_integer(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine max_real(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_max(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine max_integer(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_max_integer(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   !> Index of the first smallest element, or of the first NaN. In views of rank 2 or more, elements
   !! are counted with the last index varying fastest, as in C.
   recursive subroutine steno_argmin(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: found
      integer(c_int) :: status
      found = -1
      status = stn_argmin(at(exec), arithmetic, c_loc(found), at(x))
      result = found + 1
      call check(status, stat, errmsg)
   end subroutine

   !> Index of the first largest element; see steno_argmin.
   recursive subroutine steno_argmax(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: found
      integer(c_int) :: status
      found = -1
      status = stn_argmax(at(exec), arithmetic, c_loc(found), at(x))
      result = found + 1
      call check(status, stat, errmsg)
   end subroutine

   !> Euclidean norm of all elements.
   recursive subroutine steno_norm(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_norm(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   ! ---- some dimensions

   !> Bits of the dimensions that are reduced, as C functions take them. Invalid ones select a bit
   !! that no view has.
   pure recursive integer(c_int) function bits_of(dimensions)
      integer, intent(in) :: dimensions(:)
      integer :: k
      bits_of = 0
      do k = 1, size(dimensions)
         if (dimensions(k) >= 1 .and. dimensions(k) <= STN_MAX_RANK) then
            bits_of = ibset(bits_of, dimensions(k) - 1)
         else
            bits_of = ibset(bits_of, STN_MAX_RANK)
         end if
      end do
   end function

   pure recursive integer(c_int) function ddof_of(ddof)
      integer, intent(in), optional :: ddof
      ddof_of = 0
      if (present(ddof)) ddof_of = int(ddof, c_int)
   end function

   !> Sums along dimensions: [1] stores the sums of the columns of a matrix, [2] those of its rows.
   recursive subroutine steno_sum_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_sum_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Arithmetic means along dimensions.
   recursive subroutine steno_mean_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_mean_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Variances along dimensions; see steno_variance.
   recursive subroutine steno_variance_into(exec, arithmetic, result, x, dimensions, ddof, stat, &
                                            errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(in), optional :: ddof
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_variance_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions), &
                                   ddof_of(ddof)), stat, errmsg)
   end subroutine

   !> Smallest elements along dimensions.
   recursive subroutine steno_min_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_min_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Largest elements along dimensions.
   recursive subroutine steno_max_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_max_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Stores the indices of the smallest elements along dimensions, which count from 0, as all values
   !! that the library stores in views.
   recursive subroutine steno_argmin_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_argmin_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Stores the indices of the largest elements along dimensions, which count from 0.
   recursive subroutine steno_argmax_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_argmax_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Euclidean norms along dimensions.
   recursive subroutine steno_norm_into(exec, arithmetic, result, x, dimensions, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimensions(:) !< the dimensions of x that result does not have
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_norm_into(at(exec), arithmetic, at(result), at(x), bits_of(dimensions)), &
                 stat, errmsg)
   end subroutine

   !> Running sums along a dimension.
   recursive subroutine steno_cumsum(exec, arithmetic, result, x, dimension, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: result, x
      integer, intent(in) :: dimension
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_cumsum(at(exec), arithmetic, at(result), at(x), int(dimension - 1, c_int)), &
                 stat, errmsg)
   end subroutine
end module
