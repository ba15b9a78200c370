// When work of streams runs: in order within a stream, beside work of other streams as far as the board allows.
#include "cuda/worker/schedule.h"

#include <gtest/gtest.h>

#include "sc_models/host/copy_time.h"

namespace gt200::cudart {
namespace {

constexpr std::uint64_t us = 1'000'000'000;
constexpr std::uint64_t grid = 500 * us;
constexpr std::uint64_t launch_cost = 5 * us;
constexpr std::uint64_t copy_cost = 10 * us;
constexpr std::uint64_t megabyte = 1'000'000;

config::host_config host_with(unsigned copy_engines) {
  config::host_config host;
  host.pcie_mb_per_s = 8000;
  host.pcie_packet_bytes = 64;
  host.pcie_packet_overhead_bytes = 16;  // 6.4 GB/s of data
  host.copy_engines = copy_engines;
  host.copy_overhead_ns = 10000;
  host.pageable_mb_per_s = 4000;
  host.launch_overhead_ns = 5000;
  return host;
}
constexpr std::uint64_t on_link = megabyte * us / 6400;  // of a copy of a megabyte

class streams : public testing::Test {
 protected:
  explicit streams(unsigned copy_engines = 1) : host(host_with(copy_engines)), time(host) {}
  void call(std::uint32_t stream, bool page_locked = true, bool returns_early = true) {
    call_context context;
    context.stream = stream;
    context.page_locked = page_locked;
    context.returns_early = returns_early;
    time.begin(context);
  }
  void launch(std::uint32_t stream) {
    call(stream);
    time.accept_launch();
    time.run(grid);
  }
  void copy(std::uint32_t stream, copy_way way = copy_way::to_device) {
    call(stream);
    time.copy(way, 0x10000, megabyte);
  }
  std::uint64_t end_of(std::uint32_t stream) {
    call(stream);
    return time.record();
  }

  config::host_config host;
  schedule time;
};

class streams_without_overlap : public streams {
 protected:
  streams_without_overlap() : streams(0) {}
};
class streams_with_two_engines : public streams {
 protected:
  streams_with_two_engines() : streams(2) {}
};

TEST_F(streams, a_launch_costs_the_program_its_overhead_and_the_grid_runs_behind_it) {
  launch(default_stream);
  EXPECT_EQ(time.host_time(), launch_cost);
  EXPECT_EQ(end_of(default_stream), launch_cost + grid);
  launch(default_stream);
  EXPECT_EQ(end_of(default_stream), launch_cost + 2 * grid) << "launched while the first one ran";
  time.wait();
  EXPECT_EQ(time.host_time(), launch_cost + 2 * grid);
}

TEST_F(streams, a_small_copy_takes_the_fixed_cost_and_a_large_one_the_rate_of_the_link) {
  call(default_stream, true, false);
  time.copy(copy_way::to_device, 0, 4);
  EXPECT_NEAR(static_cast<double>(time.host_time()), copy_cost, 0.01 * us);
  const std::uint64_t before = time.host_time();
  time.copy(copy_way::from_device, 0, 100 * megabyte);
  EXPECT_EQ(time.host_time() - before, copy_cost + 100 * on_link);
}

TEST_F(streams, pageable_memory_goes_by_way_of_page_locked_memory_and_nothing_runs_beside_it) {
  launch(1);
  call(2, false, true);
  time.copy(copy_way::to_device, 0, megabyte);
  const std::uint64_t end = launch_cost + grid + on_link + megabyte * us / 4000;
  EXPECT_EQ(time.host_time(), end) << "the call has waited";
  launch(1);
  EXPECT_EQ(end_of(1), end + launch_cost + grid);
}

TEST_F(streams, a_copy_runs_beside_a_grid_of_another_stream) {
  launch(1);
  copy(2);
  EXPECT_EQ(time.host_time(), launch_cost + copy_cost);
  EXPECT_EQ(end_of(2), launch_cost + copy_cost + on_link);
  EXPECT_EQ(end_of(1), launch_cost + grid);
  copy(1);
  EXPECT_EQ(end_of(1), launch_cost + grid + on_link) << "behind the grid of its own stream";
}

TEST_F(streams, one_engine_copies_one_way_at_a_time) {
  copy(1, copy_way::to_device);
  copy(2, copy_way::from_device);
  EXPECT_EQ(end_of(2), copy_cost + 2 * on_link);
}

TEST_F(streams_with_two_engines, copy_both_ways_at_the_same_time) {
  copy(1, copy_way::to_device);
  copy(2, copy_way::from_device);
  EXPECT_EQ(end_of(1), copy_cost + on_link);
  EXPECT_EQ(end_of(2), 2 * copy_cost + on_link);
  copy(3, copy_way::from_device);
  EXPECT_EQ(end_of(3), 2 * copy_cost + 2 * on_link);
}

TEST_F(streams_without_overlap, copies_and_grids_take_turns) {
  launch(1);
  copy(2);
  EXPECT_EQ(end_of(2), launch_cost + grid + on_link);
  launch(3);
  EXPECT_EQ(end_of(3), launch_cost + 2 * grid + on_link);
  EXPECT_TRUE(time.copies_beside_grid().empty());
}

TEST_F(streams, grids_run_one_at_a_time) {
  launch(1);
  launch(2);
  EXPECT_EQ(end_of(2), launch_cost + 2 * grid);
}

TEST_F(streams, the_default_stream_waits_for_all_and_all_wait_for_it) {
  copy(1);
  launch(default_stream);
  EXPECT_EQ(end_of(default_stream), copy_cost + on_link + grid);
  copy(2);
  EXPECT_EQ(end_of(2), copy_cost + 2 * on_link + grid);
}

TEST_F(streams, wait_for_an_event_of_another_stream) {
  launch(1);
  const std::uint64_t event = end_of(1);
  call(2);
  time.hold_back(event);
  copy(2);
  EXPECT_EQ(end_of(2), event + on_link);
  call(no_stream);
  time.wait();
  EXPECT_EQ(time.host_time(), launch_cost + copy_cost) << "no work to wait for";
}

TEST_F(streams, what_is_left_of_a_copy_is_beside_the_grid) {
  copy(1);
  call(2);
  time.accept_launch();
  const std::vector<copy_beside> beside = time.copies_beside_grid();
  ASSERT_EQ(beside.size(), 1u);
  const double part = static_cast<double>(on_link - launch_cost) / on_link;
  EXPECT_NEAR(static_cast<double>(beside[0].bytes), part * megabyte, 1);
  EXPECT_EQ(beside[0].address + beside[0].bytes, 0x10000 + megabyte);
  time.run(grid);
  call(1);
  time.accept_launch();
  EXPECT_TRUE(time.copies_beside_grid().empty()) << "the copy has ended before this grid begins";
}

TEST_F(streams, the_program_may_be_later_than_the_device_knows) {
  call_context later;
  later.host_time = 1000 * us;
  time.begin(later);
  time.accept_launch();
  time.run(grid);
  EXPECT_EQ(time.record(), 1000 * us + launch_cost + grid);
}

}  // namespace
}  // namespace gt200::cudart
