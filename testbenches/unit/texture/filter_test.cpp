// Texels to registers, and the rates of the filter in exact cycles. The arithmetic of filtering has tests of its
// own (toolchain/sampling).
#include "sc_models/texture/filter.h"

#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/texture/texture_instructions.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using arch_state::fault_kind;
using testing::fetch_instruction;
using testing::for_lanes;
using tlm_bus::cycle_t;

constexpr cycle_t latency = 3;
constexpr std::uint32_t untouched = 0xeeeeeeee;

class texture_filter_test : public support::systemc_test {
 protected:
  texture_filter_test() {
    source.out.bind(unit.from_l1);
    unit.to_sm_controller.bind(sink.in);
  }
  static config::texture_filter_config config() {
    config::texture_filter_config c;
    c.lanes = 8;
    c.latency_cycles = latency;
    c.full_rate_bytes = 4;
    return c;
  }
  // An access whose lanes have read `taps` texels each: component c of lane n is 100 n + c.
  texture_access& access(const sampling::texel_layout& texel, unsigned taps = 1, unsigned write_mask = 1) {
    bindings_.push_back(texture_binding::linear_memory(0, 64, texel));
    texture_access& a = *accesses.get();
    a.operation = &warp.operation(fetch_instruction(0, write_mask));
    a.binding = &bindings_.back();
    a.taps = taps;
    a.lanes = 0xffffffff;
    for_lanes([&](unsigned lane) {
      a.footprint[lane].taps = taps;
      for (unsigned tap = 0; tap < taps; ++tap)
        for (unsigned c = 0; c < 4; ++c) a.texel[tap][lane][c] = 100 * lane + c;
    });
    return a;
  }
  void send(texture_access& a, cycle_t at) { source.send_at(at, {&a}); }
  // Cycles between the completions of two instructions sent one behind the other.
  cycle_t interval(const sampling::texel_layout& texel, unsigned taps = 1) {
    send(access(texel, taps), 5);
    send(access(texel, taps), 6);
    run_until_idle();
    EXPECT_EQ(sink.taken.size(), 2u);
    return sink.taken[1].cycle - sink.taken[0].cycle;
  }
  static constexpr sampling::texel_layout u32 = {texel_format::u32, 1, false};
  static constexpr sampling::texel_layout four_u32 = {texel_format::u32, 4, false};

  config::texture_filter_config config_ = config();
  testing::warp_operations warp;
  tlm_bus::pool<texture_access> accesses;
  support::token_source<texture_access_token> source{"source", uncore()};
  texture_filter unit{"filter", uncore(), config_, accesses};
  support::token_sink<memory_completion_token> sink{"sink", uncore(), 2};

 private:
  std::deque<texture_binding> bindings_;
};

TEST_F(texture_filter_test, each_lane_gets_its_texel_after_the_latency) {
  texture_access& a = access(u32);
  warp_instruction& o = *a.operation;
  send(a, 5);
  run_until_idle();
  ASSERT_EQ(sink.taken.size(), 1u);
  EXPECT_EQ(sink.taken[0].cycle, 5 + latency + 1);
  EXPECT_EQ(sink.taken[0].value.operation, &o);
  for_lanes([&](unsigned lane) { EXPECT_EQ(o.values.destination[0].lane[lane], 100 * lane); });
  EXPECT_EQ(accesses.outstanding(), 0u);
}

TEST_F(texture_filter_test, selected_components_go_to_consecutive_registers) {
  texture_access& a = access(four_u32, 1, 0b1010);
  warp_instruction& o = *a.operation;
  send(a, 5);
  run_until_idle();
  EXPECT_EQ(o.values.destination[0].lane[3], 301u);
  EXPECT_EQ(o.values.destination[1].lane[3], 303u);
  EXPECT_EQ(o.values.destination[2].lane[3], untouched);
}

TEST_F(texture_filter_test, a_lane_outside_the_texture_reads_zero_and_one_that_does_not_execute_nothing) {
  texture_access& a = access(u32);
  warp_instruction& o = *a.operation;
  a.footprint[4].taps = 0;
  a.lanes &= ~(1u << 4);
  o.executed &= ~(1u << 5);
  a.lanes &= ~(1u << 5);
  send(a, 5);
  run_until_idle();
  EXPECT_EQ(o.values.destination[0].lane[4], 0u);
  EXPECT_EQ(o.values.destination[0].lane[5], untouched);
  EXPECT_EQ(unit.texels.value(), 30u);
}

TEST_F(texture_filter_test, texels_are_weighted) {
  texture_access& a = access({texel_format::f32, 1, false}, 2);
  warp_instruction& o = *a.operation;
  const float texels[2] = {1.0f, 3.0f};
  for_lanes([&](unsigned lane) {
    for (unsigned tap = 0; tap < 2; ++tap) std::memcpy(&a.texel[tap][lane][0], &texels[tap], 4);
    a.footprint[lane].weight = {192, 64};  // of 256
  });
  send(a, 5);
  run_until_idle();
  float result;
  std::memcpy(&result, &o.values.destination[0].lane[17], 4);
  EXPECT_EQ(result, 1.5f);
  EXPECT_EQ(unit.taps.value(), 64u);
}

TEST_F(texture_filter_test, an_instruction_at_fault_writes_no_register) {
  texture_access& a = access(u32);
  warp_instruction& o = *a.operation;
  o.fault = fault_kind::unmapped_address;
  send(a, 5);
  run_until_idle();
  EXPECT_EQ(sink.taken.size(), 1u);
  EXPECT_EQ(o.values.destination[0].lane[0], untouched);
  EXPECT_EQ(unit.texels.value(), 0u);
}

TEST_F(texture_filter_test, eight_results_leave_per_cycle) { EXPECT_EQ(interval(u32), 4u); }

TEST_F(texture_filter_test, four_texels_are_filtered_at_full_rate) { EXPECT_EQ(interval(u32, 4), 4u); }

TEST_F(texture_filter_test, eight_texels_take_two_passes) { EXPECT_EQ(interval(u32, 8), 8u); }

TEST_F(texture_filter_test, a_larger_texel_takes_as_many_passes_as_it_is_larger) {
  EXPECT_EQ(interval(four_u32), 16u);
  EXPECT_EQ(unit.busy_cycles.value(), 32u);
}

}  // namespace
}  // namespace gt200::model
