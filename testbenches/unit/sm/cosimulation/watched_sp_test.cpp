// What lockstep says of an SP whose RTL calculates wrongly: the operation, its lane, and the operands that entered
// the RTL for it, whatever has entered since.
#include "sc_models/sm/cosimulation/watched_sp.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "sc_models/config/load.h"
#include "sc_models/sm/units/functional_unit.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {
namespace {

constexpr unsigned pipeline_cycles = 6;

// Adds sources 0 and 1, but takes source 0 of its `wrong`-th operation for `instead`, or loses it.
class adding_sp final : public rtl::sp_pins {
 public:
  adding_sp(unsigned wrong, std::optional<std::uint32_t> instead) : left_(wrong), instead_(instead) {}
  unsigned depth() const override { return pipeline_cycles - 1; }
  void start(const rtl::sp_control&, const rtl::lane_operands& o) override {
    const bool right = left_ == 0 || --left_ != 0;
    if (right || instead_) entering_ = rtl::lane_result{(right ? o.source[0] : *instead_) + o.source[1], 0, 0};
  }
  void edge() override {
    stages_.push_front(entering_);
    if (stages_.size() > depth()) stages_.pop_back();
    entering_.reset();
  }
  const rtl::lane_result* result() const override {
    return stages_.size() == depth() && stages_.back() ? &*stages_.back() : nullptr;
  }

 private:
  unsigned left_;
  std::optional<std::uint32_t> instead_;
  std::optional<rtl::lane_result> entering_;
  std::deque<std::optional<rtl::lane_result>> stages_;
};

class ignores_results final : public sc_core::sc_module, public tlm_bus::transaction_target<lane_result> {
 public:
  explicit ignores_results(const sc_core::sc_module_name& name) : sc_module(name), in("in", *this) {}
  void transport(lane_result&) override {}
  tlm_bus::transaction_in<lane_result> in;
};

class lane_source final : public support::script {
 public:
  using script::script;
  tlm_bus::transaction_out<lane_operation> out{"out"};
};

class watched_sp_test : public support::systemc_test {
 protected:
  // The report of ten lanes, one per cycle, of which the RTL calculates the fifth wrongly.
  std::string report(config::model_kind model, std::optional<std::uint32_t> instead) {
    unit_descriptor group;
    group.name = "sp";
    group.functional_units = 8;
    unit_result_port port;
    port.pipeline = shader_cycles(pipeline_cycles);
    group.results.push_back(port);
    functional_unit sp("sp_3", shader(), group, 3, [&](unsigned, const std::string& name) {
      return std::make_unique<watched_sp>(shader(), name, model == config::model_kind::rtl,
                                          lockstep_comparison(core(), shader(), config::rtl_config{}, 0),
                                          std::make_unique<adding_sp>(5, instead));
    });
    ignores_results latch("latch");
    sp.result.bind(latch.in);
    lane_source group_side("group_side", shader());
    group_side.out.bind(sp.operands);
    const isa::tesla::instruction add = addition();
    for (unsigned n = 0; n < 10; ++n) {
      lane_operation o;
      o.instruction = &add;
      o.pc = 0x40;
      o.warp = warp_slot(7);
      o.lane = static_cast<std::uint8_t>(3 + 8 * (n % 4));
      o.predicate = true;
      o.source[0][0] = 0x1000 + n;
      o.source[1][0] = 0xabc00000 + n;
      o.source[2][0] = 0x70 + n;
      o.flags_in = static_cast<std::uint8_t>(n);
      o.address_in = static_cast<std::uint16_t>(0x80 + n);
      group_side.at(20 + n, [o, &group_side]() mutable { group_side.out.send(o); });
    }
    return error_of_run_through(40);
  }

 private:
  static isa::tesla::instruction addition() {
    std::string label;
    isa::tesla::decode_error error;
    const auto i = isa::tesla::parse("add b32 $r1 $r2 $r3", label, error);
    return *isa::tesla::decode(i->words[0], i->words[1], error);
  }
};

TEST_F(watched_sp_test, a_difference_in_lockstep_is_reported_with_the_operands_of_its_own_lane) {
  const std::string text = report(config::model_kind::lockstep, 0x1005);
  EXPECT_NE(text.find("sp_3: RTL and model differ in lane 3 at core cycle 14, SM 0, warp 7, pc 0x40: add"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  lane 3: predicate true, source 0 0x00001004, source 1 0xabc00004, source 2 0x00000074, "
                      "flags 0x4, address 0x0084\n  model: value 0xabc01008"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  RTL:   value 0xabc01009"), std::string::npos) << text;
}

TEST_F(watched_sp_test, a_result_that_the_rtl_loses_in_lockstep_is_reported_with_the_operands) {
  const std::string text = report(config::model_kind::lockstep, std::nullopt);
  EXPECT_NE(text.find("source 0 0x00001004, source 1 0xabc00004"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  RTL:   no result"), std::string::npos) << text;
}

TEST_F(watched_sp_test, a_result_that_the_rtl_alone_loses_is_reported_with_the_operands) {
  const std::string text = report(config::model_kind::rtl, std::nullopt);
  EXPECT_NE(text.find("sp_3: the RTL gives no result for lane 3 at core cycle 14, SM 0, warp 7, pc 0x40: add"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  lane 3: predicate true, source 0 0x00001004, source 1 0xabc00004, source 2 0x00000074"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace gt200::model
