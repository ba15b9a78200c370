// Arrays in files of NumPy (.npy, format versions 1 to 3): one array with its element type and shape.
//
// Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/launch/element_type.h"

namespace gt200::launch {

struct npy_array {
  element_type type = element_type::u8;
  std::vector<std::uint64_t> shape;  // empty: one number
  std::string_view bytes;            // little-endian elements, in the content that was read

  std::uint64_t count() const {
    std::uint64_t result = 1;
    for (const std::uint64_t extent : shape) result *= extent;
    return result;
  }
};

bool is_npy(std::string_view content);
// The result refers to `content`. Throws input_error with `file` and the reason: a damaged header, an element type
// that no buffer has, big-endian numbers, columns before rows.
npy_array read_npy(std::string_view content, const std::string& file);

// The content of a file with a one-dimensional array.
std::string to_npy(element_type type, const std::uint8_t* bytes, std::uint64_t count);

}  // namespace gt200::launch
