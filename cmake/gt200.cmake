# Settings and helpers every target of the project shares.

configure_file(cmake/version.h.in ${PROJECT_BINARY_DIR}/include/gt200/version.h @ONLY)

add_library(gt200_options INTERFACE)
target_include_directories(gt200_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                   $<INSTALL_INTERFACE:${GT200_INCLUDE_FOLDER}>)
# -ffp-contract=off: the single-precision MAD of this GPU is not a fused operation, and results must not depend
# on the compiler.
target_compile_options(gt200_options INTERFACE -ffp-contract=off)
if(GT200_WARNINGS)
  target_compile_options(gt200_options INTERFACE $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra>
    $<BUILD_INTERFACE:-Wpedantic> $<BUILD_INTERFACE:-Wshadow> $<BUILD_INTERFACE:-Wnon-virtual-dtor>
    $<BUILD_INTERFACE:-Wold-style-cast> $<BUILD_INTERFACE:-Woverloaded-virtual>)
endif()
if(GT200_WARNINGS AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Of the standard library's std::stable_sort, and of flags that are computed without branches on purpose.
  target_compile_options(gt200_options INTERFACE $<BUILD_INTERFACE:-Wno-deprecated-declarations>
                                                 $<BUILD_INTERFACE:-Wno-bitwise-instead-of-logical>)
endif()
if(GT200_WARNINGS_AS_ERRORS)
  target_compile_options(gt200_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(GT200_SANITIZE)
  target_compile_options(gt200_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(gt200_options INTERFACE -fsanitize=address,undefined)
endif()
if(GT200_SANITIZE_THREADS)
  target_compile_options(gt200_options INTERFACE -fsanitize=thread)
  target_link_options(gt200_options INTERFACE -fsanitize=thread)
endif()
if(GT200_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "GT200_FUZZ needs clang (CMAKE_CXX_COMPILER=clang++)")
  endif()
  target_compile_options(gt200_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Precompiled headers: one per flavour for all targets that take it, so that each is parsed once per build. They hold the
# standard library and third parties; headers of the project only where everything that takes the flavour includes
# them anyway. OPTIONS are options of the compiler for all who take the flavour.
function(gt200_flavour flavour)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS;OPTIONS" ${ARGN})
  set(empty ${PROJECT_BINARY_DIR}/precompiled_${flavour}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(gt200_precompiled_${flavour} OBJECT ${empty})
  target_link_libraries(gt200_precompiled_${flavour} PRIVATE gt200_options ${ARG_LINK})
  target_compile_options(gt200_precompiled_${flavour} PRIVATE ${ARG_OPTIONS})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # The same headers give the same bytes, so that ccache knows what is compiled with them.
    target_compile_options(gt200_precompiled_${flavour} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(gt200_precompiled_${flavour} PRIVATE ${ARG_HEADERS})
  set_target_properties(gt200_precompiled_${flavour} PROPERTIES GT200_LINK "${ARG_LINK}" GT200_OPTIONS "${ARG_OPTIONS}")
endfunction()

# gt200_precompiled(TARGET FLAVOUR): compiles its sources with the headers of a flavour.
function(gt200_precompiled target flavour)
  # Libraries that the headers belong to define macros; all who take the headers define the same.
  get_target_property(libraries gt200_precompiled_${flavour} GT200_LINK)
  target_link_libraries(${target} PRIVATE ${libraries})
  get_target_property(options gt200_precompiled_${flavour} GT200_OPTIONS)
  target_compile_options(${target} PRIVATE ${options})
  target_precompile_headers(${target} REUSE_FROM gt200_precompiled_${flavour})
endfunction()

# gt200_unity(TARGET...): compiles several files of a folder at a time (a unity build), because expanding the templates of
# their headers takes the compiler longer than most of the files themselves. Files of a batch share their anonymous
# namespaces. A batch never holds files of two folders, so a new file meets no namesake of another folder; the tests
# unity.* join each folder as a whole, so it meets none of its own folder, in whatever batch it lands.
function(gt200_unity)
  foreach(target IN LISTS ARGN)
    # When the folder of the target is done, and with it the folders below that add files.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL gt200_unity_batches ${target})")
    set_property(GLOBAL APPEND PROPERTY GT200_UNITY_TARGETS ${target})
  endforeach()
endfunction()
function(gt200_unity_batches target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  set(joined "")
  set(folders "")
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${base})
    get_source_file_property(includes ${source} INCLUDE_DIRECTORIES)
    if(includes)  # CMake compiles it by itself
      continue()
    endif()
    string(APPEND joined "${source}\n")
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${source})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unity/${target}.txt CONTENT "${joined}")
  if(NOT GT200_UNITY_BATCH)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH files_${folder} count)
    math(EXPR batches "(${count} + ${GT200_UNITY_BATCH} - 1) / ${GT200_UNITY_BATCH}")
    math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
    set(index 0)
    foreach(source IN LISTS files_${folder})
      math(EXPR batch "${index} / ${size}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
endfunction()

# gt200_profiled(TARGET...): the compiler lays out the code of a cycle by a profile of runs, if scripts/profile has made one.
# A profile holds counts of functions and branches by name, so code that has changed since is compiled as without it.
# It changes no result.
set(GT200_MODELS_PROFILE ${PROJECT_SOURCE_DIR}/build-profile/models.profdata CACHE FILEPATH
    "Profile of the models, for clang 19 and later; without the file there is none")
option(GT200_PROFILE_GENERATE "Build models that write a profile when they run (scripts/profile)" OFF)
function(gt200_profiled)
  foreach(target IN LISTS ARGN)
    if(GT200_PROFILE_GENERATE)
      target_compile_options(${target} PRIVATE -fprofile-generate)
      target_link_options(${target} INTERFACE -fprofile-generate)
    elseif(EXISTS "${GT200_MODELS_PROFILE}" AND CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-fprofile-use=${GT200_MODELS_PROFILE}>
        -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date -Wno-profile-instr-missing -Wno-backend-plugin)
    endif()
  endforeach()
endfunction()

# gt200_install_library(NAME...): the libraries belong to the component GT200_COMPONENT of the installed package, if the
# folder sets one. gt200_NAME is gt200::NAME there, and by the same name here.
function(gt200_install_library)
  foreach(name IN LISTS ARGN)
    string(REGEX REPLACE "^gt200_" "" short ${name})
    add_library(gt200::${short} ALIAS ${name})
    if(GT200_INSTALL AND GT200_COMPONENT)
      set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
      install(TARGETS ${name} EXPORT gt200-${GT200_COMPONENT} ARCHIVE DESTINATION lib COMPONENT development
        LIBRARY DESTINATION lib COMPONENT runtime NAMELINK_COMPONENT development)
      get_target_property(type ${name} TYPE)
      if(NOT type STREQUAL INTERFACE_LIBRARY)
        set_property(GLOBAL APPEND PROPERTY GT200_LIBRARIES_${GT200_COMPONENT} ${name})
      endif()
    endif()
  endforeach()
endfunction()

# Libraries of the package are shared with BUILD_SHARED_LIBS; they find each other, and programs find them, by the place
# where they are installed. Libraries that are not installed are static always.
if(BUILD_SHARED_LIBS)
  # For programs as well: clang takes no precompiled header of the one kind (-fPIC) for the other (-fPIE).
  add_compile_options(-fPIC)
  set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/..;$ORIGIN/../lib")
endif()

# Installed programs find a SystemC that is in no folder of the system where it was when they were linked.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# gt200_library(NAME sources... [LINK libs...]): a library of the project.
function(gt200_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  if(BUILD_SHARED_LIBS AND GT200_COMPONENT)
    add_library(${name} SHARED ${ARG_UNPARSED_ARGUMENTS})
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  else()
    add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  endif()
  target_link_libraries(${name} PUBLIC gt200_options ${ARG_LINK})
  gt200_install_library(${name})
endfunction()

# What tests verilate is kept here (rtl_ref/library/cache.h): no test waits for RTL that another has made.
set(GT200_TEST_RTL_CACHE ${PROJECT_BINARY_DIR}/rtl_cache)

# gt200_test(NAME sources... [PLAIN] [LINK libs...]): a GoogleTest program. ctest runs every TEST in a process of its own,
# because a SystemC kernel can be simulated once per process only. PLAIN: nothing is simulated, so that the tests of a
# suite share a process.
set(GT200_SUITES_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/gt200_suites.cmake)
function(gt200_test name)
  cmake_parse_arguments(ARG "PLAIN" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE gt200_options ${ARG_LINK} GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE GT200_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set(environment GT200_RTL_CACHE=${GT200_TEST_RTL_CACHE})
  if(NOT ARG_PLAIN)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 ENVIRONMENT ${environment})
    return()
  endif()
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS ${suites} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${name}> -DOUTPUT=${suites} -DENVIRONMENT=${environment}
            -P ${GT200_SUITES_SCRIPT})
  set(included ${CMAKE_CURRENT_BINARY_DIR}/${name}_included.cmake)
  file(CONFIGURE OUTPUT ${included} @ONLY CONTENT [[
if(EXISTS "@suites@")
  include("@suites@")
else()
  add_test(@name@_NOT_BUILT @name@_NOT_BUILT)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${included})
endfunction()

# gt200_program(NAME sources... [LINK libs...]): a program for users; it lands in the root of the build folder.
function(gt200_program name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE gt200_options ${ARG_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

# gt200_policies(TARGET LIST): adds <name>.cpp of this folder for every row POLICY(<name>, ...) of the list.
function(gt200_policies target list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${list})
  file(READ ${list} text)
  string(REGEX MATCHALL "\nPOLICY\\([a-z0-9_]+" rows "${text}")
  list(TRANSFORM rows REPLACE "\nPOLICY\\(" "")
  list(TRANSFORM rows APPEND ".cpp")
  target_sources(${target} PRIVATE ${rows})
endfunction()
