# Finds SystemC as gt200::systemc. The build and the installed package use this file.
#
# pkg-config finds Debian's SystemC 2.3.4. A SystemC that was built with CMake, such as 3.0, comes with the package
# SystemCLanguage; -DSystemCLanguage_DIR=... names one, which is taken then and no other. Sets gt200_systemc_FOUND,
# gt200_systemc_VERSION and gt200_systemc_HAS_PKGCONFIG, or gt200_systemc_MISSING to what was not found. The package sets
# gt200_systemc_EXPECTED before: the version that it was built with is part of its symbols.
set(gt200_systemc_FOUND TRUE)
if(TARGET gt200::systemc)
  return()
endif()

set(gt200_systemc_library)
set(gt200_systemc_HAS_PKGCONFIG FALSE)
set(gt200_systemc_MISSING "neither pkg-config nor find_package(SystemCLanguage) finds SystemC")
set(gt200_systemc_named "${SystemCLanguage_DIR}")
if(gt200_systemc_named)
  find_package(SystemCLanguage CONFIG QUIET)
  if(NOT SystemCLanguage_FOUND)
    set(gt200_systemc_MISSING "there is no SystemCLanguageConfig.cmake in ${gt200_systemc_named}, which SystemCLanguage_DIR names")
    # The name stays, so that the next run of CMake does not take another SystemC.
    set(SystemCLanguage_DIR "${gt200_systemc_named}" CACHE PATH "" FORCE)
  endif()
else()
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(GT200_SYSTEMC QUIET IMPORTED_TARGET systemc)
  endif()
  if(TARGET PkgConfig::GT200_SYSTEMC)
    set(gt200_systemc_library PkgConfig::GT200_SYSTEMC)
    set(gt200_systemc_VERSION ${GT200_SYSTEMC_VERSION})
    set(gt200_systemc_HAS_PKGCONFIG TRUE)
  else()
    find_package(SystemCLanguage CONFIG QUIET)
  endif()
endif()
if(NOT gt200_systemc_library AND TARGET SystemC::systemc)
  set(gt200_systemc_library SystemC::systemc)
  set(gt200_systemc_VERSION ${SystemCLanguage_VERSION})
endif()
if(gt200_systemc_library AND gt200_systemc_EXPECTED AND NOT gt200_systemc_VERSION VERSION_EQUAL gt200_systemc_EXPECTED)
  set(gt200_systemc_MISSING "the package was built with ${gt200_systemc_EXPECTED}, and ${gt200_systemc_VERSION} is found; name the other \
one with -DSystemCLanguage_DIR=")
  set(gt200_systemc_library)
endif()

if(gt200_systemc_library)
  add_library(gt200::systemc INTERFACE IMPORTED)
  target_link_libraries(gt200::systemc INTERFACE ${gt200_systemc_library})
else()
  set(gt200_systemc_FOUND FALSE)
endif()
