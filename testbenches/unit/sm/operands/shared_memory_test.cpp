// When accesses to shared memory are performed and where they go, in exact cycles by every way of clocking; bank
// conflicts, values, locks and faults.
#include "sc_models/sm/operands/shared_memory.h"

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <set>

#include "sc_models/sm/bank_steps.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 600;
constexpr std::uint32_t block_bytes = 4096;

struct access {
  cycle_t sent;
  isa::access_kind kind = isa::access_kind::load;
  std::function<std::uint32_t(unsigned)> address = [](unsigned lane) { return 4 * lane; };
  isa::lane_mask executed = ~isa::lane_mask{0};
  unsigned warp = 0;
  isa::data_type type = isa::data_type::b32;
};
using scene = std::vector<access>;

// Notes when warps begin to wait for replays (positive), and when they end to (negative, both with the warp from
// 1).
class issue_notes : public sc_core::sc_module, public issue_conflict_if {
 public:
  issue_notes(const sc_core::sc_module_name& name, const tlm_bus::clock_domain& domain)
      : sc_core::sc_module(name), domain_(domain) {}
  std::vector<std::pair<cycle_t, int>> notes;
  void hold_ports_until(core_cycle) override {}
  void replays_began(warp_slot warp) override { notes.push_back({domain_.cycle(), number(warp)}); }
  void replays_ended(warp_slot warp) override { notes.push_back({domain_.cycle(), -number(warp)}); }

 private:
  static int number(warp_slot warp) { return static_cast<int>(warp.index()) + 1; }
  const tlm_bus::clock_domain& domain_;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s, bool no_bank_conflicts,
        const std::vector<std::string>& settings, cycle_t units_from)
      : config_(testing::sm_config_with(settings)),
        units_(config_),
        generation_(13, config_.simt_stack),
        clocks_((name + "_clocks").c_str(), options),
        source_((name + "_source").c_str(), clocks_.core),
        memory_((name + "_memory").c_str(), clocks_.core, config_, units_, generation_, no_bank_conflicts),
        write_back_((name + "_write_back").c_str(), clocks_.core, 4),
        issue_((name + "_issue").c_str(), clocks_.core) {
    memory_.tell(issue_, false);
    source_.out.bind(memory_.in);
    memory_.out.bind(write_back_.in);
    for (unsigned i = 0; i < memory_.to_units.size(); ++i) {
      to_units_.push_back(std::make_unique<support::token_sink<collected_token>>(
          (name + "_unit_" + std::to_string(i)).c_str(), clocks_.core, 4));
      memory_.to_units[i].bind(to_units_.back()->in);
      to_units_.back()->takes = [units_from](cycle_t cycle) { return cycle >= units_from; };
    }
    std::uint8_t* bytes = memory_.bind(block_slot(0), 0, block_bytes);
    for (std::uint32_t i = 0; i < block_bytes; ++i) bytes[i] = static_cast<std::uint8_t>(i / 4);
    for (const access& a : s) send(a);
  }

  // In which cycle which instruction reached write-back, counted from 1.
  std::vector<std::pair<cycle_t, std::uint64_t>> result() const {
    std::vector<std::pair<cycle_t, std::uint64_t>> result;
    for (const auto& t : write_back_.taken) result.push_back({t.cycle, t.value.operation->id});
    return result;
  }
  // The same for the unit that executes this class.
  std::vector<std::pair<cycle_t, std::uint64_t>> at_unit(isa::unit_class c) const {
    std::vector<std::pair<cycle_t, std::uint64_t>> result;
    for (const auto& t : to_units_[units_.shared_operand_pipe(c)]->taken)
      result.push_back({t.cycle, t.value.operation->id});
    return result;
  }
  const warp_instruction& operation(std::size_t id) const { return operations_[id - 1]; }
  const shared_memory& memory() const { return memory_; }
  const std::vector<std::pair<cycle_t, int>>& notes() const { return issue_.notes; }

 private:
  void send(const access& a) {
    isa::instruction& instruction = instructions_.emplace_back();
    const bool arithmetic = a.kind == isa::access_kind::operand;
    instruction.unit = arithmetic ? isa::unit_class::sp : isa::unit_class::shared;
    instruction.access.kind = a.kind;
    instruction.access.space = isa::memory_space::shared;
    instruction.access.type = a.type;
    instruction.access.slot = arithmetic ? 1 : 0;
    warp_instruction& operation = operations_.emplace_back();
    operation.id = operations_.size();
    operation.instruction = &instruction;
    operation.warp = warp_slot(a.warp);
    operation.warp_in_block = static_cast<std::uint8_t>(a.warp);
    operation.block_slot = block_slot(0);
    operation.active = operation.executed = a.executed;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      operation.values.address.lane[lane] = a.address(lane);
      for (unsigned word = 0; word < 4; ++word) operation.values.source[1][word].lane[lane] = 1000 + lane;
    }
    source_.send_at(a.sent, {&operation});
  }

  config::sm_config config_;
  unit_list units_;
  arch_state::tesla::generation generation_;
  support::clocks clocks_;
  support::token_source<collected_token> source_;
  shared_memory memory_;
  support::token_sink<executed_token> write_back_;
  issue_notes issue_;
  std::vector<std::unique_ptr<support::token_sink<collected_token>>> to_units_;
  std::deque<isa::instruction> instructions_;
  std::deque<warp_instruction> operations_;
};

class shared_memory_test : public testing::every_way<bench> {
 protected:
  using completions = std::vector<std::pair<cycle_t, std::uint64_t>>;
  completions run_scene(const scene& s, bool no_bank_conflicts = false,
                        const std::vector<std::string>& settings = {}, cycle_t units_from = 0) {
    build(s, no_bank_conflicts, settings, units_from);
    return run(end);
  }
};

std::uint32_t two_way(unsigned lane) { return 8 * lane; }
std::uint32_t one_bank(unsigned lane) { return 64 * lane; }

// Sent at t, an access is performed at t + 1, and its result is with write-back at t + 2.
TEST_F(shared_memory_test, a_warp_takes_the_banks_for_two_cycles) {
  EXPECT_EQ(run_scene({{10}, {11}, {12}}), (completions{{12, 1}, {14, 2}, {16, 3}}));
  EXPECT_EQ(first().memory().accesses.value(), 3u);
  EXPECT_EQ(first().memory().conflict_cycles.value(), 0u);
}
// One more cycle for each half-warp: the result is two later, and the banks are free two later.
TEST_F(shared_memory_test, a_conflict_without_replays_delays_the_result_and_what_follows) {
  EXPECT_EQ(run_scene({{10, isa::access_kind::load, two_way}, {11}}, false,
                      {"tpc.sm.shared_memory.replay_latency_cycles=0"}),
            (completions{{14, 1}, {16, 2}}));
  EXPECT_EQ(first().memory().conflict_cycles.value(), 2u);
}
// On a GTX 280 19 core cycles for each of 1, 3, 7, and 15 passes, one warp after the other.
TEST_F(shared_memory_test, a_lone_warp_pays_the_latency_for_each_pass) {
  const auto ways = [](cycle_t sent, std::uint32_t (*address)(unsigned)) {
    return access{sent, isa::access_kind::load, address};
  };
  EXPECT_EQ(run_scene({ways(10, two_way), ways(40, [](unsigned lane) { return 16 * lane; }),
                       ways(110, [](unsigned lane) { return 32 * lane; }), ways(260, one_bank)}),
            (completions{{12 + 19, 1}, {42 + 3 * 19, 2}, {112 + 7 * 19, 3}, {262 + 15 * 19, 4}}));
}
// The banks serve another warp meanwhile, as without.
const std::vector<std::string> replays = {"tpc.sm.shared_memory.replay_latency_cycles=38"};
TEST_F(shared_memory_test, an_access_with_a_conflict_goes_through_the_pipeline_again) {
  EXPECT_EQ(run_scene({{10, isa::access_kind::load, two_way}, {11}}, false, replays),
            (completions{{16, 2}, {12 + 19, 1}}));
  EXPECT_EQ(first().notes(), (std::vector<std::pair<cycle_t, int>>{{11, 1}, {30, -1}}));
  EXPECT_EQ(first().memory().conflict_cycles.value(), 2u);
}
TEST_F(shared_memory_test, replays_of_a_warp_follow_each_other_and_those_of_warps_do_not) {
  const auto four_way = [](unsigned lane) { return 16 * lane; };
  EXPECT_EQ(run_scene({{10, isa::access_kind::store, two_way, ~isa::lane_mask{0}, 0},
                       {11, isa::access_kind::load, two_way, ~isa::lane_mask{0}, 0},
                       {12, isa::access_kind::load, four_way, ~isa::lane_mask{0}, 1}},
                      false, replays),
            (completions{{12 + 19, 1}, {12 + 2 * 19, 2}, {20 + 3 * 19, 3}}));
  EXPECT_EQ(first().notes(), (std::vector<std::pair<cycle_t, int>>{{11, 1}, {15, 1}, {19, 2}, {49, -1}, {76, -2}}));
}
// The units take nothing before cycle 70; four operands have filled their pipe when the replays of a fifth one end.
TEST_F(shared_memory_test, replays_in_front_of_a_full_pipe_hold_no_others) {
  const auto operand = [](cycle_t sent) { return access{sent, isa::access_kind::operand}; };
  scene s = {operand(1), operand(3), operand(5), operand(7)};
  s.push_back({10, isa::access_kind::operand, two_way, ~isa::lane_mask{0}, 1});
  s.push_back({14, isa::access_kind::load, two_way, ~isa::lane_mask{0}, 2});
  EXPECT_EQ(run_scene(s, false, replays, 70), (completions{{16 + 19, 6}}));
  EXPECT_EQ(first().notes(), (std::vector<std::pair<cycle_t, int>>{{11, 2}, {15, 3}, {34, -3}, {71, -2}}));
}
TEST_F(shared_memory_test, without_bank_conflicts_nothing_is_replayed) {
  EXPECT_EQ(run_scene({{10, isa::access_kind::load, two_way}, {11}}, true, replays),
            (completions{{12, 1}, {14, 2}}));
}
TEST_F(shared_memory_test, without_bank_conflicts_every_access_takes_two_cycles) {
  EXPECT_EQ(run_scene({{10, isa::access_kind::load, two_way}, {11}}, true), (completions{{12, 1}, {14, 2}}));
  EXPECT_EQ(first().memory().conflict_cycles.value(), 0u);
}
TEST_F(shared_memory_test, an_operand_goes_to_the_unit_of_its_instruction) {
  EXPECT_EQ(run_scene({{10, isa::access_kind::operand}, {11}}), (completions{{14, 2}}));
  EXPECT_EQ(first().at_unit(isa::unit_class::sp).size(), 1u);
  EXPECT_EQ(first().operation(1).values.source[1][0].lane[5], 0x05050505u);
}

TEST_F(shared_memory_test, a_load_sees_the_older_store) {
  run_scene({{10, isa::access_kind::store}, {11}});
  EXPECT_EQ(first().operation(2).values.destination[0].lane[7], 1007u);
}
TEST_F(shared_memory_test, lanes_that_do_not_execute_neither_store_nor_load) {
  run_scene({{10, isa::access_kind::store, [](unsigned lane) { return 4 * lane; }, 0x1}, {11}});
  EXPECT_EQ(first().operation(2).values.destination[0].lane[0], 1000u);
  EXPECT_EQ(first().operation(2).values.destination[0].lane[1], 0x01010101u);
}
TEST_F(shared_memory_test, an_access_without_lanes_passes_and_is_not_counted) {
  EXPECT_EQ(run_scene({{10, isa::access_kind::load, one_bank, 0}}), (completions{{12, 1}}));
  EXPECT_EQ(first().memory().accesses.value(), 0u);
}
TEST_F(shared_memory_test, an_address_beyond_the_block_is_a_fault_of_its_lanes) {
  run_scene({{10, isa::access_kind::load, [](unsigned lane) { return lane == 3 ? block_bytes : 0u; }}});
  EXPECT_EQ(first().operation(1).fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(first().operation(1).fault_lanes, 1u << 3);
  EXPECT_EQ(first().operation(1).fault_address, block_bytes);
}

// The lock of the word at 64: warp 0 takes it with its lowest lane, warp 1 fails until warp 0 has given it back.
TEST_F(shared_memory_test, a_lock_belongs_to_one_warp_until_it_is_unlocked) {
  const auto same = [](unsigned) { return 64u; };
  run_scene({{10, isa::access_kind::locked_load, same, 0x3, 0},
             {12, isa::access_kind::locked_load, same, 0x3, 1},
             {14, isa::access_kind::unlocking_store, same, 0x1, 0},
             {16, isa::access_kind::locked_load, same, 0x3, 1}});
  const auto flags = [&](std::size_t id, unsigned lane) { return first().operation(id).values.flags_out[lane]; };
  EXPECT_NE(flags(1, 0), flags(1, 1)) << "one lane of the warp takes the lock";
  EXPECT_EQ(flags(2, 0), flags(1, 1));
  EXPECT_EQ(flags(2, 1), flags(1, 1));
  EXPECT_EQ(flags(4, 0), flags(1, 0));
}

// -- cycles of a half-warp --

unsigned cycles_of(std::uint32_t (*address)(unsigned), unsigned bytes = 4, isa::lane_mask lanes = 0xffff) {
  std::uint32_t addresses[isa::warp_size];
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) addresses[lane] = address(lane);
  return bank_cycles(addresses, lanes, 0, bytes, 16);
}

TEST(shared_memory_banks, serve_different_banks_in_one_cycle) {
  EXPECT_EQ(cycles_of([](unsigned lane) { return 4 * lane; }), 1u);
  EXPECT_EQ(cycles_of([](unsigned lane) { return 12 * lane; }), 1u) << "odd strides";
}
TEST(shared_memory_banks, serve_words_of_one_bank_one_after_the_other) {
  EXPECT_EQ(cycles_of(two_way), 2u);
  EXPECT_EQ(cycles_of(one_bank), 16u);
  EXPECT_EQ(cycles_of(one_bank, 4, 0x7), 3u) << "three lanes";
}
TEST(shared_memory_banks, broadcast_one_word_per_step) {
  EXPECT_EQ(cycles_of([](unsigned) { return 4u; }), 1u);
  EXPECT_EQ(cycles_of([](unsigned lane) { return lane < 8 ? 0u : 64u; }, 4, 0x01ff), 2u) << "lane 8 conflicts";
  EXPECT_EQ(cycles_of([](unsigned lane) { return lane < 15 ? 0u : 4u; }), 1u) << "the other word has its own bank";
}
TEST(shared_memory_banks, serve_wide_accesses_word_by_word) {
  EXPECT_EQ(cycles_of([](unsigned lane) { return 8 * lane; }, 8), 4u) << "two words, each with two lanes per bank";
}
TEST(shared_memory_banks, serve_every_word_that_a_lane_needs_and_one_word_per_step_and_bank) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned bytes = 4u << random() % 3;
    const unsigned banks = round % 3 == 0 ? 12 : 16;
    const unsigned half = round % 2;
    const auto lanes = static_cast<isa::lane_mask>(random() | random());
    std::uint32_t addresses[isa::warp_size];
    std::set<std::uint32_t> needed;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      addresses[lane] = static_cast<std::uint32_t>(random() % 64 * bytes);
      if ((lanes >> lane & 1) == 0 || lane / 16 != half) continue;
      for (unsigned part = 0; part < bytes / 4; ++part) needed.insert(addresses[lane] / 4 + part);
    }
    std::set<std::uint32_t> served;
    std::set<std::pair<unsigned, unsigned>> busy;  // step, bank
    unsigned last = 0;
    const unsigned steps =
        serve_half_warp(addresses, lanes, half, bytes, banks, [&](unsigned step, std::uint32_t word) {
          EXPECT_TRUE(busy.insert({step, word % banks}).second) << "a bank serves two words in a step";
          EXPECT_GE(step, last) << "in the order of the steps";
          last = step;
          served.insert(word);
        });
    EXPECT_EQ(served, needed);
    EXPECT_EQ(steps, served.empty() ? 0 : last + 1);
    EXPECT_EQ(bank_cycles(addresses, lanes, half, bytes, banks), steps);
  }
}
TEST(shared_memory_banks, serve_a_row_and_a_single_word_as_any_other_access) {
  for (const unsigned banks : {8u, 12u, 16u, 32u})
    for (const unsigned bytes : {1u, 2u, 4u, 8u})
      for (const std::uint32_t first : {0u, 4u, 52u})
        for (const std::uint32_t stride : {0u, bytes, 4u})
          for (const isa::lane_mask lanes : {0xffffffffu, 0xffff0000u, 0x0000ffffu, 0xfffefffeu})
            for (const unsigned half : {0u, 1u}) {
              std::uint32_t addresses[isa::warp_size];
              for (unsigned lane = 0; lane < isa::warp_size; ++lane) addresses[lane] = first + stride * lane;
              EXPECT_EQ(bank_cycles(addresses, lanes, half, bytes, banks),
                        serve_half_warp(addresses, lanes, half, bytes, banks, [](unsigned, std::uint32_t) {}));
            }
}
TEST(shared_memory_banks, take_no_cycle_for_a_half_warp_without_lanes) { EXPECT_EQ(cycles_of(one_bank, 4, 0), 0u); }

// -- banks that serve a whole warp --

unsigned steps_of(unsigned bytes, std::uint32_t stride, isa::lane_mask lanes = ~isa::lane_mask{0}) {
  std::uint32_t address[isa::warp_size];
  for (std::uint32_t lane = 0; lane < isa::warp_size; ++lane) address[lane] = stride * lane;
  return bank_steps_of_warp(address, lanes, bytes, 32).steps;
}

TEST(banks_of_a_warp, serve_32_lanes_in_a_step) {
  EXPECT_EQ(steps_of(4, 4), 1u);
  EXPECT_EQ(steps_of(4, 8), 2u) << "two words in each second bank";
  EXPECT_EQ(steps_of(4, 128), 32u) << "all words in one bank";
  EXPECT_EQ(steps_of(4, 12), 1u) << "an odd stride meets no bank twice";
  EXPECT_EQ(steps_of(1, 1), 1u);
}
TEST(banks_of_a_warp, give_a_word_to_every_lane_that_needs_it) {
  EXPECT_EQ(steps_of(4, 0), 1u);
  std::uint32_t address[isa::warp_size];
  for (std::uint32_t lane = 0; lane < isa::warp_size; ++lane) address[lane] = lane % 4 * 4;
  EXPECT_EQ(bank_steps_of_warp(address, ~isa::lane_mask{0}, 4, 32).steps, 1u) << "four words at once";
}
TEST(banks_of_a_warp, take_wider_types_in_parts) {
  EXPECT_EQ(steps_of(8, 8), 2u) << "two halves of 16 lanes";
  EXPECT_EQ(steps_of(16, 16), 4u) << "four quarters of 8 lanes";
  EXPECT_EQ(steps_of(8, 8, 0xffff), 1u) << "the other half has no lane";
  EXPECT_EQ(steps_of(8, 16), 4u);
}
TEST(banks_of_a_warp, need_no_step_without_lanes) { EXPECT_EQ(steps_of(4, 4, 0), 0u); }

}  // namespace
}  // namespace gt200::model
