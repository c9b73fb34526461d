!> The compiler refuses to wrap an array without the attribute target.
program no_target
   use, intrinsic :: iso_fortran_env, only: real64
   use steno
   implicit none
   real(real64) :: a(3)
   type(steno_view) :: v
   call steno_wrap(v, a)
end program
