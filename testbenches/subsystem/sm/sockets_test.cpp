// Logs at every socket inside one SM while a kernel with control flow runs, checked: what they see fits together,
// agrees with the counters, and rebuilds the registers of the warps bit for bit. In both details of the units.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "testbenches/subsystem/sm/register_mirror.h"
#include "testbenches/support/transaction_log.h"
#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

using model::buffer_write;
using model::dependency_update;
using support::transaction_log;

// Threads leave the loop after one to four passes; then two paths, with an SFU, an indexed constant and shared
// memory, meet behind a barrier.
constexpr const char* body = R"(
  ld b32 $r5 g14[$r3]
  and b32 $r6 $r1 0x3
  mov b32 $r9 0x0
  breakaddr behind
again:
  add b32 $r5 $r5 $r6
  mov b16 $r9l $r5h
  set $c0 # l s32 $r6 $r124
  sub b32 $r6 $r6 0x1
  (lg $c0) break
  bra again
behind:
  set $c0 # l u32 $r1 c1[sixteen]
  joinat meet
  (lg $c0) bra low
  cvt rn f32 $r7 u32 $r1
  rcp f32 $r8 $r7
  bra meet
low:
  shl $a1 $r1 0x2
  add b32 $r8 $r5 c1[$a1+table]
meet:
  join nop
  shl $a2 $r1 0x2
  st b32 s[$a2+tile] $r8
  bar inc wait 0x0 0xfff
  add b32 $r8 b32 s[$a2+tile] $r9
  st b32 g14[$r4] $r8
  exit nop
)";

// What passes at the sockets of the front end's joints and of the constant cache.
struct joint_logs {
  explicit joint_logs(model::tesla_sm& sm)
      : reservations(sm.instruction_buffer.reservations),
        writes(sm.instruction_buffer.writes),
        removals(sm.instruction_buffer.removals),
        updates(sm.instruction_buffer.dependency_updates),
        lookups(sm.scoreboard.lookups),
        answers(sm.scoreboard.answers),
        allocations(sm.scoreboard.allocations),
        releases(sm.scoreboard.releases),
        constant_reads(sm.constant_cache.reads),
        line_fetches(sm.constant_cache.line_fetches) {}

  transaction_log<model::buffer_reservation> reservations;
  transaction_log<buffer_write> writes;
  transaction_log<model::buffer_removal> removals;
  transaction_log<dependency_update> updates;
  transaction_log<model::scoreboard_lookup> lookups;
  transaction_log<model::scoreboard_answer> answers;
  transaction_log<model::scoreboard_allocation> allocations;
  transaction_log<model::scoreboard_release> releases;
  transaction_log<model::constant_read> constant_reads;
  transaction_log<model::constant_line_fetch> line_fetches;
};

// The first word of each result that leaves a datapath or a unit, by instruction and lane.
class result_log final : private tlm_bus::transaction_observer<model::warp_operation>,
                         private tlm_bus::transaction_observer<model::lane_operation>,
                         private tlm_bus::transaction_observer<model::lane_result> {
 public:
  explicit result_log(model::tesla_sm& sm) : sm_(sm) {
    for (model::unit_group& group : sm.execution_units.groups) {
      group.datapath().operations.observers().attach(*this);
      for (unsigned u = 0; u < group.units(); ++u) group.unit(u).operands.observers().attach(*this);
    }
    for (auto& socket : sm.write_back.lanes) socket.observers().attach(*this);
  }
  ~result_log() override {
    for (model::unit_group& group : sm_.execution_units.groups) {
      group.datapath().operations.observers().detach(*this);
      for (unsigned u = 0; u < group.units(); ++u) group.unit(u).operands.observers().detach(*this);
    }
    for (auto& socket : sm_.write_back.lanes) socket.observers().detach(*this);
  }

  std::map<std::uint64_t, std::map<unsigned, std::uint32_t>> results;
  unsigned whole = 0, lanes_in = 0, lanes_out = 0;

 private:
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::warp_operation& o) override {
    ++whole;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      if ((o.executed >> lane & 1) != 0) results[o.id][lane] = o.values->destination[0].lane[lane];
  }
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::lane_operation&) override {
    ++lanes_in;
  }
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::lane_result& r) override {
    ++lanes_out;
    if (r.executed) results[r.id][r.lane] = r.destination[0];
  }

  model::tesla_sm& sm_;
};

class sockets : public support::checked_board, public ::testing::WithParamInterface<const char*> {
 protected:
  void run_kernel(std::vector<std::string> overrides = {}) {
    overrides.push_back(std::string("tpc.sm.units.detail=") + GetParam());
    std::string table = ".literal sixteen u32 16\n.literal table u32";
    for (unsigned n = 0; n < 16; ++n) table += " " + std::to_string(100 + n);
    build(support::checked_program(body, ".shared tile 256\n" + table + "\n"), overrides);
    joints.emplace(sm());
    registers.emplace(sm().register_file);
    results.emplace(sm());
    run_alike(1, 64);
  }
  bool by_lane() const { return std::string(GetParam()) == "lane"; }
  // What entered the buffer, by id.
  std::map<std::uint64_t, buffer_write> entered() const {
    std::map<std::uint64_t, buffer_write> all;
    for (const buffer_write& w : joints->writes.seen)
      if (w.what == buffer_write::command::enter) {
        EXPECT_TRUE(all.emplace(w.instruction.id, w).second);
      }
    return all;
  }

  std::optional<joint_logs> joints;
  std::optional<support::register_mirror> registers;
  std::optional<result_log> results;
};

TEST_P(sockets, of_the_register_file_show_every_register_bit_for_bit) {
  run_kernel();
  EXPECT_EQ(registers->warps().size(), 2u);
  for (const model::warp_slot warp : registers->warps())
    EXPECT_EQ(registers->differences(warp), std::vector<std::string>{}) << "warp " << warp.index();
  EXPECT_EQ(registers->wrong_reads, std::vector<std::string>{});
  EXPECT_EQ(registers->allocations, 2u);
  EXPECT_GT(registers->initial_writes, 0u);
  EXPECT_GT(registers->reads, 50u);
  EXPECT_GT(registers->writes, 50u);
}

TEST_P(sockets, of_the_units_show_the_results_that_are_written) {
  run_kernel();
  unsigned compared = 0;
  for (const auto& [id, lanes] : registers->written) {
    const auto calculated = results->results.find(id);
    if (id == 0 || calculated == results->results.end()) continue;  // the start of a warp; memory
    for (const auto& [lane, value] : lanes) {
      ASSERT_TRUE(calculated->second.count(lane)) << id << " lane " << lane;
      EXPECT_EQ(calculated->second.at(lane), value) << id << " lane " << lane;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000u);
  EXPECT_EQ(results->whole == 0, by_lane());
  EXPECT_EQ(results->lanes_in != 0, by_lane());
  EXPECT_EQ(results->lanes_in, results->lanes_out);
}

TEST_P(sockets, of_the_instruction_buffer_show_the_way_of_every_instruction) {
  run_kernel({"tpc.sm.fetch.instructions_per_fetch=2"});
  const auto all = entered();
  EXPECT_EQ(all.size(), sm().decode.decoded.value());
  EXPECT_EQ(joints->removals.seen.size(), sm().issue.issued.value());
  ASSERT_EQ(joints->removals.seen.size(), all.size());
  std::map<unsigned, std::uint64_t> last;  // by warp
  for (const model::buffer_removal& removal : joints->removals.seen) {
    ASSERT_TRUE(all.count(removal.id));
    EXPECT_EQ(all.at(removal.id).warp, removal.warp);
    EXPECT_GT(removal.id, last[removal.warp.index()]) << "in the order in which they entered";
    last[removal.warp.index()] = removal.id;
  }
  unsigned reserved = 0;
  unsigned given_back = 0;
  for (const auto& r : joints->reservations.seen) reserved += r.entries;
  for (const buffer_write& w : joints->writes.seen)
    if (w.what == buffer_write::command::cancel) given_back += w.entries;
  EXPECT_EQ(reserved, all.size() + given_back);
  EXPECT_GT(given_back, 0u) << "what was fetched behind a branch";
}

TEST_P(sockets, of_the_scoreboard_show_every_entry_from_look_up_to_release) {
  run_kernel();
  const auto all = entered();
  std::vector<model::lookup_answer> answers;
  for (const auto& lookup : joints->lookups.seen)
    if (lookup.answer.entered) answers.push_back(lookup.answer);
  ASSERT_EQ(answers.size(), all.size());
  auto answer = answers.begin();
  for (const auto& [id, write] : all) {  // ids count up in the order of the look-ups
    EXPECT_EQ(write.instruction.allocated, answer->allocated);
    EXPECT_EQ(write.instruction.dependencies, answer->dependencies);
    ++answer;
  }
  EXPECT_TRUE(joints->answers.seen.empty()) << "no look-up latency";
  EXPECT_EQ(joints->allocations.seen.size(), all.size());
  for (const auto& a : joints->allocations.seen) EXPECT_EQ(a.entries, all.at(a.id).instruction.allocated);
  EXPECT_EQ(joints->releases.seen.size(), sm().write_back.completed.value());
  auto update = joints->updates.seen.begin();
  for (const auto& release : joints->releases.seen) {
    const buffer_write& write = all.at(release.id);
    EXPECT_EQ(release.entries, write.instruction.allocated);
    EXPECT_EQ(release.instruction, write.instruction.instruction);
    if (release.entries == 0) continue;
    ASSERT_NE(update, joints->updates.seen.end());
    EXPECT_EQ(update->what, dependency_update::command::clear);
    EXPECT_EQ(update->warp, release.warp);
    EXPECT_EQ(update->dependencies, release.entries);
    ++update;
  }
  EXPECT_EQ(update, joints->updates.seen.end());
}

TEST_P(sockets, of_the_scoreboard_show_answers_that_come_later) {
  run_kernel({"tpc.sm.scoreboard.lookup_latency_cycles=2"});
  const auto& answers = joints->answers.seen;
  EXPECT_EQ(joints->lookups.seen.size(), answers.size());
  const auto entered_in = [](const model::scoreboard_answer& a) { return a.answer.entered; };
  EXPECT_EQ(static_cast<std::size_t>(std::count_if(answers.begin(), answers.end(), entered_in)), entered().size());
}

TEST_P(sockets, of_the_constant_cache_show_the_constants) {
  run_kernel();
  EXPECT_EQ(joints->constant_reads.seen.size(), sm().constant_cache.hits.value());
  std::map<std::uint32_t, unsigned> values;
  for (const auto& read : joints->constant_reads.seen) ++values[read.data];
  std::map<std::uint32_t, unsigned> expected = {{16, 2}};   // once per warp
  for (unsigned n = 0; n < 16; ++n) expected[100 + n] = 1;  // one per thread of the lower path
  EXPECT_EQ(values, expected);
  EXPECT_GE(joints->line_fetches.seen.size(), sm().constant_cache.misses.value());
  EXPECT_GT(sm().constant_cache.misses.value(), 0u);
}

INSTANTIATE_TEST_SUITE_P(detail, sockets, ::testing::Values("warp", "lane"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace gt200
