// Moves, selections, predicates, exchange between lanes.
#include <cstring>

#include "toolchain/isa/common/permute.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta::semantics {
namespace {

// Copies a value of up to four words.
template <unsigned slot>
void copy(const isa::instruction& any, lane_bundle& b, lane_mask) {
  std::memcpy(b.destination, b.source[slot], sizeof b.destination[0] * as_volta(any).destination.words);
}

void select(const isa::instruction&, lane_bundle& b, lane_mask) {
  for (unsigned lane = 0; lane < warp_size; ++lane)
    b.destination[0].lane[lane] = b.source[b.predicate_in[0][lane] != 0 ? 0 : 1][0].lane[lane];
}

void permute(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const auto mode = static_cast<byte_selection>(as_volta(any).permute);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    b.destination[0].lane[lane] =
        permuted(b.source[0][0].lane[lane] | std::uint64_t{b.source[2][0].lane[lane]} << 32,
                 b.source[1][0].lane[lane], mode);
}

void predicate_logic(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const unsigned index = b.predicate_in[0][lane] * 4u + b.predicate_in[1][lane] * 2u + b.predicate_in[2][lane];
    for (unsigned k = 0; k < 2; ++k) b.predicate_out[k][lane] = i.lut[k] >> index & 1;
  }
}

// The predicates are in source 2 here; those of the mask go into one byte of source 0.
void predicates_to_register(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const unsigned shift = 8u * as_volta(any).byte;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t mask = b.source[1][0].lane[lane] & 0x7f;
    const std::uint32_t bits = b.source[2][0].lane[lane] & mask;
    b.destination[0].lane[lane] = (b.source[0][0].lane[lane] & ~(mask << shift)) | bits << shift;
  }
}

// The new predicates, of which the mask selects those that change, beside the old ones in source 2.
void register_to_predicates(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const unsigned shift = 8u * as_volta(any).byte;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t mask = b.source[1][0].lane[lane] & 0x7f;
    const std::uint32_t bits = b.source[0][0].lane[lane] >> shift & mask;
    b.destination[0].lane[lane] = (b.source[2][0].lane[lane] & ~mask) | bits;
  }
}

void vote(const isa::instruction& any, lane_bundle& b, lane_mask mask) {
  const instruction& i = as_volta(any);
  lane_mask yes = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    if (b.predicate_in[0][lane] != 0) yes |= lane_mask{1} << lane;
  yes &= mask;
  const bool all = yes == mask;
  const bool result = i.vote == vote_mode::all ? all : i.vote == vote_mode::any ? yes != 0 : all || yes == 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    b.destination[0].lane[lane] = yes;
    b.predicate_out[0][lane] = result ? 1 : 0;
  }
}

// PTX, shfl.sync: source 2 holds the end of the segment in bits 0-4 and the mask of segments in bits 8-12.
void shuffle(const isa::instruction& any, lane_bundle& b, lane_mask mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t distance = b.source[1][0].lane[lane] & 31;
    const std::uint32_t clamp = b.source[2][0].lane[lane] & 31;
    const std::uint32_t segment = b.source[2][0].lane[lane] >> 8 & 31;
    const std::uint32_t first = lane & segment;
    const std::uint32_t last = first | (clamp & ~segment);
    std::uint32_t from = lane;
    bool inside = true;
    switch (i.shuffle) {
      case shuffle_mode::idx:
        from = first | (distance & ~segment);
        inside = from <= last;
        break;
      case shuffle_mode::up:
        from = lane - distance;
        inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(last);
        break;
      case shuffle_mode::down:
        from = lane + distance;
        inside = from <= last;
        break;
      case shuffle_mode::bfly:
        from = lane ^ distance;
        inside = from <= last;
        break;
    }
    if (!inside) from = lane;
    // A lane that does not take part gives no value; its reader keeps its own (assumption).
    if ((mask >> from & 1) == 0) from = lane;
    b.destination[0].lane[lane] = b.source[0][0].lane[from];
    b.predicate_out[0][lane] = inside ? 1 : 0;
  }
}

// ANY: the lanes with the same value. ALL: all lanes if they have one value, else none.
void match(const isa::instruction& any, lane_bundle& b, lane_mask mask) {
  const instruction& i = as_volta(any);
  const auto value = [&](unsigned lane) {
    return i.wide ? wide_source(b, 0, lane) : std::uint64_t{b.source[0][0].lane[lane]};
  };
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    lane_mask same = 0;
    for (unsigned other = 0; other < warp_size; ++other)
      if (value(other) == value(lane)) same |= lane_mask{1} << other;
    same &= mask;
    const bool all = same == mask;
    b.destination[0].lane[lane] = i.all_lanes && !all ? 0 : same;
    b.predicate_out[0][lane] = all ? 1 : 0;
  }
}

}  // namespace

lane_function move_function(const instruction& i) {
  switch (i.op) {
    case opcode::mov: return copy<1>;
    case opcode::s2r:
    case opcode::cs2r:
    case opcode::ldc:
    case opcode::qspc: return copy<0>;
    case opcode::sel: return select;
    case opcode::prmt: return permute;
    case opcode::plop3: return predicate_logic;
    case opcode::p2r: return predicates_to_register;
    case opcode::r2p: return register_to_predicates;
    case opcode::vote: return vote;
    case opcode::shfl: return shuffle;
    case opcode::match: return match;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::volta::semantics
