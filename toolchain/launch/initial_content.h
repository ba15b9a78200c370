// The bytes buffers hold before the first step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "toolchain/launch/description.h"
#include "toolchain/launch/host_functions.h"

namespace gt200::launch {

// By buffer name. Throws input_error: unreadable file or one of another size, unknown generator, a generator that
// leaves a buffer without content.
std::map<std::string, std::vector<std::uint8_t>> make_initial_content(const description& launch,
                                                                      const host_table& hosts);

// Entry of the table, or nullptr.
const host_functions* find_host(const host_table& hosts, const std::string& name);

}  // namespace gt200::launch
