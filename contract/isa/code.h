/* The machine code of one function as delivered by the decoders of all machines. */
#ifndef STENO_CONTRACT_CODE_H
#define STENO_CONTRACT_CODE_H

#include "core/status.h"
#include "steno/contract.h"

/* Outside of every function; 0 is a valid address in unlinked objects. */
#define STN_NO_TARGET UINT64_MAX

/* Control flow after an instruction. */
typedef enum stn_flow {
    STN_FLOW_NEXT,   /* continues */
    STN_FLOW_BRANCH, /* continues or jumps to the target */
    STN_FLOW_JUMP,   /* jumps to the target; a target outside the function ends it (a tail call) */
    STN_FLOW_CALL,   /* continues after a call */
    STN_FLOW_INDIRECT, /* jumps through a register or memory: to the cases of the code, if they are
                          known */
    STN_FLOW_END       /* return, exit, trap */
} stn_flow;

typedef enum stn_code_space {
    STN_SPACE_MEMORY, /* memory of a CPU; global or generic memory of a GPU */
    STN_SPACE_STACK,  /* relative to the stack or frame pointer; a GPU's local memory is
                         STN_SPACE_LOCAL */
    STN_SPACE_LOCAL,
    STN_SPACE_SHARED,
    STN_SPACE_CONSTANT /* constant bank of a GPU */
} stn_code_space;

/* A memory operand: `bits` at base + index * scale + displacement. Decoders number registers so
 * that parts of a register are equal (eax and rax); -1: none. */
typedef struct stn_access {
    stn_code_space space;
    int bits;    /* 8 to 512; gather: per element; 0: unknown */
    int lanes;   /* 1; elements of a gather or scatter */
    int element; /* size of its numbers in bytes; 0: unknown */
    int reads, writes;
    int base, index, scale;
    int64_t displacement;
    /* Set by value.c: value numbers of base and index, and `displacement` including their offsets.
     * Accesses with a common origin bit may overlap; 0: not computed. */
    int64_t base_value, index_value, moved;
    uint64_t origins;
} stn_access;

typedef enum stn_machine_operation {
    STN_OP_OTHER,      /* moves, comparisons, logic, shuffles, addresses: not counted */
    STN_OP_ARITHMETIC, /* +, -, *, /, square root, min, max of `kind` in `lanes` */
    STN_OP_FMA,
    STN_OP_CONVERSION, /* between number types; not between integer widths */
    STN_OP_UNKNOWN     /* unknown to the decoder */
} stn_machine_operation;

/* Treatment of numbers in vector registers. */
typedef enum stn_handling {
    STN_HANDLES_NONE,
    STN_HANDLES_MOVE,    /* loads, stores and copies of whole registers of any contents */
    STN_HANDLES_NUMBERS, /* computes with numbers in each lane */
    STN_HANDLES_BITS,    /* logic, shifts, permutations: numbers of any size */
    STN_HANDLES_MIXED    /* combines lanes of several registers */
} stn_handling;

typedef struct stn_machine_instruction {
    uint64_t address;
    int32_t bytes;
    stn_flow flow;
    uint64_t target; /* of branches, jumps and calls; STN_NO_TARGET: unknown */
    stn_machine_operation operation;
    int kind;         /* STN_KIND_... of arithmetic and fma; of conversions the narrower type */
    int lanes;        /* 1: scalar; more: packed */
    int divides;      /* division, square root, or approximation of 1 / x or 1 / sqrt(x) */
    int approximates; /* such an approximation; `divides` is set, too */
    int repeats;      /* repeats its accesses */
    int is_hint;      /* prefetches, writes back or invalidates cache lines */
    int accesses;     /* 0 to 2 */
    stn_access access[2];
    int is_lost; /* set by stn_code_find_loops: reachable, and may continue at an address at which
                    no instruction of the function begins */
    int step_register; /* register to which a constant is added, such as a loop counter; -1: none */
    int64_t step;      /* that constant */
    int copies; /* register copy_to becomes copy_from + copy_offset, with different registers */
    int copy_to, copy_from;
    int64_t copy_offset;
    uint64_t written; /* bit r % 64: writes general register r, including steps and copies */
    stn_handling handling;
    int in, out;          /* bytes of the numbers that it reads and writes; 0: unknown */
    uint32_t wide;        /* subset of `vectors` whose numbers have the size `out` */
    uint64_t values_read; /* bit per register: general registers read as values, not as addresses */
    uint64_t pointers;    /* bit per register: general registers that results may be derived from as
                             pointers; all bits: unknown */
    int whole;            /* bytes moved as a unit, so that no smaller float is split; or 0 */
    int vector;           /* the vector register that it writes, -1: none */
    uint32_t vectors;     /* bit per register: vector registers that it reads */
    int32_t text;         /* offset of its text in stn_code.text */
} stn_machine_instruction;

/* GPU registers as bits: registers of a thread from 0, uniform registers from 256, predicates from
 * 512, uniform predicates from 520. Registers that always hold 0 or true are excluded. */
enum {
    STN_FIRST_UNIFORM = 256,
    STN_FIRST_PREDICATE = 512,
    STN_FIRST_UNIFORM_PREDICATE = 520,
    STN_REGISTER_WORDS = 9
};

typedef struct stn_registers {
    uint64_t bits[STN_REGISTER_WORDS];
} stn_registers;

/* Additional properties of a GPU instruction. */
typedef struct stn_gpu_instruction {
    uint8_t stall; /* minimum number of cycles until the next instruction of the warp is issued */
    uint8_t yield; /* hint to switch to another warp */
    int8_t write_barrier,
        read_barrier;  /* barrier signaled when results are written, or operands read; -1: none */
    uint8_t wait;      /* bit per barrier: waits for these */
    uint8_t reuse;     /* bit per operand: the register is cached for the next instruction */
    uint8_t is_known;  /* the registers that it and its callees read and write are known */
    uint8_t may_write; /* a predicate decides whether it writes */
    stn_registers read, written;
    uint16_t live[STN_REGISTER_FILES]; /* set by live.c: number of live registers after it, or
                                          written by it */
} stn_gpu_instruction;

/* A natural loop and its relation to others: loops are disjoint or nested. */
typedef struct stn_loop {
    int32_t header; /* instruction index */
    int32_t parent; /* innermost enclosing loop; -1: none */
    int32_t depth;  /* 1: outermost */
    int32_t is_innermost;
    int32_t end;         /* its inner loops have the numbers after its own up to before this one */
    int32_t count;       /* instructions, including inner loops */
    int32_t first, last; /* range that contains all of these and possibly others */
    int32_t cycle; /* an instruction of an irreducible cycle outside of inner loops; -1: none */
} stn_loop;

/* The k-th instruction of an iteration, which begins at the header; k is at most last - first. */
static inline int32_t stn_loop_at(const stn_loop *loop, int32_t k)
{
    const int32_t to_last = loop->last - loop->header;
    return k <= to_last ? loop->header + k : loop->first + (k - to_last - 1);
}

/* A target of a jump through a table, as instruction indices. */
typedef struct stn_case {
    int32_t from, to;
} stn_case;

typedef enum stn_cycle {
    STN_CYCLE_NONE,
    STN_CYCLE_INSIDE, /* in an irreducible cycle, outside of its inner loops */
    STN_CYCLE_RETURNS /* unreachable code that leads to reachable code */
} stn_cycle;

/* One function. Instructions are sorted by address. */
typedef struct stn_code {
    stn_machine machine;
    stn_machine_instruction *instructions;
    int32_t count;
    stn_gpu_instruction *gpu; /* one per instruction; NULL on CPUs */
    char *text;               /* mnemonics and operands, each terminated by 0 */
    stn_case *cases;          /* sorted by `from`; an indirect jump without cases is unresolved */
    int32_t case_count;
    stn_loop *loops; /* set by stn_code_find_loops; each is followed by its inner loops, sorted by
                        header */
    int32_t loop_count;
    int32_t
        *loop_of; /* innermost loop of each instruction, -1: none; NULL before loops are found */
    int32_t main_loop; /* index or -1, after loops are found */
    /* Also set by it: cycles with several entries, which are not natural loops. */
    unsigned char *in_cycle; /* stn_cycle of each instruction */
    int32_t cycle;           /* an instruction of a cycle outside of all loops; -1: none */
    int32_t main_cycle;      /* an instruction of a cycle that may be the main loop; -1: none */
    int32_t irreducible; /* number of loops with such a cycle, plus one if there is one outside */
} stn_code;

/* code.c: frees the contents; an all-zero code is empty. */
void stn_code_release(stn_code *code);

/* The instruction at an address, -1: none. */
int32_t stn_code_at_address(const stn_code *code, uint64_t address);

/* The first case of an instruction, case_count if it has none. */
int32_t stn_code_first_case(const stn_code *code, int32_t instruction);

/* Is the instruction an unresolved jump? */
int stn_code_is_unresolved_jump(const stn_code *code, int32_t instruction);

/* Is the address inside the function? */
int stn_code_is_inside(const stn_code *code, uint64_t address);

/* Does it load, or store, an unknown number of bytes? */
int stn_code_is_unsized(const stn_machine_instruction *instruction, int loads, int stores);

/* Does it call a function or jump to one? */
int stn_code_leaves(const stn_code *code, const stn_machine_instruction *instruction);

/* flow.c: basic blocks, dominators, natural loops (loops with the same header are merged), the main
 * loop, and irreducible cycles. */
stn_status stn_code_find_loops(stn_code *code);

/* frame.c: marks accesses relative to copies of the stack pointer as stack accesses. */
stn_status stn_code_mark_frames(stn_code *code);

/* live.c: computes the live registers of a GPU. STN_ERR_MEMORY. */
stn_status stn_code_find_live(stn_code *code);

/* Adds the registers used by instruction i to the counts. */
void stn_code_count_registers(const stn_code *code, int32_t i, stn_code_counts *counts);

/* Is the instruction in the loop or one of its inner loops? */
static inline int stn_code_in_loop(const stn_code *code, int32_t loop, int32_t instruction)
{
    const int32_t of = code->loop_of ? code->loop_of[instruction] : -1;
    return of >= loop && of < code->loops[loop].end;
}

/* Sets main_loop: of the innermost loops that access memory other than the stack, the one with the
 * widest accesses (then arithmetic with most lanes, then most instructions); if no loop accesses
 * memory, of all innermost loops; -1 without loops. STN_ERR_MEMORY. */
stn_status stn_code_choose_main_loop(stn_code *code);

/* count.c; `loop` is an index or STN_LOOP_NONE. STN_ERR_MEMORY. */
stn_status stn_code_count(const stn_code *code, int32_t loop, stn_code_counts *counts);

/* ---- contents of files ---- */

/* A function as listed in the file; found by elf.c and cubin.c. */
typedef struct stn_symbol {
    const char *symbol, *name; /* name: demangled; both point into the image */
    char target[16];           /* "x86-64", "aarch64", "sm_90" */
    stn_machine machine;
    uint64_t address, bytes;   /* address: as in the disassembly */
    const unsigned char *code; /* its bytes, in the image or in unpacked data */
    int32_t section;           /* index in its ELF file */
    int32_t cubin;             /* index of the cubin inside the image; -1: the file itself */
    int32_t member;            /* index of the archive member; -1: not an archive */
    int32_t registers;
    int64_t stack_bytes;
    uint64_t capacity; /* bytes from its address to the end of the section */
    int is_older;      /* a symbol version that is not the default */
} stn_symbol;

/* An unpacked cubin. */
typedef struct stn_unpacked {
    struct stn_unpacked *before;
    size_t size;
    unsigned char bytes[];
} stn_unpacked;

/* A member of an archive. */
typedef struct stn_member {
    char *name;
    const unsigned char *bytes; /* points into the image */
    size_t size;
} stn_member;

enum { STN_SEVERAL_MEMBERS = -2 };

struct stn_image {
    char *name;
    char *path; /* file for objdump; temporary for images from memory */
    int path_is_temporary;
    int32_t path_of; /* member that the file contains; -1: the whole image */
    char *only;      /* name of the requested members; NULL: all */
    stn_member *members;
    int32_t member_count;
    unsigned char *bytes; /* the whole file */
    size_t size;
    stn_machine machine;
    char *compiler;
    char built_for[16]; /* "x86-64-v3", or "" if unknown; set by stn_image_built_for */
    int is_stripped;
    int is_object;         /* not linked: addresses are relative to sections */
    int is_debug;          /* has functions without their bytes */
    const char **indirect; /* names of IFUNC symbols */
    int32_t indirect_count;
    int is_lto;          /* contains input of gcc's link-time optimization */
    stn_symbol *symbols; /* functions, sorted by cubin, section and address */
    int32_t count;
    char *names;              /* demangled names */
    int32_t cubins;           /* number of embedded cubins */
    int32_t left_out;         /* ignored ones */
    const char *why_left_out; /* reason for the last one */
    stn_unpacked *unpacked;   /* decompressed cubins */
    int64_t unpacked_bytes;
    int32_t other_entries; /* other entries of fat binaries: PTX, and input of nvcc's link-time
                              optimization */
    int32_t requests;      /* number of decoding requests */
    uint64_t together;     /* total bytes of decoded functions */
    stn_code *codes;       /* decoded on demand; one per function */
    unsigned char *decoded;
    unsigned char *chosen; /* functions that will be requested; NULL: unknown */
};

/* Should function f be decoded together with a function near it? */
static inline int stn_image_wants(const stn_image *image, int32_t f)
{
    return image->symbols[f].cubin < 0 && !image->decoded[f] &&
           (!image->chosen || image->chosen[f]);
}

/* image_code.c: declares that only these functions will be requested, so that adjacent ones are
 * decoded together. STN_ERR_MEMORY. */
STN_PRIVATE_API stn_status stn_image_choose(stn_image *image, const int32_t *functions,
                                            int64_t count);

/* Frees the code of a function, which is decoded again on the next request. */
STN_PRIVATE_API void stn_image_forget(stn_image *image, int32_t function);

/* elf.c: reads the functions of a file, including those of embedded cubins (cubin.c). */
stn_status stn_elf_read(stn_image *image, const unsigned char *bytes, size_t size);

/* Do the bytes begin like LLVM bitcode? */
int stn_elf_is_bitcode(const unsigned char *bytes, size_t size);

/* archive.c: reads the objects of an archive, or only members with the requested name. */
int stn_ar_is_one(const unsigned char *bytes, size_t size);
stn_status stn_ar_read(stn_image *image);
void stn_ar_release(stn_image *image);

/* Splits a path such as lib.a(part.o) into the path lib.a and `only`. */
stn_status stn_ar_split(stn_image *image);

/* cubin.c: appends the kernels of a cubin of `size` bytes with index `cubin`. */
stn_status stn_cubin_read(stn_image *image, const unsigned char *bytes, size_t size, int32_t cubin);

/* fatbin.c: appends the cubins in a section of fat binaries. */
stn_status stn_fatbin_read(stn_image *image, const unsigned char *bytes, size_t size);

/* Do the bytes begin like a fat binary? */
int stn_fatbin_is_one(const unsigned char *bytes, size_t size);

/* Grows an array of `count` elements, whose address is stored at `array`, by one. */
stn_status stn_image_grow(void *array, int32_t count, size_t bytes, const char *what);

/* Appends a function, or the name of an IFUNC symbol; strings are not copied. */
stn_status stn_image_add_symbol(stn_image *image, const stn_symbol *symbol);
stn_status stn_image_add_indirect(stn_image *image, const char *name);

/* image_find.c: the reason why a function (NULL: a match of an expression) is missing, as part of a
 * message: peculiarities of the file and similar names; "" and 0 if there is none. */
enum { STN_REASON_MISSING = 460 };
STN_PRIVATE_API int stn_image_why_missing(const stn_image *image, const char *name, char *reason,
                                          size_t capacity);

/* Is the function superseded in a search by name, by an alias listed earlier or by the default
 * version of the symbol? */
int stn_image_is_superseded(const stn_image *image, int32_t function);

/* Records the compiler, given by `length` characters. */
stn_status stn_image_set_compiler(stn_image *image, const char *text, size_t length);

/* demangle.c: sets the names of functions. Without c++filt, names of C++ stay mangled. */
stn_status stn_image_demangle(stn_image *image);

/* Decoders: fill instructions and text of one function, or of the wanted functions first to last,
 * for which objdump is efficient. */
stn_status stn_objdump_decode(stn_image *image, int32_t first, int32_t last);
stn_status stn_sass_decode(stn_image *image, int32_t function);

/* Decodes one line of disassembly (objdump -d --no-show-raw-insn -M intel, or of AArch64) without
 * address and symbol comments: x86.c, aarch64.c. */
void stn_x86_decode(const char *text, stn_machine_instruction *instruction);
void stn_aarch64_decode(const char *text, stn_machine_instruction *instruction);

/* x86_thunk.c: a jump to a thunk called `name` is an indirect jump or a return. Also for thunks
 * inside the function, and unreachable traps. STN_ERR_MEMORY. */
void stn_x86_name_target(stn_machine_instruction *to, const char *name, size_t length);
stn_status stn_x86_mark_thunks(stn_code *code);

/* aarch64_sve.c: marks additions of vector lengths to a counter as steps. */
void stn_sve_mark_steps(stn_code *code);

#endif
