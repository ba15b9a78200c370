// The order in which every policy issues, with one scheduler and with two: the exact cycles, by every way of
// clocking and in several orders of modules. A scripted decode fills the real instruction buffer and scoreboard.
#include "sc_models/sm/front_end/issue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

#include "sc_models/sm/blocks/instruction_pool.h"
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/dependency/scoreboard_sockets.h"
#include "testbenches/unit/sm/front_end/buffer_sockets.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 60;
constexpr unsigned per_warp = 3;

struct issued {
  cycle_t cycle;
  unsigned warp;
  bool operator==(const issued& o) const { return cycle == o.cycle && warp == o.warp; }
  friend std::ostream& operator<<(std::ostream& out, const issued& i) { return out << i.cycle << ':' << i.warp; }
};

isa::instruction of(isa::unit_class unit) {
  isa::instruction i;
  i.unit = unit;
  return i;
}
isa::instruction writes_r5(isa::unit_class unit) {
  isa::instruction i = of(unit);
  i.writes[i.write_count++] = {isa::register_file_kind::gpr, 5, 1};
  note_registers(i);
  return i;
}
isa::instruction reads_r5(isa::unit_class unit) {
  isa::instruction i = of(unit);
  i.reads[i.read_count++] = {isa::register_file_kind::gpr, 5, 1};
  note_registers(i);
  return i;
}

// Every warp has its own code in these scenes: one place for all its instructions.
std::uint32_t pc_of(unsigned warp) { return 16 * warp; }

struct arrival {
  cycle_t ready;  // may issue from here on
  unsigned warp;
  isa::instruction instruction;
};

struct scene {
  std::vector<unsigned> launched;  // one per cycle from cycle 0 on
  std::vector<arrival> arrivals;
  // Cycles in which a load of the warp completes.
  std::vector<std::pair<cycle_t, unsigned>> completions;
  // Cycles in which shared memory meets a conflict, and the ends of the cycles that it adds.
  std::vector<std::pair<cycle_t, cycle_t>> conflicts{};
  // Cycles in which replays of a warp begin, and in which they end.
  std::vector<std::pair<cycle_t, unsigned>> replays_begin{}, replays_end{};
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const scene& what)
      : config_(config),
        units_(config_),
        what_(what),
        clocks_((name + "_clocks").c_str(), options),
        blocks_((name + "_blocks").c_str(), clocks_.core),
        rest_((name + "_rest").c_str()),
        scoreboard_((name + "_scoreboard").c_str(), clocks_.core, config_),
        buffer_((name + "_instruction_buffer").c_str(), clocks_.core, config_, units_),
        decode_(name + "_decode", buffer_, {false, false, true, true}),
        lookups_(name + "_scoreboard", scoreboard_, {true}),
        pool_((name + "_pool").c_str()),
        issue_((name + "_issue").c_str(), clocks_.core, config_, units_, 0),
        script_((name + "_script").c_str(), clocks_.core) {
    scoreboard_.instruction_buffer.bind(buffer_);
    scoreboard_.dependency_updates.bind(buffer_.dependency_updates);
    scoreboard_.release().subscribe(script_);
    issue_.instruction_buffer.bind(buffer_);
    issue_.removals.bind(buffer_.removals);
    issue_.simt_stack.bind(rest_);
    issue_.scoreboard.bind(scoreboard_);
    issue_.allocations.bind(scoreboard_.allocations);
    issue_.icache.bind(rest_);
    issue_.block_control.bind(blocks_);
    issue_.blocks.bind(blocks_);
    issue_.pool.bind(pool_);
    for (unsigned c = 0; c < units_.collectors().size(); ++c) {
      sinks_.push_back(std::make_unique<support::token_sink<issued_token>>(
          (name + "_class_" + std::to_string(c)).c_str(), clocks_.core, 8));
      issue_.to_collector[c].bind(sinks_.back()->in);
    }
    for (cycle_t n = 0; n < what_.launched.size(); ++n)
      script_.at(n, [this, n] { blocks_.start(warp_slot(what_.launched[n])); });
    for (const arrival& a : what_.arrivals) script_.at(a.ready - 1, [this, &a] { enter(a); });
    for (const auto& c : what_.conflicts)
      script_.at(c.first, [this, c] { issue_.hold_ports_until(core_cycle(c.second)); });
    for (const auto& r : what_.replays_begin)
      script_.at(r.first, [this, r] { issue_.replays_began(warp_slot(r.second)); });
    for (const auto& r : what_.replays_end)
      script_.at(r.first, [this, r] { issue_.replays_ended(warp_slot(r.second)); });
    for (const auto& c : what_.completions)
      script_.at(c.first, [this, c] {
        for (const auto& sink : sinks_)
          for (const auto& t : sink->taken)
            if (t.value.operation->warp == warp_slot(c.second) && t.value.operation->dependency_entries != 0)
              lookups_.complete(t.value.operation->warp, *t.value.operation->instruction,
                                t.value.operation->dependency_entries);
      });
  }

  // Of this scheduler, in order.
  std::vector<issued> result(unsigned scheduler = 0) const {
    std::vector<const warp_instruction*> all;
    for (const auto& sink : sinks_)
      for (const auto& t : sink->taken) all.push_back(t.value.operation);
    std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->sequence < b->sequence; });
    std::vector<issued> order;
    for (const auto* o : all)
      if (scheduler_of(o->warp, issue_.schedulers()) == scheduler)
        order.push_back({o->issued_at.number(), o->warp.index()});
    return order;
  }
  slot_counts slots(unsigned scheduler) const { return issue_.slots_until(scheduler, core_cycle(end)); }
  slot_profile profile() const { return issue_.profile_until(core_cycle(end)); }
  // Before the simulation starts.
  void use(std::unique_ptr<scheduler> policy) { issue_.use(0, std::move(policy)); }

 private:
  void enter(const arrival& a) {
    const auto lookup = lookups_.look_up(warp_slot(a.warp), a.instruction);
    ASSERT_TRUE(lookup.entered);
    buffered_instruction b;
    b.instruction = &a.instruction;
    b.pc = pc_of(a.warp);
    b.dependencies = lookup.dependencies;
    b.allocated = lookup.allocated;
    decode_.reserve(warp_slot(a.warp), 1);
    decode_.enter(warp_slot(a.warp), b);
  }

  config::sm_config config_;
  unit_list units_;
  scene what_;
  support::clocks clocks_;
  testing::fake_blocks blocks_;
  testing::fake_sm rest_;
  scoreboard scoreboard_;
  instruction_buffer buffer_;
  testing::buffer_sockets decode_;
  testing::scoreboard_sockets lookups_;
  instruction_pool pool_;
  issue issue_;
  support::script script_;
  std::vector<std::unique_ptr<support::token_sink<issued_token>>> sinks_;
};

class issue_order : public support::systemc_test {
 protected:
  // By every way of clocking; results of the first, which the others equal.
  void run(const scene& what, std::vector<std::string> overrides) {
    overrides.push_back("tpc.sm.instruction_buffer.entries_per_warp=4");
    const config::sm_config config = testing::sm_config_with(overrides);
    tlm_bus::clocking_options options;
    const auto add = [&](const char* name) {
      benches_.push_back(std::make_unique<bench>(name, options, config, what));
    };
    add("due");
    options.audit = true;
    add("audited");
    options.audit = false;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference");
    options.mode = tlm_bus::clocking_options::way::due;
    for (const char* name : {"shuffled_1", "shuffled_2", "shuffled_3"}) {
      ++options.shuffle_seed;
      add(name);
    }
    run_through(end - 1);
    for (unsigned s = 0; s < config.scheduler.schedulers; ++s) {
      for (const auto& b : benches_) {
        EXPECT_EQ(b->result(s), benches_.front()->result(s));
        EXPECT_EQ(b->slots(s), benches_.front()->slots(s));
      }
      const auto slots = benches_.front()->slots(s);
      EXPECT_EQ(std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}), end) << "closed accounting";
      EXPECT_EQ(slots[static_cast<std::size_t>(stall_cause::none)], benches_.front()->result(s).size());
    }
    for (const auto& b : benches_) {
      EXPECT_EQ(b->profile().by_warp(), profile().by_warp());
      EXPECT_EQ(b->profile().by_instruction(), profile().by_instruction());
    }
    expect_profile_of_all_slots(config.scheduler.schedulers);
  }
  slot_profile profile() const { return benches_.front()->profile(); }
  // Warps have, and instructions have, every slot but those without a resident warp.
  void expect_profile_of_all_slots(unsigned schedulers) const {
    slot_counts all{};
    for (unsigned s = 0; s < schedulers; ++s) add(all, benches_.front()->slots(s));
    all[static_cast<std::size_t>(stall_cause::no_warp)] = 0;
    const slot_profile used = profile();
    slot_counts of_warps{};
    for (const slot_counts& slots : used.by_warp()) add(of_warps, slots);
    EXPECT_EQ(of_warps, all);
    slot_counts of_instructions{};
    for (const instruction_use& use : used.by_instruction()) add(of_instructions, use.slots);
    EXPECT_EQ(of_instructions, all);
  }
  static void add(slot_counts& sum, const slot_counts& slots) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += slots[i];
  }
  std::vector<unsigned> warps(unsigned scheduler = 0) const {
    std::vector<unsigned> order;
    for (const issued& i : benches_.front()->result(scheduler)) order.push_back(i.warp);
    return order;
  }
  std::vector<issued> result(unsigned scheduler = 0) const { return benches_.front()->result(scheduler); }
  std::uint64_t slots(stall_cause cause, unsigned scheduler = 0) const {
    return benches_.front()->slots(scheduler)[static_cast<std::size_t>(cause)];
  }

 private:
  std::vector<std::unique_ptr<bench>> benches_;
};

// Six warps, launched in the order 2 0 4 1 3 5, with three independent instructions each: those of warps 2 and 5,
// the oldest and the youngest, from cycle 12 on, the others from cycle 10 on. Odd warps use the SFUs, so that two
// schedulers never want the same port.
scene six_warps() {
  scene s;
  s.launched = {2, 0, 4, 1, 3, 5};
  for (unsigned n = 0; n < per_warp; ++n)
    for (unsigned warp = 0; warp < 6; ++warp)
      s.arrivals.push_back({warp == 2 || warp == 5 ? cycle_t{12} : cycle_t{10}, warp,
                            of(warp % 2 == 0 ? isa::unit_class::sp : isa::unit_class::sfu)});
  return s;
}

struct expectation {
  const char* policy;
  std::vector<unsigned> one, even, odd;
};
void PrintTo(const expectation& e, std::ostream* out) { *out << e.policy; }

class policy : public issue_order, public ::testing::WithParamInterface<expectation> {};

TEST_P(policy, with_one_scheduler) {
  run(six_warps(),
      {std::string("tpc.sm.scheduler.policy=") + GetParam().policy, "tpc.sm.scheduler.two_level_active_warps=2"});
  EXPECT_EQ(warps(), GetParam().one);
  EXPECT_EQ(result().front().cycle, 10u);
  EXPECT_EQ(result().back().cycle, 27u) << "a slot was lost";
}

TEST_P(policy, with_two_schedulers) {
  const std::string name = GetParam().policy;
  run(six_warps(), {"tpc.sm.scheduler.schedulers=2", "tpc.sm.scheduler.policy=" + name,
                    "tpc.sm.scheduler.second_policy=" + name, "tpc.sm.scheduler.two_level_active_warps=2"});
  EXPECT_EQ(warps(0), GetParam().even);
  EXPECT_EQ(warps(1), GetParam().odd);
  for (const unsigned scheduler : {0u, 1u}) {
    EXPECT_EQ(result(scheduler).front().cycle, 10u);
    EXPECT_EQ(result(scheduler).back().cycle, 18u) << "a slot was lost";
  }
}

INSTANTIATE_TEST_SUITE_P(every, policy,
                         ::testing::Values(expectation{"lrr",
                                                       {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5},
                                                       {0, 4, 0, 2, 4, 0, 2, 4, 2},
                                                       {1, 3, 5, 1, 3, 5, 1, 3, 5}},
                                           expectation{"gtlrr",
                                                       {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5},
                                                       {0, 0, 0, 2, 2, 2, 4, 4, 4},
                                                       {1, 1, 1, 3, 3, 3, 5, 5, 5}},
                                           expectation{"oldest",
                                                       {0, 0, 2, 2, 2, 0, 4, 4, 4, 1, 1, 1, 3, 3, 3, 5, 5, 5},
                                                       {0, 0, 2, 2, 2, 0, 4, 4, 4},
                                                       {1, 1, 1, 3, 3, 3, 5, 5, 5}},
                                           expectation{"youngest",
                                                       {3, 3, 5, 5, 5, 3, 1, 1, 1, 4, 4, 4, 0, 0, 0, 2, 2, 2},
                                                       {4, 4, 4, 0, 0, 0, 2, 2, 2},
                                                       {3, 3, 5, 5, 5, 3, 1, 1, 1}},
                                           expectation{"gto",
                                                       {0, 0, 0, 2, 2, 2, 4, 4, 4, 1, 1, 1, 3, 3, 3, 5, 5, 5},
                                                       {0, 0, 0, 2, 2, 2, 4, 4, 4},
                                                       {1, 1, 1, 3, 3, 3, 5, 5, 5}},
                                           expectation{"gty",
                                                       {3, 3, 3, 5, 5, 5, 1, 1, 1, 4, 4, 4, 0, 0, 0, 2, 2, 2},
                                                       {4, 4, 4, 0, 0, 0, 2, 2, 2},
                                                       {3, 3, 3, 5, 5, 5, 1, 1, 1}},
                                           // The set is warps 2 and 0, or 2 and 0 beside 1 and 3; the others go
                                           // when it has nothing left.
                                           expectation{"two_level",
                                                       {0, 0, 2, 0, 2, 2, 3, 4, 5, 1, 3, 4, 5, 1, 3, 4, 5, 1},
                                                       {0, 0, 2, 0, 2, 2, 4, 4, 4},
                                                       {1, 3, 1, 3, 1, 3, 5, 5, 5}},
                                           // An SFU instruction weighs as much as four turns of waiting.
                                           expectation{"weighted",
                                                       {1, 3, 5, 1, 3, 5, 0, 1, 2, 4, 3, 5, 0, 2, 4, 0, 2, 4},
                                                       {0, 4, 2, 0, 4, 2, 0, 4, 2},
                                                       {1, 3, 5, 1, 3, 5, 1, 3, 5}}),
                         [](const auto& of) { return std::string(of.param.policy); });

TEST_F(issue_order, each_scheduler_has_a_policy_of_its_own) {
  run(six_warps(),
      {"tpc.sm.scheduler.schedulers=2", "tpc.sm.scheduler.policy=gto", "tpc.sm.scheduler.second_policy=lrr"});
  EXPECT_EQ(warps(0), (std::vector<unsigned>{0, 0, 0, 2, 2, 2, 4, 4, 4}));
  EXPECT_EQ(warps(1), (std::vector<unsigned>{1, 3, 5, 1, 3, 5, 1, 3, 5}));
}

TEST_F(issue_order, age_is_that_of_the_launch_not_of_the_slot) {
  scene s;
  s.launched = {7, 3, 11};
  for (const unsigned warp : {3u, 7u, 11u}) s.arrivals.push_back({10, warp, of(isa::unit_class::sp)});
  run(s, {"tpc.sm.scheduler.policy=oldest"});
  EXPECT_EQ(result(), (std::vector<issued>{{10, 7}, {11, 3}, {12, 11}}));
}

TEST_F(issue_order, two_schedulers_take_turns_at_a_port_both_want) {
  scene s;
  s.launched = {0, 1};
  for (unsigned n = 0; n < per_warp; ++n)
    for (const unsigned warp : {0u, 1u}) s.arrivals.push_back({10, warp, of(isa::unit_class::sp)});
  run(s, {"tpc.sm.scheduler.schedulers=2"});
  EXPECT_EQ(result(0), (std::vector<issued>{{10, 0}, {12, 0}, {14, 0}}));
  EXPECT_EQ(result(1), (std::vector<issued>{{11, 1}, {13, 1}, {15, 1}}));
  EXPECT_EQ(slots(stall_cause::dispatch_port, 0), 2u);
  EXPECT_EQ(slots(stall_cause::dispatch_port, 1), 3u);
}

// As on G80: an instruction for the SPs keeps the port for two core cycles, one for another unit for one.
TEST_F(issue_order, an_instruction_for_the_sps_holds_the_port) {
  scene s;
  s.launched = {0, 1, 2, 3};
  s.arrivals = {{10, 0, of(isa::unit_class::sp)},
                {10, 1, of(isa::unit_class::sfu)},
                {10, 2, of(isa::unit_class::sp_mul)},
                {10, 3, of(isa::unit_class::sp_mul)}};
  run(s, {"tpc.sm.issue.sp_hold_cycles=2"});
  EXPECT_EQ(result(), (std::vector<issued>{{10, 0}, {12, 1}, {13, 2}, {15, 3}}));
  EXPECT_EQ(slots(stall_cause::dispatch_port, 0), 2u);
}

TEST_F(issue_order, nothing_issues_while_the_words_of_a_bank_are_served) {
  scene s;
  s.launched = {0, 1};
  s.arrivals = {{10, 0, of(isa::unit_class::sp)}, {10, 1, of(isa::unit_class::sfu)}};
  s.conflicts = {{10, 15}};
  run(s, {});
  EXPECT_EQ(result(), (std::vector<issued>{{10, 0}, {15, 1}}));
  EXPECT_EQ(slots(stall_cause::dispatch_port, 0), 4u);
}

TEST_F(issue_order, a_warp_waits_for_the_replays_of_its_access_and_another_does_not) {
  scene s;
  s.launched = {0, 1};
  s.arrivals = {{10, 0, of(isa::unit_class::sp)},
                {10, 0, of(isa::unit_class::sp)},
                {10, 1, of(isa::unit_class::sfu)},
                {14, 1, of(isa::unit_class::sfu)}};
  s.replays_begin = {{10, 0}};
  s.replays_end = {{20, 0}};
  run(s, {});
  EXPECT_EQ(result(), (std::vector<issued>{{10, 0}, {11, 1}, {14, 1}, {21, 0}}));
  EXPECT_EQ(slots(stall_cause::dependency_shared, 0), 8u);
}

TEST_F(issue_order, with_a_single_port_two_schedulers_issue_one_instruction_per_cycle) {
  scene s;
  s.launched = {0, 1};
  for (unsigned n = 0; n < per_warp; ++n) {
    s.arrivals.push_back({10, 0, of(isa::unit_class::sp)});
    s.arrivals.push_back({10, 1, of(isa::unit_class::sfu)});
  }
  run(s, {"tpc.sm.scheduler.schedulers=2", "tpc.sm.scheduler.dispatch_ports=single"});
  EXPECT_EQ(result(0), (std::vector<issued>{{10, 0}, {12, 0}, {14, 0}}));
  EXPECT_EQ(result(1), (std::vector<issued>{{11, 1}, {13, 1}, {15, 1}}));
}

TEST_F(issue_order, a_multiplication_goes_to_the_sfu_when_the_other_scheduler_has_the_port_of_the_sp) {
  scene s;
  s.launched = {0, 1};
  for (const unsigned warp : {0u, 1u}) s.arrivals.push_back({10, warp, of(isa::unit_class::sp_mul)});
  run(s, {"tpc.sm.scheduler.schedulers=2"});
  EXPECT_EQ(result(0), (std::vector<issued>{{10, 0}}));
  EXPECT_EQ(result(1), (std::vector<issued>{{10, 1}}));
}

// Warps 0 and 1 are the set. Warp 0 waits for its load from cycle 11 on, so warp 2 takes its place; the load
// completes at 20, and warp 0 comes back behind warp 3, which has waited outside longer.
TEST_F(issue_order, a_warp_that_waits_for_memory_leaves_the_active_set) {
  scene s;
  s.launched = {0, 1, 2, 3};
  s.arrivals.push_back({10, 0, writes_r5(isa::unit_class::memory)});
  s.arrivals.push_back({10, 0, reads_r5(isa::unit_class::sp)});
  for (const unsigned warp : {1u, 2u, 3u})
    for (unsigned n = 0; n < 2; ++n) s.arrivals.push_back({14, warp, of(isa::unit_class::sp)});
  s.completions = {{13, 0}};
  run(s, {"tpc.sm.scheduler.policy=two_level", "tpc.sm.scheduler.two_level_active_warps=2"});
  EXPECT_EQ(result(),
            (std::vector<issued>{{10, 0}, {14, 1}, {15, 2}, {16, 1}, {17, 2}, {18, 3}, {19, 0}, {20, 3}}));
}

// Warp 1 loads at 10 and holds back its addition until the load completes at 20; then it has nothing more to do.
TEST_F(issue_order, a_slot_belongs_to_the_instruction_held_back_and_with_an_empty_buffer_to_the_last_one) {
  scene s;
  s.launched = {1};
  s.arrivals = {{10, 1, writes_r5(isa::unit_class::memory)}, {10, 1, reads_r5(isa::unit_class::sp)}};
  s.completions = {{19, 1}};
  run(s, {});
  EXPECT_EQ(result(), (std::vector<issued>{{10, 1}, {20, 1}}));
  const auto slots_of = [&](std::uint32_t pc, stall_cause cause) {
    return profile().by_instruction().at(pc / 4).slots[static_cast<std::size_t>(cause)];
  };
  EXPECT_EQ(slots_of(pc_of(1), stall_cause::none), 2u);
  EXPECT_EQ(slots_of(pc_of(1), stall_cause::dependency_global), 9u);
  // Before its first instruction a warp stands at the entry of the kernel.
  EXPECT_EQ(slots_of(0, stall_cause::buffer_empty) + slots_of(pc_of(1), stall_cause::buffer_empty),
            slots(stall_cause::buffer_empty));
  EXPECT_GT(slots_of(0, stall_cause::buffer_empty), 0u);
  EXPECT_EQ(slots_of(pc_of(1), stall_cause::buffer_empty), end - 21);
}

// Notes where the observation keeps the instructions of warps, and how many there are.
class watcher final : public scheduler {
 public:
  struct notes {
    std::set<const observed_instruction*> places;
    std::vector<std::size_t> present;
  };
  explicit watcher(notes& to) : to_(to) {}
  warp_slot pick(warp_mask candidates) const override { return lowest_warp(candidates); }
  void picked(warp_slot) override {}
  void started(warp_slot) override {}
  bool observes() const override { return true; }
  bool observes_instructions() const override { return true; }
  void observe(const warp_observation& seen) override {
    to_.places.insert(seen.oldest.data());
    to_.present.push_back(static_cast<std::size_t>(
        std::count_if(seen.oldest.begin(), seen.oldest.end(), [](const auto& i) { return i.present; })));
  }

 private:
  notes& to_;
};

class issue_observation : public support::systemc_test {};

TEST_F(issue_observation, of_instructions_takes_no_new_memory_in_a_cycle) {
  watcher::notes notes;
  bench one("one", {}, testing::sm_config_with({"tpc.sm.instruction_buffer.entries_per_warp=4"}), six_warps());
  one.use(std::make_unique<watcher>(notes));
  run_through(end - 1);
  EXPECT_EQ(one.result().size(), 6 * per_warp);
  EXPECT_EQ(notes.places.size(), 1u);
  ASSERT_FALSE(notes.present.empty());
  EXPECT_EQ(*std::max_element(notes.present.begin(), notes.present.end()), 6u);
  EXPECT_EQ(notes.present.back(), 0u) << "of warps whose instructions have issued";
}

TEST(slot_profile, a_wild_jump_costs_no_memory) {
  slot_profile profile(1);
  profile.charge({stall_cause::none, warp_slot(0), 32, 0xfffffffc}, 1);
  EXPECT_EQ(profile.by_instruction().size(), slot_profile::max_instructions);
}

TEST_F(issue_order, weights_of_instruction_types_come_before_round_robin) {
  scene s;
  s.launched = {0, 1, 2, 3};
  s.arrivals = {{10, 0, of(isa::unit_class::sp)},
                {10, 1, of(isa::unit_class::sfu)},
                {10, 2, of(isa::unit_class::memory)},
                {10, 3, of(isa::unit_class::dp)}};
  run(s, {"tpc.sm.scheduler.policy=weighted", "tpc.sm.scheduler.weights.age=0", "tpc.sm.scheduler.weights.sp=1",
          "tpc.sm.scheduler.weights.sfu=3", "tpc.sm.scheduler.weights.memory=2", "tpc.sm.scheduler.weights.dp=4"});
  EXPECT_EQ(warps(), (std::vector<unsigned>{3, 1, 2, 0}));
}

// Warp 1 of block 0 is at the barrier, so the others of that block come before those of block 1.
TEST_F(issue_order, a_warp_its_block_waits_for_comes_first_by_its_weight) {
  scene s;
  s.launched = {0, 1, 8, 9};
  isa::instruction barrier = of(isa::unit_class::barrier);
  barrier.barrier.waits = true;
  s.arrivals.push_back({10, 1, barrier});
  for (const unsigned warp : {8u, 9u, 0u}) s.arrivals.push_back({12, warp, of(isa::unit_class::sp)});
  run(s, {"tpc.sm.scheduler.policy=weighted", "tpc.sm.scheduler.weights.age=0"});
  EXPECT_EQ(warps(), (std::vector<unsigned>{1, 0, 8, 9}));
}

}  // namespace
}  // namespace gt200::model
