!> Counts failed checks of a test program.
module checks
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   private
   public :: expect, finish
   integer :: failures = 0
contains
   subroutine expect(holds, what)
      logical, intent(in) :: holds
      character(*), intent(in) :: what
      if (holds) return
      failures = failures + 1
      print "(2a)", "FAILED: ", what
   end subroutine

   subroutine finish()
      if (failures > 0) error stop 1
   end subroutine
end module
