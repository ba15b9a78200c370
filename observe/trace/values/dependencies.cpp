// Who holds the scoreboard entries of a warp, and the instructions in its buffer with their dependency vectors.
#include <fmt/format.h>

#include "observe/trace/values/values.h"
#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/numbered_names.h"

namespace gt200::observe {
namespace {

constexpr unsigned max_entries = 16;

// The instruction of every scoreboard entry of a warp: one in the buffer that took the entry with its look-up, or
// one in flight that releases it at its write-back.
class entry_owners final : public tlm_bus::signal_source {
 public:
  entry_owners(const model::sm_probe& sm, model::warp_slot warp, unsigned entries)
      : sm_(sm), warp_(warp), owners_(entries) {}
  void publish(tlm_bus::signal_writer& to) override {
    static const tlm_bus::numbered_names names("owner_", max_entries);
    owners_.assign(owners_.size(), 0);
    for (unsigned i = 0; i < sm_.buffered_of(warp_); ++i) {
      const model::buffered_instruction& b = sm_.buffered_at(warp_, i);
      note(b.allocated, b.id);
    }
    for (const model::warp_instruction* o : sm_.in_flight())
      if (o->warp == warp_) note(o->dependency_entries, o->id);
    for (unsigned e = 0; e < owners_.size(); ++e) to.identifier(names[e], owners_[e]);
  }

 private:
  void note(std::uint64_t entries, std::uint64_t id) {
    for (unsigned e = 0; e < owners_.size(); ++e)
      if ((entries >> e & 1) != 0) owners_[e] = id;
  }
  const model::sm_probe& sm_;
  model::warp_slot warp_;
  std::vector<std::uint64_t> owners_;  // ids by entry; 0 = free
};

class buffered_instruction_signals final : public tlm_bus::signal_source {
 public:
  buffered_instruction_signals(const model::sm_probe& sm, model::warp_slot warp, unsigned position)
      : sm_(sm), warp_(warp), position_(position) {}
  void publish(tlm_bus::signal_writer& to) override {
    static const model::buffered_instruction none;
    const model::buffered_instruction& b =
        position_ < sm_.buffered_of(warp_) ? sm_.buffered_at(warp_, position_) : none;
    to.identifier("id", b.id);
    to.word("pc", 32, b.pc);
    to.text("instruction", reinterpret_cast<std::uintptr_t>(b.instruction), model::text_of_instruction);
    to.mask("dependencies", 64, b.dependencies);
    to.mask("allocated", 64, b.allocated);
  }

 private:
  const model::sm_probe& sm_;
  model::warp_slot warp_;
  unsigned position_;
};

}  // namespace

void add_dependencies(catalog& to, model::sm_if& sm) {
  const std::string path = sm.name();
  const model::sm_sizes sizes = sm.probe().sizes();
  const sc_core::sc_object* scoreboard = module_of(sm, "scoreboard");
  if (scoreboard != nullptr && to.chosen(path + ".scoreboard.").possible() && sizes.scoreboard_entries != 0) {
    const auto callers = callers_of(to, *scoreboard);
    for (unsigned w = 0; w < sizes.warps; ++w)
      to.add_values(fmt::format("{}.scoreboard.warp_{}", path, w),
                    std::make_unique<entry_owners>(sm.probe(), model::warp_slot(w), sizes.scoreboard_entries),
                    callers);
  }
  const sc_core::sc_object* buffer = module_of(sm, "instruction_buffer");
  if (buffer == nullptr || !to.chosen(path + ".instruction_buffer.").possible()) return;
  const auto callers = callers_of(to, *buffer);
  for (unsigned w = 0; w < sizes.warps; ++w)
    for (unsigned i = 0; i < sizes.buffered; ++i)
      to.add_values(fmt::format("{}.instruction_buffer.warp_{}.slot_{}", path, w, i),
                    std::make_unique<buffered_instruction_signals>(sm.probe(), model::warp_slot(w), i), callers);
}

}  // namespace gt200::observe
