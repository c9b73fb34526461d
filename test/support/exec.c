/* See exec.h. */
#include "exec.h"

#include <stdlib.h>

#include "cuda.h"
#include "make_view.h"

static stn_exec *device;

const char *test_exec_name(void)
{
    const char *const name = getenv("STENO_TEST_EXEC");
    return name && *name ? name : NULL;
}

static void skip_program(const char *reason)
{
    print_message("skipped: %s\n", reason);
    exit(77);
}

stn_exec *test_exec(void)
{
    const char *const name = test_exec_name();
    if (device || !name)
        return device;
    if (strncmp(name, "opencl", 6) != 0)
        cuda_choose(0);
    if (cuda_is_stand_in())
        skip_program("no driver of this device is installed");
    if (stn_exec_create(&device, name) != STN_OK)
        skip_program(stn_error());
    return device;
}

void test_exec_release(void)
{
    stn_exec_release(device);
    device = NULL;
}

/* ---- copies in device memory ---- */

enum { MOST_SENT = 16 };
static struct {
    stn_view host, device; /* as bytes */
} sent[MOST_SENT];
static int sent_count;

stn_view test_send(const stn_view *view, void *memory, int64_t bytes)
{
    const stn_storage u8 = stn_storage_of(STN_U8);
    stn_view there = *view;
    if (!test_exec())
        return there;
    assert_true(sent_count < MOST_SENT);
    stn_view *const from = &sent[sent_count].host, *const to = &sent[sent_count].device;
    sent_count++;
    *from = wrap_view("host", u8, memory, 1, &bytes);
    *to = create_view(device, "device", u8, NULL, 1, &bytes, 0);
    expect_ok(stn_view_copy(device, to, from));
    there.data = (char *)to->data + ((char *)view->data - (char *)memory);
    there.space = to->space;
    there.owner = NULL;
    return there;
}

void test_fetch(void)
{
    for (int k = 0; k < sent_count; k++) {
        expect_ok(stn_view_copy(device, &sent[k].host, &sent[k].device));
        expect_ok(stn_view_release(&sent[k].device));
    }
    sent_count = 0;
}
