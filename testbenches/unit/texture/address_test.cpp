// The texels that the lanes read, which of them fault, and the rate of address calculation in exact cycles.
#include "sc_models/texture/address.h"

#include <gtest/gtest.h>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/texture/texture_instructions.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using arch_state::fault_kind;
using testing::fetch_instruction;
using testing::for_lanes;
using testing::sample_instruction;
using tlm_bus::cycle_t;

constexpr std::uint64_t image = 0x8000;
constexpr std::uint64_t offset = 0x100000;  // physical from virtual addresses
constexpr cycle_t latency = 2;

class texture_address_test : public support::systemc_test {
 protected:
  texture_address_test() {
    pages.map(0x8000, 0x8000, 0x8000 + offset);
    warp.grid.textures = {{}, texture_binding::linear_memory(image, 1024, {texel_format::u32, 1, false})};
    source.out.bind(unit.from_sm_controller);
    unit.to_l1.bind(sink.in);
  }
  static config::texture_address_config config() {
    config::texture_address_config c;
    c.lanes = 8;
    c.latency_cycles = latency;
    c.queue_entries = 4;
    return c;
  }
  // Reads texel first + stride * lane of linear memory.
  warp_instruction& fetch(std::uint32_t first, std::uint32_t stride) {
    warp_instruction& o = warp.operation(fetch_instruction(1));
    for_lanes([&](unsigned lane) { o.values.source[0][0].lane[lane] = first + stride * lane; });
    return o;
  }
  void bind_volume() {
    sampling::texture_shape shape;
    shape.dimensions = 3;
    shape.extent = {16, 8, 2};
    shape.pitch = 64;
    shape.texel = {texel_format::u8, 4, true};
    shape.filter = sampling::texture_filter::linear;
    warp.grid.textures[1] = texture_binding::of(image, shape);
  }
  void send(warp_instruction& o, cycle_t at) { source.send_at(at, {&o}); }
  const texture_access& access_of(warp_instruction& o) {
    send(o, 5);
    run_until_idle();
    return *sink.taken.at(0).value.access;
  }
  std::vector<cycle_t> cycles() const {
    std::vector<cycle_t> all;
    for (const auto& t : sink.taken) all.push_back(t.cycle);
    return all;
  }

  testing::warp_operations warp;
  page_table pages{4096};
  tlm_bus::pool<texture_access> accesses;
  support::token_source<memory_operation_token> source{"source", uncore()};
  texture_address unit{"address", uncore(), config(), pages, accesses};
  support::token_sink<texture_access_token> sink{"sink", uncore(), 2};
};

TEST_F(texture_address_test, each_lane_gets_the_physical_address_of_its_texel) {
  const texture_access& a = access_of(fetch(10, 3));
  EXPECT_EQ(sink.taken[0].cycle, 5 + latency + 1);
  EXPECT_EQ(a.taps, 1u);
  EXPECT_EQ(a.lanes, 0xffffffffu);
  for_lanes([&](unsigned lane) { EXPECT_EQ(a.physical[0][lane], image + offset + 4 * (10 + 3 * lane)); });
}

TEST_F(texture_address_test, a_warp_takes_32_coordinates_through_8_lanes) {
  for (unsigned i = 0; i < 3; ++i) send(fetch(0, 1), 5);
  run_until_idle();
  const cycle_t first = 5 + latency + 1;
  EXPECT_EQ(cycles(), (std::vector<cycle_t>{first, first + 4, first + 8}));
  EXPECT_EQ(unit.operations.value(), 3u);
}

TEST_F(texture_address_test, a_filter_of_eight_texels_takes_two_passes) {
  bind_volume();
  for (unsigned i = 0; i < 2; ++i) {
    warp_instruction& o = warp.operation(sample_instruction(1, 3));
    for_lanes([&](unsigned lane) {
      for (unsigned d = 0; d < 3; ++d) o.values.source[0][d].lane[lane] = 0x3f800000;  // 1.0
    });
    send(o, 5);
  }
  run_until_idle();
  ASSERT_EQ(sink.taken.size(), 2u);
  EXPECT_EQ(sink.taken[0].value.access->taps, 8u);
  EXPECT_EQ(sink.taken[1].cycle - sink.taken[0].cycle, 8u);
}

TEST_F(texture_address_test, lanes_outside_the_texture_read_no_texel) {
  warp_instruction& o = fetch(1020, 1);
  const texture_access& a = access_of(o);
  EXPECT_EQ(a.lanes, 0xfu);
  EXPECT_EQ(o.fault, fault_kind::none);
  EXPECT_EQ(unit.out_of_range.value(), 28u);
}

TEST_F(texture_address_test, lanes_that_do_not_execute_read_no_texel) {
  warp_instruction& o = fetch(0, 1);
  o.executed = 0x00ff0000;
  EXPECT_EQ(access_of(o).lanes, 0x00ff0000u);
}

TEST_F(texture_address_test, a_unit_without_a_texture_is_a_fault) {
  warp_instruction& o = warp.operation(fetch_instruction(0));
  o.executed = 0xff;
  EXPECT_EQ(access_of(o).lanes, 0u);
  EXPECT_EQ(o.fault, fault_kind::texture_not_bound);
  EXPECT_EQ(o.fault_lanes, 0xffu);
  EXPECT_EQ(unit.faults.value(), 1u);
}

TEST_F(texture_address_test, a_unit_beyond_those_bound_is_a_fault) {
  warp_instruction& o = warp.operation(fetch_instruction(2));
  access_of(o);
  EXPECT_EQ(o.fault, fault_kind::texture_not_bound);
}

TEST_F(texture_address_test, linear_memory_has_no_floating_point_coordinates) {
  warp_instruction& o = warp.operation(sample_instruction(1, 1));
  EXPECT_EQ(access_of(o).lanes, 0u);
  EXPECT_EQ(o.fault, fault_kind::unsupported);
}

TEST_F(texture_address_test, texels_in_unmapped_pages_are_a_fault_of_their_lanes) {
  warp.grid.textures[1] = texture_binding::linear_memory(0xff80, 1024, {texel_format::u32, 1, false});
  warp_instruction& o = fetch(20, 1);  // the mapped pages end behind texel 31
  EXPECT_EQ(access_of(o).lanes, 0u) << "no lane reads";
  EXPECT_EQ(o.fault, fault_kind::unmapped_address);
  EXPECT_EQ(o.fault_lanes, 0xffffffffu << 12);
  EXPECT_EQ(o.fault_address, 0x10000u);
}

TEST_F(texture_address_test, an_instruction_begins_with_no_cache_missed) {
  warp_instruction& o = fetch(0, 1);
  o.caches_missed = 3;
  access_of(o);
  EXPECT_EQ(o.caches_missed, 0u);
}

}  // namespace
}  // namespace gt200::model
