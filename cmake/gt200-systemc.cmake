# Finds SystemC as gt200::systemc. The build and the installed package use this file.
#
# pkg-config finds Debian's SystemC 2.3.4. A SystemC that was built with CMake, such as 3.0, comes with the package
# SystemCLanguage; -DSystemCLanguage_DIR=... names one, which then comes first. Sets gt200_systemc_FOUND.
set(gt200_systemc_FOUND TRUE)
if(TARGET gt200::systemc)
  return()
endif()

set(gt200_systemc_library)
if(DEFINED SystemCLanguage_DIR)
  find_package(SystemCLanguage CONFIG QUIET)
endif()
if(NOT SystemCLanguage_FOUND)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(GT200_SYSTEMC QUIET IMPORTED_TARGET systemc)
  endif()
  if(TARGET PkgConfig::GT200_SYSTEMC)
    set(gt200_systemc_library PkgConfig::GT200_SYSTEMC)
  else()
    find_package(SystemCLanguage CONFIG QUIET)
  endif()
endif()
if(NOT gt200_systemc_library AND TARGET SystemC::systemc)
  set(gt200_systemc_library SystemC::systemc)
endif()

if(gt200_systemc_library)
  add_library(gt200::systemc INTERFACE IMPORTED)
  target_link_libraries(gt200::systemc INTERFACE ${gt200_systemc_library})
else()
  set(gt200_systemc_FOUND FALSE)
endif()
