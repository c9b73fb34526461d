/* y = alpha x + y for any two accessor types of rank 2: a kernel as a file that is included once
 * for each pair. Define X and Y as the types and AXPY as the name of the function. */
#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define OF_X(member) PASTE(X, member)
#define OF_Y(member) PASTE(Y, member)

_Static_assert((int)OF_X(_arithmetic) == (int)OF_Y(_arithmetic), "x and y compute in one type");

static void AXPY(OF_Y(_real) alpha, X x, Y y)
{
    for (stn_size i = 0; i < OF_X(_length)(x, 0); i++)
        for (stn_size j = 0; j < OF_X(_length)(x, 1); j++) {
            const OF_Y(_real) sum = alpha * OF_X(_get)(x, i, j) + OF_Y(_get)(y, i, j);
            OF_Y(_set)(y, i, j, sum);
        }
}

#undef PASTE_
#undef PASTE
#undef OF_X
#undef OF_Y
#undef X
#undef Y
#undef AXPY
