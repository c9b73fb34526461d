/* Threads of this process, each on a processor of its own: schedulers may leave a thread that
   wakes on the processor of the one that woke it for milliseconds. */
#pragma once

/* Waits until no other thread of this process runs, at most 0.3 s: threads that finished may look
   for work for up to 0.2 s, on the processor that another library's thread needs. */
void pin_wait(void);

/* This thread on the first processor, those that have been made since the last call one each on the
   others in turn. Without effect where the system has no such thing. */
void pin_threads(void);

/* This thread on any processor again, so that threads which it makes may be anywhere. */
void pin_release(void);
