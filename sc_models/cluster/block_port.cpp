#include "sc_models/cluster/block_port.h"

#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

block_port::block_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned sms,
                       unsigned blocks_per_sm, unsigned latency)
    : stage(name, domain),
      launch("launch", *this, sms * blocks_per_sm, latency),
      retire("retire", *this),
      caches("caches"),
      turn_(sms) {
  for (unsigned i = 0; i < sms; ++i) {
    to_sm.emplace_back(("to_sm_" + std::to_string(i)).c_str(), *this);
    from_sm.emplace_back(("from_sm_" + std::to_string(i)).c_str(), *this, 4);
  }
}

void block_port::tick() {
  // 1. One block to its SM.
  if (const launch_token* token = launch.front()) {
    auto& out = to_sm[token->sm];
    if (out.can_send()) {
      if (token->grid->launch != known_launch_) {
        known_launch_ = token->grid->launch;
        for (int i = 0; i < caches.size(); ++i) caches[i]->invalidate();
      }
      out.send(*token);
      launch.pop();
    }
  }
  // 2. One retired block to the work distributor.
  std::uint64_t waiting = 0;
  for (unsigned i = 0; i < from_sm.size(); ++i)
    if (from_sm[i].front() != nullptr) waiting |= std::uint64_t{1} << i;
  if (waiting == 0 || !retire.can_send()) return;
  const int chosen = turn_.choose(waiting);
  turn_.granted(chosen);
  auto& in = from_sm[static_cast<unsigned>(chosen)];
  retire.send(*in.front());
  in.pop();
  if ((waiting & (waiting - 1)) != 0) wake_next();
}

void block_port::visit_state(tlm_bus::state_image& state) { state(known_launch_, turn_); }

}  // namespace gt200::model
