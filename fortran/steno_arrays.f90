!> steno_wrap and steno_array for each type of elements. In each module, names that begin with `a`
!! have this type, and steno_arrays.inc has the procedures.
module steno_real64
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_core
   use steno_handles
   use steno_memory
   implicit real(real64) (a)
   integer(int32), parameter :: native = STENO_F64
   include "steno_arrays.inc"
end module

module steno_real32
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32
   use steno_core
   use steno_handles
   use steno_memory
   implicit real(real32) (a)
   integer(int32), parameter :: native = STENO_F32
   include "steno_arrays.inc"
end module

module steno_complex_real64
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_core
   use steno_handles
   use steno_memory
   implicit complex(real64) (a)
   integer(int32), parameter :: native = STENO_C128
   include "steno_arrays.inc"
end module

module steno_complex_real32
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32
   use steno_core
   use steno_handles
   use steno_memory
   implicit complex(real32) (a)
   integer(int32), parameter :: native = STENO_C64
   include "steno_arrays.inc"
end module

module steno_int8
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64, int8
   use steno_core
   use steno_handles
   use steno_memory
   implicit integer(int8) (a)
   integer(int32), parameter :: native = STENO_I8
   include "steno_arrays.inc"
end module

module steno_int16
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int16, int32, int64
   use steno_core
   use steno_handles
   use steno_memory
   implicit integer(int16) (a)
   integer(int32), parameter :: native = STENO_I16
   include "steno_arrays.inc"
end module

module steno_int32
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64
   use steno_core
   use steno_handles
   use steno_memory
   implicit integer(int32) (a)
   integer(int32), parameter :: native = STENO_I32
   include "steno_arrays.inc"
end module

module steno_int64
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer, c_associated
   use, intrinsic :: iso_fortran_env, only: int32, int64
   use steno_core
   use steno_handles
   use steno_memory
   implicit integer(int64) (a)
   integer(int32), parameter :: native = STENO_I64
   include "steno_arrays.inc"
end module

module steno_arrays
   use steno_real64
   use steno_real32
   use steno_complex_real64
   use steno_complex_real32
   use steno_int8
   use steno_int16
   use steno_int32
   use steno_int64
   implicit none
   public
end module
