// Types and initial values in directives: `u32 1 2 0x10`, `f32 0.5 -1`, or a bare number of zero bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::assembler {

// Bytes of u8 s8 u16 s16 u32 s32 b32 u64 s64 b64 f32 f64; nullopt for any other word.
std::optional<std::uint32_t> size_of_type(std::string_view type);

// Appends one little-endian value. False when it is malformed or does not fit the type. Unsigned and bit types also
// take negative numbers that fit as two's complement.
bool append_value(std::string_view type, std::string_view value, std::vector<std::uint8_t>& bytes);

}  // namespace gt200::assembler
