# steno_add_contract(<target> <expectations> [NAME <test>] [LEVEL <level>] [SOURCES <source>...])
#
# Adds a test that checks the machine code of a target against an expectation file: an executable
# or a library, or, with SOURCES, the objects of these sources of any target, as required for static
# and object libraries. LEVEL is the level of x86-64 code, such as x86-64-v3.
# The test is skipped if every contract is for another target or compiler.
#
# In other projects, find_package(steno) provides this function and the command it runs.
function(steno_add_contract target expectations)
    cmake_parse_arguments(PARSE_ARGV 2 contract "" "NAME;LEVEL" "SOURCES")
    if(contract_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "steno_add_contract: unknown argument '${contract_UNPARSED_ARGUMENTS}'")
    endif()
    if(NOT TARGET ${target})
        message(FATAL_ERROR "steno_add_contract: there is no target ${target}")
    endif()
    if(TARGET steno_command)
        set(command $<TARGET_FILE:steno_command>)
    elseif(STENO_COMMAND)
        set(command "${STENO_COMMAND}")
    else()
        message(FATAL_ERROR "steno_add_contract: the steno command was not found")
    endif()
    get_filename_component(expectations "${expectations}" ABSOLUTE)
    get_filename_component(stem "${expectations}" NAME_WE)
    if(NOT contract_NAME)
        set(contract_NAME "contract_${target}_${stem}")
    endif()
    set(options)
    if(contract_LEVEL)
        set(options --target "${contract_LEVEL}")
    endif()
    if(NOT contract_SOURCES)
        get_target_property(type ${target} TYPE)
        if(type MATCHES "^(STATIC|OBJECT|INTERFACE)_LIBRARY$")
            message(FATAL_ERROR "steno_add_contract: ${target} is not a single file; use SOURCES")
        endif()
        add_test(NAME ${contract_NAME}
                 COMMAND ${command} contract check ${options} $<TARGET_FILE:${target}>
                         "${expectations}")
        set_tests_properties(${contract_NAME} PROPERTIES SKIP_RETURN_CODE 77)
        return()
    endif()
    foreach(source IN LISTS contract_SOURCES)
        # An object's name ends in that of its source and .o.
        get_filename_component(file "${source}" NAME)
        string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" pattern "${file}")
        set(objects $<FILTER:$<TARGET_OBJECTS:${target}>,INCLUDE,/${pattern}\\.o$>)
        set(name ${contract_NAME})
        list(LENGTH contract_SOURCES count)
        if(count GREATER 1)
            set(name "${contract_NAME}_${file}")
        endif()
        add_test(NAME ${name} COMMAND ${command} contract check ${options} "${objects}"
                 "${expectations}")
        set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    endforeach()
endfunction()
