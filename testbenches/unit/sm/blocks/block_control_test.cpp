// When blocks start their warps and retire: exact cycles, by every way of clocking. What a warp finds in its
// registers and in shared memory, and how a fault ends a launch.
#include "sc_models/sm/blocks/block_control.h"

#include <deque>
#include <functional>

#include "sc_models/sm/operands/register_file.h"
#include "testbenches/support/script.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "testbenches/unit/sm/operands/register_ports.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 80;
constexpr unsigned sm_in_tpc = 2;

struct start {
  cycle_t cycle;
  unsigned warp;
  friend bool operator==(const start& a, const start& b) { return a.cycle == b.cycle && a.warp == b.warp; }
  friend std::ostream& operator<<(std::ostream& out, const start& s) {
    return out << "{cycle " << s.cycle << ": warp " << s.warp << '}';
  }
};
struct retirement {
  cycle_t cycle;
  std::uint32_t block;
  bool faulted;
  friend bool operator==(const retirement& a, const retirement& b) {
    return a.cycle == b.cycle && a.block == b.block && a.faulted == b.faulted;
  }
  friend std::ostream& operator<<(std::ostream& out, const retirement& r) {
    return out << "{cycle " << r.cycle << ": block " << r.block << (r.faulted ? " faulted}" : "}");
  }
};

// Shared memory and divergence stack, which only note how they are set up.
class surroundings : public sc_core::sc_module, public shared_memory_start_if, public simt_stack_start_if {
 public:
  explicit surroundings(const sc_core::sc_module_name& name) : sc_core::sc_module(name), shared(16384) {}

  std::vector<std::uint8_t> shared;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> regions;  // base, bytes
  std::vector<isa::lane_mask> lanes;                             // of the warps that started, in order

  std::uint8_t* bind(block_slot, std::uint32_t base, std::uint32_t bytes) override {
    regions.push_back({base, bytes});
    return &shared[base];
  }
  void start(warp_slot, isa::code_address, isa::lane_mask started) override { lanes.push_back(started); }
};

class bench;
struct scene {
  std::vector<std::pair<cycle_t, std::uint32_t>> launches;  // cycle, block
  std::vector<std::pair<cycle_t, std::function<void(bench&)>>> acts = {};
};

// Blocks of 40 threads: two warps, of which the second has eight lanes.
class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s)
      : config_(testing::sm_config_with({})),
        clocks_((name + "_clocks").c_str(), options),
        rest_((name + "_rest").c_str()),
        registers_((name + "_registers").c_str(), config_),
        unused_(name + "_unused", registers_, {false, false, true}),
        tpc_((name + "_tpc").c_str(), clocks_.core),
        unit_((name + "_unit").c_str(), clocks_.core, config_, generation_.values(), sm_in_tpc),
        retired_((name + "_retired").c_str(), clocks_.core, 2),
        fetch_((name + "_fetch").c_str(), clocks_.core, 2),
        script_((name + "_script").c_str(), clocks_.core) {
    tpc_.out.bind(unit_.launch);
    unit_.retire.bind(retired_.in);
    unit_.start.bind(fetch_.in);
    unit_.registers.bind(registers_.allocations);
    unit_.register_values.bind(registers_.initial_writes);
    unit_.shared_memory.bind(rest_);
    unit_.simt_stack.bind(rest_);
    grid_.grid = {8, 1};
    grid_.block = {40, 1, 1};
    grid_.registers = 4;
    grid_.shared_bytes = 64;
    grid_.parameters = {1, 2, 3, 4};
    for (const auto& [cycle, block] : s.launches) {
      launch_token token;
      token.grid = &grid_;
      token.block_id = block;
      token.block_x = static_cast<std::uint16_t>(block);
      tpc_.send_at(cycle, token);
    }
    for (const auto& entry : s.acts) script_.at(entry.first, [this, act = entry.second] { act(*this); });
  }

  std::pair<std::vector<start>, std::vector<retirement>> result() const {
    std::vector<start> starts;
    for (const auto& t : fetch_.taken) starts.push_back({t.cycle, t.value.warp.index()});
    std::vector<retirement> ends;
    for (const auto& t : retired_.taken) ends.push_back({t.cycle, t.value.block_id, t.value.faulted});
    return {starts, ends};
  }
  // All warps of the slots exit.
  void finish(unsigned first, unsigned count = 2) {
    for (unsigned warp = first; warp < first + count; ++warp) unit_.warp_finished(warp_slot(warp));
  }
  void issued(unsigned warp, isa::unit_class unit = isa::unit_class::sp) {
    unit_.instruction_issued(warp_slot(warp), unit);
  }
  void done(unsigned warp, isa::unit_class unit = isa::unit_class::sp) {
    isa::instruction instruction;
    instruction.unit = unit;
    warp_instruction operation;
    operation.instruction = &instruction;
    operation.warp = warp_slot(warp);
    unit_.instruction_done(operation);
  }
  // A store of the warp has been sent; later it is acknowledged.
  void sent(unsigned warp) {
    store_.unit = isa::unit_class::memory;
    posted_.instruction = &store_;
    posted_.warp = warp_slot(warp);
    unit_.store_sent(posted_);
  }
  void acknowledged() { unit_.instruction_done(posted_); }
  void fault(std::uint32_t block, arch_state::fault_kind kind, isa::code_address pc) {
    const isa::instruction instruction;
    warp_instruction operation;
    operation.instruction = &instruction;
    operation.block_id = block;
    operation.fault = kind;
    operation.pc = pc;
    unit_.faulted(operation);
  }
  const block_control& unit() const { return unit_; }
  block_control& unit() { return unit_; }
  const surroundings& rest() const { return rest_; }
  std::uint32_t lane_of(unsigned warp, unsigned gpr, unsigned lane) const {
    return registers_.rows(warp_slot(warp)).gpr(gpr)[lane];
  }
  const std::vector<support::timed<retire_token>>& retired() const { return retired_.taken; }
  warp_mask unfinished() const { return unit_.unfinished().read(clocks_.core.cycle()); }
  stall_cause awaited(unsigned warp) const {
    return unit_.awaited_at_exit().read(clocks_.core.cycle())[warp_slot(warp)];
  }
  warp_mask resident() const { return unit_.resident().read(clocks_.core.cycle()); }

 private:
  config::sm_config config_;
  arch_state::tesla::generation generation_{13, {}};
  support::clocks clocks_;
  surroundings rest_;
  register_file registers_;
  testing::unused_register_ports unused_;
  support::token_source<launch_token> tpc_;
  block_control unit_;
  support::token_sink<retire_token> retired_;
  support::token_sink<start_token> fetch_;
  support::script script_;
  grid_descriptor grid_;
  isa::instruction store_;
  warp_instruction posted_;
};

class block_control_test : public testing::every_way<bench> {
 protected:
  using starts = std::vector<start>;
  using retirements = std::vector<retirement>;
  std::pair<starts, retirements> run_scene(const scene& s) {
    build(s);
    return run(end);
  }
};

// Sent in 10, the block gets its place in 11; its warps start in 12 and 13, and fetch sees them a cycle later.
TEST_F(block_control_test, starts_one_warp_per_cycle) {
  const auto [started, ended] = run_scene({{{10, 0}, {11, 1}}});
  EXPECT_EQ(started, (starts{{13, 0}, {14, 1}, {16, 2}, {17, 3}}));
  EXPECT_EQ(ended, retirements{});
  EXPECT_EQ(first().rest().lanes, (std::vector<isa::lane_mask>{0xffffffff, 0xff, 0xffffffff, 0xff}));
  EXPECT_EQ(first().unit().blocks_started.value(), 2u);
  EXPECT_EQ(first().unit().warps_started.value(), 4u);
  EXPECT_EQ(first().unit().resident_blocks(), 2u);
}
TEST_F(block_control_test, threads_find_their_numbers_in_r0) {
  run_scene({{{10, 0}}});
  EXPECT_EQ(first().lane_of(0, 0, 5), 5u);
  EXPECT_EQ(first().lane_of(1, 0, 7), 39u);
}
TEST_F(block_control_test, shared_memory_has_header_and_parameters) {
  run_scene({{{10, 0}, {20, 3}}});
  ASSERT_EQ(first().rest().regions.size(), 2u);
  EXPECT_EQ(first().rest().regions[0], (std::pair<std::uint32_t, std::uint32_t>{0, 64}));
  const std::uint32_t second = first().rest().regions[1].first;
  EXPECT_GE(second, 64u);
  const std::uint8_t* bytes = &first().rest().shared[second];
  EXPECT_EQ(bytes[2], 40u) << "threads of a block";
  EXPECT_EQ(bytes[8], 8u) << "blocks of the grid";
  EXPECT_EQ(bytes[12], 3u) << "number of the block";
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bytes[16 + i], 1 + i) << "parameter byte " << i;
}

TEST_F(block_control_test, a_block_retires_when_its_last_warp_has_exited) {
  const auto [started, ended] =
      run_scene({{{10, 5}}, {{30, [](bench& b) { b.finish(0, 1); }}, {40, [](bench& b) { b.finish(1, 1); }}}});
  EXPECT_EQ(started.size(), 2u);
  EXPECT_EQ(ended, (retirements{{42, 5, false}}));
  EXPECT_EQ(first().retired()[0].value.sm, sm_in_tpc);
  EXPECT_EQ(first().unit().resident_blocks(), 0u);
}
TEST_F(block_control_test, a_block_waits_for_its_instructions_in_flight) {
  const auto [started, ended] = run_scene(
      {{{10, 5}}, {{20, [](bench& b) { b.issued(1); }}, {30, [](bench& b) { b.finish(0); }}, {50, [](bench& b) {
                                                                                                b.done(1);
                                                                                              }}}});
  EXPECT_EQ(ended, (retirements{{52, 5, false}}));
}
TEST_F(block_control_test, a_block_retires_with_posted_stores_under_way_and_says_when_they_are_acknowledged) {
  using isa::unit_class;
  using stores = retire_token::stores;
  const auto [started, ended] = run_scene({{{10, 5}},
                                           {{20, [](bench& b) { b.issued(1, unit_class::memory); }},
                                            {30, [](bench& b) { b.finish(0); }},
                                            {40, [](bench& b) { b.sent(1); }},
                                            {60, [](bench& b) { b.acknowledged(); }}}});
  EXPECT_EQ(ended, (retirements{{42, 5, false}, {62, 5, false}}));
  ASSERT_EQ(first().retired().size(), 2u);
  EXPECT_EQ(first().retired()[0].value.its_stores, stores::under_way);
  EXPECT_EQ(first().retired()[1].value.its_stores, stores::settled);
  EXPECT_EQ(first().unit().blocks_retired.value(), 1u);
}
TEST_F(block_control_test, a_store_that_is_acknowledged_before_the_end_of_its_block_needs_no_second_token) {
  using isa::unit_class;
  const auto [started, ended] = run_scene({{{10, 5}},
                                           {{20, [](bench& b) { b.issued(1, unit_class::memory); }},
                                            {30, [](bench& b) { b.sent(1); }},
                                            {40, [](bench& b) { b.acknowledged(); }},
                                            {50, [](bench& b) { b.finish(0); }}}});
  EXPECT_EQ(ended, (retirements{{52, 5, false}}));
  EXPECT_EQ(first().retired()[0].value.its_stores, retire_token::stores::acknowledged);
}
// Eight blocks are all that fit. The ninth begins when the store of the first one is acknowledged.
TEST_F(block_control_test, a_new_block_waits_for_the_slots_of_posted_stores) {
  using isa::unit_class;
  std::vector<std::pair<cycle_t, std::uint32_t>> launches;
  for (std::uint32_t block = 0; block < 8; ++block) launches.push_back({10 + block, block});
  launches.push_back({45, 8});
  const auto [started, ended] = run_scene({launches,
                                           {{36, [](bench& b) { b.issued(1, unit_class::memory); }},
                                            {38, [](bench& b) { b.finish(0); }},
                                            {40, [](bench& b) { b.sent(1); }},
                                            {60, [](bench& b) { b.acknowledged(); }}}});
  EXPECT_EQ(ended, (retirements{{42, 0, false}, {62, 0, false}}));
  ASSERT_EQ(started.size(), 18u);
  EXPECT_EQ(started[16], (start{63, 0}));
  EXPECT_EQ(started[17], (start{64, 1}));
}
// Memory goes before what ends sooner, and everything before the end of the block.
TEST_F(block_control_test, neighbours_see_what_a_warp_that_has_exited_waits_for) {
  using isa::unit_class;
  std::vector<std::pair<cycle_t, stall_cause>> seen;
  const auto look = [&seen](cycle_t at) {
    return std::pair<cycle_t, std::function<void(bench&)>>{at, [&seen, at](bench& b) {
                                                             seen.push_back({at, b.awaited(1)});
                                                           }};
  };
  build(scene{{{10, 0}},
              {{20,
                [](bench& b) {
                  b.issued(1, unit_class::memory);
                  b.issued(1, unit_class::sfu);
                  b.issued(1, unit_class::texture);
                }},
               {30, [](bench& b) { b.finish(1, 1); }},
               look(31),
               {32, [](bench& b) { b.done(1, unit_class::texture); }},
               look(33),
               {34, [](bench& b) { b.done(1, unit_class::memory); }},
               look(35),
               {36, [](bench& b) { b.done(1, unit_class::sfu); }},
               look(37)}});
  run(end);
  ASSERT_FALSE(seen.empty());
  ASSERT_EQ(seen.size() % 4, 0u);
  for (const auto& [at, cause] : seen)
    EXPECT_EQ(cause, at < 35    ? stall_cause::dependency_global
                     : at == 35 ? stall_cause::dependency_sfu
                                : stall_cause::draining)
        << at;
}
TEST_F(block_control_test, a_new_block_gets_the_place_of_a_retired_one) {
  const auto [started, ended] = run_scene({{{10, 0}, {11, 1}, {50, 2}}, {{30, [](bench& b) { b.finish(0); }}}});
  EXPECT_EQ(started, (starts{{13, 0}, {14, 1}, {16, 2}, {17, 3}, {53, 0}, {54, 1}}));
  EXPECT_EQ(ended, (retirements{{32, 0, false}}));
}
TEST_F(block_control_test, neighbours_see_warps_that_are_resident_and_unfinished) {
  std::vector<warp_mask> seen;
  const auto look = [&seen](bench& b) {
    seen.push_back(b.resident());
    seen.push_back(b.unfinished());
    seen.push_back(b.unit().unfinished_warps(block_slot(0)));
  };
  build(scene{{{10, 0}}, {{20, [](bench& b) { b.finish(0, 1); }}, {21, look}}});
  run(end);
  ASSERT_EQ(seen.size() % 3, 0u);
  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 0; i < seen.size(); i += 3) {
    EXPECT_EQ(seen[i], 0b11u);
    EXPECT_EQ(seen[i + 1], 0b10u);
    EXPECT_EQ(seen[i + 2], 1u);
  }
}

TEST_F(block_control_test, the_first_fault_ends_the_launch_and_is_kept) {
  const auto [started, ended] =
      run_scene({{{10, 0}},
                 {{30, [](bench& b) { b.fault(7, arch_state::fault_kind::unmapped_address, 0x18); }},
                  {33, [](bench& b) { b.fault(8, arch_state::fault_kind::trap, 0x20); }}}});
  EXPECT_EQ(ended, (retirements{{32, 7, true}}));
  EXPECT_EQ(first().unit().fault().kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(first().unit().fault().pc, 0x18u);
}
// Only a damaged warp ends again. It ends once, and the launch with a fault.
TEST_F(block_control_test, a_warp_that_ends_twice_is_a_machine_check) {
  const auto [started, ended] =
      run_scene({{{10, 5}}, {{30, [](bench& b) { b.finish(1, 1); }}, {40, [](bench& b) { b.finish(1, 1); }}}});
  EXPECT_EQ(ended, (retirements{{42, 5, true}}));
  EXPECT_EQ(first().unit().fault().kind, arch_state::fault_kind::machine_check);
  EXPECT_EQ(first().unit().fault().warp_in_block, 1u);
  EXPECT_EQ(first().unit().resident_blocks(), 1u) << "the other warp has not ended";
}
// Fault and end are both known in 31; the fault is reported first.
TEST_F(block_control_test, a_fault_is_reported_before_the_end_of_its_block) {
  const auto [started, ended] = run_scene({{{10, 0}}, {{30, [](bench& b) {
                                                          b.fault(0, arch_state::fault_kind::trap, 0);
                                                          b.finish(0);
                                                        }}}});
  EXPECT_EQ(ended, (retirements{{32, 0, true}, {33, 0, false}}));
}

}  // namespace
}  // namespace gt200::model
