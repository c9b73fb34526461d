!> Formats that a program defines.
module steno_formats
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64
   use steno_c
   use steno_core
   implicit none
   private

   abstract interface
      !> Decodes `count` contiguous codes; c_f_pointer associates an array with `codes`.
      subroutine steno_decoder(values, codes, count, context) bind(C)
         import :: c_double, c_int64_t, c_ptr
         real(c_double), intent(out) :: values(*)
         type(c_ptr), value :: codes
         integer(c_int64_t), value :: count
         type(c_ptr), value :: context
      end subroutine
      !> Encodes `count` contiguous values.
      subroutine steno_encoder(codes, values, count, context) bind(C)
         import :: c_double, c_int64_t, c_ptr
         type(c_ptr), value :: codes
         real(c_double), intent(in) :: values(*)
         integer(c_int64_t), value :: count
         type(c_ptr), value :: context
      end subroutine
   end interface

   public :: steno_decoder, steno_encoder, steno_format_register, steno_format_opaque

   interface
      function stn_format_register(format, codec) bind(C) result(status)
         import
         integer(c_int32_t), intent(inout) :: format
         type(c_format_codec), intent(in) :: codec
         integer(c_int) :: status
      end function
      function stn_format_opaque(format, bytes, alignment) bind(C) result(status)
         import
         integer(c_int32_t), intent(inout) :: format
         integer(c_int64_t), value :: bytes, alignment
         integer(c_int) :: status
      end function
   end interface

contains

   !> Registers a format for the life of the process. Several threads may call its procedures at the
   !! same time.
   recursive subroutine steno_format_register(format, name, bytes, decode, encode, alignment, &
                                              context, device_text, stat, errmsg)
      integer(int32), intent(out) :: format
      character(*), intent(in) :: name
      integer, intent(in) :: bytes !< size of an element
      procedure(steno_decoder) :: decode
      procedure(steno_encoder) :: encode
      integer, intent(in), optional :: alignment          !< `bytes` by default
      type(c_ptr), intent(in), optional :: context        !< passed to both procedures
      character(*), intent(in), optional :: device_text !< both functions for devices
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_format_codec) :: codec
      character(kind=c_char, len=:), allocatable, target :: title, text
      integer(c_int) :: status
      title = c_text(name)
      codec%size = c_sizeof(codec)
      codec%name = c_loc(title)
      codec%bytes = bytes
      codec%alignment = bytes
      if (present(alignment)) codec%alignment = alignment
      codec%decode = c_funloc(decode)
      codec%encode = c_funloc(encode)
      if (present(context)) codec%context = context
      if (present(device_text)) then
         text = c_text(device_text)
         codec%device_text = c_loc(text)
      end if
      format = -1
      status = stn_format_register(format, codec)
      call check(status, stat, errmsg)
   end subroutine

   !> Id of the format of derived types with a size and an alignment, which are stored and copied.
   recursive subroutine steno_format_opaque(format, bytes, alignment, stat, errmsg)
      integer(int32), intent(out) :: format
      integer, intent(in) :: bytes, alignment
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      format = -1
      call check(stn_format_opaque(format, int(bytes, int64), int(alignment, int64)), stat, errmsg)
   end subroutine
end module
