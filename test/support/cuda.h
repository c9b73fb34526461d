/* CUDA for tests: a device, or the stand-in of test/cuda where there is none. */
#ifndef STENO_TEST_CUDA_H
#define STENO_TEST_CUDA_H

#include "cuda/stand_in.h"

/* Choose the stand-in when there is no driver, or `always`; before the library's first use of it.
 */
void cuda_choose(int always);

/* If STENO_TEST_EXEC names a HIP device, all is HIP's and always the stand-in. Its first device: */
int cuda_is_hip(void);
const char *cuda_resource(void);

/* Use the installed compiler, or the NVRTC that STENO_TEST_NVRTC names, instead of the stand-in;
 * before its first use. */
void cuda_choose_compiler(void);

/* The same for tests that compile many texts. Texts do not depend on the build: if STENO_TEST_OTHER
 * is set, another build compiles them, and the stand-in accepts them here. */
void cuda_choose_text_compiler(void);

/* Three architectures to compile for: 80, 90 and 100; of the NVRTC that STENO_TEST_NVRTC names the
 * oldest and the newest one, and one between them. */
const int *cuda_architectures(void);

/* Whether the installed NVRTC writes machine code for an architecture; 1 if none is installed. */
int cuda_compiles_for(int architecture);

/* Nonzero if STENO_TEST_NVRTC is set: only that library is tested, on no device. */
int cuda_is_compiler_only(void);

/* Is it the stand-in? Its functions are these. */
int cuda_is_stand_in(void);
typedef struct cuda_stand_in {
    void (*reset)(void);
    const stand_in_state *(*look)(void);
    void (*fail_at)(const char *function, int nth, int error, int sticky);
    void (*machine)(int devices, int version, size_t bytes);
    void (*architecture)(int major_and_minor);
    int (*calls_of)(const char *function);
    void (*kernel)(const char *name, void (*run)(void *context), void *context);
    int (*capture)(void *stream, int begins);
    void (*concurrent)(int is_concurrent);
} cuda_stand_in;
const cuda_stand_in *cuda_stand_in_of(void);

#endif
