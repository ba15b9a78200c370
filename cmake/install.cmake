# What `cmake --install` installs besides the programs, and the Debian packages.
#
# Install components: runtime (program and data), development (libraries, headers, package files), python. The libraries
# fall into the components of find_package(gt200): toolchain, models, observe.
include(CMakePackageConfigHelpers)

set(package_folder lib/cmake/gt200)
set(GT200_DATA_DIR share/gt200)
configure_package_config_file(cmake/gt200-config.cmake.in ${PROJECT_BINARY_DIR}/cmake/gt200-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS GT200_DATA_DIR)
# 0.x: every minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/gt200-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/gt200-config.cmake ${PROJECT_BINARY_DIR}/cmake/gt200-config-version.cmake
  cmake/gt200-systemc.cmake DESTINATION ${package_folder} COMPONENT development)

# gt200_install_component(NAME TEXT [FOLDERS folders of headers...] [REQUIRES pkg-config packages...] [CFLAGS] [LIBS]
# [ONLY_CMAKE]): no pkg-config file with ONLY_CMAKE.
function(gt200_install_component component text)
  cmake_parse_arguments(ARG "ONLY_CMAKE" "CFLAGS;LIBS" "FOLDERS;REQUIRES" ${ARGN})
  install(EXPORT gt200-${component} NAMESPACE gt200:: FILE gt200-${component}-targets.cmake
    DESTINATION ${package_folder} COMPONENT development)
  foreach(folder IN LISTS ARG_FOLDERS)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${folder}/*.h ${folder}/*.def)
    foreach(header IN LISTS headers)
      get_filename_component(place ${header} DIRECTORY)
      install(FILES ${header} DESTINATION ${GT200_INCLUDE_FOLDER}/${place} COMPONENT development)
    endforeach()
  endforeach()

  # For builds without CMake.
  if(ARG_ONLY_CMAKE)
    return()
  endif()
  get_property(libraries GLOBAL PROPERTY GT200_LIBRARIES_${component})
  list(TRANSFORM libraries PREPEND -l)
  # One word: pkg-config drops words that it has seen before.
  list(JOIN libraries "," libraries)
  list(JOIN ARG_REQUIRES ", " requires)
  set(cflags "${ARG_CFLAGS}")
  set(libs "${ARG_LIBS}")
  configure_file(cmake/gt200.pc.in ${PROJECT_BINARY_DIR}/cmake/gt200-${component}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/gt200-${component}.pc DESTINATION lib/pkgconfig COMPONENT development)
endfunction()

install(FILES ${PROJECT_BINARY_DIR}/include/gt200/version.h DESTINATION ${GT200_INCLUDE_FOLDER}/gt200
  COMPONENT development)
gt200_install_component(toolchain "Instruction sets, assembler, cubins, emulator and configuration of gt200; plain C++"
  FOLDERS toolchain sc_models/config REQUIRES fmt)
set(taps)
if(NOT GT200_TAPS)
  set(taps " -DGT200_NO_TAPS")
endif()
# A SystemC that pkg-config does not know cannot be required by its name.
set(only_cmake)
if(GT200_BUILD_MODELS AND NOT gt200_systemc_HAS_PKGCONFIG)
  set(only_cmake ONLY_CMAKE)
endif()
if(GT200_BUILD_MODELS)
  gt200_install_component(models "Cycle-level SystemC model of a GPU, and its driver"
    FOLDERS tlm_bus sc_models/cache sc_models/cluster sc_models/distribution sc_models/host sc_models/interconnect
            sc_models/memory_path sc_models/partition sc_models/sm sc_models/texture rtl_ref driver inject
    REQUIRES gt200-toolchain systemc CFLAGS "${taps}" LIBS " -ldl -pthread" ${only_cmake})
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} sc_models/*.h)
  install(FILES ${headers} DESTINATION ${GT200_INCLUDE_FOLDER}/sc_models COMPONENT development)
  if(GT200_BUILD_OBSERVERS)
    gt200_install_component(observe "Statistics, traces and checks of chips of gt200" FOLDERS observe
      REQUIRES gt200-models zlib ${only_cmake})
  endif()
endif()
# Everything that is installed, without tests.
add_custom_target(gt200_package)
foreach(component IN ITEMS toolchain models observe)
  get_property(libraries GLOBAL PROPERTY GT200_LIBRARIES_${component})
  if(libraries)
    add_dependencies(gt200_package ${libraries})
  endif()
endforeach()
foreach(target IN ITEMS gt200 gt200_reference gt200cuda cuda cudart cublas cufft cudpp curand gt200_python)
  if(TARGET ${target})
    add_dependencies(gt200_package ${target})
  endif()
endforeach()

# Pages, and what they refer to by its place in the sources: kernels/ and configs/ beside the pages are links to the data.
install(DIRECTORY configs kernels DESTINATION share/gt200
  PATTERN CMakeLists.txt EXCLUDE PATTERN host_table.* EXCLUDE)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION share/doc/gt200)
install(DIRECTORY docs DESTINATION share/doc/gt200)
install(DIRECTORY examples DESTINATION share/doc/gt200 COMPONENT development)
foreach(folder IN ITEMS configs kernels)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links)
  file(CREATE_LINK ../../gt200/${folder} ${PROJECT_BINARY_DIR}/links/${folder} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/links/${folder} DESTINATION share/doc/gt200)
endforeach()

# -- Debian packages: cpack --config build/CPackConfig.cmake --
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gt200)
set(CPACK_PACKAGE_CONTACT "the gt200 project <gt200@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME gt200)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
# Libraries by dpkg-shlibdeps; those of CUDA programs are the package's own.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "verilator, clang, g++")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}
 The program gt200 runs kernels on the model of a GPU, cycle by cycle.")
if(GT200_BASELINE_OPTIONS)
  string(APPEND CPACK_DEBIAN_RUNTIME_DESCRIPTION "\n It needs a processor with AVX2 (x86-64-v3).")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME gt200-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "gt200 (= ${PROJECT_VERSION}), libsystemc-dev, libfmt-dev, nlohmann-json3-dev, zlib1g-dev, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Libraries and headers of the gt200 model
 For SystemC projects that contain the chip, and for plug-ins of the program gt200.")
include(CPack)
