// Integer arithmetic, logic, shifts, comparisons.
#include <algorithm>
#include <bitset>

#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta::semantics {
namespace {

constexpr std::uint64_t two_to_32 = std::uint64_t{1} << 32;

// A term of a sum: -x counts as 2^32 - x, so that the sum of a difference carries when nothing is borrowed.
constexpr std::uint64_t term(std::uint32_t x, const operand& o) {
  if (o.invert) return static_cast<std::uint32_t>(~x);
  return o.negate ? two_to_32 - x : x;
}

void add_three(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint64_t sum = 0;
    for (unsigned k = 0; k < 3; ++k) sum += term(b.source[k][0].lane[lane], i.source[k]);
    if (i.extended) sum += std::uint64_t{b.predicate_in[0][lane]} + b.predicate_in[1][lane];
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(sum);
    b.predicate_out[0][lane] = sum >= two_to_32 ? 1 : 0;
    b.predicate_out[1][lane] = sum >= 2 * two_to_32 ? 1 : 0;
  }
}

void multiply_add(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t product = b.source[0][0].lane[lane] * b.source[1][0].lane[lane];
    std::uint64_t sum = product + term(b.source[2][0].lane[lane], i.source[2]);
    if (i.extended) sum += b.predicate_in[0][lane];
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(sum);
    b.predicate_out[0][lane] = sum >= two_to_32 ? 1 : 0;
  }
}

void multiply_add_wide(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[0][0].lane[lane];
    const std::uint32_t y = b.source[1][0].lane[lane];
    const std::uint64_t product =
        i.is_signed
            ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)} * static_cast<std::int32_t>(y))
            : std::uint64_t{x} * y;
    std::uint64_t addend = wide_source(b, 2, lane);
    if (i.source[2].invert) addend = ~addend;
    if (i.source[2].negate) addend = 0 - addend;
    uint128 sum = uint128{product} + addend;
    if (i.extended) sum += b.predicate_in[0][lane];
    store_wide(b, lane, static_cast<std::uint64_t>(sum));
    b.predicate_out[0][lane] = sum >> 64 != 0 ? 1 : 0;
  }
}

// less 1, equal 2, greater 4
constexpr std::uint32_t relation(std::uint32_t x, std::uint32_t y, bool is_signed) {
  const std::uint32_t flipped = is_signed ? 0x80000000u : 0u;
  return x == y ? 2u : (x ^ flipped) < (y ^ flipped) ? 1u : 4u;
}

// .EX compares the upper words of two 64-bit numbers; predicate 1 is the result of the same comparison of the lower
// words, which counts if the upper ones are equal.
void compare(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t r = relation(b.source[0][0].lane[lane], b.source[1][0].lane[lane], i.is_signed);
    bool truth = (i.compare & r) != 0;
    if (i.extended) {
      const bool lower = b.predicate_in[1][lane] != 0;
      switch (i.compare) {
        case 2: truth = r == 2 && lower; break;  // equal
        case 5: truth = r != 2 || lower; break;  // not equal
        case 0:
        case 7: break;
        default: truth = r == 2 ? lower : truth; break;
      }
    }
    const bool other = b.predicate_in[0][lane] != 0;
    b.predicate_out[0][lane] = combine(i.combine, truth, other) ? 1 : 0;
    b.predicate_out[1][lane] = combine(i.combine, !truth, other) ? 1 : 0;
  }
}

void load_effective_address(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t a = b.source[0][0].lane[lane];
    std::uint32_t high = b.source[2][0].lane[lane];
    if (i.sx32) high = static_cast<std::int32_t>(a) < 0 ? ~0u : 0u;
    const std::uint64_t shifted = (std::uint64_t{high} << 32 | a) << i.shift;
    const auto part = static_cast<std::uint32_t>(i.high ? shifted >> 32 : shifted);
    std::uint64_t sum = term(part, i.source[0]) + term(b.source[1][0].lane[lane], i.source[1]);
    if (i.extended) sum += b.predicate_in[0][lane];
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(sum);
    b.predicate_out[0][lane] = sum >= two_to_32 ? 1 : 0;
  }
}

void logic(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[0][0].lane[lane];
    const std::uint32_t y = b.source[1][0].lane[lane];
    const std::uint32_t z = b.source[2][0].lane[lane];
    std::uint32_t r = 0;
    for (unsigned k = 0; k < 8; ++k)
      if ((i.lut[0] >> k & 1) != 0)
        r |= ((k & 4) != 0 ? x : ~x) & ((k & 2) != 0 ? y : ~y) & ((k & 1) != 0 ? z : ~z);
    b.destination[0].lane[lane] = r;
    const bool other = b.predicate_in[0][lane] != 0;
    b.predicate_out[0][lane] = (i.predicate_and ? r != 0 && other : r != 0 || other) ? 1 : 0;
  }
}

// The pair of source 2 (above) and source 0 moves; one of its words is the result.
void funnel_shift(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  const bool is_wide = i.source_type == number_type::u64 || i.source_type == number_type::s64;
  const bool is_signed = i.source_type == number_type::s32 || i.source_type == number_type::s64;
  const std::uint32_t width = is_wide ? 64 : 32;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t x = std::uint64_t{b.source[2][0].lane[lane]} << 32 | b.source[0][0].lane[lane];
    const std::uint32_t count = b.source[1][0].lane[lane];
    const std::uint32_t n = i.wrap ? count & (width - 1) : std::min(count, width);
    std::uint64_t y = 0;
    if (!i.right)
      y = n > 63 ? 0 : x << n;
    else if (is_signed)
      y = static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> std::min(n, 63u));
    else
      y = n > 63 ? 0 : x >> n;
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(i.high ? y >> 32 : y);
  }
}

void absolute(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[1][0].lane[lane];
    b.destination[0].lane[lane] = x >> 31 != 0 ? 0 - x : x;
  }
}

void find_leading(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint32_t x = b.source[1][0].lane[lane];
    if (i.source[1].invert) x = ~x;
    if (i.is_signed && x >> 31 != 0) x = ~x;
    std::uint32_t r = ~0u;
    if (x != 0) r = static_cast<std::uint32_t>(i.shift_amount ? __builtin_clz(x) : 31 - __builtin_clz(x));
    b.destination[0].lane[lane] = r;
    b.predicate_out[0][lane] = x != 0 ? 1 : 0;
  }
}

void population(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const bool invert = as_volta(any).source[1].invert;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[1][0].lane[lane];
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(std::bitset<32>(invert ? ~x : x).count());
  }
}

void reverse(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint32_t x = b.source[1][0].lane[lane];
    std::uint32_t r = 0;
    for (unsigned k = 0; k < 32; ++k, x >>= 1) r = r << 1 | (x & 1);
    b.destination[0].lane[lane] = r;
  }
}

// `width` ones from bit `start` on.
void bit_mask(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const bool wrap = as_volta(any).wrap;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t start = b.source[0][0].lane[lane];
    const std::uint32_t width = b.source[1][0].lane[lane];
    const std::uint64_t from = wrap ? start & 31 : std::min(start, 32u);
    const std::uint64_t count = wrap ? width & 31 : std::min(width, 32u);
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << from);
  }
}

// Extends the lowest bits, as many as source 1 says.
void extend(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t count = b.source[1][0].lane[lane];
    const std::uint32_t n = i.wrap ? count & 31 : std::min(count, 32u);
    const std::uint64_t mask = (std::uint64_t{1} << n) - 1;
    std::uint32_t r = b.source[0][0].lane[lane] & static_cast<std::uint32_t>(mask);
    if (i.is_signed && n != 0 && (r >> (n - 1) & 1) != 0) r |= ~static_cast<std::uint32_t>(mask);
    b.destination[0].lane[lane] = r;
  }
}

constexpr std::int32_t lane_of(std::uint32_t word, unsigned index, unsigned bits, bool is_signed) {
  const std::uint32_t up = word << (32 - bits * (index + 1));
  return is_signed ? static_cast<std::int32_t>(up) >> (32 - bits) : static_cast<std::int32_t>(up >> (32 - bits));
}

// Four products of bytes, or two of a half and one of the lower bytes.
void dot_product(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[0][0].lane[lane];
    const std::uint32_t y = b.source[1][0].lane[lane];
    std::uint32_t sum = b.source[2][0].lane[lane];
    for (unsigned k = 0; k < (i.pair ? 2u : 4u); ++k)
      sum += static_cast<std::uint32_t>(lane_of(x, k, i.pair ? 16 : 8, i.is_signed) *
                                        lane_of(y, k, 8, i.second_signed));
    b.destination[0].lane[lane] = sum;
  }
}

void byte_differences(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const bool accumulate = as_volta(any).accumulate;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[0][0].lane[lane];
    const std::uint32_t y = b.source[1][0].lane[lane];
    std::uint32_t bytes = 0;
    std::uint32_t sum = b.source[2][0].lane[lane];
    for (unsigned k = 0; k < 4; ++k) {
      const std::int32_t d = lane_of(x, k, 8, false) - lane_of(y, k, 8, false);
      const auto magnitude = static_cast<std::uint32_t>(d < 0 ? -d : d);
      bytes |= magnitude << 8 * k;
      sum += magnitude;
    }
    b.destination[0].lane[lane] = accumulate ? sum : bytes;
  }
}

}  // namespace

lane_function integer_function(const instruction& i) {
  switch (i.op) {
    case opcode::iadd3: return add_three;
    case opcode::imad: return multiply_add;
    case opcode::imad_wide: return multiply_add_wide;
    case opcode::isetp: return compare;
    case opcode::iabs: return absolute;
    case opcode::lea: return load_effective_address;
    case opcode::lop3: return logic;
    case opcode::shf: return funnel_shift;
    case opcode::idp: return dot_product;
    case opcode::flo: return find_leading;
    case opcode::popc: return population;
    case opcode::brev: return reverse;
    case opcode::bmsk: return bit_mask;
    case opcode::sgxt: return extend;
    case opcode::vabsdiff4: return byte_differences;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::volta::semantics
