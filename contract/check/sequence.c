/* Public functions for sequences of instructions. */
#include <string.h>

#include "contract/check/pattern.h"

stn_status stn_image_count_sequence(stn_image *image, int32_t function, int32_t loop,
                                    const char *sequence, int32_t *count)
{
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    stn_pattern *pattern;
    stn_pattern_fault fault;
    stn_pattern_result result;
    if (!sequence || !count)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_image_count_sequence: the sequence or the count is NULL");
    STN_TRY(stn_image_count(image, function, loop, &counts)); /* also decodes the function */
    stn_status status = stn_pattern_parse(sequence, strlen(sequence), &pattern, &fault);
    if (status == STN_ERR_PARSE)
        return stn_fail(status, "sequence:%zu: %s", fault.at + 1, fault.reason);
    if (status != STN_OK)
        return status;
    const stn_code *code = image->codes + function;
    status =
        stn_pattern_find(pattern, code, loop == STN_LOOP_MAIN ? code->main_loop : loop, &result);
    stn_pattern_free(pattern);
    if (status == STN_OK && result.is_lost)
        return stn_fail(STN_ERR_UNSUPPORTED, "the sequence has too many partial matches at once");
    if (status == STN_OK)
        *count = result.count;
    return status;
}
