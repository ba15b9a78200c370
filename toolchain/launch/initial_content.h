// The bytes buffers and constants hold before the first step, and what a description names outside of itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "toolchain/launch/description.h"
#include "toolchain/launch/host_functions.h"

namespace gt200::launch {

// By name of the buffer, or of the content of a constant; constants draw after all buffers. Throws input_error:
// unreadable file or one of another size, unknown generator, a generator that leaves a buffer without content.
std::map<std::string, std::vector<std::uint8_t>> make_initial_content(const description& launch,
                                                                      const host_table& hosts);

// Content of a file that line `line` of the launch description `named_in` names. Throws input_error that says so.
std::string read_named_file(const std::string& path, const std::string& named_in, unsigned line);

// Entry of the table, or nullptr.
const host_functions* find_host(const host_table& hosts, const std::string& name);

// What the expectation names. Throw input_error with its line: no such reference; no such file, or one whose size
// is not that of the buffer.
reference_function find_reference(const description& launch, const expectation& e, const host_table& hosts);
std::vector<std::uint8_t> read_expected_file(const description& launch, const expectation& e);

}  // namespace gt200::launch
