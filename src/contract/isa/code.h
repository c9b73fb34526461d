/* The machine code of one function as every decoder delivers it, whatever the machine. */
#ifndef STENO_CONTRACT_CODE_H
#define STENO_CONTRACT_CODE_H

#include "core/status.h"
#include "steno/contract.h"

/* Outside every function; 0 is an address like others in objects that are not linked yet. */
#define STN_NO_TARGET UINT64_MAX

/* Where control goes after an instruction. */
typedef enum stn_flow {
    STN_FLOW_NEXT,     /* on */
    STN_FLOW_BRANCH,   /* on, or to the target */
    STN_FLOW_JUMP,     /* to the target; a target outside the function ends it (a tail call) */
    STN_FLOW_CALL,     /* on, after a call */
    STN_FLOW_INDIRECT, /* through a register or memory: to the code's cases of it, if they are known
                        */
    STN_FLOW_END       /* a return, an exit, a trap */
} stn_flow;

typedef enum stn_code_space {
    STN_SPACE_MEMORY, /* a CPU's, a GPU's global or generic */
    STN_SPACE_STACK,  /* relative to the stack or frame pointer; a GPU's local is STN_SPACE_LOCAL */
    STN_SPACE_LOCAL,
    STN_SPACE_SHARED,
    STN_SPACE_CONSTANT /* a GPU's constant bank */
} stn_code_space;

/* A memory operand: `bits` at base + index * scale + displacement. Registers are numbered by the
 * decoder, parts of one register alike (eax and rax); -1: none. */
typedef struct stn_access {
    stn_code_space space;
    int bits;    /* 8 to 512; of a gather: of one element; 0: the instruction does not tell */
    int lanes;   /* 1; of a gather or scatter: elements */
    int element; /* bytes of the numbers in it, 0 where the instruction does not tell */
    int reads, writes;
    int base, index, scale;
    int64_t displacement;
    /* By value.c: numbers of what base and index hold, and `displacement` with what was added to
     * both. Accesses with a common origin (bits) may overlap; 0: it was not looked for. */
    int64_t base_value, index_value, moved;
    uint64_t origins;
} stn_access;

typedef enum stn_machine_operation {
    STN_OP_OTHER,      /* moves, comparisons, logic, shuffles, addresses: nothing that is counted */
    STN_OP_ARITHMETIC, /* +, -, *, /, square root, min, max: of the `kind`, in `lanes` */
    STN_OP_FMA,
    STN_OP_CONVERSION, /* between types of numbers, widths of integers not among them */
    STN_OP_UNKNOWN     /* the decoder does not know it */
} stn_machine_operation;

/* What becomes of the numbers in vector registers. */
typedef enum stn_handling {
    STN_HANDLES_NONE,
    STN_HANDLES_MOVE,    /* loads, stores and copies of whole registers, whatever is in them */
    STN_HANDLES_NUMBERS, /* calculates with them, each in its lane */
    STN_HANDLES_BITS,    /* logic, shifts, other places in the register: numbers of any size */
    STN_HANDLES_MIXED    /* lanes of several registers get together */
} stn_handling;

typedef struct stn_machine_instruction {
    uint64_t address;
    int32_t bytes;
    stn_flow flow;
    uint64_t target; /* of branches, jumps and calls; STN_NO_TARGET where it is not known */
    stn_machine_operation operation;
    int kind;         /* STN_KIND_... of arithmetic and fma; of conversions the narrower type's */
    int lanes;        /* 1: scalar; more: packed */
    int divides;      /* a division, a square root, or an approximation of 1 / x or 1 / sqrt(x) */
    int approximates; /* such an approximation; also divides */
    int repeats;      /* does its accesses several times */
    int is_hint;      /* prefetches, writes back or invalidates lines of a cache */
    int accesses;     /* 0 to 2 */
    stn_access access[2];
    int is_lost; /* by stn_code_find_loops: control reaches it, and may go on from it to where no
                  * instruction of the function begins */
    int step_register; /* the register that a constant is added to, as a loop counter; -1: none */
    int64_t step;      /* that constant */
    int copies;        /* register copy_to becomes copy_from + copy_offset, which is another one */
    int copy_to, copy_from;
    int64_t copy_offset;
    uint64_t written; /* bit r % 64: writes the general register r, be it by a step or a copy */
    stn_handling handling;
    int in, out;       /* bytes of the numbers that it takes, and makes; 0: it does not tell */
    uint32_t wide;     /* of `vectors`, those whose numbers are of the size that it makes */
    uint64_t taken;    /* bit by register: general registers that it reads, not as addresses */
    uint64_t pointers; /* bit by register: general registers that what it writes to others is at a
                        * distance from, if they point somewhere; all bits: nobody knows */
    int whole;         /* bytes that it moves as one, so that no smaller float is split; or 0 */
    int vector;        /* the vector register that it writes, -1: none */
    uint32_t vectors;  /* bit by register: vector registers that it reads */
    int32_t text;      /* offset of its text in stn_code.text */
} stn_machine_instruction;

/* Registers of a GPU as bits: a thread's from 0, uniform ones from 256, predicates from 512,
 * uniform predicates from 520. Those that always hold 0 or true are not among them. */
enum {
    STN_FIRST_UNIFORM = 256,
    STN_FIRST_PREDICATE = 512,
    STN_FIRST_UNIFORM_PREDICATE = 520,
    STN_REGISTER_WORDS = 9
};

typedef struct stn_registers {
    uint64_t bits[STN_REGISTER_WORDS];
} stn_registers;

/* What else is known of an instruction of a GPU. */
typedef struct stn_gpu_instruction {
    uint8_t stall; /* cycles until the next one of the warp is issued, at the least */
    uint8_t yield; /* a hint that another warp should go on */
    int8_t write_barrier, read_barrier; /* it signals when written, or read; -1: none */
    uint8_t wait;                       /* bit by barrier: it waits for these */
    uint8_t reuse;                      /* bit by operand: the register is kept for the next one */
    uint8_t is_known;  /* which registers it reads and writes, and those called by it */
    uint8_t may_write; /* a predicate decides whether it writes */
    stn_registers read, written;
    uint16_t live[STN_REGISTER_FILES]; /* by live.c: how many hold what is needed from here on, or
                                        * are written here */
} stn_gpu_instruction;

/* A natural loop and where it lies among the others: loops are disjoint or one inside the other. */
typedef struct stn_loop {
    int32_t header; /* instruction */
    int32_t parent; /* the smallest loop around it; -1: none */
    int32_t depth;  /* 1: outermost */
    int32_t is_innermost;
    int32_t end;         /* loops from its number to before this one are it and those inside it */
    int32_t count;       /* instructions inside, those of inner loops too */
    int32_t first, last; /* all of these lie between, and maybe others */
    int32_t cycle;       /* an instruction of an irreducible cycle, outside inner loops; -1: none */
} stn_loop;

/* An iteration begins at the header, which need not come first: the k-th instruction from there on,
 * k up to last - first. */
static inline int32_t stn_loop_at(const stn_loop *loop, int32_t k)
{
    const int32_t to_last = loop->last - loop->header;
    return k <= to_last ? loop->header + k : loop->first + (k - to_last - 1);
}

/* A way that a jump through a table can take, as numbers of instructions. */
typedef struct stn_case {
    int32_t from, to;
} stn_case;

typedef enum stn_cycle {
    STN_CYCLE_NONE,
    STN_CYCLE_INSIDE, /* in an irreducible cycle, outside the loops in that */
    STN_CYCLE_RETURNS /* leads to code that can be reached, from code that no way is seen to */
} stn_cycle;

/* One function. Instructions lie in ascending addresses. */
typedef struct stn_code {
    stn_machine machine;
    stn_machine_instruction *instructions;
    int32_t count;
    stn_gpu_instruction *gpu; /* as many; NULL on CPUs */
    char *text;               /* mnemonics and operands, each ended by 0 */
    stn_case *cases;          /* by `from`; a jump without any goes nobody knows where */
    int32_t case_count;
    stn_loop *loops; /* by stn_code_find_loops; after each one those inside it, by their headers */
    int32_t loop_count;
    int32_t *loop_of;  /* innermost loop of each instruction, -1: none; NULL before the loops are */
    int32_t main_loop; /* a number or -1, when the loops are found */
    /* By the same: cycles that are entered at several places, so that they are no natural loops. */
    unsigned char *in_cycle; /* stn_cycle of each instruction */
    int32_t cycle;           /* an instruction of one outside all loops; -1: none */
    int32_t main_cycle;      /* of one that may be the main loop instead; -1: none */
    int32_t irreducible;     /* how many loops have one, and what is outside of them */
} stn_code;

/* code.c: frees what the code holds; a code of zeros is an empty one. */
void stn_code_release(stn_code *code);

/* The instruction at an address, -1 where there is none. */
int32_t stn_code_at_address(const stn_code *code, uint64_t address);

/* The first case of an instruction, case_count where it has none. */
int32_t stn_code_first_case(const stn_code *code, int32_t instruction);

/* Whether nobody knows where this instruction leads to. */
int stn_code_is_unresolved_jump(const stn_code *code, int32_t instruction);

/* Whether an address is one of the function's. */
int stn_code_is_inside(const stn_code *code, uint64_t address);

/* Whether it loads from, or stores to, memory as many bytes as it does not tell. */
int stn_code_is_unsized(const stn_machine_instruction *instruction, int loads, int stores);

/* Whether it calls a function, or goes over to one. */
int stn_code_leaves(const stn_code *code, const stn_machine_instruction *instruction);

/* flow.c: basic blocks, dominators, natural loops (loops with one header are one), the main one,
 * and cycles that are none. */
stn_status stn_code_find_loops(stn_code *code);

/* frame.c: makes accesses relative to what was copied from the stack pointer those of the stack. */
stn_status stn_code_mark_frames(stn_code *code);

/* live.c: which registers of a GPU hold values that are still needed. STN_ERR_MEMORY. */
stn_status stn_code_find_live(stn_code *code);

/* Adds to the counts what registers instruction i has to do with. */
void stn_code_count_registers(const stn_code *code, int32_t i, stn_code_counts *counts);

/* Whether a loop, or one inside it, has this instruction. */
static inline int stn_code_in_loop(const stn_code *code, int32_t loop, int32_t instruction)
{
    const int32_t of = code->loop_of ? code->loop_of[instruction] : -1;
    return of >= loop && of < code->loops[loop].end;
}

/* Sets main_loop: of the innermost loops that touch memory, which the stack is not, the one with
 * the widest accesses (then arithmetic of most lanes, then most instructions); where no loop
 * touches memory, of all innermost ones; -1 without loops. STN_ERR_MEMORY. */
stn_status stn_code_choose_main_loop(stn_code *code);

/* count.c; `loop` is one of the code's or STN_LOOP_NONE. STN_ERR_MEMORY. */
stn_status stn_code_count(const stn_code *code, int32_t loop, stn_code_counts *counts);

/* ---- what files hold ---- */

/* A function as the file lists it; found by elf.c and cubin.c. */
typedef struct stn_symbol {
    const char *symbol, *name; /* name: demangled; both in the bytes or names of the image */
    char target[16];           /* "x86-64", "aarch64", "sm_90" */
    stn_machine machine;
    uint64_t address, bytes;   /* address: as in the disassembly */
    const unsigned char *code; /* its bytes, in those of the image or in what was unpacked */
    int32_t section;           /* of the ELF file it is in */
    int32_t cubin;             /* number of the cubin inside the image; -1: the file itself */
    int32_t member;            /* number of the file in an archive; -1: there is no archive */
    int32_t registers;
    int64_t stack_bytes;
    uint64_t room; /* bytes from its address to the end of the section */
    int is_older;  /* a version of it that programs are no longer linked with */
} stn_symbol;

/* A cubin that was compressed. */
typedef struct stn_unpacked {
    struct stn_unpacked *before;
    size_t size;
    unsigned char bytes[];
} stn_unpacked;

/* A file in an archive. */
typedef struct stn_member {
    char *name;
    const unsigned char *bytes; /* in those of the image */
    size_t size;
} stn_member;

enum { STN_SEVERAL_MEMBERS = -2 };

struct stn_image {
    char *name;
    char *path; /* of the file that objdump reads; a temporary one for memory */
    int path_is_temporary;
    int32_t path_of; /* number of the member that it holds; -1: all of the file */
    char *only;      /* the member that was asked for: those of this name; NULL: all */
    stn_member *members;
    int32_t member_count;
    unsigned char *bytes; /* the whole file */
    size_t size;
    stn_machine machine;
    char *compiler;
    char built_for[16]; /* "x86-64-v3", or "" where nobody said; by stn_image_built_for */
    int is_stripped;
    int is_object;         /* not linked: each section has addresses of its own */
    int is_debug;          /* has functions without their bytes */
    const char **indirect; /* names of those that programs choose when they start (IFUNC) */
    int32_t indirect_count;
    int is_lto;          /* holds what gcc's link-time optimisation needs */
    stn_symbol *symbols; /* functions, sorted by cubin, section and address */
    int32_t count;
    char *names;              /* the demangled ones */
    int32_t cubins;           /* inside */
    int32_t left_out;         /* of them */
    const char *why_left_out; /* the last one */
    stn_unpacked *unpacked;   /* those that were compressed */
    int64_t unpacked_bytes;
    int32_t other_entries; /* of fat binaries: PTX, and what nvcc's link-time optimisation needs */
    int32_t requests;      /* of functions to be decoded */
    uint64_t together;     /* bytes of functions that were decoded so far */
    stn_code *codes;       /* decoded when first asked for; count of them */
    unsigned char *decoded;
    unsigned char *chosen; /* functions that will be asked for; NULL: nobody said */
};

/* Whether function f should be decoded when one near it is. */
static inline int stn_image_wants(const stn_image *image, int32_t f)
{
    return image->symbols[f].cubin < 0 && !image->decoded[f] &&
           (!image->chosen || image->chosen[f]);
}

/* image_code.c: these functions will be asked for, and no others, so that those that lie together
 * are decoded together. STN_ERR_MEMORY. */
stn_status stn_image_choose(stn_image *image, const int32_t *functions, int64_t count);

/* Frees the code of a function; who asks for it again has it decoded again. */
void stn_image_forget(stn_image *image, int32_t function);

/* elf.c: reads a file's functions (and, through cubin.c, those of cubins inside) into image. */
stn_status stn_elf_read(stn_image *image, const unsigned char *bytes, size_t size);

/* Whether bytes begin as LLVM's bitcode does. */
int stn_elf_is_bitcode(const unsigned char *bytes, size_t size);

/* archive.c: reads the objects in an archive; those called `only`, where the image has that. */
int stn_archive_is_one(const unsigned char *bytes, size_t size);
stn_status stn_archive_read(stn_image *image);
void stn_archive_release(stn_image *image);

/* Of a path like lib.a(part.o) makes the path lib.a and `only`. */
stn_status stn_archive_split(stn_image *image);

/* cubin.c: appends the kernels of the cubin of `size` bytes as number `cubin`. */
stn_status stn_cubin_read(stn_image *image, const unsigned char *bytes, size_t size, int32_t cubin);

/* fatbin.c: appends cubins found in a section of fat binaries. */
stn_status stn_fatbin_read(stn_image *image, const unsigned char *bytes, size_t size);

/* Whether bytes begin as a fat binary does. */
int stn_fatbin_is_one(const unsigned char *bytes, size_t size);

/* Makes room in an array of `count` elements, at whose address `array` points, for one more. */
stn_status stn_image_grow(void *array, int32_t count, size_t bytes, const char *what);

/* Appends a function, or the name of an indirect one; strings are not copied. */
stn_status stn_image_add_symbol(stn_image *image, const stn_symbol *symbol);
stn_status stn_image_add_indirect(stn_image *image, const char *name);

/* image_find.c: why there is no function of this name (NULL: of an expression), as part of a
 * sentence: what the file is, and names like it; "" and 0 where neither tells. */
enum { STN_WHY_MISSING = 460 };
int stn_image_why_missing(const stn_image *image, const char *name, char *why, size_t room);

/* Whether another function stands for this one where a name is asked for: the same code, listed
 * before, or the version of it that programs are linked with now. */
int stn_image_is_superseded(const stn_image *image, int32_t function);

/* Takes note of the compiler in `length` characters. */
stn_status stn_image_set_compiler(stn_image *image, const char *text, size_t length);

/* demangle.c: fills in the names of functions. Without c++filt those of C++ stay as they are. */
stn_status stn_image_demangle(stn_image *image);

/* Decoders: fill instructions and text of one function, or of those functions first to last of
 * `image` that it wants, which is what objdump is good at. */
stn_status stn_objdump_decode(stn_image *image, int32_t first, int32_t last);
stn_status stn_sass_decode(stn_image *image, int32_t function);

/* One line of a disassembly (objdump -d --no-show-raw-insn -M intel, or of AArch64) without address
 * and symbol comments: x86.c, aarch64.c. */
void stn_x86_decode(const char *text, stn_machine_instruction *instruction);
void stn_aarch64_decode(const char *text, stn_machine_instruction *instruction);

/* x86_thunk.c: a jump to the symbol `name` is an indirect one, or a return, if that is what the
 * thunk of this name is for. And the same for thunks in the function itself, and for traps that
 * nothing leads to. STN_ERR_MEMORY. */
void stn_x86_name_target(stn_machine_instruction *to, const char *name, size_t length);
stn_status stn_x86_mark_thunks(stn_code *code);

/* aarch64_sve.c: makes additions of the length of vectors to a counter steps of it. */
void stn_sve_mark_steps(stn_code *code);

#endif
