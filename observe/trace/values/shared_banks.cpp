// Shows what every bank of a shared memory serves, cycle by cycle.
//
// The model performs an access in one cycle and then keeps the banks busy for as many steps as the access takes.
// The steps follow from its addresses (sc_models/sm/bank_steps.h): those of the first half-warp, then those of the
// second. The data is the word in the storage: what a load reads, and what a store has written.
#include <algorithm>
#include <array>
#include <cstring>

#include "observe/trace/values/values.h"
#include "sc_models/sm/bank_steps.h"
#include "tlm_bus/stage.h"

namespace gt200::observe {
namespace {

using tlm_bus::femtoseconds;

class bank_activity final : public tlm_bus::signal_source, public self_timed {
 public:
  bank_activity(const model::sm_probe& sm, unsigned banks, femtoseconds period)
      : sm_(sm), period_(period), shown_(banks, not_served) {}

  // The access begins at `now`.
  void begin(const model::warp_instruction& access, femtoseconds now) {
    id_ = access.id;
    block_ = access.block_slot;
    write_ = access.instruction->access.stores();
    begun_ = now;
    served_.clear();
    steps_ = 0;
    const auto banks = static_cast<unsigned>(shown_.size());
    const auto bytes = static_cast<unsigned>(isa::bytes_of(access.instruction->access.type));
    const isa::lane_words addresses = model::bank_addresses(access, base_of);
    blocks_mix_ = access.formed && model::alike_in(access.threads.block, access.executed) != access.executed;
    for (unsigned half = 0; half < halves_.size(); ++half) {
      halves_[half] = steps_;
      const unsigned steps = model::serve_half_warp(addresses.lane, access.executed, half, bytes, banks,
                                                    [&](unsigned step, std::uint32_t word) {
                                                      served_.push_back({steps_ + step, word});
                                                    });
      steps_ += std::max(1u, steps);  // a half-warp without lanes takes its cycle too
    }
    show_at(now);
  }

  femtoseconds changes_at() const override {
    return step_ < steps_ ? begun_ + (step_ + 1) * period_ : tlm_bus::no_time;
  }
  void show_at(femtoseconds t) override {
    step_ = static_cast<unsigned>(std::min<femtoseconds>((t - begun_) / period_, steps_));
    std::fill(shown_.begin(), shown_.end(), not_served);
    for (const auto& [step, word] : served_)
      if (step == step_) shown_[model::bank_of(word, static_cast<unsigned>(shown_.size()))] = word;
  }

  void publish(tlm_bus::signal_writer& to) override {
    const bool busy = step_ < steps_;
    to.identifier("access.id", busy ? id_ : 0);
    to.number("access.block", 8, busy ? block_.index() : 0);
    to.number("access.half_warp", 1, busy && step_ >= halves_[1] ? 1 : 0);
    for (unsigned bank = 0; bank < shown_.size(); ++bank) {
      const bool serves = shown_[bank] != not_served;
      to.enter("bank", bank);
      to.flag("busy", serves);
      to.flag("write", serves && write_);
      to.word("address", 16, serves ? shown_[bank] * 4 % block_bytes : 0);
      to.word("data", 32, serves ? word_at(shown_[bank] * 4) : 0);
      to.leave();
    }
  }

 private:
  static constexpr std::uint32_t not_served = ~std::uint32_t{0};
  // Tells the blocks of an access apart; the banks of a word are the same as in its block.
  static constexpr std::uint32_t block_bytes = 0x10000;
  static std::uint32_t base_of(model::block_slot block) { return block.index() * block_bytes; }

  std::uint32_t word_at(std::uint32_t address) const {
    const model::block_slot block = blocks_mix_ ? model::block_slot(address / block_bytes) : block_;
    const std::uint32_t at = address % block_bytes;
    std::uint32_t word = 0;
    if (at + 4 <= sm_.shared_size_of(block)) std::memcpy(&word, sm_.shared_bytes_of(block) + at, 4);
    return word;
  }

  const model::sm_probe& sm_;
  femtoseconds period_;
  std::uint64_t id_ = 0;
  model::block_slot block_;
  bool blocks_mix_ = false;  // the access has threads of several blocks
  bool write_ = false;
  femtoseconds begun_ = 0;
  unsigned steps_ = 0;
  unsigned step_ = 0;                                       // shown now; steps_: the access is over
  std::array<unsigned, 2> halves_{};                        // first step of each half-warp
  std::vector<std::pair<unsigned, std::uint32_t>> served_;  // step, word
  std::vector<std::uint32_t> shown_;                        // by bank: the word in this step, or not_served
};

class access_watch final : public probe, private model::shared_memory_observer {
 public:
  access_watch(model::module_tap<model::shared_memory_observer> memory, probe_listener& listener,
               const tlm_bus::stage& clocked)
      : memory_(memory), listener_(listener), clocked_(clocked) {}
  ~access_watch() override { detach(); }
  void add(bank_activity& banks, std::uint32_t source) {
    banks_ = &banks;
    source_ = source;
  }
  void attach() override { memory_.tap.attach(*this); }
  void detach() override { memory_.tap.detach(*this); }

 private:
  void performed(const sc_core::sc_object&, const model::warp_instruction& operation) override {
    banks_->begin(operation, clocked_.domain().now());
    listener_.touched(source_);
  }
  model::module_tap<model::shared_memory_observer> memory_;
  probe_listener& listener_;
  const tlm_bus::stage& clocked_;
  bank_activity* banks_ = nullptr;
  std::uint32_t source_ = catalog::no_source;
};

}  // namespace

void add_shared_banks(catalog& to, model::sm_if& sm) {
  const std::string path = std::string(sm.name()) + ".shared_memory";
  const auto memory = sm.probe().shared_memory_tap();
  const auto* clocked = dynamic_cast<const tlm_bus::stage*>(&memory.module);
  if (clocked == nullptr || !to.chosen(path + ".").possible()) return;
  auto banks =
      std::make_unique<bank_activity>(sm.probe(), sm.probe().sizes().shared_banks, clocked->domain().period());
  bank_activity& activity = *banks;
  const std::uint32_t source = to.add_values(path, std::move(banks));
  if (source == catalog::no_source) return;
  to.set_timed(source, activity);
  auto watch = std::make_unique<access_watch>(memory, to.listener(), *clocked);
  watch->add(activity, source);
  to.add_watch(std::move(watch));
}

}  // namespace gt200::observe
