!> Wrapped arrays, copies, parts, handles and errors.
module test_views
   use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
   use checks
   use steno
   implicit none
   type :: state
      type(steno_view) :: density
      type(steno_view), allocatable :: parts(:)
   end type
   type :: cell
      real(real32) :: mass
      real(real64) :: energy
   end type
   type(steno_executor) :: exec
contains

   !> Sections of each rank, without copies: extents and strides are those of Fortran.
   subroutine ranks()
      real(real64), target :: a1(9), a2(3, 4), a3(2, 3, 2), a4(2, 2, 2, 2), a5(2, 1, 2, 1, 2)
      real(real64), target :: a6(2, 1, 1, 2, 1, 2), a7(2, 1, 2, 1, 2, 1, 2)
      type(steno_view) :: v
      call steno_wrap(v, a1(9:1:-2))
      call expect(all(steno_strides(v) == [-2]) .and. all(steno_shape(v) == [5]), "rank 1")
      call steno_wrap(v, a2)
      call expect(all(steno_strides(v) == [1, 3]), "rank 2")
      call expect(steno_layout_of(v) == "left", "rank 2: layout left")
      call steno_wrap(v, a2(1:3:2, 4:2:-1))
      call expect(all(steno_strides(v) == [2, -3]) .and. all(steno_shape(v) == [2, 3]), "section")
      call steno_wrap(v, a2(2, :))
      call expect(all(steno_strides(v) == [3]) .and. all(steno_shape(v) == [4]), "row")
      call steno_wrap(v, a3(:, 2:3, :))
      call expect(all(steno_strides(v) == [1, 2, 6]), "rank 3")
      call steno_wrap(v, a4(:, :, :, 2:1:-1))
      call expect(all(steno_strides(v) == [1, 2, 4, -8]), "rank 4")
      call steno_wrap(v, a5)
      call expect(all(steno_shape(v) == shape(a5)) .and. steno_is_contiguous(v), "rank 5")
      call steno_wrap(v, a6(2:1:-1, :, :, :, :, :))
      call expect(steno_extent(v, 6) == 2 .and. steno_count(v) == 8, "rank 6")
      call steno_wrap(v, a7)
      call expect(steno_rank(v) == 7 .and. steno_layout_of(v) == "left", "rank 7")
      call steno_set(v, [2, 1, 1, 1, 2, 1, 2], 5.0_real64)
      call expect(a7(2, 1, 1, 1, 2, 1, 2) == 5, "an element of rank 7")
   end subroutine

   subroutine kinds()
      real(real32), target :: r32(4)
      complex(real64), target :: c64(4)
      complex(real32), target :: c32(4)
      integer(int8), target :: i8(4)
      integer(int16), target :: i16(4)
      integer(int32), target :: i32(4)
      integer(int64), target :: i64(4)
      type(steno_view) :: v
      type(steno_storage) :: s
      complex(real64) :: z
      call steno_wrap(v, r32)
      s = steno_storage_of(v)
      call expect(s%format == STENO_F32, "real32")
      call steno_wrap(v, c64)
      call steno_set(v, [2], (1.5_real64, -2.5_real64))
      call expect(c64(2) == (1.5_real64, -2.5_real64), "complex set")
      call steno_get(v, [2], z)
      call expect(z == c64(2), "complex get")
      call steno_wrap(v, c64%im)
      call expect(all(steno_strides(v) == [2]), "imaginary parts")
      call steno_wrap(v, c32)
      s = steno_storage_of(v)
      call expect(s%format == STENO_C64, "complex of real32")
      call steno_wrap(v, i8, storage=steno_storage(STENO_E4M3))
      call steno_set(v, [1], 1.0_real64)
      call expect(i8(1) == int(z'38', int8), "e4m3 in int8")
      call steno_wrap(v, i16, storage=steno_storage(STENO_F16))
      call steno_set(v, [3], 1.0_real64)
      call expect(i16(3) == int(z'3c00', int16), "f16 in int16")
      call steno_wrap(v, i32)
      call steno_wrap(v, i64)
      s = steno_storage_of(v)
      call expect(s%format == STENO_I64, "int64")
   end subroutine

   subroutine edges()
      real(real64), target :: a(4, 0), b(3)
      real(real64), pointer :: p(:), none(:, :)
      real(real64), allocatable, target :: later(:)
      type(cell), target :: cells(3)
      type(steno_view) :: v
      integer :: stat
      character(100) :: message
      call steno_wrap(v, a)
      call expect(steno_count(v) == 0 .and. all(steno_shape(v) == [4, 0]), "no elements")
      call steno_wrap(v, b(3:2))
      call expect(steno_count(v) == 0, "an empty section")
      allocate (p(-1:5))
      p = 0
      call steno_wrap(v, p)
      call steno_set(v, [1], 3.0_real64)
      call expect(p(-1) == 3, "lower bounds of a pointer")
      deallocate (p)
      nullify (none)
      call steno_wrap(v, none, stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_ARGUMENT .and. index(message, "not associated") > 0, &
                  "a pointer that is not associated")
      call steno_wrap(v, later, stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_ARGUMENT .and. index(message, "not allocated") > 0, &
                  "an array that is not allocated")
      allocate (later(0))
      call steno_wrap(v, later)
      call expect(steno_rank(v) == 1 .and. steno_count(v) == 0, "an allocated array of size 0")
      call steno_wrap(v, cells%energy)
      call expect(all(steno_strides(v) == [2]), "components")
      call steno_wrap(v, b, storage=steno_storage(STENO_I64), stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_FORMAT .and. index(message, "their own format") > 0, &
                  "a real array in an integer format")
      call steno_wrap(v, b, label="b", read_only=.true.)
      call steno_set(v, [1], 1.0_real64, stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_ARGUMENT .and. index(message, "b") > 0, "read-only")
      call steno_set(v, [4], 1.0_real64, stat=stat)
      call expect(stat /= STENO_OK, "index 4 of 3")
      call expect(steno_label(v) == "b", "label")
   end subroutine

   !> f16 codes of a strided section are converted and converted back.
   subroutine copies()
      real(real64), target :: a(6, 5), back(3, 5)
      integer(int16), target :: codes(3, 5)
      type(steno_view) :: wide, narrow, section, again
      integer(int16), pointer :: p(:, :)
      integer :: i, stat
      a = reshape([(i/8.0_real64, i=1, 30)], [6, 5])
      call steno_wrap(wide, a)
      call steno_wrap(section, a(1:6:2, :))
      call steno_create(exec, narrow, steno_storage(STENO_F16), [3, 5])
      call steno_copy(exec, narrow, section)
      call steno_wrap(again, back)
      call steno_copy(exec, again, narrow)
      call expect(all(back == a(1:6:2, :)), "f64 to f16 and back")
      call steno_array(narrow, p)
      codes = p
      call expect(codes(1, 1) == int(z'3000', int16), "codes of f16")
      call steno_array(wide, p, stat=stat)
      call expect(stat == STENO_ERR_FORMAT .and. .not. associated(p), "a pointer to other elements")
      call steno_fill(exec, wide, 2.0_real64)
      call expect(all(a == 2), "fill")
      call steno_copy(exec, narrow, wide, stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "other extents")
   end subroutine

   subroutine parts()
      real(real64), target :: a(4, 5)
      type(steno_view) :: v, part
      integer :: i, stat
      real(real64) :: x
      a = reshape([(real(i, real64), i=1, 20)], [4, 5])
      call steno_wrap(v, a, label="a")
      call steno_subview(part, v, [steno_slice(2, 4, 2), steno_index(3)])
      call expect(all(steno_shape(part) == [2]) .and. steno_label(part) == "a", "part")
      call steno_get(part, [2], x)
      call expect(x == a(4, 3), "element of a part")
      call steno_subview(part, v, [steno_slice(), steno_slice(5, 1, -1)])
      call steno_get(part, [1, 1], x)
      call expect(x == a(1, 5), "backward")
      call steno_subview(part, v, [steno_slice(3, 2, 2), steno_slice(2, 3, -3)])
      call expect(all(steno_shape(part) == [0, 0]), "steps beyond the end of empty slices")
      call steno_permute(part, v, [2, 1])
      call steno_get(part, [5, 2], x)
      call expect(x == a(2, 5), "transpose")
      call steno_subview(part, v, [steno_slice(1, 5), steno_slice()], stat=stat)
      call expect(stat == STENO_ERR_RANGE, "a slice out of range")
      call expect(all(steno_shape(part) == [5, 4]), "the part is unchanged")
   end subroutine

   !> Handles: assignment shares, the end of a variable releases, components of types too.
   subroutine handles()
      type(steno_view) :: v, other
      type(state) :: s
      type(steno_executor) :: same
      call steno_create(exec, v, steno_storage(STENO_F32), [10])
      other = v
      call expect(steno_use_count(v) == 2, "assignment")
      other = other
      call expect(steno_use_count(v) == 2, "assignment to itself")
      s%density = v
      allocate (s%parts(2))
      s%parts = v
      call expect(steno_use_count(v) == 5, "components")
      call inner(v)
      call expect(steno_use_count(v) == 5, "the end of a procedure")
      deallocate (s%parts)
      call expect(steno_use_count(v) == 3, "deallocation")
      call steno_release(other)
      call steno_release(other)
      call expect(steno_use_count(v) == 2, "release")
      call steno_resize(exec, v, [20])
      call expect(steno_count(v) == 20 .and. steno_count(s%density) == 10, "resize")
      same = exec
      call steno_release(same)
      call expect(steno_executor_name(exec) == "threads", "executor")
   end subroutine

   subroutine inner(v)
      type(steno_view), intent(in) :: v
      type(steno_view) :: local
      type(state) :: s
      local = v
      s%density = local
      call expect(steno_use_count(v) == 7, "locals")
   end subroutine

   subroutine scales()
      real(real64), target :: a(4, 3), factors(1, 3), back(4, 3)
      type(steno_view) :: v, s, narrow, again
      integer :: i
      a = reshape([(real(i, real64), i=1, 12)], [4, 3])
      a(:, 2) = 1000*a(:, 2)
      call steno_wrap(v, a)
      call steno_create(exec, narrow, steno_storage(STENO_I8), [4, 3])
      call steno_wrap(s, factors)
      factors = 1
      call steno_set_scales(narrow, s)
      call steno_fit_scales(exec, narrow, v)
      call steno_copy(exec, narrow, v)
      call steno_wrap(again, back)
      call steno_copy(exec, again, narrow)
      call expect(factors(1, 2) > 32*factors(1, 1), "a scale per column")
      call expect(all(abs(back - a) <= abs(a)/16), "values with scales")
   end subroutine
end module

program views
   use test_views
   implicit none
   call steno_executor_create(exec, "threads:threads=2")
   call ranks()
   call kinds()
   call edges()
   call copies()
   call parts()
   call handles()
   call scales()
   call steno_release(exec)
   call finish()
end program
