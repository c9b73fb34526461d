/* A clock that is never set back. */
#ifndef STENO_CORE_CLOCK_H
#define STENO_CORE_CLOCK_H

/* Seconds since an arbitrary time. */
double stn_seconds_now(void);

#endif
