// Constrained-random stimuli for the scoreboard RTL beside the SystemC model, with functional coverage.
//
// Compares every answer of every cycle, and after every edge the contents of the warps that were used, or of all
// warps when they are few. Registered answers are compared when they arrive. The model is the coon mechanism inside
// the chip; it treats squash and flush, which the chip does not use, as releases.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rtl_ref/scoreboard/pins.h"
#include "sc_models/sm/dependency/coon_tracker.h"
#include "tlm_bus/clock_domain.h"

namespace gt200::support {

class scoreboard_bench {
 public:
  // Only the bench advances `domain`.
  scoreboard_bench(tlm_bus::clock_domain& domain, const config::sm_config& config,
                   std::unique_ptr<rtl::scoreboard_pins> pins, std::uint64_t seed);

  // Runs that many cycles, or up to the first difference, which it returns as text.
  std::optional<std::string> run(tlm_bus::cycle_t cycles);
  // How often each situation occurred. Contains every situation that should occur, with 0 at first.
  const std::map<std::string, std::uint64_t>& bins() const { return bins_; }

 private:
  struct held {
    unsigned warp;
    std::uint64_t entries;
    tlm_bus::cycle_t since;
  };
  struct phase {
    unsigned enters = 0;  // at most, per cycle
    unsigned releases = 0;
    unsigned warps = 1;  // first_warp .. first_warp + warps - 1 are busy
    unsigned first_warp = 0;
    unsigned registers = 8;  // numbers drawn from
  };

  void list_bins();
  void hit(const std::string& bin) { ++bins_.at(bin); }
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  unsigned draw_warp();
  phase draw_phase();
  isa::register_range draw_range();
  isa::instruction draw_instruction();
  void enter();
  void release(bool squash);
  void flush();
  void end_cycle();
  // A look-up with a registered answer.
  struct asked {
    tlm_bus::cycle_t due;
    unsigned port;
    unsigned warp;
    std::string question;
    model::dependency_tracker::lookup expected;
    bool full;      // in the model, after it
    bool rtl_full;  // in the RTL
  };
  void compare(const asked& a, const rtl::scoreboard_pins::answer& got);
  void cover_look_up(unsigned warp, const isa::instruction& instruction,
                     const model::dependency_tracker::lookup& result, std::uint64_t pending);
  void differs(unsigned warp, const std::string& question, const std::string& model, const std::string& rtl);
  std::string contents(unsigned warp);

  tlm_bus::clock_domain& domain_;
  config::sm_config config_;
  unsigned warps_, entries_;
  model::coon_tracker model_;
  std::unique_ptr<rtl::scoreboard_pins> rtl_;
  std::mt19937_64 random_;
  phase phase_;
  std::vector<held> held_;
  std::vector<asked> asked_;
  std::optional<std::string> difference_;
  std::map<std::string, std::uint64_t> bins_;

  // State of the present cycle.
  unsigned ports_ = 0;  // look-ups
  unsigned entered_ = 0;
  unsigned released_ = 0;
  std::vector<std::uint64_t> freed_;       // by warp: entries released, squashed or flushed
  std::vector<std::uint64_t> taken_;       // by warp
  std::vector<std::uint64_t> found_;       // by warp: entries of this cycle's dependency vectors
  std::vector<std::uint64_t> freed_last_;  // the same of the cycle before
  model::warp_mask touched_ = 0;
};

}  // namespace gt200::support
