!> Events: allocations, copies, kernels and compilations, reported to a hook of the program.
module steno_events
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64
   use steno_c
   use steno_core
   implicit none
   private

   !> Kinds of events.
   integer(int32), parameter, public :: STENO_EVENT_ALLOCATE = 0, STENO_EVENT_FREE = 1, &
      STENO_EVENT_COPY_BEGIN = 2, STENO_EVENT_COPY_END = 3, STENO_EVENT_KERNEL_BEGIN = 4, &
      STENO_EVENT_KERNEL_END = 5, STENO_EVENT_RESIZE_BEGIN = 6, STENO_EVENT_RESIZE_END = 7, &
      STENO_EVENT_COMPILE = 8, STENO_EVENT_NOTE = 9

   !> An event. event.h describes the members.
   type, public :: steno_event
      integer(int32) :: kind = 0                 !< STENO_EVENT_ALLOCATE, ...
      character(:), allocatable :: label         !< view, target of a copy, or name of a kernel
      character(:), allocatable :: space         !< memory space, such as "host"
      type(c_ptr) :: data = c_null_ptr           !< address of the data
      integer(int64) :: bytes = 0                !< number of bytes
      character(:), allocatable :: from_label    !< copy: label of the source
      character(:), allocatable :: from_space    !< copy: memory space of the source
      type(c_ptr) :: from_data = c_null_ptr      !< copy: address of the source
      integer(int64) :: id = 0                   !< kernel: identifies its begin and end
      character(:), allocatable :: output        !< kernel: label of the result
      character(:), allocatable :: note          !< sentence
   end type

   !> Receives events: a type of the program extends this one.
   type, abstract, public :: steno_event_hook
   contains
      procedure(observe_event), deferred :: observe
   end type

   abstract interface
      !> Called in the thread in which the event occurs, in several ones at the same time. It must
      !! not call procedures whose events it receives.
      subroutine observe_event(self, event)
         import :: steno_event_hook, steno_event
         class(steno_event_hook), intent(inout) :: self
         type(steno_event), intent(in) :: event
      end subroutine
   end interface

   !> What C passes to the hook. A former hook may still run in another thread, so no context is
   !! deallocated.
   type :: hook_context
      class(steno_event_hook), pointer :: hook => null()
      type(hook_context), pointer :: former => null()
   end type
   type(hook_context), pointer, save :: contexts => null()

   public :: steno_event_set_hook

   interface
      subroutine stn_event_set_hook(hook, context) bind(C)
         import
         type(c_funptr), value :: hook
         type(c_ptr), value :: context
      end subroutine
   end interface

contains

   !> Sets the hook that receives all subsequent events; without an argument, none does. The actual
   !! argument needs the attribute target, and must exist until another hook is set and no operation
   !! runs.
   recursive subroutine steno_event_set_hook(hook)
      class(steno_event_hook), intent(inout), target, optional :: hook
      type(hook_context), pointer :: context
      if (.not. present(hook)) then
         call stn_event_set_hook(c_null_funptr, c_null_ptr)
         return
      end if
      allocate (context)
      context%hook => hook
      context%former => contexts
      contexts => context
      call stn_event_set_hook(c_funloc(receive), c_loc(context))
   end subroutine

   !> The C function of hooks.
   recursive subroutine receive(event, context) bind(C)
      type(c_ptr), value :: event, context
      type(c_event), pointer :: c
      type(hook_context), pointer :: receiver
      type(steno_event) :: found
      call c_f_pointer(event, c)
      call c_f_pointer(context, receiver)
      found%kind = c%kind
      found%label = f_text(c%label)
      found%space = f_text(c%space)
      found%data = c%data
      found%bytes = c%bytes
      found%from_label = f_text(c%from_label)
      found%from_space = f_text(c%from_space)
      found%from_data = c%from_data
      found%id = c%id
      found%output = f_text(c%output)
      found%note = f_text(c%note)
      call receiver%hook%observe(found)
   end subroutine
end module
