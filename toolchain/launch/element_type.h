// Element types of buffers and scalar arguments, and their little-endian bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::launch {

enum class element_type : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };

std::optional<element_type> parse_element_type(std::string_view name);
std::string_view name_of(element_type type);
std::size_t size_of(element_type type);
bool is_float(element_type type);

// Appends the value. False when an integer does not fit: signed types take their range; unsigned ones also negative
// numbers of the same width, as two's complement. Floats are rounded to the nearest value of the type.
bool append_integer(element_type type, std::int64_t value, std::vector<std::uint8_t>& bytes);
bool append_float(element_type type, double value, std::vector<std::uint8_t>& bytes);

// Writes the `size` low bytes of `bits`: 1, 2, 4 or 8. Of a float, its value rounded to the type.
void put_bits(std::uint64_t bits, std::size_t size, std::uint8_t* to);
void put_float(element_type type, double value, std::uint8_t* to);

// True if the element has the bits of this value, rounded to its type; nothing if the value does not fit.
std::optional<bool> is_number(element_type type, const std::uint8_t* bytes, double value);

// One element as a number (64-bit integers beyond 2^53 are rounded) and as text for messages.
double to_number(element_type type, const std::uint8_t* bytes);
std::string to_text(element_type type, const std::uint8_t* bytes);

}  // namespace gt200::launch
