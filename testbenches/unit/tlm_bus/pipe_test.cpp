// A token sent at t is visible strictly after t; depth 2 carries one token per cycle; credits give back-pressure.
#include "tlm_bus/pipe.h"

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::tlm_bus {
namespace {

using support::timed;
using tokens = std::vector<timed<int>>;

struct link {
  link(const std::string& name, clock_domain& from, clock_domain& to, unsigned depth, unsigned latency = 1)
      : source((name + "_source").c_str(), from), sink((name + "_sink").c_str(), to, depth, latency) {
    source.out(sink.in);
  }
  void send_at_every_cycle(cycle_t first, int count) {
    for (int i = 0; i < count; ++i) source.send_at(first, i);
  }
  support::token_source<int> source;
  support::token_sink<int> sink;
};

std::vector<cycle_t> cycles_of(const tokens& list) {
  std::vector<cycle_t> cycles;
  for (const auto& t : list) cycles.push_back(t.cycle);
  return cycles;
}

std::vector<int> values_of(const tokens& list) {
  std::vector<int> values;
  for (const auto& t : list) values.push_back(t.value);
  return values;
}

class pipe_test : public support::systemc_test {};

TEST_F(pipe_test, token_sent_at_t_is_visible_at_t_plus_1_and_not_at_t) {
  link l("l", core(), core(), 2);
  l.source.send_at(5, 42);
  run_through(5);
  EXPECT_EQ(l.source.sent, (tokens{{5, 42}}));
  EXPECT_EQ(l.sink.taken, tokens{});
  run_through(6);
  EXPECT_EQ(l.sink.taken, (tokens{{6, 42}}));
}

TEST_F(pipe_test, construction_order_does_not_matter) {
  support::token_sink<int> sink("sink", core(), 2);  // called before its source
  support::token_source<int> source("source", core());
  source.out(sink.in);
  for (int i = 0; i < 5; ++i) source.send_at(3, i);
  run_through(20);
  EXPECT_EQ(source.sent, (tokens{{3, 0}, {4, 1}, {5, 2}, {6, 3}, {7, 4}}));
  EXPECT_EQ(sink.taken, (tokens{{4, 0}, {5, 1}, {6, 2}, {7, 3}, {8, 4}}));
}

TEST_F(pipe_test, latency_counts_cycles_of_the_receiver) {
  const std::vector<unsigned> latencies{1, 2, 7, 64, 65, 200};
  std::vector<std::unique_ptr<link>> links;
  for (unsigned latency : latencies) {
    links.push_back(std::make_unique<link>("latency" + std::to_string(latency), core(), core(), 2, latency));
    links.back()->source.send_at(10, 1);
  }
  run_through(300);
  for (std::size_t i = 0; i < links.size(); ++i)
    EXPECT_EQ(links[i]->sink.taken, (tokens{{10 + latencies[i], 1}})) << "latency " << latencies[i];
}

TEST_F(pipe_test, depth_2_carries_one_token_per_cycle) {
  link l("l", core(), core(), 2);
  l.send_at_every_cycle(1, 6);
  run_through(20);
  EXPECT_EQ(cycles_of(l.source.sent), (std::vector<cycle_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cycles_of(l.sink.taken), (std::vector<cycle_t>{2, 3, 4, 5, 6, 7}));
}

TEST_F(pipe_test, depth_1_carries_one_token_every_other_cycle) {
  link l("l", core(), core(), 1);
  l.send_at_every_cycle(1, 4);
  run_through(20);
  EXPECT_EQ(cycles_of(l.source.sent), (std::vector<cycle_t>{1, 3, 5, 7}));
  EXPECT_EQ(cycles_of(l.sink.taken), (std::vector<cycle_t>{2, 4, 6, 8}));
}

TEST_F(pipe_test, latency_5_needs_depth_6_for_one_token_per_cycle) {
  link full("full", core(), core(), 6, 5);
  link starved("starved", core(), core(), 5, 5);
  full.send_at_every_cycle(1, 12);
  starved.send_at_every_cycle(1, 12);
  run_through(60);
  EXPECT_EQ(cycles_of(full.source.sent), (std::vector<cycle_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(cycles_of(starved.source.sent), (std::vector<cycle_t>{1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14}));
}

TEST_F(pipe_test, back_pressure_stops_the_sender_and_a_credit_returns_one_cycle_after_the_pop) {
  link l("l", core(), core(), 3);
  l.send_at_every_cycle(1, 6);
  l.sink.takes = [](cycle_t c) { return c == 10 || c >= 20; };
  run_through(40);
  EXPECT_EQ(cycles_of(l.source.sent), (std::vector<cycle_t>{1, 2, 3, 11, 21, 22}));
  EXPECT_EQ(cycles_of(l.sink.taken), (std::vector<cycle_t>{10, 20, 21, 22, 23, 24}));
  EXPECT_EQ(values_of(l.sink.taken), (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

// Records in every cycle the credits that its output reports.
class credit_watcher : public stage {
 public:
  credit_watcher(const sc_core::sc_module_name& name, clock_domain& domain)
      : stage(name, domain), out("out", *this) {
    wake_at(0);
  }
  pipe_out<int> out;
  std::vector<unsigned> credits;

 private:
  void tick() override {
    credits.push_back(out.credits());
    if (cycle() == 1 || cycle() == 2) out.send(7);
    wake_next();
  }
};

TEST_F(pipe_test, credits_start_at_the_depth_and_count_what_is_visible) {
  credit_watcher watcher("watcher", core());
  support::token_sink<int> sink("sink", core(), 3);
  sink.takes = [](cycle_t c) { return c == 5 || c == 6; };
  watcher.out(sink.in);
  run_through(8);
  EXPECT_EQ(watcher.credits, (std::vector<unsigned>{3, 3, 2, 1, 1, 1, 2, 3, 3}));
}

// Sends one token. Asks again for a place in cycle `asks_at`, and records when it is called.
class asker : public stage {
 public:
  asker(const sc_core::sc_module_name& name, clock_domain& domain, cycle_t asks_at)
      : stage(name, domain), out("out", *this), asks_at_(asks_at) {
    wake_at(1);
    wake_at(asks_at);
  }
  pipe_out<int> out;
  std::vector<std::pair<cycle_t, bool>> called;  // in this cycle; a token could be sent

 private:
  void tick() override {
    const bool can = (cycle() == 1 || cycle() >= asks_at_) && out.can_send();
    if (cycle() == 1 && can) out.send(7);
    called.emplace_back(cycle(), can);
  }
  cycle_t asks_at_;
};

TEST_F(pipe_test, a_free_place_wakes_the_sender_only_if_it_has_asked_in_vain) {
  asker early("early", core(), 3);
  asker at_once("at_once", core(), 5);
  asker late("late", core(), 8);
  std::vector<std::unique_ptr<support::token_sink<int>>> sinks;
  for (asker* a : {&early, &at_once, &late}) {
    sinks.push_back(
        std::make_unique<support::token_sink<int>>((std::string(a->basename()) + "_sink").c_str(), core(), 1));
    sinks.back()->takes = [](cycle_t c) { return c == 5; };
    a->out(sinks.back()->in);
  }
  run_through(20);
  using calls = decltype(early.called);
  EXPECT_EQ(early.called, (calls{{1, true}, {3, false}, {6, true}}));
  EXPECT_EQ(at_once.called, (calls{{1, true}, {5, false}, {6, true}})) << "not visible in the cycle of the pop";
  EXPECT_EQ(late.called, (calls{{1, true}, {8, true}}));
}

TEST_F(pipe_test, a_token_of_a_short_pipe_overtakes_one_of_a_long_pipe) {
  link slow("slow", core(), core(), 2, 4);
  link fast("fast", core(), core(), 2, 1);
  slow.source.send_at(10, 1);
  fast.source.send_at(11, 2);
  run_through(20);
  EXPECT_EQ(slow.sink.taken, (tokens{{14, 1}}));
  EXPECT_EQ(fast.sink.taken, (tokens{{12, 2}}));
}

// -- between clocks --

struct crossing {
  const char* name;
  clock_domain support::clocks::*from;
  clock_domain support::clocks::*to;
};

void PrintTo(const crossing& c, std::ostream* out) { *out << c.name; }

class pipe_between_clocks : public support::systemc_test, public ::testing::WithParamInterface<crossing> {};

TEST_P(pipe_between_clocks, a_lone_token_is_visible_at_the_first_edge_strictly_after_it_was_sent) {
  clock_domain& from = clock().*GetParam().from;
  clock_domain& to = clock().*GetParam().to;
  link near("near", from, to, 2);
  link far("far", from, to, 2, 3);
  for (int i = 0; i < 300; ++i) {
    near.source.send_at(7 + 11 * static_cast<cycle_t>(i), i);
    far.source.send_at(7 + 11 * static_cast<cycle_t>(i), i);
  }
  run_through(4000, from);
  ASSERT_EQ(near.sink.taken.size(), 300u);
  ASSERT_EQ(far.sink.taken.size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) {
    const femtoseconds sent = (7 + 11 * i) * from.period();
    const cycle_t first = near.sink.taken[i].cycle;
    ASSERT_EQ(near.source.sent[i].cycle, 7 + 11 * i);
    EXPECT_GT(first * to.period(), sent) << "visible before or when it was sent";
    EXPECT_LE((first - 1) * to.period(), sent) << "an earlier edge lies after the sending";
    EXPECT_EQ(far.sink.taken[i].cycle, first + 2);
  }
}

TEST_P(pipe_between_clocks, a_stream_loses_nothing_and_the_slower_side_sets_the_pace) {
  clock_domain& from = clock().*GetParam().from;
  clock_domain& to = clock().*GetParam().to;
  constexpr int count = 500;
  link l("l", from, to, 4);
  l.send_at_every_cycle(1, count);
  const femtoseconds slower = std::max(from.period(), to.period());
  run_through((count + 10) * slower / core().period() + 1);
  ASSERT_EQ(l.sink.taken.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    EXPECT_EQ(l.sink.taken[n].value, i);
    EXPECT_GT(l.sink.taken[n].cycle * to.period(), l.source.sent[n].cycle * from.period());
    if (n >= 4) {
      EXPECT_GT(l.source.sent[n].cycle * from.period(), l.sink.taken[n - 4].cycle * to.period())
          << "sent without a credit";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    all_pairs, pipe_between_clocks,
    ::testing::Values(crossing{"core_to_shader", &support::clocks::core, &support::clocks::shader},
                      crossing{"shader_to_core", &support::clocks::shader, &support::clocks::core},
                      crossing{"core_to_uncore", &support::clocks::core, &support::clocks::uncore},
                      crossing{"uncore_to_core", &support::clocks::uncore, &support::clocks::core},
                      crossing{"uncore_to_memory", &support::clocks::uncore, &support::clocks::memory},
                      crossing{"memory_to_uncore", &support::clocks::memory, &support::clocks::uncore},
                      crossing{"shader_to_memory", &support::clocks::shader, &support::clocks::memory}),
    [](const auto& pair) { return pair.param.name; });

TEST_F(pipe_test, coincident_edges_of_two_clocks_are_one_instant) {
  link down("down", core(), shader(), 2);  // core edge n is shader edge 2 n
  link up("up", shader(), core(), 2);
  down.source.send_at(10, 1);
  up.source.send_at(20, 2);
  up.source.send_at(21, 3);
  run_through(30);
  EXPECT_EQ(down.sink.taken, (tokens{{21, 1}}));
  EXPECT_EQ(up.sink.taken, (tokens{{11, 2}, {12, 3}})) << "one per cycle of the receiver";
}

// -- the token itself --

class keeper : public stage {
 public:
  keeper(const sc_core::sc_module_name& name, clock_domain& domain) : stage(name, domain), in("in", *this, 1) {}
  pipe_in<int> in;
  std::vector<int> seen;

 private:
  void tick() override {
    const int* token = in.front();
    if (token == nullptr) return;
    in.pop();
    EXPECT_EQ(in.front(), nullptr);
    seen.push_back(*token);
  }
};

TEST_F(pipe_test, a_token_stays_readable_until_the_end_of_the_tick_that_popped_it) {
  keeper k("keeper", core());
  support::token_source<int> source("source", core());  // called after the keeper
  source.out(k.in);
  for (int i = 1; i <= 4; ++i) source.send_at(1, i);
  run_through(20);
  EXPECT_EQ(k.seen, (std::vector<int>{1, 2, 3, 4}));
}

// Looks behind the oldest token and takes nothing. Records when it is called and what it sees.
class peeker : public stage {
 public:
  peeker(const sc_core::sc_module_name& name, clock_domain& domain) : stage(name, domain), in("in", *this, 4) {}
  pipe_in<int> in;
  std::vector<std::pair<cycle_t, std::vector<int>>> seen;

 private:
  void tick() override {
    std::vector<int> values;
    for (unsigned i = 0; const int* token = in.peek(i); ++i) values.push_back(*token);
    seen.emplace_back(cycle(), values);
  }
};

TEST_F(pipe_test, a_receiver_that_peeks_sees_what_is_visible_and_may_ask_to_be_called_for_every_token) {
  peeker always("always", core());
  peeker oldest_only("oldest_only", core());
  support::token_source<int> source_a("source_a", core());
  support::token_source<int> source_b("source_b", core());
  source_a.out(always.in);
  source_b.out(oldest_only.in);
  always.in.wake_for_every_token();
  for (int i = 1; i <= 3; ++i) {
    source_a.send_at(3, i);
    source_b.send_at(3, i);
  }
  oldest_only.wake_at(5);
  run_through(20);
  EXPECT_EQ(always.seen, (decltype(always.seen){{4, {1}}, {5, {1, 2}}, {6, {1, 2, 3}}}));
  EXPECT_EQ(oldest_only.seen, (decltype(always.seen){{4, {1}}, {5, {1, 2}}}));
}

// -- observers --

class recorder : public pipe_observer<int> {
 public:
  void token_sent(const sc_core::sc_object& pipe, femtoseconds at, const int& token) override {
    lines.push_back(std::string(pipe.basename()) + " sent " + std::to_string(token) + " @" + std::to_string(at));
  }
  void token_taken(const sc_core::sc_object& pipe, femtoseconds at, const int& token) override {
    lines.push_back(std::string(pipe.basename()) + " taken " + std::to_string(token) + " @" + std::to_string(at));
  }
  std::vector<std::string> lines;
};

TEST_F(pipe_test, an_observer_sees_every_token_with_its_times_until_it_is_detached) {
  link l("l", core(), uncore(), 2);
  recorder seen;
  l.sink.in.observers().attach(seen);
  l.source.send_at(3, 42);
  l.source.send_at(50, 43);
  run_through(20);
  l.sink.in.observers().detach(seen);
  run_through(100);
  EXPECT_EQ(seen.lines, (std::vector<std::string>{"in sent 42 @" + std::to_string(3 * support::core_period),
                                                  "in taken 42 @" + std::to_string(3 * support::uncore_period)}));
  EXPECT_EQ(l.sink.taken.size(), 2u);
}

TEST_F(pipe_test, state_for_watchers_is_occupancy_depth_and_the_oldest_token) {
  link l("l", core(), core(), 3, 2);
  l.sink.takes = [](cycle_t) { return false; };
  l.source.send_at(4, 1);
  l.source.send_at(5, 1);
  const pipe_state& state = l.sink.in;
  EXPECT_EQ(state.oldest_visible_at(), no_cycle);
  run_through(10);
  EXPECT_EQ(state.occupancy(), 2u);
  EXPECT_EQ(state.depth(), 3u);
  EXPECT_EQ(state.oldest_visible_at(), 6u);
  EXPECT_EQ(&state.receiver(), &l.sink);
}

TEST_F(pipe_test, a_bit_of_the_receiver_is_set_while_the_pipe_holds_a_token) {
  link l("l", core(), core(), 2, 3);
  l.sink.takes = [](cycle_t cycle) { return cycle >= 20; };
  l.sink.in.show_occupied(2);
  l.source.send_at(5, 1);
  l.source.send_at(6, 2);
  run_through(4);
  EXPECT_EQ(l.sink.occupied_inputs(), 0u);
  run_through(5);
  EXPECT_EQ(l.sink.occupied_inputs(), 0b100u) << "not visible yet";
  run_through(20);
  EXPECT_EQ(l.sink.taken.size(), 1u);
  EXPECT_EQ(l.sink.occupied_inputs(), 0b100u) << "one of two is left";
  run_through(21);
  EXPECT_EQ(l.sink.occupied_inputs(), 0u);
}

// -- binding --

struct receiving_module : sc_core::sc_module {
  receiving_module(const sc_core::sc_module_name& name, clock_domain& domain)
      : sc_module(name), in("in"), sink("sink", domain, 2) {
    in.bind(sink.in);
  }
  tlm::tlm_target_socket<32, pipe_traits<int>> in;
  support::token_sink<int> sink;
};

TEST_F(pipe_test, binds_through_the_sockets_of_a_parent_module) {
  receiving_module parent("parent", core());
  support::token_source<int> source("source", core());
  source.out.bind(parent.in);
  for (int i = 0; i < 3; ++i) source.send_at(1, i);
  run_through(10);
  EXPECT_EQ(parent.sink.taken, (tokens{{2, 0}, {3, 1}, {4, 2}}));
}

// A foreign module between the two ends: it sees and could change what passes.
struct interposer : sc_core::sc_module,
                    tlm::tlm_fw_transport_if<pipe_traits<int>>,
                    tlm::tlm_bw_transport_if<pipe_traits<int>> {
  explicit interposer(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.bind(static_cast<tlm::tlm_fw_transport_if<pipe_traits<int>>&>(*this));
    out.bind(static_cast<tlm::tlm_bw_transport_if<pipe_traits<int>>&>(*this));
  }
  tlm::tlm_sync_enum nb_transport_fw(pipe_transfer<int>& transfer, pipe_phase& phase,
                                     sc_core::sc_time& t) override {
    ++tokens_seen;
    return out->nb_transport_fw(transfer, phase, t);
  }
  tlm::tlm_sync_enum nb_transport_bw(pipe_transfer<int>& transfer, pipe_phase& phase,
                                     sc_core::sc_time& t) override {
    if (phase == pipe_phase::credit) ++credits_seen;
    return in->nb_transport_bw(transfer, phase, t);
  }
  void b_transport(pipe_transfer<int>& transfer, sc_core::sc_time& t) override { out->b_transport(transfer, t); }
  bool get_direct_mem_ptr(pipe_transfer<int>&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(pipe_transfer<int>&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_target_socket<32, pipe_traits<int>> in;
  tlm::tlm_initiator_socket<32, pipe_traits<int>> out;
  int tokens_seen = 0;
  int credits_seen = 0;
};

TEST_F(pipe_test, a_foreign_module_in_between_sees_all_traffic_and_changes_no_cycle) {
  interposer between("between");
  support::token_source<int> source("source", core());
  support::token_sink<int> sink("sink", core(), 2);
  source.out.bind(between.in);
  between.out.bind(sink.in);
  for (int i = 0; i < 5; ++i) source.send_at(1, i);
  run_through(20);
  EXPECT_EQ(sink.taken, (tokens{{2, 0}, {3, 1}, {4, 2}, {5, 3}, {6, 4}}));
  EXPECT_EQ(between.tokens_seen, 5);
  EXPECT_EQ(between.credits_seen, 5);
}

// -- breaking the rules --

template <class ACTION>
class misuser : public stage {
 public:
  misuser(const sc_core::sc_module_name& name, clock_domain& domain, ACTION action)
      : stage(name, domain), out("out", *this), in("in", *this, 2), action_(action) {
    out(in);
    wake_at(1);
  }
  pipe_out<int> out;
  pipe_in<int> in;

 private:
  void tick() override {
    if (cycle() < 6) action_(*this);
    if (cycle() < 6) wake_next();
  }
  ACTION action_;
};
template <class ACTION>
misuser(const char*, clock_domain&, ACTION) -> misuser<ACTION>;

TEST_F(pipe_test, two_tokens_in_one_cycle_are_refused) {
  misuser m("m", core(), [](auto& self) {
    self.out.send(1);
    EXPECT_FALSE(self.out.can_send());
    self.out.send(2);
  });
  EXPECT_NE(error_of_run_through(3).find("m.out: sent without can_send()"), std::string::npos);
}

TEST_F(pipe_test, a_token_without_credit_is_refused) {
  misuser m("m", core(), [](auto& self) { self.out.send(1); });
  EXPECT_NE(error_of_run_through(9).find("m.out: sent without can_send()"), std::string::npos);
  EXPECT_EQ(m.in.occupancy(), 2u);
}

TEST_F(pipe_test, a_foreign_sender_beyond_its_credits_is_refused) {
  misuser m("m", core(), [](auto& self) {
    const int token = 1;
    pipe_transfer<int> transfer{&self.domain(), &token, 0};
    pipe_phase phase = pipe_phase::token;
    sc_core::sc_time t;
    self.out->nb_transport_fw(transfer, phase, t);
  });
  EXPECT_NE(error_of_run_through(9).find("m.in: token without credit"), std::string::npos);
}

TEST_F(pipe_test, pop_of_an_empty_pipe_is_refused) {
  misuser m("m", core(), [](auto& self) { self.in.pop(); });
  EXPECT_NE(error_of_run_through(3).find("m.in: pop without a visible token"), std::string::npos);
}

TEST_F(pipe_test, pop_in_the_cycle_of_sending_is_refused) {
  misuser m("m", core(), [](auto& self) {
    self.out.send(1);
    self.in.pop();
  });
  EXPECT_NE(error_of_run_through(3).find("m.in: pop without a visible token"), std::string::npos);
}

struct bad_pipe : stage {
  bad_pipe(const sc_core::sc_module_name& name, clock_domain& domain, unsigned depth, unsigned latency)
      : stage(name, domain), in("in", *this, depth, latency) {}
  void tick() override {}
  pipe_in<int> in;
};

TEST_F(pipe_test, zero_depth_or_latency_is_refused) {
  EXPECT_THROW(bad_pipe("no_depth", core(), 0, 1), std::invalid_argument);
  EXPECT_THROW(bad_pipe("no_latency", core(), 1, 0), std::invalid_argument);
}

TEST_F(pipe_test, a_depth_beyond_16_bits_is_refused) {
  EXPECT_NO_THROW(bad_pipe("deepest", core(), 65535, 1));
  EXPECT_THROW(bad_pipe("too_deep", core(), 65536, 1), std::invalid_argument);
}

}  // namespace
}  // namespace gt200::tlm_bus
