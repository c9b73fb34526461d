!> Heat equation on a square: the temperature is stored in 16 bits, and a kernel computes in f32.
program heat
   use, intrinsic :: iso_fortran_env, only: real32
   use steno
   implicit none
   call simulate()
contains
   subroutine simulate()
      integer, parameter :: n = 65, center = 33, steps = 200
      type(steno_executor) :: exec
      type(steno_view) :: t, next, wide
      type(steno_compiled_kernel) :: step
      real(real32), target :: temperature(n, n)
      integer :: k
      temperature = 0
      temperature(17:49, 17:49) = 100
      call steno_executor_create(exec, "threads")
      call steno_wrap(wide, temperature, label="temperature")
      call steno_create(exec, t, steno_storage(STENO_F16), [n, n])
      call steno_create(exec, next, steno_storage(STENO_F16), [n, n])
      call steno_copy(exec, t, wide)
      call steno_kernel(step, "v = STN_AT(u, i, j) + R(0.2) * (STN_AT(u, i - 1, j) + &
                        &STN_AT(u, i + 1, j) + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1) &
                        &- 4 * STN_AT(u, i, j))", "at(i, j), stencil(u, zero, 1, 1), out(v)")
      do k = 1, steps, 2
         call steno_run(exec, STENO_F32, step, [steno_argument(t), steno_argument(next)])
         call steno_run(exec, STENO_F32, step, [steno_argument(next), steno_argument(t)])
      end do
      call steno_copy(exec, wide, t)
      print "(a, f0.1)", "temperature in the center: ", temperature(center, center)
   end subroutine
end program
