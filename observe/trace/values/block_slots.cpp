// The block slots of an SM: what each is doing, for which block, with which warps.
#include <fmt/format.h>

#include "observe/trace/values/values.h"

namespace gt200::observe {
namespace {

using phase = model::block_slot_state::phase;

class block_slot_signals final : public tlm_bus::signal_source {
 public:
  block_slot_signals(const model::sm_probe& sm, model::block_slot slot) : sm_(sm), slot_(slot) {}
  void publish(tlm_bus::signal_writer& to) override {
    const model::block_slot_state state = sm_.slot_state_of(slot_);
    to.text("state", static_cast<std::uint64_t>(state.now),
            [](std::uint64_t key) -> std::string { return name_of(static_cast<phase>(key)); });
    to.number("grid", 16, state.grid_id);
    to.mask("warps", sm_.sizes().warps, state.warps);
    to.number("warps_left", 8, state.unfinished);
  }

 private:
  const model::sm_probe& sm_;
  model::block_slot slot_;
};

}  // namespace

void add_block_slots(catalog& to, model::sm_if& sm) {
  const std::string path = std::string(sm.name()) + ".block_control";
  const sc_core::sc_object* module = module_of(sm, "block_control");
  if (module == nullptr || !to.chosen(path + ".").possible()) return;
  const auto callers = callers_of(to, *module);
  for (unsigned b = 0; b < sm.probe().sizes().blocks; ++b)
    to.add_values(fmt::format("{}.slot_{}", path, b),
                  std::make_unique<block_slot_signals>(sm.probe(), model::block_slot(b)), callers);
}

}  // namespace gt200::observe
