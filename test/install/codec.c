/* A program of libsteno_codec: an array is compressed, saved, opened and read. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <steno/archive.h>

int main(void)
{
    static double values[1000], back[1000];
    const int64_t extent = 1000;
    char name[] = "/tmp/steno-XXXXXX", path[64];
    stn_view view;
    stn_archive *archive, *opened = NULL;
    for (int k = 0; k < 1000; k++)
        values[k] = k % 10;
    if (stn_view_wrap(&view, "values", stn_storage_of(STN_F64), values, 1, &extent) ||
        stn_archive_pack(NULL, &archive, STN_F64, &view, NULL))
        return 1;
    const int folder = mkdtemp(name) != NULL;
    snprintf(path, sizeof path, "%s/a.sta", name);
    const int failed =
        !folder || stn_archive_save(archive, path) || stn_archive_open(&opened, path);
    remove(path);
    rmdir(name);
    if (failed)
        return 2;
    if (stn_view_wrap(&view, "back", stn_storage_of(STN_F64), back, 1, &extent) ||
        stn_archive_read(NULL, &view, opened, NULL) || back[999] != 9.0)
        return 3;
    stn_archive_release(archive);
    stn_archive_release(opened);
    printf("%s\n", stn_version());
    return 0;
}
