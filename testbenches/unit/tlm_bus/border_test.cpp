// Borders between edge drivers: clusters that run by themselves within a window see and do the same in the same
// cycles as clusters that run together in the order of time.
#include "tlm_bus/border.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "testbenches/support/memory.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/cluster_workers.h"

namespace gt200::tlm_bus {
namespace {

constexpr cycle_t window = 16;  // uncore cycles

struct cluster {
  cluster(const std::string& name, clocking& owner)
      : driver(owner),
        core((name + "_core").c_str(), support::core_period, driver),
        uncore((name + "_uncore").c_str(), support::uncore_period, driver) {}
  edge_driver driver;
  clock_domain core;
  clock_domain uncore;
};

// A chip with a main driver and three clusters.
struct world {
  explicit world(const std::string& name, const clocking_options& options = {})
      : clocks((name + "_clocks").c_str(), options, window * support::uncore_period),
        core((name + "_core").c_str(), support::core_period, clocks),
        uncore((name + "_uncore").c_str(), support::uncore_period, clocks) {
    for (int i = 0; i < 3; ++i) clusters.emplace_back(name + "_" + std::to_string(i), clocks);
  }
  clocking clocks;
  clock_domain core;
  clock_domain uncore;
  std::deque<cluster> clusters;
};

clocking_options in_reference_clocking() {
  clocking_options options;
  options.mode = clocking_options::way::reference;
  return options;
}
clocking_options audited() {
  clocking_options options;
  options.audit = true;
  return options;
}
clocking_options shuffled(std::uint64_t seed) {
  clocking_options options;
  options.shuffle_seed = seed;
  return options;
}
clocking_options on_threads(unsigned threads, std::uint64_t seed = 0) {
  clocking_options options = shuffled(seed);
  options.threads = threads;
  options.share_every_window = true;
  return options;
}

class border_test : public support::systemc_test {
 protected:
  static void run_for(cycle_t cycles) {
    sc_core::sc_start(sc_core::sc_time::from_value(cycles * support::uncore_period + 1));
  }
};

// -- windows --

class caller : public stage {
 public:
  using calls = std::vector<std::pair<std::string, cycle_t>>;
  caller(const sc_core::sc_module_name& name, clock_domain& domain, cycle_t last, calls& all)
      : stage(name, domain), last_(last), all_(all) {
    wake_at(0);
  }

 private:
  void tick() override {
    EXPECT_EQ(domain().driver().now(), now());
    all_.push_back({basename(), cycle()});
    if (cycle() < last_) wake_next();
  }
  cycle_t last_;
  calls& all_;
};

TEST_F(border_test, a_cluster_runs_by_itself_to_the_end_of_the_window) {
  world w("w");
  caller::calls all;
  caller main("main", w.uncore, 2 * window - 1, all);
  caller a("a", w.clusters[0].uncore, 2 * window - 1, all);
  caller b("b", w.clusters[2].uncore, window + 3, all);
  run_until_idle();
  caller::calls expected;
  for (cycle_t n = 0; n < 2; ++n) {
    for (cycle_t c = 0; c < window; ++c) expected.push_back({"a", n * window + c});
    for (cycle_t c = 0; c < (n == 0 ? window : 4); ++c) expected.push_back({"b", n * window + c});
    for (cycle_t c = 0; c < window; ++c) expected.push_back({"main", n * window + c});
  }
  EXPECT_EQ(all, expected);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GT200_TEST_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GT200_TEST_SANITIZED
#endif

// As long as it lives the host has no room for the stack of another thread.
class no_room_for_threads {
 public:
  no_room_for_threads() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{1} << 20);
    EXPECT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  }
  ~no_room_for_threads() { setrlimit(RLIMIT_AS, &before_); }
  no_room_for_threads(const no_room_for_threads&) = delete;
  no_room_for_threads& operator=(const no_room_for_threads&) = delete;

 private:
  rlimit before_{};
};

TEST_F(border_test, a_host_that_starts_no_threads_leaves_the_work_to_the_thread_there_is) {
#ifdef GT200_TEST_SANITIZED
  GTEST_SKIP() << "a sanitizer needs the address space";
#endif
  world w("w");
  caller::calls all;
  caller a("a", w.clusters[0].uncore, 2, all);
  caller b("b", w.clusters[2].uncore, 1, all);
  std::unique_ptr<cluster_workers> workers;
  {
    const no_room_for_threads full;
    workers = std::make_unique<cluster_workers>(
        4, std::vector<edge_driver*>{&w.clusters[0].driver, &w.clusters[1].driver, &w.clusters[2].driver}, true);
  }
  EXPECT_EQ(workers->threads(), 1u);
  workers->begin(2 * support::uncore_period);
  EXPECT_EQ(workers->finish(), 2 * support::uncore_period);
  EXPECT_EQ(all, (caller::calls{{"a", 0}, {"a", 1}, {"b", 0}, {"b", 1}}));
  EXPECT_EQ(workers->shared_windows(), 0u);
}

class deaf : public instant_observer {
  void edge(const clock_domain&, const std::uint64_t*) override {}
  void instant_ends(femtoseconds) override {}
};

TEST_F(border_test, while_something_is_observed_all_run_in_the_order_of_time) {
  world w("w");
  caller::calls all;
  caller main("main", w.uncore, 3, all);
  caller a("a", w.clusters[0].uncore, 3, all);
  deaf observer;
  w.clocks.observers().attach(observer);
  run_until_idle();
  w.clocks.observers().detach(observer);
  caller::calls expected;
  for (cycle_t c = 0; c < 4; ++c) {
    expected.push_back({"main", c});
    expected.push_back({"a", c});
  }
  EXPECT_EQ(all, expected);
}

TEST_F(border_test, windows_without_work_cost_nothing) {
  world w("w");
  caller::calls all;
  caller a("a", w.clusters[1].uncore, 0, all);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  a.wake_at(1'000'000);
  run_until_idle();
  EXPECT_EQ(all, (caller::calls{{"a", 0}, {"a", 1'000'000}}));
  EXPECT_EQ(w.clocks.executed_edges(), 2u);
}

// An SC_THREAD that wakes a stage now and then.
struct foreign_process : sc_core::sc_module {
  SC_HAS_PROCESS(foreign_process);
  foreign_process(const sc_core::sc_module_name& name, stage& woken) : sc_module(name), woken_(woken) {
    SC_THREAD(run);
  }
  void run() {
    for (int i = 0; i < 5; ++i) {
      wait(sc_core::sc_time::from_value(5 * support::uncore_period));
      woken_.wake_from_outside();
    }
  }
  stage& woken_;
};

TEST_F(border_test, a_foreign_process_wakes_a_stage_in_the_middle_of_a_window) {
  world w("w");
  caller::calls all;
  caller main("main", w.uncore, 0, all);
  caller a("a", w.clusters[0].uncore, 0, all);
  foreign_process foreign("foreign", main);
  run_until_idle();
  EXPECT_EQ(all, (caller::calls{
                     {"a", 0}, {"main", 0}, {"main", 6}, {"main", 11}, {"main", 16}, {"main", 21}, {"main", 26}}));
}

TEST_F(border_test, windows_end_at_multiples_of_their_length_and_where_one_more_is_asked_for) {
  world w("w");
  const femtoseconds length = w.clocks.window();
  EXPECT_EQ(length, window * support::uncore_period);
  EXPECT_EQ(w.clocks.window_end(0), 0u);
  EXPECT_EQ(w.clocks.window_end(1), length);
  EXPECT_EQ(w.clocks.window_end(length), length);
  w.clocks.end_window_at(length + 5);
  EXPECT_EQ(w.clocks.window_end(length + 1), length + 5);
  EXPECT_EQ(w.clocks.window_end(length + 6), 2 * length);
}

// Notes how far the stages have come when an interval ends.
class interval_notes : public interval_observer {
 public:
  interval_notes(femtoseconds length, const caller::calls& all) : length_(length), end_(length), all_(all) {}
  std::vector<std::size_t> calls_before;

 private:
  femtoseconds interval_end() const override { return end_; }
  void interval_ends() override {
    calls_before.push_back(all_.size());
    end_ += length_;
  }
  femtoseconds length_, end_;
  const caller::calls& all_;
};

TEST_F(border_test, a_window_is_shortened_to_the_end_of_an_interval) {
  world due("due");
  world reference("reference", in_reference_clocking());
  caller::calls of_due, of_reference;
  caller main("main", due.uncore, 39, of_due);
  caller a("a", due.clusters[0].uncore, 39, of_due);
  caller main_2("main_2", reference.uncore, 39, of_reference);
  caller a_2("a_2", reference.clusters[0].uncore, 39, of_reference);
  interval_notes by_due(10 * support::uncore_period, of_due);
  interval_notes by_reference(10 * support::uncore_period, of_reference);
  due.clocks.attach(by_due);
  reference.clocks.attach(by_reference);
  run_for(35);
  EXPECT_EQ(by_due.calls_before, (std::vector<std::size_t>{20, 40, 60}));
  EXPECT_EQ(by_reference.calls_before, (std::vector<std::size_t>{20, 40, 60}));
  due.clocks.detach(by_due);
  reference.clocks.detach(by_reference);
}

// -- threads --

// Runs to a cycle in which it throws.
class thrower : public stage {
 public:
  thrower(const sc_core::sc_module_name& name, clock_domain& domain, cycle_t throws_at)
      : stage(name, domain), throws_at_(throws_at) {
    wake_at(0);
  }
  cycle_t last = 0;

 private:
  void tick() override {
    last = cycle();
    if (cycle() == throws_at_) throw std::logic_error(std::string(basename()) + " gives up");
    wake_next();
  }
  cycle_t throws_at_;
};

class failure_in_a_cluster : public border_test, public ::testing::WithParamInterface<unsigned> {};

TEST_P(failure_in_a_cluster, is_thrown_at_the_end_of_the_window_the_first_cluster_counts) {
  world w("w", on_threads(GetParam()));
  thrower main("main", w.uncore, 1000);
  thrower a("a", w.clusters[1].uncore, window + 9);
  thrower b("b", w.clusters[2].uncore, window + 3);
  EXPECT_NE(error_of_run_through(100).find("a gives up"), std::string::npos);
  EXPECT_EQ(main.last, 2 * window - 1) << "the main driver has come to the end of that window";
  EXPECT_EQ(a.last, window + 9);
  EXPECT_EQ(b.last, window + 3);
}

TEST_P(failure_in_a_cluster, comes_after_one_outside_in_the_same_window) {
  world w("w", on_threads(GetParam()));
  thrower main("main", w.uncore, window + 9);
  thrower a("a", w.clusters[1].uncore, window + 3);
  EXPECT_NE(error_of_run_through(100).find("main gives up"), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(threads, failure_in_a_cluster, ::testing::Values(1u, 2u, 5u));

TEST_F(border_test, clusters_are_parked_when_a_simulation_goes_in_the_middle_of_a_window) {
  auto w = std::make_unique<world>("w", on_threads(3));
  auto a = std::make_unique<thrower>("a", w->clusters[0].uncore, 1'000'000);
  auto b = std::make_unique<thrower>("b", w->clusters[1].uncore, 1'000'000);
  auto main = std::make_unique<thrower>("main", w->uncore, 1'000'000);
  run_for(5 * window + 3);
  w->clocks.park();
  EXPECT_EQ(a->last, 6 * window - 1);
  EXPECT_EQ(b->last, 6 * window - 1);
  EXPECT_EQ(main->last, 5 * window + 3);
}

TEST_F(border_test, at_least_one_thread_is_needed) {
  EXPECT_THROW(world("w", on_threads(0)), std::invalid_argument);
}

// -- connections --

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
