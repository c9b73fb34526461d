!> Memory at addresses, scales, other sizes, spaces, formats of the program, atomics and events.
module test_memory
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
   use checks
   use steno
   implicit none

   type, extends(steno_event_hook) :: recorder
      integer :: kernels = 0
      integer :: allocations = 0
      character(20) :: label = ""
      character(20) :: space = ""
   contains
      procedure :: observe => record
   end type

   type, bind(C) :: pair
      real(c_float) :: first
      integer(c_int32_t) :: second
   end type

   type(steno_executor) :: exec
   type(recorder), target :: events
contains

   subroutine record(self, event)
      class(recorder), intent(inout) :: self
      type(steno_event), intent(in) :: event
      if (event%kind == STENO_EVENT_KERNEL_BEGIN) self%kernels = self%kernels + 1
      if (event%kind /= STENO_EVENT_ALLOCATE) return
      self%allocations = self%allocations + 1
      self%label = event%label
      self%space = event%space
   end subroutine

   !> Codes of 8 bits: eighths from -16 to 15.875.
   subroutine decode_eighths(values, codes, count, context) bind(C)
      real(c_double), intent(out) :: values(*)
      type(c_ptr), value :: codes
      integer(c_int64_t), value :: count
      type(c_ptr), value :: context
      integer(int8), pointer :: stored(:)
      if (c_associated(context)) return
      call c_f_pointer(codes, stored, [count])
      values(:count) = stored/8.0_real64
   end subroutine

   subroutine encode_eighths(codes, values, count, context) bind(C)
      type(c_ptr), value :: codes
      real(c_double), intent(in) :: values(*)
      integer(c_int64_t), value :: count
      type(c_ptr), value :: context
      integer(int8), pointer :: stored(:)
      if (c_associated(context)) return
      call c_f_pointer(codes, stored, [count])
      stored = int(max(-128.0_real64, min(127.0_real64, anint(8*values(:count)))), int8)
   end subroutine

   subroutine addresses()
      real(real64), target :: a(4, 3)
      type(steno_view) :: v, w
      type(c_ptr) :: address
      real(real64) :: x
      real(real64), pointer :: element
      integer(int64) :: leading
      logical :: is_row_major
      integer :: i, stat
      character(100) :: message
      a = reshape([(real(i, real64), i=1, 12)], [4, 3])
      call steno_wrap_address(v, c_loc(a), steno_storage(STENO_F64), [4_int64, 3_int64], label="a")
      call steno_get(v, [4, 2], x)
      call expect(x == a(4, 2) .and. steno_layout_of(v) == "left", "an address")
      call steno_wrap(w, a)
      call expect(steno_is_same(v, w) .and. steno_is_lvalue(v), "the same elements")
      call steno_leading_dimension(v, leading, is_row_major)
      call expect(leading == 4 .and. .not. is_row_major, "leading dimension")
      call steno_address(v, [2, 3], address)
      call c_f_pointer(address, element)
      call expect(element == a(2, 3), "address of an element")
      call steno_address(v, [5, 1], address, stat=stat, errmsg=message)
      call expect(stat == STENO_ERR_RANGE .and. .not. c_associated(address), "index 5 of 4")
      call steno_wrap_address(v, c_loc(a(4, 3)), steno_storage(STENO_F64), [4_int64, 3_int64], &
                              [-1_int64, -4_int64], read_only=.true.)
      call steno_get(v, [1, 2], x)
      call expect(x == a(4, 2) .and. steno_is_read_only(v), "negative strides")
      call steno_wrap_address(v, c_loc(a), steno_storage(STENO_F64), [4_int64], [1_int64, 1_int64], &
                              stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "one extent and two strides")
      call steno_wrap_address(v, c_loc(a), steno_storage(STENO_F64), &
                              [2_int64**40, 2_int64**40, 2_int64**40], stat=stat)
      call expect(stat == STENO_ERR_RANGE, "extents beyond the address space")
      call steno_wrap_address(v, c_loc(a), steno_storage(STENO_F64), [(1_int64, i=1, 9)], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "rank 9")
      call steno_wrap_address(v, c_null_ptr, steno_storage(STENO_F64), [1_int64], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "no address")
      call steno_wrap_address(v, c_loc(a), steno_storage(STENO_F64), [12_int64], &
                              space=STENO_SPACE_DEVICE)
      call expect(steno_space_of(v) == STENO_SPACE_DEVICE .and. .not. steno_is_lvalue(v), "space")
      call steno_get(v, [1], x, stat=stat)
      call expect(stat == STENO_ERR_UNSUPPORTED, "an element of a device")
      call steno_wrap_address(v, c_loc(a), steno_storage(STENO_F64), [12_int64], space=9, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT .and. steno_rank(v) == 0, "an invalid space")
      call expect(steno_space_name(STENO_SPACE_PINNED) == "pinned", "name of a space")
      call expect(steno_space_accessible(exec, STENO_SPACE_HOST), "accessible")
      call expect(.not. steno_space_accessible(exec, STENO_SPACE_DEVICE), "not accessible")
      call expect(steno_executor_layout(exec) == "right", "layout of C on the host")
      call expect(steno_abi_version() >= 0 .and. steno_format_count() > STENO_E5M2, "numbers")
   end subroutine

   subroutine sizes()
      type(steno_view) :: v, other
      real(real64) :: x
      integer :: stat
      call steno_create(exec, v, steno_storage(STENO_F16), [2, 3], label="sizes")
      call steno_set(v, [2, 3], 1.5_real64)
      other = v
      call steno_resize(exec, v, [3, 3])
      call steno_get(v, [2, 3], x)
      call expect(x == 1.5 .and. steno_label(v) == "sizes", "resize keeps elements")
      call steno_reallocate(exec, v, [4, 4])
      call steno_get(v, [2, 3], x)
      call expect(x == 0 .and. steno_count(other) == 6, "reallocate does not")
      call steno_fix_extents(v, [2])
      call steno_reallocate(exec, v, [4_int64, 5_int64], stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "a fixed extent")
      call steno_reallocate(exec, v, [5_int64, 4_int64], flags=STENO_CREATE_UNINITIALIZED)
      call expect(all(steno_shape(v) == [5, 4]), "the other extent")
      call steno_fix_extents(v, [3], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "a missing dimension")
      call steno_fix_extents(v, [0], stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "dimension 0")
      call steno_resize(exec, v, [-1, 4], stat=stat)
      call expect(stat == STENO_ERR_SHAPE .and. steno_count(v) == 20, "a negative extent")
      call steno_release(v)
      call steno_resize(exec, v, [1], stat=stat)
      call expect(stat /= STENO_OK, "resize of an empty view")
   end subroutine

   subroutine scales()
      real(real64), target :: factors(2, 1)
      type(steno_view) :: v, s, found
      integer :: dimension, stat
      integer(int64) :: block
      real(real64) :: x
      factors(:, 1) = [2, 4]
      call steno_create(exec, v, steno_storage(STENO_I8), [64, 3])
      call steno_get_scales(v, found)
      call expect(steno_count(found) == 0, "no scales")
      call steno_wrap(s, factors)
      call steno_set_scales(v, s, dimension=1, block=32_int64)
      call steno_set(v, [40, 2], 8.0_real64)
      call steno_get_scales(v, found, dimension, block)
      call expect(dimension == 1 .and. block == 32 .and. all(steno_shape(found) == [2, 1]), "blocks")
      call steno_get(found, [2, 1], x)
      call expect(x == 4, "scale of a block")
      call steno_set_scales(v, found, dimension=1, block=32_int64)
      call steno_wrap(s, factors(:, 1))
      call steno_set_scales(v, s, stat=stat)
      call expect(stat == STENO_ERR_SHAPE, "scales of another rank")
   end subroutine

   subroutine formats()
      integer(int32) :: eighths, pairs
      integer(int8), target :: codes(5)
      real(real64), target :: x(5)
      type(pair), target :: a(3), b(3)
      type(steno_view) :: v, w
      type(steno_format_info) :: info
      integer :: stat
      call steno_format_register(eighths, "eighths", 1, decode_eighths, encode_eighths)
      call steno_format_describe(eighths, info)
      call expect(info%name == "eighths" .and. info%kind == STENO_CLASS_REGISTERED, "registered")
      x = [0.125d0, -1.0d0, 100.0d0, 2.06d0, 0.0d0]
      call steno_wrap(v, codes, storage=steno_storage(eighths))
      call steno_wrap(w, x)
      call steno_copy(exec, v, w)
      call expect(all(codes == [1, -8, 127, 16, 0]), "encoded by the program")
      call steno_copy(exec, w, v)
      call expect(x(3) == 127/8.0d0 .and. x(1) == 0.125d0, "decoded by the program")
      call steno_format_register(pairs, "eighths", 1, decode_eighths, encode_eighths, stat=stat)
      call expect(stat == STENO_ERR_FORMAT .and. pairs == -1, "a name that exists")
      call steno_format_opaque(pairs, 8, 4)
      a = [pair(1.0, 2), pair(3.0, 4), pair(5.0, 6)]
      b = pair(0.0, 0)
      call steno_wrap_address(v, c_loc(a), steno_storage(pairs), [3_int64])
      call steno_wrap_address(w, c_loc(b), steno_storage(pairs), [3_int64])
      call steno_copy(exec, w, v)
      call expect(b(3)%second == 6, "structs are copied")
      call steno_format_opaque(pairs, 8, 3, stat=stat)
      call expect(stat == STENO_ERR_ARGUMENT, "alignment 3")
   end subroutine

   subroutine atomics()
      integer(int16), target :: codes(4)
      integer(int64), target :: counts(4)
      type(steno_view) :: v, w
      real(real64) :: x, expected
      integer(int64) :: k
      logical :: exchanged
      integer :: stat
      codes = 0
      counts = 6
      call steno_wrap(v, codes, storage=steno_storage(STENO_F16))
      call steno_wrap(w, counts)
      call steno_atomic_store(v, [2], 1.5_real64, old=x)
      call expect(x == 0, "previous value")
      call steno_atomic_update(v, [2], STENO_ATOMIC_ADD, 1.0_real64, old=x)
      call expect(x == 1.5, "value before the sum")
      call steno_atomic_load(v, [2], x)
      call expect(x == 2.5, "sum")
      expected = 1
      call steno_atomic_compare_exchange(v, [2], expected, 7.0_real64, exchanged)
      call expect(.not. exchanged .and. expected == 2.5, "another value")
      call steno_atomic_compare_exchange(v, [2], expected, 7.0_real64, exchanged)
      call expect(exchanged, "the expected value")
      call steno_atomic_update(w, [4], STENO_ATOMIC_SHIFT_LEFT, 2_int64, old=k)
      call expect(k == 6 .and. counts(4) == 24, "integers")
      call steno_atomic_store(w, [1], 9_int64)
      call steno_atomic_load(w, [1], k)
      call expect(k == 9, "an integer")
      k = 9
      call steno_atomic_compare_exchange(w, [1], k, 10_int64, exchanged)
      call expect(exchanged .and. counts(1) == 10, "exchanged integers")
      call steno_atomic_load(w, [0], k, stat=stat)
      call expect(stat == STENO_ERR_RANGE .and. k == 0, "index 0")
      call expect(steno_atomic_is_lock_free(8), "lock-free")
   end subroutine

   subroutine hooks()
      type(steno_view) :: v
      integer :: kernels
      call steno_event_set_hook(events)
      call steno_create(exec, v, steno_storage(STENO_F32), [100], label="observed")
      call steno_fill(exec, v, 1.0_real64)
      call steno_event_set_hook()
      kernels = events%kernels
      call steno_fill(exec, v, 2.0_real64)
      call expect(events%allocations == 1 .and. events%label == "observed", "allocation")
      call expect(kernels > 0 .and. events%kernels == kernels, "kernels until the hook is removed")
      call expect(events%space == "host", "space")
   end subroutine
end module

program memory
   use test_memory
   implicit none
   call steno_executor_create(exec, "threads:threads=2")
   call addresses()
   call sizes()
   call scales()
   call formats()
   call atomics()
   call hooks()
   call steno_release(exec)
   call finish()
end program
