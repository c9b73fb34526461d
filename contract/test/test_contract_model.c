/* What launches execute and ask for, against threads that are gone through one by one. */
#include "check.h"
#include "contract_sass.h"
#include "steno/contract_model.h"

enum { LDG = 0x981, STG = 0x986, STL = 0x387, LDL = 0x983, IMAD = 0x224, FIRST_ARRAY = 32 };
enum { MOST_ACCESSES = 8, MOST_WORDS = 2 * MOST_ACCESSES + 4, MOST_ARRAYS = 4 };

static uint64_t seed = 1;

static int below(int most)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)most);
}

/* ---- kernels ---- */

typedef struct access {
    int array, writes, size, displacement; /* size: 2^size bytes */
} access;

typedef struct kernel {
    made_word words[MOST_WORDS];
    size_t count;
    access accesses[MOST_ACCESSES];
    int access_count, before_check; /* instructions, the check among them */
} kernel;

static made_word check_word(void)
{
    return made_with(exit_word(), 12, 4, 0); /* @P0 */
}

/* Codes of sizes are those of LDG: 0 is 8 bits, 2 is 16, 4 is 32, 5 is 64, 6 is 128. */
static void add_access(kernel *k, access one)
{
    static const int codes[] = {0, 2, 4, 5, 6};
    const int base = FIRST_ARRAY + 2 * one.array;
    k->words[k->count++] = one.writes ? made_store(STG, codes[one.size], base, one.displacement, 4)
                                      : made_load(LDG, codes[one.size], 4, base, one.displacement);
    k->accesses[k->access_count++] = one;
}

static void begin(kernel *k)
{
    *k = (kernel){.before_check = 2};
    k->words[k->count++] = made_instruction(0x918); /* nothing */
    k->words[k->count++] = check_word();
}

static void end(kernel *k)
{
    k->words[k->count++] = exit_word();
}

static stn_status model(const kernel *k, const stn_gpu_launch *launch, stn_gpu_counts *counts)
{
    stn_image *image = image_of(90, k->words, k->count);
    *counts = (stn_gpu_counts)STN_GPU_COUNTS_INIT;
    const stn_status status = stn_image_model(image, 0, launch, counts);
    stn_image_close(image);
    return status;
}

/* ---- one thread after the other ---- */

enum { ROOM = 1 << 15, BEFORE = 1 << 12 };
typedef struct touched {
    unsigned char sector[ROOM];
    int64_t count;
} touched;

static void touch(touched *all, int64_t address, int64_t bytes)
{
    for (int64_t byte = address; byte < address + bytes; byte++) {
        unsigned char *at = &all->sector[(byte + BEFORE * 32) / 32];
        all->count += !*at;
        *at = 1;
    }
}

static void go_through_warp(const kernel *k, const stn_gpu_launch *launch, int64_t first,
                            int64_t lanes, touched *ever, stn_gpu_counts *found)
{
    static touched once;
    for (int a = 0; a < k->access_count; a++) {
        const access *one = &k->accesses[a];
        memset(&once, 0, sizeof once);
        for (int64_t t = first; t < first + lanes; t++) {
            const int64_t at = launch->offset + t * launch->stride + one->displacement;
            touch(&once, at, 1 << one->size);
            touch(&ever[2 * one->array + one->writes], at, 1 << one->size);
            *(one->writes ? &found->store_bytes : &found->load_bytes) += 1 << one->size;
        }
        *(one->writes ? &found->store_sectors : &found->load_sectors) += once.count;
        *(one->writes ? &found->global_stores : &found->global_loads) += 1;
    }
}

static stn_gpu_counts go_through(const kernel *k, const stn_gpu_launch *launch)
{
    static touched ever[2 * MOST_ARRAYS];
    stn_gpu_counts found = STN_GPU_COUNTS_INIT;
    memset(ever, 0, sizeof ever);
    for (int64_t block = 0; block < launch->blocks; block++)
        for (int32_t t = 0; t < launch->threads; t += 32) {
            const int64_t first = block * launch->threads + t;
            int64_t lanes = launch->threads - t < 32 ? launch->threads - t : 32;
            if (first + lanes > launch->elements)
                lanes = launch->elements > first ? launch->elements - first : 0;
            found.warps++;
            found.instructions += lanes > 0 ? (int64_t)k->count : k->before_check;
            if (lanes > 0)
                go_through_warp(k, launch, first, lanes, ever, &found);
        }
    for (int a = 0; a < MOST_ARRAYS; a++) {
        found.load_misses += ever[2 * a].count;
        found.store_misses += ever[2 * a + 1].count;
    }
    return found;
}

static void assert_same(const stn_gpu_counts *a, const stn_gpu_counts *b)
{
    assert_int_equal(a->warps, b->warps);
    assert_int_equal(a->instructions, b->instructions);
    assert_int_equal(a->global_loads, b->global_loads);
    assert_int_equal(a->global_stores, b->global_stores);
    assert_int_equal(a->load_sectors, b->load_sectors);
    assert_int_equal(a->store_sectors, b->store_sectors);
    assert_int_equal(a->load_bytes, b->load_bytes);
    assert_int_equal(a->store_bytes, b->store_bytes);
}

/* Misses are determined for most kernels: only some have accesses more than a sector apart. */
UNIT_TEST(random_kernels)
{
    int determined = 0;
    enum { ROUNDS = 150 };
    for (int round = 0; round < ROUNDS; round++) {
        kernel k;
        stn_gpu_counts found = STN_GPU_COUNTS_INIT;
        const int threads = 1 + below(200), blocks = 1 + below(70);
        const stn_gpu_launch launch =
            STN_INIT(stn_gpu_launch, .blocks = blocks, .threads = threads,
                     .elements = below(threads * blocks + 40),
                     .stride = 1 + below(below(2) ? 20 : 80), .offset = below(32));
        begin(&k);
        for (int a = 1 + below(MOST_ACCESSES - 1); a > 0; a--) {
            const access one = {below(MOST_ARRAYS), below(2), below(5),
                                below(4) ? below(24) : below(120) - 60};
            add_access(&k, one);
        }
        end(&k);
        expect_ok(model(&k, &launch, &found));
        const stn_gpu_counts wanted = go_through(&k, &launch);
        assert_same(&found, &wanted);
        assert_true(found.load_misses == wanted.load_misses || found.load_misses == -1);
        assert_true(found.store_misses == wanted.store_misses || found.store_misses == -1);
        determined += (found.load_misses >= 0) + (found.store_misses >= 0);
    }
    assert_true(determined > ROUNDS);
}

/* ---- the table of a known study: 1024 elements of 16 bytes, three loaded and one stored ---- */

static kernel complex_kernel(int size)
{
    kernel k;
    begin(&k);
    for (int array = 0; array < 3; array++)
        for (int at = 0; at < 16; at += 1 << size)
            add_access(&k, (access){array, 0, size, at});
    for (int at = 0; at < 16; at += 1 << size)
        add_access(&k, (access){2, 1, size, at});
    return k;
}

static stn_gpu_counts count_complex(int size, int64_t blocks, int32_t threads, int64_t elements)
{
    kernel k = complex_kernel(size);
    stn_gpu_counts counts = STN_GPU_COUNTS_INIT;
    const stn_gpu_launch launch =
        STN_INIT(stn_gpu_launch, .blocks = blocks, .threads = threads, .elements = elements);
    k.words[k.count++] = made_store(STL, 4, 1, 0, 4);
    k.words[k.count++] = made_load(LDL, 4, 4, 1, 0);
    end(&k);
    expect_ok(model(&k, &launch, &counts));
    return counts;
}

UNIT_TEST(complex_numbers)
{
    const stn_gpu_counts narrow = count_complex(3, 4, 256, 1024);
    const stn_gpu_counts wide = count_complex(4, 4, 256, 1024);
#define EXPECT(member, of_narrow, of_wide)                                                         \
    assert_true(narrow.member == (of_narrow) && wide.member == (of_wide))
    EXPECT(warps, 32, 32);
    EXPECT(global_loads, 192, 96);
    EXPECT(global_stores, 64, 32);
    EXPECT(local_loads, 32, 32);
    EXPECT(local_stores, 32, 32);
    EXPECT(load_requests, 192, 96);
    EXPECT(store_requests, 64, 32);
    EXPECT(load_sectors, 3072, 1536);
    EXPECT(store_sectors, 1024, 512);
    EXPECT(load_misses, 1536, 1536);
    EXPECT(load_sectors_per_request, 16.0, 16.0);
    EXPECT(store_sectors_per_request, 16.0, 16.0);
    EXPECT(load_efficiency, 0.5, 1.0);
    EXPECT(store_efficiency, 0.5, 1.0);
    EXPECT(load_hits, 0.5, 0.0);
    /* a nop, the check, and the accesses: 12 instructions and 8 */
    assert_int_equal(narrow.instructions - wide.instructions, 32 * 4);
}

/* 31 of 32 lanes count as a warp; 2^31 - 1 blocks are no work. */
UNIT_TEST(large_and_partial)
{
    const stn_gpu_counts last = count_complex(4, 2, 32, 63);
    const stn_gpu_counts large = count_complex(4, INT32_MAX, 1024, INT64_MAX);
    assert_int_equal(last.global_loads, 6);
    assert_int_equal(last.load_sectors, 3 * (16 + 16));
    assert_int_equal(last.load_bytes, 3 * 63 * 16);
    assert_int_equal(large.warps, (int64_t)INT32_MAX * 32);
    assert_int_equal(large.load_misses, (int64_t)INT32_MAX * 1024 * 3 / 2);
    assert_int_equal(large.load_sectors, (int64_t)INT32_MAX * 1024 * 3 / 2);
}

/* ---- refused kernels and launches ---- */

static void expect_refusal(const made_word *words, size_t count, const char *why)
{
    kernel k = {.count = count};
    stn_gpu_counts counts = STN_GPU_COUNTS_INIT;
    const stn_gpu_launch launch =
        STN_INIT(stn_gpu_launch, .blocks = 2, .threads = 64, .elements = 20);
    memcpy(k.words, words, count * sizeof *words);
    expect_error(model(&k, &launch, &counts), STN_ERR_UNSUPPORTED, why);
}

UNIT_TEST(refused_kernels)
{
    const made_word load = made_load(LDG, 4, 4, 2, 0);
    const made_word backwards[] = {check_word(), load, made_branch(90, 0, -2), exit_word()};
    const made_word unknown[] = {check_word(), made_instruction(0xfff), exit_word()};
    const made_word guarded[] = {check_word(), made_with(load, 12, 4, 1), exit_word()};
    const made_word early[] = {load, check_word(), exit_word()};
    const made_word twice[] = {check_word(), check_word(), exit_word()};
    const made_word around[] = {check_word(), made_branch(90, 0, 1), load, exit_word()};
    const made_word after_end[] = {check_word(), exit_word(), load, exit_word()};
    const made_word far[] = {check_word(), made_load(LDG, 4, 4, 2, 1 << 20), exit_word()};
    expect_refusal(backwards, 4, "jumps to an unsupported target");
    expect_refusal(unknown, 3, "is unknown");
    expect_refusal(guarded, 3, "conditionally");
    expect_refusal(early, 3, "before threads without an element leave");
    expect_refusal(twice, 3, "a second bounds check");
    expect_refusal(around, 4, "jumps to an unsupported target");
    expect_refusal(after_end, 4, "is not the end");
    expect_refusal(far, 3, "more than 32768 bytes");
}

/* A branch around what touches no memory leaves the count of all instructions undetermined. */
UNIT_TEST(detours)
{
    stn_gpu_counts counts = STN_GPU_COUNTS_INIT;
    kernel k = {.count = 0};
    const stn_gpu_launch launch =
        STN_INIT(stn_gpu_launch, .blocks = 1, .threads = 64, .elements = 64);
    const made_word words[] = {made_branch(90, 0, 1), made_instruction(0x918), check_word(),
                               made_load(LDG, 4, 4, 2, 0), exit_word()};
    memcpy(k.words, words, sizeof words);
    k.count = COUNT_OF(words);
    expect_ok(model(&k, &launch, &counts));
    assert_int_equal(counts.instructions, -1);
    assert_int_equal(counts.global_loads, 2);
}

UNIT_TEST(refused_launches)
{
    const stn_gpu_launch good =
        STN_INIT(stn_gpu_launch, .blocks = 1, .threads = 32, .elements = 32, .stride = 16);
    stn_gpu_counts counts = STN_GPU_COUNTS_INIT;
    kernel k = complex_kernel(4);
    end(&k);
    stn_image *image = image_of(90, k.words, k.count);
#define REFUSED(change)                                                                            \
    do {                                                                                           \
        stn_gpu_launch launch = good;                                                              \
        launch.change;                                                                             \
        expect_error(stn_image_model(image, 0, &launch, &counts), STN_ERR_ARGUMENT, NULL);         \
    } while (0)
    REFUSED(size = 0);
    REFUSED(threads = 1025);
    REFUSED(threads = 0);
    REFUSED(blocks = 0);
    REFUSED(blocks = (int64_t)1 << 31);
    REFUSED(elements = -1);
    REFUSED(stride = -1);
    REFUSED(stride = 1 << 17);
    REFUSED(offset = 32);
    expect_error(stn_image_model(NULL, 0, &good, &counts), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_model(image, 0, &good, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_model(image, 7, &good, &counts), STN_ERR_RANGE, NULL);
    expect_error(stn_image_model(image, 0, NULL, &counts), STN_ERR_ARGUMENT, NULL);
    stn_image_close(image);
}

RUN_UNIT_TESTS(NULL, NULL)
