/* Mnemonics of x86-64: the table, and families with rules. */
#include <pthread.h>
#include <string.h>

#include "contract/isa/x86_operand.h"
#include "contract/isa/x86_table.h"

static const char conditions[] =
    "o no b nae c ae nb nc e z ne nz be na a nbe s ns p pe np po l nge "
    "ge nl le ng g nle";

static stn_mnemonics exact, vectors, floats, packed; /* numbers: rows */

static void fill_tables(void)
{
    stn_mnemonics *const of[] = {[X86_EXACT] = &exact,
                                 [X86_VECTOR] = &vectors,
                                 [X86_FLOAT] = &floats,
                                 [X86_PACKED] = &packed};
    for (int k = 0; k < (int)(sizeof x86_rows / sizeof x86_rows[0]); k++)
        stn_mnemonics_add(of[x86_rows[k].form], x86_rows[k].words, k);
}

typedef struct suffix {
    const char *word;
    int bytes, kind, is_scalar;
} suffix;

static const suffix suffixes[] = {{"pbf16", 2, STN_KIND_F16, 0}, {"ps", 4, STN_KIND_F32, 0},
                                  {"pd", 8, STN_KIND_F64, 0},    {"ph", 2, STN_KIND_F16, 0},
                                  {"ss", 4, STN_KIND_F32, 1},    {"sd", 8, STN_KIND_F64, 1},
                                  {"sh", 2, STN_KIND_F16, 1}};

static const suffix *float_suffix(const char *mnemonic)
{
    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++)
        if (stn_ends(mnemonic, suffixes[k].word))
            return &suffixes[k];
    return NULL;
}

static int suffix_bytes(char letter)
{
    return letter == 'b' ? 1 : letter == 'w' ? 2 : letter == 'd' ? 4 : letter == 'q' ? 8 : 0;
}

static void decode_row(x86_decoding *d, int row)
{
    d->row = x86_rows[row];
    d->kind = STN_KIND_INTEGER;
}

void stn_x86_decode_mnemonic(x86_decoding *d, stn_machine_operation operation, x86_first first)
{
    const x86_row row = {X86_EXACT, operation, first, X86_PLAIN, 0, ""};
    d->row = row;
    d->kind = STN_KIND_INTEGER;
}

/* Compilers use the shorter movups and float logic for all types. */
static int takes_anything(const char *stem)
{
    return stn_is_one_of(stem, "movups movaps movntps movlps movhps andps andnps orps xorps"
                               " andpd andnpd orpd xorpd");
}

static int decode_float(x86_decoding *d, const char *stem)
{
    const suffix *found = float_suffix(stem);
    if (!found)
        return 0;
    size_t length = strlen(stem) - strlen(found->word);
    if (length > 3 &&
        (strncmp(stem + length - 3, "132", 3) == 0 || strncmp(stem + length - 3, "213", 3) == 0 ||
         strncmp(stem + length - 3, "231", 3) == 0))
        length -= 3;
    const int row = stn_mnemonics_find(&floats, stem, length);
    if (row < 0 && !stn_starts(stem, "cmp"))
        return 0;
    if (row < 0)
        stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_WRITE);
    else
        decode_row(d, row);
    d->kind = found->kind;
    d->element = takes_anything(stem) ? 0 : found->bytes;
    d->is_scalar = found->is_scalar;
    if (row >= 0 && d->row.operation != STN_OP_OTHER)
        d->in = d->out = found->bytes;
    return 1;
}

/* The size of the numbers read or written differs from the suffix. */
static int changes_size(const char *stem)
{
    return stn_starts(stem, "pmulu") || stn_starts(stem, "pmuld") || stn_starts(stem, "pmadd") ||
           stn_starts(stem, "psad") || stn_starts(stem, "pdp") || stn_starts(stem, "mpsad") ||
           stn_starts(stem, "dbpsad");
}

static int decode_packed(x86_decoding *d, const char *stem)
{
    const size_t length = strlen(stem);
    int row = stn_mnemonics_find(&packed, stem, length);
    if (row < 0 && length > 1 && suffix_bytes(stem[length - 1]))
        row = stn_mnemonics_find(&packed, stem, length - 1);
    if (row < 0)
        return 0;
    decode_row(d, row);
    d->element = suffix_bytes(stem[length - 1]);
    if (d->row.operation == STN_OP_ARITHMETIC && !changes_size(stem))
        d->in = d->out = d->element;
    return 1;
}

/* pmovzxbd and similar: the numbers in memory are narrow; pmovdb writes them. */
static int decode_widening(x86_decoding *d, const char *stem)
{
    if (!stn_starts(stem, "pmov"))
        return 0;
    stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_WRITE);
    const size_t length = strlen(stem);
    const int is_widening = stem[4] && stem[5] == 'x' && stem[6];
    d->element = suffix_bytes(is_widening ? stem[6] : stem[length - 1]);
    d->in = is_widening ? d->element : 0; /* it may read parts of other numbers */
    d->out = suffix_bytes(stem[length - 1]);
    return length > 5;
}

/* Bytes of the type named by a conversion: cvtps2pd, cvttsd2si. 0: the width of the register. */
static int converted_bytes(const char *type)
{
    if (stn_starts(type, "ne"))
        type += 2;
    if (stn_starts(type, "bias"))
        type += 4;
    type += *type == 'u';
    return stn_starts(type, "bf8") || stn_starts(type, "hf8") ? 1
           : stn_starts(type, "ph") || stn_starts(type, "sh") || stn_starts(type, "bf16") ||
                   stn_starts(type, "w")
               ? 2
           : stn_starts(type, "pd") || stn_starts(type, "sd") || stn_starts(type, "qq") ? 8
           : stn_starts(type, "si")                                                     ? 0
                                                                                        : 4;
}

static int is_one_number(const char *type)
{
    return stn_starts(type, "ss") || stn_starts(type, "sd") || stn_starts(type, "sh") ||
           stn_starts(type, "si") || stn_starts(type, "usi");
}

static int is_integer(const char *type)
{
    type += *type == 'u';
    return stn_starts(type, "dq") || stn_starts(type, "qq") || stn_starts(type, "si") ||
           stn_starts(type, "w") || stn_starts(type, "pi");
}

static int decode_conversion(x86_decoding *d, const char *stem)
{
    if (!stn_starts(stem, "cvt"))
        return 0;
    const char *from = stem + 3;
    from += stn_starts(from, "ne2") ? 3 : *from == 't';
    const char *to = strchr(from, '2');
    if (!to || to == from)
        return 0;
    stn_x86_decode_mnemonic(d, STN_OP_CONVERSION, X86_WRITE);
    int bits, length;
    const int has_operands = d->line.operands > 0;
    const int to_register =
        has_operands && stn_x86_register(d->line.operand[0], &bits, &length) >= 0;
    const int in = converted_bytes(from), out = converted_bytes(to + 1);
    d->is_scalar = is_one_number(from) || is_one_number(to + 1);
    d->kind = is_integer(from) || is_integer(to + 1) ? STN_KIND_INTEGER
              : (in < out ? in : out) == 8           ? STN_KIND_F64
              : (in < out ? in : out) == 4           ? STN_KIND_F32
                                                     : STN_KIND_F16;
    d->element = to_register || !has_operands ? in : out;
    d->in = in;
    d->out = out;
    d->widest = in > out ? in : out;
    return 1;
}

static const x86_row hint = {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_HINTS, 0, ""};

/* [p]gather or [p]scatter, followed by the width of indices and the type. */
static int decode_gather(x86_decoding *d, const char *stem)
{
    stem += *stem == 'p';
    const int is_gather = stn_starts(stem, "gather"), is_scatter = stn_starts(stem, "scatter");
    if (!is_gather && !is_scatter)
        return 0;
    stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_WRITE);
    const suffix *found = float_suffix(stem);
    d->element = found ? found->bytes : suffix_bytes(stem[strlen(stem) - 1]);
    if (stn_starts(stem, "gatherpf") || stn_starts(stem, "scatterpf"))
        d->row = hint;
    return d->element > 0;
}

static int decode_conditional(x86_decoding *d, const char *mnemonic)
{
    const int is_move = stn_starts(mnemonic, "cmov"), is_set = stn_starts(mnemonic, "set");
    if (mnemonic[0] == 'j' && stn_is_one_of(mnemonic + 1, conditions)) {
        stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_NO_ACCESS);
        d->to->flow = STN_FLOW_BRANCH;
        return 1;
    }
    if (stn_is_one_of(mnemonic, "jrcxz jecxz jcxz loop loope loopne xbegin")) {
        stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_NO_ACCESS);
        d->row.written = mnemonic[0] == 'l' ? X86_C : mnemonic[0] == 'x' ? X86_A : 0;
        d->to->flow = STN_FLOW_BRANCH;
        return 1;
    }
    if ((!is_move && !is_set) || !stn_is_one_of(mnemonic + (is_move ? 4 : 3), conditions))
        return 0;
    stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_WRITE);
    return 1;
}

static int decode_comparison(x86_decoding *d, const char *stem)
{
    if (!stn_starts(stem, "pcmp") && !stn_starts(stem, "pcom"))
        return 0;
    stn_x86_decode_mnemonic(d, STN_OP_OTHER, X86_WRITE);
    d->element = suffix_bytes(stem[strlen(stem) - 1]);
    return 1;
}

/* For moves whose mnemonic determines more than the width; movdqu64 moves any type. */
static int moved_bytes(const char *stem)
{
    return strstr(stem, "f64x") || strstr(stem, "i64x") || strcmp(stem, "movddup") == 0 ? 8
           : strstr(stem, "f32x") || strstr(stem, "i32x") ||
                   stn_is_one_of(stem, "movd movshdup movsldup movdqu32 movdqa32")
               ? 4
           : stn_is_one_of(stem, "movw movdqu16") ? 2
           : strcmp(stem, "movdqu8") == 0         ? 1
                                                  : 0;
}

/* x87 registers hold 80 bits. */
static int loads_or_stores_narrow(const x86_decoding *d)
{
    const char *const operand = d->line.operands == 1 ? d->line.operand[0] : "";
    return stn_is_one_of(d->line.mnemonic, "fld fst fstp") &&
           (stn_starts(operand, "dword") || stn_starts(operand, "qword"));
}

/* enter 0x10,0x1 also copies enclosing frames. */
static int copies_frames(const x86_decoding *d)
{
    return strcmp(d->line.mnemonic, "enter") == 0 && d->line.operands == 2 &&
           strcmp(d->line.operand[1], "0x0") != 0;
}

static int decode_exact(x86_decoding *d)
{
    const char *const mnemonic = d->line.mnemonic;
    const int row = stn_mnemonics_find(&exact, mnemonic, strlen(mnemonic));
    if (row < 0)
        return 0;
    decode_row(d, row);
    if (loads_or_stores_narrow(d))
        d->row.operation = STN_OP_CONVERSION;
    if (copies_frames(d))
        d->row.operation = STN_OP_UNKNOWN;
    if (d->row.operation == STN_OP_FMA)
        d->kind = strstr(mnemonic, "bf16") || strstr(mnemonic, "ph") ? STN_KIND_F16 : STN_KIND_F32;
    else if (mnemonic[0] == 'f')
        d->kind =
            loads_or_stores_narrow(d) && d->line.operand[0][0] == 'd' ? STN_KIND_F32 : STN_KIND_F64;
    d->element = d->row.operation == STN_OP_FMA ? 4 : 0;
    d->is_scalar = d->row.operation != STN_OP_FMA;
    return 1;
}

static int decode_vector(x86_decoding *d, const char *stem)
{
    const int row = stn_mnemonics_find(&vectors, stem, strlen(stem));
    if (row < 0)
        return 0;
    decode_row(d, row);
    d->element = moved_bytes(stem);
    return 1;
}

int stn_x86_mnemonic(x86_decoding *d)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
    const char *const mnemonic = d->line.mnemonic, *stem = mnemonic + (mnemonic[0] == 'v');
    return decode_exact(d) || decode_vector(d, stem) || decode_conditional(d, mnemonic) ||
           decode_gather(d, stem) || decode_float(d, stem) || decode_conversion(d, stem) ||
           decode_packed(d, stem) || decode_widening(d, stem) || decode_comparison(d, stem);
}
