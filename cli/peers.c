/* BLAS libraries that are opened at run time. */
#define _POSIX_C_SOURCE 200809L
#include "peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"

/* dlsym returns a data pointer, which C does not convert to a function pointer. */
static int find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* ---- properties of a library ---- */

static void find_core(peer *one)
{
    char *(*core_name)(void);
    void (*init)(void);
    int (*query)(void);
    const char *(*word)(int);
    const char *core = "";
    if (find(one->library, "openblas_get_corename", &core_name))
        core = core_name();
    else if (find(one->library, "bli_init", &init) &&
             find(one->library, "bli_arch_query_id", &query) &&
             find(one->library, "bli_arch_string", &word)) {
        init(); /* must be called first */
        core = word(query());
    }
    snprintf(one->core, sizeof one->core, "%s", core);
}

static void find_threads(peer *one)
{
    one->set_threads = NULL;
    one->set_threads_64 = NULL;
    if (!find(one->library, "openblas_set_num_threads", &one->set_threads) &&
        !find(one->library, "MKL_Set_Num_Threads", &one->set_threads))
        (void)find(one->library, "bli_thread_set_num_threads", &one->set_threads_64);
}

int peer_set_threads(const peer *one, int threads)
{
    if (one->set_threads)
        one->set_threads(threads);
    else if (one->set_threads_64)
        one->set_threads_64(threads);
    return one->set_threads || one->set_threads_64;
}

/* ---- opening ---- */

/* Returns the name of the first missing function, or NULL. */
static const char *find_functions(peer *one)
{
#define FIND(result, name, parameters)                                                             \
    if (!find(one->library, "cblas_" #name, &one->name))                                           \
        return "cblas_" #name;
    PEER_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

void peer_name_more(char name[PEER_NAME], int function, int is_narrow)
{
#define MORE_NAME(name) #name,
    static const char *const names[] = {PEER_MORE(MORE_NAME)};
#undef MORE_NAME
    const char letter = is_narrow ? 's' : 'd', *const base = names[function];
    if (function == PEER_iamax)
        snprintf(name, PEER_NAME, "cblas_i%c%s", letter, base + 1);
    else
        snprintf(name, PEER_NAME, "cblas_%c%s", letter, base);
}

static void find_more(peer *one)
{
    char name[PEER_NAME];
    for (int k = 0; k < PEER_MORE_COUNT; k++)
        for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
            peer_name_more(name, k, is_narrow);
            (void)find(one->library, name, &one->more[k][is_narrow]);
        }
}

stn_status peers_open(peers *all, const char *path)
{
    if (all->count == MAX_PEERS)
        return stn_fail(STN_ERR_RANGE, "more than %d libraries of BLAS", MAX_PEERS);
    peer *one = &all->list[all->count];
    const char *slash = strrchr(path, '/');
    one->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!one->library) {
        const char *why = dlerror(); /* may contain the name already */
        if (strncmp(why, path, strlen(path)) == 0 && why[strlen(path)] == ':')
            why += strlen(path) + 1 + strspn(why + strlen(path) + 1, " ");
        return stn_fail(STN_ERR_IO, "cannot open %s: %s", path, why);
    }
    const char *missing = find_functions(one);
    if (missing) {
        dlclose(one->library);
        return stn_fail(STN_ERR_UNSUPPORTED, "%s has no %s", path, missing);
    }
    snprintf(one->name, sizeof one->name, "%s", slash ? slash + 1 : path);
    find_more(one);
    find_threads(one);
    find_core(one);
    all->count++;
    return STN_OK;
}

void peers_find(peers *all)
{
    static const struct {
        const char *name, *file, *variable, *avx2, *avx512;
    } known[] = {{"OpenBLAS", "libopenblas.so.0", "OPENBLAS_CORETYPE", "HASWELL", "SKYLAKEX"},
                 {"BLIS", "libblis.so.4", "BLIS_ARCH_TYPE", "3", "0"}};
    const char *isa = stn_isa_name(stn_isa_chosen());
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const char *core = strcmp(isa, "avx512") == 0 ? known[k].avx512
                           : strcmp(isa, "avx2") == 0 ? known[k].avx2
                                                      : NULL;
        if (core)
            setenv(known[k].variable, core, 0);
        if (peers_open(all, known[k].file) == STN_OK) {
            peer *one = &all->list[all->count - 1];
            snprintf(one->name, sizeof one->name, "%s", known[k].name);
        }
    }
}
