/* The block-Jacobi preconditioner. */
#ifndef STENO_PRECONDITION_BLOCK_JACOBI_H
#define STENO_PRECONDITION_BLOCK_JACOBI_H

#include "precondition/preconditioner.h"
#include "sparse/matrix.h"

typedef struct stn_block_jacobi {
    stn_preconditioner base;
    stn_matrix part[STN_BLOCK_JACOBI_FORMATS]; /* the blocks of each format */
} stn_block_jacobi;

#endif
