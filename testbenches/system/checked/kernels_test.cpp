// Every kernel of the repository, small, on the model with the emulator beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "apps/support/model_run.h"
#include "observe/checker/checker.h"
#include "testbenches/support/assembly_run.h"

namespace gt200 {
namespace {

// `parameters` make the kernel small.
void runs_like_the_emulator(const std::string& kernel, const std::vector<std::string>& parameters,
                            const std::string& preset = "gt200_small",
                            const std::vector<std::string>& overrides = {}, std::uint64_t shuffle = 0) {
  apps::workload_options options;
  options.what = std::string(GT200_SOURCE_DIR) + "/kernels/" + kernel;
  options.parameters = parameters;
  const auto work = apps::load_workload(options);
  const config::gpu_config config = support::configuration(preset, overrides);
  device_options how;
  how.clocking = clocking_of(config.simulation);
  how.clocking.shuffle_seed = shuffle;
  device target(config, how);
  apps::prepare(*work, target.allocator());
  target.load(work->prepared);
  observe::statistics statistics(target);
  observe::checker checker(target);
  const apps::run_outcome outcome = apps::run_on_model(target, *work, {statistics, &checker});
  EXPECT_EQ(outcome.result.code, apps::exit_code::ok) << outcome.result.text;
  EXPECT_EQ(checker.counts().instructions + checker.counts().meetings, statistics.total().issued())
      << "every instruction was compared";
}

TEST(checked_kernel, vector_add) { runs_like_the_emulator("vector_add", {"N=3000"}); }
TEST(checked_kernel, matrix_mul) { runs_like_the_emulator("matrix_mul", {"N=32"}); }
TEST(checked_kernel, reduce0) { runs_like_the_emulator("reduce0", {"N=2048"}); }
TEST(checked_kernel, bfs) { runs_like_the_emulator("bfs", {"N=128"}); }
TEST(checked_kernel, atomic_counter) { runs_like_the_emulator("atomic_counter", {"N=500"}); }

TEST(checked_kernel, histogram) { runs_like_the_emulator("histogram", {"N=500"}); }
TEST(checked_kernel, daxpy) { runs_like_the_emulator("daxpy", {"N=500"}); }

TEST(checked_kernel, on_the_whole_chip) { runs_like_the_emulator("vector_add", {"N=16384"}, "gt200"); }
TEST(checked_kernel, with_atomics_on_the_whole_chip) {
  runs_like_the_emulator("atomic_counter", {"N=2000"}, "gt200");
}

TEST(checked_kernel, with_two_schedulers_of_different_policies_and_coordinated_fetch) {
  runs_like_the_emulator(
      "reduce0", {"N=2048"}, "gt200_small",
      {"tpc.sm.scheduler.schedulers=2", "tpc.sm.scheduler.policy=gto", "tpc.sm.scheduler.second_policy=two_level",
       "tpc.sm.fetch.policy=coordinated", "tpc.sm.fetch.instructions_per_fetch=2"},
      5);
}
TEST(checked_kernel, with_weighted_schedulers_that_share_one_port) {
  runs_like_the_emulator(
      "bfs", {"N=128"}, "gt200_small",
      {"tpc.sm.scheduler.schedulers=2", "tpc.sm.scheduler.policy=weighted", "tpc.sm.scheduler.second_policy=gty",
       "tpc.sm.scheduler.dispatch_ports=single", "tpc.sm.fetch.policy=weighted", "simulation.stalls_per_1024=100"});
}

TEST(checked_kernel, on_the_six_partitions_of_g80) { runs_like_the_emulator("vector_add", {"N=4096"}, "g80"); }
TEST(checked_kernel, on_seven_partitions) {
  runs_like_the_emulator("atomic_counter", {"N=2000"}, "gt200", {"chip.partitions=7"});
}

TEST(checked_kernel, in_ideal_memory) {
  runs_like_the_emulator("bfs", {"N=128"}, "gt200_small", {"idealisations.ideal_memory=true"});
}
TEST(checked_kernel, with_atomics_of_several_tpcs_in_ideal_memory) {
  runs_like_the_emulator("atomic_counter", {"N=2000"}, "gt200", {"idealisations.ideal_memory=true"}, 9);
}

TEST(checked_kernel, with_stalls_on_every_connection) {
  runs_like_the_emulator("reduce0", {"N=1024"}, "gt200_small", {"simulation.stalls_per_1024=200"});
}
TEST(checked_kernel, with_memory_accesses_and_stalls) {
  runs_like_the_emulator("bfs", {"N=64"}, "gt200_small", {"simulation.stalls_per_1024=200"});
}
TEST(checked_kernel, with_modules_in_another_order) {
  runs_like_the_emulator("matrix_mul", {"N=32"}, "gt200_small", {}, 77);
}

// Every kernel under everything that may change when lanes, operands and results move, but not what comes out.
struct variant {
  const char* name;
  std::vector<std::string> overrides;
};
void PrintTo(const variant& v, std::ostream* out) { *out << v.name; }
struct small_kernel {
  const char* name;
  std::vector<std::string> parameters;
};
void PrintTo(const small_kernel& k, std::ostream* out) { *out << k.name; }

// Every queue of the chip holds one entry, every cache has one MSHR, and one load and one store of a TPC are
// outstanding.
std::vector<std::string> every_queue_at_depth_one(const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {"command_processor.queue_entries=1",
                                        "tpc.sm.fetch.queue_entries=1",
                                        "tpc.sm.instruction_buffer.entries_per_warp=1",
                                        "tpc.sm.operand_collector.sp_units=1",
                                        "tpc.sm.operand_collector.sfu_units=1",
                                        "tpc.sm.operand_collector.dp_units=1",
                                        "tpc.sm.operand_collector.memory_units=1",
                                        "tpc.sm.shared_memory.queue_entries=1",
                                        "tpc.sm.memory_port.queue_entries=1",
                                        "tpc.sm.write_back.queue_entries=1",
                                        "tpc.sm.icache.mshrs=1",
                                        "tpc.sm.constant_cache.mshrs=1",
                                        "tpc.memory.sm_controller.queue_entries=1",
                                        "tpc.memory.load_store_queue.load_entries=1",
                                        "tpc.memory.load_store_queue.store_entries=1",
                                        "tpc.memory.tlb.l1_entries=1",
                                        "tpc.memory.tlb.l2_entries=1",
                                        "tpc.memory.tlb.l2_ways=1",
                                        "tpc.memory.tlb.directory_entries=1",
                                        "tpc.texture.address.queue_entries=1",
                                        "tpc.texture.l1.mshrs=1",
                                        "tpc.l2.mshrs=1",
                                        "l3.mshrs=1",
                                        "l3.queue_entries=1",
                                        "interconnect.crossbar.request_queue_flits=1",
                                        "interconnect.crossbar.reply_queue_flits=1",
                                        "partition.arbiter.queue_entries=1",
                                        "partition.arbiter.held_loads=1",
                                        "partition.rop.queue_entries=1",
                                        "partition.texture_l2.mshrs=1",
                                        "partition.dram.queue_entries=1"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

class kernel_under : public ::testing::TestWithParam<std::tuple<small_kernel, variant>> {};

TEST_P(kernel_under, runs_like_the_emulator) {
  const auto& [kernel, how] = GetParam();
  runs_like_the_emulator(kernel.name, kernel.parameters, "gt200_small", how.overrides);
}

INSTANTIATE_TEST_SUITE_P(
    every, kernel_under,
    ::testing::Combine(
        ::testing::Values(small_kernel{"vector_add", {"N=600"}}, small_kernel{"matrix_mul", {"N=32"}},
                          small_kernel{"reduce0", {"N=512"}}, small_kernel{"bfs", {"N=64"}},
                          small_kernel{"atomic_counter", {"N=200"}}, small_kernel{"histogram", {"N=200"}},
                          small_kernel{"daxpy", {"N=300"}}),
        ::testing::Values(
            variant{"taken_path_first", {"tpc.sm.simt_stack.first_path=taken"}},
            variant{"fall_through_path_first", {"tpc.sm.simt_stack.first_path=fall_through"}},
            variant{"pdom", {"tpc.sm.simt_stack.mechanism=pdom"}},
            variant{"pdom_and_the_taken_path_first",
                    {"tpc.sm.simt_stack.mechanism=pdom", "tpc.sm.simt_stack.first_path=taken",
                     "simulation.stalls_per_1024=80"}},
            variant{"pdom_and_join_before",
                    {"tpc.sm.simt_stack.mechanism=pdom", "tpc.sm.simt_stack.join=before",
                     "tpc.sm.simt_stack.first_path=fall_through"}},
            variant{"join_before", {"tpc.sm.simt_stack.join=before", "simulation.stalls_per_1024=80"}},
            variant{"one_collector_unit_each",
                    {"tpc.sm.operand_collector.sp_units=1", "tpc.sm.operand_collector.sfu_units=1",
                     "tpc.sm.operand_collector.dp_units=1", "tpc.sm.operand_collector.memory_units=1"}},
            variant{"one_port_and_one_bank",
                    {"tpc.sm.register_file.read_ports=1", "tpc.sm.register_file.memory_read_ports=1",
                     "tpc.sm.register_file.write_ports=1", "tpc.sm.register_file.banks=1"}},
            variant{"every_queue_at_depth_one", every_queue_at_depth_one()},
            variant{"every_queue_at_depth_one_and_stalls",
                    every_queue_at_depth_one({"simulation.stalls_per_1024=100"})},
            variant{"seven_partitions_and_islip",
                    {"chip.partitions=7", "interconnect.crossbar.arbitration=islip"}})),
    [](const auto& of) { return std::string(std::get<0>(of.param).name) + "_with_" + std::get<1>(of.param).name; });

// The kernels that measure the memory system.
INSTANTIATE_TEST_SUITE_P(
    measuring, kernel_under,
    ::testing::Combine(::testing::Values(small_kernel{"copy", {"N=2048"}}, small_kernel{"transpose", {"N=64"}},
                                         small_kernel{"madloop", {"ITERS=1"}}, small_kernel{"nbody", {}}),
                       ::testing::Values(variant{"every_queue_at_depth_one", every_queue_at_depth_one()})),
    [](const auto& of) {
      std::string name = std::get<0>(of.param).name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '/' || c == '.'; }, '_');
      return name + "_with_" + std::get<1>(of.param).name;
    });

}  // namespace
}  // namespace gt200
