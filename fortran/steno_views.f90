!> Views: copies, elements, scales, parts and properties. Indices and dimensions count from 1.
module steno_views
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int32, int64, real64
   use steno_c
   use steno_core
   use steno_handles
   use steno_memory, only: steno_wrap_address
   implicit none
   private

   !> Traits of steno_set_traits, to be added.
   integer(int32), parameter, public :: STENO_TRAIT_ATOMIC = 1, STENO_TRAIT_RANDOM_ACCESS = 2, &
      STENO_TRAIT_RESTRICT = 4, STENO_TRAIT_ALIGNED = 8, STENO_TRAIT_STREAMING = 16

   !> Part of a dimension: indices `first` to `last` in steps; a default is the whole dimension.
   !! With a negative step, `last` is 1 by default, and `first` must be set.
   type, public :: steno_slice
      integer(int64) :: first = 1
      integer(int64) :: last = huge(1_int64)
      integer(int64) :: step = 1
      logical :: is_index = .false. !< only `first`; the dimension is removed
   end type

   !> Element of a view, converted.
   interface steno_get
      procedure get_real, get_complex
   end interface
   !> Stores a value in an element of a view.
   interface steno_set
      procedure set_real, set_complex
   end interface

   interface steno_permute
      procedure permute_view
   end interface

   public :: steno_copy, steno_fill, steno_get, steno_set
   public :: steno_fit_scales, steno_set_scales, steno_set_scale, steno_set_traits
   public :: steno_index, steno_subview, steno_permute, steno_insert_axis
   public :: steno_count, steno_extent, steno_shape, steno_strides, steno_span
   public :: steno_storage_of, steno_use_count, steno_is_contiguous, steno_is_unique
   public :: steno_is_read_only, steno_is_lvalue, steno_is_same, steno_space_of
   public :: steno_layout_of, steno_label, steno_leading_dimension, steno_address
   public :: steno_get_scales, steno_fix_extents

   interface
      function stn_view_leading_dimension(view, leading, is_row_major) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int64_t), intent(inout) :: leading
         integer(c_int), intent(inout) :: is_row_major
         integer(c_int) :: status
      end function
      function stn_view_offset(view, count, indices, offset) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: count
         integer(c_int64_t), intent(in) :: indices(*)
         integer(c_int64_t), intent(inout) :: offset
         integer(c_int) :: status
      end function
      function stn_view_equal(a, b) bind(C) result(equal)
         import
         type(c_ptr), value :: a, b
         integer(c_int) :: equal
      end function
      function stn_view_fix_extents(view, dimensions) bind(C) result(status)
         import
         type(c_ptr), value :: view
         integer(c_int), value :: dimensions
         integer(c_int) :: status
      end function
      function stn_view_scales(view, scales) bind(C) result(status)
         import
         type(c_ptr), value :: view, scales
         integer(c_int) :: status
      end function
   end interface

contains

   ! ---- copies and elements

   !> Copies all elements, converted between formats, scales, layouts and spaces.
   recursive subroutine steno_copy(exec, to, from, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(in) :: to, from
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_view_copy(at(exec), at(to), at(from)), stat, errmsg)
   end subroutine

   !> Stores a value in all elements.
   recursive subroutine steno_fill(exec, view, value, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(in) :: view
      real(real64), intent(in) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_view_fill(at(exec), at(view), value), stat, errmsg)
   end subroutine

   recursive subroutine get_real(view, indices, value, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      real(real64), intent(out) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      value = 0
      call check(stn_view_get(at(view), size(indices, kind=c_int), indices - 1_c_int64_t, value), stat, &
                 errmsg)
   end subroutine

   recursive subroutine get_complex(view, indices, value, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      complex(real64), intent(out) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_number) :: found
      integer(c_int) :: status
      status = stn_view_get_complex(at(view), size(indices, kind=c_int), indices - 1_c_int64_t, found)
      value = cmplx(found%re, found%im, real64)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine set_real(view, indices, value, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      real(real64), intent(in) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_view_set(at(view), size(indices, kind=c_int), indices - 1_c_int64_t, value), stat, &
                 errmsg)
   end subroutine

   recursive subroutine set_complex(view, indices, value, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      complex(real64), intent(in) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_view_set_complex(at(view), size(indices, kind=c_int), indices - 1_c_int64_t, &
                                      c_number(value%re, value%im)), stat, errmsg)
   end subroutine

   ! ---- scales and traits

   !> Selects the scales with which all elements of `from` fit the format of `view`.
   recursive subroutine steno_fit_scales(exec, view, from, choice, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_view), intent(inout) :: view
      type(steno_view), intent(in) :: from
      integer(int32), intent(in), optional :: choice !< STENO_SCALE_POWER_OF_TWO by default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: kind
      kind = STENO_SCALE_POWER_OF_TWO
      if (present(choice)) kind = choice
      call check(stn_view_fit_scales(at(exec), at(view), at(from), kind), stat, errmsg)
   end subroutine

   !> Sets scales that differ between elements: a view of f64 or f32 with the rank of `view`, in
   !! memory that must live as long as `view`. A dimension of `scales` with extent 1 repeats. If
   !! `dimension` and `block` are present, `block` indices of this dimension have one scale.
   recursive subroutine steno_set_scales(view, scales, dimension, block, stat, errmsg)
      type(steno_view), intent(inout) :: view
      type(steno_view), intent(in) :: scales
      integer, intent(in), optional :: dimension
      integer(int64), intent(in), optional :: block
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_scales), target :: c
      integer(int64) :: expected(STN_MAX_RANK)
      integer :: rank
      if (.not. associated(view%c) .or. .not. associated(scales%c)) then
         call fail(STENO_ERR_ARGUMENT, "the view or scales is empty", stat, errmsg)
         return
      end if
      rank = steno_rank(view)
      expected(:rank) = steno_shape(view)
      if (present(dimension) .and. present(block)) then
         c%dimension = dimension - 1
         c%block = block
         if (dimension >= 1 .and. dimension <= rank .and. block >= 1) &
            expected(dimension) = (expected(dimension) + block - 1)/block
      end if
      if (steno_rank(scales) /= rank) then
         call fail(STENO_ERR_SHAPE, "scales has another rank than the view", stat, errmsg)
         return
      end if
      if (any(steno_shape(scales) /= 1 .and. steno_shape(scales) /= expected(:rank))) then
         call fail(STENO_ERR_SHAPE, "extents of scales are neither 1 nor those of the view or its &
                   &blocks", stat, errmsg)
         return
      end if
      c%data = scales%c%data
      c%format = scales%c%storage%format
      c%stride(:rank) = merge(0_int64, scales%c%stride(:rank), steno_shape(scales) == 1)
      call check(stn_view_set_scales(at(view), c_loc(c)), stat, errmsg)
   end subroutine

   !> Creates a view of the scales of steno_set_scales, or an empty view without scales. A dimension
   !! with extent 1 repeats; `dimension` (0 if there is none) has `block` indices per scale.
   recursive subroutine steno_get_scales(view, scales, dimension, block, stat, errmsg)
      type(steno_view), intent(in) :: view
      type(steno_view), intent(inout) :: scales
      integer, intent(out), optional :: dimension
      integer(int64), intent(out), optional :: block
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_scales), target :: c
      type(steno_view) :: made
      integer(int64) :: extents(STN_MAX_RANK)
      integer(c_int) :: status
      integer :: wrapped
      integer :: rank
      if (present(dimension)) dimension = 0
      if (present(block)) block = 0
      status = stn_view_scales(at(view), c_loc(c))
      if (status == STENO_OK .and. c_associated(c%data)) then
         rank = steno_rank(view)
         extents(:rank) = view%c%extent(:rank)
         if (c%dimension >= 0) then
            if (present(dimension)) dimension = c%dimension + 1
            if (present(block)) block = c%block
            extents(c%dimension + 1) = (c%phase + extents(c%dimension + 1) + c%block - 1)/c%block
         end if
         where (c%stride(:rank) == 0) extents(:rank) = 1
         call steno_wrap_address(made, c%data, steno_storage(c%format), extents(:rank), &
                                 c%stride(:rank), stat=wrapped)
         status = int(wrapped, c_int)
      end if
      call steno_release(scales)
      call move_view(scales, made)
      call check(status, stat, errmsg)
   end subroutine

   !> Fixes the extents of some dimensions, and of no others: they never change.
   recursive subroutine steno_fix_extents(view, dimensions, stat, errmsg)
      type(steno_view), intent(inout) :: view
      integer, intent(in) :: dimensions(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: bits
      integer :: k
      bits = 0
      do k = 1, size(dimensions)
         if (dimensions(k) < 1 .or. dimensions(k) > STN_MAX_RANK) then
            call fail(STENO_ERR_ARGUMENT, "dimensions has an element that is not a dimension of &
                      &the view", stat, errmsg)
            return
         end if
         bits = ibset(bits, dimensions(k) - 1)
      end do
      call check(stn_view_fix_extents(at(view), bits), stat, errmsg)
   end subroutine

   !> Sets the scale and the zero point of the storage. The codes are unchanged.
   recursive subroutine steno_set_scale(view, scale, zero, stat, errmsg)
      type(steno_view), intent(inout) :: view
      real(real64), intent(in) :: scale
      real(real64), intent(in), optional :: zero
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      if (.not. associated(view%c)) then
         call fail(STENO_ERR_ARGUMENT, "the view is empty", stat, errmsg)
         return
      end if
      view%c%storage%scale = scale
      if (present(zero)) view%c%storage%zero = zero
      if (present(stat)) stat = STENO_OK
   end subroutine

   !> Sets the traits of a view: a sum of STENO_TRAIT constants.
   recursive subroutine steno_set_traits(view, traits, stat, errmsg)
      type(steno_view), intent(inout) :: view
      integer(int32), intent(in) :: traits
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_view_set_traits(at(view), traits), stat, errmsg)
   end subroutine

   ! ---- parts

   !> The slice of one index, which removes the dimension.
   pure recursive function steno_index(i) result(slice)
      integer, intent(in) :: i
      type(steno_slice) :: slice
      slice = steno_slice(first=i, is_index=.true.)
   end function

   !> Creates a part of a view, which shares its memory: one slice per dimension.
   recursive subroutine steno_subview(part, view, slices, stat, errmsg)
      type(steno_view), intent(inout) :: part
      type(steno_view), intent(in) :: view
      type(steno_slice), intent(in) :: slices(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: made
      type(c_slice) :: c(max(size(slices), 1))
      integer(int64) :: last, extent
      integer(c_int) :: status
      integer :: d
      do d = 1, size(slices)
         last = slices(d)%last
         extent = 0
         if (d <= steno_rank(view)) extent = view%c%extent(d)
         if (last == huge(last)) last = merge(extent, 1_int64, slices(d)%step > 0)
         c(d)%begin = slices(d)%first - 1
         c(d)%step = slices(d)%step
         if (slices(d)%is_index) then
            c(d)%mode = 1
         else if (c(d)%step /= 0) then
            if (merge(last >= slices(d)%first, last <= slices(d)%first, c(d)%step > 0)) &
               c(d)%count = (last - slices(d)%first)/c(d)%step + 1
            if (c(d)%count == 0) c(d)%begin = 0
         end if
      end do
      call new_view(made)
      status = stn_view_share_slice(at(made), at(view), size(slices, kind=c_int), c)
      call keep_label(made, view, status)
      if (status == STENO_OK) then
         call steno_release(part)
         call move_view(part, made)
      end if
      call check(status, stat, errmsg)
   end subroutine

   !> Creates a view with permuted dimensions: dimension d is dimension order(d) of `view`.
   recursive subroutine permute_view(permuted, view, order, stat, errmsg)
      type(steno_view), intent(inout) :: permuted
      type(steno_view), intent(in) :: view
      integer, intent(in) :: order(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: made
      integer(c_int) :: status
      made = view
      status = stn_view_permute(at(made), at(made), size(order, kind=c_int), int(order - 1, c_int))
      if (status == STENO_OK) then
         call steno_release(permuted)
         call move_view(permuted, made)
      end if
      call check(status, stat, errmsg)
   end subroutine

   !> Creates a view with an additional dimension of extent 1 at a position from 1 to the rank + 1.
   recursive subroutine steno_insert_axis(wider, view, dimension, stat, errmsg)
      type(steno_view), intent(inout) :: wider
      type(steno_view), intent(in) :: view
      integer, intent(in) :: dimension
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_view) :: made
      integer(c_int) :: status
      made = view
      status = stn_view_insert_axis(at(made), at(made), int(dimension - 1, c_int))
      if (status == STENO_OK) then
         call steno_release(wider)
         call move_view(wider, made)
      end if
      call check(status, stat, errmsg)
   end subroutine

   ! ---- queries: an empty view has rank 0 and no elements

   !> Number of elements.
   recursive integer(int64) function steno_count(view)
      type(steno_view), intent(in) :: view
      steno_count = stn_view_count(at(view))
   end function

   !> Extent of a dimension; 0 if there is none.
   recursive integer(int64) function steno_extent(view, dimension)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: dimension
      steno_extent = 0
      if (dimension >= 1 .and. dimension <= steno_rank(view)) &
         steno_extent = view%c%extent(dimension)
   end function

   recursive function steno_shape(view) result(extents)
      type(steno_view), intent(in) :: view
      integer(int64) :: extents(steno_rank(view))
      if (associated(view%c)) extents = view%c%extent(:size(extents))
   end function

   !> Strides in elements.
   recursive function steno_strides(view) result(strides)
      type(steno_view), intent(in) :: view
      integer(int64) :: strides(steno_rank(view))
      if (associated(view%c)) strides = view%c%stride(:size(strides))
   end function

   !> Number of elements from the lowest to the highest address.
   recursive integer(int64) function steno_span(view)
      type(steno_view), intent(in) :: view
      steno_span = stn_view_span(at(view))
   end function

   recursive function steno_storage_of(view) result(storage)
      type(steno_view), intent(in) :: view
      type(steno_storage) :: storage
      if (associated(view%c)) storage = f_storage_of(view%c%storage)
   end function

   !> Number of handles of the memory; 0 if the view does not own it.
   recursive integer(int64) function steno_use_count(view)
      type(steno_view), intent(in) :: view
      steno_use_count = stn_view_use_count(at(view))
   end function

   recursive logical function steno_is_contiguous(view)
      type(steno_view), intent(in) :: view
      steno_is_contiguous = stn_view_is_contiguous(at(view)) /= 0
   end function

   !> Have all elements distinct addresses?
   recursive logical function steno_is_unique(view)
      type(steno_view), intent(in) :: view
      steno_is_unique = stn_view_is_unique(at(view)) /= 0
   end function

   recursive logical function steno_is_read_only(view)
      type(steno_view), intent(in) :: view
      steno_is_read_only = .false.
      if (associated(view%c)) steno_is_read_only = view%c%read_only /= 0
   end function

   !> Can elements be accessed by their address: no scale, not atomic, accessible by the host?
   recursive logical function steno_is_lvalue(view)
      type(steno_view), intent(in) :: view
      steno_is_lvalue = stn_view_is_lvalue(at(view)) /= 0
   end function

   !> Do two views have the same memory, storage, layout, space, rank and extents?
   recursive logical function steno_is_same(a, b)
      type(steno_view), intent(in) :: a, b
      steno_is_same = stn_view_equal(at(a), at(b)) /= 0
   end function

   !> Space of the memory of a view.
   recursive integer(int32) function steno_space_of(view)
      type(steno_view), intent(in) :: view
      steno_space_of = STENO_SPACE_HOST
      if (associated(view%c)) steno_space_of = view%c%space
   end function

   !> Leading dimension of a matrix for BLAS.
   recursive subroutine steno_leading_dimension(view, leading, is_row_major, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer(int64), intent(out) :: leading
      logical, intent(out) :: is_row_major !< .false.: column-major, as Fortran stores matrices
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: status, row_major
      leading = 0
      row_major = 0
      status = stn_view_leading_dimension(at(view), leading, row_major)
      is_row_major = row_major /= 0
      call check(status, stat, errmsg)
   end subroutine

   !> Address of an element, in the memory of the view, for other libraries.
   recursive subroutine steno_address(view, indices, address, stat, errmsg)
      type(steno_view), intent(in) :: view
      integer, intent(in) :: indices(:)
      type(c_ptr), intent(out) :: address
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(steno_format_info) :: info
      integer(c_int64_t) :: offset
      integer(c_int) :: status
      integer :: described
      address = c_null_ptr
      offset = 0
      status = stn_view_offset(at(view), size(indices, kind=c_int), indices - 1_c_int64_t, offset)
      if (status == STENO_OK) then
         call steno_format_describe(view%c%storage%format, info, described)
         status = int(described, c_int)
      end if
      if (status == STENO_OK) &
         address = transfer(transfer(view%c%data, offset) + offset*info%bytes, address)
      call check(status, stat, errmsg)
   end subroutine

   !> Name of the layout, such as "left".
   recursive function steno_layout_of(view) result(name)
      type(steno_view), intent(in) :: view
      character(:), allocatable :: name
      name = f_text(stn_layout_name(stn_view_layout(at(view))))
   end function

   recursive function steno_label(view) result(label)
      type(steno_view), intent(in) :: view
      character(:), allocatable :: label
      label = ""
      if (associated(view%c)) label = f_text(view%c%label)
   end function
end module
