!> BLAS of matrices.
module steno_blas_matrices
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_c_operations
   use steno_core
   use steno_handles
   implicit none
   private

   !> C = alpha A B + beta C.
   interface steno_gemm
      procedure gemm_real, gemm_complex
   end interface
   !> C = alpha A B + beta C, or with B A, with a symmetric A.
   interface steno_symm
      procedure symm_real, symm_complex
   end interface
   !> C = alpha A A^T + beta C in one triangle.
   interface steno_syrk
      procedure syrk_real, syrk_complex
   end interface
   !> C = alpha A B^T + alpha B A^T + beta C in one triangle.
   interface steno_syr2k
      procedure syr2k_real, syr2k_complex
   end interface
   !> B = alpha A B, or alpha B A, with a triangular A.
   interface steno_trmm
      procedure trmm_real, trmm_complex
   end interface
   !> Solves A X = alpha B, or X A = alpha B, with a triangular A; B becomes X.
   interface steno_trsm
      procedure trsm_real, trsm_complex
   end interface

   public :: steno_gemm, steno_symm, steno_hemm, steno_syrk, steno_herk, steno_syr2k
   public :: steno_her2k, steno_trmm, steno_trsm

contains

   recursive subroutine gemm_real(exec, arithmetic, alpha, a, b, beta, c, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_gemm(at(exec), arithmetic, alpha, at(a), at(b), beta, at(c)), stat, errmsg)
   end subroutine

   recursive subroutine gemm_complex(exec, arithmetic, alpha, conj_a, a, conj_b, b, beta, c, &
                                     stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: conj_a, conj_b
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_gemm_complex(at(exec), arithmetic, c_number(alpha%re, alpha%im), conj_a, &
                  at(a), conj_b, at(b), c_number(beta%re, beta%im), at(c)), stat, errmsg)
   end subroutine

   recursive subroutine symm_real(exec, arithmetic, side, triangle, alpha, a, b, beta, c, stat, &
                                  errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_symm(at(exec), arithmetic, side, triangle, alpha, at(a), at(b), beta, &
                  at(c)), stat, errmsg)
   end subroutine

   recursive subroutine symm_complex(exec, arithmetic, side, triangle, alpha, a, b, beta, c, &
                                     stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_symm_complex(at(exec), arithmetic, side, triangle, c_number(alpha%re, &
                  alpha%im), at(a), at(b), c_number(beta%re, beta%im), at(c)), stat, errmsg)
   end subroutine

   !> Hermitian version of steno_symm.
   recursive subroutine steno_hemm(exec, arithmetic, side, triangle, alpha, a, b, beta, c, stat, &
                                   errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_hemm(at(exec), arithmetic, side, triangle, c_number(alpha%re, alpha%im), &
                  at(a), at(b), c_number(beta%re, beta%im), at(c)), stat, errmsg)
   end subroutine

   recursive subroutine syrk_real(exec, arithmetic, triangle, alpha, a, beta, c, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_syrk(at(exec), arithmetic, triangle, alpha, at(a), beta, at(c)), stat, errmsg)
   end subroutine

   recursive subroutine syrk_complex(exec, arithmetic, triangle, alpha, a, beta, c, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_syrk_complex(at(exec), arithmetic, triangle, c_number(alpha%re, alpha%im), &
                  at(a), c_number(beta%re, beta%im), at(c)), stat, errmsg)
   end subroutine

   !> C = alpha A A^H + beta C in one triangle.
   recursive subroutine steno_herk(exec, arithmetic, triangle, alpha, conj, a, beta, c, stat, &
                                   errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle, conj
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_herk(at(exec), arithmetic, triangle, alpha, conj, at(a), beta, at(c)), &
                  stat, errmsg)
   end subroutine

   recursive subroutine syr2k_real(exec, arithmetic, triangle, alpha, a, b, beta, c, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      real(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_syr2k(at(exec), arithmetic, triangle, alpha, at(a), at(b), beta, at(c)), &
                  stat, errmsg)
   end subroutine

   recursive subroutine syr2k_complex(exec, arithmetic, triangle, alpha, a, b, beta, c, stat, &
                                      errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle
      complex(real64), intent(in) :: alpha, beta
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_syr2k_complex(at(exec), arithmetic, triangle, c_number(alpha%re, &
                  alpha%im), at(a), at(b), c_number(beta%re, beta%im), at(c)), stat, errmsg)
   end subroutine

   !> C = alpha A B^H + conj(alpha) B A^H + beta C in one triangle.
   recursive subroutine steno_her2k(exec, arithmetic, triangle, alpha, conj, a, b, beta, c, stat, &
                                    errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: triangle, conj
      real(real64), intent(in) :: beta
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: a, b, c
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_her2k(at(exec), arithmetic, triangle, c_number(alpha%re, alpha%im), conj, &
                  at(a), at(b), beta, at(c)), stat, errmsg)
   end subroutine

   recursive subroutine trmm_real(exec, arithmetic, side, triangle, diagonal, alpha, conj, a, b, &
                                  stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle, diagonal, conj
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: a, b
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_trmm(at(exec), arithmetic, side, triangle, diagonal, alpha, conj, at(a), &
                  at(b)), stat, errmsg)
   end subroutine

   recursive subroutine trmm_complex(exec, arithmetic, side, triangle, diagonal, alpha, conj, a, &
                                     b, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle, diagonal, conj
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: a, b
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_trmm_complex(at(exec), arithmetic, side, triangle, diagonal, &
                  c_number(alpha%re, alpha%im), conj, at(a), at(b)), stat, errmsg)
   end subroutine

   recursive subroutine trsm_real(exec, arithmetic, side, triangle, diagonal, alpha, conj, a, b, &
                                  stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle, diagonal, conj
      real(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: a, b
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_trsm(at(exec), arithmetic, side, triangle, diagonal, alpha, conj, at(a), &
                  at(b)), stat, errmsg)
   end subroutine

   recursive subroutine trsm_complex(exec, arithmetic, side, triangle, diagonal, alpha, conj, a, &
                                     b, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      integer(int32), intent(in) :: side, triangle, diagonal, conj
      complex(real64), intent(in) :: alpha
      type(steno_view), intent(in) :: a, b
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_trsm_complex(at(exec), arithmetic, side, triangle, diagonal, &
                  c_number(alpha%re, alpha%im), conj, at(a), at(b)), stat, errmsg)
   end subroutine
end module
