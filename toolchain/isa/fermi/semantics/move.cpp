// Moves, selections and votes.
#include <cstring>

#include "toolchain/isa/fermi/semantics/lanes.h"

namespace gt200::isa::fermi::semantics {
namespace {

template <unsigned slot>
void copy_word(const isa::instruction&, lane_bundle& b, lane_mask) {
  std::memcpy(&b.destination[0], &b.source[slot][0], sizeof b.destination[0]);
}

// Copies the value that was read from constant memory.
void copy_loaded(const isa::instruction& any, lane_bundle& b, lane_mask) {
  std::memcpy(b.destination, b.source[0],
              sizeof b.destination[0] * static_cast<unsigned>(isa::words_of(as_fermi(any).memory_type)));
}

struct selection {
  explicit selection(const instruction&) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, bool first) const { return {first ? x : y, 0}; }
};

// The register gets the lanes that vote yes.
void vote(const isa::instruction& any, lane_bundle& b, lane_mask mask) {
  lane_mask yes = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    if (b.predicate_in[0][lane] != 0) yes |= lane_mask{1} << lane;
  yes &= mask;
  bool result = false;
  switch (as_fermi(any).vote) {
    case vote_mode::all: result = yes == mask; break;
    case vote_mode::any: result = yes != 0; break;
    case vote_mode::uni: result = yes == 0 || yes == mask; break;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    b.destination[0].lane[lane] = yes;
    b.predicate_out[0][lane] = result ? 1 : 0;
  }
}

}  // namespace

lane_function move_function(const instruction& i) {
  switch (i.op) {
    case opcode::mov: return copy_word<1>;
    case opcode::s2r: return copy_word<0>;
    case opcode::ldc: return copy_loaded;
    case opcode::sel: return map_words_with_predicate<selection>;
    case opcode::vote: return vote;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
