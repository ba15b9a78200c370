// The resolved configuration as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sc_models/config/chip_config.h"

namespace gt200::config {

enum class comments : std::uint8_t { none, all };

// A complete TOML file: loading it gives the same configuration. With comments, every key says what it means, its
// unit, the allowed values and the source of the preset's value.
std::string to_toml(const gpu_config& config, comments with = comments::none);

// A switch of a mechanism that came later than the first records, and is off: it leaves no trace in hashes, so that
// what was measured without the mechanism keeps its hash.
bool is_later_and_off(std::string_view key, std::string_view value);

// 64-bit FNV-1a over to_toml(config) without such switches: the same for the same values, whatever files they came
// from.
std::uint64_t hash_of(const gpu_config& config);

}  // namespace gt200::config
