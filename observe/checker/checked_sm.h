// State that the checker keeps of one SM: the blocks of the reference in its slots, and the instructions in flight.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "observe/checker/in_flight.h"
#include "observe/checker/reference.h"
#include "sc_models/sm/sm_if.h"
#include "toolchain/arch_state/barriers.h"
#include "toolchain/arch_state/pending_registers.h"

namespace gt200::observe {

struct checked_warp {
  bool running = false;  // bound to a warp of a block
  bool faulted = false;  // the reference has stopped here; the model must find the fault
  model::block_slot block_slot;
  std::uint8_t warp_in_block = 0;
  bool arrived_early = false;             // has arrived at a barrier without waiting (bar.arrive)
  arch_state::pending_registers pending;  // results between issue and write-back
  std::vector<in_flight*> under_way;      // oldest first
  std::uint64_t clock_sequence = 0;       // of the youngest instruction that read $clock
  std::uint32_t clock = 0;
  std::optional<std::uint32_t> physid;  // of lane 0
};

struct checked_block {
  bool running = false;
  std::uint32_t block_id = 0;
  const model::grid_descriptor* grid = nullptr;
  std::unique_ptr<reference_block> state;  // made once per launch, used again
  arch_state::barriers barriers{0};
  std::uint32_t waiting = 0;  // warps that wait at a barrier
  std::uint64_t barriers_passed = 0;
  std::vector<std::optional<model::warp_slot>> slots;  // of each warp of the block; none until it issues
  unsigned under_way = 0;
  unsigned unfinished = 0;                                       // warps, or threads if warps are formed anew
  std::vector<arch_state::pending_registers> pending_of_thread;  // if warps are formed anew
};

// Is notified of the events in an SM.
class sm_events {
 public:
  virtual void issued(unsigned sm, const model::warp_instruction& operation) = 0;
  virtual void shared_performed(unsigned sm, const model::warp_instruction& operation) = 0;
  virtual void completed(unsigned sm, const model::warp_instruction& operation) = 0;
  // A section of the shared registers is given to `warp` although `holder` has it.
  virtual void section_given_twice(unsigned sm, unsigned section, model::warp_slot warp,
                                   model::warp_slot holder) = 0;

 protected:
  ~sm_events() = default;
};

class checked_sm final : public tlm_bus::pipe_observer<model::issued_token>,
                         public model::shared_memory_observer,
                         public model::write_back_observer,
                         public model::section_observer {
 public:
  checked_sm(model::sm_if& observed, unsigned index, sm_events& events, tlm_bus::event_order order)
      : module(observed), index_(index), events_(events) {
    at_every_tap([this, order](auto& tap) { tap.attach(*this, order); });
  }
  ~checked_sm() override {
    at_every_tap([this](auto& tap) { tap.detach(*this); });
  }
  checked_sm(const checked_sm&) = delete;
  checked_sm& operator=(const checked_sm&) = delete;

  model::sm_if& module;
  model::per_warp<checked_warp> warps;
  std::vector<checked_block> blocks;  // by slot

  unsigned index() const { return index_; }  // number in the chip
  in_flight* find(model::warp_slot warp, std::uint64_t id) {
    for (in_flight* f : warps[warp].under_way)
      if (f->id == id) return f;
    return nullptr;
  }

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::issued_token& token) override {
    events_.issued(index_, *token.operation);
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::issued_token&) override {}
  void performed(const sc_core::sc_object&, const model::warp_instruction& operation) override {
    events_.shared_performed(index_, operation);
  }
  void completed(const sc_core::sc_object&, const model::warp_instruction& operation) override {
    events_.completed(index_, operation);
  }
  void section_given(model::warp_slot warp, unsigned section) override {
    const auto [holder, is_free] = section_holders_.emplace(section, warp);
    if (!is_free) events_.section_given_twice(index_, section, warp, holder->second);
  }
  void section_returned(model::warp_slot, unsigned section) override { section_holders_.erase(section); }
  template <class Action>
  void at_every_tap(Action act) {
    if (auto* sections = module.probe().section_tap(); sections != nullptr) act(*sections);
    for (auto* tap : module.probe().issue_taps()) act(*tap);
    act(module.probe().shared_memory_tap().tap);
    act(module.probe().completions());
  }

  unsigned index_;
  sm_events& events_;
  std::map<unsigned, model::warp_slot> section_holders_;
};

}  // namespace gt200::observe
