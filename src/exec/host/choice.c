/* Choice between tiles and compiled code. Both compute the same bits, and which of them is faster
 * depends on the body, the formats, the lengths of rows and the processor. The first launches of
 * a kind alternate between the two and are timed. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "exec/host/host.h"

enum { TRIALS = 3, PROBES = 4, STATES = 4 };
static const float clear_ratio = 1.5F; /* decided after one trial less */

enum { STATE_OPEN = 1, STATE_TILES, STATE_COMPILED }; /* 0: an unused entry */

static uint64_t kind_of(uint64_t word)
{
    return word / STATES;
}

static stn_host_choice *entry_at(stn_host_choices *choices, uint64_t kind, int probe)
{
    return &choices->entries[(kind + (uint64_t)probe) % STN_HOST_CHOICES];
}

static stn_host_choice *find(stn_host_choices *choices, uint64_t kind, uint64_t *word)
{
    for (int probe = 0; probe < PROBES; probe++) {
        stn_host_choice *const entry = entry_at(choices, kind, probe);
        *word = atomic_load_explicit(&entry->word, memory_order_relaxed);
        if (*word != 0 && kind_of(*word) == kind)
            return entry;
    }
    return NULL;
}

/* An unused entry, or the one in the first position. */
static stn_host_choice *create(stn_host_choices *choices, uint64_t kind)
{
    stn_host_choice *entry = entry_at(choices, kind, 0);
    for (int probe = PROBES - 1; probe >= 0; probe--)
        if (atomic_load_explicit(&entry_at(choices, kind, probe)->word, memory_order_relaxed) == 0)
            entry = entry_at(choices, kind, probe);
    memset(entry->trials, 0, sizeof entry->trials);
    atomic_store_explicit(&entry->word, kind * STATES + STATE_OPEN, memory_order_relaxed);
    return entry;
}

stn_host_trial stn_host_begin(stn_device *device, uint64_t kind)
{
    stn_host_choices *const choices = &((stn_host_device *)(void *)device)->choices;
    uint64_t word;
    kind = kind_of(kind);
    stn_host_trial trial = {.kind = kind};
    if (find(choices, kind, &word) && word % STATES != STATE_OPEN) {
        trial.is_compiled = word % STATES == STATE_COMPILED;
        return trial;
    }
    (void)pthread_mutex_lock(&choices->lock);
    stn_host_choice *entry = find(choices, kind, &word);
    entry = entry ? entry : create(choices, kind);
    trial.is_compiled = entry->trials[1] <= entry->trials[0];
    (void)pthread_mutex_unlock(&choices->lock);
    trial.is_timed = 1;
    trial.start = stn_nanoseconds_now();
    return trial;
}

static int is_decided(const stn_host_choice *entry)
{
    const float *const best = entry->best;
    const int trials = entry->trials[0] < entry->trials[1] ? entry->trials[0] : entry->trials[1];
    const int is_clear = best[0] > clear_ratio * best[1] || best[1] > clear_ratio * best[0];
    return trials >= (is_clear ? TRIALS - 1 : TRIALS);
}

void stn_host_end(stn_device *device, const stn_host_trial *trial, int is_compiled, double elements)
{
    stn_host_choices *const choices = &((stn_host_device *)(void *)device)->choices;
    const int way = trial->is_compiled;
    uint64_t word;
    if (!trial->is_timed)
        return;
    const float seconds = (float)((double)(stn_nanoseconds_now() - trial->start) / elements);
    (void)pthread_mutex_lock(&choices->lock);
    stn_host_choice *const entry = find(choices, trial->kind, &word);
    if (entry && word % STATES == STATE_OPEN) {
        entry->best[way] = entry->trials[way] ? fminf(entry->best[way], seconds) : seconds;
        entry->trials[way]++;
        const int fails = way && !is_compiled;
        if (fails || is_decided(entry))
            atomic_store_explicit(&entry->word,
                                  trial->kind * STATES + (!fails && entry->best[1] <= entry->best[0]
                                                              ? STATE_COMPILED
                                                              : STATE_TILES),
                                  memory_order_relaxed);
    }
    (void)pthread_mutex_unlock(&choices->lock);
}
