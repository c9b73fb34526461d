/* The headers of accessors, and src/FOLDER/device, as text: what kernels that are compiled at run
 * time include. Made by the build (cmake/headers.cmake). */
#ifndef STENO_EXEC_HEADERS_H
#define STENO_EXEC_HEADERS_H

extern const char *const stn_header_names[], *const stn_header_texts[];
extern const int stn_header_count;
extern const char stn_header_hash[]; /* of all of them */

#endif
