/* Loops around a switch, for test_contract_incomplete.sh: every case divides once, so that the loop
 * has as many divisions as cases, wherever the compiler puts them. */
#include <stdint.h>

extern int other(int);

#define CASE(k)                                                                                    \
    case k:                                                                                        \
        y[i] = (k + 3) / y[i + k];                                                                 \
        break;
#define EIGHT(k)                                                                                   \
    CASE(k) CASE(k + 1) CASE(k + 2) CASE(k + 3) CASE(k + 4) CASE(k + 5) CASE(k + 6) CASE(k + 7)

void dense(long n, const int *x, double *y)
{
    for (long i = 0; i < n; i++)
        switch (x[i]) {
            EIGHT(0)
        default:
            y[i] = 1;
        }
}

void moved(long n, const unsigned *x, double *y)
{
    for (long i = 0; i < n; i++)
        switch (x[i]) {
            EIGHT(100)
        }
}

void bytes(long n, const uint8_t *x, double *y)
{
    for (long i = 0; i < n; i++)
        switch (x[i]) {
            EIGHT(0)
        default:
            break;
        }
}

void longer(long n, const long *x, double *y)
{
    for (long i = 0; i < n; i++)
        switch (x[i]) {
            EIGHT(0)
            EIGHT(8) EIGHT(16) EIGHT(24) EIGHT(32) EIGHT(40) EIGHT(48) EIGHT(56) default : y[i] = 0;
        }
}

void two(long n, const int *x, double *y)
{
    for (long i = 0; i < n; i++) {
        switch (x[i]) {
            CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) default : y[i] = 2;
        }
        switch (x[i + 1]) {
            CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) default : y[i] += 2;
        }
    }
}

void called(long n, const int *x, double *y)
{
    for (long i = 0; i < n; i++)
        switch (other(x[i])) {
            EIGHT(0)
        default:
            return;
        }
}
