#include "sc_models/distribution/grid_tokens.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const grid_token& token) {
  to.number("grid", 16, token.grid == nullptr ? 0 : token.grid->grid_id);
}
void describe(tlm_bus::event_details& event, const grid_token& token) {
  event.add(token.grid == nullptr ? 0 : token.grid->grid_id);
  event.add(token.grid == nullptr ? 0 : token.grid->blocks());
}

void show(tlm_bus::signal_writer& to, const grid_end_token& token) { to.flag("faulted", token.faulted); }
void describe(tlm_bus::event_details& event, const grid_end_token& token) { event.add(token.faulted ? 1 : 0); }

}  // namespace gt200::model
