program installed
   use steno
   implicit none
   print "(a)", steno_version()
end program
