/* Files of NumPy arrays (NPY, versions 1.0 to 3.0): numpy.lib.format in the NumPy documentation. */
#ifndef STENO_CODEC_NPY_H
#define STENO_CODEC_NPY_H

#include "core/status.h"
#include "steno/view.h"

typedef struct npy_file {
    stn_format format;
    int rank, is_fortran; /* Fortran: the first index varies fastest */
    int64_t extent[STN_MAX_RANK];
    const void *data;
    int64_t data_bytes;
    void *mapped; /* the file */
    size_t mapped_bytes;
} npy_file;

/* Reads the bytes of a file, to which `file` refers. STN_ERR_PARSE, STN_ERR_UNSUPPORTED. */
stn_status npy_parse(const char *name, const void *bytes, int64_t count, npy_file *file);

/* Maps a file. STN_ERR_IO, and the errors of npy_parse. */
stn_status npy_open(const char *path, npy_file *file);
void npy_close(npy_file *file);

/* A read-only view of the elements. */
stn_status npy_view(const npy_file *file, const char *label, stn_view *view);

/* Writes the bytes that precede the elements of an array in C order. Returns their number; 0: the
 * format has no type in NumPy. */
enum { NPY_HEADER_BYTES = 320 };
int npy_write_header(stn_format format, int rank, const int64_t *extent,
                     char header[NPY_HEADER_BYTES]);

#endif
