// When fetched instructions enter the instruction buffer, and what decode tells fetch: exact cycles, by every way
// of clocking. Scoreboard and buffer are scripted.
#include "sc_models/sm/front_end/decode.h"

#include <deque>
#include <map>
#include <set>
#include <stdexcept>

#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
using command = fetch_control_token::command;
constexpr cycle_t end = 80;
constexpr std::uint64_t first_id = 500;
const std::string add = "add b32 $r1 $r2 $r3";

struct fetched {
  cycle_t sent;
  unsigned warp;
  isa::code_address pc;
  std::vector<std::string> instructions;
  unsigned epoch = 1;
  unsigned requested = 0;  // 0: as many as were delivered
  bool sequential_known = true;
  bool invalid_pc = false;
};

struct scene {
  std::vector<fetched> fetches;
  std::map<unsigned, cycle_t> refused_before = {};  // by warp: the scoreboard has no entry before this cycle
  std::set<cycle_t> releases = {};
  std::vector<std::string> overrides = {};
};

struct entry {
  cycle_t cycle;
  unsigned warp;
  isa::code_address pc;
  friend bool operator==(const entry& a, const entry& b) {
    return a.cycle == b.cycle && a.warp == b.warp && a.pc == b.pc;
  }
  friend std::ostream& operator<<(std::ostream& out, const entry& e) {
    return out << "{cycle " << e.cycle << ": warp " << e.warp << " pc " << e.pc << '}';
  }
};

// Scoreboard and instruction buffer.
class surroundings : public tlm_bus::stage,
                     public scoreboard_decode_if,
                     public tlm_bus::transaction_target<scoreboard_lookup>,
                     public tlm_bus::transaction_target<scoreboard_answer>,
                     public tlm_bus::transaction_target<buffer_write> {
 public:
  tlm_bus::transaction_in<scoreboard_lookup> lookups{"lookups", *this};
  tlm_bus::transaction_in<scoreboard_answer> answers{"answers", *this};
  tlm_bus::transaction_in<buffer_write> buffer_writes{"buffer_writes", *this};

  surroundings(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const scene& s)
      : stage(name, domain), refused_before_(s.refused_before), releases_(s.releases) {
    for (const cycle_t cycle : releases_) wake_at(cycle);
  }

  std::vector<entry> entered;
  std::vector<buffered_instruction> buffered;
  unsigned cancelled = 0;

  void transport(scoreboard_lookup& lookup) override { lookup.answer = answer_for(lookup.warp); }
  void transport(scoreboard_answer& fetched) override { fetched.answer = answer_for(fetched.warp); }
  void transport(buffer_write& write) override {
    if (write.what == buffer_write::command::cancel) {
      cancelled += write.entries;
      return;
    }
    entered.push_back({domain().cycle(), write.warp.index(), write.instruction.pc});
    buffered.push_back(write.instruction);
  }
  const tlm_bus::registered_event& release() const override { return release_; }

 private:
  void tick() override {
    if (releases_.count(cycle()) != 0) release_.notify(domain());
  }
  lookup_answer answer_for(warp_slot warp) const {
    const auto refused = refused_before_.find(warp.index());
    const bool entered_now = refused == refused_before_.end() || domain().cycle() >= refused->second;
    return {entered_now, 0b10, 0b100};
  }

  std::map<unsigned, cycle_t> refused_before_;
  std::set<cycle_t> releases_;
  tlm_bus::registered_event release_;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s)
      : config_(testing::sm_config_with(s.overrides)),
        instructions_(std::make_shared<arch_state::tesla::generation>(13, config_.simt_stack)),
        clocks_((name + "_clocks").c_str(), options),
        rest_((name + "_rest").c_str(), clocks_.core, s),
        icache_((name + "_icache").c_str(), clocks_.core),
        decode_((name + "_decode").c_str(), clocks_.core, config_, instructions_, first_id),
        fetch_((name + "_fetch").c_str(), clocks_.core, 4) {
    icache_.out.bind(decode_.in);
    decode_.control.bind(fetch_.in);
    decode_.scoreboard.bind(rest_);
    decode_.lookups.bind(rest_.lookups);
    decode_.answers.bind(rest_.answers);
    decode_.buffer_writes.bind(rest_.buffer_writes);
    for (const fetched& f : s.fetches) send(f);
  }

  std::vector<entry> result() const { return rest_.entered; }
  const surroundings& rest() const { return rest_; }
  const decode& unit() const { return decode_; }
  const std::vector<support::timed<fetch_control_token>>& commands() const { return fetch_.taken; }

 private:
  void send(const fetched& f) {
    fetched_token token;
    token.warp = warp_slot(f.warp);
    token.grid = &grid_;
    token.epoch = static_cast<std::uint8_t>(f.epoch);
    token.count = static_cast<std::uint8_t>(f.instructions.size());
    token.requested = static_cast<std::uint8_t>(f.requested != 0 ? f.requested : f.instructions.size());
    token.sequential_known = f.sequential_known;
    token.invalid_pc = f.invalid_pc;
    token.pc = f.pc;
    unsigned count = 0;
    isa::code_address pc = f.pc;
    for (const std::string& text : f.instructions) {
      std::string label;
      isa::tesla::decode_error error;
      const auto i = isa::tesla::parse(text, label, error);
      if (!i) throw std::runtime_error(text + ": " + error.reason);
      token.instructions[count++] = &instructions_.at(pc, i->words);
      pc += i->length;
    }
    icache_.send_at(f.sent, token);
  }

  config::sm_config config_;
  grid_descriptor grid_;
  decoded_instructions instructions_;
  support::clocks clocks_;
  surroundings rest_;
  support::token_source<fetched_token> icache_;
  decode decode_;
  support::token_sink<fetch_control_token> fetch_;
};

class decode_test : public testing::every_way<bench> {
 protected:
  using entries = std::vector<entry>;
  entries entered(const scene& s) {
    build(s);
    return run(end);
  }
};

// Sent in t, decoded and in the buffer in t + 1.
TEST_F(decode_test, the_instructions_of_a_fetch_enter_in_one_cycle) {
  EXPECT_EQ(entered({{{10, 3, 0x20, {add, add}}, {11, 4, 0x20, {add}}}}),
            (entries{{11, 3, 0x20}, {11, 3, 0x28}, {12, 4, 0x20}}));
  EXPECT_EQ(first().unit().decoded.value(), 3u);
  EXPECT_TRUE(first().commands().empty());
}
TEST_F(decode_test, an_instruction_carries_its_id_its_dependencies_and_its_entries) {
  entered({{{10, 3, 0, {add, add}}}});
  ASSERT_EQ(first().rest().buffered.size(), 2u);
  EXPECT_EQ(first().rest().buffered[0].id, first_id);
  EXPECT_EQ(first().rest().buffered[1].id, first_id + 1);
  EXPECT_EQ(first().rest().buffered[1].dependencies, 0b10u);
  EXPECT_EQ(first().rest().buffered[1].allocated, 0b100u);
  EXPECT_EQ(first().rest().buffered[1].fault, arch_state::fault_kind::none);
}
TEST_F(decode_test, tells_fetch_the_next_address_when_it_does_not_know_the_length) {
  entered({{{10, 3, 0x20, {add}, 1, 0, false}}});
  ASSERT_EQ(first().commands().size(), 1u);
  EXPECT_EQ(first().commands()[0].cycle, 12u);
  EXPECT_EQ(first().commands()[0].value.what, command::advance);
  EXPECT_EQ(first().commands()[0].value.pc, 0x28u);
}
TEST_F(decode_test, slots_of_instructions_that_were_not_delivered_are_given_back) {
  entered({{{10, 3, 0x20, {add}, 1, 2}}});
  EXPECT_EQ(first().rest().cancelled, 1u);
}

TEST_F(decode_test, a_control_instruction_stops_fetch_and_voids_what_was_fetched_behind_it) {
  EXPECT_EQ(entered({{{10, 3, 0, {"bra 0x40", add}}, {20, 3, 0x10, {add}}, {30, 3, 0x40, {add}, 2}}}),
            (entries{{11, 3, 0}, {31, 3, 0x40}}));
  ASSERT_EQ(first().commands().size(), 1u);
  EXPECT_EQ(first().commands()[0].cycle, 12u);
  EXPECT_EQ(first().commands()[0].value.what, command::stop);
  EXPECT_EQ(first().rest().cancelled, 1u + 1);
  EXPECT_EQ(first().unit().discarded.value(), 1u + 1);
}
TEST_F(decode_test, an_address_outside_the_code_becomes_a_fault_that_stops_fetch) {
  EXPECT_EQ(entered({{{10, 3, 0x8000, {}, 1, 2, true, true}}}), (entries{{11, 3, 0x8000}}));
  EXPECT_EQ(first().rest().buffered[0].fault, arch_state::fault_kind::invalid_pc);
  ASSERT_EQ(first().commands().size(), 1u);
  EXPECT_EQ(first().commands()[0].value.what, command::stop);
  EXPECT_EQ(first().rest().cancelled, 1u);
}

// The release of cycle 20 is seen in 21. Then one instruction enters per cycle.
TEST_F(decode_test, without_an_entry_the_instructions_of_a_warp_wait_and_others_pass) {
  EXPECT_EQ(entered({{{10, 3, 0, {add, add}}, {15, 4, 0, {add}}}, {{3, 21}}, {20}}),
            (entries{{16, 4, 0}, {21, 3, 0}, {22, 3, 8}}));
  EXPECT_EQ(first().unit().scoreboard_full.value(), 1u);
  EXPECT_EQ(first().unit().discarded.value(), 0u);
}
TEST_F(decode_test, without_an_entry_instructions_are_dropped_and_fetched_again) {
  EXPECT_EQ(entered({{{10, 3, 0, {add, add}}, {30, 3, 0, {add, add}, 2}},
                     {{3, 21}},
                     {20},
                     {"tpc.sm.scoreboard.when_full=discard"}}),
            (entries{{31, 3, 0}, {31, 3, 8}}));
  ASSERT_EQ(first().commands().size(), 1u);
  EXPECT_EQ(first().commands()[0].cycle, 12u);
  EXPECT_EQ(first().commands()[0].value.what, command::restart);
  EXPECT_EQ(first().commands()[0].value.pc, 0u);
  EXPECT_EQ(first().rest().cancelled, 2u);
  EXPECT_EQ(first().unit().discarded.value(), 2u);
}

// The second look-up of a warp begins when the first is answered; that of another warp does not wait for it.
TEST_F(decode_test, a_warp_has_one_look_up_in_flight) {
  EXPECT_EQ(
      entered({{{10, 3, 0, {add, add}}, {11, 4, 0, {add}}}, {}, {}, {"tpc.sm.scoreboard.lookup_latency_cycles=3"}}),
      (entries{{14, 3, 0}, {15, 4, 0}, {17, 3, 8}}));
}

}  // namespace
}  // namespace gt200::model
