#include "testbenches/rtl/sp_stimuli.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

namespace gt200::support {
namespace {

using isa::tesla::instruction;
using isa::tesla::operand_kind;

std::vector<std::uint32_t> make_special_values() {
  std::set<std::uint32_t> values;
  const auto with_neighbours = [&](std::uint32_t bits) {
    for (const std::uint32_t sign : {0u, 0x80000000u})
      for (const std::uint32_t near : {bits - 1, bits, bits + 1}) values.insert(near ^ sign);
  };
  // Singles: zero, the smallest normal number, 2^-25, 2^-24, 1/2, 1, 2^23, 2^24, 2^31, 2^32, infinity.
  for (const std::uint32_t bits : {0u, 0x00800000u, 0x33000000u, 0x33800000u, 0x3f000000u, 0x3f800000u, 0x4b000000u,
                                   0x4b800000u, 0x4f000000u, 0x4f800000u, 0x7f800000u})
    with_neighbours(bits);
  // Halves between integers, factors whose products lie at the limits of the range, other NaNs.
  for (const std::uint32_t bits : {0x3fc00000u, 0x40200000u, 0x1fffffffu, 0x20000000u, 0x5f7fffffu, 0x5f800000u,
                                   0x7fffffffu, 0x7fc00000u, 0x46fffe00u, 0x477fff80u, 0x34000000u, 0x3f800003u})
    for (const std::uint32_t sign : {0u, 0x80000000u}) values.insert(bits ^ sign);
  // Limits of half precision in single precision, and half precision itself: 2^-33, 2^-25, 2^-14, 65504, 65520.
  for (const std::uint32_t bits : {0x2f000000u, 0x38800000u, 0x477fe000u, 0x477ff000u}) with_neighbours(bits);
  for (const std::uint32_t bits : {0x0400u, 0x3c00u, 0x7c00u, 0x8001u, 0x83ffu, 0xfbffu, 0xfc00u, 0xfe00u})
    values.insert(bits);
  // Integers of 8, 16, 24 and 32 bits, counts, and ones in bits 29:5.
  for (const std::uint32_t bits :
       {2u,          15u,         16u,         17u,         31u,         32u,        33u,
        0x7fu,       0x80u,       0xffu,       0x100u,      0x7fffu,     0x8000u,    0xffffu,
        0x10000u,    0x10001u,    0x20001u,    0x7fffffu,   0xffffffu,   0x1000000u, 0x3fffffe0u,
        0x3fffffffu, 0xffffff80u, 0xffff8000u, 0xff800000u, 0x55555555u, 0xaaaaaaaau})
    values.insert(bits);
  return {values.begin(), values.end()};
}

auto fields_of(const rtl::sp_control& c) {
  return std::make_tuple(c.operation, c.narrow, c.is_signed, c.y_signed, c.source_signed, c.saturate, c.integral,
                         c.negate, c.absolute, c.invert, c.combine, c.bitwise, c.product, c.compare, c.rounding,
                         c.source_size, c.result_size);
}

float single_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::uint32_t draw_word(std::mt19937_64& random) {
  const std::uint64_t r = random();
  const auto uniform = static_cast<std::uint32_t>(r >> 32);
  const auto few = static_cast<std::uint32_t>(r >> 8 & 0xff);
  const auto& special = special_values();
  switch (r & 7) {
    case 0:
    case 1: return uniform;
    case 2: return special[uniform % special.size()];
    case 3: return special[uniform % special.size()] + few % 9 - 4;
    case 4: return (uniform & 0x807fffffu) | (127 + few % 64 - 32) << 23;  // of similar magnitude
    case 5: return (uniform & 1) != 0 ? few % 80 : 0 - few % 80;
    case 6: return static_cast<std::uint32_t>(static_cast<std::int32_t>(uniform) >> few % 32);
    default: return (~0u >> uniform % 32) ^ (~0u >> few % 32) ^ (few < 16 ? 0x80000000u : 0u);
  }
}

// Zeros, infinities, NaNs and the like.
std::uint32_t draw_extreme(std::uint32_t r) {
  constexpr std::uint32_t magnitudes[] = {0,          1,          0x007fffff, 0x00800000,
                                          0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001};
  return magnitudes[r % 8] | (r & 8) << 28;
}

// The product of x and y near a limit of the range of singles: the exponent fields add up to about 127 or 381.
std::uint32_t factor_near_limit(std::uint32_t x, std::uint32_t y, std::uint32_t r) {
  const std::uint32_t field = ((r & 4) != 0 ? 127u : 381u) + (r & 3) - (x >> 23 & 0xffu) - 2;
  return (y & 0x807fffffu) | (field & 0xffu) << 23;
}

}  // namespace

const std::vector<std::uint32_t>& special_values() {
  static const std::vector<std::uint32_t> values = make_special_values();
  return values;
}

sp_instructions::sp_instructions(std::mt19937_64& random) : random_(random), rows_(rtl::sp_operations) {
  for (const isa::tesla::row& r : isa::tesla::opcode_table()) {
    const isa::tesla::encoding_walk walk(r);
    if (const auto first = isa::tesla::decoded(walk.words()); first && rtl::supported(*first))
      rows_[static_cast<std::size_t>(rtl::control_of(*first).operation)].push_back({walk, *first});
  }
}

bool sp_instructions::step(row_walk& row) {
  isa::tesla::encoding_walk walk = row.walk;
  const auto next = random_() % 2 == 0 ? walk.step(random_) : walk.step_by_two(random_);
  if (!next || !rtl::supported(*next)) return false;  // such as a move on the path of the SFU
  row.walk = walk;
  row.current = *next;
  return true;
}

const instruction& sp_instructions::draw() {
  std::vector<row_walk>& rows = rows_[random_() % rows_.size()];
  row_walk& row = rows[random_() % rows.size()];
  for (int attempts = 0; attempts < 4; ++attempts) step(row);
  return row.current;
}

std::vector<instruction> sp_instructions::of_every_control(unsigned steps) {
  std::set<decltype(fields_of({}))> known;
  std::vector<instruction> result;
  for (std::vector<row_walk>& rows : rows_)
    for (row_walk& row : rows)
      for (unsigned n = 0; n < steps; ++n) {
        if (known.insert(fields_of(rtl::control_of(row.current))).second) result.push_back(row.current);
        step(row);
      }
  return result;
}

void draw_operands(const instruction& i, isa::lane_bundle& bundle, std::mt19937_64& random) {
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const std::uint64_t r = random();
    const auto few = static_cast<std::uint32_t>(r >> 40);
    std::uint32_t x = draw_word(random);
    std::uint32_t y = draw_word(random);
    std::uint32_t z = draw_word(random);
    switch (r & 15) {
      case 0: y = x ^ (few & 0x80000000u >> 8) << 8; break;
      case 1: y = (x + few % 9 - 4) ^ (few & 0x100u) << 23; break;
      case 2:
      case 3: y = factor_near_limit(x, y, few); break;
      case 4:
      case 5: z = (bits_of(single_of(x) * single_of(y)) ^ 0x80000000u) + few % 5 - 2; break;
      case 6: z = (bits_of(single_of(x) * single_of(y)) ^ (few & 0x100u) << 23) + ((few % 64 - 32) << 23); break;
      case 7: y = (x ^ (few & 0x100u) << 23) + ((few % 64 - 32) << 23); break;
      case 8: x &= 0xffffu << (few & 16); break;
      case 9: y &= 0x1f; break;
      case 10:
      case 11:
        x = draw_extreme(few);
        y = draw_extreme(few >> 4);
        break;
      default: break;
    }
    bundle.source[0][0].lane[lane] = x;
    bundle.source[1][0].lane[lane] = y;
    bundle.source[2][0].lane[lane] = z;
    bundle.flags_in[lane] = static_cast<std::uint8_t>(r >> 4 & 0xf);
    bundle.address_in[lane] = static_cast<std::uint16_t>(r >> 16);
  }
  apply_immediates(i, bundle);
}

void apply_immediates(const instruction& i, isa::lane_bundle& bundle) {
  for (unsigned k = 0; k < i.source.size(); ++k)
    if (i.source[k].kind == operand_kind::immediate)
      std::fill_n(bundle.source[k][0].lane, isa::warp_size, static_cast<std::uint32_t>(i.source[k].value));
}

rtl::lane_operands operands_of(const isa::lane_bundle& bundle, unsigned lane) {
  return {{bundle.source[0][0].lane[lane], bundle.source[1][0].lane[lane], bundle.source[2][0].lane[lane]},
          bundle.flags_in[lane],
          bundle.address_in[lane]};
}

}  // namespace gt200::support
