// What the library of Verilated RTL is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gt200::rtl {

// A block of the chip that may be RTL. Each has one descriptor, in the .cpp of its folder (docs/cosimulation.md).
struct block {
  const char* name;        // of its folder below rtl_ref/, and of the reference's description in it: name/name.toml
  const char* interface;   // class in gt200::rtl from which classes around pins derive
  const char* header;      // declares that class; starts at the folder that holds rtl_ref/
  const char* built_with;  // text of that header and of all headers it includes, as this program was built
  const char* interface_digest = "";  // of that text; a shared object of one's own carries the same (export.h)
};

// RTL of a block in one size.
struct request {
  block of;
  std::vector<std::pair<std::string, std::uint64_t>> values;  // {"warps", 32}, ...: what a description may name
  std::string size;                                           // "32x6", for messages and names of folders
  // A file: a description (description.h), or a shared object of one's own (own_library.h). Empty: the reference.
  std::string description;

  std::string text() const { return std::string(of.name) + " " + size; }
};

}  // namespace gt200::rtl
