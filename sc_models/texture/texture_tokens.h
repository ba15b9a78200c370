// The tokens between the modules of the texture unit.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"
#include "sc_models/warp_instruction.h"
#include "toolchain/sampling/sampler.h"

namespace gt200::model {

// A texture instruction between address calculation and filter. Pooled per TPC: `address` allocates it, `filter`
// returns it. Arrays are indexed by texel of a lane (tap), then by lane.
struct texture_access {
  // A line that `l1` still has to read, and the lanes that need it for one of their texels.
  struct line_use {
    std::uint16_t line = 0;
    std::uint8_t tap = 0;
    bool missed = false;  // it had not been filled when it was looked up
    isa::lane_mask lanes = 0;
  };

  warp_instruction* operation = nullptr;
  const texture_binding* binding = nullptr;
  unsigned taps = 0;         // texels per lane
  isa::lane_mask lanes = 0;  // lanes that read texels; other executing lanes read 0
  sampling::footprint footprint[isa::warp_size] = {};
  std::uint64_t physical[sampling::max_taps][isa::warp_size] = {};
  std::uint32_t texel[sampling::max_taps][isa::warp_size][4] = {};  // raw bytes, set by `l1`
  unsigned uses = 0;
  line_use use[sampling::max_taps * isa::warp_size] = {};

  // The virtual address of tap `tap` of the lane.
  std::uint64_t address(unsigned lane, unsigned tap) const {
    return binding->address + footprint[lane].offset[tap];
  }
};

struct texture_access_token {
  texture_access* access = nullptr;
};
void show(tlm_bus::signal_writer& to, const texture_access_token& token);
void describe(tlm_bus::event_details& event, const texture_access_token& token);

// Address and filter units need two passes for filters of more texels.
inline constexpr unsigned taps_per_pass = 4;
constexpr unsigned passes_of(unsigned taps) { return taps <= taps_per_pass ? 1 : taps / taps_per_pass; }

}  // namespace gt200::model
