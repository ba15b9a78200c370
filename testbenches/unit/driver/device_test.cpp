// The board as a program sees it: copies, launches, and every way a launch can end.
#include "driver/device.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "sc_models/config/quiet_time.h"
#include "testbenches/support/assembly_run.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

// out[i] = i + addend, for the threads of all blocks.
const char* const add_program =
    ".target sm_13\n.entry add\n.param u32 out\n.param u32 addend\n"
    "  mov b16 $r0h u16 s[%ntid.x]\n"
    "  cvt u32 $r1 u16 $r0l\n"
    "  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1\n"
    "  add b32 $r1 b32 s[addend] $r0\n"
    "  shl b32 $r0 $r0 0x2\n"
    "  add b32 $r0 b32 s[out] $r0\n"
    "  exit st b32 g14[$r0] $r1\n.end\n";

class device_test : public ::testing::Test {
 protected:
  device& board(const std::string& program, const device_options& options = {},
                const std::vector<std::string>& overrides = {}) {
    module_ = assembler::assemble(program, "test.s");
    device_ = std::make_unique<device>(support::configuration("gt200_small", overrides), options);
    device_->load(module_, {});
    return *device_;
  }
  launch::launch_parameters grid_of(unsigned blocks, unsigned threads, std::vector<std::uint32_t> words) const {
    launch::launch_parameters p;
    p.kernel = &module_.kernels[0];
    p.grid = {blocks, 1};
    p.block = {threads, 1, 1};
    p.parameter_bytes.resize(words.size() * 4);
    std::memcpy(p.parameter_bytes.data(), words.data(), p.parameter_bytes.size());
    return p;
  }
  std::vector<std::uint32_t> words_at(std::uint32_t address, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    device_->peek(address, reinterpret_cast<std::uint8_t*>(words.data()), count * 4);
    return words;
  }
  template <class F>
  static std::string error_of(F&& f) {
    try {
      f();
    } catch (const input_error& e) {
      return e.what();
    }
    return {};
  }

 private:
  cubin::module module_;
  std::unique_ptr<device> device_;
};

void expect_kinds_of_their_own(const sc_core::sc_object& object) {
  if (dynamic_cast<const sc_core::sc_module*>(&object) != nullptr) {
    EXPECT_STRNE(object.kind(), "sc_module") << object.name();
    EXPECT_STRNE(object.kind(), "stage") << object.name();
  }
  for (const sc_core::sc_object* child : object.get_child_objects()) expect_kinds_of_their_own(*child);
}

TEST_F(device_test, every_module_of_the_chip_says_what_it_is) {
  expect_kinds_of_their_own(board(add_program).chip());
}

TEST_F(device_test, hands_out_the_addresses_of_the_emulator) {
  device& d = board(add_program);
  launch::device_allocator reference;
  for (const std::uint64_t bytes : {1ull, 300ull, 65536ull}) {
    std::uint32_t address = 0;
    ASSERT_TRUE(reference.allocate(bytes, address));
    EXPECT_EQ(d.allocate(bytes), address);
  }
}

TEST_F(device_test, copies_there_and_back) {
  device& d = board(add_program);
  const std::uint32_t address = d.allocate(100000);
  std::vector<std::uint8_t> data(100000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 31 >> 3);
  d.copy_to_device(address, data.data(), data.size());
  EXPECT_GT(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  std::vector<std::uint8_t> back(data.size());
  d.copy_from_device(address, back.data(), back.size());
  EXPECT_EQ(back, data);
}

TEST_F(device_test, memory_that_was_not_allocated_is_refused) {
  device& d = board(add_program);
  std::uint8_t byte = 0;
  EXPECT_EQ(error_of([&] { d.peek(0x1000, &byte, 1); }), "1 bytes at 0x1000 of the device are not mapped");
  EXPECT_EQ(error_of([&] { d.allocate(std::uint64_t{1} << 40); }),
            "no room for 1099511627776 bytes in the memory of the device");
}

TEST_F(device_test, grids_run_one_after_the_other) {
  device& d = board(add_program);
  const std::uint32_t out = d.allocate(3 * 96 * 4);
  tlm_bus::femtoseconds previous = 0;
  for (std::uint32_t n = 0; n < 3; ++n) {
    const launch_result result = d.launch(grid_of(3, 32, {out + n * 96 * 4, 1000 * n}));
    ASSERT_EQ(result.reason, end_reason::done) << result.explanation;
    EXPECT_GT(result.cycles, 0u);
    EXPECT_GT(result.began_at, previous);
    EXPECT_GT(result.ended_at, result.began_at);
    previous = result.ended_at;
  }
  const auto words = words_at(out, 3 * 96);
  for (std::uint32_t n = 0; n < 3; ++n)
    for (std::uint32_t i = 0; i < 96; ++i) EXPECT_EQ(words[n * 96 + i], 1000 * n + i);
}

TEST_F(device_test, the_smallest_chip_runs_a_grid) {
  device& d = board(add_program, {},
                    {"chip.tpcs=1", "chip.sms_per_tpc=1", "chip.partitions=1", "tpc.texture.l1.instances=1",
                     "tpc.sm.limits.blocks=1"});
  const std::uint32_t out = d.allocate(320 * 4);
  EXPECT_EQ(d.launch(grid_of(10, 32, {out, 5})).reason, end_reason::done);
  const auto words = words_at(out, 320);
  for (std::uint32_t i = 0; i < 320; ++i) EXPECT_EQ(words[i], i + 5);
}

TEST_F(device_test, a_launch_ends_with_the_longest_way_to_an_sm) {
  device& d = board(add_program, {}, {"distribution.launch_latency_cycles=100000"});
  const std::uint32_t out = d.allocate(320 * 4);
  const launch_result result = d.launch(grid_of(10, 32, {out, 5}));
  EXPECT_EQ(result.reason, end_reason::done);
  EXPECT_GT(result.cycles, 100'000u);
}

TEST_F(device_test, a_grid_the_chip_cannot_run_is_refused_and_does_no_harm) {
  device& d = board(add_program, {}, {"tpc.sm.limits.threads_per_block=64"});
  const std::uint32_t out = d.allocate(96 * 4);
  EXPECT_EQ(error_of([&] {
              d.launch(grid_of(1, 65, {out, 0}));
            }),
            "kernel 'add' cannot be launched: threads per block: 65 asked for, 64 possible");
  EXPECT_EQ(d.launch(grid_of(1, 64, {out, 0})).reason, end_reason::done);
}

TEST_F(device_test, a_kernel_that_was_not_loaded_is_refused) {
  device& d = board(add_program);
  const cubin::kernel other{};
  launch::launch_parameters p = grid_of(1, 1, {});
  p.kernel = &other;
  EXPECT_EQ(error_of([&] { d.launch(p); }), "kernel '' has not been loaded");
}

TEST_F(device_test, a_fault_is_part_of_the_result) {
  device& d = board(add_program);
  d.allocate(256);
  // The second block stores to an address that is not mapped.
  const std::uint32_t last_page_end = launch::first_device_address + launch::device_page_bytes;
  const launch_result result = d.launch(grid_of(2, 32, {last_page_end - 128, 0}));
  ASSERT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(result.fault.kernel, "add");
  EXPECT_EQ(result.fault.pc, 48u);
  EXPECT_EQ(result.fault.line, 11u);
  EXPECT_EQ(result.fault.block_x, 1u);
  EXPECT_EQ(result.fault.warp, 0u);
  EXPECT_EQ(result.fault.lanes, 0xffffffffu);
  EXPECT_EQ(result.fault.address, last_page_end);
  EXPECT_NE(result.fault.disassembly.find("st b32"), std::string::npos);
  EXPECT_EQ(error_of([&] {
              d.launch(grid_of(1, 32, {last_page_end - 128, 0}));
            }),
            "the device cannot be used before a reset: an earlier launch did not end");
  // Memory can still be looked at.
  words_at(last_page_end - 128, 32);
}

// Warp 0 waits at barrier 0, warp 1 at barrier 1: neither can continue.
const char* const deadlock_program =
    ".target sm_13\n.entry stuck\n"
    "  cvt u32 $r1 u16 $r0l\n"
    "  mov b32 $r2 0x20\n"
    "  set $c0 # l u32 $r1 $r2\n"
    "  (lg $c0) bra even\n"
    "  bar inc wait 0x1 0xfff\n"
    "  exit nop\n"
    "even:\n"
    "  bar inc wait 0x0 0xfff\n"
    "  exit nop\n.end\n";

TEST_F(device_test, a_hang_is_noticed_and_explained) {
  device& d = board(deadlock_program, support::explaining());
  const launch_result result = d.launch(grid_of(1, 64, {}));
  ASSERT_EQ(result.reason, end_reason::hang);
  EXPECT_NE(result.explanation.find("gt200.tpc_0.sm_0 warp 0 (block 0, warp 0 of it): 0x30: waits at barrier 0"),
            std::string::npos)
      << result.explanation;
  EXPECT_NE(result.explanation.find("gt200.tpc_0.sm_0 warp 1 (block 0, warp 1 of it): 0x20: waits at barrier 1"),
            std::string::npos)
      << result.explanation;
}

TEST_F(device_test, a_hang_without_anyone_to_explain_it_says_how_long_nothing_has_moved) {
  const std::vector<std::string> patience = {"simulation.watchdog_idle_cycles=2000"};
  device_options options;
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  const launch_result result = board(deadlock_program, options, patience).launch(grid_of(1, 64, {}));
  ASSERT_EQ(result.reason, end_reason::hang);
  unsigned cycles = 0;
  ASSERT_EQ(std::sscanf(result.explanation.c_str(),
                        "no instruction, block or access to memory has moved for %u core cycles", &cycles),
            1)
      << result.explanation;
  EXPECT_GT(cycles, 2000u);
}

TEST_F(device_test, a_hang_is_noticed_when_clocks_go_on) {
  device_options options;
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  const std::vector<std::string> patience = {"simulation.watchdog_idle_cycles=2000"};
  const launch_result result = board(deadlock_program, options, patience).launch(grid_of(1, 64, {}));
  EXPECT_EQ(result.reason, end_reason::hang);
  const config::gpu_config chip = support::configuration("gt200_small", patience);
  const std::uint64_t idle_limit = 2000 + config::quiet_time(chip) / chip.clocks.core_period();
  EXPECT_GT(result.cycles, idle_limit);
  EXPECT_LT(result.cycles, 3 * idle_limit);  // progress is looked at once per slice
}

const char* const endless_program =
    ".target sm_13\n.entry endless\n"
    "again:\n"
    "  bra again\n"
    "  exit nop\n.end\n";

TEST_F(device_test, a_launch_ends_at_the_limit_of_cycles) {
  device_options options;
  options.max_cycles = 3000;
  device& d = board(endless_program, options);
  const launch_result result = d.launch(grid_of(1, 32, {}));
  EXPECT_EQ(result.reason, end_reason::max_cycles);
  EXPECT_GT(result.cycles, 2000u);
  EXPECT_LE(result.cycles, 3000u);
}

TEST_F(device_test, a_launch_stopped_before_its_hand_over_has_no_cycles) {
  device_options options;
  options.max_cycles = 5;
  device& d = board(endless_program, options);
  const launch_result result = d.launch(grid_of(1, 32, {}));
  EXPECT_EQ(result.reason, end_reason::max_cycles);
  EXPECT_EQ(result.cycles, 0u);
  EXPECT_EQ(result.began_at, result.ended_at);
}

TEST_F(device_test, a_launch_can_be_stopped) {
  static volatile std::sig_atomic_t stop = 1;
  device_options options;
  options.stop = &stop;
  device& d = board(endless_program, options);
  EXPECT_EQ(d.launch(grid_of(1, 32, {})).reason, end_reason::stopped);
}

// Each thread keeps a value in local memory while others do.
const char* const local_program =
    ".target sm_13\n.entry keep\n.param u32 out\n.local 16\n"
    "  cvt u32 $r1 u16 $r0l\n"
    "  st b32 l[0x4] $r1\n"
    "  ld b32 $r2 l[0x4]\n"
    "  shl b32 $r3 $r1 0x2\n"
    "  add b32 $r3 b32 s[out] $r3\n"
    "  exit st b32 g14[$r3] $r2\n.end\n";

TEST_F(device_test, threads_have_local_memory) {
  device& d = board(local_program);
  const std::uint32_t out = d.allocate(128 * 4);
  const launch_result result = d.launch(grid_of(1, 128, {out}));
  ASSERT_EQ(result.reason, end_reason::done) << result.explanation << arch_state::describe(result.fault);
  const auto words = words_at(out, 128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(words[i], i);
}

TEST_F(device_test, there_is_one_device_per_process) {
  board(add_program);
  EXPECT_THROW(device(support::configuration("gt200_small")), std::logic_error);
}

TEST_F(device_test, a_module_for_a_later_chip_is_refused) {
  EXPECT_EQ(error_of([&] { board(add_program, {}, {"chip.compute_capability=1.1"}); }),
            "test.s: the module needs compute capability 1.3, the chip has 1.1");
}

// Addresses in the windows of generic addresses reach shared and local memory.
TEST(device_memory, ends_below_the_windows_of_generic_addresses) {
  const config::gpu_config large = support::configuration("gtx480", {"partition.dram.capacity_mib=1024"});
  ASSERT_GT(large.memory_bytes(), std::uint64_t{1} << 32);
  const arch_state::generation_values fermi = arch_state::fermi::generation().values();
  const std::uint64_t end = end_of_global_memory(large, fermi);
  EXPECT_LE(end, fermi.shared_window);
  EXPECT_GT(end, fermi.shared_window - (64u << 20)) << "all but the memory of the stacks";
  const config::gpu_config tesla = support::configuration("gt200");
  EXPECT_LE(end_of_global_memory(tesla, arch_state::tesla::generation(13, {}).values()), std::uint64_t{1} << 32);
}

TEST(device_memory, has_no_room_in_the_windows) {
  device d(support::configuration("gtx480", {"partition.dram.capacity_mib=1024", "chip.tpcs=1"}));
  const std::uint32_t first = d.allocate(std::uint64_t{0xf0000000});
  EXPECT_LT(first + std::uint64_t{0xf0000000}, 0xfe000000u);
  EXPECT_THROW(d.allocate(0x10000000), input_error);
}

}  // namespace
}  // namespace gt200
