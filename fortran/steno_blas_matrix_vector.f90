!> BLAS of a matrix and vectors. The transpose of a matrix is steno_permute with order [2, 1].
module steno_blas_matrix_vector
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_c_operations
   use steno_core
   use steno_handles
   implicit none
   private

   !> Conjugation of a matrix; triangle, diagonal and side of a triangular or symmetric one.
   integer(int32), parameter, public :: STENO_NO_CONJUGATE = 0, STENO_CONJUGATE = 1
   integer(int32), parameter, public :: STENO_LOWER = 0, STENO_UPPER = 1
   integer(int32), parameter, public :: STENO_DIAGONAL_NON_UNIT = 0, STENO_DIAGONAL_UNIT = 1
   integer(int32), parameter, public :: STENO_SIDE_LEFT = 0, STENO_SIDE_RIGHT = 1

   !> y = alpha A x + beta y.
   interface steno_gemv
      procedure gemv_real, gemv_complex
   end interface

   public :: steno_gemv, steno_gemvt, steno_symv, steno_hemv, steno_trmv, steno_trsv, steno_ger
   public :: steno_geru, steno_gerc, steno_syr, steno_her, steno_syr2, steno_her2

contains

   recursive subroutine gemv_real(exec, arithmetic, alpha, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_gemv(at(exec), arithmetic, alpha, at(a), at(x), beta, at(y)), stat, errmsg)
   end subroutine

   recursive subroutine gemv_complex(exec, arithmetic, alpha, conj, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: conj
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_gemv_complex(at(exec), arithmetic, c_number(alpha%re, alpha%im), conj, &
                  at(a), at(x), c_number(beta%re, beta%im), at(y)), stat, errmsg)
   end subroutine

   !> y = alpha A^T x + beta y, and z = A y.
   recursive subroutine steno_gemvt(exec, arithmetic, alpha, a, x, beta, y, z, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, x, y, z
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_gemvt(at(exec), arithmetic, alpha, at(a), at(x), beta, at(y), at(z)), &
                  stat, errmsg)
   end subroutine

   !> y = alpha A x + beta y with a symmetric A.
   recursive subroutine steno_symv(exec, arithmetic, triangle, alpha, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_symv(at(exec), arithmetic, triangle, alpha, at(a), at(x), beta, at(y)), &
                  stat, errmsg)
   end subroutine

   !> y = alpha A x + beta y with a Hermitian A.
   recursive subroutine steno_hemv(exec, arithmetic, triangle, alpha, a, x, beta, y, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, x, y
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_hemv(at(exec), arithmetic, triangle, c_number(alpha%re, alpha%im), at(a), &
                  at(x), c_number(beta%re, beta%im), at(y)), stat, errmsg)
   end subroutine

   !> x = A x with a triangular A.
   recursive subroutine steno_trmv(exec, arithmetic, triangle, diagonal, conj, a, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle, diagonal, conj
      type(steno_view), intent(in) :: a, x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_trmv(at(exec), arithmetic, triangle, diagonal, conj, at(a), at(x)), stat, &
                  errmsg)
   end subroutine

   !> Solves A x = b with a triangular A; x is b, then the solution.
   recursive subroutine steno_trsv(exec, arithmetic, triangle, diagonal, conj, a, x, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle, diagonal, conj
      type(steno_view), intent(in) :: a, x
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_trsv(at(exec), arithmetic, triangle, diagonal, conj, at(a), at(x)), stat, &
                  errmsg)
   end subroutine

   !> A = A + alpha x y^T.
   recursive subroutine steno_ger(exec, arithmetic, alpha, x, y, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_ger(at(exec), arithmetic, alpha, at(x), at(y), at(a)), stat, errmsg)
   end subroutine

   !> A = A + alpha x y^T with a complex alpha.
   recursive subroutine steno_geru(exec, arithmetic, alpha, x, y, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_geru(at(exec), arithmetic, c_number(alpha%re, alpha%im), at(x), at(y), &
                  at(a)), stat, errmsg)
   end subroutine

   !> A = A + alpha x y^H.
   recursive subroutine steno_gerc(exec, arithmetic, alpha, x, y, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_gerc(at(exec), arithmetic, c_number(alpha%re, alpha%im), at(x), at(y), &
                  at(a)), stat, errmsg)
   end subroutine

   !> A = A + alpha x x^T in one triangle.
   recursive subroutine steno_syr(exec, arithmetic, triangle, alpha, x, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_syr(at(exec), arithmetic, triangle, alpha, at(x), at(a)), stat, errmsg)
   end subroutine

   !> A = A + alpha x x^H in one triangle.
   recursive subroutine steno_her(exec, arithmetic, triangle, alpha, x, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_her(at(exec), arithmetic, triangle, alpha, at(x), at(a)), stat, errmsg)
   end subroutine

   !> A = A + alpha x y^T + alpha y x^T in one triangle.
   recursive subroutine steno_syr2(exec, arithmetic, triangle, alpha, x, y, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_syr2(at(exec), arithmetic, triangle, alpha, at(x), at(y), at(a)), stat, errmsg)
   end subroutine

   !> A = A + alpha x y^H + conj(alpha) y x^H in one triangle.
   recursive subroutine steno_her2(exec, arithmetic, triangle, alpha, x, y, a, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: x, y, a
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_her2(at(exec), arithmetic, triangle, c_number(alpha%re, alpha%im), at(x), &
                  at(y), at(a)), stat, errmsg)
   end subroutine
end module
