// Shifts, logic, bit fields, counts, permutations.
#include "toolchain/isa/common/permute.h"
#include "toolchain/isa/fermi/semantics/lanes.h"

namespace gt200::isa::fermi::semantics {
namespace {

constexpr std::uint32_t reversed(std::uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}
constexpr word_result plain(std::uint32_t v) { return {v, zero_sign_flags(v)}; }

constexpr std::uint32_t shift_left(std::uint32_t x, std::uint32_t count) { return count > 31 ? 0 : x << count; }
constexpr std::uint32_t shift_right(std::uint32_t x, std::uint32_t count, bool is_signed) {
  const std::uint32_t sign = is_signed && x >> 31 != 0 ? ~0u : 0u;
  if (count > 31) return sign;
  return count == 0 ? x : x >> count | (sign << (32 - count));
}

struct left {
  explicit left(const instruction& i) : mask(i.wrap ? 31u : ~0u) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    return plain(shift_left(x, y & mask));
  }
  std::uint32_t mask;
};

struct right {
  explicit right(const instruction& i) : mask(i.wrap ? 31u : ~0u), is_signed(i.is_signed), reverse(i.reverse) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    return plain(shift_right(reverse ? reversed(x) : x, y & mask, is_signed));
  }
  std::uint32_t mask;
  bool is_signed, reverse;
};

struct logic_operation {
  explicit logic_operation(const instruction& i)
      : op(i.logic), invert_x(i.source[0].invert ? ~0u : 0u), invert_y(i.source[1].invert ? ~0u : 0u) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    x ^= invert_x;
    y ^= invert_y;
    switch (op) {
      case logic_op::and_: return plain(x & y);
      case logic_op::or_: return plain(x | y);
      case logic_op::xor_: return plain(x ^ y);
      case logic_op::second: break;
    }
    return plain(y);
  }
  logic_op op;
  std::uint32_t invert_x, invert_y;
};

// A field: position in bits 0..7, length in bits 8..15.
struct insert {
  explicit insert(const instruction&) {}
  word_result operator()(std::uint32_t x, std::uint32_t field, std::uint32_t base, std::uint32_t) const {
    const std::uint32_t position = field & 0xff;
    const std::uint32_t length = field >> 8 & 0xff;
    const std::uint32_t ones = length > 31 ? ~0u : (1u << length) - 1;
    const std::uint32_t mask = shift_left(ones, position);
    return plain((base & ~mask) | (shift_left(x, position) & mask));
  }
};

struct extract {
  explicit extract(const instruction& i) : is_signed(i.is_signed), reverse(i.reverse) {}
  word_result operator()(std::uint32_t x, std::uint32_t field, std::uint32_t, std::uint32_t) const {
    if (reverse) x = reversed(x);
    const std::uint32_t position = field & 0xff;
    const std::uint32_t length = field >> 8 & 0xff;
    if (length == 0) return plain(0);
    const std::uint32_t end = position + length;
    const std::uint32_t last = end > 32 ? 31 : end - 1;  // position of the sign
    const std::uint32_t ones = length > 31 ? ~0u : (1u << length) - 1;
    const std::uint32_t sign = is_signed && (x >> last & 1) != 0 ? ~0u : 0u;
    const std::uint32_t inside = shift_right(x, position, false);
    if (end <= 32) return plain((inside & ones) | (sign & ~ones));
    return plain(shift_right(x, position, is_signed) & (ones | sign));
  }
  bool is_signed, reverse;
};

// Position of the highest bit that is one, or that differs from the sign.
struct find_leading {
  explicit find_leading(const instruction& i)
      : is_signed(i.is_signed), amount(i.shift_amount), inverted(i.source[1].invert ? ~0u : 0u) {}
  word_result operator()(std::uint32_t, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    y ^= inverted;
    if (is_signed && y >> 31 != 0) y = ~y;
    if (y == 0) return plain(~0u);
    const auto zeros = static_cast<std::uint32_t>(__builtin_clz(y));
    return plain(amount ? zeros : 31 - zeros);
  }
  bool is_signed, amount;
  std::uint32_t inverted;
};

struct population {
  explicit population(const instruction& i)
      : invert_x(i.source[0].invert ? ~0u : 0u), invert_y(i.source[1].invert ? ~0u : 0u) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    return plain(static_cast<std::uint32_t>(__builtin_popcount((x ^ invert_x) & (y ^ invert_y))));
  }
  std::uint32_t invert_x, invert_y;
};

// Bytes of z:x, z above, selected as PTX prmt describes.
struct permute_bytes {
  explicit permute_bytes(const instruction& i) : mode(i.permute) {}
  word_result operator()(std::uint32_t x, std::uint32_t control, std::uint32_t z, std::uint32_t) const {
    return plain(permuted(x | std::uint64_t{z} << 32, control, static_cast<byte_selection>(mode)));
  }
  permute_mode mode;
};

}  // namespace

lane_function bits_function(const instruction& i) {
  switch (i.op) {
    case opcode::shl: return map_words<left>;
    case opcode::shr: return map_words<right>;
    case opcode::lop: return map_words<logic_operation>;
    case opcode::bfi: return map_words<insert>;
    case opcode::bfe: return map_words<extract>;
    case opcode::flo: return map_words<find_leading>;
    case opcode::popc: return map_words<population>;
    case opcode::prmt: return map_words<permute_bytes>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
