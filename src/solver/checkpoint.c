/* Checkpoints as objects, bytes and files. */
#define _POSIX_C_SOURCE 200809L
#include "solver/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/temporary.h"

static stn_status expect(const char *call, const stn_checkpoint *checkpoint)
{
    return checkpoint ? STN_OK : stn_fail(STN_ERR_ARGUMENT, "%s: the checkpoint is NULL", call);
}

stn_status stn_checkpoint_create(stn_checkpoint **result)
{
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "stn_checkpoint_create: checkpoint is NULL");
    *result = NULL;
    STN_TRY(stn_allocate(result, 1, sizeof **result, "a checkpoint"));
    **result = (stn_checkpoint){{0}};
    return STN_OK;
}

void stn_checkpoint_release(stn_checkpoint *checkpoint)
{
    if (checkpoint)
        stn_image_release(&checkpoint->image);
    stn_free(checkpoint);
}

stn_status stn_checkpoint_bytes(const stn_checkpoint *checkpoint, const void **bytes,
                                int64_t *count)
{
    STN_TRY(expect("stn_checkpoint_bytes", checkpoint));
    if (!bytes || !count)
        return stn_fail(STN_ERR_ARGUMENT, "stn_checkpoint_bytes: %s is NULL",
                        bytes ? "count" : "bytes");
    *bytes = checkpoint->image.bytes;
    *count = checkpoint->image.count;
    return STN_OK;
}

static stn_status assign(const char *call, stn_checkpoint *checkpoint, const void *bytes,
                         int64_t count)
{
    stn_image image = {0};
    STN_TRY(stn_image_expect(call, bytes, count));
    STN_TRY(stn_image_put(&image, bytes, count));
    stn_image_release(&checkpoint->image);
    checkpoint->image = image;
    return STN_OK;
}

stn_status stn_checkpoint_assign(stn_checkpoint *checkpoint, const void *bytes, int64_t count)
{
    STN_TRY(expect("stn_checkpoint_assign", checkpoint));
    if (count < 0 || (count > 0 && !bytes))
        return stn_fail(STN_ERR_ARGUMENT, "stn_checkpoint_assign: %s",
                        count < 0 ? "count is negative" : "bytes is NULL");
    if (count > 0)
        return assign("stn_checkpoint_assign", checkpoint, bytes, count);
    stn_image_release(&checkpoint->image);
    return STN_OK;
}

/* ---- files ---- */

static stn_status file_failed(const char *call, const char *path)
{
    return stn_fail(STN_ERR_IO, "%s: %s: %s", call, path, strerror(errno));
}

stn_status stn_checkpoint_save(const stn_checkpoint *checkpoint, const char *path)
{
    stn_temporary file;
    STN_TRY(expect("stn_checkpoint_save", checkpoint));
    if (!path || !checkpoint->image.bytes)
        return stn_fail(STN_ERR_ARGUMENT, "stn_checkpoint_save: %s",
                        path ? "the checkpoint is empty" : "the path is NULL");
    stn_status status = stn_temporary_begin(&file, path);
    if (status == STN_OK)
        status =
            stn_temporary_write(&file, checkpoint->image.bytes, (size_t)checkpoint->image.count);
    if (status == STN_OK)
        status = stn_temporary_commit(&file);
    stn_temporary_discard(&file);
    if (status == STN_ERR_ARGUMENT) /* not a regular file */
        status = STN_ERR_IO;
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "stn_checkpoint_save");
}

/* Reads at most the length in the header and one part more: files such as /dev/zero have no end. */
static stn_status read_all(FILE *file, const char *path, stn_image *image)
{
    enum { PART = 1 << 16 };
    static const char call[] = "stn_checkpoint_load";
    int64_t length = 0;
    for (size_t got = PART; got == PART && image->count <= length;) {
        void *buffer = NULL;
        STN_TRY(stn_image_extend(image, PART, &buffer));
        errno = 0;
        got = fread(buffer, 1, PART, file);
        image->count -= PART - (int64_t)got;
        if (ferror(file))
            return file_failed(call, path);
        STN_TRY(stn_image_expect_head(call, image->bytes, image->count, &length));
    }
    return STN_OK;
}

stn_status stn_checkpoint_load(stn_checkpoint *checkpoint, const char *path)
{
    static const char call[] = "stn_checkpoint_load";
    stn_image image = {0};
    STN_TRY(expect(call, checkpoint));
    if (!path)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the path is NULL", call);
    FILE *const file = fopen(path, "rb");
    if (!file)
        return file_failed(call, path);
    stn_status status = read_all(file, path, &image);
    (void)fclose(file);
    if (status == STN_OK)
        status = assign(call, checkpoint, image.bytes, image.count);
    stn_image_release(&image);
    return status;
}
