// Entries of divergence stacks on their way to memory and back: which accesses leave in which cycle, and when the
// warp continues. By every way of clocking. A scripted memory path completes each access 20 cycles after it came.
#include "sc_models/sm/divergence/stack_memory.h"

#include <deque>
#include <map>

#include "sc_models/sm/blocks/instruction_pool.h"
#include "sc_models/stack_layout.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 120;
constexpr cycle_t latency = 20;
constexpr unsigned sm_in_chip = 2;

// Stacks of eight entries.
stack_layout layout() {
  stack_layout result;
  result.base = 0x10000;
  result.bytes = 0x10000;
  result.entry_bytes = 8;
  result.warp_bytes = 64;
  result.warps_per_sm = 32;
  return result;
}

struct transfer {
  cycle_t sent;
  std::uint16_t spilled;
  std::uint16_t filled;
  std::uint16_t in_memory;  // afterwards
  std::uint32_t value = 0;  // of the spilled entry
  unsigned warp = 3;
};

struct scene {
  std::vector<transfer> transfers;
  bool memory_forgets = false;  // loads return other bytes than were stored
};

struct access {
  cycle_t cycle;
  bool stores;
  std::uint32_t address;
  friend bool operator==(const access& a, const access& b) {
    return a.cycle == b.cycle && a.stores == b.stores && a.address == b.address;
  }
  friend std::ostream& operator<<(std::ostream& out, const access& a) {
    return out << "{cycle " << a.cycle << (a.stores ? ": store " : ": load ") << a.address << '}';
  }
};

// Memory port, memory and write-back in one.
class memory_path : public tlm_bus::stage {
 public:
  memory_path(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, instruction_pool& pool,
              bool forgets)
      : stage(name, domain), in("in", *this, 4), pool_(pool), forgets_(forgets) {}

  tlm_bus::pipe_in<collected_token> in;
  stack_memory* unit = nullptr;
  std::vector<access> accesses;

 private:
  void tick() override {
    if (!under_way_.empty() && under_way_.front().first <= cycle()) {
      warp_instruction& operation = *under_way_.front().second;
      under_way_.pop_front();
      unit->completed(operation);
      pool_.put(&operation);
    }
    if (const collected_token* token = in.front()) {
      warp_instruction& operation = *token->operation;
      const std::uint32_t address = operation.values.address.lane[0];
      const bool stores = operation.instruction->access.stores();
      accesses.push_back({cycle(), stores, address});
      for (unsigned word = 0; word < 2; ++word) {
        std::uint32_t& memory = words_[address + 4 * word];
        if (stores)
          memory = operation.values.source[1][word].lane[0];
        else
          operation.values.destination[word].lane[0] = forgets_ ? ~memory : memory;
      }
      under_way_.push_back({cycle() + latency, &operation});
      in.pop();
    }
    if (!under_way_.empty()) wake_at(std::max(under_way_.front().first, cycle() + 1));
  }

  instruction_pool& pool_;
  bool forgets_;
  std::deque<std::pair<cycle_t, warp_instruction*>> under_way_;
  std::map<std::uint32_t, std::uint32_t> words_;
};

class noting_blocks : public testing::fake_blocks {
 public:
  using fake_blocks::fake_blocks;
  std::vector<arch_state::fault_kind> faults;
  void faulted(const warp_instruction& operation) override { faults.push_back(operation.fault); }
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s)
      : config_(testing::sm_config_with({})),
        clocks_((name + "_clocks").c_str(), options),
        blocks_((name + "_blocks").c_str(), clocks_.core),
        pool_((name + "_pool").c_str()),
        source_((name + "_source").c_str(), clocks_.core),
        unit_((name + "_unit").c_str(), clocks_.core, config_, layout(), 0, sm_in_chip),
        path_((name + "_path").c_str(), clocks_.core, pool_, s.memory_forgets),
        resumed_((name + "_resumed").c_str(), clocks_.core, 2) {
    source_.out.bind(unit_.in);
    unit_.memory_port.bind(path_.in);
    unit_.resumed.bind(resumed_.in);
    unit_.block_control.bind(blocks_);
    unit_.pool.bind(pool_);
    path_.unit = &unit_;
    for (const transfer& t : s.transfers) send(t);
  }

  // The accesses as memory sees them, and the cycles in which warps continue, with their program counters.
  using redirects = std::vector<std::pair<cycle_t, isa::code_address>>;
  std::pair<std::vector<access>, redirects> result() const {
    redirects r;
    for (const auto& t : resumed_.taken) r.push_back({t.cycle, t.value.pc});
    return {path_.accesses, r};
  }
  const stack_memory& unit() const { return unit_; }
  const noting_blocks& blocks() const { return blocks_; }
  std::size_t in_flight() const { return pool_.in_flight(); }

 private:
  void send(const transfer& t) {
    stack_transfer_token token;
    token.warp = warp_slot(t.warp);
    token.spilled = t.spilled;
    token.filled = t.filled;
    token.in_memory = t.in_memory;
    token.spilled_words = {t.value, ~t.value, 0, 0};
    token.resume = {warp_slot(t.warp), 0x100 * t.warp, false};
    source_.send_at(t.sent, token);
  }

  config::sm_config config_;
  support::clocks clocks_;
  noting_blocks blocks_;
  instruction_pool pool_;
  support::token_source<stack_transfer_token> source_;
  stack_memory unit_;
  memory_path path_;
  support::token_sink<redirect_token> resumed_;
};

class stack_memory_test : public testing::every_way<bench> {
 protected:
  using accesses = std::vector<access>;
  using redirects = bench::redirects;
  std::pair<accesses, redirects> moved(const scene& s) {
    build(s);
    return run(end);
  }
};

std::uint32_t place(unsigned entry, unsigned warp = 3) {
  return layout().address(sm_in_chip, warp_slot(warp), entry);
}

// Sent in 10, the store leaves in 11 and is with the memory port in 12; the warp waits for nothing.
TEST_F(stack_memory_test, a_spilled_entry_is_stored_and_the_warp_goes_on) {
  const auto [seen, resumed] = moved({{{10, 1, 0, 1, 77}}});
  EXPECT_EQ(seen, (accesses{{12, true, place(0)}}));
  EXPECT_EQ(resumed, redirects{});
  EXPECT_EQ(first().unit().spilled.value(), 1u);
  EXPECT_EQ(first().in_flight(), 0u);
}
// The load is with the memory port in 42 and ends in 62; the unit resumes the warp a cycle later.
TEST_F(stack_memory_test, a_warp_goes_on_when_its_entry_has_been_loaded) {
  const auto [seen, resumed] = moved({{{10, 1, 0, 1, 77}, {40, 0, 1, 0}}});
  EXPECT_EQ(seen, (accesses{{12, true, place(0)}, {42, false, place(0)}}));
  EXPECT_EQ(resumed, (redirects{{42 + latency + 1 + 1, 0x300}}));
  EXPECT_EQ(first().unit().filled.value(), 1u);
}
TEST_F(stack_memory_test, entries_are_loaded_from_the_top_down_and_the_warp_waits_for_all) {
  const auto [seen, resumed] = moved({{{10, 1, 0, 1, 77}, {20, 1, 0, 2, 88}, {40, 0, 2, 0}}});
  EXPECT_EQ(seen,
            (accesses{{12, true, place(0)}, {22, true, place(1)}, {42, false, place(1)}, {43, false, place(0)}}));
  EXPECT_EQ(resumed, (redirects{{43 + latency + 1 + 1, 0x300}}));
}
TEST_F(stack_memory_test, what_was_pushed_out_goes_before_what_is_needed) {
  const auto [seen, resumed] = moved({{{10, 1, 1, 0, 77}}});
  EXPECT_EQ(seen, (accesses{{12, true, place(0)}, {13, false, place(0)}}));
  EXPECT_EQ(resumed, (redirects{{13 + latency + 1 + 1, 0x300}}));
}
TEST_F(stack_memory_test, warps_have_places_of_their_own) {
  const auto [seen, resumed] =
      moved({{{10, 1, 0, 1, 77, 3}, {11, 1, 0, 1, 88, 4}, {40, 0, 1, 0, 0, 4}, {41, 0, 1, 0, 0, 3}}});
  EXPECT_EQ(
      seen,
      (accesses{
          {12, true, place(0, 3)}, {13, true, place(0, 4)}, {42, false, place(0, 4)}, {43, false, place(0, 3)}}));
  EXPECT_EQ(resumed, (redirects{{64, 0x400}, {65, 0x300}}));
}
TEST_F(stack_memory_test, an_entry_that_was_overwritten_is_a_fault) {
  const auto [seen, resumed] = moved({{{10, 1, 0, 1, 77}, {40, 0, 1, 0}}, true});
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(resumed, redirects{});
  EXPECT_EQ(first().blocks().faults, (std::vector<arch_state::fault_kind>{arch_state::fault_kind::stack_mismatch}));
}

}  // namespace
}  // namespace gt200::model
