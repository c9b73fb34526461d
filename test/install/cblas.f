      PROGRAM NAMES
*     A program of libsteno_cblas by its names in Fortran: results of
*     each kind, and an error exit of its own.
      DOUBLE PRECISION X(3), Y(3), DDOT
      COMPLEX*16 Z(2), W(1), ZDOTC
      INTEGER IDAMAX
      LOGICAL REFUSED
      COMMON /EXIT/ REFUSED
      EXTERNAL DDOT, ZDOTC, IDAMAX
      DATA X /1.0D0, 2.0D0, 3.0D0/, Y /5.0D0, 0.0D0, 2.0D0/
      Z(1) = (1.0D0, 1.0D0)
      Z(2) = (1.0D0, 0.0D0)
      W(1) = (1.0D0, 4.0D0)
      REFUSED = .FALSE.
      CALL DGEMV('N', -1, 1, 1.0D0, X, 1, X, 1, 0.0D0, Y, 1)
      WRITE (*, '(I2)') INT(DDOT(3, X, 1, Y, 1))
      WRITE (*, '(I2)') IDAMAX(3, Y, 1) + 11
      WRITE (*, '(A, F3.0, A, F3.0, A)') '(',
     $  DBLE(ZDOTC(2, Z, 1, Z, 1)) - 3.0D0, ',',
     $  DIMAG(ZDOTC(1, Z, 1, W, 1)) - 1.0D0, ')'
      WRITE (*, '(L1)') REFUSED
      END

      SUBROUTINE XERBLA(NAME, INFO)
      CHARACTER*(*) NAME
      INTEGER INFO
      LOGICAL REFUSED
      COMMON /EXIT/ REFUSED
      REFUSED = NAME .EQ. 'DGEMV ' .AND. INFO .EQ. 2
      END
