// The page tables that a platform has written into device memory, as the page walkers read them.
#pragma once

#include <functional>

#include "sc_models/memory_path/page_table.h"

namespace gt200::model {

// Reads `bytes` bytes of device memory; false if they are not all there.
using memory_reader = std::function<bool(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes)>;

// All mapped pages of the directory at `directory` and its tables, in a memory of `memory_bytes`. Tables and blocks
// of pages that are not wholly in memory map nothing. Pages of both sizes may occur, so the result is made of small
// ones.
page_table pages_in_memory(std::uint64_t directory, std::uint64_t memory_bytes, const memory_reader& read);

}  // namespace gt200::model
