#include "toolchain/launch/element_type.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>

namespace gt200::launch {
namespace {

struct type_row {
  std::string_view name;
  std::size_t size;
  bool is_signed;
  bool is_float;
};
constexpr std::array<type_row, 10> rows = {{{"u8", 1, false, false},
                                            {"s8", 1, true, false},
                                            {"u16", 2, false, false},
                                            {"s16", 2, true, false},
                                            {"u32", 4, false, false},
                                            {"s32", 4, true, false},
                                            {"u64", 8, false, false},
                                            {"s64", 8, true, false},
                                            {"f32", 4, true, true},
                                            {"f64", 8, true, true}}};

const type_row& row_of(element_type type) { return rows[static_cast<std::size_t>(type)]; }

// With the size known the compiler makes one access of the loop.
template <std::size_t size>
std::uint64_t little(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) bits |= std::uint64_t{bytes[i]} << (8 * i);
  return bits;
}
template <std::size_t size>
void put(std::uint64_t bits, std::uint8_t* to) {
  for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

std::uint64_t bits_of(element_type type, const std::uint8_t* bytes) {
  switch (size_of(type)) {
    case 1: return little<1>(bytes);
    case 2: return little<2>(bytes);
    case 4: return little<4>(bytes);
    default: return little<8>(bytes);
  }
}

std::int64_t sign_extended(element_type type, std::uint64_t bits) {
  const std::size_t unused = 64 - 8 * size_of(type);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

// `type` is one of the two of floats.
std::uint64_t bits_of_float(element_type type, double value) {
  std::uint64_t bits = 0;
  if (type == element_type::f64) {
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  const auto narrow = static_cast<float>(value);
  std::uint32_t word = 0;
  std::memcpy(&word, &narrow, sizeof word);
  return word;
}

void append_bits(std::uint64_t bits, std::size_t size, std::vector<std::uint8_t>& bytes) {
  bytes.resize(bytes.size() + size);
  put_bits(bits, size, bytes.data() + bytes.size() - size);
}

// Nothing if the value does not fit; beyond the size of the type the bits are those of the sign.
std::optional<std::uint64_t> bits_of_integer(element_type type, std::int64_t value) {
  const type_row& row = row_of(type);
  if (row.is_float) return bits_of_float(type, static_cast<double>(value));
  if (row.size < 8) {
    const std::int64_t half = std::int64_t{1} << (8 * row.size - 1);
    const bool signed_range = row.is_signed || value < 0;
    if (value < -half || value >= (signed_range ? half : 2 * half)) return std::nullopt;
  }
  return static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<element_type> parse_element_type(std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name) return static_cast<element_type>(i);
  return std::nullopt;
}
std::string_view name_of(element_type type) { return row_of(type).name; }
std::size_t size_of(element_type type) { return row_of(type).size; }
bool is_float(element_type type) { return row_of(type).is_float; }

void put_bits(std::uint64_t bits, std::size_t size, std::uint8_t* to) {
  switch (size) {
    case 1: return put<1>(bits, to);
    case 2: return put<2>(bits, to);
    case 4: return put<4>(bits, to);
    default: return put<8>(bits, to);
  }
}

void put_float(element_type type, double value, std::uint8_t* to) {
  put_bits(bits_of_float(type, value), size_of(type), to);
}

bool append_integer(element_type type, std::int64_t value, std::vector<std::uint8_t>& bytes) {
  const std::optional<std::uint64_t> bits = bits_of_integer(type, value);
  if (bits) append_bits(*bits, size_of(type), bytes);
  return bits.has_value();
}

bool append_float(element_type type, double value, std::vector<std::uint8_t>& bytes) {
  if (!is_float(type)) return false;
  append_bits(bits_of_float(type, value), size_of(type), bytes);
  return true;
}

std::optional<bool> is_number(element_type type, const std::uint8_t* bytes, double value) {
  if (type == element_type::f32) return bits_of_float(type, value) == little<4>(bytes);
  std::optional<std::uint64_t> bits;
  if (is_float(type))
    bits = bits_of_float(type, value);
  else if (value >= -0x1p63 && value < 0x1p63)
    bits = bits_of_integer(type, static_cast<std::int64_t>(value));
  if (!bits) return std::nullopt;
  return *bits << (64 - 8 * size_of(type)) == bits_of(type, bytes) << (64 - 8 * size_of(type));
}

double to_number(element_type type, const std::uint8_t* bytes) {
  const std::uint64_t bits = bits_of(type, bytes);
  if (type == element_type::f32) {
    float value = 0;
    const auto narrow = static_cast<std::uint32_t>(bits);
    std::memcpy(&value, &narrow, sizeof value);
    return static_cast<double>(value);
  }
  if (type == element_type::f64) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  return row_of(type).is_signed ? static_cast<double>(sign_extended(type, bits)) : static_cast<double>(bits);
}

std::string to_text(element_type type, const std::uint8_t* bytes) {
  const std::uint64_t bits = bits_of(type, bytes);
  if (type == element_type::f32)
    return fmt::format("{} (0x{:08x})", static_cast<float>(to_number(type, bytes)), bits);
  if (type == element_type::f64) return fmt::format("{} (0x{:016x})", to_number(type, bytes), bits);
  return row_of(type).is_signed ? fmt::format("{}", sign_extended(type, bits)) : fmt::format("{}", bits);
}

}  // namespace gt200::launch
