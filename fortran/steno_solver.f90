!> Preconditioners, checkpoints and iterative solvers.
module steno_solver
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real64
   use steno_c
   use steno_core
   use steno_handles
   use steno_sparse
   implicit none
   private

   !> Kinds of incomplete factorizations.
   integer(int32), parameter, public :: STENO_ILU0 = 0, STENO_IC0 = 1
   !> Methods, and sides of the preconditioner.
   integer(int32), parameter, public :: STENO_SOLVER_CG = 0, STENO_SOLVER_GMRES = 1, &
      STENO_SOLVER_REFINEMENT = 2, STENO_SOLVER_BICGSTAB = 3, STENO_SOLVER_MINRES = 4, &
      STENO_SOLVER_FGMRES = 5
   integer(int32), parameter, public :: STENO_PRECONDITIONER_RIGHT = 0, &
      STENO_PRECONDITIONER_LEFT = 1
   !> Orthogonalizations of GMRES.
   integer(int32), parameter, public :: STENO_ORTHOGONALIZATION_DEFAULT = 0, &
      STENO_ORTHOGONALIZATION_ONCE = 1, STENO_ORTHOGONALIZATION_IF_NEEDED = 2, &
      STENO_ORTHOGONALIZATION_TWICE = 3, STENO_ORTHOGONALIZATION_DELAYED = 4, &
      STENO_ORTHOGONALIZATION_SKETCHED = 5
   !> Reasons for which a solve stopped.
   integer(int32), parameter, public :: STENO_STOP_CONVERGED = 0, STENO_STOP_MAX_ITERATIONS = 1, &
      STENO_STOP_MAX_SECONDS = 2, STENO_STOP_INTERRUPTED = 3, STENO_STOP_STAGNATED = 4, &
      STENO_STOP_BREAKDOWN = 5, STENO_STOP_NOT_POSITIVE_DEFINITE = 6, STENO_STOP_NOT_FINITE = 7, &
      STENO_STOP_CALL_FAILED = 8, STENO_STOP_NOT_REPRESENTABLE = 9, &
      STENO_STOP_RESIDUAL_UNCERTAIN = 10

   !> An approximate inverse. Assignment creates a further handle.
   type, extends(steno_operator), public :: steno_preconditioner
      private
      type(shared_handle), pointer :: handle => null()
   contains
      procedure :: apply => apply_preconditioner
      procedure, private :: assign_preconditioner
      generic :: assignment(=) => assign_preconditioner
      final :: finalize_preconditioner
   end type

   !> State of an interrupted solve. Assignment creates a further handle. The component is for this
   !! library only.
   type, public :: steno_checkpoint
      type(shared_handle), pointer :: handle => null()
   contains
      procedure, private :: assign_checkpoint
      generic :: assignment(=) => assign_checkpoint
      final :: finalize_checkpoint
   end type

   !> Called after each iteration: a type of the program extends this one.
   type, abstract, public :: steno_monitor
   contains
      procedure(observe_iteration), deferred :: observe
   end type

   abstract interface
      subroutine observe_iteration(self, iteration, residual, seconds, stop)
         import :: steno_monitor, int64, real64
         class(steno_monitor), intent(inout) :: self
         integer(int64), intent(in) :: iteration !< number of completed iterations
         real(real64), intent(in) :: residual    !< |b - A x| / |b| according to the recurrence
         real(real64), intent(in) :: seconds     !< time since the call
         logical, intent(inout) :: stop          !< .true. stops the solve
      end subroutine
   end interface

   !> Properties of a preconditioner.
   type, public :: steno_preconditioner_info
      character(16) :: name = ""           !< such as "ILU(0)"
      integer(int64) :: rows = 0           !< number of rows
      integer(int64) :: bytes = 0          !< bytes that an application reads
      integer(int64) :: lower_levels = 0   !< levels of the lower factor
      integer(int64) :: upper_levels = 0   !< levels of the upper factor
      integer(int64) :: blocks = 0         !< number of blocks
      integer(int64) :: format_blocks(3) = 0 !< blocks in 16, 32 and 64 bits
   end type

   !> Options of a solver; solver.h describes the members. Defaults select conjugate gradients.
   type, public :: steno_solver_options
      integer(int32) :: method = STENO_SOLVER_CG
      integer(int32) :: arithmetic = STENO_F64
      real(real64) :: relative_tolerance = 0
      real(real64) :: absolute_tolerance = 0
      integer(int64) :: max_iterations = 0
      real(real64) :: max_seconds = 0
      integer(int64) :: restart = 0
      integer(int32) :: basis = STENO_F64        !< format of the basis of GMRES
      logical :: has_basis = .false.             !< .true.: `basis` is used
      integer(int64) :: basis_block = 0
      integer(int32) :: side = STENO_PRECONDITIONER_RIGHT
      integer(int32) :: orthogonalization = STENO_ORTHOGONALIZATION_DEFAULT
   end type

   !> Report of a solve.
   type, public :: steno_solver_report
      integer(int32) :: reason = 0           !< STENO_STOP_CONVERGED, ...
      integer(int64) :: iterations = 0       !< completed iterations
      integer(int64) :: restarts = 0         !< GMRES: restarts; refinement: corrections
      integer(int64) :: inner_iterations = 0 !< refinement: iterations of the inner solver
      real(real64) :: residual = 0           !< |b - A x| / |b| of x in the arithmetic type
      real(real64) :: stored_residual = 0    !< the same for x as stored
      integer(int64) :: saturated = 0        !< elements of x beyond the range of its storage
      real(real64) :: seconds = 0            !< duration of the call
      integer(int64) :: columns = 0          !< columns of b that were processed
      integer(int64) :: unsolved_columns = 0 !< columns that did not converge or failed
      real(real64) :: rounding_error = 0     !< estimated rounding error of `residual`
      real(real64) :: backward_error = 0     !< |b - A x| / (|A| |x| + |b|), maximum norms
      real(real64) :: seconds_products = 0   !< time in products with A
      real(real64) :: seconds_preconditioner = 0    !< time in products with the preconditioner
      real(real64) :: seconds_orthogonalization = 0 !< GMRES: time of Gram-Schmidt
      real(real64) :: seconds_verification = 0      !< time for the errors of the residual
      integer(int64) :: bytes = 0            !< GMRES: memory of the bases
   end type

   !> What the callbacks of one solve need.
   type :: solve_callback
      class(steno_operator), pointer :: operator => null()
      class(steno_monitor), pointer :: monitor => null()
      type(steno_executor), pointer :: exec => null()
   end type

   abstract interface
      function apply_c_operator(context, exec, arithmetic, x, y) bind(C) result(status)
         import
         type(c_ptr), value :: context, exec
         integer(c_int32_t), value :: arithmetic
         type(c_ptr), value :: x, y
         integer(c_int) :: status
      end function
   end interface

   interface steno_release
      procedure finalize_preconditioner, finalize_checkpoint
   end interface

   public :: steno_release, steno_ilu_create, steno_block_jacobi_create, steno_checkpoint_create
   public :: steno_checkpoint_save, steno_checkpoint_load, steno_checkpoint_bytes
   public :: steno_checkpoint_assign, steno_preconditioner_describe
   public :: steno_solve, steno_stop_reason_name

   interface
      function stn_checkpoint_bytes(checkpoint, bytes, count) bind(C) result(status)
         import
         type(c_ptr), value :: checkpoint
         type(c_ptr), intent(inout) :: bytes
         integer(c_int64_t), intent(inout) :: count
         integer(c_int) :: status
      end function
      function stn_checkpoint_assign(checkpoint, bytes, count) bind(C) result(status)
         import
         type(c_ptr), value :: checkpoint
         integer(c_int8_t), intent(in) :: bytes(*)
         integer(c_int64_t), value :: count
         integer(c_int) :: status
      end function
   end interface

contains

   ! ---- preconditioners

   impure elemental recursive subroutine assign_preconditioner(to, from)
      class(steno_preconditioner), intent(inout) :: to
      type(steno_preconditioner), intent(in) :: from
      type(c_ptr) :: last
      call share_handle(to%handle, from%handle, last)
      call stn_preconditioner_release(last)
   end subroutine

   impure elemental recursive subroutine finalize_preconditioner(m)
      type(steno_preconditioner), intent(inout) :: m
      type(c_ptr) :: last
      call release_handle(m%handle, last)
      call stn_preconditioner_release(last)
   end subroutine

   !> Creates the incomplete factors without fill-in of a matrix.
   recursive subroutine steno_ilu_create(exec, made, a, kind, format, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_preconditioner), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer(int32), intent(in), optional :: kind   !< STENO_ILU0 (default) or STENO_IC0
      integer(int32), intent(in), optional :: format !< of the entries; STENO_F64 by default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ilu_options), target :: options
      integer(c_int32_t), target :: stored
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(made)
      options%size = c_sizeof(options)
      if (present(kind)) options%kind = kind
      if (present(format)) then
         stored = format
         options%format = c_loc(stored)
      end if
      object = c_null_ptr
      status = stn_ilu_create(at(exec), c_loc(object), at(a), c_loc(options))
      call new_handle(made%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Creates the inverses of diagonal blocks of at most `max_block_rows` rows.
   recursive subroutine steno_block_jacobi_create(exec, made, a, max_block_rows, format, &
                                                  block_start, stat, errmsg)
      type(steno_executor), intent(in) :: exec
      type(steno_preconditioner), intent(inout) :: made
      type(steno_matrix), intent(in) :: a
      integer, intent(in), optional :: max_block_rows !< 8 by default; 1 is Jacobi
      integer(int32), intent(in), optional :: format  !< chosen for each block by default
      !> First row of each block, followed by the number of rows + 1.
      integer, intent(in), optional :: block_start(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_block_jacobi_options), target :: options
      integer(c_int32_t), target :: stored
      integer(c_int64_t), allocatable, target :: starts(:)
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(made)
      options%size = c_sizeof(options)
      if (present(max_block_rows)) options%max_block_rows = max_block_rows
      if (present(format)) then
         stored = format
         options%format = c_loc(stored)
      end if
      if (present(block_start)) then
         if (size(block_start) == 0) then
            call fail(STENO_ERR_ARGUMENT, "block_start is empty", stat, errmsg)
            return
         end if
         allocate (starts(size(block_start)))
         starts = block_start - 1_c_int64_t
         options%block_start = c_loc(starts)
         options%block_count = size(starts) - 1
      end if
      object = c_null_ptr
      status = stn_block_jacobi_create(at(exec), c_loc(object), at(a), c_loc(options))
      call new_handle(made%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Properties of a preconditioner.
   recursive subroutine steno_preconditioner_describe(m, info, stat, errmsg)
      type(steno_preconditioner), intent(in) :: m
      type(steno_preconditioner_info), intent(out) :: info
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_preconditioner_info), target :: found
      integer(c_int) :: status
      found%size = c_sizeof(found)
      status = stn_preconditioner_describe(object_of(m%handle), c_loc(found))
      info = steno_preconditioner_info(f_text(found%name), found%rows, found%bytes, &
         found%lower_levels, found%upper_levels, found%blocks, found%format_blocks)
      call check(status, stat, errmsg)
   end subroutine

   recursive subroutine apply_preconditioner(self, exec, arithmetic, x, y, stat)
      class(steno_preconditioner), intent(inout) :: self
      type(steno_executor), intent(in) :: exec
      integer(int32), intent(in) :: arithmetic
      type(steno_view), intent(in) :: x, y
      integer, intent(out) :: stat
      type(c_operator), target :: op
      procedure(apply_c_operator), pointer :: product
      stat = stn_operator_of_preconditioner(c_loc(op), object_of(self%handle))
      if (stat /= STENO_OK) return
      call c_f_procpointer(op%apply, product)
      stat = product(op%context, at(exec), arithmetic, at(x), at(y))
   end subroutine

   ! ---- checkpoints

   impure elemental recursive subroutine assign_checkpoint(to, from)
      class(steno_checkpoint), intent(inout) :: to
      type(steno_checkpoint), intent(in) :: from
      type(c_ptr) :: last
      call share_handle(to%handle, from%handle, last)
      call stn_checkpoint_release(last)
   end subroutine

   impure elemental recursive subroutine finalize_checkpoint(checkpoint)
      type(steno_checkpoint), intent(inout) :: checkpoint
      type(c_ptr) :: last
      call release_handle(checkpoint%handle, last)
      call stn_checkpoint_release(last)
   end subroutine

   !> Creates an empty checkpoint.
   recursive subroutine steno_checkpoint_create(checkpoint, stat, errmsg)
      type(steno_checkpoint), intent(inout) :: checkpoint
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr), target :: object
      integer(c_int) :: status
      call steno_release(checkpoint)
      object = c_null_ptr
      status = stn_checkpoint_create(c_loc(object))
      call new_handle(checkpoint%handle, object)
      call check(status, stat, errmsg)
   end subroutine

   !> Saves a checkpoint to a file.
   recursive subroutine steno_checkpoint_save(checkpoint, path, stat, errmsg)
      type(steno_checkpoint), intent(in) :: checkpoint
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_checkpoint_save(object_of(checkpoint%handle), c_text(path)), stat, errmsg)
   end subroutine

   !> Loads a checkpoint from a file.
   recursive subroutine steno_checkpoint_load(checkpoint, path, stat, errmsg)
      type(steno_checkpoint), intent(in) :: checkpoint
      character(*), intent(in) :: path
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_checkpoint_load(object_of(checkpoint%handle), c_text(path)), stat, errmsg)
   end subroutine

   !> Copies the contents of a checkpoint; an empty one has no bytes.
   recursive subroutine steno_checkpoint_bytes(checkpoint, bytes, stat, errmsg)
      type(steno_checkpoint), intent(in) :: checkpoint
      integer(int8), allocatable, intent(out) :: bytes(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(int8), pointer :: contents(:)
      type(c_ptr) :: address
      integer(c_int64_t) :: count
      integer(c_int) :: status
      address = c_null_ptr
      count = 0
      status = stn_checkpoint_bytes(object_of(checkpoint%handle), address, count)
      allocate (bytes(count))
      if (count > 0) then
         call c_f_pointer(address, contents, [count])
         bytes = contents
      end if
      call check(status, stat, errmsg)
   end subroutine

   !> Sets the contents of a checkpoint to the bytes of another one.
   recursive subroutine steno_checkpoint_assign(checkpoint, bytes, stat, errmsg)
      type(steno_checkpoint), intent(inout) :: checkpoint
      integer(int8), intent(in) :: bytes(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      call check(stn_checkpoint_assign(object_of(checkpoint%handle), bytes, &
                                       size(bytes, kind=c_int64_t)), stat, errmsg)
   end subroutine

   ! ---- solver

   !> Solves A x = b from the values of x. Without stat=, a solve that does not converge is an error
   !! stop, too.
   recursive subroutine steno_solve(exec, x, a, b, options, report, preconditioner, monitor, &
                                    checkpoint, inner, inner_operator, history, stat, errmsg)
      type(steno_executor), intent(in), target :: exec
      type(steno_view), intent(in) :: x
      class(steno_operator), intent(inout), target :: a
      type(steno_view), intent(in) :: b
      type(steno_solver_options), intent(in), optional :: options
      type(steno_solver_report), intent(out), optional :: report
      class(steno_operator), intent(inout), target, optional :: preconditioner
      class(steno_monitor), intent(inout), target, optional :: monitor
      type(steno_checkpoint), intent(in), optional :: checkpoint
      type(steno_solver_options), intent(in), optional :: inner !< inner solver of refinement
      class(steno_operator), intent(inout), target, optional :: inner_operator
      real(real64), allocatable, intent(out), optional :: history(:) !< a residual per iteration
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_solver_options), target :: c, c_inner
      type(c_solver_report), target :: made
      type(c_operator), target :: op, m, inner_op
      type(solve_callback), target :: context(4)
      real(c_double), allocatable, target :: residuals(:)
      integer(c_int) :: status
      c%basis%scale = 0 ! all zeros select the arithmetic type
      if (present(options)) call set_options(c, options)
      c%size = c_sizeof(c)
      made%size = c_sizeof(made)
      status = set_operator(op, a, x, exec, context(1))
      if (status == STENO_OK .and. present(preconditioner)) then
         status = set_operator(m, preconditioner, x, exec, context(2))
         c%preconditioner = c_loc(m)
      end if
      if (status == STENO_OK .and. present(inner_operator)) then
         status = set_operator(inner_op, inner_operator, x, exec, context(3))
         c%inner_operator = c_loc(inner_op)
      end if
      if (present(inner)) then
         call set_options(c_inner, inner)
         c_inner%size = c_sizeof(c_inner)
         c%inner = c_loc(c_inner)
      end if
      if (present(monitor)) then
         context(4)%monitor => monitor
         c%monitor = c_funloc(observe)
         c%monitor_context = c_loc(context(4))
      end if
      if (present(checkpoint)) then
         c%checkpoint = object_of(checkpoint%handle)
         if (.not. c_associated(c%checkpoint)) then
            call fail(STENO_ERR_ARGUMENT, "steno_solve: the checkpoint was not created", stat, errmsg)
            return
         end if
      end if
      if (present(history)) then
         allocate (residuals(most_iterations(c%max_iterations, x)))
         made%history = c_loc(residuals)
         made%history_capacity = size(residuals)
      end if
      if (status == STENO_OK) &
         status = stn_solve(at(exec), at(x), c_loc(op), at(b), c_loc(c), c_loc(made))
      if (present(history)) history = residuals(:made%history_count)
      if (present(report)) report = steno_solver_report(made%reason, made%iterations, &
         made%restarts, made%inner_iterations, made%residual, made%stored_residual, &
         made%saturated, made%seconds, made%columns, made%unsolved_columns, &
         made%rounding_error, made%backward_error, made%seconds_products, &
         made%seconds_preconditioner, made%seconds_orthogonalization, made%seconds_verification, &
         made%bytes)
      call check(status, stat, errmsg)
   end subroutine

   !> Capacity of the history: the limit of the iterations, at most 100000 and at least 1.
   pure recursive integer function most_iterations(limit, x)
      integer(int64), intent(in) :: limit
      type(steno_view), intent(in) :: x
      integer(int64) :: most
      most = limit
      if (most <= 0) then
         most = 1
         if (associated(x%c)) most = 10*x%c%extent(1)
      end if
      most_iterations = int(max(1_int64, min(most, 100000_int64)))
   end function

   recursive subroutine set_options(c, options)
      type(c_solver_options), intent(inout) :: c
      type(steno_solver_options), intent(in) :: options
      c%method = options%method
      c%arithmetic = options%arithmetic
      c%relative_tolerance = options%relative_tolerance
      c%absolute_tolerance = options%absolute_tolerance
      c%max_iterations = options%max_iterations
      c%max_seconds = options%max_seconds
      c%restart = options%restart
      c%basis%scale = 0 ! all zeros select the arithmetic type
      if (options%has_basis) then
         c%basis%format = options%basis
         c%basis%scale = 1
      end if
      c%basis_block = options%basis_block
      c%side = options%side
      c%orthogonalization = options%orthogonalization
   end subroutine

   !> Creates the C operator of `operator`, whose number of rows is that of x.
   recursive integer(c_int) function set_operator(op, operator, x, exec, context) result(status)
      type(c_operator), intent(inout), target :: op
      class(steno_operator), intent(inout), target :: operator
      type(steno_view), intent(in) :: x
      type(steno_executor), intent(in), target :: exec
      type(solve_callback), intent(inout), target :: context
      integer(c_int64_t) :: rows
      select type (operator)
      type is (steno_matrix)
         status = stn_operator_of_matrix(c_loc(op), at(operator))
      type is (steno_preconditioner)
         status = stn_operator_of_preconditioner(c_loc(op), object_of(operator%handle))
      class default
         context%operator => operator
         context%exec => exec
         rows = 0
         if (associated(x%c)) rows = x%c%extent(1)
         status = stn_operator_create(op, c_null_ptr, rows, c_funloc(apply), c_loc(context))
      end select
   end function

   !> The C function of operators of the program.
   recursive function apply(context, exec, arithmetic, x, y) bind(C) result(status)
      type(c_ptr), value :: context, exec
      integer(c_int32_t), value :: arithmetic
      type(c_ptr), value :: x, y
      integer(c_int) :: status
      type(solve_callback), pointer :: callback
      type(steno_view) :: from, to
      integer :: stat
      call c_f_pointer(context, callback)
      call borrow_view(from, x)
      call borrow_view(to, y)
      stat = STENO_OK
      if (.not. c_associated(exec)) stat = STENO_ERR_ARGUMENT
      if (stat == STENO_OK) call callback%operator%apply(callback%exec, arithmetic, from, to, stat)
      status = int(stat, c_int)
   end function

   !> The C function of monitors.
   recursive function observe(context, progress) bind(C) result(stops)
      type(c_ptr), value :: context, progress
      integer(c_int) :: stops
      type(solve_callback), pointer :: callback
      type(c_solver_progress), pointer :: state
      logical :: stop
      call c_f_pointer(context, callback)
      call c_f_pointer(progress, state)
      stop = .false.
      call callback%monitor%observe(state%iteration, state%residual, state%seconds, stop)
      stops = merge(1_c_int, 0_c_int, stop)
   end function

   !> Name of a reason, such as "converged".
   recursive function steno_stop_reason_name(reason) result(name)
      integer(int32), intent(in) :: reason
      character(:), allocatable :: name
      name = f_text(stn_stop_reason_name(reason))
   end function
end module
