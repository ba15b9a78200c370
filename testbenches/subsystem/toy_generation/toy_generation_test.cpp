// A generation with an instruction set, a shape of state, a divergence rule and a dependency mechanism of its own
// runs through the stages of the chip as they are, checked by an interpreter of its own.
//
// Each thread t of two warps adds data[t], data[t] + 1 times over in a loop that its lanes leave one after the
// other; stores the sum; meets the other warp at a barrier; and adds to its sum that of thread t + 32 of 64.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "observe/checker/checker.h"
#include "sc_models/chip.h"
#include "sc_models/sm/tesla/sm.h"
#include "testbenches/subsystem/toy_generation/toy_generation.h"
#include "testbenches/subsystem/toy_generation/toy_reference.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"

namespace gt200::toy {
namespace {

constexpr unsigned threads = 64;
constexpr unsigned zero = zero_register;

// Bytes from the start of the memory that the program sees.
constexpr unsigned data_at = 0;
constexpr unsigned sums_at = 512;  // twice, one behind the other
constexpr unsigned results_at = sums_at + 2 * 4 * threads;
constexpr unsigned memory_bytes = 4096;

std::vector<std::uint32_t> program() {
  std::vector<std::uint32_t> code = {
      encode(opcode::add, 1, 0, 0, 0, 1),            // r1 = 2 t
      encode(opcode::add, 1, 1, 1, 0, 1, 0b001),     // r1 = 4 t
      encode(opcode::add, 2, zero, zero, 0, 2),      // r2 = sum
      encode(opcode::add, 3, zero, zero, 0, 2),      // r3 = passes through the loop
      encode(opcode::load, 4, 1, 0, 0, 3, 0b001),    // r4 = data[t]
      encode(opcode::load, 5, 1, 0, 0, 1, 0b001),    // loop: r5 = data[t]
      encode(opcode::add, 2, 2, 5, 0, 2, 0b011),     //   r2 += r5
      encode(opcode::less, 0, 3, 4, 0, 3, 0b110),    //   p0 = r3 < r4
      encode(opcode::add, 3, 3, zero, 1, 2, 0b010),  //   r3 += 1
      encode(opcode::bra, 0, 0, 0, -4, 0, 0b100),    //   if p0 goto loop
      encode(opcode::meet, 0, 0, 0, 0),
      encode(opcode::add, 6, zero, zero, 16, 1),
  };
  for (unsigned n = 16; n < sums_at; n *= 2) code.push_back(encode(opcode::add, 6, 6, 6, 0, 1, 0b001));
  const std::vector<std::uint32_t> rest = {
      encode(opcode::add, 7, 6, 1, 0, 2, 0b001),  // r7 = first place of the sum
      encode(opcode::add, 8, zero, zero, 16, 1),  // r8 = 128: half of the sums
      encode(opcode::add, 8, 8, 8, 0, 1, 0b001),
      encode(opcode::add, 8, 8, 8, 0, 1, 0b001),
      encode(opcode::add, 8, 8, 8, 0, 1, 0b001),
      encode(opcode::add, 9, 7, 8, 0, 3, 0b011),   // r9 = place of the other thread's sum
      encode(opcode::add, 10, 9, 8, 0, 1, 0b100),  // r10 = second place of the sum
      encode(opcode::store, 0, 7, 2, 0, 0, 0b010),
      encode(opcode::store, 0, 10, 2, 0, 0, 0b001),
      encode(opcode::bar, 0, 0, 0, 0),
      encode(opcode::load, 11, 9, 0, 0, 1),
      encode(opcode::add, 11, 11, 2, 0, 1, 0b001),
      encode(opcode::add, 12, 10, 8, 0, 2),
      encode(opcode::add, 12, 12, 8, 0, 2, 0b010),  // r12 = place of the result
      encode(opcode::store, 0, 12, 11, 0, 0, 0b011),
      encode(opcode::exit, 0, 0, 0, 0),
  };
  code.insert(code.end(), rest.begin(), rest.end());
  return code;
}

// Lanes leave the loop after 1 to 7 passes.
std::uint32_t data_of(unsigned thread) { return thread * 5 % 7; }
std::uint32_t sum_of(unsigned thread) { return data_of(thread) * (data_of(thread) + 1); }

// Knows no dependencies: every instruction issues when it can.
class no_tracker final : public model::dependency_tracker {
 public:
  lookup enter(model::warp_slot, const isa::instruction&) override { return {true, 0, 0}; }
  std::uint64_t issue(model::warp_slot, model::dependency_vectors&) override { return 0; }
  void complete(model::warp_slot, const isa::instruction&, std::uint64_t, model::dependency_vectors&) override {}
  std::uint64_t probes_until(model::core_cycle) const override { return 0; }
  model::stall_cause cause_of(model::warp_slot, model::scoreboard_entry) const override {
    return model::stall_cause::dependency_sp;
  }
  model::tracking_cost cost() const override { return {}; }
  void publish(model::warp_slot, tlm_bus::signal_writer&) const override {}
};

std::unique_ptr<model::dependency_tracker> make_tracker(bool by_control_codes) {
  if (by_control_codes) return std::make_unique<control_code_tracker>();
  return std::make_unique<no_tracker>();
}

// Results, cycles and counters as text, with a line "error" for what must not be. The checker compares every
// instruction with the interpreter's.
std::string run(const tlm_bus::clocking_options& clocking, bool by_control_codes) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  const config::gpu_config config = support::configuration("gt200_small");
  model::chip chip("gt200", config, clocking, model::chip_host::own,
                   model::tesla_sms(std::make_shared<const generation>()));
  std::vector<model::tesla_sm*> sms;
  for (model::sm_if* sm : chip.sms()) sms.push_back(&dynamic_cast<model::tesla_sm&>(*sm));
  for (model::tesla_sm* sm : sms) sm->scoreboard.use(make_tracker(by_control_codes));
  observe::checker checker(chip, std::make_unique<interpreter>(program()), [] { sc_core::sc_pause(); });

  const config::memory_map_config& map = config.memory_map;
  const std::uint64_t memory = map.global_base;
  chip.pages.map(0, std::max<std::uint64_t>(memory_bytes, map.page_bytes), memory);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const model::memory_image& image : chip.pages.take_changes())
    chip.host.poke(image.address, image.bytes.data(), image.bytes.size());
  const std::vector<std::uint32_t> code = program();
  chip.host.poke(map.code_base, reinterpret_cast<const std::uint8_t*>(code.data()), 4 * code.size());
  std::vector<std::uint32_t> words(memory_bytes / 4, 0);
  for (unsigned t = 0; t < threads; ++t) words[data_at / 4 + t] = data_of(t);
  chip.host.poke(memory, reinterpret_cast<const std::uint8_t*>(words.data()), memory_bytes);

  model::grid_descriptor grid;
  grid.block = {threads, 1, 1};
  grid.code_base = map.code_base;
  grid.code_bytes = static_cast<std::uint32_t>(4 * code.size());
  grid.registers = 16;
  grid.shared_bytes = 16;
  grid.barriers = 1;
  if (const model::launch_refusal refusal = chip.host.launch(grid)) return "error: " + model::describe(refusal);
  chip.host.run(sc_core::sc_time(1, sc_core::SC_MS));
  if (checker.difference()) return "error: " + observe::describe(*checker.difference());
  if (chip.host.status() != model::registers::chip_status::idle) return "error: the grid has not ended";
  checker.launch_ended({});
  if (checker.difference()) return "error: " + observe::describe(*checker.difference());

  chip.host.peek(memory, reinterpret_cast<std::uint8_t*>(words.data()), memory_bytes);
  std::string text;
  for (unsigned t = 0; t < threads; ++t) {
    const std::uint32_t expected = sum_of(t) + sum_of((t + 32) % threads);
    const std::uint32_t found = words[results_at / 4 + t];
    if (found != expected)
      text += "error: thread " + std::to_string(t) + " has " + std::to_string(found) + " and not " +
              std::to_string(expected) + "\n";
  }
  std::uint64_t divergent = 0;
  std::uint64_t issued = 0;
  std::uint64_t barriers = 0;
  for (model::tesla_sm* sm : sms) {
    divergent += sm->branch.divergent.value();
    issued += sm->issue.issued.value();
    barriers += sm->barrier.releases.value();
  }
  const observe::check_counts checked = checker.counts();
  if (checked.instructions != issued || checked.blocks != 1 || checked.memory_accesses == 0 ||
      checked.memory_bytes == 0)
    text += "error: " + std::to_string(checked.instructions) + " instructions checked\n";
  const auto cycles = chip.host.cycles_of_last_launch();
  return text + std::to_string(cycles.ended - cycles.began) + " cycles, " + std::to_string(issued) +
         " instructions, " + std::to_string(divergent) + " divergent branches, " + std::to_string(barriers) +
         " barriers\n";
}

std::string run_apart(const tlm_bus::clocking_options& clocking, bool by_control_codes = true) {
  return support::in_own_process([&] { return run(clocking, by_control_codes); });
}

TEST(toy_generation, divergent_loop_barrier_loads_and_stores) {
  const std::string text = run_apart({});
  EXPECT_EQ(text.find("error"), std::string::npos) << text;
  // A warp leaves the loop in 7 passes, of which the last one does not diverge; paths come to `meet` one by one.
  EXPECT_NE(text.find(" 12 divergent branches, 1 barriers"), std::string::npos) << text;
}

TEST(toy_generation, takes_the_same_cycles_in_every_order_and_way_of_clocking) {
  const std::string plain = run_apart({});
  tlm_bus::clocking_options options;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    options.shuffle_seed = seed;
    EXPECT_EQ(run_apart(options), plain);
  }
  options = {};
  options.mode = tlm_bus::clocking_options::way::reference;
  EXPECT_EQ(run_apart(options), plain);
}

// What the control codes are good for, and what the checker is good for.
TEST(toy_generation, the_checker_finds_an_instruction_that_does_not_wait_for_its_operands) {
  const std::string text = run_apart({}, false);
  EXPECT_NE(text.find("missed hazard"), std::string::npos) << text;
  EXPECT_NE(text.find("kernel    toy, block (0, 0), warp 0"), std::string::npos) << text;
}

TEST(toy_generation, stalls_change_no_result) {
  tlm_bus::clocking_options options;
  options.stalls = {3, 200};
  const std::string text = run_apart(options);
  EXPECT_EQ(text.find("error"), std::string::npos) << text;
}

}  // namespace
}  // namespace gt200::toy
