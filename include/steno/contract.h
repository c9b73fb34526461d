/** @file
 * Codegen contracts: quantities of the machine code of functions and loops, and bounds on them that
 * a test can check.
 *
 * The code is read from x86-64 and AArch64 objects, libraries and programs and from NVIDIA cubins,
 * either separate or inside other files. No GPU is required. The functions are in
 * libsteno_contract. doc/contract.md defines the quantities and the language of contracts.
 *
 * An image may be used by one thread at a time. `function` is the index of a function, from 0.
 * `loop` is the index of one of its loops, STN_LOOP_NONE or STN_LOOP_MAIN.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT  a pointer is NULL
 * @retval STN_ERR_RANGE     the image has no such function, or the function no such loop
 * @retval STN_ERR_MEMORY    out of memory
 *
 * @code
 * stn_contract_result result = STN_CONTRACT_RESULT_INIT;
 * stn_image_open(&image, "axpy.o");
 * stn_contract_check(image, "axpy.cg", stderr, &result);
 * stn_image_close(image);
 * @endcode
 */
#ifndef STENO_CONTRACT_H
#define STENO_CONTRACT_H

#include <stdio.h>

#include "steno/detail/macro_check.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/** The machine code of one file. */
typedef struct stn_image stn_image;

/** Instruction sets. */
typedef enum stn_machine {
    STN_MACHINE_X86_64 = 0,  /**< x86-64 */
    STN_MACHINE_AARCH64 = 1, /**< 64-bit Arm */
    STN_MACHINE_NVIDIA = 2   /**< SASS of sm_75 to sm_120 */
} stn_machine;

/** Opens the file `path` as `image`, to be closed by stn_image_close(); NULL on errors.
 *
 * The file is an ELF object, program, library or cubin. The functions of cubins inside a host
 * object follow those of the host. Of an archive, all objects are read, or one of them:
 * "lib.a(part.o)". x86-64 and AArch64 code is disassembled by the objdump of the system.
 *
 * @retval STN_ERR_IO           the file cannot be read, or there is no objdump
 * @retval STN_ERR_PARSE        the file is truncated or is not of the kind that its header states
 * @retval STN_ERR_UNSUPPORTED  the file is for another machine */
STN_API stn_status stn_image_open(stn_image **image, const char *path);

/** Opens a file that is in memory, of `size` `bytes`, which are copied. `name` is used in messages,
 * and `image` and the errors are those of stn_image_open(). */
STN_API stn_status stn_image_open_memory(stn_image **image, const void *bytes, size_t size,
                                         const char *name);

/** Opens the file of the running program as `image`, to be closed by stn_image_close(); NULL on
 * errors.
 * @retval STN_ERR_IO  the file of the program cannot be read, or there is no objdump */
STN_API stn_status stn_image_open_self(stn_image **image);

/** Closes `image` and releases its memory. NULL is a no-op. */
STN_API void stn_image_close(stn_image *image);

/** Properties of an image. The strings are valid until the image is closed. */
typedef struct stn_image_info {
    size_t size;          /**< Size of this struct in bytes. */
    const char *name;     /**< Name of the file. */
    stn_machine machine;  /**< Machine of the file; that of its cubins if it has no other code. */
    const char *compiler; /**< As noted in the file, such as "GCC: (Debian...) 12.2"; or "". */
    int32_t functions;    /**< Number of functions. */
} stn_image_info;
/** Initializer of stn_image_info. */
#define STN_IMAGE_INFO_INIT STN_INIT(stn_image_info)

/** Returns the properties of `image` in `info`. */
STN_API stn_status stn_image_describe(const stn_image *image, stn_image_info *info);

/** Value of members that are unknown. */
enum { STN_CONTRACT_UNKNOWN = -1 };

/** Properties of a function of an image. The strings are valid until the image is closed. */
typedef struct stn_function_info {
    size_t size;        /**< Size of this struct in bytes. */
    const char *symbol; /**< Symbol in the file. */
    const char *name;   /**< Demangled name, or the symbol. */
    const char *target; /**< "x86-64", "aarch64", "sm_90", ... */
    uint64_t address;   /**< Address of the first instruction. */
    uint64_t bytes;     /**< Size of the code in bytes. */
    int32_t loops;      /**< Number of natural loops. */
    int32_t
        main_loop; /**< Index of the innermost loop with the widest accesses; or STN_LOOP_NONE. */
    /** Number of ranges with cycles that are not natural loops because they have several entries:
     * in loops, and outside of all loops. */
    int32_t irreducible;
    int32_t registers;   /**< Registers of a CUDA kernel, or STN_CONTRACT_UNKNOWN. */
    int64_t stack_bytes; /**< Stack frame of a CUDA kernel, or STN_CONTRACT_UNKNOWN. */
} stn_function_info;
/** Initializer of stn_function_info. */
#define STN_FUNCTION_INFO_INIT STN_INIT(stn_function_info)

/** Returns the properties of a `function` of `image` in `info`. */
STN_API stn_status stn_image_function(stn_image *image, int32_t function, stn_function_info *info);

/** Finds a `function` of `image` by its `name`.
 *
 * The name is a symbol, or a POSIX extended regular expression between slashes that matches the
 * demangled name of one function only: "axpy_f32" or "/^axpy<float/". A target at the end of the
 * name, as in "muladd@sm_90", restricts the search to that target.
 *
 * @retval STN_ERR_RANGE  no function or several functions match. The message lists similar names,
 *                        and reports a stripped file */
STN_API stn_status stn_image_find(stn_image *image, const char *name, int32_t *function);

/* ---- counts ---- */

/** Widths of memory accesses, as indices of arrays. */
enum {
    STN_WIDTH_8,   /**< 8 bits */
    STN_WIDTH_16,  /**< 16 bits */
    STN_WIDTH_32,  /**< 32 bits */
    STN_WIDTH_64,  /**< 64 bits */
    STN_WIDTH_128, /**< 128 bits */
    STN_WIDTH_256, /**< 256 bits */
    STN_WIDTH_512, /**< 512 bits */
    STN_WIDTHS     /**< Number of widths. */
};

/** Types of arithmetic, as indices of arrays. */
enum {
    STN_KIND_F64,     /**< 64-bit floats */
    STN_KIND_F32,     /**< 32-bit floats */
    STN_KIND_F16,     /**< f16 and bf16 */
    STN_KIND_INTEGER, /**< integers */
    STN_KINDS         /**< Number of types. */
};

/** Register files of a GPU, as indices of arrays. */
enum {
    STN_FILE_THREAD,            /**< R0 to R254, of 32 bits each. */
    STN_FILE_PREDICATE,         /**< Predicates. */
    STN_FILE_UNIFORM,           /**< One register for all threads of a warp. */
    STN_FILE_UNIFORM_PREDICATE, /**< One predicate for all threads of a warp. */
    STN_REGISTER_FILES          /**< Number of register files. */
};

/** Quantities of the machine code of a function, executed once from its beginning to its end, or
 * of one iteration of a loop without its inner loops.
 *
 * Effects of `unknown` instructions, of called functions, and of code after `unresolved_jumps` and
 * `lost_ways` are not included. Instructions that repeat themselves count once. System calls and
 * traps that return count as calls. */
typedef struct stn_code_counts {
    size_t size;          /**< Size of this struct in bytes. */
    int32_t instructions; /**< All instructions. */
    int32_t unknown;      /**< Instructions that the library does not know. */
    /** Loads by width, without spills and arguments on the stack. */
    int32_t loads[STN_WIDTHS];
    /** Stores by width, without spills and arguments on the stack. */
    int32_t stores[STN_WIDTHS];
    /** Further loads whose size the instruction does not state, such as bulk copies, textures and
     * surfaces of GPUs. Their bytes are not counted. */
    int32_t unsized_loads;
    int32_t unsized_stores;   /**< Stores of this kind. */
    int64_t raw_read;         /**< Bytes of all loads. */
    int64_t raw_written;      /**< Bytes of all stores. */
    int64_t distinct_read;    /**< Bytes read; repeated addresses count once. */
    int64_t distinct_written; /**< Bytes written; repeated addresses count once. */
    /** 1 if `distinct_read` is an upper bound, because accesses through registers with a common
     * origin may overlap; otherwise 0. */
    int32_t read_overlaps;
    int32_t write_overlaps; /**< The same for `distinct_written`. */
    int32_t elements;       /**< Elements by which an iteration advances; 0: undetermined. */
    /** Scalar arithmetic (additions, multiplications, ...) by type, without fused multiply-add. */
    int32_t scalar[STN_KINDS];
    int32_t packed[STN_KINDS];     /**< Packed arithmetic by type, without fused multiply-add. */
    int32_t scalar_fma[STN_KINDS]; /**< Scalar fused multiply-add by type. */
    int32_t packed_fma[STN_KINDS]; /**< Packed fused multiply-add by type. */
    int32_t scalar_conversions;    /**< Scalar conversions between numeric types. */
    int32_t packed_conversions;    /**< Packed conversions between numeric types. */
    int32_t gathers;               /**< Loads from several addresses. */
    int32_t scatters;              /**< Stores to several addresses. */
    int32_t calls;                 /**< Calls of functions. */
    int32_t branches;              /**< Branches and jumps. */
    /** Spills: loads relative to the stack pointer, or at a constant distance from a copy of it. An
     * array on the stack that a loop traverses counts as memory. */
    int32_t stack_loads;
    int32_t stack_stores;   /**< Stores of this kind. */
    int64_t stack_bytes;    /**< Bytes of spills, and of accesses of cubins to local memory. */
    int32_t local_loads;    /**< Loads of cubins from local memory. */
    int32_t local_stores;   /**< Stores of cubins to local memory. */
    int32_t shared_loads;   /**< Loads of cubins from shared memory. */
    int32_t shared_stores;  /**< Stores of cubins to shared memory. */
    int32_t constant_loads; /**< Loads of cubins from constant memory. */
    /** Divisions, square roots, and approximations of 1 / x and 1 / sqrt(x), scalar or packed. They
     * are also counted as arithmetic. */
    int32_t divisions;
    int32_t approximations; /**< The approximations among the divisions. */
    int32_t cache_hints;    /**< Prefetches, write-backs and invalidations of cache lines. */
    int32_t repeats;        /**< Instructions that repeat themselves, such as rep movs. */
    /** Jumps of the whole function through registers or tables with unknown targets. */
    int32_t unresolved_jumps;
    /** Paths of the whole function that lead to an address without an instruction. */
    int32_t lost_ways;
    /** Of a loop: 1 if an iteration is undetermined, because the loop has cycles that are not
     * natural loops, or because such a cycle may be the requested main loop. Of a function: the
     * member of stn_function_info. */
    int32_t irreducible;
    /** Of cubins, by register file: the largest number of registers with a value that is needed
     * later, at any one instruction. */
    int32_t live[STN_REGISTER_FILES];
    int32_t used[STN_REGISTER_FILES]; /**< Of cubins: number of the highest register, plus one. */
    /** Of cubins: instructions of the whole function whose registers are unknown. `live` and `used`
     * do not include those. */
    int32_t unknown_registers;
    int32_t stalls; /**< Of cubins: cycles by which instructions delay the next one, in total. */
    int32_t waits;  /**< Of cubins: instructions that wait for memory or other slow units. */
} stn_code_counts;
/** Initializer of stn_code_counts. */
#define STN_CODE_COUNTS_INIT STN_INIT(stn_code_counts)

/** Values of `loop` other than the index of a loop. */
enum {
    STN_LOOP_NONE = -1, /**< The whole function. */
    STN_LOOP_MAIN = -2  /**< The main loop: the innermost one with the widest accesses. */
};
/** Returns the quantities of a `loop` of a `function` of `image` in `counts`. */
STN_API stn_status stn_image_count(stn_image *image, int32_t function, int32_t loop,
                                   stn_code_counts *counts);
/** Prints the instructions of a `loop` of a `function` of `image` to `file`, one per line, with
 * their classification. */
STN_API stn_status stn_image_print(stn_image *image, int32_t function, int32_t loop, FILE *file);

/** Returns in `count` the number of occurrences of a `sequence` of instructions in a `loop` of a
 * `function` of `image`.
 *
 * The count is the largest number of matches that have no instruction in common. doc/contract.md
 * describes the language: "ldg.128 ; any* ; stg.128".
 *
 * @retval STN_ERR_PARSE        the sequence has an error; the message contains its column
 * @retval STN_ERR_UNSUPPORTED  more than 256 partial matches at one instruction */
STN_API stn_status stn_image_count_sequence(stn_image *image, int32_t function, int32_t loop,
                                            const char *sequence, int32_t *count);

/* ---- contracts ---- */

/** States the `level` for which the code of the x86-64 `image` was built: "x86-64" (the baseline),
 * "x86-64-v2", "x86-64-v3" or "x86-64-v4".
 *
 * Files do not contain the level. Without this call, contracts for every level are checked. After
 * it, contracts for other levels are skipped. Any other level is STN_ERR_ARGUMENT. */
STN_API stn_status stn_image_built_for(stn_image *image, const char *level);

/** Result of a check: numbers of facts. */
typedef struct stn_contract_result {
    size_t size;     /**< Size of this struct in bytes. */
    int32_t held;    /**< Facts that hold. */
    int32_t broken;  /**< Facts that do not hold or cannot be determined. */
    int32_t skipped; /**< Facts for another target or compiler. */
} stn_contract_result;
/** Initializer of stn_contract_result. */
#define STN_CONTRACT_RESULT_INIT STN_INIT(stn_contract_result)

/** Checks the contracts of a file against an image.
 *
 * The return value is STN_OK if the file could be read, whether or not the contracts hold.
 *
 * @param image        the image
 * @param path         name of the file; doc/contract.md describes its language
 * @param report       output for facts that are broken or skipped, with line, values and loop; or
 *                     NULL
 * @param[out] result  numbers of facts
 * @retval STN_ERR_IO     the file cannot be read
 * @retval STN_ERR_PARSE  the file has an error; the message contains its line and column
 * @retval STN_ERR_RANGE  the image does not have a function that the file names */
STN_API stn_status stn_contract_check(stn_image *image, const char *path, FILE *report,
                                      stn_contract_result *result);
/** Version of stn_contract_check for a `text`, whose `name` is used in messages. */
STN_API stn_status stn_contract_check_text(stn_image *image, const char *text, const char *name,
                                           FILE *report, stn_contract_result *result);

STN_END_DECLS

#endif
