!> Shallow water on a rotating plane that is periodic in both directions. The state is stored in several
!! formats, and its error against a state in f64 is plotted over time. Velocities are on the west and
!! south faces of the cells.
program shallow_water
   use, intrinsic :: iso_fortran_env, only: int32, real64
   use steno
   implicit none
   integer, parameter :: n = 96, steps = 400, every = 50
   real(real64), parameter :: depth = 1, gravity = 1, coriolis = 0.02_real64, rate = 0.4_real64
   character(*), parameter :: neighbors = "stencil(h, periodic, 1, 1), &
      &stencil(u, periodic, 1, 1), stencil(v, periodic, 1, 1), out(next)"

   !> Elevation above the depth, velocities, and the arithmetic type for them.
   type :: state
      integer(int32) :: arithmetic
      type(steno_view) :: h, u, v
   end type
   character(20), parameter :: titles(5) = [character(20) :: "f32", "f16", "f16, stochastic", &
                                            "bf16", "i16, scale 2^-18"]
   real(real64), allocatable :: exact(:, :, :)
   real(real64) :: errors(size(titles), steps/every)
   type(steno_storage) :: storages(size(titles))
   integer :: k

   call simulate(steno_storage(STENO_F64), exact)
   storages(1) = steno_storage(STENO_F32)
   storages(2) = steno_storage(STENO_F16)
   storages(3) = steno_storage(STENO_F16, rounding=STENO_ROUND_STOCHASTIC, seed=1)
   storages(4) = steno_storage(STENO_BF16)
   storages(5) = steno_storage(STENO_I16, scale=2.0_real64**(-18))
   do k = 1, size(titles)
      call compare(storages(k), errors(k, :))
   end do
   call plot()

contains

   !> Relative root mean square error of the elevation at the end of each period.
   subroutine compare(storage, error)
      type(steno_storage), intent(in) :: storage
      real(real64), intent(out) :: error(:)
      real(real64), allocatable :: found(:, :, :)
      integer :: i
      call simulate(storage, found)
      do i = 1, size(error)
         error(i) = norm2(found(:, :, i) - exact(:, :, i))/norm2(exact(:, :, i))
      end do
   end subroutine

   subroutine simulate(storage, elevation)
      type(steno_storage), intent(in) :: storage
      real(real64), allocatable, intent(out) :: elevation(:, :, :)
      type(steno_executor) :: exec
      type(steno_compiled_kernel) :: mass, east, north
      type(state) :: old, new
      integer :: i
      call steno_executor_create(exec, "threads")
      allocate (elevation(n, n, 0:steps/every))
      call compile(mass, east, north)
      call create(exec, old, storage)
      call create(exec, new, storage)
      call start(exec, old%h)
      call keep(exec, elevation(:, :, 0), old%h)
      do i = 1, steps, 2
         call step(exec, mass, east, north, old, new)
         call step(exec, mass, east, north, new, old)
         if (mod(i + 1, every) == 0) call keep(exec, elevation(:, :, (i + 1)/every), old%h)
      end do
   end subroutine

   !> The volume of a cell changes by the flow through its faces; the velocity of a face changes by the
   !! slope of the surface and by the rotation.
   subroutine compile(mass, east, north)
      type(steno_compiled_kernel), intent(inout) :: mass, east, north
      call steno_kernel(mass, &
         "real_t e = STN_AT(u, i + 1, j) * (2 * depth + STN_AT(h, i, j) + STN_AT(h, i + 1, j));&
         &real_t w = STN_AT(u, i, j) * (2 * depth + STN_AT(h, i - 1, j) + STN_AT(h, i, j));&
         &real_t n = STN_AT(v, i, j + 1) * (2 * depth + STN_AT(h, i, j) + STN_AT(h, i, j + 1));&
         &real_t s = STN_AT(v, i, j) * (2 * depth + STN_AT(h, i, j - 1) + STN_AT(h, i, j));&
         &next = STN_AT(h, i, j) - rate / 2 * (e - w + n - s);", &
         "at(i, j), real(rate), real(depth), "//neighbors)
      call steno_kernel(east, &
         "real_t mean = (STN_AT(v, i, j) + STN_AT(v, i - 1, j) + STN_AT(v, i, j + 1) + &
         &STN_AT(v, i - 1, j + 1)) / 4;&
         &next = STN_AT(u, i, j) + rate * (coriolis * mean - &
         &gravity * (STN_AT(h, i, j) - STN_AT(h, i - 1, j)));", &
         "at(i, j), real(rate), real(gravity), real(coriolis), "//neighbors)
      call steno_kernel(north, &
         "real_t mean = (STN_AT(u, i, j) + STN_AT(u, i, j - 1) + STN_AT(u, i + 1, j) + &
         &STN_AT(u, i + 1, j - 1)) / 4;&
         &next = STN_AT(v, i, j) - rate * (coriolis * mean + &
         &gravity * (STN_AT(h, i, j) - STN_AT(h, i, j - 1)));", &
         "at(i, j), real(rate), real(gravity), real(coriolis), "//neighbors)
   end subroutine

   subroutine create(exec, s, storage)
      type(steno_executor), intent(in) :: exec
      type(state), intent(inout) :: s
      type(steno_storage), intent(in) :: storage
      s%arithmetic = merge(STENO_F64, STENO_F32, storage%format == STENO_F64)
      call steno_create(exec, s%h, storage, [n, n])
      call steno_create(exec, s%u, storage, [n, n])
      call steno_create(exec, s%v, storage, [n, n])
   end subroutine

   !> A hill of water at rest.
   subroutine start(exec, h)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: h
      real(real64), allocatable, target :: hill(:, :)
      type(steno_view) :: from
      integer :: i, j
      allocate (hill(n, n))
      do j = 1, n
         do i = 1, n
            hill(i, j) = exp(-((i - n/3)**2 + (j - n/2)**2)/50.0_real64)/10
         end do
      end do
      call steno_wrap(from, hill)
      call steno_copy(exec, h, from)
   end subroutine

   !> The new elevation, then the velocities that it causes (forward-backward time steps).
   subroutine step(exec, mass, east, north, old, new)
      type(steno_executor), intent(in) :: exec
      type(steno_compiled_kernel), intent(in) :: mass, east, north
      type(state), intent(in) :: old, new
      call steno_run(exec, old%arithmetic, mass, [steno_argument(rate), steno_argument(depth), &
                     steno_argument(old%h), steno_argument(old%u), steno_argument(old%v), &
                     steno_argument(new%h)])
      call steno_run(exec, old%arithmetic, east, [steno_argument(rate), steno_argument(gravity), &
                     steno_argument(coriolis), steno_argument(new%h), steno_argument(old%u), &
                     steno_argument(old%v), steno_argument(new%u)])
      call steno_run(exec, old%arithmetic, north, [steno_argument(rate), steno_argument(gravity), &
                     steno_argument(coriolis), steno_argument(new%h), steno_argument(new%u), &
                     steno_argument(old%v), steno_argument(new%v)])
   end subroutine

   subroutine keep(exec, values, h)
      type(steno_executor), intent(in) :: exec
      real(real64), intent(out), target, contiguous :: values(:, :)
      type(steno_view), intent(in) :: h
      type(steno_view) :: to
      call steno_wrap(to, values)
      call steno_copy(exec, to, h)
   end subroutine

   !> A table of the errors, and their logarithms as bars.
   subroutine plot()
      integer :: i, k
      do k = 1, size(titles)
         print "(2a)", "relative error of the elevation, state in ", titles(k)
         do i = 1, size(errors, 2)
            print "(a, i4, es9.1, 2a)", "step ", i*every, errors(k, i), "  ", &
               repeat("#", max(0, nint(8*(log10(errors(k, i)) + 7))))
         end do
      end do
   end subroutine
end program
