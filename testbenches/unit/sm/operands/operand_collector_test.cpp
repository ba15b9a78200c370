// When an instruction leaves the operand collector, its destination, and its values: exact cycles, by several ways
// of clocking. Issue pipes are scripted, the register file is real, and a fake constant cache fetches each line in
// five cycles.
#include "sc_models/sm/operands/operand_collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "sc_models/config/load.h"
#include "sc_models/sm/operands/register_file.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/operands/register_ports.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 80;
constexpr std::uint64_t constants_at = 0x1000;
constexpr cycle_t line_fetch_cycles = 5;

isa::tesla::instruction assembled(const std::string& text) {
  std::string label;
  isa::tesla::decode_error error;
  const auto i = isa::tesla::parse(text, label, error);
  if (!i) throw std::runtime_error(text + ": " + error.reason);
  // The decoder fills what the models read.
  return *isa::tesla::decode(i->words[0], i->words[1], error);
}

// Word n of c0 is 100 + n. Lines of 64 bytes are absent until they are fetched.
class fake_constants : public tlm_bus::stage,
                       public constant_cache_if,
                       public tlm_bus::transaction_target<constant_read>,
                       public tlm_bus::transaction_target<constant_line_fetch> {
 public:
  tlm_bus::transaction_in<constant_read> reads{"reads", *this};
  tlm_bus::transaction_in<constant_line_fetch> line_fetches{"line_fetches", *this};

  fake_constants(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain) : stage(name, domain) {
    for (std::uint32_t n = 0; n < words_.size(); ++n) words_[n] = 100 + n;
  }
  bool is_present(std::uint64_t address) const override {
    const auto line = arrives_.find(address / 64);
    return line != arrives_.end() && cycle() >= line->second;
  }
  void transport(constant_read& read) override {
    if (!is_present(read.address)) throw std::logic_error("read from a line that is absent");
    read.data = words_[(read.address - constants_at) / 4];
  }
  void transport(constant_line_fetch& fetch) override {
    if (arrives_.emplace(fetch.address / 64, cycle() + line_fetch_cycles).second)
      wake_at(cycle() + line_fetch_cycles - 1);
  }
  const tlm_bus::registered_event& arrival() const override { return arrival_; }

 private:
  // A line can be read in the cycle after it has arrived.
  void tick() override {
    for (const auto& line : arrives_)
      if (line.second == cycle() + 1) arrival_.notify(domain());
  }

  tlm_bus::registered_event arrival_;
  std::array<std::uint32_t, 64> words_;
  std::map<std::uint64_t, cycle_t> arrives_;
};

struct arrival {
  cycle_t issued;  // sent by issue in this cycle; in the order of the list
  std::string text;
  unsigned warp = 0;
  isa::lane_mask active = ~isa::lane_mask{0};
};

// An instruction that left: when, and where to.
struct departure {
  cycle_t cycle;
  std::uint64_t instruction;  // position in the scene, from 1
  std::string to;
  friend bool operator==(const departure& a, const departure& b) {
    return a.cycle == b.cycle && a.instruction == b.instruction && a.to == b.to;
  }
  friend bool operator<(const departure& a, const departure& b) {
    return std::tie(a.cycle, a.instruction, a.to) < std::tie(b.cycle, b.instruction, b.to);
  }
  friend std::ostream& operator<<(std::ostream& out, const departure& d) {
    return out << d.cycle << ": " << d.instruction << " to " << d.to;
  }
};
using departures = std::vector<departure>;

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const std::vector<arrival>& scene, lane_share share)
      : config_(config),
        units_(config_),
        generation_(13, config_.simt_stack),
        clocks_((name + "_clocks").c_str(), options),
        registers_((name + "_registers").c_str(), config_),
        unused_(name + "_unused", registers_, {true, false, false}),
        constants_((name + "_constants").c_str(), clocks_.core),
        collector_((name + "_collector").c_str(), clocks_.core, config_, units_, generation_, 0, false, share) {
    grid_.registers = 16;
    grid_.constants[0] = {constants_at, 256};
    collector_.register_file.bind(registers_.reads);
    collector_.constant_cache.bind(constants_);
    collector_.constant_reads.bind(constants_.reads);
    collector_.constant_line_fetches.bind(constants_.line_fetches);
    for (unsigned warp = 0; warp < 4; ++warp) fill(warp);
    for (unsigned c = 0; c < units_.collectors().size(); ++c) {
      issue_.push_back(std::make_unique<support::token_source<issued_token>>(
          (name + "_issue_" + std::to_string(c)).c_str(), clocks_.core));
      issue_.back()->out.bind(collector_.from_issue[c]);
    }
    for (unsigned u = 0; u < units_.units().size(); ++u)
      add_sink(name, units_.units()[u].name).bind_to(collector_.to_units[u]);
    add_sink(name, "shared_memory").bind_to(collector_.to_shared_memory);
    add_sink(name, "memory_port").bind_to(collector_.to_memory_port);
    add_sink(name, "barrier").bind_to(collector_.to_barrier);
    branch_ = std::make_unique<support::token_sink<control_token>>((name + "_branch").c_str(), clocks_.core, 8);
    collector_.to_branch.bind(branch_->in);
    for (const arrival& a : scene) issue(a);
  }

  departures result() const {
    departures all;
    for (const auto& [to, receiver] : sinks_)
      for (const auto& t : receiver->taken) all.push_back({t.cycle - 1, t.value.operation->sequence, to});
    for (const auto& t : branch_->taken) all.push_back({t.cycle - 1, (t.value.pc - first_pc) / 8, "branch"});
    std::sort(all.begin(), all.end());
    return all;
  }
  const warp_instruction& operation(std::uint64_t number) const { return operations_[number - 1]; }
  const operand_collector& collector() const { return collector_; }

 private:
  static constexpr std::uint32_t first_pc = 0x100;
  using sink = support::token_sink<collected_token>;
  struct sink_of {
    sink& receiver;
    void bind_to(tlm_bus::pipe_out<collected_token>& from) { from.bind(receiver.in); }
  };
  sink_of add_sink(const std::string& name, const std::string& to) {
    auto& made = sinks_[to] = std::make_unique<sink>((name + "_to_" + to).c_str(), clocks_.core, 8);
    return {*made};
  }
  // Lane l of $r<n> is 1000 n + l. $a1 of lane l is 4 (l modulo 4), so a half-warp has four addresses.
  void fill(unsigned warp) {
    testing::allocate(registers_, warp, 16 * warp, 16);
    for (unsigned r = 0; r < 16; ++r) {
      isa::lane_words row;
      for (unsigned lane = 0; lane < isa::warp_size; ++lane) row.lane[lane] = 1000 * r + lane;
      testing::write_register(registers_, warp, isa::register_file_kind::gpr, r, &row);
    }
    std::uint16_t row[isa::warp_size];
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) row[lane] = static_cast<std::uint16_t>(4 * (lane % 4));
    testing::write_register(registers_, warp, isa::register_file_kind::address, 1, row);
  }
  void issue(const arrival& a) {
    instructions_.push_back(assembled(a.text));
    warp_instruction& operation = operations_.emplace_back();
    operation.instruction = &instructions_.back();
    operation.id = operation.sequence = operations_.size();
    operation.grid = &grid_;
    operation.pc = first_pc + 8 * static_cast<std::uint32_t>(operations_.size());
    operation.warp = warp_slot(a.warp);
    operation.warp_in_block = static_cast<std::uint8_t>(a.warp);
    operation.active = a.active;
    issue_[as_index(units_.collector_of(instructions_.back()))]->send_at(a.issued, {&operation});
  }

  config::sm_config config_;
  unit_list units_;
  arch_state::tesla::generation generation_;
  support::clocks clocks_;
  grid_descriptor grid_;
  register_file registers_;
  testing::unused_register_ports unused_;
  fake_constants constants_;
  operand_collector collector_;
  std::vector<std::unique_ptr<support::token_source<issued_token>>> issue_;  // by collector class
  std::map<std::string, std::unique_ptr<sink>> sinks_;
  std::unique_ptr<support::token_sink<control_token>> branch_;
  std::deque<isa::tesla::instruction> instructions_;
  std::deque<warp_instruction> operations_;
};

class collector_test : public support::systemc_test {
 protected:
  // By several ways of clocking; the departures of the first, which the others equal.
  departures run(const std::vector<arrival>& scene, const std::vector<std::string>& overrides = {},
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

TEST_F(collector_test, sends_each_class_to_its_place_in_the_cycle_after_issue) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 $r3"},
                 {12, "rsqrt f32 $r1 $r2"},
                 {14, "add rn f64 $r2d $r4d $r6d"},
                 {20, "add b32 $r1 b32 s[0x10] $r3"},
                 {22, "ld b32 $r1 g14[$r2]"},
                 {30, "bar inc wait 0x3 0xfff"},
                 {32, "bra 0x40"}}),
            (departures{{11, 1, "sp"},
                        {13, 2, "sfu"},
                        {15, 3, "dp"},
                        {21, 4, "shared_memory"},
                        {23, 5, "memory_port"},
                        {31, 6, "barrier"},
                        {33, 7, "branch"}}));
}

TEST_F(collector_test, takes_the_issue_latency_of_the_configuration) {
  EXPECT_EQ(
      run({{10, "add b32 $r1 $r2 $r3"}}, {"tpc.sm.issue.latency_cycles=3", "tpc.sm.sfu.reduced_saves_cycles=0"}),
      (departures{{13, 1, "sp"}}));
}

// A multiplication-addition reads 96 words, and there are 80 per cycle: the sixth and the seventh wait for a cycle.
TEST_F(collector_test, reads_as_many_words_per_cycle_as_there_are_ports) {
  std::vector<arrival> scene;
  for (unsigned n = 0; n < 7; ++n) scene.push_back({10 + n, "add f32 $r1 (mul $r2 $r3) $r4", n % 4});
  EXPECT_EQ(run(scene), (departures{{11, 1, "sp"},
                                    {12, 2, "sp"},
                                    {13, 3, "sp"},
                                    {14, 4, "sp"},
                                    {15, 5, "sp"},
                                    {17, 6, "sp"},
                                    {18, 7, "sp"}}));
  EXPECT_EQ(first().collector().port_waits.value(), 2u);
  EXPECT_EQ(first().collector().register_reads.value(), 7u * 3 * 32);
}

// The first load takes the 16 memory ports for two cycles. What was issued behind the second load waits with it,
// also the addition, which uses other ports.
TEST_F(collector_test, reads_registers_in_the_order_of_issue) {
  EXPECT_EQ(run({{10, "ld b32 $r1 g14[$r2]"}, {11, "ld b32 $r1 g14[$r2]", 1}, {11, "add b32 $r1 $r2 $r3", 2}}),
            (departures{{11, 1, "memory_port"}, {13, 2, "memory_port"}, {13, 3, "sp"}}));
}

// Registers 2, 4 and 6 of a warp lie in the same four of 16 banks: each access of the first takes its banks for
// half a core cycle, so two are read in the first cycle.
TEST_F(collector_test, waits_for_a_bank_that_an_older_instruction_uses) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 $r4"}, {10, "rsqrt f32 $r1 $r6"}}, {"tpc.sm.register_file.banks=16"}),
            (departures{{11, 1, "sp"}, {12, 2, "sfu"}}));
  EXPECT_EQ(first().collector().bank_waits.value(), 1u);
}

// Eight SPs with eight banks of one register each are 16 banks of four.
TEST_F(collector_test, counts_the_banks_of_the_sps_when_they_are_given) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 $r4"}, {10, "rsqrt f32 $r1 $r6"}}, {"tpc.sm.register_file.banks_per_sp=8"}),
            (departures{{11, 1, "sp"}, {12, 2, "sfu"}}));
  EXPECT_EQ(first().collector().bank_waits.value(), 1u);
}

TEST_F(collector_test, lanes_read_their_own_words_when_divergence_is_free) {
  std::vector<arrival> scene;
  for (unsigned n = 0; n < 7; ++n) scene.push_back({10 + n, "add f32 $r1 (mul $r2 $r3) $r4", n % 4, 0xff});
  departures in_every_cycle;
  for (unsigned n = 0; n < 7; ++n) in_every_cycle.push_back({11 + n, n + 1, "sp"});
  EXPECT_EQ(run(scene, {}, lane_share(true)), in_every_cycle);
  EXPECT_EQ(first().collector().port_waits.value(), 0u);
  EXPECT_EQ(first().collector().register_reads.value(), 7u * 3 * 8);
}
TEST_F(collector_test, few_lanes_meet_no_bank_conflicts_when_divergence_is_free) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 $r4", 0, 0xff}, {10, "rsqrt f32 $r1 $r6", 0, 0xff}},
                {"tpc.sm.register_file.banks=16"}, lane_share(true)),
            (departures{{11, 1, "sp"}, {11, 2, "sfu"}}));
  EXPECT_EQ(first().collector().bank_waits.value(), 0u);
}

TEST_F(collector_test, hands_on_operands_and_no_result) {
  run({{10, "add b32 $r1 $r2 $r3"}, {12, "add b32 $r1 b32 s[0x10] $r2"}});
  EXPECT_EQ(first().operation(1).values.source[0][0].lane[5], 2005u);
  EXPECT_EQ(first().operation(1).values.source[1][0].lane[5], 3005u);
  EXPECT_EQ(first().operation(1).values.destination[0].lane[5], 0u) << "the units calculate";
  EXPECT_EQ(first().operation(2).values.source[1][0].lane[5], 2005u);
  EXPECT_EQ(first().operation(2).values.address.lane[5], 0x10u);
}

// -- c[] operands --

TEST_F(collector_test, a_constant_that_is_present_costs_nothing) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 c0[0x10]"}, {30, "add b32 $r1 $r2 c0[0x14]"}}),
            (departures{{11 + line_fetch_cycles, 1, "sp"}, {31, 2, "sp"}}));
  EXPECT_EQ(first().operation(2).values.source[1][0].lane[7], 105u);
}
TEST_F(collector_test, another_class_does_not_wait_for_a_constant_line) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 c0[0x10]"}, {11, "add b32 $r1 $r2 $r3"}, {12, "rsqrt f32 $r1 $r2"}}),
            (departures{{13, 3, "sfu"}, {16, 1, "sp"}, {17, 2, "sp"}}));
}
// Four addresses in each half-warp: 8 shader cycles for the first of the eight and 4 for each other, 18 core
// cycles.
TEST_F(collector_test, serves_the_addresses_of_an_indexed_constant_one_after_the_other) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 c0[0x10]"}, {30, "add b32 $r1 $r2 c0[$a1+0x4]"}}),
            (departures{{16, 1, "sp"}, {31 + 18, 2, "sp"}}));
  for (const unsigned lane : {0u, 5u, 31u})
    EXPECT_EQ(first().operation(2).values.source[1][0].lane[lane], 101 + lane % 4);
}
// The second instruction asks for its eight addresses right behind those of the first, 16 core cycles later.
TEST_F(collector_test, reads_the_indexed_constants_of_instructions_one_behind_the_other) {
  EXPECT_EQ(run({{10, "add b32 $r1 $r2 c0[0x10]"},
                 {30, "add b32 $r1 $r2 c0[$a1+0x4]"},
                 {30, "add b32 $r1 $r2 c0[$a1+0x4]"}}),
            (departures{{16, 1, "sp"}, {31 + 18, 2, "sp"}, {31 + 16 + 18, 3, "sp"}}));
}
TEST_F(collector_test, a_constant_beyond_its_space_is_a_fault) {
  run({{10, "add b32 $r1 $r2 c0[0x100]"}});
  EXPECT_EQ(first().operation(1).fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(first().operation(1).fault_address, 0x100u);
}

// -- the divergence stack --

// The exit goes to the SPs and to the branch unit, behind the older branch of its warp.
TEST_F(collector_test, an_exit_goes_to_its_unit_and_to_the_branch_unit_in_order) {
  EXPECT_EQ(run({{10, "bra 0x40"}, {10, "exit add b32 $r1 $r2 $r3"}, {20, "exit add b32 $r1 $r2 $r3", 1}}),
            (departures{{11, 1, "branch"}, {12, 2, "branch"}, {12, 2, "sp"}, {21, 3, "branch"}, {21, 3, "sp"}}));
}

}  // namespace
}  // namespace gt200::model
