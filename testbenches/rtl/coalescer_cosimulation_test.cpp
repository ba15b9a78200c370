// The coalescer's RTL inside the chip: broken RTL is reported at its first wrong transaction, and waves show its
// pins. That kernels take the same cycles is in cosimulation_test.cpp.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "rtl_ref/coalescer/coalescer.h"
#include "sc_models/memory_path/cosimulation/watched_coalescer.h"
#include "testbenches/rtl/cosimulated_run.h"
#include "testbenches/support/own_process.h"

namespace gt200 {
namespace {

using support::run;
using support::run_here;

// Leaves lanes out of the transactions with several of them: the highest one, or all.
class loses_lanes : public rtl::coalescer_pins {
 public:
  loses_lanes(std::unique_ptr<rtl::coalescer_pins> sound, bool all) : sound_(std::move(sound)), all_(all) {}
  void offer(const half_warp& half) override { sound_->offer(half); }
  transaction next(bool ready) override {
    transaction t = sound_->next(ready);
    if ((t.lanes & (t.lanes - 1)) == 0) return t;
    t.in_sequence = false;
    t.lanes =
        all_ ? std::uint16_t{0} : static_cast<std::uint16_t>(t.lanes & ~(1u << (31 - __builtin_clz(t.lanes))));
    return t;
  }
  void edge() override { sound_->edge(); }
  std::uint16_t lanes_left() const override { return sound_->lanes_left(); }

 private:
  std::unique_ptr<rtl::coalescer_pins> sound_;
  bool all_;
};

template <class Watched>
void lose_lanes(device& target, bool all) {
  const model::chip& chip = target.chip();
  std::vector<model::lockstep_comparison> comparisons;
  for (unsigned sm = 0; sm < chip.config.chip.sms_per_tpc; ++sm)
    comparisons.emplace_back(chip.core, chip.uncore, chip.config.tpc.sm.rtl, sm);
  const auto rule = rtl::coalescer_rule::cc_1_2;
  target.chip().tpcs.front().memory.coalescer.use(std::make_unique<Watched>(
      chip.uncore, rule, std::make_unique<loses_lanes>(rtl::make_coalescer(rule), all), std::move(comparisons)));
}

TEST(coalescer_lockstep, stops_at_the_first_wrong_transaction_and_shows_both_sides) {
  const std::string text = run({"", "reduce0", {"N=512"}}, "lockstep",
                               [](device& target) { lose_lanes<model::lockstep_coalescer>(target, false); });
  for (const char* part :
       {"DIFFERENCE: coalescer: RTL and model differ in transaction 0 of half-warp 0 at core cycle ",
        ", SM 0, warp ", ", pc 0x", " ld b32 $r",
        "  load, words of 4 bytes, lanes 0xffff, by rule 1.2\n  model: 64 bytes at 0x",
        ", lanes 0xffff, in sequence, last\n  RTL:   64 bytes at 0x", ", lanes 0x7fff, last\n",
        "lanes left in the chip: 0xffff, in the RTL: 0xffff\n", "\n  lanes 8 to 15:       0x"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_EQ(text.find("further"), std::string::npos) << text;
}

TEST(coalescer_rtl_alone, that_serves_no_lane_ends_the_run_with_a_report) {
  const std::string text = run({"", "reduce0", {"N=512"}}, "rtl",
                               [](device& target) { lose_lanes<model::rtl_coalescer>(target, true); });
  EXPECT_EQ(
      text.find("WRONG RTL: coalescer: the RTL serves no lane in transaction 0 of half-warp 0 at core cycle "), 0u)
      << text;
}

TEST(coalescer_rtl_alone, that_forgets_a_lane_ends_the_run_with_a_report) {
  const std::string text = run({"", "reduce0", {"N=512"}}, "rtl",
                               [](device& target) { lose_lanes<model::rtl_coalescer>(target, false); });
  EXPECT_EQ(text.find("WRONG RTL: coalescer: the RTL is wrong about the last transaction in transaction 0 "), 0u)
      << text;
}

// Compares what a waveform shows of the coalescer's pins with the transactions that leave it.
class compares_transactions : public tlm_bus::pipe_observer<model::transaction_token> {
 public:
  explicit compares_transactions(model::memory_path& path) : of_(path.coalescer) {
    std::vector<tlm_bus::signal_description> names;
    tlm_bus::signal_writer writer(names);
    of_.publish(writer);
    for (std::size_t i = 0; i < names.size(); ++i) places_[names[i].name] = i;
    values_.resize(names.size());
    path.load_store_queue.from_coalescer.observers().attach(*this);
  }
  unsigned right() const { return right_; }
  unsigned wrong() const { return wrong_; }

 private:
  std::uint64_t value(const std::string& name) const { return values_[places_.at("rtl." + name)]; }
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::transaction_token& t) override {
    if (t.lanes == 0) return;  // an access that no lane executes
    tlm_bus::signal_writer writer(values_.data());
    of_.publish(writer);
    const unsigned half = (t.lanes & 0xffffu) == 0 ? 1 : 0;
    const auto lanes = static_cast<std::uint32_t>(t.lanes >> 16 * half);
    const auto lowest = static_cast<unsigned>(__builtin_ctz(lanes));
    const std::uint32_t address = t.access->operation->values.address.lane[16 * half + lowest];
    const bool same = value("cycle") == of_.cycle() && value("half_valid") == 1 &&
                      value("transaction_valid") == 1 && value("transaction_ready") == 1 &&
                      value("transaction_lanes") == lanes && 1u << value("transaction_size") == t.bytes &&
                      (value("transaction_in_sequence") != 0) == t.in_sequence &&
                      value("lane_" + std::to_string(lowest) + ".address") == address;
    ++(same ? right_ : wrong_);
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::transaction_token&) override {}

  model::coalescer& of_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::uint64_t> values_;
  unsigned right_ = 0;
  unsigned wrong_ = 0;
};

TEST(coalescer_signals, show_the_pins_as_they_are_in_the_cycle) {
  std::optional<compares_transactions> pins;
  const std::string text = support::in_own_process([&] {
    const std::string end = run_here({"", "reduce0", {"N=512"}}, "lockstep",
                                     [&](device& target) { pins.emplace(target.chip().tpcs.front().memory); });
    return end.substr(0, 7) + " " + (pins->right() > 30 ? "many" : "few") + " right, " +
           std::to_string(pins->wrong()) + " wrong";
  });
  EXPECT_EQ(text, "correct many right, 0 wrong");
}

}  // namespace
}  // namespace gt200
