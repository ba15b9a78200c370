// Chosen entries of the divergence stacks, as the generation of the SM describes them.
#include <fmt/format.h>

#include "observe/trace/values/values.h"

namespace gt200::observe {
namespace {

std::string text_of_kind(std::uint64_t key) {
  return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(key));
}

class stack_entry_signals final : public tlm_bus::signal_source {
 public:
  stack_entry_signals(const model::sm_probe& sm, model::warp_slot warp, unsigned index)
      : sm_(sm), warp_(warp), index_(index) {}
  void publish(tlm_bus::signal_writer& to) override {
    static const arch_state::stack_entry none;
    const arch_state::divergence& stack = sm_.divergence_of(warp_);
    const arch_state::stack_entry entry = index_ < stack.depth() ? stack.entry(index_) : none;
    to.text("kind", reinterpret_cast<std::uintptr_t>(entry.kind), text_of_kind);
    to.word("pc", 32, entry.pc);
    to.word("reconvergence_pc", 32, entry.reconvergence_pc);
    to.mask("mask", isa::warp_size, entry.mask);
  }

 private:
  const model::sm_probe& sm_;
  model::warp_slot warp_;
  unsigned index_;
};

}  // namespace

void add_stack_entries(catalog& to, model::sm_if& sm) {
  const std::string stack = std::string(sm.name()) + ".simt_stack";
  const sc_core::sc_object* module = module_of(sm, "simt_stack");
  if (module == nullptr || !to.chosen(stack + ".").possible()) return;
  const auto callers = callers_of(to, *module);
  for (unsigned w = 0; w < sm.probe().sizes().warps; ++w) {
    const model::warp_slot warp(w);
    const unsigned entries = sm.probe().divergence_of(warp).max_depth();
    for (unsigned i = 0; i < entries; ++i)
      to.add_values(fmt::format("{}.warp_{}.entry_{}", stack, w, i),
                    std::make_unique<stack_entry_signals>(sm.probe(), warp, i), callers);
  }
}

}  // namespace gt200::observe
