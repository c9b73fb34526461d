/* Fuzzes kernels from a text: whatever the text is, it becomes a sound program or a sentence with
 * line and column; programs without loops are run. Input: a digit for the class, the
 * parameters up to the end of the line, and the body. Dictionary: kernel_text.dict. */
#include "expr/program.h"
#include "fuzz/fuzz.h"
#include "steno/kernel_text.h"

enum { N = 37 };

static int is_place(uint16_t operand, int count)
{
    return operand < STN_MAX_REGISTERS || operand == STN_OPERAND_NONE ||
           (operand >= STN_OPERAND_PARAMETER && operand < STN_OPERAND_PARAMETER + count) ||
           (operand >= STN_OPERAND_CONSTANT && operand < STN_OPERAND_CONSTANT + STN_MAX_CONSTANTS);
}

/* Does every operand have a place, every jump a target? Returns whether it can loop. */
static int look_at_program(const stn_program *program, int count)
{
    int loops = 0, length = 0;
    while (program->instructions[length].operation != STN_DO_END)
        length++;
    for (int k = 0; k < length; k++) {
        const stn_instruction *const now = &program->instructions[k];
        require(now->operation < STN_OPERATIONS, "an instruction");
        require(is_place(now->to, count), "a result");
        require(now->to < STN_OPERAND_CONSTANT || now->to == STN_OPERAND_NONE, "a constant's end");
        for (int o = 0; o < STN_MAX_OPERANDS; o++)
            require(is_place(now->from[o], count), "an operand");
        if (now->operation == STN_DO_JUMP || now->operation == STN_DO_JUMP_NONE)
            require(now->at <= length, "a jump");
        loops |= now->operation == STN_DO_JUMP;
    }
    return loops;
}

static void run(stn_kernel *kernel, const stn_exec *exec, stn_format arithmetic)
{
    static char memory[STN_MAX_PARAMETERS][N * sizeof(stn_c128)];
    stn_view views[STN_MAX_PARAMETERS];
    stn_argument arguments[STN_MAX_PARAMETERS];
    const int64_t extent = N;
    int has_field = 0, given = 0; /* names of indices are no argument */
    memset(arguments, 0, sizeof arguments);
    for (int p = 0; p < kernel->count; p++) {
        const stn_parameter_kind kind = kernel->parameters[p].kind;
        has_field |= kind >= STN_PARAMETER_SHIFTED || kind == STN_PARAMETER_AT;
        given += kind != STN_PARAMETER_AT;
        if (kind < STN_PARAMETER_IN)
            continue;
        require(stn_view_wrap(&views[p], "view", stn_storage_of(arithmetic), memory[p], 1,
                              &extent) == STN_OK,
                "a view");
        arguments[given - 1].view = &views[p];
    }
    const stn_status status = stn_kernel_run(exec, kernel, arithmetic, 1, &extent, arguments);
    require(status == STN_OK || (has_field && (status == STN_ERR_RANGE || status == STN_ERR_SHAPE ||
                                               status == STN_ERR_UNSUPPORTED)),
            "a launch");
}

static void look_at_kernel(stn_kernel *kernel, const stn_exec *exec, int kernel_class)
{
    static const stn_format wide[] = {STN_F64, STN_I64, STN_C128},
                            narrow[] = {STN_F32, STN_I64, STN_C64};
    const stn_text_kernel *const text = (const stn_text_kernel *)(const void *)kernel;
    int loops = look_at_program(&text->wide, kernel->count);
    if (kernel_class != STN_KERNEL_INTEGER)
        loops |= look_at_program(&text->narrow, kernel->count);
    if (loops)
        return;
    run(kernel, exec, wide[kernel_class]);
    run(kernel, exec, narrow[kernel_class]);
}

FUZZ(bytes, size)
{
    static stn_exec *exec;
    stn_kernel *kernel = NULL;
    if (!exec)
        require(stn_exec_create(&exec, "reference") == STN_OK, "an executor");
    if (size < 2)
        return 0;
    char *const words = malloc(size);
    if (!words)
        return 0;
    memcpy(words, bytes + 1, size - 1);
    words[size - 1] = '\0';
    char *const end = strchr(words, '\n');
    if (end)
        *end = '\0';
    const int kernel_class = bytes[0] % 3;
    const stn_status status = stn_kernel_compile(&kernel, "fuzz", words, end ? end + 1 : "",
                                                 (stn_kernel_class)kernel_class);
    if (status == STN_OK) {
        look_at_kernel(kernel, exec, kernel_class);
    } else {
        int line, column;
        const char *const place = stn_error() + strlen("kernel fuzz, ");
        require(status == STN_ERR_PARSE && !kernel, "another status");
        require(strncmp(stn_error(), "kernel fuzz, ", strlen("kernel fuzz, ")) == 0, "the name");
        require(sscanf(place, "%d:%d: ", &line, &column) == 2 ||
                    sscanf(place, "parameters %d:%d: ", &line, &column) == 2,
                "no place");
    }
    stn_kernel_release(kernel);
    free(words);
    return 0;
}
