// RTL of any size: verilated and compiled on first use, kept in a cache (cache.h), loaded into this process.
//
// A library belongs to everything that went into it: the texts of the RTL, of the class around its pins and of what
// both include, parameters, versions and options of Verilator and compiler, and the layout of the interface. Files
// beside it say what that was ("key") and what the tools printed ("verilator.log", "compiler.log"). Plain C++, on
// POSIX.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rtl_ref/library/own_library.h"
#include "rtl_ref/library/request.h"

namespace gt200::rtl {

// Makes the library if it is not in the cache, with one line of progress on stderr. Returns its path. Throws
// input_error that names what is missing: Verilator, compiler, writable cache, headers; or what is wrong in the
// RTL. A shared object of one's own (own_library.h) is loaded and checked, and its path returned.
std::string build(const request& what);

// Function of the library, after build(), that makes an object of the class around the pins.
void* factory_of(const request& what);

// The RTL, reset, in a new object; `Pins` is the class that the block's descriptor names.
template <class Pins>
std::unique_ptr<Pins> make(const request& what) {
  if (is_library(what.description)) return std::unique_ptr<Pins>(static_cast<Pins*>(new_from_library(what)));
  return std::unique_ptr<Pins>(reinterpret_cast<Pins* (*)()>(factory_of(what))());
}

// A library in the cache.
struct cached_library {
  std::string name;  // block, size, key
  std::string file;  // of its description
};
std::vector<cached_library> cached_libraries();

}  // namespace gt200::rtl
