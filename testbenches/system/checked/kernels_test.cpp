// Every kernel of the repository, at a small size, checked by the emulator.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "apps/support/model_run.h"
#include "observe/checker/checker.h"
#include "sc_models/config/schema.h"
#include "testbenches/support/assembly_run.h"

namespace gt200 {
namespace {

// `parameters` select the small size.
void runs_like_the_emulator(const std::string& kernel, const std::vector<std::string>& parameters,
                            const std::string& preset = "gt200_small",
                            const std::vector<std::string>& overrides = {}, std::uint64_t shuffle = 0) {
  apps::workload_options options;
  options.target = std::string(GT200_SOURCE_DIR) + "/kernels/" + kernel;
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
  EXPECT_EQ(checker.counts().instructions + checker.counts().reconvergences, statistics.total().issued())
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
TEST(checked_kernel, reductions_as_nvidias_compiler_wrote_them) {
  runs_like_the_emulator("reduction/nvcc_all.toml", {}, "g80");
}

class repeated_transpose : public ::testing::TestWithParam<const char*> {};
TEST_P(repeated_transpose, runs_like_the_emulator) {
  runs_like_the_emulator(std::string("transpose/") + GetParam() + "_in_loop.toml", {"N=64", "REPS=3"});
}
INSTANTIATE_TEST_SUITE_P(checked_kernel, repeated_transpose,
                         ::testing::Values("copy", "copy_shared", "conflict_free", "diagonal"),
                         [](const auto& of) { return std::string(of.param); });

TEST(checked_kernel, a_copy_of_half_warps_that_are_not_aligned) {
  runs_like_the_emulator("copy/offset.toml", {"N=512", "OFFSET=1"}, "g80");
}
TEST(checked_kernel, a_part_of_a_matrix_product) {
  runs_like_the_emulator("matrix_mul/naive_sm_10.toml", {"N=64", "ROWS=2", "COLUMNS=3", "TERMS=8"}, "g80");
}
TEST(checked_kernel, with_modules_in_another_order) {
  runs_like_the_emulator("matrix_mul", {"N=32"}, "gt200_small", {}, 77);
}

// Every kernel under all options that may change when lanes, operands and results move, but not the results.
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

// Sets every queue, cache miss register, collector unit and TLB of the chip to its minimum.
bool is_a_number_of_entries(const std::string& path) {
  const std::string name = path.substr(path.rfind('.') + 1);
  if (path.compare(0, 18, "tpc.sm.simt_stack.") == 0) return false;  // a depth, whose overflow goes to memory
  for (const char* part : {"entries", "mshrs", "_units", "queue_flits", "l2_ways", "held_loads"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

std::uint64_t minimum_of(const config::key_info& key) {
  return std::get<config::number_ref>(key.value).allowed.low;
}

std::vector<std::string> every_queue_at_depth_one(const std::vector<std::string>& more = {}) {
  config::gpu_config config = support::configuration("gt200_small", {});
  std::vector<std::string> overrides;
  for (const config::key_info& key : config::schema(config).keys)
    if (is_a_number_of_entries(key.path)) overrides.push_back(key.path + "=" + std::to_string(minimum_of(key)));
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

TEST(every_queue, works_with_one_entry) {
  config::gpu_config config = support::configuration("gt200_small", {});
  unsigned count = 0;
  for (const config::key_info& key : config::schema(config).keys) {
    if (!is_a_number_of_entries(key.path)) continue;
    EXPECT_LE(minimum_of(key), 1u) << key.path;
    ++count;
  }
  EXPECT_GE(count, 35u);
}

class kernel_under : public ::testing::TestWithParam<std::tuple<small_kernel, variant>> {};

TEST_P(kernel_under, runs_like_the_emulator) {
  const auto& [kernel, how] = GetParam();
  runs_like_the_emulator(kernel.name, kernel.parameters, "gt200_small", how.overrides);
}

const small_kernel kernels_under_everything[] = {
    {"vector_add", {"N=600"}},     {"matrix_mul", {"N=32"}}, {"reduce0", {"N=512"}}, {"bfs", {"N=64"}},
    {"atomic_counter", {"N=200"}}, {"histogram", {"N=200"}}, {"daxpy", {"N=300"}}};

INSTANTIATE_TEST_SUITE_P(
    every, kernel_under,
    ::testing::Combine(
        ::testing::ValuesIn(kernels_under_everything),
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
            variant{"infinite_queues_and_stalls",
                    {"idealisations.infinite_queues=true", "simulation.stalls_per_1024=100"}},
            variant{"seven_partitions_and_islip",
                    {"chip.partitions=7", "interconnect.crossbar.arbitration=islip"}})),
    [](const auto& of) { return std::string(std::get<0>(of.param).name) + "_with_" + std::get<1>(of.param).name; });

// The kernels that are not listed above.
const small_kernel other_kernels[] = {{"copy", {"N=2048"}},
                                      {"transpose", {"N=64"}},
                                      {"madloop", {"ITERS=1"}},
                                      {"nbody", {}},
                                      {"nbody_gems3", {"BODIES=256"}},
                                      {"bitonic_sort", {"BLOCKS=1"}},
                                      {"black_scholes", {"N=256"}},
                                      {"convolution", {"WIDTH=16", "HEIGHT=16"}},
                                      {"dmatmul", {"N=16"}},
                                      {"fft512", {"BLOCKS=1"}},
                                      {"mandelbrot", {"WIDTH=32", "HEIGHT=8", "MOST=16"}},
                                      {"reduction", {"N=16384"}},
                                      {"scan", {"BLOCKS=2"}},
                                      {"sgemm", {"M=64", "N=16", "K=16"}},
                                      {"sha1", {"N=128", "FIRST=1633838976"}},
                                      {"spmv", {"ROWS=64"}},
                                      {"texture_filter", {"OUT_WIDTH=16", "OUT_HEIGHT=16"}}};

INSTANTIATE_TEST_SUITE_P(
    other, kernel_under,
    ::testing::Combine(::testing::ValuesIn(other_kernels),
                       ::testing::Values(variant{"every_queue_at_depth_one", every_queue_at_depth_one()})),
    [](const auto& of) { return std::string(std::get<0>(of.param).name) + "_with_" + std::get<1>(of.param).name; });

// Warps formed anew, with each heuristic.
INSTANTIATE_TEST_SUITE_P(
    formed_anew, kernel_under,
    ::testing::Combine(
        ::testing::ValuesIn(kernels_under_everything),
        ::testing::Values(
            variant{"majority", {"tpc.sm.warp_formation=dynamic"}},
            variant{"dynamic_majority",
                    {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.heuristic=dynamic_majority"}},
            variant{"minority", {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.heuristic=minority"}},
            variant{"time_stamp", {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.heuristic=time_stamp"}},
            variant{"pc_and_stalls",
                    {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.heuristic=pc",
                     "simulation.stalls_per_1024=100"}},
            variant{"blocks_mixed_and_stalls",
                    {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.across_blocks=true",
                     "tpc.sm.warp_former.heuristic=time_stamp", "simulation.stalls_per_1024=100"}},
            variant{"compaction", {"tpc.sm.warp_formation=compaction"}},
            variant{"compaction_and_stalls",
                    {"tpc.sm.warp_formation=compaction", "simulation.stalls_per_1024=100"}})),
    [](const auto& of) { return std::string(std::get<0>(of.param).name) + "_with_" + std::get<1>(of.param).name; });

INSTANTIATE_TEST_SUITE_P(
    others_formed_anew, kernel_under,
    ::testing::Combine(
        ::testing::ValuesIn(other_kernels),
        ::testing::Values(
            variant{"time_stamp", {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.heuristic=time_stamp"}},
            variant{"blocks_mixed", {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.across_blocks=true"}},
            variant{"compaction", {"tpc.sm.warp_formation=compaction"}})),
    [](const auto& of) { return std::string(std::get<0>(of.param).name) + "_with_" + std::get<1>(of.param).name; });

TEST(checked_kernel, with_warps_formed_anew_on_the_whole_chip) {
  runs_like_the_emulator("mandelbrot", {"WIDTH=128", "HEIGHT=32", "MOST=32"}, "gt200",
                         {"tpc.sm.warp_formation=dynamic"}, 11);
}
TEST(checked_kernel, with_warps_of_several_blocks_on_the_whole_chip) {
  runs_like_the_emulator("mandelbrot", {"WIDTH=512", "HEIGHT=64", "MOST=32"}, "gt200",
                         {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.across_blocks=true"}, 11);
}
TEST(checked_kernel, with_compacted_blocks_on_the_whole_chip) {
  runs_like_the_emulator("mandelbrot", {"WIDTH=128", "HEIGHT=32", "MOST=32"}, "gt200",
                         {"tpc.sm.warp_formation=compaction"}, 11);
}

TEST(every_kernel, runs_with_every_queue_at_depth_one) {
  std::set<std::string> tested;
  for (const small_kernel& k : kernels_under_everything) tested.insert(k.name);
  for (const small_kernel& k : other_kernels) tested.insert(k.name);
  for (const auto& entry : std::filesystem::directory_iterator(std::string(GT200_SOURCE_DIR) + "/kernels"))
    if (std::filesystem::exists(entry.path() / "launch.toml")) {
      EXPECT_EQ(tested.count(entry.path().filename()), 1u) << entry.path();
    }
}

}  // namespace
}  // namespace gt200
