/* Checkpoints of solvers as compressed files: archives of rank 1, of words if the number of bytes
 * is a multiple of 8, so that filters group the bytes of f64. */
#include "core/memory.h"
#include "core/status.h"
#include "steno/archive.h"
#include "steno/solver.h"

/* The bytes as a view of words or, if their number or address is odd, of bytes. */
static stn_status wrap(stn_view *view, void *bytes, int64_t count, int is_word)
{
    const int64_t extent = is_word ? count / 8 : count;
    return stn_view_wrap(view, "a checkpoint", stn_storage_of(is_word ? STN_U64 : STN_U8), bytes, 1,
                         &extent);
}

stn_status stn_archive_save_checkpoint(const stn_exec *exec, const stn_checkpoint *checkpoint,
                                       const char *path, const char *codec)
{
    static const char call[] = "stn_archive_save_checkpoint";
    const stn_archive_options options = STN_INIT(stn_archive_options, .codec = codec);
    const void *bytes;
    int64_t count;
    stn_view view;
    stn_archive *archive;
    STN_TRY(stn_checkpoint_bytes(checkpoint, &bytes, &count));
    if (!bytes)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the checkpoint is empty", call);
    const int is_word = count % 8 == 0 && (uintptr_t)bytes % 8 == 0;
    STN_TRY(wrap(&view, (void *)(uintptr_t)bytes, count, is_word));
    stn_status status =
        stn_archive_pack(exec, &archive, view.storage.format, &view, codec ? &options : NULL);
    if (status == STN_OK) {
        status = stn_archive_save(archive, path);
        stn_archive_release(archive);
    }
    return status;
}

static stn_status expect_checkpoint(const char *call, const stn_archive_info *info,
                                    const char *path)
{
    if (info->rank == 1 && (info->format == STN_U64 || info->format == STN_U8))
        return STN_OK;
    return stn_fail(STN_ERR_PARSE, "%s: %s is an archive of other data than a checkpoint", call,
                    path);
}

static stn_status load(const char *call, const stn_exec *exec, stn_checkpoint *checkpoint,
                       stn_archive *archive, const char *path)
{
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    stn_view view;
    void *bytes;
    STN_TRY(stn_archive_describe(archive, &info));
    STN_TRY(expect_checkpoint(call, &info, path));
    STN_TRY(stn_allocate(&bytes, info.array_bytes, 1, "a checkpoint"));
    stn_status status = wrap(&view, bytes, info.array_bytes, info.format == STN_U64);
    if (status == STN_OK)
        status = stn_archive_read(exec, &view, archive, NULL);
    if (status == STN_OK)
        status = stn_checkpoint_assign(checkpoint, bytes, info.array_bytes);
    stn_free(bytes);
    return status;
}

stn_status stn_archive_load_checkpoint(const stn_exec *exec, stn_checkpoint *checkpoint,
                                       const char *path)
{
    static const char call[] = "stn_archive_load_checkpoint";
    stn_archive *archive;
    if (!checkpoint)
        return stn_fail(STN_ERR_ARGUMENT, "%s: checkpoint is NULL", call);
    stn_status status = stn_archive_open(&archive, path);
    if (status == STN_OK) {
        status = load(call, exec, checkpoint, archive, path);
        stn_archive_release(archive);
    }
    return status;
}
