#include "sc_models/sm/volta/tokens.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const path_release_token& token) {
  to.number("warp", 6, token.warp.index());
  to.number("barrier", 4, token.barrier);
  to.mask("lanes", isa::warp_size, token.lanes);
}

void describe(tlm_bus::event_details& event, const path_release_token& token) {
  event.add(token.warp.index());
  event.add(token.barrier);
  event.add(token.lanes);
}

}  // namespace gt200::model
