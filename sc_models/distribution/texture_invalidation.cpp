#include "sc_models/distribution/texture_invalidation.h"

#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

texture_invalidation::texture_invalidation(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                           unsigned memories, unsigned tpcs)
    : stage(name, uncore), caches("caches") {
  for (unsigned i = 0; i < memories; ++i) writes.emplace_back(("write_" + std::to_string(i)).c_str(), *this, 2);
  for (unsigned i = 0; i < tpcs; ++i) to_tpc.emplace_back(("to_tpc_" + std::to_string(i)).c_str(), *this);
}

void texture_invalidation::tick() {
  for (auto& from : writes) {
    const texture_write_token* const token = from.front();
    if (token == nullptr) continue;
    if (!reported_) reported_ = *token;
    from.pop();
  }
  if (!reported_ || !tpcs_can_take()) return;
  for (int i = 0; i < caches.size(); ++i) caches[i]->invalidate();
  for (auto& tpc : to_tpc) tpc.send(*reported_);
  reported_.reset();
  ++invalidations;
}

// Asks all of them: one that cannot take a token wakes this stage when it can.
bool texture_invalidation::tpcs_can_take() {
  bool all = true;
  for (auto& tpc : to_tpc) all = tpc.can_send() && all;
  return all;
}

void texture_invalidation::visit_state(tlm_bus::state_image& state) { state(reported_); }

}  // namespace gt200::model
