// Dependency tracking must fail when it is broken: each test breaks the mechanism in one way, and the checked run
// names the hazard, or the hang report its place.

#include <functional>
#include <memory>

#include "sc_models/sm/dependency/coon_tracker.h"
#include "testbenches/system/checked/checked_board.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200 {
namespace {

using isa::tesla::opcode;
using model::dependency_vectors;

// A sound mechanism, which each derived class breaks in one place.
class around_coon : public model::dependency_tracker {
 public:
  explicit around_coon(const model::tesla_sm& sm, const config::sm_config& config)
      : sound_(sm.issue.domain(), config) {}

  lookup enter(model::warp_slot warp, const isa::instruction& instruction) override {
    return sound_.enter(warp, instruction);
  }
  std::uint64_t issue(model::warp_slot warp, dependency_vectors& buffer) override {
    return sound_.issue(warp, buffer);
  }
  void complete(model::warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override {
    sound_.complete(warp, instruction, entries, buffer);
  }
  bool full(model::warp_slot warp) const override { return sound_.full(warp); }
  std::uint64_t probes_until(model::core_cycle until) const override { return sound_.probes_until(until); }
  model::stall_cause cause_of(model::warp_slot warp, model::scoreboard_entry dependency) const override {
    return sound_.cause_of(warp, dependency);
  }
  model::tracking_cost cost() const override { return sound_.cost(); }
  void publish(model::warp_slot warp, tlm_bus::signal_writer& to) const override { sound_.publish(warp, to); }

 private:
  model::coon_tracker sound_;
};

class loses_the_release_of_a_load : public around_coon {
 public:
  using around_coon::around_coon;
  void complete(model::warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override {
    if (isa::tesla::as_tesla(instruction).op != opcode::ld_global)
      around_coon::complete(warp, instruction, entries, buffer);
  }
};

class forgets_the_entry_of_a_load : public around_coon {
 public:
  using around_coon::around_coon;
  lookup enter(model::warp_slot warp, const isa::instruction& instruction) override {
    isa::instruction seen = instruction;
    if (isa::tesla::as_tesla(instruction).op == opcode::ld_global) seen.write_count = 0;
    note_registers(seen);
    return around_coon::enter(warp, seen);
  }
};

class ignores_the_size_field : public around_coon {
 public:
  using around_coon::around_coon;
  lookup enter(model::warp_slot warp, const isa::instruction& instruction) override {
    isa::instruction seen = instruction;
    for (unsigned i = 0; i < seen.write_count; ++i) seen.writes[i].count = 1;
    note_registers(seen);
    return around_coon::enter(warp, seen);
  }
};

// A buffer that seems to hold nothing but its oldest instruction.
class only_the_oldest : public dependency_vectors {
 public:
  explicit only_the_oldest(dependency_vectors& buffer) : buffer_(buffer) {}
  unsigned buffered(model::warp_slot) const override { return 1; }
  const model::buffered_instruction& at(model::warp_slot warp, unsigned position) const override {
    return buffer_.at(warp, position);
  }
  void set_dependencies(model::warp_slot warp, unsigned position, std::uint64_t dependencies) override {
    buffer_.set_dependencies(warp, position, dependencies);
  }
  void clear_dependencies(model::warp_slot warp, std::uint64_t dependencies) override {
    buffer_.clear_dependencies(warp, dependencies);
  }

 private:
  dependency_vectors& buffer_;
};

class hides_the_allocation_from_the_second_instruction : public around_coon {
 public:
  using around_coon::around_coon;
  std::uint64_t issue(model::warp_slot warp, dependency_vectors& buffer) override {
    only_the_oldest oldest(buffer);
    return around_coon::issue(warp, oldest);
  }
};

constexpr const char* body = R"(
  ld b64 $r6d g14[$r3]
  add b32 $r8 $r7 $r1
  add b32 $r8 $r8 $r6
  st b32 g14[$r4] $r8
  exit nop
)";

class the_checked_run : public support::checked_board {
 protected:
  template <class broken>
  launch_result run_with(const std::vector<std::string>& overrides = {}) {
    build(support::checked_program("  add b32 $r3 $r3 $r2\n" + std::string(body)), overrides);
    sm().scoreboard.use(std::make_unique<broken>(sm(), board->chip().config.tpc.sm));
    return run(1, 32);
  }
  template <class broken>
  void finds_a_hazard(const std::string& reg, const std::vector<std::string>& overrides = {}) {
    run_with<broken>(overrides);
    ASSERT_TRUE(checker->difference());
    EXPECT_EQ(checker->difference()->what, "missed hazard") << difference();
    EXPECT_EQ(checker->difference()->expected, reg + " written back before this instruction issues");
  }
};

TEST_F(the_checked_run, finds_nothing_in_a_sound_mechanism) {
  EXPECT_EQ(run_with<around_coon>().reason, end_reason::done);
  EXPECT_EQ(difference(), "no difference");
}

TEST_F(the_checked_run, explains_the_hang_after_a_lost_release) {
  const launch_result result = run_with<loses_the_release_of_a_load>();
  EXPECT_EQ(result.reason, end_reason::hang);
  EXPECT_NE(result.explanation.find("warp 0 (block 0, warp 0 of it): 0x40: add b32 $r8 $r7 $r1, waits for a "
                                    "release by gt200.tpc_0.sm_0.scoreboard"),
            std::string::npos)
      << result.explanation;
}

TEST_F(the_checked_run, finds_a_forgotten_entry) { finds_a_hazard<forgets_the_entry_of_a_load>("$r7"); }
TEST_F(the_checked_run, finds_an_ignored_size_field) { finds_a_hazard<ignores_the_size_field>("$r7"); }
TEST_F(the_checked_run, finds_an_allocation_at_issue_that_the_second_instruction_misses) {
  finds_a_hazard<hides_the_allocation_from_the_second_instruction>("$r1", {"tpc.sm.scoreboard.allocate=at_issue"});
}

// A store reads its operands late: when it leaves its collector, not in issue order, but after a younger write.
class reads_late final : public tlm_bus::pipe_observer<model::collected_token> {
 public:
  explicit reads_late(model::tesla_sm& sm) : sm_(sm) { sm.memory_port.in.observers().attach(*this); }
  ~reads_late() override { sm_.memory_port.in.observers().detach(*this); }

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token& token) override {
    model::warp_instruction& operation = *token.operation;
    if (isa::tesla::as_tesla(*operation.instruction).op != opcode::st_global) return;
    const std::uint32_t* row =
        sm_.register_file.rows(operation.warp).gpr(isa::tesla::as_tesla(*operation.instruction).source[1].index);
    std::copy(row, row + isa::warp_size, operation.values.source[1][0].lane);
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token&) override {}

  model::tesla_sm& sm_;
};

TEST_F(the_checked_run, finds_nothing_when_a_younger_instruction_writes_what_a_store_has_read) {
  build(support::checked_program(std::string(support::write_past_a_store) + "  exit nop\n"),
        support::narrow_way_to_memory());
  run_alike(1, 32);
}

TEST_F(the_checked_run, finds_a_missing_write_after_read_rule) {
  build(support::checked_program(std::string(support::write_past_a_store) + "  exit nop\n"),
        support::narrow_way_to_memory());
  reads_late broken(sm());
  run(1, 32);
  ASSERT_TRUE(checker->difference());
  EXPECT_NE(checker->difference()->what.find("byte stored to"), std::string::npos) << difference();
}

}  // namespace
}  // namespace gt200
