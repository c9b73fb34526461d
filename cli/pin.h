/* Binds each thread of this process to its own processor. Schedulers may leave a thread that wakes
 * up on the processor of the waking thread for milliseconds. */
#pragma once

/* Waits until no other thread of this process runs, at most 0.3 s. Idle threads of a library may
 * spin for up to 0.2 s on a processor that another library needs. */
void pin_wait(void);

/* Binds this thread to the first processor, and threads created since the last call to one of the
 * other processors each. A no-op if unsupported. */
void pin_threads(void);

/* Allows this thread on all processors again, so that threads it creates are not bound. */
void pin_release(void);
