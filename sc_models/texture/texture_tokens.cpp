#include "sc_models/texture/texture_tokens.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const texture_access_token& token) {
  show(to, token.access == nullptr ? nullptr : token.access->operation);
}
void describe(tlm_bus::event_details& event, const texture_access_token& token) {
  describe(event, token.access->operation);
}

}  // namespace gt200::model
