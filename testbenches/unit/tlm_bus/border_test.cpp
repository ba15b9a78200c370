// Borders between edge drivers: clusters that run by themselves within a window see and do the same in the same
// cycles as clusters that run together in the order of time.
#include "tlm_bus/border.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "testbenches/unit/tlm_bus/border_world.h"
#include "tlm_bus/cluster_workers.h"

namespace gt200::tlm_bus {
namespace {

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

// Notes the calls before every end of a window.
class window_notes : public window_observer {
 public:
  explicit window_notes(const caller::calls& all) : all_(all) {}
  std::vector<std::size_t> calls_before;

 private:
  void window_ends() override { calls_before.push_back(all_.size()); }
  const caller::calls& all_;
};

TEST_F(border_test, an_observer_that_asks_for_the_order_of_clusters_leaves_the_windows) {
  world w("w");
  caller::calls all;
  caller main("main", w.uncore, window + 1, all);
  caller a("a", w.clusters[0].uncore, window + 1, all);
  deaf observer;
  tap<instant_observer> of_a_module;
  of_a_module.attach(observer, event_order::of_cluster);
  window_notes ends(all);
  w.clocks.attach(ends);
  EXPECT_EQ(observer_count::value(), 0u);
  run_until_idle();
  EXPECT_EQ(ends.calls_before, (std::vector<std::size_t>{2 * window, 2 * window + 4}))
      << "everything of a window has been executed";
  EXPECT_EQ(all[1].first, "a") << "the cluster is ahead of the rest";
  of_a_module.detach(observer);
  EXPECT_TRUE(of_a_module.empty());
  w.clocks.detach(ends);
}

TEST_F(border_test, windows_that_do_not_exist_in_the_order_of_time_do_not_end) {
  world w("w");
  caller::calls all;
  caller a("a", w.clusters[0].uncore, window + 1, all);
  deaf observer;
  w.clocks.observers().attach(observer);
  window_notes ends(all);
  w.clocks.attach(ends);
  EXPECT_EQ(observer_count::value(), 1u);
  run_until_idle();
  EXPECT_TRUE(ends.calls_before.empty());
  w.clocks.observers().detach(observer);
  w.clocks.detach(ends);
  EXPECT_EQ(observer_count::value(), 0u);
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
  using SC_CURRENT_USER_MODULE = foreign_process;  // as in tlm_bus/stage.cpp
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

}  // namespace
}  // namespace gt200::tlm_bus
