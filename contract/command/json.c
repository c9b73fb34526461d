/* Counts as JSON. */
#include "contract/command/json.h"

#include <stdlib.h>

/* Symbols are arbitrary bytes, but JSON requires UTF-8. */
json_t *contract_json_name(const char *name)
{
    json_t *string = json_string(name);
    return string ? string : json_string("?");
}

void contract_json_file(json_t *object, const stn_image *image)
{
    json_object_set_new(object, "file", contract_json_name(image->name));
    json_object_set_new(object, "compiler",
                        contract_json_name(image->compiler ? image->compiler : ""));
}

json_t *contract_json_function(const stn_function_info *info)
{
    json_t *object = json_object();
    json_object_set_new(object, "symbol", contract_json_name(info->symbol));
    json_object_set_new(object, "name", contract_json_name(info->name));
    json_object_set_new(object, "target", contract_json_name(info->target));
    json_object_set_new(object, "bytes", json_integer((json_int_t)info->bytes));
    json_object_set_new(object, "loops", json_integer(info->loops));
    json_object_set_new(object, "main_loop",
                        info->main_loop < 0 ? json_null() : json_integer(info->main_loop));
    json_object_set_new(object, "counts", json_array());
    return object;
}

static json_t *json_measure(stn_measure measure)
{
    if (measure.absent)
        return json_null();
    return measure.per == 1 ? json_integer(measure.value)
                            : json_real((double)measure.value / (double)measure.per);
}

json_t *contract_json_part(const contract_part *part)
{
    json_t *object = json_object();
    json_object_set_new(object, "loop",
                        part->loop == STN_LOOP_NONE ? json_null() : json_integer(part->loop));
    for (int32_t q = 0; stn_quantity_name(q); q++)
        json_object_set_new(object, stn_quantity_name(q), json_measure(contract_measure(part, q)));
    return object;
}

static json_t *json_barrier(int number)
{
    return number < 0 ? json_null() : json_integer(number);
}

static json_t *json_live(const stn_gpu_instruction *gpu)
{
    static const char *const names[STN_REGISTER_FILES] = {"registers", "predicates", "uniform",
                                                          "uniform_predicates"};
    json_t *object = json_object();
    for (int f = 0; f < STN_REGISTER_FILES; f++)
        json_object_set_new(object, names[f], json_integer(gpu->live[f]));
    return object;
}

static void add_control(json_t *at, const stn_gpu_instruction *gpu)
{
    json_object_set_new(at, "stall", json_integer(gpu->stall));
    json_object_set_new(at, "yield", json_boolean(gpu->yield));
    json_object_set_new(at, "write_barrier", json_barrier(gpu->write_barrier));
    json_object_set_new(at, "read_barrier", json_barrier(gpu->read_barrier));
    json_object_set_new(at, "wait", json_integer(gpu->wait));
    json_object_set_new(at, "reuse", json_integer(gpu->reuse));
    json_object_set_new(at, "live", json_live(gpu));
}

void contract_json_instructions(json_t *object, const stn_code *code, int has_control)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < code->count; i++) {
        const stn_machine_instruction *instruction = code->instructions + i;
        const int32_t loop = code->loop_of ? code->loop_of[i] : -1;
        char words[STN_MAX_DESCRIPTION];
        json_t *at = json_object();
        stn_code_describe(code, i, words);
        json_object_set_new(at, "address", json_integer((json_int_t)instruction->address));
        json_object_set_new(at, "text", contract_json_name(code->text + instruction->text));
        json_object_set_new(at, "taken_for", contract_json_name(words));
        json_object_set_new(at, "loop", loop < 0 ? json_null() : json_integer(loop));
        if (has_control && code->gpu)
            add_control(at, code->gpu + i);
        json_array_append_new(list, at);
    }
    json_object_set_new(object, "instructions", list);
}

stn_status contract_json_print(json_t *all)
{
    char *text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    if (!text)
        return stn_fail(STN_ERR_MEMORY, "no memory for the JSON text");
    puts(text);
    free(text);
    return STN_OK;
}
