// The warps for which fetch reads, and the addresses it reads: the exact order with every policy and with
// coordinated fetch, room in the buffer, one or two instructions per fetch, and the granule. The instruction cache
// is a pipe that takes everything.
#include "sc_models/sm/front_end/fetch.h"

#include <gtest/gtest.h>

#include "sc_models/sm/front_end/instruction_buffer.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/front_end/buffer_sockets.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

constexpr tlm_bus::cycle_t first_fetch = 10;
constexpr tlm_bus::cycle_t end = 60;
constexpr isa::code_address absent = 0x800;  // code from here on is not in the cache

// Long instructions at multiples of 8 below 0x100, short ones behind. Each scheduler's queue is its warps in the
// order of `queue`.
class fake_rest : public sc_core::sc_module,
                  public scoreboard_fetch_if,
                  public icache_predecode_if,
                  public issue_order_if {
 public:
  fake_rest(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned schedulers,
            std::vector<unsigned> queue)
      : sc_core::sc_module(name), domain_(domain), schedulers_(schedulers), queue_(std::move(queue)) {}
  // Nobody fetches before the cycle after this call.
  void open() { room_.change(domain_) = ~warp_mask{0}; }
  const warp_signal& has_room() const override { return room_; }
  predecoded predecode(const grid_descriptor&, isa::code_address pc, known_line&) override {
    predecoded found;
    found.length = pc >= absent ? 0 : pc < 0x100 ? 8 : 4;
    return found;
  }
  warp_slot first(unsigned, warp_mask candidates) override {
    for (const unsigned warp : queue_)
      if ((candidates & warp_bit(warp_slot(warp))) != 0) return warp_slot(warp);
    throw std::logic_error("no candidate");
  }
  unsigned rank(unsigned scheduler, warp_slot warp) override {
    unsigned before = 0;
    for (const unsigned other : queue_) {
      if (other == warp.index()) return before;
      if (other % schedulers_ == scheduler) ++before;
    }
    throw std::logic_error("not in the queue");
  }
  const tlm_bus::registered_signal<warp_observation>& observed() const override { return nothing_; }

 private:
  tlm_bus::clock_domain& domain_;
  unsigned schedulers_;
  std::vector<unsigned> queue_;
  warp_signal room_;
  tlm_bus::registered_signal<warp_observation> nothing_;
};

struct fetched {
  tlm_bus::cycle_t cycle;
  unsigned warp;
  isa::code_address pc;
  unsigned count;
  bool operator==(const fetched& o) const {
    return cycle == o.cycle && warp == o.warp && pc == o.pc && count == o.count;
  }
  friend std::ostream& operator<<(std::ostream& out, const fetched& f) {
    return out << f.cycle << ": warp " << f.warp << " at " << f.pc << " x " << f.count;
  }
};

struct started {
  unsigned warp;
  isa::code_address pc;
};

// The warps start one per cycle, the first fetch is that of cycle 10, and nothing leaves the buffer.
class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const std::vector<started>& starts, const std::vector<unsigned>& queue)
      : config_(config),
        units_(config_),
        clocks_((name + "_clocks").c_str(), options),
        rest_((name + "_rest").c_str(), clocks_.core, config_.scheduler.schedulers, queue),
        buffer_((name + "_instruction_buffer").c_str(), clocks_.core, config_, units_),
        others_(name + "_others", buffer_, {true, false, false, false}),
        fetch_((name + "_fetch").c_str(), clocks_.core, config_),
        start_((name + "_start").c_str(), clocks_.core),
        redirect_((name + "_redirect").c_str(), clocks_.core),
        control_((name + "_control").c_str(), clocks_.core),
        script_((name + "_script").c_str(), clocks_.core),
        cache_((name + "_cache").c_str(), clocks_.core, 8) {
    script_.at(first_fetch - 1, [this] { rest_.open(); });
    fetch_.instruction_buffer.bind(buffer_);
    fetch_.reservations.bind(buffer_.reservations);
    fetch_.scoreboard.bind(rest_);
    fetch_.icache.bind(rest_);
    fetch_.issue_order.bind(rest_);
    start_.out.bind(fetch_.start);
    redirect_.out.bind(fetch_.redirect);
    control_.out.bind(fetch_.control);
    fetch_.out.bind(cache_.in);
    grid_.code_bytes = 0x1000;
    for (unsigned i = 0; i < starts.size(); ++i)
      start_.send_at(i + 1, {warp_slot(starts[i].warp), &grid_, starts[i].pc});
  }
  std::vector<fetched> result() const {
    std::vector<fetched> all;
    for (const auto& t : cache_.taken)
      all.push_back({t.cycle - 1, t.value.warp.index(), t.value.pc, t.value.count});
    return all;
  }

 private:
  config::sm_config config_;
  unit_list units_;
  grid_descriptor grid_;
  support::clocks clocks_;
  fake_rest rest_;
  instruction_buffer buffer_;
  testing::buffer_sockets others_;
  fetch fetch_;
  support::token_source<start_token> start_;
  support::token_source<redirect_token> redirect_;
  support::token_source<fetch_control_token> control_;
  support::script script_;
  support::token_sink<fetch_token> cache_;
};

class fetch_order : public support::systemc_test {
 protected:
  std::vector<fetched> run(const std::vector<started>& starts, const std::vector<std::string>& overrides,
                           const std::vector<unsigned>& queue = {}) {
    const config::sm_config config = testing::sm_config_with(overrides);
    tlm_bus::clocking_options options;
    std::vector<std::unique_ptr<bench>> benches;
    const auto add = [&](const char* name) {
      benches.push_back(std::make_unique<bench>(name, options, config, starts, queue));
    };
    add("due");
    options.audit = true;
    add("audited");
    options.audit = false;
    options.shuffle_seed = 1;
    add("shuffled");
    options.shuffle_seed = 0;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference");
    run_through(end);
    const auto first = benches.front()->result();
    for (const auto& b : benches) EXPECT_EQ(b->result(), first);
    return first;
  }
  static std::vector<unsigned> warps_of(const std::vector<fetched>& all) {
    std::vector<unsigned> order;
    for (const fetched& f : all) order.push_back(f.warp);
    return order;
  }
};

const std::vector<started> four = {{2, 0x100}, {0, 0x100}, {3, 0x100}, {1, 0x100}};

TEST_F(fetch_order, fills_the_buffer_of_every_warp_and_stops) {
  const auto all = run(four, {"tpc.sm.instruction_buffer.entries_per_warp=2"});
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(all.front(), (fetched{10, 0, 0x100, 1}));
  EXPECT_EQ(all.back(), (fetched{17, 3, 0x104, 1}));
}

TEST_F(fetch_order, one_entry_per_warp_means_one_fetch_each) {
  EXPECT_EQ(warps_of(run(four, {"tpc.sm.instruction_buffer.entries_per_warp=1"})),
            (std::vector<unsigned>{0, 1, 2, 3}));
}

struct expectation {
  const char* policy;
  std::vector<unsigned> order;
};
void PrintTo(const expectation& e, std::ostream* out) { *out << e.policy; }
class fetch_policy : public fetch_order, public ::testing::WithParamInterface<expectation> {};

TEST_P(fetch_policy, orders_the_fetch) {
  EXPECT_EQ(
      warps_of(run(four,
                   {std::string("tpc.sm.fetch.policy=") + GetParam().policy,
                    "tpc.sm.instruction_buffer.entries_per_warp=3", "tpc.sm.scheduler.two_level_active_warps=2"},
                   {1, 3, 0, 2})),
      GetParam().order);
}

// Launched in the order 2 0 3 1; the scheduler's queue is 1 3 0 2.
INSTANTIATE_TEST_SUITE_P(every, fetch_policy,
                         ::testing::Values(expectation{"lrr", {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
                                           expectation{"gtlrr", {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}},
                                           expectation{"oldest", {2, 2, 2, 0, 0, 0, 3, 3, 3, 1, 1, 1}},
                                           expectation{"youngest", {1, 1, 1, 3, 3, 3, 0, 0, 0, 2, 2, 2}},
                                           expectation{"gto", {2, 2, 2, 0, 0, 0, 3, 3, 3, 1, 1, 1}},
                                           expectation{"gty", {1, 1, 1, 3, 3, 3, 0, 0, 0, 2, 2, 2}},
                                           expectation{"two_level", {0, 2, 0, 2, 0, 2, 3, 1, 3, 1, 3, 1}},
                                           expectation{"weighted", {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
                                           expectation{"coordinated", {1, 1, 1, 3, 3, 3, 0, 0, 0, 2, 2, 2}}),
                         [](const auto& of) { return std::string(of.param.policy); });

// The queues of two schedulers are 0 4 2 and 1 3 5; warp 1, the first of its queue, cannot fetch. Two fetches each.
class merged_queues : public fetch_order {
 protected:
  std::vector<unsigned> order(const std::string& rule) {
    return warps_of(run({{5, 0x100}, {0, 0x100}, {4, 0x100}, {2, 0x100}, {3, 0x100}},
                        {"tpc.sm.fetch.policy=coordinated", "tpc.sm.scheduler.schedulers=2",
                         "tpc.sm.instruction_buffer.entries_per_warp=2", "tpc.sm.fetch.merge=" + rule},
                        {0, 4, 2, 1, 3, 5}));
  }
};

TEST_F(merged_queues, by_rank_and_equal_ranks_alternate) {
  EXPECT_EQ(order("rank"), (std::vector<unsigned>{0, 0, 3, 4, 3, 4, 5, 2, 5, 2}));
}
TEST_F(merged_queues, each_scheduler_in_turn) {
  EXPECT_EQ(order("round_robin"), (std::vector<unsigned>{0, 3, 0, 3, 4, 5, 4, 5, 2, 2}));
}
TEST_F(merged_queues, the_first_scheduler_before_the_second) {
  EXPECT_EQ(order("sequential"), (std::vector<unsigned>{0, 0, 4, 4, 2, 2, 3, 3, 5, 5}));
}

// -- what a fetch reads --

TEST_F(fetch_order, two_short_instructions_per_fetch) {
  const auto all =
      run({{0, 0x100}}, {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=4"});
  EXPECT_EQ(all, (std::vector<fetched>{{10, 0, 0x100, 2}, {11, 0, 0x108, 2}}));
}

TEST_F(fetch_order, two_long_instructions_per_fetch) {
  const auto all =
      run({{0, 0x10}}, {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=4"});
  EXPECT_EQ(all, (std::vector<fetched>{{10, 0, 0x10, 2}, {11, 0, 0x20, 2}}));
}

TEST_F(fetch_order, with_room_for_one_only_one_is_fetched) {
  const auto all =
      run({{0, 0x100}}, {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=3"});
  EXPECT_EQ(all, (std::vector<fetched>{{10, 0, 0x100, 2}, {11, 0, 0x108, 1}}));
}

// 64-byte granules end at 0x40 and 0x140.
TEST_F(fetch_order, a_fetch_does_not_go_beyond_its_granule) {
  const auto all = run({{0, 0x38}, {1, 0x13c}},
                       {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=3"});
  EXPECT_EQ(all, (std::vector<fetched>{{10, 0, 0x38, 1}, {11, 1, 0x13c, 1}, {12, 0, 0x40, 2}, {13, 1, 0x140, 2}}));
}

TEST_F(fetch_order, the_last_pair_of_a_granule_is_fetched_together) {
  const auto all = run({{0, 0x30}, {1, 0x138}},
                       {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=2"});
  EXPECT_EQ(all, (std::vector<fetched>{{10, 0, 0x30, 2}, {11, 1, 0x138, 2}}));
}

TEST_F(fetch_order, without_its_line_a_warp_fetches_once_and_waits_for_decode) {
  const auto all = run({{0, absent}, {1, 0x100}}, {"tpc.sm.instruction_buffer.entries_per_warp=2"});
  EXPECT_EQ(all, (std::vector<fetched>{{10, 0, absent, 1}, {11, 1, 0x100, 1}, {12, 1, 0x104, 1}}));
}

}  // namespace
}  // namespace gt200::model
