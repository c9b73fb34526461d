!> Atomic operations on elements of views, which several threads may execute at the same time.
!! Values of kind real64 are processed in f64 arithmetic, values of kind int64 in i64 arithmetic.
module steno_atomics
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_core
   use steno_handles
   implicit none
   private

   !> Operations of steno_atomic_update.
   integer(int32), parameter, public :: STENO_ATOMIC_ADD = 0, STENO_ATOMIC_SUBTRACT = 1, &
      STENO_ATOMIC_MULTIPLY = 2, STENO_ATOMIC_DIVIDE = 3, STENO_ATOMIC_MIN = 4, &
      STENO_ATOMIC_MAX = 5, STENO_ATOMIC_AND = 6, STENO_ATOMIC_OR = 7, STENO_ATOMIC_XOR = 8, &
      STENO_ATOMIC_SHIFT_LEFT = 9, STENO_ATOMIC_SHIFT_RIGHT = 10

   !> Element of a view.
   interface steno_atomic_load
      procedure load_real, load_integer
   end interface
   !> Stores a value in an element and, if `old` is present, returns the previous one.
   interface steno_atomic_store
      procedure store_real, store_integer
   end interface
   !> Stores a value in an element if the element is `expected`; otherwise returns the element in
   !! `expected`.
   interface steno_atomic_compare_exchange
      procedure compare_exchange_real, compare_exchange_integer
   end interface
   !> Applies an operation to an element and, if `old` is present, returns the previous value.
   interface steno_atomic_update
      procedure update_real, update_integer
   end interface

   public :: steno_atomic_load, steno_atomic_store, steno_atomic_compare_exchange
   public :: steno_atomic_update, steno_atomic_is_lock_free

   interface
      function stn_atomic_is_lock_free(bytes) bind(C) result(lock_free)
         import
         integer(c_int64_t), value :: bytes
         integer(c_int) :: lock_free
      end function
      function stn_view_atomic_load(view, count, indices, arithmetic, number) bind(C) &
         result(status)
         import
         type(c_ptr), value :: view, number
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         integer(c_int32_t), value :: arithmetic
         integer(c_int) :: status
      end function
      function stn_view_atomic_exchange(view, count, indices, arithmetic, number, old) bind(C) &
         result(status)
         import
         type(c_ptr), value :: view, number, old
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         integer(c_int32_t), value :: arithmetic
         integer(c_int) :: status
      end function
      function stn_view_atomic_compare_exchange(view, count, indices, arithmetic, expected, &
                                                desired, exchanged) bind(C) result(status)
         import
         type(c_ptr), value :: view, expected, desired
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         integer(c_int32_t), value :: arithmetic
         integer(c_int), intent(inout) :: exchanged
         integer(c_int) :: status
      end function
      function stn_view_atomic_update(view, count, indices, arithmetic, operation, operand, old) &
         bind(C) result(status)
         import
         type(c_ptr), value :: view, operand, old
         integer(c_int), value :: count, operation
         integer(c_int64_t), intent(in) :: indices(*)
         integer(c_int32_t), value :: arithmetic
         integer(c_int) :: status
      end function
   end interface

contains

   !> Are atomic operations on elements of `bytes` bytes free of locks?
   recursive logical function steno_atomic_is_lock_free(bytes)
      integer, intent(in) :: bytes
      steno_atomic_is_lock_free = stn_atomic_is_lock_free(int(bytes, c_int64_t)) /= 0
   end function

   recursive subroutine load_real(view, indices, value, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      real(real64), intent(out), target :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      value = 0
      call check(stn_view_atomic_load(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, STENO_F64, &
                                      c_loc(value)), stat, errmsg)
   end subroutine

   recursive subroutine load_integer(view, indices, value, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      integer(int64), intent(out), target :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      value = 0
      call check(stn_view_atomic_load(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, STENO_I64, &
                                      c_loc(value)), stat, errmsg)
   end subroutine

   recursive subroutine store_real(view, indices, value, old, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      real(real64), intent(in) :: value
      real(real64), intent(out), optional :: old
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: stored, previous
      stored = value
      previous = 0
      call check(stn_view_atomic_exchange(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, &
                                          STENO_F64, c_loc(stored), c_loc(previous)), stat, errmsg)
      if (present(old)) old = previous
   end subroutine

   recursive subroutine store_integer(view, indices, value, old, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      integer(int64), intent(in) :: value
      integer(int64), intent(out), optional :: old
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: stored, previous
      stored = value
      previous = 0
      call check(stn_view_atomic_exchange(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, &
                                          STENO_I64, c_loc(stored), c_loc(previous)), stat, errmsg)
      if (present(old)) old = previous
   end subroutine

   recursive subroutine compare_exchange_real(view, indices, expected, desired, exchanged, stat, &
                                              errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      real(real64), intent(inout), target :: expected
      real(real64), intent(in) :: desired
      logical, intent(out) :: exchanged
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: stored
      integer(c_int) :: status, done
      stored = desired
      done = 0
      status = stn_view_atomic_compare_exchange(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, &
                                                STENO_F64, c_loc(expected), c_loc(stored), done)
      exchanged = done /= 0
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine compare_exchange_integer(view, indices, expected, desired, exchanged, &
                                                 stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      integer(int64), intent(inout), target :: expected
      integer(int64), intent(in) :: desired
      logical, intent(out) :: exchanged
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: stored
      integer(c_int) :: status, done
      stored = desired
      done = 0
      status = stn_view_atomic_compare_exchange(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, &
                                                STENO_I64, c_loc(expected), c_loc(stored), done)
      exchanged = done /= 0
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine update_real(view, indices, operation, operand, old, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      integer(int32), intent(in) :: operation
      real(real64), intent(in) :: operand
      real(real64), intent(out), optional :: old
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), target :: with, previous
      with = operand
      previous = 0
      call check(stn_view_atomic_update(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, STENO_F64, &
                                        operation, c_loc(with), c_loc(previous)), stat, errmsg)
      if (present(old)) old = previous
   end subroutine

   recursive subroutine update_integer(view, indices, operation, operand, old, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      integer(int32), intent(in) :: operation
      integer(int64), intent(in) :: operand
      integer(int64), intent(out), optional :: old
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t), target :: with, previous
      with = operand
      previous = 0
      call check(stn_view_atomic_update(at(view), size(indices, kind=c_int), &
                 indices - 1_c_int64_t, STENO_I64, &
                                        operation, c_loc(with), c_loc(previous)), stat, errmsg)
      if (present(old)) old = previous
   end subroutine
end module
