/* Resizing a view that has another handle. */
#include <stdio.h>

#include "steno/view.h"

static int print(const char *name, const stn_view *x)
{
    double first = 0.0;
    const stn_status status = STN_VIEW_GET(x, &first, 99, 49, 3);
    printf("%s is %3d x %d x %d, %s(99, 49, 3) = %g, handles: %d\n", name, (int)x->extent[0],
           (int)x->extent[1], (int)x->extent[2], name, first, (int)stn_view_use_count(x));
    return status != STN_OK;
}

static int run(stn_view *a, stn_view *b)
{
    int wrong = 0;
    if (stn_view_create(NULL, a, "a", stn_storage_of(STN_F64), 3, (const int64_t[]){100, 50, 4}) !=
            STN_OK ||
        STN_VIEW_SET(a, 7.0, 99, 49, 3) != STN_OK)
        return 1;
    wrong += print("a", a);

    /* Elements that both sizes have are copied to new memory; the others are zero. */
    if (stn_view_resize(NULL, a, 3, (const int64_t[]){200, 50, 4}, 0) != STN_OK)
        return 1;
    wrong += print("a", a);

    /* Another handle keeps the old elements, and their memory, when a is resized again. */
    if (stn_view_share(b, a) != STN_OK ||
        stn_view_resize(NULL, a, 3, (const int64_t[]){300, 60, 4}, 0) != STN_OK ||
        STN_VIEW_SET(a, 8.0, 99, 49, 3) != STN_OK)
        return 1;
    wrong += print("a", a);
    return wrong + print("b", b);
}

int main(void)
{
    stn_view a = {0}, b = {0};
    const int wrong = run(&a, &b);
    if (wrong)
        fprintf(stderr, "%s\n", stn_error());
    stn_view_release(&a);
    stn_view_release(&b);
    return wrong != 0;
}
