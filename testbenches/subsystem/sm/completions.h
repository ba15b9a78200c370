// The cycles in which instructions of a streaming multiprocessor issue and complete.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sc_models/sm/tesla/sm.h"

namespace gt200::support {

// Core cycles.
struct instruction_times {
  tlm_bus::cycle_t issued = 0;
  tlm_bus::cycle_t left_collector = 0;  // memory instructions
  tlm_bus::cycle_t completed = 0;
};

// Records, by text, the first instruction of each kind that completes.
class completions final : public tlm_bus::pipe_observer<model::executed_token>,
                          public tlm_bus::pipe_observer<model::memory_completion_token>,
                          public tlm_bus::pipe_observer<model::collected_token> {
 public:
  explicit completions(model::tesla_sm& sm) : period_(sm.issue.domain().period()) {
    auto& w = sm.write_back;
    for (auto& pipe : w.from_units) pipe.observers().attach(*this);
    for (auto* pipe : {&w.from_shared_memory, &w.from_memory_port, &w.from_branch, &w.from_barrier})
      pipe->observers().attach(*this);
    w.from_memory.observers().attach(*this);
    sm.memory_port.in.observers().attach(*this);
  }
  instruction_times of(const std::string& text) const {
    const auto found = seen_.find(text);
    if (found != seen_.end()) return found->second;
    std::string all;
    for (const auto& [other, when] : seen_) all += "\n  " + other;
    ADD_FAILURE() << text << " is not among" << all;
    return {};
  }
  bool saw(const std::string& text) const { return seen_.count(text) != 0; }

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::executed_token&) override {}
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds,
                  const model::memory_completion_token&) override {}
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds at,
                  const model::collected_token& token) override {
    left_.emplace(token.operation->id, at / period_);
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token&) override {}
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds at,
                   const model::executed_token& token) override {
    note(at, *token.operation);
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds at,
                   const model::memory_completion_token& token) override {
    note(at, *token.operation);
  }
  void note(tlm_bus::femtoseconds at, const model::warp_instruction& operation) {
    const auto left = left_.find(operation.id);
    seen_.emplace(
        isa::text_of(*operation.instruction),
        instruction_times{operation.issued_at.number(), left != left_.end() ? left->second : 0, at / period_});
  }

  tlm_bus::femtoseconds period_;
  std::map<std::uint64_t, tlm_bus::cycle_t> left_;  // by number of the instruction
  std::map<std::string, instruction_times> seen_;
};

}  // namespace gt200::support
