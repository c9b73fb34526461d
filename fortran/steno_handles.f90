!> Handles of views.
module steno_handles
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_core
   implicit none
   private

   !> An N-dimensional array. Assignment creates a further handle of the same elements. The
   !! components are for this library only.
   type, public :: steno_view
      type(c_view), pointer :: c => null()
      character(kind=c_char), pointer :: label(:) => null() !< in use by c
      logical :: borrowed = .false.                         !< c is a struct of the library
   contains
      procedure, private :: assign_view
      generic :: assignment(=) => assign_view
      final :: finalize_view
   end type

   interface at
      procedure at_view
   end interface
   interface steno_release
      procedure finalize_view
   end interface

   public :: at, new_view, borrow_view, move_view, keep_label, set_label
   public :: steno_release, steno_rank

contains

   impure elemental recursive subroutine assign_view(to, from)
      class(steno_view), intent(inout) :: to
      type(steno_view), intent(in) :: from
      type(steno_view) :: same
      integer(c_int) :: status
      if (associated(to%c, from%c)) return
      if (associated(from%c)) then
         call new_view(same)
         status = stn_view_share(at(same), at(from))
         call keep_label(same, from, status)
         call check(status)
      end if
      call finalize_view(to)
      call move_view(to, same)
   end subroutine

   impure elemental recursive subroutine finalize_view(view)
      type(steno_view), intent(inout) :: view
      integer(c_int) :: status
      if (associated(view%c) .and. .not. view%borrowed) then
         status = stn_view_release(c_loc(view%c))
         deallocate (view%c)
      end if
      if (associated(view%label)) deallocate (view%label)
      call clear_view(view)
   end subroutine

   elemental recursive subroutine clear_view(view)
      class(steno_view), intent(inout) :: view
      view%c => null()
      view%label => null()
      view%borrowed = .false.
   end subroutine

   !> Moves a handle to `to`, which must not have one.
   recursive subroutine move_view(to, from)
      class(steno_view), intent(inout) :: to
      type(steno_view), intent(inout) :: from
      to%c => from%c
      to%label => from%label
      to%borrowed = from%borrowed
      call clear_view(from)
   end subroutine

   recursive function at_view(view) result(address)
      type(steno_view), intent(in) :: view
      type(c_ptr) :: address
      address = c_null_ptr
      if (associated(view%c)) address = c_loc(view%c)
   end function

   !> An empty view, which a C function overwrites.
   recursive subroutine new_view(view)
      type(steno_view), intent(inout) :: view
      call finalize_view(view)
      allocate (view%c)
   end subroutine

   !> A view of a struct of the library, which it must not outlive and does not release.
   recursive subroutine borrow_view(view, address)
      type(steno_view), intent(inout) :: view
      type(c_ptr), intent(in) :: address
      call finalize_view(view)
      call c_f_pointer(address, view%c)
      view%borrowed = .true.
   end subroutine

   !> After the view `view` was derived from `from`: its own copy of the label.
   recursive subroutine keep_label(view, from, status)
      type(steno_view), intent(inout) :: view
      type(steno_view), intent(in) :: from
      integer(c_int), intent(in) :: status
      if (status /= STENO_OK) then
         call finalize_view(view)
      else if (associated(from%label)) then
         allocate (view%label(size(from%label)))
         view%label = from%label
         view%c%label = c_loc(view%label)
      end if
   end subroutine

   !> Sets the label of the struct of a new view.
   recursive subroutine set_label(view, label)
      type(steno_view), intent(inout) :: view
      character(*), intent(in), optional :: label
      integer :: i
      if (.not. present(label)) return
      allocate (view%label(len_trim(label) + 1))
      do i = 1, len_trim(label)
         view%label(i) = label(i:i)
      end do
      view%label(size(view%label)) = c_null_char
      view%c%label = c_loc(view%label)
   end subroutine

   pure recursive integer function steno_rank(view)
      type(steno_view), intent(in) :: view
      steno_rank = 0
      if (associated(view%c)) steno_rank = view%c%rank
   end function
end module
