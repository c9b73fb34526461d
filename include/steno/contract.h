/* Codegen contracts: what the machine code of a function or of a loop does, counted, and bounds on
 * it that a test can check. x86-64 and AArch64 object files and programs, and NVIDIA cubins, alone
 * or inside other files; no GPU is needed: libsteno_contract. */
#ifndef STENO_CONTRACT_H
#define STENO_CONTRACT_H

#include "steno/detail/names/hide.h"
#include <stdio.h>

#include "steno/status.h"

STN_BEGIN_DECLS

/* The machine code of one file. */
typedef struct stn_image stn_image;

typedef enum stn_machine {
    STN_MACHINE_X86_64 = 0,
    STN_MACHINE_AARCH64 = 1,
    STN_MACHINE_NVIDIA = 2 /* SASS of sm_75 to sm_120 */
} stn_machine;

/* Open a file: an ELF object, program, library or cubin, or a host object with cubins inside, whose
 * functions follow the host's, or an archive, whose objects are read ("lib.a(part.o)": one of
 * them). x86-64 and AArch64 are disassembled by the system's objdump. STN_ERR_IO (no such file, no
 * objdump), STN_ERR_PARSE (not what it claims to be, truncated), STN_ERR_UNSUPPORTED (another
 * machine), STN_ERR_MEMORY. */
STN_API stn_status stn_image_open(const char *path, stn_image **image);

/* The same from memory, which is copied; `name` appears in messages. */
STN_API stn_status stn_image_open_memory(const void *bytes, size_t size, const char *name,
                                         stn_image **image);

/* The running program itself, as it lies on disk. */
STN_API stn_status stn_image_open_self(stn_image **image);

STN_API void stn_image_close(stn_image *image);

typedef struct stn_image_info {
    size_t size; /* of this struct */
    const char *name;
    stn_machine machine;  /* of the file; of the cubin where there is nothing else */
    const char *compiler; /* as the file notes it, such as "GCC: (Debian...) 12.2"; or "" */
    int32_t functions;
} stn_image_info;

STN_API stn_status stn_image_describe(const stn_image *image, stn_image_info *info);

/* A function of an image; strings live as long as the image. */
typedef struct stn_function_info {
    size_t size;        /* of this struct */
    const char *symbol; /* as in the file */
    const char *name;   /* demangled, or the symbol */
    const char *target; /* "x86-64", "aarch64", "sm_90", ... */
    uint64_t address, bytes;
    int32_t loops;       /* natural loops */
    int32_t main_loop;   /* the widest innermost one: -1 without loops */
    int32_t irreducible; /* loops, and what is outside of them, with cycles that are no natural
                          * loops since they are entered at several places */
    int32_t registers;   /* of a cubin's kernel; -1 where the file does not say */
    int64_t stack_bytes; /* of the frame, likewise */
} stn_function_info;

STN_API stn_status stn_image_function(stn_image *image, int32_t function, stn_function_info *info);

/* The function of this symbol, or the only one whose demangled name matches the POSIX extended
 * regular expression between slashes: "axpy_f32" or "/^axpy<float/". With a target at its end,
 * "muladd@sm_90", only of that one. STN_ERR_RANGE when there is
 * none (the message lists similar names, and says when the file is stripped) or several. */
STN_API stn_status stn_image_find(stn_image *image, const char *name, int32_t *function);

/* ---- counts ---- */

/* Widths of memory accesses: 8, 16, ... 512 bits, as indices. */
enum {
    STN_WIDTH_8,
    STN_WIDTH_16,
    STN_WIDTH_32,
    STN_WIDTH_64,
    STN_WIDTH_128,
    STN_WIDTH_256,
    STN_WIDTH_512,
    STN_WIDTHS
};

/* Types of arithmetic. */
enum {
    STN_KIND_F64,
    STN_KIND_F32,
    STN_KIND_F16, /* bf16 too */
    STN_KIND_INTEGER,
    STN_KINDS
};

/* Registers of a GPU. */
enum {
    STN_FILE_THREAD, /* R0 to R254, of 32 bits each */
    STN_FILE_PREDICATE,
    STN_FILE_UNIFORM, /* one for all threads of a warp */
    STN_FILE_UNIFORM_PREDICATE,
    STN_REGISTER_FILES
};

/* What the code does once from its beginning to its end; of a loop, in one iteration, with inner
 * loops left out. What `unknown` instructions do, what called functions do, and what comes after
 * `unresolved_jumps` and `lost_ways` is not in it; instructions that repeat themselves count once.
 * System calls and traps that return are calls. */
typedef struct stn_code_counts {
    size_t size; /* of this struct */
    int32_t instructions, unknown;
    int32_t loads[STN_WIDTHS], stores[STN_WIDTHS]; /* of memory, spills and arguments left out */
    /* Further loads and stores whose sizes the instruction does not give, as bulk copies, textures
     * and surfaces of GPUs; their bytes are counted nowhere. */
    int32_t unsized_loads, unsized_stores;
    int64_t raw_read, raw_written;           /* bytes, as the accesses add up */
    int64_t distinct_read, distinct_written; /* bytes, addresses met again counted once */
    /* 1 where accesses through registers with a common origin are counted as distinct although
     * they may overlap: the distinct bytes are then upper bounds. */
    int32_t read_overlaps, write_overlaps;
    int32_t elements;                             /* that an iteration advances by; 0: unknown */
    int32_t scalar[STN_KINDS], packed[STN_KINDS]; /* additions, multiplications, ... without fma */
    int32_t scalar_fma[STN_KINDS], packed_fma[STN_KINDS];
    int32_t scalar_conversions, packed_conversions; /* between types of numbers */
    int32_t gathers, scatters;
    int32_t calls, branches;
    /* Relative to the stack pointer, or at a constant distance from what was copied from it:
     * spills. An array on the stack that a loop goes through is memory like any other. */
    int32_t stack_loads, stack_stores;
    int64_t stack_bytes; /* by those, and by local accesses of cubins */
    int32_t local_loads, local_stores, shared_loads, shared_stores, constant_loads; /* of cubins */
    int32_t divisions;      /* square roots, and approximations of 1 / x and 1 / sqrt(x), packed or
                             * scalar; also counted above */
    int32_t approximations; /* those of the divisions that are such approximations */
    int32_t cache_hints;    /* prefetches, write-backs and invalidations of cache lines */
    int32_t repeats;        /* instructions that repeat themselves, as rep movs does */
    int32_t unresolved_jumps; /* in the whole function: through registers or tables, nobody knows
                             where to */
    int32_t lost_ways;        /* in the whole function: ways on that lead to no instruction of it */
    /* Of a loop: 1 where it has cycles that are no natural loops, so that nobody knows what an
     * iteration does, or where it was asked for as the main loop and such a cycle may be that. Of
     * the function as above. */
    int32_t irreducible;
    /* Of cubins, by file of registers: the most that hold a value that is still needed, at one
     * instruction; and one more than the highest number. Nothing is told of the registers of
     * `unknown_registers` instructions of the whole function. */
    int32_t live[STN_REGISTER_FILES], used[STN_REGISTER_FILES], unknown_registers;
    int32_t stalls; /* of cubins: cycles that the instructions hold the next one back, added up */
    int32_t waits;  /* of cubins: instructions that wait for memory or other slow units */
} stn_code_counts;

/* For `loop`: everything in the function, the main loop, or a number from 0. */
enum { STN_LOOP_NONE = -1, STN_LOOP_MAIN = -2 };

/* STN_ERR_RANGE when the function has no such loop. */
STN_API stn_status stn_image_count(stn_image *image, int32_t function, int32_t loop,
                                   stn_code_counts *counts);

/* The instructions of a loop or function, one per line, with what each was taken for. */
STN_API stn_status stn_image_print(stn_image *image, int32_t function, int32_t loop, FILE *file);

/* How often a sequence of instructions is there, "ldg.128 ; any* ; stg.128" (its language:
 * doc/contract.md): matches that share no instruction, as many as there can be. STN_ERR_PARSE with
 * the column for what is no sequence, STN_ERR_RANGE as above, STN_ERR_UNSUPPORTED when it can be
 * met in more than 256 ways at once. */
STN_API stn_status stn_image_count_sequence(stn_image *image, int32_t function, int32_t loop,
                                            const char *sequence, int32_t *count);

/* ---- contracts ---- */

/* x86-64 files do not tell which level they were built for: without this call they are taken to be
 * for every one, and expectations of all levels are checked; after it those of others are skipped.
 * `level` is "x86-64-v2", "x86-64-v3" or "x86-64-v4", "x86-64" for the baseline. STN_ERR_ARGUMENT
 * for anything else. */
STN_API stn_status stn_image_built_for(stn_image *image, const char *level);

typedef struct stn_contract_result {
    size_t size;                   /* of this struct */
    int32_t held, broken, skipped; /* facts; skipped: for another target or compiler */
} stn_contract_result;

/* Check an expectation file (its language: doc/contract.md) against an image. What is broken or
 * skipped is in `report` (may be NULL): the fact with its line, what was found, and the loop
 * it is about. STN_OK when the file could be read, whatever the result; STN_ERR_IO, STN_ERR_PARSE
 * with line and column, STN_ERR_RANGE for a function that is not there. */
STN_API stn_status stn_contract_check(stn_image *image, const char *path, FILE *report,
                                      stn_contract_result *result);

/* The same from a text; `name` stands for the file in messages. */
STN_API stn_status stn_contract_check_text(stn_image *image, const char *text, const char *name,
                                           FILE *report, stn_contract_result *result);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
