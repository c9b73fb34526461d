/* Embedded sources from examples/kernels, whose bytes the build generates. */
#ifndef STENO_CONTRACT_COMMAND_ALIGNMENT_TEXTS_H
#define STENO_CONTRACT_COMMAND_ALIGNMENT_TEXTS_H

extern const char alignment_header[], alignment_cuda[], alignment_c[];

#endif
