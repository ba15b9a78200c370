// Shared objects with RTL of one's own, in place of a description (export.h).
#pragma once

#include <string>
#include <vector>

#include "rtl_ref/library/request.h"

namespace gt200::rtl {

// True if what stands in place of a description names a shared object: by its end, .so or .so.N.
bool is_library(const std::string& description);
// Loads it and looks for the block. Throws input_error with the file: it cannot be loaded, does not hold the block,
// or was compiled with other headers.
void require_in_library(const request& what);
// A new object of the class around the pins, in the size asked for. Throws input_error, also with what the
// constructor of that class throws.
void* new_from_library(const request& what);

// Those of `blocks` that the shared object holds. Throws input_error if it cannot be loaded.
std::vector<std::string> blocks_in_library(const std::string& file, const std::vector<std::string>& blocks);

}  // namespace gt200::rtl
