// When stages are called: at every edge they requested and at no other, whoever requested it and however long they
// slept.
#include "tlm_bus/clocking.h"

#include "testbenches/support/memory.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {
namespace {

using support::core_period;

using cycles = std::vector<cycle_t>;

// Records the cycles in which it is called, and requests more by the script of a test.
class sleeper : public stage {
 public:
  sleeper(const sc_core::sc_module_name& name, clock_domain& domain, std::function<void(sleeper&)> does = {})
      : stage(name, domain), action(std::move(does)) {}
  cycles calls;
  std::vector<femtoseconds> times;
  std::function<void(sleeper&)> action;

 private:
  void tick() override {
    EXPECT_EQ(now(), cycle() * domain().period());
    EXPECT_EQ(now(), sc_core::sc_time_stamp().value());
    calls.push_back(cycle());
    times.push_back(now());
    if (action) action(*this);
  }
};

class clocking_test : public support::systemc_test {};

TEST_F(clocking_test, a_stage_is_called_at_the_edges_it_asked_for_and_no_others) {
  // Around the 64 edges that the wheel covers, and far beyond.
  sleeper s("s", core());
  const cycles wanted{0, 1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 1000, 1063, 1064, 100000};
  for (auto it = wanted.rbegin(); it != wanted.rend(); ++it) s.wake_at(*it);
  for (cycle_t c : wanted) s.wake_at(c);  // asking twice changes nothing
  run_until_idle();
  EXPECT_EQ(s.calls, wanted);
}

TEST_F(clocking_test, wakes_from_a_tick_reach_any_distance) {
  const cycles steps{1, 63, 64, 65, 1, 200, 62, 128, 3};
  sleeper s("s", uncore());
  s.action = [&](sleeper& self) {
    if (self.calls.size() <= steps.size()) self.wake_at(self.cycle() + steps[self.calls.size() - 1]);
  };
  s.wake_at(5);
  run_until_idle();
  cycles expected{5};
  for (cycle_t step : steps) expected.push_back(expected.back() + step);
  EXPECT_EQ(s.calls, expected);
}

TEST_F(clocking_test, a_stage_that_asks_for_nothing_is_never_called) {
  sleeper s("s", core());
  s.wake_at(no_cycle);
  run_through(100);
  EXPECT_EQ(s.calls, cycles{});
}

TEST_F(clocking_test, idle_stretches_cost_no_edges) {
  sleeper s("s", core());
  s.wake_at(3);
  s.wake_at(1'000'000);
  run_until_idle();
  EXPECT_EQ(clock().driver.executed_edges(), 2u);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 1'000'000 * core().period());
}

TEST_F(clocking_test, more_than_64_stages_of_one_domain_are_all_called_shuffled_or_not) {
  clocking_options shuffled;
  shuffled.shuffle_seed = 7;
  support::clocks other("other", shuffled);
  std::vector<std::unique_ptr<sleeper>> all;
  for (unsigned i = 0; i < 300; ++i) {
    all.push_back(std::make_unique<sleeper>(("s" + std::to_string(i)).c_str(), i < 150 ? core() : other.core));
    all.back()->wake_at(i % 150);
    all.back()->wake_at(500 + i % 150);
  }
  run_until_idle();
  for (unsigned i = 0; i < 300; ++i) EXPECT_EQ(all[i]->calls, (cycles{i % 150, 500 + i % 150}));
}

TEST_F(clocking_test, stages_of_one_edge_are_called_in_an_order_the_seed_decides) {
  std::vector<std::unique_ptr<support::clocks>> all;
  std::vector<std::unique_ptr<sleeper>> stages;
  std::vector<std::vector<int>> orders(4);
  for (std::uint64_t seed : {0u, 1u, 2u, 2u}) {
    const std::size_t n = all.size();
    clocking_options options;
    options.shuffle_seed = seed;
    all.push_back(std::make_unique<support::clocks>(("clocks" + std::to_string(n)).c_str(), options));
    for (int i = 0; i < 10; ++i) {
      stages.push_back(std::make_unique<sleeper>(("s" + std::to_string(n) + "_" + std::to_string(i)).c_str(),
                                                 all.back()->core,
                                                 [&orders, n, i](sleeper&) { orders[n].push_back(i); }));
      stages.back()->wake_at(1);
    }
  }
  run_until_idle();
  EXPECT_EQ(orders[0], (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_NE(orders[1], orders[0]);
  EXPECT_NE(orders[2], orders[1]);
  EXPECT_EQ(orders[3], orders[2]);
}

TEST_F(clocking_test, wake_after_means_the_first_own_edge_strictly_after_the_cause) {
  sleeper woken("woken", uncore());
  sleeper cause("cause", core(), [&](sleeper& self) {
    woken.wake_after(self.domain());
    if (self.cycle() < 2000) self.wake_at(self.cycle() + 97);
  });
  cause.wake_at(0);
  run_until_idle();
  ASSERT_EQ(woken.times.size(), cause.times.size());
  for (std::size_t i = 0; i < woken.times.size(); ++i) {
    EXPECT_GT(woken.times[i], cause.times[i]);
    EXPECT_LE(woken.times[i] - uncore().period(), cause.times[i]);
  }
}

TEST_F(clocking_test, edges_are_at_multiples_of_the_period_in_reference_clocking_too) {
  clocking_options options;
  options.mode = clocking_options::way::reference;
  clock(options);
  std::vector<std::unique_ptr<sleeper>> all;
  for (auto* d : {&core(), &shader(), &uncore(), &memory()})
    all.push_back(std::make_unique<sleeper>((std::string("s_") + d->basename()).c_str(), *d));  // checks each time
  run_through(1000);
  for (const auto& s : all) {
    EXPECT_EQ(s->calls.front(), 0u);
    for (std::size_t i = 0; i < s->calls.size(); ++i) ASSERT_EQ(s->calls[i], i) << "every edge, once";
    EXPECT_GE(s->calls.size(), 900u);
  }
  EXPECT_EQ(all[0]->calls.size(), 1001u);
  EXPECT_EQ(all[1]->calls.size(), 2001u);
}

// -- the simulation in pieces, and the host program in between --

TEST_F(clocking_test, a_simulation_in_pieces_is_the_same_as_in_one) {
  sleeper s("s", core(), [](sleeper& self) { self.wake_at(self.cycle() + 1 + self.cycle() % 70); });
  s.wake_at(1);
  const femtoseconds end = 1000 * core().period();
  std::uint64_t random = 1;
  while (sc_core::sc_time_stamp().value() < end) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    // Pieces from no time at all to several cycles; some end exactly at an edge.
    femtoseconds piece = random % 4 == 0 ? core().period() : (random >> 40) % (3 * core().period());
    sc_core::sc_start(sc_core::sc_time::from_value(piece));
  }
  cycles expected;
  for (cycle_t c = 1; c * core().period() < end; c += 1 + c % 70) expected.push_back(c);
  ASSERT_GE(s.calls.size(), expected.size());
  s.calls.resize(expected.size());
  EXPECT_EQ(s.calls, expected);
}

TEST_F(clocking_test, the_host_program_wakes_a_stage_of_a_sleeping_chip) {
  sleeper s("s", uncore());
  sleeper never_called("never_called", core());
  s.wake_at(2);
  sc_core::sc_start();
  sc_core::sc_start(sc_core::sc_time::from_value(1000 * uncore().period()));  // to edge 1002, an edge of uncore
  s.wake_from_outside();
  sc_core::sc_start();
  sc_core::sc_start(sc_core::sc_time::from_value(10));  // just behind an edge
  s.wake_from_outside();
  s.wake_from_outside();
  sc_core::sc_start();
  EXPECT_EQ(s.calls, (cycles{2, 1003, 1004}));
}

// -- foreign processes --

// An SC_THREAD that acts at given times.
struct foreign_process : sc_core::sc_module {
  using SC_CURRENT_USER_MODULE = foreign_process;  // as in tlm_bus/stage.cpp
  foreign_process(const sc_core::sc_module_name& name, std::vector<femtoseconds> at, std::function<void()> action)
      : sc_module(name), at_(std::move(at)), action_(std::move(action)) {
    SC_THREAD(run);
  }
  void run() {
    for (femtoseconds t : at_) {
      wait(sc_core::sc_time::from_value(t) - sc_core::sc_time_stamp());
      action_();
    }
  }
  std::vector<femtoseconds> at_;
  std::function<void()> action_;
};

TEST_F(clocking_test, a_foreign_process_wakes_a_stage_at_the_first_edge_strictly_after_its_call) {
  const femtoseconds p = uncore().period();
  sleeper s("s", uncore());
  foreign_process f("f", {10 * p - 1, 20 * p, 30 * p + 1, 5000 * p + 7, 5000 * p + 8},
                    [&] { s.wake_from_outside(); });
  run_until_idle();
  EXPECT_EQ(s.calls, (cycles{10, 21, 31, 5001}));
}

TEST_F(clocking_test, a_foreign_process_may_ask_for_an_edge_before_the_one_that_is_due) {
  sleeper s("s", core());
  sleeper t("t", memory());
  s.wake_at(100);
  foreign_process f("f", {50 * core().period(), 60 * core().period()}, [&] {
    s.wake_on_edge(core().first_edge_after(sc_core::sc_time_stamp().value()), 3);
    t.wake_from_outside();
  });
  run_until_idle();
  EXPECT_EQ(s.calls, (cycles{54, 64, 100}));
  EXPECT_EQ(t.calls,
            (cycles{50 * core().period() / memory().period() + 1, 60 * core().period() / memory().period() + 1}));
}

TEST_F(clocking_test, a_foreign_process_finds_a_sleeping_memory_port_awake_in_time) {
  // The domain has slept for long and its own time stands still; the request must be visible at the next edge of
  // now.
  support::memory_responder<base_protocol> target("target", uncore(), 5);
  support::memory_driver<base_protocol> unused("unused", core());
  unused.port(target.port);
  tlm::tlm_fw_transport_if<>* entrance = nullptr;
  model::payload_pool pool;
  const femtoseconds p = uncore().period();
  foreign_process f("f", {7000 * p, 7002 * p + 3}, [&] {
    model::memory_payload& payload = pool.get();
    payload.prepare(tlm::TLM_READ_COMMAND, 0, 4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(entrance->nb_transport_fw(payload, phase, delay), tlm::TLM_UPDATED);
    payload.release();
  });
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  entrance = unused.port.operator->();
  run_through(7004, uncore());
  EXPECT_EQ(target.taken, (std::vector<support::timed<std::uint64_t>>{{7001, 0}, {7003, 0}}));
}

TEST_F(clocking_test, a_wake_relative_to_a_clock_that_stands_still_is_refused_and_not_lost) {
  sleeper s("s", core());
  s.wake_at(5);
  foreign_process f("f", {100 * core().period()}, [&] { s.wake_next(); });
  EXPECT_NE(
      error_of_run_through(200).find("s was made due at cycle 6 of clocking_core, which is not in the future"),
      std::string::npos);
}

TEST_F(clocking_test, the_same_mistake_between_two_domains_is_refused) {
  sleeper s("s", uncore());
  sleeper cause("cause", core(), [&](sleeper&) { s.wake_next(); });
  cause.wake_at(100);
  EXPECT_NE(error_of_run_through(200).find("s was made due at cycle 1 of clocking_uncore"), std::string::npos);
}

TEST_F(clocking_test, the_edge_being_executed_and_earlier_ones_are_refused) {
  sleeper s("s", core(), [&](sleeper& self) { self.wake_at(self.cycle()); });
  s.wake_at(7);
  EXPECT_NE(error_of_run_through(10).find("s was made due at cycle 7 of clocking_core"), std::string::npos);
}

// -- stages called from a thread --

// A combinational module at signals: its output follows two delta cycles after its input.
struct adder : sc_core::sc_module {
  sc_core::sc_signal<unsigned> in{"in"}, out{"out"};
  explicit adder(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_HAS_PROCESS(adder);
    SC_METHOD(add);
    sensitive << in;
  }
  void add() { out.write(in.read() + 1); }
};

TEST_F(clocking_test, a_stage_called_from_a_thread_can_wait_for_delta_cycles) {
  clock().driver.call_from_thread("the test has an adder");
  EXPECT_EQ(clock().driver.time_order_reason(), "the test has an adder");
  adder foreign("foreign");
  std::vector<unsigned> answers;
  sleeper asks("asks", core(), [&](sleeper& self) {
    const femtoseconds before = self.now();
    foreign.in.write(static_cast<unsigned>(10 * self.cycle()));
    for (unsigned n = 0; n < 2; ++n) sc_core::wait(sc_core::SC_ZERO_TIME);
    answers.push_back(foreign.out.read());
    EXPECT_EQ(self.now(), before);
    EXPECT_EQ(sc_core::sc_time_stamp().value(), before);
    if (self.cycle() < 200) self.wake_at(self.cycle() + 97);
  });
  sleeper another("another", shader());
  asks.wake_at(6);
  another.wake_at(12);  // the same instant
  run_until_idle();
  EXPECT_EQ(asks.calls, (cycles{6, 103, 200}));
  EXPECT_EQ(answers, (std::vector<unsigned>{61, 1031, 2001}));
  EXPECT_EQ(another.calls, cycles{12});
}

TEST_F(clocking_test, an_error_of_a_stage_called_from_a_thread_ends_the_simulation) {
  clock().driver.call_from_thread("a test");
  sleeper s("s", core(), [](sleeper&) {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    throw std::logic_error("broken");
  });
  s.wake_at(7);
  EXPECT_NE(error_of_run_through(10).find("s at cycle 7 of clocking_core: broken"), std::string::npos);
}

struct oscillator : sc_core::sc_module {
  sc_core::sc_signal<bool> wire{"wire"};
  explicit oscillator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_HAS_PROCESS(oscillator);
    SC_METHOD(invert);
    sensitive << wire;
  }
  void invert() { wire.write(!wire.read()); }
};

TEST_F(clocking_test, signals_that_never_come_to_rest_end_the_simulation) {
  clock().driver.call_from_thread("a test");
  oscillator foreign("foreign");
  sleeper s("s", core());
  s.wake_at(7);
  EXPECT_NE(
      error_of_run_through(10).find("a test: signals do not come to rest, after 10000 delta cycles in one instant"),
      std::string::npos);
}

// Is active at multiples of a period, and oscillates from one of them on without any time passing.
struct timed_module : sc_core::sc_module {
  sc_core::sc_signal<bool> wire{"wire"};
  unsigned left;
  const sc_core::sc_time period;
  unsigned activations = 0;
  timed_module(const sc_core::sc_module_name& name, femtoseconds step, unsigned times)
      : sc_core::sc_module(name), left(times), period(sc_core::sc_time::from_value(step)) {
    SC_HAS_PROCESS(timed_module);
    SC_METHOD(act);
  }
  void act() {
    ++activations;
    if (left != 0) {
      --left;
      next_trigger(period);
    } else {
      wire.write(!wire.read());
      next_trigger(wire.value_changed_event());
    }
  }
};

TEST_F(clocking_test, signals_that_begin_to_oscillate_between_two_edges_end_the_simulation) {
  clock().driver.call_from_thread("a test");
  timed_module foreign("foreign", core_period / 3, 10);
  sleeper s("s", core());
  s.wake_at(7);
  EXPECT_NE(
      error_of_run_through(10).find("a test: signals do not come to rest, after 10000 delta cycles in one instant"),
      std::string::npos);
  EXPECT_EQ(s.calls, cycles{}) << "at three and a third cycles";
}

TEST_F(clocking_test, a_process_that_is_active_more_often_than_hardware_can_be_ends_the_simulation) {
  clock().driver.call_from_thread("a test");
  timed_module foreign("foreign", 1, ~0u);
  sleeper s("s", core());
  for (unsigned cycle = 1; cycle < 10; ++cycle) s.wake_at(cycle);
  EXPECT_NE(error_of_run_through(10).find("a test: a process is active more often than once in a picosecond: "
                                          "1000000 times from 1 fs on"),
            std::string::npos);
}

TEST_F(clocking_test, a_process_that_is_active_once_in_a_picosecond_is_one_of_a_platform_and_changes_nothing) {
  clock().driver.call_from_thread("a test");
  constexpr unsigned times = 1'500'000;
  timed_module foreign("foreign", 1000, times);
  sleeper s("s", core(), [](sleeper& self) {
    if (self.cycle() < 900) self.wake_at(self.cycle() + 1);
  });
  s.wake_at(7);
  run_through(900);
  EXPECT_EQ(s.calls.size(), 894u);
  EXPECT_EQ(foreign.activations, 900 * core_period / 1000 + 1);
}

TEST_F(clocking_test, a_wake_up_by_a_foreign_process_between_two_edges_is_seen) {
  clock().driver.call_from_thread("a test");
  sleeper s("s", core());
  struct waker : sc_core::sc_module {
    sleeper& of;
    waker(const sc_core::sc_module_name& name, sleeper& o) : sc_core::sc_module(name), of(o) {
      SC_HAS_PROCESS(waker);
      SC_METHOD(act);
      dont_initialize();
      due.notify(sc_core::sc_time::from_value(7 * core_period + core_period / 2));
      sensitive << due;
    }
    void act() {
      if (of.calls.empty()) due.notify(sc_core::sc_time::from_value(core_period / 2));  // on an edge, not awaited
      of.wake_from_outside();
    }
    sc_core::sc_event due;
  } foreign("foreign", s);
  run_through(20);
  EXPECT_EQ(s.calls, (cycles{8, 9}));
}

TEST_F(clocking_test, the_simulation_pauses_among_foreign_processes_when_it_is_told_to_stop) {
  static volatile std::sig_atomic_t stop = 0;
  clocking_options options;
  options.stop = &stop;
  clock(options).driver.call_from_thread("a test");
  timed_module foreign("foreign", 1000, ~0u);
  sleeper s("s", core(), [](sleeper&) { stop = 1; });
  s.wake_at(7);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  EXPECT_LT(sc_core::sc_time_stamp().value(), 9 * core_period);
}

TEST_F(clocking_test, a_stage_that_waits_for_time_to_pass_ends_the_simulation) {
  clock().driver.call_from_thread("a test");
  sleeper s("s", core(), [](sleeper&) { sc_core::wait(3, sc_core::SC_NS); });
  s.wake_at(7);
  EXPECT_NE(error_of_run_through(10).find("a test: a stage has waited for time to pass"), std::string::npos);
}

TEST_F(clocking_test, reference_clocking_cannot_call_stages_from_a_thread) {
  clocking_options options;
  options.mode = clocking_options::way::reference;
  EXPECT_THROW(clock(options).driver.call_from_thread("a test"), std::logic_error);
}

// -- construction --

TEST_F(clocking_test, contradictory_options_are_refused) {
  clocking_options audited_reference;
  audited_reference.mode = clocking_options::way::reference;
  audited_reference.audit = true;
  EXPECT_THROW(clocking("a", audited_reference), std::invalid_argument);
  clocking_options always_stalled;
  always_stalled.stalls.per_1024 = 1024;
  EXPECT_THROW(clocking("b", always_stalled), std::invalid_argument);
  EXPECT_THROW(clock_domain("c", 0, clock().driver), std::invalid_argument);
}

TEST(clocking_without_fixture, another_time_resolution_is_refused) {
  EXPECT_THROW(clocking("a"), std::logic_error);
}

TEST(time_test, periods_of_the_chips_clocks_are_whole_femtoseconds) {
  EXPECT_EQ(period_of(1296), 771'605u);
  EXPECT_EQ(period_of(602), 1'661'130u);
  EXPECT_EQ(period_of(1107), 903'342u);
  EXPECT_EQ(period_of(1000), 1'000'000u);
}

}  // namespace
}  // namespace gt200::tlm_bus
