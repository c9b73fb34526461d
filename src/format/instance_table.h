/* Include-as-template: `instances[isa][format]`, a table of the objects STN_TEMPLATE_NAME_ISA that
 * a source compiled once for every format and instruction set defines; their type is
 * STN_TEMPLATE_TYPE. STN_TEMPLATE_INSTANCES lists them: STN_TILE_INSTANCES, STN_FUSED_INSTANCES,
 * STN_SLICE_INSTANCES or STN_BLOCK_INSTANCES of the header that cmake/instances.cmake writes.
 * Entries of other formats are NULL. With STN_TEMPLATE_PLANES, `plane_instances[isa]` are those of
 * format/upper.h. */
#include "core/cpu.h"
#include "instance_rows.h"
#include "steno/detail/format_table.h"

#define STN_PASTE_(template, name, isa) template##_##name##_##isa
#define STN_PASTE(template, name, isa)  STN_PASTE_(template, name, isa)

#define STN_DECLARE(NAME, name, ISA, isa)                                                          \
    extern const STN_TEMPLATE_TYPE STN_PASTE(STN_TEMPLATE, name, isa);
#define STN_ENTRY(NAME, name, ISA, isa)                                                            \
    [STN_ISA_##ISA][STN_##NAME] = &STN_PASTE(STN_TEMPLATE, name, isa),
#define STN_PLANE_ENTRY(NAME, name, ISA, isa) [STN_ISA_##ISA] = &STN_PASTE(STN_TEMPLATE, name, isa),

STN_TEMPLATE_INSTANCES(STN_DECLARE)
static const STN_TEMPLATE_TYPE *const instances[STN_ISA_COUNT][STN_FIRST_REGISTERED] = {
    [STN_ISA_C] = {NULL}, STN_TEMPLATE_INSTANCES(STN_ENTRY)};

#ifdef STN_TEMPLATE_PLANES
STN_PLANE_INSTANCES(STN_DECLARE)
static const STN_TEMPLATE_TYPE *const plane_instances[STN_ISA_COUNT] = {
    [STN_ISA_C] = NULL, STN_PLANE_INSTANCES(STN_PLANE_ENTRY)};
#endif
