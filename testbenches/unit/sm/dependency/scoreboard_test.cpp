// When an instruction is held back and when it may issue, for every dependency mechanism: exact cycles, in any
// order of modules and way of clocking. Scripted decode, issue and write-back surround scoreboard and instruction
// buffer. A change in cycle t is visible in t + 1.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>

#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_monitor.h"
#include "testbenches/unit/sm/dependency/scoreboard_sockets.h"
#include "testbenches/unit/sm/front_end/buffer_sockets.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

using testing::sm_config_with;
using tlm_bus::cycle_t;
constexpr warp_slot warp{3};
constexpr cycle_t end = 40;

isa::register_range r(unsigned first, unsigned count = 1) {
  return {isa::register_file_kind::gpr, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
}
isa::register_range c(unsigned index) {
  return {isa::register_file_kind::condition, static_cast<std::uint8_t>(index), 1};
}
isa::register_range a(unsigned index) {
  return {isa::register_file_kind::address, static_cast<std::uint8_t>(index), 1};
}

isa::instruction with(const std::vector<isa::register_range>& writes, const std::vector<isa::register_range>& reads,
                      isa::unit_class unit = isa::unit_class::sp) {
  isa::instruction i;
  i.unit = unit;
  for (const auto& range : writes) i.writes[i.write_count++] = range;
  for (const auto& range : reads) i.reads[i.read_count++] = range;
  note_registers(i);
  return i;
}

// Issues as scripted. In every cycle it first records which warps could issue.
class issue_script : public support::script {
 public:
  issue_script(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, instruction_buffer& buffer)
      : support::script(name, domain), buffer_(buffer) {
    wake_at(0);
  }
  void tick() override {
    if ((buffer_.ready() & warp_bit(warp)) != 0)
      first_ready.emplace(static_cast<char>(buffer_.oldest(warp).id), cycle());
    support::script::tick();
    if (cycle() < end) wake_next();
  }
  std::map<char, cycle_t> first_ready;

 private:
  instruction_buffer& buffer_;
};

struct step {
  char instruction;
  cycle_t enters;  // or later, when it is refused
  cycle_t issues;
  cycle_t completes;
};

struct seen {
  std::map<char, cycle_t> entered;
  std::map<char, cycle_t> ready;  // first cycle in which it may issue
  bool operator==(const seen& other) const { return entered == other.entered && ready == other.ready; }
  friend std::ostream& operator<<(std::ostream& out, const seen& s) {
    for (const auto& [which, cycle] : s.entered) out << which << " enters at " << cycle << ' ';
    for (const auto& [which, cycle] : s.ready) out << which << " is ready at " << cycle << ' ';
    return out;
  }
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const std::map<char, isa::instruction>& program, const std::vector<step>& steps)
      : units_(config),
        clocks_((name + "_clocks").c_str(), options),
        decode_((name + "_decode").c_str(), clocks_.core),
        scoreboard_((name + "_scoreboard").c_str(), clocks_.core, config),
        buffer_((name + "_instruction_buffer").c_str(), clocks_.core, config, units_),
        slots_(name + "_slots", buffer_, {false, false, false, true}),
        stages_(name + "_stages", scoreboard_, {}),
        issue_((name + "_issue").c_str(), clocks_.core, buffer_),
        write_back_((name + "_write_back").c_str(), clocks_.core),
        program_(program) {
    scoreboard_.instruction_buffer.bind(buffer_);
    scoreboard_.dependency_updates.bind(buffer_.dependency_updates);
    scoreboard_.release().subscribe(decode_);
    for (const step& s : steps) {
      if (s.enters != 0) enter_at(s.enters, s.instruction);
      if (s.issues != 0)
        issue_.at(s.issues, [this, s] {
          ASSERT_NE(buffer_.ready() & warp_bit(warp), 0u) << s.instruction << " at " << s.issues;
          ASSERT_EQ(buffer_.oldest(warp).id, static_cast<std::uint64_t>(s.instruction));
          held_[s.instruction] = stages_.issue(warp);
          slots_.remove(warp);
        });
      if (s.completes != 0)
        write_back_.at(s.completes,
                       [this, s] { stages_.complete(warp, program_.at(s.instruction), held_.at(s.instruction)); });
    }
  }
  seen result() const { return {entered_, issue_.first_ready}; }

 private:
  void enter_at(cycle_t cycle, char which) {
    decode_.at(cycle, [this, which, cycle] {
      const auto lookup = stages_.look_up(warp, program_.at(which));
      if (!lookup.entered) return enter_at(cycle + 1, which);
      buffered_instruction b;
      b.instruction = &program_.at(which);
      b.id = static_cast<std::uint64_t>(which);
      b.dependencies = lookup.dependencies;
      b.allocated = lookup.allocated;
      slots_.reserve(warp, 1);
      slots_.enter(warp, b);
      entered_[which] = cycle;
    });
  }

  unit_list units_;
  support::clocks clocks_;
  support::script decode_;
  scoreboard scoreboard_;
  instruction_buffer buffer_;
  testing::buffer_sockets slots_;
  testing::scoreboard_sockets stages_;
  issue_script issue_;
  support::script write_back_;
  std::map<char, isa::instruction> program_;
  std::map<char, std::uint64_t> held_;
  std::map<char, cycle_t> entered_;
};

struct mechanism {
  const char* name;
  std::vector<std::string> overrides;
};

void PrintTo(const mechanism& m, std::ostream* out) { *out << m.name; }

class scoreboard_of : public support::systemc_test, public ::testing::WithParamInterface<mechanism> {
 protected:
  bool is(const std::string& name) const { return GetParam().name == name; }

  // The same by every way of clocking and in several orders of modules.
  seen run(const std::map<char, isa::instruction>& program, const std::vector<step>& steps,
           const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = GetParam().overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    const config::sm_config config = sm_config_with(overrides);
    std::vector<std::unique_ptr<bench>> benches;
    const auto add = [&](const char* name, const tlm_bus::clocking_options& options) {
      benches.push_back(std::make_unique<bench>(name, options, config, program, steps));
    };
    add("due", {});
    tlm_bus::clocking_options options;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference", options);
    options.mode = tlm_bus::clocking_options::way::due;
    for (const char* name : {"shuffled_1", "shuffled_2", "shuffled_3", "shuffled_4"}) {
      ++options.shuffle_seed;
      add(name, options);
    }
    run_through(end + 1);
    const seen first = benches.front()->result();
    for (const auto& b : benches) EXPECT_EQ(b->result(), first);
    return first;
  }
};

TEST_P(scoreboard_of, an_instruction_alone_may_issue_in_the_cycle_after_it_entered) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}}, {{'A', 2, 0, 0}});
  EXPECT_EQ(s.entered.at('A'), 2u);
  EXPECT_EQ(s.ready.at('A'), 3u);
}

TEST_P(scoreboard_of, a_read_after_write_waits_until_the_cycle_after_write_back) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(6)}, {r(5)})}}, {{'A', 2, 3, 10}, {'B', 5, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, the_second_buffered_instruction_waits_for_the_first_that_has_not_issued) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(6)}, {r(5)})}}, {{'A', 2, 6, 10}, {'B', 3, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, an_instruction_that_enters_while_its_producer_issues_waits) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(6)}, {r(5)})}}, {{'A', 2, 6, 10}, {'B', 6, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, a_write_after_write_waits) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(5)}, {r(2)})}}, {{'A', 2, 3, 10}, {'B', 4, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, a_write_after_read_does_not_wait) {
  const seen s = run({{'A', with({}, {r(5)}, isa::unit_class::memory)}, {'B', with({r(5)}, {r(2)})}},
                     {{'A', 2, 3, 10}, {'B', 2, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), is("single_loop") ? 11u : 4u);
}

TEST_P(scoreboard_of, independent_instructions_wait_in_a_single_loop_only) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(6)}, {r(2)})}}, {{'A', 2, 3, 10}, {'B', 2, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), is("single_loop") ? 11u : 4u);
}

TEST_P(scoreboard_of, look_up_and_release_in_one_cycle_leave_nothing_to_wait_for) {
  const std::map<char, isa::instruction> program = {{'A', with({r(5)}, {r(1)})}, {'B', with({r(6)}, {r(5)})}};
  const seen s = run(program, {{'A', 2, 3, 10}, {'B', 10, 0, 0}});
  EXPECT_EQ(s.entered.at('B'), 10u);
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, every_register_of_a_wide_destination_is_pending) {
  const seen s = run({{'A', with({r(4, 4)}, {r(1)}, isa::unit_class::memory)}, {'B', with({r(9)}, {r(7)})}},
                     {{'A', 2, 3, 10}, {'B', 2, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, the_neighbours_of_a_wide_destination_are_not) {
  const seen s = run({{'A', with({r(4, 4)}, {r(1)}, isa::unit_class::memory)}, {'B', with({r(9)}, {r(3), r(8)})}},
                     {{'A', 2, 3, 10}, {'B', 2, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), is("single_loop") ? 11u : 4u);
}

TEST_P(scoreboard_of, a_wide_source_waits_for_each_of_its_registers) {
  const seen s = run({{'A', with({r(7)}, {r(1)})}, {'B', with({}, {r(4, 4)}, isa::unit_class::memory)}},
                     {{'A', 2, 3, 10}, {'B', 2, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, both_of_two_destinations_are_pending) {
  const isa::instruction two = with({r(5), c(0)}, {r(1)});
  const seen s = run({{'A', two}, {'B', with({r(6)}, {c(0)})}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, the_last_of_several_producers_lets_go) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({c(1)}, {r(2)})}, {'C', with({}, {r(5), c(1)})}},
                     is("single_loop") ? std::vector<step>{{'A', 2, 3, 10}, {'B', 3, 11, 20}, {'C', 12, 0, 0}}
                                       : std::vector<step>{{'A', 2, 3, 20}, {'B', 3, 4, 10}, {'C', 5, 0, 0}});
  EXPECT_EQ(s.ready.at('C'), 21u);
}

TEST_P(scoreboard_of, registers_of_different_files_are_different) {
  const seen s =
      run({{'A', with({r(2)}, {r(1)})}, {'B', with({r(6)}, {c(2), a(2)})}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), is("single_loop") ? 11u : 4u);
}

TEST_P(scoreboard_of, the_address_register_of_an_s_operand_is_waited_for) {
  isa::instruction reads_shared = with({r(6)}, {a(1)});
  reads_shared.reads_shared = true;
  const seen s = run({{'A', with({a(1)}, {r(1)})}, {'B', reads_shared}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, the_answer_of_a_lock_is_waited_for) {
  const isa::instruction lock = with({r(5), c(0)}, {}, isa::unit_class::shared);
  const seen s =
      run({{'A', lock}, {'B', with({}, {c(0)}, isa::unit_class::control)}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, one_entry_makes_a_second_destination_wait) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(6)}, {r(2)})}}, {{'A', 2, 3, 10}, {'B', 4, 0, 0}},
                     {"tpc.sm.scoreboard.entries_per_warp=1"});
  // With the look-up it is refused until the entry is free: the release of cycle 10 counts from 11 on.
  EXPECT_EQ(s.entered.at('B'), is("coon") ? 11u : 4u);
  EXPECT_EQ(s.ready.at('B'), is("coon") ? 12u : is("bitmap") ? 5u : 11u);
}

TEST_P(scoreboard_of, one_entry_does_not_hold_back_what_writes_nothing) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({}, {r(2)}, isa::unit_class::memory)}},
                     {{'A', 2, 3, 10}, {'B', 4, 0, 0}}, {"tpc.sm.scoreboard.entries_per_warp=1"});
  EXPECT_EQ(s.entered.at('B'), 4u);
  EXPECT_EQ(s.ready.at('B'), is("single_loop") ? 11u : 5u);
}

TEST_P(scoreboard_of, two_destinations_take_a_region_of_one_entry_and_keep_everything_younger_waiting) {
  const seen s = run({{'A', with({r(5), c(0)}, {r(1)})}, {'B', with({}, {r(2)}, isa::unit_class::memory)}},
                     {{'A', 2, 3, 10}, {'B', 4, 0, 0}}, {"tpc.sm.scoreboard.entries_per_warp=1"});
  EXPECT_EQ(s.entered.at('B'), is("coon") ? 11u : 4u);
  EXPECT_EQ(s.ready.at('B'), is("coon") ? 12u : is("bitmap") ? 5u : 11u);
}

TEST_P(scoreboard_of, two_destinations_wait_for_an_empty_region_of_one_entry) {
  const seen s = run({{'A', with({r(5)}, {r(1)})}, {'B', with({r(6), c(0)}, {r(2)})}},
                     {{'A', 2, 3, 10}, {'B', 4, 0, 0}}, {"tpc.sm.scoreboard.entries_per_warp=1"});
  EXPECT_EQ(s.entered.at('B'), is("coon") ? 11u : 4u);
  EXPECT_EQ(s.ready.at('B'), is("coon") ? 12u : is("bitmap") ? 5u : 11u);
}

// Accesses to shared memory: a store, and a load or an s[] operand.
isa::instruction store_to_shared() {
  isa::instruction i = with({}, {r(1)}, isa::unit_class::shared);
  i.access.space = isa::memory_space::shared;
  i.access.kind = isa::access_kind::store;
  return i;
}
isa::instruction reading_shared() {
  isa::instruction i = with({r(6)}, {r(2)});
  i.access.space = isa::memory_space::shared;
  i.access.kind = isa::access_kind::operand;
  i.reads_shared = true;
  return i;
}

TEST_P(scoreboard_of, shared_memory_is_left_to_the_queue_in_front_of_it) {
  const seen s = run({{'A', store_to_shared()}, {'B', reading_shared()}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}});
  EXPECT_EQ(s.ready.at('B'), is("single_loop") ? 11u : 4u);
}

const std::vector<std::string> tracks_shared = {"tpc.sm.scoreboard.tracks_shared=true"};

TEST_P(scoreboard_of, a_pending_store_to_shared_memory_is_waited_for_where_that_is_tracked) {
  if (is("single_loop") || is("bitmap")) return;  // config/check.cpp refuses it
  const seen s =
      run({{'A', store_to_shared()}, {'B', reading_shared()}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}}, tracks_shared);
  EXPECT_EQ(s.ready.at('B'), 11u);
}

TEST_P(scoreboard_of, a_tracked_store_does_not_hold_back_what_leaves_shared_memory_alone) {
  if (is("single_loop") || is("bitmap")) return;
  const seen s = run({{'A', store_to_shared()}, {'B', with({r(7)}, {r(3)})}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}},
                     tracks_shared);
  EXPECT_EQ(s.ready.at('B'), 4u);
}

TEST_P(scoreboard_of, reads_leave_tracked_shared_memory_available) {
  if (is("single_loop") || is("bitmap")) return;
  const seen s =
      run({{'A', reading_shared()}, {'B', store_to_shared()}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}}, tracks_shared);
  EXPECT_EQ(s.ready.at('B'), 4u);
}

TEST_P(scoreboard_of, a_tracked_store_takes_an_entry) {
  if (is("single_loop") || is("bitmap")) return;
  const seen s = run({{'A', store_to_shared()}, {'B', with({r(7)}, {r(3)})}}, {{'A', 2, 3, 10}, {'B', 3, 0, 0}},
                     {"tpc.sm.scoreboard.tracks_shared=true", "tpc.sm.scoreboard.entries_per_warp=1"});
  EXPECT_GT(s.ready.at('B'), 10u);
}

INSTANTIATE_TEST_SUITE_P(every_mechanism, scoreboard_of,
                         ::testing::Values(mechanism{"coon", {}},
                                           mechanism{"coon_at_issue", {"tpc.sm.scoreboard.allocate=at_issue"}},
                                           mechanism{"bitmap", {"tpc.sm.scoreboard.mechanism=bitmap"}},
                                           mechanism{"single_loop", {"tpc.sm.scoreboard.mechanism=single_loop"}}),
                         [](const auto& of) { return std::string(of.param.name); });

// -- what they cost --

class scoreboard_cost : public support::systemc_test {
 protected:
  tracking_cost cost_of(const std::vector<std::string>& overrides,
                        const arch_state::generation_values& generation = {}) {
    return scoreboard("scoreboard", core(), sm_config_with(overrides), 0, generation).cost();
  }
};

TEST_F(scoreboard_cost, a_bitmap_for_64_warps_of_128_registers_takes_8192_bits_and_256_ports) {
  const tracking_cost cost = cost_of(
      {"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.limits.warps=64", "tpc.sm.scoreboard.probes_per_cycle=64"});
  EXPECT_EQ(cost.storage_bits, 8192u);
  EXPECT_EQ(cost.read_ports, 256u);
  EXPECT_EQ(cost.comparators, 0u);
}

TEST_F(scoreboard_cost, a_limit_of_probes_saves_ports) {
  EXPECT_EQ(cost_of({"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.scoreboard.probes_per_cycle=4"}).read_ports,
            16u);
}

TEST_F(scoreboard_cost, a_few_entries_take_one_port_and_a_few_comparators) {
  const tracking_cost cost = cost_of({"tpc.sm.limits.warps=64"});
  EXPECT_EQ(cost.storage_bits, 64u * 6u * 11u);
  EXPECT_EQ(cost.vector_bits, 64u * 2u * 6u);
  EXPECT_EQ(cost.comparators, 6u * 4u);
  EXPECT_EQ(cost.read_ports, 1u);
}

TEST_F(scoreboard_cost, the_registers_of_the_generation_decide_the_width_of_an_entry) {
  arch_state::generation_values generation;
  generation.general_registers = 255;
  EXPECT_EQ(cost_of({"tpc.sm.limits.warps=64"}, generation).storage_bits, 64u * 6u * 12u);
  generation.general_registers = 60;
  EXPECT_EQ(cost_of({"tpc.sm.limits.warps=64"}, generation).storage_bits, 64u * 6u * 9u);
}

TEST_F(scoreboard_cost, the_flags_of_the_generation_have_bits_of_their_own_in_a_bitmap) {
  arch_state::generation_values generation;
  generation.predicates = 7;
  const std::vector<std::string> bitmap = {"tpc.sm.scoreboard.mechanism=bitmap"};
  EXPECT_EQ(cost_of(bitmap, generation).flag_storage_bits, 32u * 7u);
  generation.address_registers = 5;  // the first reads as zero
  EXPECT_EQ(cost_of(bitmap, generation).flag_storage_bits, 32u * 11u);
}

TEST_F(scoreboard_cost, a_single_loop_takes_a_bit_per_warp) {
  const tracking_cost cost = cost_of({"tpc.sm.scoreboard.mechanism=single_loop"});
  EXPECT_EQ(cost.storage_bits, 32u);
  EXPECT_EQ(cost.read_ports + cost.comparators, 0u);
}

// -- what a monitor sees at each socket --

class scoreboard_sockets : public support::systemc_test {
 protected:
  void build(const std::vector<std::string>& overrides = {}) {
    config_ = sm_config_with(overrides);
    units_.emplace(config_);
    scoreboard_.emplace("scoreboard", core(), config_);
    buffer_.emplace("buffer", core(), config_, *units_);
    slots_.emplace("slots", *buffer_, testing::buffer_sockets::users{false, false, false, true});
    stages_.emplace("stages", *scoreboard_, testing::scoreboard_sockets::users{});
    scoreboard_->instruction_buffer.bind(*buffer_);
    scoreboard_->dependency_updates.bind(updates_.in);
    updates_.out.bind(buffer_->dependency_updates);
    script_.emplace("script", core());
  }
  void buffer(const isa::instruction& instruction, const lookup_answer& answer) {
    buffered_instruction b;
    b.instruction = &instruction;
    b.dependencies = answer.dependencies;
    b.allocated = answer.allocated;
    slots_->reserve(warp, 1);
    slots_->enter(warp, b);
  }

  const isa::instruction writes_ = with({r(4, 2), c(1)}, {r(1)});
  const isa::instruction reads_ = with({r(6)}, {r(5)});
  config::sm_config config_;
  std::optional<unit_list> units_;
  std::optional<scoreboard> scoreboard_;
  std::optional<instruction_buffer> buffer_;
  std::optional<testing::buffer_sockets> slots_;
  std::optional<testing::scoreboard_sockets> stages_;
  std::optional<support::script> script_;
  support::transaction_monitor<dependency_update> updates_{"updates"};
};

TEST_F(scoreboard_sockets, show_every_look_up_with_its_answer) {
  build();
  script_->at(10, [this] { buffer(writes_, stages_->look_up(warp, writes_)); });
  script_->at(11, [this] { stages_->look_up(warp, reads_); });
  run_until_idle();
  const auto& seen = stages_->lookups->seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].warp, warp);
  EXPECT_EQ(seen[0].instruction, &writes_);
  EXPECT_TRUE(seen[0].answer.entered);
  EXPECT_EQ(seen[0].answer.dependencies, 0u);
  EXPECT_EQ(seen[0].answer.allocated, 0b011u);
  EXPECT_EQ(seen[1].answer.dependencies, 0b001u) << "the range $r4-$r5";
  EXPECT_EQ(seen[1].answer.allocated, 0b100u);
}
TEST_F(scoreboard_sockets, show_an_answer_that_comes_later) {
  build({"tpc.sm.scoreboard.lookup_latency_cycles=3"});
  script_->at(10, [this] { stages_->look_up(warp, writes_); });
  script_->at(13, [this] { stages_->answered(warp); });
  run_until_idle();
  ASSERT_EQ(stages_->lookups->seen().size(), 1u);
  EXPECT_FALSE(stages_->lookups->seen()[0].answer.entered) << "no answer yet";
  const auto& seen = stages_->answers->seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].warp, warp);
  EXPECT_TRUE(seen[0].answer.entered);
  EXPECT_EQ(seen[0].answer.allocated, 0b011u);
}
TEST_F(scoreboard_sockets, show_the_entries_taken_at_issue_and_what_they_hold_back) {
  build({"tpc.sm.scoreboard.allocate=at_issue"});
  script_->at(10, [this] {
    buffer(writes_, stages_->look_up(warp, writes_));
    buffer(reads_, stages_->look_up(warp, reads_));
  });
  script_->at(11, [this] {
    stages_->issue(warp);
    slots_->remove(warp);
  });
  run_until_idle();
  const auto& seen = stages_->allocations->seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].warp, warp);
  EXPECT_EQ(seen[0].entries, 0b011u);
  ASSERT_EQ(updates_.seen.size(), 1u);
  EXPECT_EQ(updates_.seen[0].what, dependency_update::command::set);
  EXPECT_EQ(updates_.seen[0].position, 1u);
  EXPECT_EQ(updates_.seen[0].dependencies, 0b001u);
}
TEST_F(scoreboard_sockets, show_every_release_and_what_it_clears) {
  build();
  script_->at(10, [this] { buffer(writes_, stages_->look_up(warp, writes_)); });
  script_->at(11, [this] {
    const std::uint64_t entries = stages_->issue(warp);
    slots_->remove(warp);
    stages_->complete(warp, writes_, entries);
  });
  run_until_idle();
  const auto& seen = stages_->releases->seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].warp, warp);
  EXPECT_EQ(seen[0].instruction, &writes_);
  EXPECT_EQ(seen[0].entries, 0b011u);
  ASSERT_EQ(updates_.seen.size(), 1u);
  EXPECT_EQ(updates_.seen[0].what, dependency_update::command::clear);
  EXPECT_EQ(updates_.seen[0].warp, warp);
  EXPECT_EQ(updates_.seen[0].dependencies, 0b011u);
}

}  // namespace
}  // namespace gt200::model
