#include "sc_models/tpc/memory/crossbar_port.h"

#include "tlm_bus/payload_pool.h"

namespace gt200::model {

crossbar_port::crossbar_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore)
    : stage(name, uncore),
      from_load_store_queue("from_load_store_queue", *this, 2),
      to_load_store_queue("to_load_store_queue", *this),
      texture("texture", *this, 2, 1,
              [this](tlm::tlm_generic_payload& payload) { return crossbar->transport_dbg(payload); }),
      crossbar("crossbar", *this) {}

void crossbar_port::tick() {
  return_response();
  send_request();
}

void crossbar_port::return_response() {
  tlm::tlm_generic_payload* const response = crossbar.response();
  if (response == nullptr) return;
  if (tlm_bus::extension_of(*response)->space == tlm_bus::memory_space::texture) {
    if (texture.can_respond()) texture.respond(crossbar.take_response());
  } else if (to_load_store_queue.can_send()) {
    to_load_store_queue.send({&crossbar.take_response()});
  }
}

void crossbar_port::send_request() {
  const payload_token* load_store = from_load_store_queue.front();
  const bool texture_waits = texture.request() != nullptr;
  if ((load_store == nullptr && !texture_waits) || !crossbar.can_request()) return;
  const int winner = turn_.choose(std::uint64_t{load_store != nullptr} | std::uint64_t{texture_waits} << 1);
  turn_.granted(winner);
  ++requests;
  if (load_store != nullptr && texture_waits) {
    ++conflicts;
    wake_next();
  }
  if (winner == 0) {
    tlm::tlm_generic_payload& payload = *load_store->payload;
    from_load_store_queue.pop();
    crossbar.request(payload);
  } else {
    crossbar.request(texture.take_request());
  }
}

}  // namespace gt200::model
