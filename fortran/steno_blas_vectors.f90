!> BLAS of vectors.
module steno_blas_vectors
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_c_operations
   use steno_core
   use steno_handles
   implicit none
   private

   !> x = alpha x.
   interface steno_scal
      procedure scal_real, scal_complex
   end interface
   !> y = alpha x + y.
   interface steno_axpy
      procedure axpy_real, axpy_complex
   end interface
   !> y = alpha x + beta y.
   interface steno_axpby
      procedure axpby_real, axpby_complex
   end interface
   !> (x, y) = (c x + s y, c y - conj(s) x).
   interface steno_rot
      procedure rot_real, rot_complex
   end interface
   !> Rotation with c a + s b = r and c b - s a = 0.
   interface steno_rotg
      procedure rotg_real, rotg_complex
   end interface

   public :: steno_rotg, steno_rotm, steno_rotmg
   public :: steno_dot, steno_dotu, steno_dotc, steno_nrm2, steno_asum, steno_iamax, steno_swap
   public :: steno_scal, steno_axpy, steno_axpby, steno_rot

contains

   !> Dot product: the sum of x(i) * y(i).
   recursive subroutine steno_dot(exec, arithmetic, result, x, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_dot(at(exec), arithmetic, c_loc(found), at(x), at(y))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   !> Complex dot product without conjugation.
   recursive subroutine steno_dotu(exec, arithmetic, result, x, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(out) :: result
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_number), target :: found
      integer(c_int) :: status
      status = stn_dotu(at(exec), arithmetic, c_loc(found), at(x), at(y))
      result = cmplx(found%re, found%im, real64)
      call check(status, stat, errmsg)
   end subroutine

   !> Complex dot product: the sum of conj(x(i)) * y(i).
   recursive subroutine steno_dotc(exec, arithmetic, result, x, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(out) :: result
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_number), target :: found
      integer(c_int) :: status
      status = stn_dotc(at(exec), arithmetic, c_loc(found), at(x), at(y))
      result = cmplx(found%re, found%im, real64)
      call check(status, stat, errmsg)
   end subroutine

   !> 2-norm of a vector.
   recursive subroutine steno_nrm2(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_nrm2(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   !> Sum of magnitudes, of complex numbers |re| + |im|.
   recursive subroutine steno_asum(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: found
      integer(c_int) :: status
      found = 0
      status = stn_asum(at(exec), arithmetic, c_loc(found), at(x))
      result = found
      call check(status, stat, errmsg)
   end subroutine

   !> Index of the first element of largest magnitude, from 1; 0 of an empty vector.
   recursive subroutine steno_iamax(exec, arithmetic, result, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int64), intent(out) :: result
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: found
      integer(c_int) :: status
      found = -1
      status = stn_iamax(at(exec), arithmetic, c_loc(found), at(x))
      result = found + 1
      call check(status, stat, errmsg)
   end subroutine

   !> Exchanges two vectors.
   recursive subroutine steno_swap(exec, arithmetic, x, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_swap(at(exec), arithmetic, at(x), at(y)), stat, errmsg)
   end subroutine

   recursive subroutine scal_real(exec, arithmetic, alpha, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_scal(at(exec), arithmetic, alpha, at(x)), stat, errmsg)
   end subroutine

   recursive subroutine scal_complex(exec, arithmetic, alpha, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_scal_complex(at(exec), arithmetic, c_number(alpha%re, alpha%im), at(x)), &
                  stat, errmsg)
   end subroutine

   recursive subroutine axpy_real(exec, arithmetic, alpha, x, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_axpy(at(exec), arithmetic, alpha, at(x), at(y)), stat, errmsg)
   end subroutine

   recursive subroutine axpy_complex(exec, arithmetic, alpha, x, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_axpy_complex(at(exec), arithmetic, c_number(alpha%re, alpha%im), at(x), &
                  at(y)), stat, errmsg)
   end subroutine

   recursive subroutine axpby_real(exec, arithmetic, alpha, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_axpby(at(exec), arithmetic, alpha, at(x), beta, at(y)), stat, errmsg)
   end subroutine

   recursive subroutine axpby_complex(exec, arithmetic, alpha, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_axpby_complex(at(exec), arithmetic, c_number(alpha%re, alpha%im), at(x), &
                  c_number(beta%re, beta%im), at(y)), stat, errmsg)
   end subroutine

   recursive subroutine rot_real(exec, arithmetic, x, y, c, s, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: c, s
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_rot(at(exec), arithmetic, at(x), at(y), c, s), stat, errmsg)
   end subroutine

   recursive subroutine rot_complex(exec, arithmetic, x, y, c, s, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: c
      complex(real64), intent(in) :: s
      type(steno_view), intent(in) :: x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_rot_complex(at(exec), arithmetic, at(x), at(y), c, c_number(s%re, s%im)), &
                  stat, errmsg)
   end subroutine

   !> Rotation with c a + s b = r: a becomes r, b a value from which c and s can be computed.
   recursive subroutine rotg_real(arithmetic, a, b, c, s, stat, errmsg)
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(inout), target :: a, b
      real(real64), intent(out), target :: c, s
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      c = 0
      s = 0
      call check(stn_rotg(arithmetic, c_loc(a), c_loc(b), c_loc(c), c_loc(s)), stat, errmsg)
   end subroutine

   recursive subroutine rotg_complex(arithmetic, a, b, c, s, stat, errmsg)
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(inout), target :: a
      complex(real64), intent(in), target :: b
      real(real64), intent(out), target :: c
      complex(real64), intent(out), target :: s
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      c = 0
      s = 0
      call check(stn_rotg_complex(arithmetic, c_loc(a), c_loc(b), c_loc(c), c_loc(s)), stat, errmsg)
   end subroutine

   !> Modified rotation of all elements: parameter is [flag, h11, h21, h12, h22].
   recursive subroutine steno_rotm(exec, arithmetic, x, y, parameter, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      real(real64), intent(in), target :: parameter(5)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_rotm(at(exec), arithmetic, at(x), at(y), c_loc(parameter)), stat, errmsg)
   end subroutine

   !> Modified rotation for steno_rotm that makes the second component zero.
   recursive subroutine steno_rotmg(arithmetic, d1, d2, x1, y1, parameter, stat, errmsg)
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(inout), target :: d1, d2, x1
      real(real64), intent(in) :: y1
      real(real64), intent(out), target :: parameter(5)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      parameter = 0
      call check(stn_rotmg(arithmetic, c_loc(d1), c_loc(d2), c_loc(x1), y1, c_loc(parameter)), &
                 stat, errmsg)
   end subroutine
end module
