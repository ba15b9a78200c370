// The initial content of buffers and constants, and the files and host functions that a description names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "toolchain/launch/description.h"
#include "toolchain/launch/host_functions.h"

namespace gt200::launch {

// Keyed by the name of the buffer, or of the content of a constant. Constants draw after all buffers. Throws
// input_error for an unreadable file, a file of the wrong size, an unknown generator, and a generator that leaves a
// buffer without content.
std::map<std::string, std::vector<std::uint8_t>> make_initial_content(const description& launch,
                                                                      const host_table& hosts);

// Reads a file that line `line` of the launch description `named_in` names. Throws input_error with that place.
std::string read_named_file(const std::string& path, const std::string& named_in, unsigned line);

// Entry of the table, or nullptr.
const host_functions* find_host(const host_table& hosts, const std::string& name);

// Find what an expectation names. Throw input_error with its line when the reference or file does not exist, or the
// file's size differs from the buffer's.
reference_function find_reference(const description& launch, const expectation& e, const host_table& hosts);
std::vector<std::uint8_t> read_expected_file(const description& launch, const expectation& e);

}  // namespace gt200::launch
