!> C functions with an executor and an arithmetic type. The name of an interface has a letter for
!! each further argument: p an address, d a real, z a complex number, i an enumeration.
module steno_c_operations
   use steno_c
   use, intrinsic :: iso_c_binding
   implicit none
   public

   abstract interface
      function call_ppp(exec, arithmetic, p1, p2, p3) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2, p3
         integer(c_int) :: status
      end function
      function call_pp(exec, arithmetic, p1, p2) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2
         integer(c_int) :: status
      end function
      function call_dp(exec, arithmetic, d1, p2) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2
         real(c_double), value :: d1
         integer(c_int) :: status
      end function
      function call_zp(exec, arithmetic, z1, p2) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2
         type(c_number), value :: z1
         integer(c_int) :: status
      end function
      function call_dpp(exec, arithmetic, d1, p2, p3) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3
         real(c_double), value :: d1
         integer(c_int) :: status
      end function
      function call_zpp(exec, arithmetic, z1, p2, p3) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3
         type(c_number), value :: z1
         integer(c_int) :: status
      end function
      function call_dpdp(exec, arithmetic, d1, p2, d3, p4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p4
         real(c_double), value :: d1, d3
         integer(c_int) :: status
      end function
      function call_zpzp(exec, arithmetic, z1, p2, z3, p4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p4
         type(c_number), value :: z1, z3
         integer(c_int) :: status
      end function
      function call_ppdd(exec, arithmetic, p1, p2, d3, d4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2
         real(c_double), value :: d3, d4
         integer(c_int) :: status
      end function
      function call_ppdz(exec, arithmetic, p1, p2, d3, z4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2
         real(c_double), value :: d3
         type(c_number), value :: z4
         integer(c_int) :: status
      end function
      function call_dppdp(exec, arithmetic, d1, p2, p3, d4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3, p5
         real(c_double), value :: d1, d4
         integer(c_int) :: status
      end function
      function call_zippzp(exec, arithmetic, z1, i2, p3, p4, z5, p6) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p4, p6
         type(c_number), value :: z1, z5
         integer(c_int), value :: i2
         integer(c_int) :: status
      end function
      function call_dppdpp(exec, arithmetic, d1, p2, p3, d4, p5, p6) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3, p5, p6
         real(c_double), value :: d1, d4
         integer(c_int) :: status
      end function
      function call_idppdp(exec, arithmetic, i1, d2, p3, p4, d5, p6) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p4, p6
         real(c_double), value :: d2, d5
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_izppzp(exec, arithmetic, i1, z2, p3, p4, z5, p6) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p4, p6
         type(c_number), value :: z2, z5
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_iiipp(exec, arithmetic, i1, i2, i3, p4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p4, p5
         integer(c_int), value :: i1, i2, i3
         integer(c_int) :: status
      end function
      function call_dppp(exec, arithmetic, d1, p2, p3, p4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3, p4
         real(c_double), value :: d1
         integer(c_int) :: status
      end function
      function call_zppp(exec, arithmetic, z1, p2, p3, p4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3, p4
         type(c_number), value :: z1
         integer(c_int) :: status
      end function
      function call_idpp(exec, arithmetic, i1, d2, p3, p4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p4
         real(c_double), value :: d2
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_idppp(exec, arithmetic, i1, d2, p3, p4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p4, p5
         real(c_double), value :: d2
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_izppp(exec, arithmetic, i1, z2, p3, p4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p4, p5
         type(c_number), value :: z2
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_zipipzp(exec, arithmetic, z1, i2, p3, i4, p5, z6, p7) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p5, p7
         type(c_number), value :: z1, z6
         integer(c_int), value :: i2, i4
         integer(c_int) :: status
      end function
      function call_iidppdp(exec, arithmetic, i1, i2, d3, p4, p5, d6, p7) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p4, p5, p7
         real(c_double), value :: d3, d6
         integer(c_int), value :: i1, i2
         integer(c_int) :: status
      end function
      function call_iizppzp(exec, arithmetic, i1, i2, z3, p4, p5, z6, p7) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p4, p5, p7
         type(c_number), value :: z3, z6
         integer(c_int), value :: i1, i2
         integer(c_int) :: status
      end function
      function call_idpdp(exec, arithmetic, i1, d2, p3, d4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p5
         real(c_double), value :: d2, d4
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_izpzp(exec, arithmetic, i1, z2, p3, z4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p3, p5
         type(c_number), value :: z2, z4
         integer(c_int), value :: i1
         integer(c_int) :: status
      end function
      function call_idipdp(exec, arithmetic, i1, d2, i3, p4, d5, p6) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p4, p6
         real(c_double), value :: d2, d5
         integer(c_int), value :: i1, i3
         integer(c_int) :: status
      end function
      function call_izippdp(exec, arithmetic, i1, z2, i3, p4, p5, d6, p7) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p4, p5, p7
         real(c_double), value :: d6
         type(c_number), value :: z2
         integer(c_int), value :: i1, i3
         integer(c_int) :: status
      end function
      function call_iiidipp(exec, arithmetic, i1, i2, i3, d4, i5, p6, p7) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p6, p7
         real(c_double), value :: d4
         integer(c_int), value :: i1, i2, i3, i5
         integer(c_int) :: status
      end function
      function call_iiizipp(exec, arithmetic, i1, i2, i3, z4, i5, p6, p7) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p6, p7
         type(c_number), value :: z4
         integer(c_int), value :: i1, i2, i3, i5
         integer(c_int) :: status
      end function
      function call_zppzp(exec, arithmetic, z1, p2, p3, z4, p5) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p2, p3, p5
         type(c_number), value :: z1, z4
         integer(c_int) :: status
      end function
      function call_pppp(exec, arithmetic, p1, p2, p3, p4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2, p3, p4
         integer(c_int) :: status
      end function
      function call_pdpdpp(exec, arithmetic, p1, d2, p3, d4, p5, p6) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p3, p5, p6
         real(c_double), value :: d2, d4
         integer(c_int) :: status
      end function
      function call_ppi(exec, arithmetic, p1, p2, i3) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2
         integer(c_int), value :: i3
         integer(c_int) :: status
      end function
      function call_ppii(exec, arithmetic, p1, p2, i3, i4) bind(C) result(status)
         import
         type(c_ptr), value :: exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: p1, p2
         integer(c_int), value :: i3, i4
         integer(c_int) :: status
      end function
      function rotation(arithmetic, a, b, c, s) bind(C) result(status)
         import
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: a, b, c, s
         integer(c_int) :: status
      end function
      function modified_rotation(arithmetic, d1, d2, x1, y1, parameter) bind(C) result(status)
         import
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: d1, d2, x1, parameter
         real(c_double), value :: y1
         integer(c_int) :: status
      end function
   end interface

   procedure(call_ppp), bind(C, name="stn_dot") :: stn_dot
   procedure(call_ppp), bind(C, name="stn_dotu") :: stn_dotu
   procedure(call_ppp), bind(C, name="stn_dotc") :: stn_dotc
   procedure(call_pp), bind(C, name="stn_nrm2") :: stn_nrm2
   procedure(call_pp), bind(C, name="stn_asum") :: stn_asum
   procedure(call_pp), bind(C, name="stn_iamax") :: stn_iamax
   procedure(call_pp), bind(C, name="stn_swap") :: stn_swap
   procedure(call_dp), bind(C, name="stn_scal") :: stn_scal
   procedure(call_zp), bind(C, name="stn_scal_complex") :: stn_scal_complex
   procedure(call_dpp), bind(C, name="stn_axpy") :: stn_axpy
   procedure(call_zpp), bind(C, name="stn_axpy_complex") :: stn_axpy_complex
   procedure(call_dpdp), bind(C, name="stn_axpby") :: stn_axpby
   procedure(call_zpzp), bind(C, name="stn_axpby_complex") :: stn_axpby_complex
   procedure(call_ppdd), bind(C, name="stn_rot") :: stn_rot
   procedure(call_ppdz), bind(C, name="stn_rot_complex") :: stn_rot_complex
   procedure(call_dppdp), bind(C, name="stn_gemv") :: stn_gemv
   procedure(call_zippzp), bind(C, name="stn_gemv_complex") :: stn_gemv_complex
   procedure(call_dppdpp), bind(C, name="stn_gemvt") :: stn_gemvt
   procedure(call_idppdp), bind(C, name="stn_symv") :: stn_symv
   procedure(call_izppzp), bind(C, name="stn_hemv") :: stn_hemv
   procedure(call_iiipp), bind(C, name="stn_trmv") :: stn_trmv
   procedure(call_iiipp), bind(C, name="stn_trsv") :: stn_trsv
   procedure(call_dppp), bind(C, name="stn_ger") :: stn_ger
   procedure(call_zppp), bind(C, name="stn_geru") :: stn_geru
   procedure(call_zppp), bind(C, name="stn_gerc") :: stn_gerc
   procedure(call_idpp), bind(C, name="stn_syr") :: stn_syr
   procedure(call_idpp), bind(C, name="stn_her") :: stn_her
   procedure(call_idppp), bind(C, name="stn_syr2") :: stn_syr2
   procedure(call_izppp), bind(C, name="stn_her2") :: stn_her2
   procedure(call_dppdp), bind(C, name="stn_gemm") :: stn_gemm
   procedure(call_zipipzp), bind(C, name="stn_gemm_complex") :: stn_gemm_complex
   procedure(call_iidppdp), bind(C, name="stn_symm") :: stn_symm
   procedure(call_iizppzp), bind(C, name="stn_symm_complex") :: stn_symm_complex
   procedure(call_iizppzp), bind(C, name="stn_hemm") :: stn_hemm
   procedure(call_idpdp), bind(C, name="stn_syrk") :: stn_syrk
   procedure(call_izpzp), bind(C, name="stn_syrk_complex") :: stn_syrk_complex
   procedure(call_idipdp), bind(C, name="stn_herk") :: stn_herk
   procedure(call_idppdp), bind(C, name="stn_syr2k") :: stn_syr2k
   procedure(call_izppzp), bind(C, name="stn_syr2k_complex") :: stn_syr2k_complex
   procedure(call_izippdp), bind(C, name="stn_her2k") :: stn_her2k
   procedure(call_iiidipp), bind(C, name="stn_trmm") :: stn_trmm
   procedure(call_iiizipp), bind(C, name="stn_trmm_complex") :: stn_trmm_complex
   procedure(call_iiidipp), bind(C, name="stn_trsm") :: stn_trsm
   procedure(call_iiizipp), bind(C, name="stn_trsm_complex") :: stn_trsm_complex
   procedure(call_dppdp), bind(C, name="stn_spmv") :: stn_spmv
   procedure(call_zppzp), bind(C, name="stn_spmv_complex") :: stn_spmv_complex
   procedure(call_dppdp), bind(C, name="stn_spmv_transposed") :: stn_spmv_transposed
   procedure(call_pppp), bind(C, name="stn_sparse_residual") :: stn_sparse_residual
   procedure(call_ppp), bind(C, name="stn_triangular_solve") :: stn_triangular_solve
   procedure(call_pp), bind(C, name="stn_sparse_diagonal") :: stn_sparse_diagonal
   procedure(call_ppp), bind(C, name="stn_sparse_scale") :: stn_sparse_scale
   procedure(call_pdpdpp), bind(C, name="stn_sparse_add") :: stn_sparse_add
   procedure(call_ppi), bind(C, name="stn_sparse_row_norms") :: stn_sparse_row_norms
   procedure(call_ppi), bind(C, name="stn_sparse_column_norms") :: stn_sparse_column_norms
   procedure(call_ppp), bind(C, name="stn_rotm") :: stn_rotm
   procedure(call_pp), bind(C, name="stn_sum") :: stn_sum
   procedure(call_pp), bind(C, name="stn_sum_integer") :: stn_sum_integer
   procedure(call_pp), bind(C, name="stn_sum_complex") :: stn_sum_complex
   procedure(call_pp), bind(C, name="stn_mean") :: stn_mean
   procedure(call_pp), bind(C, name="stn_mean_complex") :: stn_mean_complex
   procedure(call_ppi), bind(C, name="stn_variance") :: stn_variance
   procedure(call_pp), bind(C, name="stn_min") :: stn_min
   procedure(call_pp), bind(C, name="stn_min_integer") :: stn_min_integer
   procedure(call_pp), bind(C, name="stn_max") :: stn_max
   procedure(call_pp), bind(C, name="stn_max_integer") :: stn_max_integer
   procedure(call_pp), bind(C, name="stn_argmin") :: stn_argmin
   procedure(call_pp), bind(C, name="stn_argmax") :: stn_argmax
   procedure(call_pp), bind(C, name="stn_norm") :: stn_norm
   procedure(call_ppi), bind(C, name="stn_sum_into") :: stn_sum_into
   procedure(call_ppi), bind(C, name="stn_mean_into") :: stn_mean_into
   procedure(call_ppii), bind(C, name="stn_variance_into") :: stn_variance_into
   procedure(call_ppi), bind(C, name="stn_min_into") :: stn_min_into
   procedure(call_ppi), bind(C, name="stn_max_into") :: stn_max_into
   procedure(call_ppi), bind(C, name="stn_argmin_into") :: stn_argmin_into
   procedure(call_ppi), bind(C, name="stn_argmax_into") :: stn_argmax_into
   procedure(call_ppi), bind(C, name="stn_norm_into") :: stn_norm_into
   procedure(call_ppi), bind(C, name="stn_cumsum") :: stn_cumsum
   procedure(rotation), bind(C, name="stn_rotg") :: stn_rotg
   procedure(rotation), bind(C, name="stn_rotg_complex") :: stn_rotg_complex
   procedure(modified_rotation), bind(C, name="stn_rotmg") :: stn_rotmg
end module
