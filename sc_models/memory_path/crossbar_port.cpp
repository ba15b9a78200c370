#include "sc_models/memory_path/crossbar_port.h"

#include "sc_models/memory_transaction.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

crossbar_port::crossbar_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                             unsigned reply_latency)
    : stage(name, uncore),
      from_load_store_queue("from_load_store_queue", *this, 2),
      to_load_store_queue("to_load_store_queue", *this),
      from_page_walker("from_page_walker", *this, 1),
      to_page_walker("to_page_walker", *this),
      texture("texture", *this, 2, 1,
              [this](tlm::tlm_generic_payload& payload) { return crossbar->transport_dbg(payload); }),
      crossbar("crossbar", *this, reply_latency + 1, reply_latency) {}

void crossbar_port::tick() {
  return_response();
  send_request();
}

void crossbar_port::return_response() {
  tlm::tlm_generic_payload* const response = crossbar.response();
  if (response == nullptr) return;
  switch (extension_of(*response)->space) {
    case memory_space::texture:
      if (texture.can_respond()) texture.respond(crossbar.take_response());
      break;
    case memory_space::page_table:
      if (to_page_walker.can_send()) to_page_walker.send({&crossbar.take_response()});
      break;
    default:
      if (to_load_store_queue.can_send()) to_load_store_queue.send({&crossbar.take_response()});
      break;
  }
}

void crossbar_port::send_request() {
  enum source : int { load_store_queue = 0, texture_unit = 1, page_walker = 2 };
  const std::uint64_t waiting = std::uint64_t{from_load_store_queue.front() != nullptr} << load_store_queue |
                                std::uint64_t{texture.request() != nullptr} << texture_unit |
                                std::uint64_t{from_page_walker.front() != nullptr} << page_walker;
  if (waiting == 0 || !crossbar.can_request()) return;
  const int winner = turn_.choose(waiting);
  turn_.granted(winner);
  ++requests;
  if ((waiting & (waiting - 1)) != 0) {
    conflicts += static_cast<unsigned>(__builtin_popcountll(waiting)) - 1;
    wake_next();
  }
  if (winner == texture_unit) {
    crossbar.request(texture.take_request());
  } else {
    auto& from = winner == page_walker ? from_page_walker : from_load_store_queue;
    tlm::tlm_generic_payload& payload = *from.front()->payload;
    from.pop();
    crossbar.request(payload);
  }
}

void crossbar_port::visit_state(tlm_bus::state_image& state) { state(turn_); }

}  // namespace gt200::model
