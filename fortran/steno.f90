!> Numerical arrays that are stored narrow and computed wide: the Fortran interface of libsteno.
!! doc/fortran.md describes it; the C headers define the behavior of each operation.
module steno
   use steno_core
   use steno_handles
   use steno_memory
   use steno_views
   use steno_arrays
   use steno_blas_vectors
   use steno_blas_matrix_vector
   use steno_blas_matrices
   use steno_reductions
   use steno_sparse
   use steno_sparse_operations
   use steno_solver
   use steno_kernels
   use steno_atomics
   use steno_formats
   use steno_events
   implicit none
   public
   private :: at, check, fail, c_text, f_text, c_storage_of, f_storage_of
   private :: shared_handle, share_handle, new_handle, release_handle
   private :: new_view, borrow_view, move_view, keep_label, set_label, wrap_memory, memory_of, not_associated
   private :: matrix_handle, new_matrix, keep_matrix
end module
