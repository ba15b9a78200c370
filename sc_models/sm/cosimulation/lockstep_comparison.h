// The common part of comparisons of RTL with its SystemC model. The first difference is kept as text and ends the
// run some cycles later (tpc.sm.rtl.run_on_cycles), at the end of a window. Differences are counted until it is
// told to end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/slots.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/state_image.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

struct lockstep_difference {
  enum class kind : std::uint8_t {
    answers,   // RTL and model give different answers
    protocol,  // the RTL gives an answer that no such block may give
  };
  kind what = kind::answers;
  timed::core_cycle cycle;
  unsigned sm = 0;  // in the chip
  warp_slot warp;
  isa::code_address pc = 0;
  std::string text;           // everything about it, several lines
  std::uint64_t further = 0;  // number of later answers that differed

  std::string describe() const;
};

class lockstep_comparison {
 public:
  // `core`: the clock of the SM, which is also that of the block.
  lockstep_comparison(const tlm_bus::clock_domain& core, const config::rtl_config& config, unsigned sm_in_chip)
      : lockstep_comparison(core, core, config, sm_in_chip) {}
  // `domain`: the clock of the block.
  lockstep_comparison(const tlm_bus::clock_domain& core, const tlm_bus::clock_domain& domain,
                      const config::rtl_config& config, unsigned sm_in_chip)
      : core_(core), domain_(domain), sm_(sm_in_chip), run_on_cycles_(config.run_on_cycles) {}

  // Sets the function that ends the run. Without it the difference is reported (tlm_bus/report.h).
  void when_different(std::function<void()> stop) { stop_ = std::move(stop); }
  const std::function<void()>& stop() const { return stop_; }
  // A reset forgets what has been compared, and not who is told.
  void visit_state(tlm_bus::state_image& state) {
    state.fixed(sm_, run_on_cycles_, stop_);
    state(difference_, ended_, compared_, ports_);
  }
  const std::optional<lockstep_difference>& difference() const { return difference_; }
  std::uint64_t compared() const { return compared_; }  // answers
  unsigned sm() const { return sm_; }                   // in the chip

  // Where answers come from, so that a run can say which of them it never used. Blocks that are compared add theirs
  // before the simulation; others have none.
  struct compared_port {
    std::string name;  // of block and port: "scoreboard.release_3"
    std::uint64_t answers = 0;
  };
  void add_port(std::string name) { ports_.push_back({std::move(name), 0}); }
  const std::vector<compared_port>& ports() const { return ports_; }

  // Call this when both sides have answered at a port, by its number; and differs() if the answers differ.
  void answered(std::size_t port) {
    ++compared_;
    ++ports_.at(port).answers;
  }
  std::string place() const;  // "core cycle 5, SM 1"
  // "core cycle 5, SM 1, warp 3, pc 0x10: mov ...", without the PC where there is no instruction.
  std::string place(warp_slot warp, isa::code_address pc, const isa::instruction* instruction) const;
  // Calls `text` only for the first difference.
  void differs(warp_slot warp, isa::code_address pc, const std::function<std::string()>& text,
               lockstep_difference::kind what = lockstep_difference::kind::answers);

 private:
  timed::core_cycle now() const;

  const tlm_bus::clock_domain& core_;
  const tlm_bus::clock_domain& domain_;
  unsigned sm_;
  timed::core_cycles run_on_cycles_;
  std::function<void()> stop_;
  std::optional<lockstep_difference> difference_;
  bool ended_ = false;  // the run has been told to end
  std::uint64_t compared_ = 0;
  std::vector<compared_port> ports_;
};

}  // namespace gt200::model
