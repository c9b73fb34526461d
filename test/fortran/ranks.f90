!> Wrapped sections of ranks 1 to 7 of all types: extents, strides, and pointers to their elements.
module expected_views
   use, intrinsic :: iso_fortran_env, only: int64
   use checks
   use steno
   implicit none
contains
   subroutine expect_view(v, extents, strides, kind)
      type(steno_view), intent(in) :: v
      integer(int64), intent(in) :: extents(:), strides(:)
      character(*), intent(in) :: kind
      character(1) :: rank
      write (rank, "(i1)") size(extents)
      call expect(all(steno_shape(v) == extents), kind//": extents of rank "//rank)
      call expect(all(steno_strides(v) == strides .or. extents == 1), &
                  kind//": strides of rank "//rank)
   end subroutine
end module

module ranks_real64
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use checks
   use steno
   use expected_views
   implicit real(real64) (a)
   include "ranks.inc"
end module

module ranks_real32
   use, intrinsic :: iso_fortran_env, only: int64, real32
   use checks
   use steno
   use expected_views
   implicit real(real32) (a)
   include "ranks.inc"
end module

module ranks_complex_real64
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use checks
   use steno
   use expected_views
   implicit complex(real64) (a)
   include "ranks.inc"
end module

module ranks_complex_real32
   use, intrinsic :: iso_fortran_env, only: int64, real32
   use checks
   use steno
   use expected_views
   implicit complex(real32) (a)
   include "ranks.inc"
end module

module ranks_int8
   use, intrinsic :: iso_fortran_env, only: int64, int8
   use checks
   use steno
   use expected_views
   implicit integer(int8) (a)
   include "ranks.inc"
end module

module ranks_int16
   use, intrinsic :: iso_fortran_env, only: int64, int16
   use checks
   use steno
   use expected_views
   implicit integer(int16) (a)
   include "ranks.inc"
end module

module ranks_int32
   use, intrinsic :: iso_fortran_env, only: int64, int32
   use checks
   use steno
   use expected_views
   implicit integer(int32) (a)
   include "ranks.inc"
end module

module ranks_int64
   use, intrinsic :: iso_fortran_env, only: int64
   use checks
   use steno
   use expected_views
   implicit integer(int64) (a)
   include "ranks.inc"
end module

program ranks
   use checks
   use ranks_real64, only: check_real64 => check_ranks
   use ranks_real32, only: check_real32 => check_ranks
   use ranks_complex_real64, only: check_complex_real64 => check_ranks
   use ranks_complex_real32, only: check_complex_real32 => check_ranks
   use ranks_int8, only: check_int8 => check_ranks
   use ranks_int16, only: check_int16 => check_ranks
   use ranks_int32, only: check_int32 => check_ranks
   use ranks_int64, only: check_int64 => check_ranks
   implicit none
   call check_real64("real64")
   call check_real32("real32")
   call check_complex_real64("complex_real64")
   call check_complex_real32("complex_real32")
   call check_int8("int8")
   call check_int16("int16")
   call check_int32("int32")
   call check_int64("int64")
   call finish()
end program
