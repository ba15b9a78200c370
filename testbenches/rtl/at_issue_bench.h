// Constrained-random stimuli for the RTL of the scoreboard that takes entries at issue, beside the SystemC model,
// with functional coverage.
//
// The bench is the instruction buffer: it holds the dependency vectors, and issues only what they allow at the last
// edge. It compares every answer of every cycle, and after every edge the contents of the warps that were used, or
// of all warps when they are few.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rtl_ref/scoreboard_at_issue/pins.h"
#include "sc_models/sm/dependency/coon_tracker.h"
#include "tlm_bus/clock_domain.h"

namespace gt200::support {

class at_issue_bench : private model::dependency_vectors {
 public:
  // Only the bench advances `domain`. `config`: with allocate = at_issue.
  at_issue_bench(tlm_bus::clock_domain& domain, const config::sm_config& config,
                 std::unique_ptr<rtl::scoreboard_at_issue_pins> pins, std::uint64_t seed);
  ~at_issue_bench() override = default;

  // Runs that many cycles, or up to the first difference, which it returns as text.
  std::optional<std::string> run(tlm_bus::cycle_t cycles);
  // How often each situation occurred. Contains every situation that should occur, with 0 at first.
  const std::map<std::string, std::uint64_t>& bins() const { return bins_; }

 private:
  using pins = rtl::scoreboard_at_issue_pins;
  struct slot {
    std::unique_ptr<isa::instruction> instruction;
    model::buffered_instruction seen;
    bool ready = false;  // its vector was 0 at the last edge
  };
  struct held {
    unsigned warp;
    std::uint64_t entries;
    tlm_bus::cycle_t since;
  };
  struct phase {
    unsigned enters = 0;  // at most, per cycle
    unsigned issues = 0;
    unsigned releases = 0;
    unsigned warps = 1;  // first_warp .. first_warp + warps - 1 are busy
    unsigned first_warp = 0;
    unsigned registers = 8;  // numbers drawn from
    bool fills = false;      // few warps, and hardly any entry is released
  };
  // Answers of one side to a call.
  struct answers {
    std::uint64_t entries = 0;           // taken or cleared
    std::vector<std::uint64_t> vectors;  // of the instructions concerned, afterwards
    bool full = false;
  };

  // -- the buffer, as the model sees it --
  unsigned buffered(model::warp_slot warp) const override {
    return static_cast<unsigned>(buffer_[warp.index()].size());
  }
  const model::buffered_instruction& at(model::warp_slot warp, unsigned position) const override {
    return buffer_[warp.index()][position].seen;
  }
  void set_dependencies(model::warp_slot warp, unsigned position, std::uint64_t dependencies) override {
    buffer_[warp.index()][position].seen.dependencies = dependencies;
  }
  void clear_dependencies(model::warp_slot warp, std::uint64_t dependencies) override;

  void list_bins();
  void hit(const std::string& bin) { ++bins_.at(bin); }
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  unsigned draw_warp() { return (phase_.first_warp + draw(phase_.warps)) % warps_; }
  phase draw_phase();
  isa::register_range draw_range();
  isa::instruction draw_instruction();
  void enter();
  void issue();
  void release();
  void end_cycle();
  std::vector<std::uint64_t> vectors_of(unsigned warp, unsigned from) const;
  void cover_look_up(unsigned warp, const isa::instruction& instruction, std::uint64_t vector, const char* which);
  void compare(unsigned warp, const std::string& question, const answers& model, const answers& rtl);
  std::string contents(unsigned warp);

  tlm_bus::clock_domain& domain_;
  config::sm_config config_;
  unsigned warps_, entries_, room_;
  model::coon_tracker model_;
  std::unique_ptr<pins> rtl_;
  std::mt19937_64 random_;
  phase phase_;
  std::vector<std::deque<slot>> buffer_;  // by warp, oldest first
  std::vector<held> held_;                // entries of instructions that have issued
  std::map<std::string, std::uint64_t> bins_;
  std::optional<std::string> difference_;
  // Of this cycle.
  unsigned entered_ = 0, issued_ = 0, released_ = 0;
  model::warp_mask touched_ = 0;
  model::warp_mask issued_warps_ = 0;
  std::vector<std::uint64_t> taken_, freed_;  // by warp
  std::vector<std::uint64_t> freed_last_;     // in the cycle before
  std::vector<std::uint64_t> cleared_;        // bits that clear also what enters later in the cycle
};

}  // namespace gt200::support
