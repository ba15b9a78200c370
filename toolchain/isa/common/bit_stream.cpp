#include "toolchain/isa/common/bit_stream.h"

#include <utility>

namespace gt200::isa {
namespace {

constexpr std::uint64_t ones(unsigned count) { return (std::uint64_t{1} << count) - 1; }

template <class word>
constexpr word mask_of(bit_field f) {
  return (word{ones(f.width)} << f.low) | (word{ones(f.high_width)} << f.high_low);
}

}  // namespace

template <class word>
void basic_bit_stream<word>::fail(std::string reason) {
  if (error_.empty()) error_ = std::move(reason);
}

template <class word>
void basic_bit_stream<word>::put(word mask, word value, const char* what) {
  const word shared = mask & used_;
  if ((words_ & shared) != (value & shared)) {
    fail(std::string(what) + " shares an encoding field with another operand and differs from it");
    return;
  }
  words_ |= value;
  used_ |= mask;
}

template <class word>
void basic_bit_stream<word>::transfer(std::uint32_t& value, bit_field f, const char* what) {
  if (reading_) {
    used_ |= mask_of<word>(f);
    const std::uint64_t low = static_cast<std::uint64_t>(words_ >> f.low) & ones(f.width);
    const std::uint64_t high = static_cast<std::uint64_t>(words_ >> f.high_low) & ones(f.high_width);
    value = static_cast<std::uint32_t>(low | (high << f.width));
    return;
  }
  if (value > ones(f.total_width())) {
    fail(std::string(what) + " does not fit: " + std::to_string(value) + " is above " +
         std::to_string(ones(f.total_width())));
    return;
  }
  const std::uint64_t v = value;
  put(mask_of<word>(f), (word{v & ones(f.width)} << f.low) | (word{v >> f.width} << f.high_low), what);
}

template <class word>
void basic_bit_stream<word>::transfer_signed(std::int32_t& value, bit_field f, const char* what) {
  const unsigned width = f.total_width();
  const std::int64_t limit = std::int64_t{1} << (width - 1);
  if (!reading_ && (value < -limit || value >= limit)) {
    fail(std::string(what) + " does not fit: " + std::to_string(value) + " is not in " + std::to_string(-limit) +
         ".." + std::to_string(limit - 1));
    return;
  }
  std::uint32_t raw = static_cast<std::uint32_t>(value) & static_cast<std::uint32_t>(ones(width));
  transfer(raw, f, what);
  if (reading_) {
    const std::int64_t wide = raw;
    value = static_cast<std::int32_t>(wide >= limit ? wide - 2 * limit : wide);
  }
}

template <class word>
void basic_bit_stream<word>::transfer_offset(std::int32_t& value, bit_field f, unsigned shift, bool is_signed,
                                             const char* what) {
  const std::int32_t unit = std::int32_t{1} << shift;
  if (!reading_ && (value % unit != 0 || (!is_signed && value < 0))) {
    fail(std::string(what) + " " + std::to_string(value) + " is not a " + (is_signed ? "" : "non-negative ") +
         "multiple of " + std::to_string(unit));
    return;
  }
  const std::int64_t last = (std::int64_t{1} << (f.total_width() - (is_signed ? 1 : 0))) - 1;
  const std::int64_t start = is_signed ? -last - 1 : 0;
  if (!reading_ && (value < start * unit || value > last * unit)) {
    fail(std::string(what) + " " + std::to_string(value) + " is not in " + std::to_string(start * unit) + ".." +
         std::to_string(last * unit));
    return;
  }
  std::int32_t units = value / unit;
  if (is_signed) {
    transfer_signed(units, f, what);
  } else {
    std::uint32_t raw = static_cast<std::uint32_t>(units);
    transfer(raw, f, what);
    units = static_cast<std::int32_t>(raw);
  }
  if (reading_) value = units * unit;
}

template <class word>
void basic_bit_stream<word>::transfer(bool& value, unsigned bit, const char* what) {
  std::uint32_t raw = value ? 1 : 0;
  transfer(raw, bit_field{static_cast<std::uint8_t>(bit), 1}, what);
  value = raw != 0;
}

template <class word>
void basic_bit_stream<word>::transfer(std::uint8_t& value, bit_field field, const char* what) {
  std::uint32_t raw = value;
  transfer(raw, field, what);
  value = static_cast<std::uint8_t>(raw);
}

template <class word>
void basic_bit_stream<word>::fix(word mask, word value) {
  if (reading_) {
    used_ |= mask;
  } else {
    put(mask, value, "an operand");
  }
}

template <class word>
void basic_bit_stream<word>::ignore(bit_field field) {
  used_ |= mask_of<word>(field);
}

template class basic_bit_stream<std::uint64_t>;
template class basic_bit_stream<uint128>;

}  // namespace gt200::isa
