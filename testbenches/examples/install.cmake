# Installs the built project into PREFIX, empty before, and looks at what is there.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB headers ${PREFIX}/include/gt200-*/sc_models/chip.h)
foreach(file IN ITEMS ${headers} bin/gt200 lib/libgt200_models.a lib/cmake/gt200/gt200-config.cmake
        lib/pkgconfig/gt200-models.pc share/gt200/configs/gt200.toml share/man/man1/gt200.1
        share/bash-completion/completions/gt200 share/doc/gt200/CHANGELOG.md)
  if(NOT EXISTS ${file} AND NOT EXISTS ${PREFIX}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
if(NOT headers)
  message(FATAL_ERROR "no versioned headers")
endif()
# The package does not depend on where it was built.
file(GLOB package ${PREFIX}/lib/cmake/gt200/* ${PREFIX}/lib/pkgconfig/*)
get_filename_component(sources ${BUILD} DIRECTORY)
foreach(file IN LISTS package)
  file(READ ${file} text)
  string(FIND "${text}" ${sources}/ place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${file} names ${sources}")
  endif()
endforeach()
