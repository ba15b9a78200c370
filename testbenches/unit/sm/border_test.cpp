// An SM behind its border: a scripted cluster launches blocks, answers memory accesses and fills, and reads the
// probe. Nothing here knows the modules of the SM.
#include <gmock/gmock.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "sc_models/sm/sm_if.h"
#include "sc_models/sm/stall_cause.h"
#include "sc_models/sm/tesla/sm.h"
#include "testbenches/support/memory.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tlm_bus::cycle_t;

constexpr unsigned fill_cycles = 10;

// Takes memory operations and completes each after a given time, as a memory path without memory.
class scripted_memory_path : public tlm_bus::stage {
 public:
  scripted_memory_path(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : stage(name, domain), in("in", *this, 2), out("out", *this) {}

  tlm_bus::pipe_in<memory_operation_token> in;
  tlm_bus::pipe_out<memory_completion_token> out;
  cycle_t latency = 50;  // no_cycle: never
  std::vector<std::string> taken;

 private:
  void tick() override {
    if (const memory_operation_token* token = in.front()) {
      taken.push_back(isa::text_of(*token->operation->instruction));
      if (latency != tlm_bus::no_cycle) {
        under_way_.push_back({cycle() + latency, token->operation});
        wake_at(cycle() + latency);
      }
      in.pop();
    }
    if (under_way_.empty() || under_way_.front().first > cycle() || !out.can_send()) return;
    out.send({under_way_.front().second});
    under_way_.pop_front();
    if (!under_way_.empty()) wake_at(std::max(under_way_.front().first, cycle() + 1));
  }

  std::deque<std::pair<cycle_t, warp_instruction*>> under_way_;
};

class sm_border : public support::systemc_test {
 protected:
  // One block of `threads` is handed over at cycle 0.
  void build(const std::string& body, unsigned threads, const std::vector<std::string>& overrides = {}) {
    config_ = config::load(GT200_SOURCE_DIR "/configs/gt200.toml", overrides).values;
    clocks_ = &clock();
    sm_ = tesla_sms(config_)("sm", {clocks_->core, clocks_->shader, config_}, {0, 0, 1});
    launches_ = std::make_unique<support::token_source<launch_token>>("launches", core());
    retired_ = std::make_unique<support::token_sink<retire_token>>("retired", core(), 2);
    memory_ = std::make_unique<scripted_memory_path>("memory_path", core());
    code_ = std::make_unique<support::memory_responder<tlm_bus::base_protocol>>("code", core(), fill_cycles);
    constants_ =
        std::make_unique<support::memory_responder<tlm_bus::base_protocol>>("constants", core(), fill_cycles);
    launches_->out.bind(sm_->launch());
    sm_->retire().bind(retired_->in);
    sm_->memory_operations().bind(memory_->in);
    memory_->out.bind(sm_->memory_completions());
    sm_->fills()[0]->bind(code_->port);
    sm_->fills()[1]->bind(constants_->port);

    module_ = assembler::assemble(".target sm_13\n.entry test\n" + body + ".end\n", "test.s");
    const std::vector<std::uint32_t>& words = module_.kernels.front().code;
    for (std::size_t i = 0; i < 4 * words.size(); ++i)
      code_->bytes[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
    grid_.launch = 1;
    grid_.block = {threads, 1, 1};
    grid_.code_bytes = static_cast<std::uint32_t>(4 * words.size());
    grid_.registers = 16;
    grid_.shared_bytes = 64;
    grid_.barriers = 2;
    grid_.constants[1] = {0x100, 64};
    launch_token token;
    token.grid = &grid_;
    token.block_id = 7;
    launches_->send_at(0, token);
  }
  sm_probe& probe() { return sm_->probe(); }
  std::uint64_t slots_of(stall_cause cause, cycle_t until) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < probe().schedulers(); ++i)
      sum += probe().slots_until(i, core_cycle(until))[static_cast<std::size_t>(cause)];
    return sum;
  }

  config::gpu_config config_;
  support::clocks* clocks_ = nullptr;
  std::unique_ptr<sm_if> sm_;
  std::unique_ptr<support::token_source<launch_token>> launches_;
  std::unique_ptr<support::token_sink<retire_token>> retired_;
  std::unique_ptr<scripted_memory_path> memory_;
  std::unique_ptr<support::memory_responder<tlm_bus::base_protocol>> code_;
  std::unique_ptr<support::memory_responder<tlm_bus::base_protocol>> constants_;
  cubin::module module_;
  grid_descriptor grid_;
};

constexpr const char* load_and_add =
    "  mov b32 $r1 0x40\n"
    "  ld b32 $r2 g14[$r1]\n"
    "  add b32 $r3 $r2 $r1\n"
    "  exit nop\n";

TEST_F(sm_border, runs_a_block_from_launch_to_retire) {
  build(load_and_add, 64);
  run_through(1000);
  ASSERT_EQ(retired_->taken.size(), 1u);
  EXPECT_EQ(retired_->taken[0].value.block_id, 7u);
  EXPECT_FALSE(retired_->taken[0].value.faulted);
  EXPECT_THAT(memory_->taken, ElementsAre("ld b32 $r2 g14[$r1]", "ld b32 $r2 g14[$r1]"));
  EXPECT_GE(code_->taken.size(), 1u);
  EXPECT_TRUE(constants_->taken.empty());

  EXPECT_EQ(probe().instructions_issued(), 8u);
  EXPECT_EQ(probe().instructions_completed(), 8u);
  EXPECT_EQ(probe().memory_operations_sent(), 2u);
  EXPECT_EQ(probe().blocks_retired(), 1u);
  EXPECT_EQ(probe().resident_blocks(), 0u);
  EXPECT_EQ(probe().resident_warps(), 0u);
  EXPECT_THAT(probe().in_flight(), IsEmpty());
  EXPECT_EQ(probe().fault().kind, arch_state::fault_kind::none);
}

TEST_F(sm_border, charges_every_issue_slot_once) {
  build(load_and_add, 64, {"tpc.sm.scheduler.schedulers=2"});
  run_through(1000);
  ASSERT_EQ(probe().schedulers(), 2u);
  for (unsigned i = 0; i < 2; ++i)
    for (const cycle_t until : {cycle_t{1}, cycle_t{60}, cycle_t{1000}}) {
      std::uint64_t sum = 0;
      for (const std::uint64_t slots : probe().slots_until(i, core_cycle(until))) sum += slots;
      // What was charged before is not taken back.
      if (until == 1000)
        EXPECT_EQ(sum, until);
      else
        EXPECT_GE(sum, until);
    }
  EXPECT_EQ(slots_of(stall_cause::none, 1000), 8u);
  EXPECT_GE(slots_of(stall_cause::dependency_global, 1000), 2 * (memory_->latency - 10));
  const slot_profile profile = probe().profile_until(core_cycle(1000));
  // The addition behind the load is at 0x10: all waiting for the load is charged to it.
  ASSERT_GT(profile.by_instruction().size(), 4u);
  EXPECT_EQ(profile.by_instruction()[4].slots[static_cast<std::size_t>(stall_cause::dependency_global)],
            slots_of(stall_cause::dependency_global, 1000));
  EXPECT_GT(probe().resident_warp_cycles_until(core_cycle(1000)), 2 * memory_->latency);
  EXPECT_GT(probe().miss_starved_warp_cycles_until(core_cycle(1000)), fill_cycles);
  EXPECT_GT(probe().dependency_probes_until(core_cycle(1000)), 0u);
  EXPECT_GT(probe().dependency_hardware().storage_bits, 0u);
}

TEST_F(sm_border, tells_which_warp_waits_for_memory) {
  build(load_and_add, 32);
  memory_->latency = tlm_bus::no_cycle;
  run_through(500);
  EXPECT_EQ(probe().resident_blocks(), 1u);
  ASSERT_EQ(probe().resident_warps(), 1u);
  const warp_status status = probe().status_of(warp_slot(0));
  EXPECT_EQ(status.block_id, 7u);
  EXPECT_EQ(status.warp_in_block, 0u);
  EXPECT_TRUE(status.unfinished);
  EXPECT_EQ(status.cause, stall_cause::dependency_global);
  EXPECT_EQ(status.last_issued, 0x8u);
  ASSERT_TRUE(status.oldest);
  EXPECT_EQ(status.oldest->pc, 0x10u);
  EXPECT_TRUE(status.oldest->dependent);
  EXPECT_FALSE(status.barrier);
  ASSERT_THAT(probe().in_flight(), SizeIs(1));
  EXPECT_EQ(probe().in_flight()[0]->pc, 0x8u);
  EXPECT_EQ(probe().unit_of(*probe().in_flight()[0]), "") << "it has left the SM";
}

// The second warp waits for memory, the first for the second.
TEST_F(sm_border, tells_which_warp_waits_at_a_barrier) {
  build(
      "  cvt u32 $r1 u16 $r0l\n"
      "  mov b32 $r3 0x20\n"
      "  set $c0 # l u32 $r1 $r3\n"
      "  (lg $c0) bra together\n"
      "  ld b32 $r2 g14[$r3]\n"
      "  add b32 $r2 $r2 $r1\n"
      "together:\n"
      "  bar inc wait 0x1 0xfff\n"
      "  exit nop\n",
      64);
  memory_->latency = tlm_bus::no_cycle;
  run_through(500);
  const warp_status waiting = probe().status_of(warp_slot(0));
  EXPECT_EQ(waiting.cause, stall_cause::barrier);
  ASSERT_TRUE(waiting.barrier);
  EXPECT_EQ(waiting.barrier->id, 1u);
  EXPECT_EQ(waiting.barrier->warps_waiting, 1u);
  EXPECT_EQ(waiting.barrier->warps_unfinished, 2u);
  const warp_status awaited = probe().status_of(warp_slot(1));
  EXPECT_FALSE(awaited.barrier);
  EXPECT_EQ(awaited.cause, stall_cause::dependency_global);
  EXPECT_EQ(awaited.warp_in_block, 1u);
}

TEST_F(sm_border, tells_which_warp_waits_for_its_instructions) {
  build(load_and_add, 32);
  code_->takes = [](cycle_t cycle) { return cycle > 400; };
  run_through(300);
  ASSERT_EQ(probe().resident_warps(), 1u);
  const warp_status status = probe().status_of(warp_slot(0));
  EXPECT_EQ(status.fetch, warp_status::fetch_state::missing);
  EXPECT_EQ(status.cause, stall_cause::icache_miss);
  EXPECT_EQ(status.next_fetch, 0u);
  EXPECT_FALSE(status.oldest);
  EXPECT_GE(probe().miss_starved_warp_cycles_until(core_cycle(300)), 200u);
  run_through(1000);
  EXPECT_EQ(retired_->taken.size(), 1u);
}

TEST_F(sm_border, tells_of_a_warp_that_has_exited_and_waits_for_its_last_result) {
  build(
      "  mov b32 $r1 0x40\n"
      "  ld b32 $r2 g14[$r1]\n"
      "  exit nop\n",
      32);
  memory_->latency = tlm_bus::no_cycle;
  run_through(500);
  ASSERT_EQ(probe().resident_warps(), 1u);
  const warp_status status = probe().status_of(warp_slot(0));
  EXPECT_FALSE(status.unfinished);
  EXPECT_FALSE(status.oldest);
  EXPECT_EQ(status.fetch, warp_status::fetch_state::stopped);
  EXPECT_EQ(status.last_issued, 0x10u);
}

TEST_F(sm_border, names_the_unit_of_an_instruction_in_flight) {
  build("  add b32 $r3 $r2 c1[0x0]\n  exit nop\n", 32);
  constants_->takes = [](cycle_t) { return false; };
  run_through(500);
  unsigned found = 0;
  for (const warp_instruction* operation : probe().in_flight())
    if (operation->pc == 0) {
      ++found;
      EXPECT_EQ(probe().unit_of(*operation), "sm.operand_collector or behind it, sp");
    }
  EXPECT_EQ(found, 1u);
}

TEST_F(sm_border, keeps_the_first_fault_and_retires_the_block_with_it) {
  build("  mov b32 $r1 0x40\n  trap\n  exit nop\n", 32);
  run_through(1000);
  ASSERT_EQ(retired_->taken.size(), 1u);
  EXPECT_TRUE(retired_->taken[0].value.faulted);
  EXPECT_EQ(probe().fault().kind, arch_state::fault_kind::trap);
  EXPECT_EQ(probe().fault().pc, 0x8u);
  EXPECT_EQ(probe().fault().block_id, 7u);
}

TEST_F(sm_border, reads_its_lines_again_after_its_caches_were_invalidated) {
  build("  add b32 $r3 $r2 c1[0x0]\n  exit nop\n", 32);
  EXPECT_THAT(sm_->caches(), SizeIs(2)) << "of instructions and of constants";
  launch_token again;
  again.grid = &grid_;
  launches_->send_at(1000, again);
  launches_->send_at(2000, again);
  support::script cluster("cluster", core());
  cluster.at(1500, [&] {
    for (cache_control_if* cache : sm_->caches()) cache->invalidate();
  });
  run_through(900);
  const std::size_t code = code_->taken.size();
  ASSERT_EQ(constants_->taken.size(), 1u);
  run_through(1400);
  EXPECT_EQ(code_->taken.size(), code) << "the second block finds the lines";
  EXPECT_EQ(constants_->taken.size(), 1u);
  run_through(3000);
  EXPECT_EQ(code_->taken.size(), 2 * code);
  EXPECT_EQ(constants_->taken.size(), 2u);
  EXPECT_EQ(retired_->taken.size(), 3u);
}

// Attached to every tap.
class watcher final : public tlm_bus::pipe_observer<issued_token>,
                      public instruction_buffer_observer,
                      public scoreboard_observer,
                      public arbitration_observer,
                      public shared_memory_observer,
                      public write_back_observer {
 public:
  explicit watcher(sm_probe& probe) : probe_(probe) {
    for (sm_probe::issue_tap* tap : probe.issue_taps()) tap->attach(*this);
    for (const auto& buffer : probe.instruction_buffer_taps()) buffer.tap.attach(*this);
    probe.scoreboard_tap().tap.attach(*this);
    probe.arbitration_tap(0).tap.attach(*this);
    probe.shared_memory_tap().tap.attach(*this);
    probe.completions().attach(*this);
  }

  unsigned buffered = 0, looked_up = 0, released_entries = 0, chosen = 0, warps_started = 0, issued = 0, shared = 0;
  std::vector<isa::code_address> completed_at;
  std::uint32_t sum = 0;     // lane 1 of the addition, as it travelled
  std::uint32_t source = 0;  // its first operand
  std::uint32_t in_registers = 0;
  std::uint32_t in_shared_memory = 0;

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const issued_token&) override { ++issued; }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const issued_token&) override {}
  void entered(const sc_core::sc_object&, warp_slot, const buffered_instruction&) override { ++buffered; }
  void entered(core_cycle, warp_slot, const isa::instruction&, const lookup_answer&, warp_mask) override {
    ++looked_up;
  }
  void released(core_cycle, warp_slot, std::uint64_t, warp_mask) override { ++released_entries; }
  void went(core_cycle, warp_mask, warp_slot) override { ++chosen; }
  void started(core_cycle, warp_slot) override { ++warps_started; }
  void performed(const sc_core::sc_object&, const warp_instruction&) override { ++shared; }
  void completed(const sc_core::sc_object&, const warp_instruction& operation) override {
    completed_at.push_back(operation.pc);
    if (operation.pc == 0x18) {
      source = operation.values.source[0][0].lane[1];
      sum = operation.values.destination[0].lane[1];
    }
    if (operation.pc == 0x20) {
      in_registers = probe_.registers_of(operation.warp).gpr(3)[1];
      in_shared_memory =
          *reinterpret_cast<const std::uint32_t*>(probe_.shared_bytes_of(operation.block_slot) + 0x20);
    }
  }
  sm_probe& probe_;
};

TEST_F(sm_border, shows_each_instruction_at_every_tap) {
  build(
      "  cvt u32 $r1 u16 $r0l\n"
      "  mov b32 $r2 0x5\n"
      "  st b32 s[0x20] $r2\n"
      "  add b32 $r3 $r2 $r1\n"
      "  mov b32 $r4 $r3\n"
      "  exit nop\n",
      32);
  watcher seen(probe());
  EXPECT_STREQ(probe().scoreboard_tap().module.name(), "sm.scoreboard");
  EXPECT_STREQ(probe().arbitration_tap(0).module.name(), "sm.issue");
  EXPECT_THAT(probe().lockstep_comparisons(), IsEmpty());
  run_through(1000);
  EXPECT_EQ(seen.warps_started, 1u);
  EXPECT_EQ(seen.buffered, 6u);
  EXPECT_EQ(seen.looked_up, 6u);
  EXPECT_EQ(seen.chosen, 6u);
  EXPECT_EQ(seen.issued, 6u);
  EXPECT_EQ(seen.shared, 1u);
  EXPECT_EQ(seen.released_entries, 4u) << "instructions that write a register";
  EXPECT_THAT(seen.completed_at, ::testing::UnorderedElementsAre(0x0, 0x8, 0x10, 0x18, 0x20, 0x28));
  EXPECT_EQ(seen.source, 5u);
  EXPECT_EQ(seen.sum, 6u);
  EXPECT_EQ(seen.in_registers, 6u);
  EXPECT_EQ(seen.in_shared_memory, 5u);
}

}  // namespace
}  // namespace gt200::model
