#include "toolchain/assembler/data_values.h"

#include <array>
#include <cstring>

#include "toolchain/assembler/symbols.h"
#include "toolchain/real_number.h"

namespace gt200::assembler {
namespace {

struct type_row {
  std::string_view name;
  std::uint32_t size;
  char kind;  // u, s, or f
};
constexpr std::array<type_row, 12> types = {{{"u8", 1, 'u'},
                                             {"s8", 1, 's'},
                                             {"u16", 2, 'u'},
                                             {"s16", 2, 's'},
                                             {"u32", 4, 'u'},
                                             {"s32", 4, 's'},
                                             {"b32", 4, 'u'},
                                             {"u64", 8, 'u'},
                                             {"s64", 8, 's'},
                                             {"b64", 8, 'u'},
                                             {"f32", 4, 'f'},
                                             {"f64", 8, 'f'}}};

const type_row* find_type(std::string_view name) {
  for (const type_row& row : types)
    if (row.name == name) return &row;
  return nullptr;
}

void append_bits(std::uint64_t bits, std::uint32_t size, std::vector<std::uint8_t>& bytes) {
  for (std::uint32_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

template <class float_type, class bits_type>
bool append_float(std::string_view text, std::vector<std::uint8_t>& bytes) {
  const real_number<float_type> read = whole_real<float_type>(text);
  if (read.length == 0 || read.is_too_large) return false;
  bits_type bits = 0;
  static_assert(sizeof bits == sizeof read.value);
  std::memcpy(&bits, &read.value, sizeof bits);
  append_bits(bits, sizeof bits, bytes);
  return true;
}

bool fits(std::int64_t value, bool has_minus, const type_row& type) {
  if (type.size == 8) return true;
  const std::int64_t half = std::int64_t{1} << (8 * type.size - 1);
  if (has_minus || type.kind == 's') return value >= -half && value < half;
  return value >= 0 && value < 2 * half;
}

}  // namespace

std::optional<std::uint32_t> size_of_type(std::string_view type) {
  const type_row* row = find_type(type);
  if (row == nullptr) return std::nullopt;
  return row->size;
}

bool append_value(std::string_view type, std::string_view value, std::vector<std::uint8_t>& bytes) {
  const type_row* row = find_type(type);
  if (row == nullptr) return false;
  if (row->kind == 'f')
    return row->size == 4 ? append_float<float, std::uint32_t>(value, bytes)
                          : append_float<double, std::uint64_t>(value, bytes);
  const auto number = parse_integer(value);
  if (!number || !fits(*number, value[0] == '-', *row)) return false;
  append_bits(static_cast<std::uint64_t>(*number), row->size, bytes);
  return true;
}

}  // namespace gt200::assembler
