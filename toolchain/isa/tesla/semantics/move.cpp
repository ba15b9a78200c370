// Data movement between the register files, and the votes.
#include "toolchain/isa/tesla/condition.h"
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::isa::tesla::semantics {
namespace {

template <std::uint32_t kept_bits>
void copy(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) {
    b.destination[0].lane[lane] = b.source[0][0].lane[lane] & kept_bits;
  }
}

// The words of a load from c[] have arrived as the source, extended to 32 bits.
template <int words>
void copy_words(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int k = 0; k < words; ++k)
    for (int lane = 0; lane < warp_size; ++lane) b.destination[k].lane[lane] = b.source[0][k].lane[lane];
}

void copy_from_c(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) b.destination[0].lane[lane] = b.flags_in[lane] & 0xfu;
}

void copy_to_c(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) {
    b.flags_out[lane] = static_cast<std::uint8_t>(b.source[0][0].lane[lane] & 0xfu);
  }
}

void copy_from_a(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) b.destination[0].lane[lane] = b.address_in[lane];
}

// The count is a 4-bit immediate; $a keeps 16 bits.
void shift_to_a(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t count = b.source[1][0].lane[lane] & 0xfu;
    b.address_out[lane] = static_cast<std::uint16_t>(b.source[0][0].lane[lane] << count);
  }
}

void add_to_a(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) {
    b.address_out[lane] = static_cast<std::uint16_t>(b.address_in[lane] + b.source[1][0].lane[lane]);
  }
}

template <bool any>
void vote(const isa::instruction& given, lane_bundle& b, lane_mask active) {
  const instruction& i = as_tesla(given);
  const lane_mask condition = condition_mask(i.condition, b.flags_in, active);
  const bool holds = any ? vote_any_holds(condition, active) : vote_all_holds(condition, active);
  for (int lane = 0; lane < warp_size; ++lane) b.flags_out[lane] = holds ? flags_true : flags_false;
}

}  // namespace

lane_function move_function(const instruction& i) {
  switch (i.op) {
    case opcode::mov: return i.is_16bit ? copy<0xffffu> : copy<0xffffffffu>;
    case opcode::mov_from_sr: return copy<0xffffffffu>;
    case opcode::mov_from_c: return copy_from_c;
    case opcode::mov_to_c: return copy_to_c;
    case opcode::mov_from_a: return copy_from_a;
    case opcode::shl_to_a: return shift_to_a;
    case opcode::add_to_a: return add_to_a;
    case opcode::ld_const:
      switch (words_of(i.source[0].type)) {
        case 1: return copy_words<1>;
        case 2: return copy_words<2>;
        default: return copy_words<4>;
      }
    case opcode::vote_any: return vote<true>;
    case opcode::vote_all: return vote<false>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla::semantics
