// The texture unit behind the SM controller: values, faults, caching, order, time and rates.
#include "sc_models/texture/texture_unit.h"

#include "testbenches/unit/cluster_harness.h"

namespace gt200::model {
namespace {

using testing::for_lanes;

isa::instruction texture_instruction() {
  isa::instruction i;
  i.access.kind = isa::access_kind::texture;
  i.access.space = isa::memory_space::texture;
  return i;
}

class texture_test : public support::systemc_test {
 protected:
  static constexpr std::uint32_t texels = 0x8000;

  testing::tpc_harness& tpc(const std::vector<std::string>& overrides = {}) {
    if (!tpc_) {
      tpc_ = std::make_unique<testing::tpc_harness>("tpc", clock(), testing::test_config(overrides));
      tpc_->grid.textures = {{}, texture_binding::linear_memory(texels, 1024, {texel_format::u32, 1, false})};
      for (std::uint32_t i = 0; i < 4096; ++i) tpc_->dram.set_word(texels + 4 * i, 1000 + i);
    }
    return *tpc_;
  }
  warp_instruction& fetch(std::uint32_t first, std::uint32_t stride, unsigned sm = 0, unsigned write_mask = 1) {
    isa::instruction i = texture_instruction();
    i.texture.texel_numbers = true;
    i.texture.unit = 1;
    i.texture.arguments = 1;
    i.texture.write_mask = static_cast<std::uint8_t>(write_mask);
    warp_instruction& o = tpc().operation(i, sm);
    for_lanes([&](unsigned lane) { o.values.source[0][0].lane[lane] = first + stride * lane; });
    return o;
  }
  tlm_bus::cycle_t run(warp_instruction& o) {
    const tlm_bus::cycle_t sent = uncore().cycle() + 10;
    tpc().send(o, sent);
    run_until_idle();
    EXPECT_NE(tpc().completed_at(o), tlm_bus::no_cycle);
    EXPECT_TRUE(tpc().idle());
    return tpc().completed_at(o) - sent;
  }

 private:
  std::unique_ptr<testing::tpc_harness> tpc_;
};

TEST_F(texture_test, each_lane_receives_its_texel) {
  warp_instruction& o = fetch(100, 3);
  o.executed = ~0x10u;
  run(o);
  for_lanes([&](unsigned lane) {
    EXPECT_EQ(o.values.destination[0].lane[lane], lane == 4 ? 0xeeeeeeeeu : 1100 + 3 * lane);
  });
  for (const auto& s : tpc().dram.seen) {
    EXPECT_EQ(s.bytes, 32u);
    EXPECT_EQ(s.address % 32, 0u);
    EXPECT_EQ(s.extension.space, memory_space::texture);
  }
}

TEST_F(texture_test, components_of_the_write_mask_go_to_consecutive_registers) {
  tpc().grid.textures[1] = texture_binding::linear_memory(texels, 256, {texel_format::u32, 4, false});
  warp_instruction& o = fetch(0, 1, 0, 0b1010);
  run(o);
  for_lanes([&](unsigned lane) {
    EXPECT_EQ(o.values.destination[0].lane[lane], 1000 + 4 * lane + 1);
    EXPECT_EQ(o.values.destination[1].lane[lane], 1000 + 4 * lane + 3);
    EXPECT_EQ(o.values.destination[2].lane[lane], 0xeeeeeeeeu);
  });
}

TEST_F(texture_test, coordinates_outside_read_as_0) {
  warp_instruction& o = fetch(1022, 1, 0, 0b1001);
  o.values.source[0][0].lane[5] = 0xffffffff;
  run(o);
  EXPECT_EQ(o.values.destination[0].lane[1], 1000 + 1023u);
  EXPECT_EQ(o.values.destination[1].lane[1], 1u);
  for (unsigned lane : {2, 5, 31}) {
    EXPECT_EQ(o.values.destination[0].lane[lane], 0u);
    EXPECT_EQ(o.values.destination[1].lane[lane], 0u);
  }
}

TEST_F(texture_test, units_without_texture_and_other_instructions_are_faults) {
  for (const unsigned unit : {0u, 2u}) {
    warp_instruction& o = fetch(0, 1);
    tpc().instructions.back().texture.unit = static_cast<std::uint8_t>(unit);
    run(o);
    EXPECT_EQ(o.fault, arch_state::fault_kind::texture_not_bound);
    EXPECT_EQ(o.fault_lanes, o.executed);
  }
  warp_instruction& o = fetch(0, 1);
  tpc().instructions.back().texture.texel_numbers = false;
  run(o);
  EXPECT_EQ(o.fault, arch_state::fault_kind::unsupported) << "linear memory by floating-point coordinates";
  EXPECT_TRUE(tpc().dram.seen.empty());
}

TEST_F(texture_test, a_handle_of_the_lanes_may_name_the_unit) {
  const auto with_handles = [&](std::uint32_t of_lane_0, std::uint32_t of_others) -> warp_instruction& {
    warp_instruction& o = fetch(0, 1);
    isa::texture_access& access = tpc().instructions.back().texture;
    access.by_handle = true;
    access.unit = 0;
    for (std::uint32_t& handle : o.values.source[2][0].lane) handle = of_others;
    o.values.source[2][0].lane[0] = of_lane_0;
    run(o);
    return o;
  };
  EXPECT_EQ(with_handles(1, 1).values.destination[0].lane[5], 1005u);
  EXPECT_EQ(with_handles(1, 2).fault, arch_state::fault_kind::unsupported);
  EXPECT_EQ(with_handles(2, 2).fault, arch_state::fault_kind::texture_not_bound);
}

TEST_F(texture_test, unmapped_texels_and_refused_fills_are_faults_of_their_lanes) {
  tpc().grid.textures[1] =
      texture_binding::linear_memory(0xff000, 4096, {texel_format::u32, 1, false});  // memory ends at 0x100000
  warp_instruction& unmapped = fetch(0, 64);
  run(unmapped);
  EXPECT_EQ(unmapped.fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(unmapped.fault_lanes, 0xffff0000u);
  EXPECT_EQ(unmapped.fault_address, 0x100000u);
  EXPECT_TRUE(tpc().dram.seen.empty());

  tpc().pages.map(0x100000, 0x1000, 0x100000);
  warp_instruction& refused = fetch(0, 64);
  run(refused);
  EXPECT_EQ(refused.fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(refused.fault_lanes, 0xffff0000u);
  EXPECT_EQ(refused.fault_address, 0x100000u);
}

TEST_F(texture_test, data_stay_in_the_cache_even_if_memory_changes_until_invalidated) {
  run(fetch(0, 1));
  EXPECT_EQ(tpc().dram.seen.size(), 4u);
  tpc().dram.set_word(texels, 5);
  warp_instruction& stale = fetch(0, 1);
  run(stale);
  EXPECT_EQ(tpc().dram.seen.size(), 4u);
  EXPECT_EQ(stale.values.destination[0].lane[0], 1000u);
  tpc().texture.invalidate();
  warp_instruction& fresh = fetch(0, 1);
  run(fresh);
  EXPECT_EQ(tpc().dram.seen.size(), 8u);
  EXPECT_EQ(fresh.values.destination[0].lane[0], 5u);
}

TEST_F(texture_test, sms_of_different_caches_do_not_share_lines) {
  run(fetch(0, 1, 0));
  run(fetch(0, 1, 1));
  EXPECT_EQ(tpc().dram.seen.size(), 8u);
}

TEST_F(texture_test, hit_takes_the_sum_of_the_latencies_and_one_cycle_per_line) {
  run(fetch(0, 1));
  // SM controller 2, address 2, to the L1 1, four lines (3 beyond the first), hit 5, filter 3, back 1, SM 1.
  EXPECT_EQ(run(fetch(0, 1)), 2u + 2 + 1 + 3 + 5 + 3 + 1 + 1);
  EXPECT_EQ(run(fetch(0, 0)), 2u + 2 + 1 + 0 + 5 + 3 + 1 + 1);
}

TEST_F(texture_test, several_lines_are_looked_up_in_a_cycle) {
  tpc({"tpc.texture.l1.lookups_per_cycle=4"});
  run(fetch(0, 1));
  EXPECT_EQ(run(fetch(0, 1)), 2u + 2 + 1 + 5 + 3 + 1 + 1) << "four lines";
}

TEST_F(texture_test, miss_takes_the_way_to_memory_and_back) {
  // To the L1 2 + 2 + 1; to memory 1 + 1, 10 there, 1 + 1 back; filter 3, SM controller 1, SM 1.
  EXPECT_EQ(run(fetch(0, 0)), 2u + 2 + 1 + 2 + 10 + 2 + 3 + 1 + 1);
}

TEST_F(texture_test, hits_behind_a_miss_wait_and_misses_overlap) {
  run(fetch(0, 0));
  tpc().dram.latency = [](std::size_t) { return 100u; };
  warp_instruction& miss = fetch(64, 0);
  warp_instruction& hit = fetch(0, 0);
  warp_instruction& other_miss = fetch(128, 0);
  const tlm_bus::cycle_t sent = uncore().cycle() + 10;
  for (auto* o : {&miss, &hit, &other_miss}) tpc().send(*o, sent);
  run_until_idle();
  EXPECT_LT(tpc().completed_at(miss), tpc().completed_at(hit));
  EXPECT_LT(tpc().completed_at(hit), tpc().completed_at(other_miss));
  EXPECT_LT(tpc().completed_at(other_miss) - sent, 150u);
  EXPECT_EQ(hit.values.destination[0].lane[0], 1000u);
  EXPECT_EQ(other_miss.values.destination[0].lane[0], 1128u);
}

TEST_F(texture_test, warp_that_needs_more_lines_of_a_set_than_there_are_ways_still_completes) {
  // 1 set of 2 ways; every lane its own line; a second warp behind it uses the same lines.
  tpc({"tpc.texture.l1.bytes=64", "tpc.texture.l1.ways=2", "tpc.texture.l1.instances=1"});
  warp_instruction& a = fetch(0, 8);
  warp_instruction& b = fetch(248, 0xfffffff8);
  tpc().send(a, 1);
  tpc().send(b, 2);
  run_until_idle();
  for_lanes([&](unsigned lane) {
    EXPECT_EQ(a.values.destination[0].lane[lane], 1000 + 8 * lane);
    EXPECT_EQ(b.values.destination[0].lane[lane], 1248 - 8 * lane);
  });
  EXPECT_TRUE(tpc().idle());
}

TEST_F(texture_test, no_more_misses_are_outstanding_than_there_are_mshrs) {
  tpc({"tpc.texture.l1.mshrs=2"}).dram.latency = [](std::size_t) { return 100u; };
  run(fetch(0, 8));
  const auto& seen = tpc().dram.seen;
  ASSERT_EQ(seen.size(), 32u);
  EXPECT_EQ(seen[1].cycle, seen[0].cycle + 1);
  EXPECT_EQ(seen[2].cycle, seen[0].cycle + 100 + 2 + 2);
}

// Uncore cycles per instruction of a stream that hits the cache: a tile of 8 x 4 samples of a small image.
class texture_rates : public support::systemc_test {
 protected:
  double cycles_per_instruction(unsigned dimensions, const sampling::texel_layout& texel,
                                sampling::texture_filter filter, std::vector<std::string> overrides = {}) {
    overrides.push_back("tpc.texture.l1.lookups_per_cycle=32");
    testing::tpc_harness tpc("tpc", clock(), testing::test_config(overrides));
    sampling::texture_shape shape;
    shape.dimensions = dimensions;
    shape.extent = {16, 8, dimensions == 3 ? 2u : 1u};
    shape.pitch = 16 * texel.bytes();
    shape.texel = texel;
    shape.filter = filter;
    sampling::use_blocks(shape);
    tpc.grid.textures = {texture_binding::of(0x8000, shape)};
    isa::instruction i = texture_instruction();
    i.texture.arguments = static_cast<std::uint8_t>(dimensions);
    i.texture.write_mask = 1;
    std::vector<warp_instruction*> stream;
    for (unsigned n = 0; n < 40; ++n) {
      warp_instruction& o = tpc.operation(i);
      for_lanes([&](unsigned lane) {
        const float at[3] = {1.25f + static_cast<float>(lane % 8), 1.25f + static_cast<float>(lane / 8), 0.75f};
        for (unsigned d = 0; d < 3; ++d) std::memcpy(&o.values.source[0][d].lane[lane], &at[d], 4);
      });
      tpc.send(o, 1 + n);
      stream.push_back(&o);
    }
    run_until_idle();
    EXPECT_TRUE(tpc.idle());
    return static_cast<double>(tpc.completed_at(*stream[39]) - tpc.completed_at(*stream[19])) / 20;
  }
  static constexpr auto linear = sampling::texture_filter::linear;
  static constexpr auto point = sampling::texture_filter::point;
  static constexpr sampling::texel_layout rgba8 = {texel_format::u8, 4, true};
  static constexpr sampling::texel_layout rgba16 = {texel_format::u16, 4, true};
  static constexpr sampling::texel_layout one_float = {texel_format::f32, 1, false};
  static constexpr sampling::texel_layout four_floats = {texel_format::f32, 4, false};
};

TEST_F(texture_rates, eight_bilinear_samples_per_cycle) { EXPECT_EQ(cycles_per_instruction(2, rgba8, linear), 4); }
TEST_F(texture_rates, eight_point_samples_per_cycle) { EXPECT_EQ(cycles_per_instruction(2, rgba8, point), 4); }
TEST_F(texture_rates, single_floats_are_filtered_at_full_rate) {
  EXPECT_EQ(cycles_per_instruction(2, one_float, linear), 4);
}
TEST_F(texture_rates, trilinear_takes_two_passes) { EXPECT_EQ(cycles_per_instruction(3, rgba8, linear), 8); }
TEST_F(texture_rates, components_of_16_bits_take_two_passes) {
  EXPECT_EQ(cycles_per_instruction(2, rgba16, linear), 8);
}
TEST_F(texture_rates, four_floats_take_four_passes) {
  EXPECT_EQ(cycles_per_instruction(2, four_floats, linear), 16);
}
TEST_F(texture_rates, all_rates_are_parameters) {
  EXPECT_EQ(cycles_per_instruction(2, four_floats, linear,
                                   {"tpc.texture.filter.full_rate_bytes=16", "tpc.texture.filter.lanes=16",
                                    "tpc.texture.address.lanes=4"}),
            8)
      << "four addresses per cycle, as on G80";
}

}  // namespace
}  // namespace gt200::model
