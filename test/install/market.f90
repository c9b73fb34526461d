program installed
   use steno
   use steno_market
   implicit none
   type(steno_matrix) :: a
   integer :: stat
   call steno_market_read_file(a, "missing.mtx", stat=stat)
   if (stat == STENO_ERR_IO) print "(a)", steno_version()
end program
