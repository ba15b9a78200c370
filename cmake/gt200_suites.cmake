# Writes the tests of a GoogleTest program for ctest, one per test suite; gt200_test() runs it when the program has been
# linked: cmake -DPROGRAM=PROGRAM -DOUTPUT=FILE -DENVIRONMENT=NAME=VALUE -P gt200_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE result TIMEOUT 60)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} does not list its tests: ${result}\n${listed}")
endif()
# A suite begins a line and ends with a dot; perhaps a type follows. Its tests are indented.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\.[^\n]*" suites "${listed}")
set(tests "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n?([A-Za-z0-9_/]+)\\..*" "\\1" suite "${suite}")
  string(APPEND tests "add_test([==[${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*]==])\n"
                      "set_tests_properties([==[${suite}]==] PROPERTIES TIMEOUT 600 ENVIRONMENT [==[${ENVIRONMENT}]==])\n")
endforeach()
if(tests STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
file(WRITE ${OUTPUT} "${tests}")
