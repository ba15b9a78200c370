// Warp instructions for tests of the memory and texture path.
#pragma once

#include <cstring>
#include <deque>

#include "sc_models/cluster_tokens.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model::testing {

enum class operation : std::uint8_t { ld_global, st_global, ld_local, st_local, red_global, atom_global, texfetch };
inline isa::instruction memory_instruction(operation op, isa::data_type type) {
  isa::instruction i;
  isa::memory_access& access = i.access;
  access.type = type;
  access.space = isa::memory_space::global;
  switch (op) {
    case operation::ld_local: access.space = isa::memory_space::local; [[fallthrough]];
    case operation::ld_global: access.kind = isa::access_kind::load; break;
    case operation::st_local: access.space = isa::memory_space::local; [[fallthrough]];
    case operation::st_global: access.kind = isa::access_kind::store; break;
    case operation::red_global: access.kind = isa::access_kind::reduction; break;
    case operation::atom_global: access.kind = isa::access_kind::atomic; break;
    case operation::texfetch:
      access.kind = isa::access_kind::texture;
      access.space = isa::memory_space::texture;
      i.texture.texel_numbers = true;
      break;
  }
  return i;
}

// Owns them, and the grid they belong to.
struct warp_operations {
  warp_operations() {
    grid.local_bytes = 64;
    grid.local_base = 0x40000;
  }

  // An instruction that all lanes execute, to be filled further by the test.
  warp_instruction& operation(const isa::instruction& i, unsigned sm = 0) {
    instructions.push_back(i);
    operations.emplace_back();
    warp_instruction& o = operations.back();
    o.id = operations.size();
    o.instruction = &instructions.back();
    o.grid = &grid;
    o.sm = static_cast<std::uint8_t>(sm);
    o.active = o.executed = 0xffffffff;
    std::memset(&o.values, 0xee, sizeof o.values);
    std::memset(o.values.address_in, 0, sizeof o.values.address_in);
    return o;
  }

  grid_descriptor grid;
  std::deque<isa::instruction> instructions;
  std::deque<warp_instruction> operations;
};

template <class Function>
void for_lanes(Function f) {
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) f(lane);
}

}  // namespace gt200::model::testing
