// Pipes and memory ports over borders carry the same in the same cycles in every way of clocking.
#include "testbenches/support/memory.h"
#include "testbenches/unit/tlm_bus/border_world.h"
#include "tlm_bus/border.h"

namespace gt200::tlm_bus {
namespace {

using token = std::uint64_t;

// Tokens from one driver to another, in every way of clocking.
struct pipe_link {
  pipe_link(const std::string& name, const clocking_options& options, unsigned depth, bool to_cluster,
            cycle_t every)
      : w(name, options),
        source((name + "_source").c_str(), to_cluster ? w.uncore : w.clusters[0].uncore),
        sink((name + "_sink").c_str(), to_cluster ? w.clusters[0].uncore : w.uncore, depth, window) {
    source.out.bind(sink.in);
    sink.takes = [every](cycle_t c) { return c % every == 0; };
    for (token t = 0; t < 200; ++t) source.send_at(3, t);
  }
  world w;
  support::token_source<token> source;
  support::token_sink<token> sink;
};

struct pipe_case {
  bool to_cluster;
  unsigned depth;
  cycle_t every;
};
class pipe_over_a_border : public border_test, public ::testing::WithParamInterface<pipe_case> {};

TEST_P(pipe_over_a_border, carries_the_same_tokens_in_the_same_cycles_in_every_way_of_clocking) {
  const auto [to_cluster, depth, every] = GetParam();
  const auto link = [&, to = to_cluster, d = depth, e = every](const char* name, const clocking_options& options) {
    return std::make_unique<pipe_link>(name, options, d, to, e);
  };
  const auto alone = link("alone", {});
  const auto shuffled_1 = link("shuffled_1", shuffled(1));
  const auto shuffled_2 = link("shuffled_2", shuffled(2));
  const auto reference = link("reference", in_reference_clocking());
  const auto audit = link("audit", audited());
  const auto two_threads = link("two_threads", on_threads(2));
  const auto seven_threads = link("seven_threads", on_threads(7, 3));
  const auto in_order = link("in_order", {});
  in_order->w.clocks.keep_time_order("the test compares");
  run_for(8000);
  ASSERT_EQ(alone->sink.taken.size(), 200u);
  for (const auto* other :
       {&shuffled_1, &shuffled_2, &reference, &audit, &in_order, &two_threads, &seven_threads}) {
    EXPECT_EQ((*other)->source.sent, alone->source.sent);
    EXPECT_EQ((*other)->sink.taken, alone->sink.taken);
    EXPECT_EQ((*other)->sink.in.credits_missing(), 0u);
  }
  EXPECT_EQ(alone->sink.in.credits_missing(), 0u);
}
INSTANTIATE_TEST_SUITE_P(both_ways, pipe_over_a_border,
                         ::testing::Values(pipe_case{true, 2 * window, 1}, pipe_case{false, 2 * window, 1},
                                           pipe_case{true, 3, 1}, pipe_case{false, 1, 1},
                                           pipe_case{true, 2 * window, 3}, pipe_case{false, 7, 5}));

TEST_F(border_test, a_depth_of_latency_and_window_carries_a_token_per_cycle) {
  const pipe_link l("l", {}, 2 * window, true, 1);
  run_until_idle();
  for (cycle_t n = 0; n < 200; ++n) {
    EXPECT_EQ(l.source.sent[n], (support::timed<token>{3 + n, n}));
    EXPECT_EQ(l.sink.taken[n], (support::timed<token>{3 + n + window, n}));
  }
}

TEST_F(border_test, one_slot_less_loses_a_cycle_per_round) {
  const pipe_link l("l", {}, 2 * window - 1, true, 1);
  run_until_idle();
  EXPECT_EQ(l.source.sent[2 * window - 2].cycle, 3 + 2 * window - 2);
  EXPECT_EQ(l.source.sent[2 * window - 1].cycle, 3 + 2 * window) << "the first credit is back";
}

TEST_F(border_test, a_latency_below_the_window_is_refused) {
  world w("w");
  support::token_source<token> source("source", w.uncore);
  support::token_sink<token> sink("sink", w.clusters[0].uncore, 4, window - 1);
  source.out.bind(sink.in);
  EXPECT_NE(error_of_run_through(1).find("source.out: a border between clusters with a latency below one window"),
            std::string::npos);
}

// Between clocks of different periods the first cycle of a latency may be short.
TEST_F(border_test, between_different_clocks_the_latency_is_one_cycle_longer) {
  world w("w");
  const cycle_t covers = (w.clocks.window() + support::core_period - 1) / support::core_period;
  support::token_source<token> source("source", w.uncore);
  support::token_sink<token> sink("sink", w.clusters[0].core, 4, static_cast<unsigned>(covers));
  source.out.bind(sink.in);
  EXPECT_NE(error_of_run_through(1).find("a latency below one window"), std::string::npos);
}

struct memory_link {
  memory_link(const std::string& name, const clocking_options& options, unsigned depth)
      : w(name, options),
        driver((name + "_driver").c_str(), w.clusters[1].uncore, depth, window),
        target((name + "_target").c_str(), w.uncore, 5, depth, window) {
    driver.port.bind(target.port);
    driver.takes = [](cycle_t c) { return c % 7 != 0; };
    target.takes = [](cycle_t c) { return c % 5 != 0; };
    for (std::uint64_t n = 0; n < 100; ++n) {
      target.bytes[4 * n] = static_cast<std::uint8_t>(n + 1);
      driver.read_at(3, 4 * n);
    }
  }
  world w;
  support::memory_driver<base_protocol> driver;
  support::memory_responder<base_protocol> target;
};

class memory_port_over_a_border : public border_test, public ::testing::WithParamInterface<unsigned> {};

TEST_P(memory_port_over_a_border, carries_the_same_accesses_in_the_same_cycles_in_every_way_of_clocking) {
  const auto link = [&](const char* name, const clocking_options& options) {
    return std::make_unique<memory_link>(name, options, GetParam());
  };
  const auto alone = link("alone", {});
  const auto shuffled_1 = link("shuffled_1", shuffled(1));
  const auto reference = link("reference", in_reference_clocking());
  const auto audit = link("audit", audited());
  const auto two_threads = link("two_threads", on_threads(2));
  const auto seven_threads = link("seven_threads", on_threads(7, 3));
  const auto in_order = link("in_order", {});
  in_order->w.clocks.keep_time_order("the test compares");
  run_for(20000);
  ASSERT_EQ(alone->driver.responded.size(), 100u);
  for (std::size_t n = 0; n < 100; ++n) {
    EXPECT_EQ(alone->driver.responses[n].address, 4 * n);
    EXPECT_EQ(alone->driver.responses[n].data[0], n + 1);
  }
  for (const auto* other : {&shuffled_1, &reference, &audit, &in_order, &two_threads, &seven_threads}) {
    EXPECT_EQ((*other)->driver.requested, alone->driver.requested);
    EXPECT_EQ((*other)->target.taken, alone->target.taken);
    EXPECT_EQ((*other)->driver.responded, alone->driver.responded);
  }
  EXPECT_EQ(alone->driver.pool.outstanding(), 0u);
}
INSTANTIATE_TEST_SUITE_P(depths, memory_port_over_a_border, ::testing::Values(1u, 5u, 2u * window));

TEST_F(border_test, an_access_takes_the_latencies_of_both_ports) {
  world w("w");
  support::memory_driver<base_protocol> driver("driver", w.clusters[1].uncore, 2 * window, window + 2);
  support::memory_responder<base_protocol> target("target", w.uncore, 5, 2 * window, window + 1);
  driver.port.bind(target.port);
  driver.read_at(10, 64);
  run_until_idle();
  EXPECT_EQ(target.taken[0].cycle, 10 + window + 1);
  EXPECT_EQ(driver.responded[0].cycle, 10 + window + 1 + 5 + window + 2);
}

// -- a foreign component --

class passes_on : public sc_core::sc_module,
                  public tlm::tlm_fw_transport_if<pipe_traits<token>>,
                  public tlm::tlm_bw_transport_if<pipe_traits<token>> {
 public:
  explicit passes_on(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.bind(static_cast<tlm::tlm_fw_transport_if<pipe_traits<token>>&>(*this));
    out.bind(static_cast<tlm::tlm_bw_transport_if<pipe_traits<token>>&>(*this));
  }
  tlm::tlm_target_socket<32, pipe_traits<token>> in;
  tlm::tlm_initiator_socket<32, pipe_traits<token>> out;

 private:
  tlm::tlm_sync_enum nb_transport_fw(pipe_transfer<token>& t, pipe_phase& p, sc_core::sc_time& d) override {
    return out->nb_transport_fw(t, p, d);
  }
  tlm::tlm_sync_enum nb_transport_bw(pipe_transfer<token>& t, pipe_phase& p, sc_core::sc_time& d) override {
    return in->nb_transport_bw(t, p, d);
  }
  void b_transport(pipe_transfer<token>&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(pipe_transfer<token>&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(pipe_transfer<token>&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

TEST_F(border_test, a_foreign_component_at_a_border_keeps_the_order_of_time) {
  world w("w");
  support::token_source<token> source("source", w.uncore);
  support::token_sink<token> sink("sink", w.clusters[0].uncore, 4, 2);
  passes_on foreign("foreign");
  source.out.bind(foreign.in);
  foreign.out.bind(sink.in);
  source.send_at(10, 7);
  run_until_idle();
  EXPECT_EQ(sink.taken, (std::vector<support::timed<token>>{{12, 7}}));
  EXPECT_EQ(w.clocks.time_order_reason(), "sink.in is bound to a foreign component");
}

// -- many stages --

// Passes tokens on, with a delay that depends on the token, and notes what it does.
class relay : public stage {
 public:
  struct event {
    cycle_t cycle;
    token value;
    bool operator==(const event& other) const { return cycle == other.cycle && value == other.value; }
  };
  relay(const sc_core::sc_module_name& name, clock_domain& domain, unsigned depth, unsigned latency)
      : stage(name, domain), in("in", *this, depth, latency), out("out", *this) {}
  pipe_in<token> in;
  pipe_out<token> out;
  std::vector<event> passed;
  void start_with(token t) {
    held_ = t;
    wake_at(1);
  }

 private:
  void tick() override {
    if (held_ != 0 && cycle() >= ready_at_ && cycle() != 0 && out.can_send()) {
      out.send(held_ + 1);
      passed.push_back({cycle(), held_});
      held_ = 0;
    }
    if (held_ != 0) return;
    const token* t = in.front();
    if (t == nullptr) return;
    held_ = *t;
    ready_at_ = cycle() + 1 + (*t * 0x9e3779b97f4a7c15u >> 32) % 90;
    in.pop();
    wake_at(ready_at_);
  }
  token held_ = 0;
  cycle_t ready_at_ = 0;
};

// Three relays in each of four drivers, on two clocks, in one ring that crosses seven borders.
struct ring {
  ring(const std::string& name, const clocking_options& options) : w(name, options) {
    const std::vector<clock_domain*> order = {&w.uncore,
                                              &w.clusters[0].uncore,
                                              &w.clusters[0].core,
                                              &w.clusters[1].core,
                                              &w.clusters[2].core,
                                              &w.uncore,
                                              &w.clusters[2].uncore,
                                              &w.clusters[2].core,
                                              &w.core,
                                              &w.clusters[1].uncore,
                                              &w.clusters[1].core,
                                              &w.core};
    for (std::size_t i = 0; i < order.size(); ++i)
      relays.emplace_back((name + "_relay_" + std::to_string(i)).c_str(), *order[i], 3, 19);
    for (std::size_t i = 0; i < order.size(); ++i) relays[i].out.bind(relays[(i + 1) % order.size()].in);
    for (std::size_t i = 0; i < order.size(); i += 2) relays[i].start_with(1000 * (i + 1));
  }
  std::vector<std::vector<relay::event>> events() const {
    std::vector<std::vector<relay::event>> all;
    for (const relay& r : relays) all.push_back(r.passed);
    return all;
  }
  world w;
  std::deque<relay> relays;
};

TEST_F(border_test, a_ring_over_all_drivers_does_the_same_in_every_way_of_clocking) {
  const ring alone("alone", {});
  const ring shuffled_1("shuffled_1", shuffled(1));
  const ring shuffled_2("shuffled_2", shuffled(2));
  const ring reference("reference", in_reference_clocking());
  const ring audit("audit", audited());
  const ring two_threads("two_threads", on_threads(2));
  const ring seven_threads("seven_threads", on_threads(7, 3));
  ring in_order("in_order", {});
  in_order.w.clocks.keep_time_order("the test compares");
  run_for(20 * window * 50);
  EXPECT_GT(two_threads.w.clocks.shared_windows(), 100u);
  EXPECT_EQ(alone.w.clocks.shared_windows(), 0u);
  const auto expected = alone.events();
  EXPECT_GT(expected[0].size(), 40u);
  for (const ring* other : {&shuffled_1, &shuffled_2, &reference, &audit, &two_threads, &seven_threads,
                            static_cast<const ring*>(&in_order)}) {
    const auto events = other->events();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // The clusters of `alone` may be ahead by a part of a window.
      const std::size_t common = std::min(events[i].size(), expected[i].size());
      ASSERT_GE(common + 1, expected[i].size());
      for (std::size_t n = 0; n < common; ++n) ASSERT_EQ(events[i][n].cycle, expected[i][n].cycle) << i << ' ' << n;
      for (std::size_t n = 0; n < common; ++n) ASSERT_EQ(events[i][n].value, expected[i][n].value) << i << ' ' << n;
    }
  }
}

}  // namespace
}  // namespace gt200::tlm_bus
