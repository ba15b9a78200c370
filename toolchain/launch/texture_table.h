// Reads a [[texture]] of a launch description.
#pragma once

#include "toolchain/launch/description.h"
#include "toolchain/launch/strict_table.h"

namespace gt200::launch {

inline constexpr std::initializer_list<const char*> texture_keys = {"name",
                                                                    "unit",
                                                                    "buffer",
                                                                    "width",
                                                                    "height",
                                                                    "depth",
                                                                    "pitch",
                                                                    "layout",
                                                                    "format",
                                                                    "channels",
                                                                    "addressing",
                                                                    "filter",
                                                                    "normalised_coordinates",
                                                                    "normalised_values"};

// `table` was made with texture_keys; `storage` is the buffer it names. Throws input_error.
texture read_texture(const strict_table& table, const buffer& storage);

}  // namespace gt200::launch
