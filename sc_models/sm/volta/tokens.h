// Tokens that only Volta's SM has, beside those of all generations (sm/stage_tokens.h).
#pragma once

#include <cstdint>

#include "sc_models/slots.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// Barriers of the SM -> branch unit: lanes of a warp that waited at this barrier of their block may go on.
struct path_release_token {
  warp_slot warp;
  std::uint8_t barrier = 0;
  isa::lane_mask lanes = 0;
};
void show(tlm_bus::signal_writer& to, const path_release_token& token);
// Event details: warp, barrier, lanes.
void describe(tlm_bus::event_details& event, const path_release_token& token);

}  // namespace gt200::model
