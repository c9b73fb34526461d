/* Fuzzes the language of expectations: whatever the text is, it becomes sound contracts or a
 * sentence with line and column, and an image made by hand can be checked against it. Dictionary:
 * expectations.dict. */
#include "contract/check/expect.h"
#include "contract/test/contract_sample.h"
#include "fuzz/fuzz.h"

static void look_at_contract(const stn_expectations *all, const stn_expectation *one, int32_t first)
{
    require(one->first_fact == first && one->fact_count > 0, "facts are not one contract's");
    require(first + one->fact_count <= all->fact_count, "facts beyond the end");
    require(*one->function && *one->target, "a name is empty");
    require(one->rule_count >= 0 && one->rule_count <= STN_MAX_RULES, "rules");
    require(one->loop >= STN_LOOP_MAIN && one->loop < 1000000, "the loop");
    require(one->position.line > 0 && one->position.column > 0, "the place of a contract");
    for (int32_t f = first; f < first + one->fact_count; f++) {
        const stn_fact *fact = all->facts + f;
        require(fact->pattern || stn_quantity_name(fact->quantity) != NULL, "a quantity");
        require(fact->number >= 0 && fact->number <= 1000000000000999, "a number");
        require(fact->position.line > 0 && fact->position.column > 0, "the place of a fact");
    }
}

static int look(const char *text)
{
    stn_expectations all;
    int32_t facts = 0;
    if (stn_expectations_parse(text, "fuzz", &all) != STN_OK) {
        require(strncmp(stn_error(), "fuzz:", 5) == 0, "the message does not name the file");
        return 0;
    }
    require(all.count > 0, "no contracts");
    for (int32_t e = 0; e < all.count; e++) {
        look_at_contract(&all, all.list + e, facts);
        facts += all.list[e].fact_count;
    }
    require(facts == all.fact_count, "facts do not add up");
    stn_expectations_release(&all);
    return facts;
}

FUZZ(bytes, size)
{
    static sample_image image;
    static FILE *report;
    static int ready;
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (!ready) {
        require(create_sample(&image) == STN_OK, "no image");
        report = fopen("/dev/null", "w");
        ready = 1;
    }
    memcpy(text, bytes, size);
    text[size] = '\0';
    const int facts = look(text);
    const stn_status status = stn_contract_check_text(&image.image, text, "fuzz", report, &result);
    require((facts == 0) == (status == STN_ERR_PARSE), "parsed once and refused once");
    if (facts)
        require(result.held + result.broken + result.skipped >= facts, "facts were lost");
    free(text);
    return 0;
}
