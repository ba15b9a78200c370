// When results reach the register file, and what write-back reports to its neighbours: exact cycles, by several
// ways of clocking. Units and memories are scripted; the neighbours record the calls.
#include "sc_models/sm/completion/write_back.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "sc_models/config/load.h"
#include "sc_models/sm/operands/register_file.h"
#include "testbenches/support/monitored_socket.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/operands/register_ports.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 80;

isa::tesla::instruction assembled(const std::string& text) {
  std::string label;
  isa::tesla::decode_error error;
  const auto i = isa::tesla::parse(text, label, error);
  if (!i) throw std::runtime_error(text + ": " + error.reason);
  // The decoder fills what the models read.
  return *isa::tesla::decode(i->words[0], i->words[1], error);
}

// The scoreboard, block control, stack memory and instruction pool behind write-back.
class listeners : public sc_core::sc_module,
                  public tlm_bus::transaction_target<scoreboard_release>,
                  public block_control_if,
                  public stack_memory_if,
                  public instruction_pool_if {
 public:
  tlm_bus::transaction_in<scoreboard_release> releases{"releases", *this};

  listeners(const sc_core::sc_module_name& name, const tlm_bus::clock_domain& domain)
      : sc_core::sc_module(name), domain_(domain) {}

  std::map<std::uint64_t, cycle_t> returned;                 // to the pool, by instruction
  std::vector<std::pair<unsigned, std::uint64_t>> released;  // warp, scoreboard entries
  std::vector<std::uint64_t> done, faulty, stack_accesses;

  void transport(scoreboard_release& release) override {
    released.push_back({release.warp.index(), release.entries});
  }
  void describe(warp_slot, warp_instruction&) const override {}
  void instruction_issued(warp_slot, isa::unit_class) override {}
  void instruction_done(const warp_instruction& operation) override { done.push_back(operation.id); }
  void warp_finished(warp_slot) override {}
  void faulted(const warp_instruction& operation) override { faulty.push_back(operation.id); }
  void completed(const warp_instruction& access) override { stack_accesses.push_back(access.id); }
  warp_instruction* get() override { return nullptr; }
  void put(warp_instruction* operation) override { returned[operation->id] = domain_.cycle(); }

 private:
  const tlm_bus::clock_domain& domain_;
};

struct arrival {
  cycle_t sent;
  std::string from;  // source of a result port, or one of the other inputs
  std::string text = "add b32 $r1 $r2 $r3";
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  isa::lane_mask executed = ~isa::lane_mask{0};
  bool stack_access = false;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const std::vector<arrival>& scene, lane_share share)
      : config_(config),
        units_(config_),
        clocks_((name + "_clocks").c_str(), options),
        registers_((name + "_registers").c_str(), config_),
        unused_(name + "_unused", registers_, {false, true, false}),
        listeners_((name + "_listeners").c_str(), clocks_.core),
        write_back_((name + "_write_back").c_str(), clocks_.core, config_, units_, share),
        memory_((name + "_from_memory").c_str(), clocks_.core) {
    testing::allocate(registers_, 5, 0, 16);
    write_back_.register_file.bind(registers_.writes);
    write_back_.scoreboard.bind(listeners_.releases);
    write_back_.block_control.bind(listeners_);
    write_back_.stack_memory.bind(listeners_);
    write_back_.pool.bind(listeners_);
    for (unsigned r = 0; r < units_.results().size(); ++r)
      add_source(name, units_.results()[r].port.source).bind(write_back_.from_units[r]);
    add_source(name, "shared_memory").bind(write_back_.from_shared_memory);
    add_source(name, "memory_port").bind(write_back_.from_memory_port);
    add_source(name, "branch").bind(write_back_.from_branch);
    add_source(name, "barrier").bind(write_back_.from_barrier);
    memory_.out.bind(write_back_.from_memory);
    for (const arrival& a : scene) send(a);
  }

  // Cycles in which the instructions of the scene completed, in its order; 0 = never.
  std::vector<cycle_t> result() const {
    std::vector<cycle_t> cycles(operations_.size());
    for (const auto& [id, cycle] : listeners_.returned) cycles[id - 1] = cycle;
    return cycles;
  }
  const listeners& told() const { return listeners_; }
  const write_back& stage() const { return write_back_; }
  std::uint32_t lane_of(unsigned gpr, unsigned lane) const { return registers_.rows(warp_slot(5)).gpr(gpr)[lane]; }

 private:
  tlm_bus::pipe_out<executed_token>& add_source(const std::string& name, const std::string& from) {
    auto& made = sources_[from] =
        std::make_unique<support::token_source<executed_token>>((name + "_from_" + from).c_str(), clocks_.core);
    return made->out;
  }
  // All lanes have 77 as their result.
  void send(const arrival& a) {
    instructions_.push_back(assembled(a.text));
    warp_instruction& operation = operations_.emplace_back();
    operation.instruction = &instructions_.back();
    operation.id = operations_.size();
    operation.warp = warp_slot(5);
    operation.executed = a.executed;
    operation.fault = a.fault;
    operation.stack_access = a.stack_access;
    operation.dependency_entries = 1u << operation.id;
    for (isa::lane_words& word : operation.values.destination)
      for (std::uint32_t& lane : word.lane) lane = 77;
    if (a.from == "memory")
      memory_.send_at(a.sent, {&operation});
    else
      sources_.at(a.from)->send_at(a.sent, {&operation});
  }

  config::sm_config config_;
  unit_list units_;
  support::clocks clocks_;
  register_file registers_;
  testing::unused_register_ports unused_;
  listeners listeners_;
  write_back write_back_;
  support::token_source<memory_completion_token> memory_;
  std::map<std::string, std::unique_ptr<support::token_source<executed_token>>> sources_;
  std::deque<isa::tesla::instruction> instructions_;
  std::deque<warp_instruction> operations_;
};

class write_back_test : public support::systemc_test {
 protected:
  using cycles = std::vector<cycle_t>;
  // By several ways of clocking; the completions of the first, which the others equal.
  cycles run(const std::vector<arrival>& scene, const std::vector<std::string>& overrides = {},
             lane_share share = {}) {
    const config::sm_config config =
        config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values.tpc.sm;
    tlm_bus::clocking_options options;
    const auto add = [&](const char* name) {
      benches_.push_back(std::make_unique<bench>(name, options, config, scene, share));
    };
    add("due");
    options.audit = true;
    add("audited");
    options.audit = false;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference");
    options.mode = tlm_bus::clocking_options::way::due;
    for (const char* name : {"shuffled_1", "shuffled_2"}) {
      ++options.shuffle_seed;
      add(name);
    }
    run_through(end);
    for (const auto& b : benches_) EXPECT_EQ(b->result(), benches_.front()->result());
    return benches_.front()->result();
  }
  const bench& first() const { return *benches_.front(); }

 private:
  std::vector<std::unique_ptr<bench>> benches_;
};

// 24 shader cycles from issue to dependent issue for the SPs; two core cycles of these are outside the unit.
TEST_F(write_back_test, every_source_has_the_latency_of_its_unit) {
  EXPECT_EQ(run({{10, "sp"}, {20, "sfu"}, {30, "sfu_multiply"}, {25, "dp"}}), (cycles{20, 32, 40, 47}));
}
TEST_F(write_back_test, shared_memory_takes_its_latency_and_the_others_a_cycle) {
  EXPECT_EQ(run({{10, "shared_memory"}, {30, "memory_port"}, {32, "branch"}, {34, "barrier"}, {36, "memory"}}),
            (cycles{26, 31, 33, 35, 37}));
}
TEST_F(write_back_test, a_longer_issue_latency_is_taken_from_the_unit) {
  EXPECT_EQ(run({{10, "sp"}}, {"tpc.sm.issue.latency_cycles=3", "tpc.sm.sfu.reduced_saves_cycles=0"}),
            (cycles{18}));
}

// 32 words per cycle: a double-precision result takes the ports for two.
TEST_F(write_back_test, a_result_waits_while_the_write_ports_are_busy) {
  EXPECT_EQ(run({{10, "memory_port", "add rn f64 $r2d $r4d $r6d"}, {10, "branch"}, {11, "barrier"}}),
            (cycles{11, 13, 14}));
  EXPECT_EQ(first().stage().register_writes.value(), (2u + 1 + 1) * 32);
}
TEST_F(write_back_test, with_more_ports_all_sources_write_in_one_cycle) {
  EXPECT_EQ(run({{10, "memory_port", "add rn f64 $r2d $r4d $r6d"}, {10, "branch"}, {11, "barrier"}},
                {"tpc.sm.register_file.write_ports=128"}),
            (cycles{11, 11, 12}));
}
TEST_F(write_back_test, lanes_take_the_write_ports_for_their_own_words_when_divergence_is_free) {
  EXPECT_EQ(run({{10, "memory_port", "add rn f64 $r2d $r4d $r6d", arch_state::fault_kind::none, 0xff},
                 {10, "branch"},
                 {11, "barrier"}},
                {}, lane_share(true)),
            (cycles{11, 11, 12}));
  EXPECT_EQ(first().stage().register_writes.value(), 2u * 8 + 32 + 32);
}
TEST_F(write_back_test, what_writes_no_register_needs_no_port) {
  EXPECT_EQ(run({{10, "memory_port", "st b32 g14[$r4] $r7"}, {10, "branch", "bra 0x40"}, {10, "barrier"}}),
            (cycles{11, 11, 11}));
}
// Both inputs always have a result. The input served first advances by one every cycle.
TEST_F(write_back_test, the_source_that_goes_first_rotates) {
  EXPECT_EQ(run({{10, "memory_port"},
                 {11, "memory_port"},
                 {12, "memory_port"},
                 {10, "barrier"},
                 {11, "barrier"},
                 {12, "barrier"}}),
            (cycles{11, 12, 13, 14, 15, 16}));
}

TEST_F(write_back_test, writes_the_lanes_that_executed_and_releases_the_entries) {
  run({{10, "sp", "add b32 $r1 $r2 $r3", arch_state::fault_kind::none, 0x2}});
  EXPECT_EQ(first().lane_of(1, 1), 77u);
  EXPECT_EQ(first().lane_of(1, 0), 0u);
  EXPECT_EQ(first().told().released, (std::vector<std::pair<unsigned, std::uint64_t>>{{5, 2}}));
  EXPECT_EQ(first().told().done, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(first().stage().completed.value(), 1u);
}
TEST_F(write_back_test, a_faulty_instruction_writes_nothing_and_is_reported) {
  run({{10, "memory", "ld b32 $r1 g14[$r2]", arch_state::fault_kind::unmapped_address}});
  EXPECT_EQ(first().lane_of(1, 0), 0u);
  EXPECT_EQ(first().told().faulty, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(first().told().done, (std::vector<std::uint64_t>{1}));
}
TEST_F(write_back_test, an_access_of_the_stack_memory_is_no_instruction) {
  run({{10, "memory", "ld b32 $r1 g14[$r2]", arch_state::fault_kind::none, ~isa::lane_mask{0}, true}});
  EXPECT_EQ(first().told().stack_accesses, (std::vector<std::uint64_t>{1}));
  EXPECT_TRUE(first().told().released.empty());
  EXPECT_EQ(first().lane_of(1, 0), 0u);
  EXPECT_EQ(first().stage().completed.value(), 0u);
}
TEST_F(write_back_test, keeps_the_latency_of_a_load) {
  run({{10, "memory", "ld b32 $r1 g14[$r2]"}});
  EXPECT_EQ(first().stage().latencies.global_load.value().total(), 1u);
}

}  // namespace
}  // namespace gt200::model
