// Constrained-random stimuli for the issue arbiter's RTL beside the SystemC policy, with functional coverage. Every
// grant of every cycle is compared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "sc_models/sm/cosimulation/rtl_schedulers.h"
#include "tlm_bus/clock_domain.h"

namespace gt200::support {

class arbiter_bench {
 public:
  // Only the bench advances `domain`.
  arbiter_bench(tlm_bus::clock_domain& domain, const rtl::arbiter_kind& kind,
                std::unique_ptr<rtl::arbiter_pins> pins, std::uint64_t seed);

  // Runs that many cycles, or up to the first difference, which it returns as text.
  std::optional<std::string> run(tlm_bus::cycle_t cycles);
  // How often each situation occurred. Contains every situation that should occur, with 0 at first.
  const std::map<std::string, std::uint64_t>& bins() const { return bins_; }

 private:
  void list_bins();
  void hit(const std::string& bin) { ++bins_.at(bin); }
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  model::warp_mask draw_warps();
  void cycle();
  void cover_grant(model::warp_mask requests, unsigned granted);

  tlm_bus::clock_domain& domain_;
  rtl::arbiter_kind kind_;
  model::lockstep_scheduler both_;
  std::mt19937_64 random_;
  unsigned density_ = 0;  // of requests, in eighths
  int last_ = -1;         // the warp that went last
  model::warp_mask started_since_ = 0;
  std::map<std::string, std::uint64_t> bins_;
};

}  // namespace gt200::support
