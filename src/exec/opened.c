/* The list of open devices. */
#include "exec/opened.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stn_device *first;
static atomic_int has_exclusive;

/* ---- forks: a child has no open devices, and none of its threads holds the lock ---- */

static void hold(void)
{
    (void)pthread_mutex_lock(&lock);
}

static void release(void)
{
    (void)pthread_mutex_unlock(&lock);
}

static void forget(void)
{
    first = NULL;
    release();
}

static void watch_forks(void)
{
    (void)pthread_atfork(hold, release, forget);
}

/* ---- the list ---- */

/* The link that points to the device, or the last link. */
static stn_device **find_link(const stn_device *device)
{
    stn_device **link = &first;
    while (*link && *link != device)
        link = &(*link)->next_opened;
    return link;
}

void stn_device_add_opened(stn_device *device)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    (void)pthread_once(&watching, watch_forks);
    hold();
    stn_device **const link = find_link(device);
    if (!*link) {
        device->next_opened = NULL;
        *link = device;
    }
    release();
    if (device->is_exclusive)
        atomic_store_explicit(&has_exclusive, 1, memory_order_relaxed);
}

void stn_device_remove_opened(stn_device *device)
{
    hold();
    stn_device **const link = find_link(device);
    if (*link)
        *link = device->next_opened;
    release();
}

int stn_device_has_exclusive(void)
{
    return atomic_load_explicit(&has_exclusive, memory_order_relaxed);
}

/* Fails if the last user is leaving. */
static int share(stn_device *device)
{
    int users = atomic_load(&device->users);
    while (users > 0 && !atomic_compare_exchange_weak(&device->users, &users, users + 1))
        continue;
    return users > 0;
}

stn_device *stn_device_next_opened(stn_device *before)
{
    hold();
    stn_device *device = before ? before->next_opened : first;
    while (device && !share(device))
        device = device->next_opened;
    release();
    stn_device_release(before);
    return device;
}
