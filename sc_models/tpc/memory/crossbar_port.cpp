#include "sc_models/tpc/memory/crossbar_port.h"

#include "tlm_bus/payload_pool.h"

namespace gt200::model {

crossbar_port::crossbar_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore)
    : stage(name, uncore),
      load_store("load_store", *this, 2, 1,
                 [this](tlm::tlm_generic_payload& payload) { return crossbar->transport_dbg(payload); }),
      texture("texture", *this, 2, 1,
              [this](tlm::tlm_generic_payload& payload) { return crossbar->transport_dbg(payload); }),
      crossbar("crossbar", *this) {}

void crossbar_port::tick() {
  // 1. A response goes back to where its request came from.
  if (tlm::tlm_generic_payload* const response = crossbar.response()) {
    const bool is_texture = tlm_bus::extension_of(*response)->space == tlm_bus::memory_space::texture;
    auto& port = is_texture ? texture : load_store;
    if (port.can_respond()) port.respond(crossbar.take_response());
  }

  // 2. A request goes out.
  const std::uint64_t waiting =
      std::uint64_t{load_store.request() != nullptr} | std::uint64_t{texture.request() != nullptr} << 1;
  if (waiting == 0 || !crossbar.can_request()) return;
  const int winner = turn_.choose(waiting);
  auto& port = winner == 0 ? load_store : texture;
  crossbar.request(port.take_request());
  turn_.granted(winner);
  ++requests;
  if (waiting == 3) {
    ++conflicts;
    wake_next();
  }
}

}  // namespace gt200::model
