// Due clocking, reference clocking, shuffled orders and the audit give identical traces on random networks of
// stages.
#include <numeric>
#include <sstream>

#include "testbenches/support/memory.h"
#include "testbenches/support/own_process.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::tlm_bus {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) { return mix(state_ += 0x9e3779b97f4a7c15u) % n; }

 private:
  std::uint64_t state_;
};

// The events of a run in an order that does not depend on the order of modules within an instant: a line starts
// with the time, and each stage does at most one thing of a kind per cycle.
class event_log {
 public:
  void add(const stage& s, const char* what, std::uint64_t value) {
    std::ostringstream line;
    line.width(15);
    line << s.now() << ' ' << s.name() << ' ' << s.cycle() << ' ' << what << ' ' << value;
    lines_.push_back(line.str());
  }
  std::string text() {
    std::sort(lines_.begin(), lines_.end());
    std::string all;
    for (const auto& l : lines_) all += l + '\n';
    return all;
  }
  // The lines without their times: who did what in which order.
  static std::string content(const std::string& text, const std::string& what) {
    std::map<std::string, std::string> by_stage;
    std::istringstream in(text);
    std::string time, name, cycle, kind, value;
    while (in >> time >> name >> cycle >> kind >> value)
      if (kind == what) by_stage[name] += ' ' + value;
    std::string all;
    for (const auto& [stage_name, values] : by_stage) all += stage_name + ':' + values + '\n';
    return all;
  }

 private:
  std::vector<std::string> lines_;
};

clock_domain& domain_of(support::clocks& c, std::uint64_t choice) {
  clock_domain* const all[] = {&c.core, &c.shader, &c.uncore, &c.memory};
  return *all[choice % 4];
}

// -- tokens --

// A listener that other stages poke in zero time: state set through a call, visible at its next edge.
class bell : public stage {
 public:
  bell(const sc_core::sc_module_name& name, clock_domain& domain, event_log& log)
      : stage(name, domain), log_(log) {}
  void ring(stage& caller) {
    caller.note_activity();
    const cycle_t visible_at = domain().first_edge_after_now_of(caller.domain());
    ++rings_[visible_at];
    wake_after(caller.domain());
  }

 private:
  void tick() override {
    const auto found = rings_.find(cycle());
    if (found == rings_.end()) return;
    log_.add(*this, "rung", found->second);
    note_activity();
    rings_.erase(found);
  }
  event_log& log_;
  std::map<cycle_t, unsigned> rings_;
};

// Takes a token from one of its inputs, works on it for a random time, and sends it to one of its outputs. A node
// without inputs creates tokens; one without outputs removes them.
class node : public stage {
 public:
  node(const sc_core::sc_module_name& name, clock_domain& domain, std::uint64_t seed, unsigned to_make,
       event_log& log, bell& chime)
      : stage(name, domain), seed_(seed), to_make_(to_make), log_(log), chime_(chime) {
    if (to_make != 0) wake_at(mix(seed) % 50);
  }
  // To be called while this stage is under construction, as sockets must.
  void add_input(unsigned depth, unsigned latency) {
    inputs_.push_back(std::make_unique<pipe_in<std::uint64_t>>(("in" + std::to_string(inputs_.size())).c_str(),
                                                               *this, depth, latency));
  }
  void add_output() {
    outputs_.push_back(
        std::make_unique<pipe_out<std::uint64_t>>(("out" + std::to_string(outputs_.size())).c_str(), *this));
  }
  pipe_in<std::uint64_t>& input(std::size_t i) { return *inputs_[i]; }
  pipe_out<std::uint64_t>& output(std::size_t i) { return *outputs_[i]; }

 private:
  void tick() override {
    if (holding_ && cycle() >= ready_at_) pass_on();
    if (holding_) return;
    if (inputs_.empty())
      make();
    else
      take();
  }
  void pass_on() {
    if (!outputs_.empty()) {
      auto& out = *outputs_[mix(token_ ^ seed_) % outputs_.size()];
      if (!out.can_send()) return;
      out.send(token_);
      log_.add(*this, "sent", token_);
    } else {
      log_.add(*this, "ended", token_);
      note_activity();
      if (mix(token_) % 3 == 0) chime_.ring(*this);
    }
    holding_ = false;
  }
  void make() {
    if (to_make_ == 0) return;
    if (cycle() < mix(seed_) % 50) return;  // reference clocking calls earlier than the first wake
    hold(mix(seed_ * 1000 + to_make_--));
  }
  void take() {
    // The first input looked at changes with the cycle: a function of nothing but the time.
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      auto& in = *inputs_[(i + cycle()) % inputs_.size()];
      const std::uint64_t* token = in.front();
      if (token == nullptr) continue;
      log_.add(*this, "took", *token);
      hold(*token);
      in.pop();
      return;
    }
  }
  void hold(std::uint64_t token) {
    // Mostly short, sometimes beyond the 64 edges that the wheel covers.
    const std::uint64_t r = mix(token + seed_);
    token_ = token;
    ready_at_ = cycle() + 1 + (r % 16 == 0 ? (r >> 8) % 300 : (r >> 8) % 4);
    holding_ = true;
    note_activity();
    wake_at(ready_at_);
  }

  std::uint64_t seed_;
  unsigned to_make_;
  event_log& log_;
  bell& chime_;
  std::vector<std::unique_ptr<pipe_in<std::uint64_t>>> inputs_;
  std::vector<std::unique_ptr<pipe_out<std::uint64_t>>> outputs_;
  bool holding_ = false;
  std::uint64_t token_ = 0;
  cycle_t ready_at_ = 0;
};

// A node whose sockets are made in its constructor.
class random_node : public node {
 public:
  struct input_shape {
    unsigned depth;
    unsigned latency;
  };
  random_node(const sc_core::sc_module_name& name, clock_domain& domain, std::uint64_t seed, unsigned to_make,
              event_log& log, bell& chime, const std::vector<input_shape>& inputs, unsigned outputs)
      : node(name, domain, seed, to_make, log, chime) {
    for (const auto& shape : inputs) add_input(shape.depth, shape.latency);
    for (unsigned i = 0; i < outputs; ++i) add_output();
  }
};

std::string trace_of_tokens(std::uint64_t seed, const clocking_options& options) {
  random_numbers random(seed);
  support::clocks c("clocking", options);
  event_log log;
  bell chime("chime", domain_of(c, random.below(4)), log);

  // Edges of the graph first, because sockets can only be made with their module.
  const std::size_t count = 10 + random.below(15);
  struct edge {
    std::size_t from, to;
  };
  std::vector<edge> edges;
  std::vector<std::vector<random_node::input_shape>> inputs(count);
  std::vector<unsigned> outputs(count, 0);
  const auto connect = [&](std::size_t from, std::size_t to) {
    edges.push_back({from, to});
    ++outputs[from];
    inputs[to].push_back({static_cast<unsigned>(1 + random.below(5)), static_cast<unsigned>(1 + random.below(8))});
  };
  for (std::size_t to = 1; to < count; ++to)
    if (random.below(5) != 0)
      for (std::uint64_t n = 1 + random.below(3); n > 0; --n) connect(random.below(to), to);

  std::vector<std::unique_ptr<random_node>> nodes;
  for (std::size_t i = 0; i < count; ++i)
    nodes.push_back(std::make_unique<random_node>(("node" + std::to_string(i)).c_str(),
                                                  domain_of(c, random.below(4)), random.below(1'000'000),
                                                  inputs[i].empty() ? 60 : 0, log, chime, inputs[i], outputs[i]));
  std::vector<std::size_t> next_in(count, 0);
  std::vector<std::size_t> next_out(count, 0);
  for (const auto& e : edges) nodes[e.from]->output(next_out[e.from]++)(nodes[e.to]->input(next_in[e.to]++));

  sc_core::sc_start(sc_core::sc_time::from_value(3000 * support::core_period));
  return log.text();
}

// -- memory transactions --

// Routes requests of several ports to several memories and the responses back.
class exchange : public stage {
 public:
  exchange(const sc_core::sc_module_name& name, clock_domain& domain, unsigned inputs, unsigned outputs)
      : stage(name, domain), arbiter_(inputs) {
    for (unsigned i = 0; i < inputs; ++i)
      in.push_back(
          std::make_unique<memory_target<model::gpu_memory_protocol>>(("in" + std::to_string(i)).c_str(), *this));
    for (unsigned o = 0; o < outputs; ++o)
      out.push_back(std::make_unique<memory_initiator<model::gpu_memory_protocol>>(
          ("out" + std::to_string(o)).c_str(), *this));
  }
  std::vector<std::unique_ptr<memory_target<model::gpu_memory_protocol>>> in;
  std::vector<std::unique_ptr<memory_initiator<model::gpu_memory_protocol>>> out;

 private:
  void tick() override {
    for (auto& o : out) {
      auto* p = o->response();
      if (p != nullptr && in[model::extension_of(*p)->tpc]->can_respond())
        in[model::extension_of(*p)->tpc]->respond(o->take_response());
    }
    std::uint64_t waiting = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i]->request() != nullptr) waiting |= std::uint64_t{1} << i;
    while (waiting != 0) {
      const int winner = arbiter_.choose(waiting);
      waiting &= ~(std::uint64_t{1} << winner);
      auto& from = *in[static_cast<std::size_t>(winner)];
      auto& to = *out[from.request()->get_address() / 64 % out.size()];
      if (!to.can_request()) continue;
      to.request(from.take_request());
      arbiter_.granted(winner);
    }
  }
  round_robin arbiter_;
};

std::string trace_of_memory(std::uint64_t seed, const clocking_options& options) {
  using driver = support::memory_driver<model::gpu_memory_protocol>;
  using memory = support::memory_responder<model::gpu_memory_protocol>;
  random_numbers random(seed);
  support::clocks c("clocking", options);
  const auto inputs = static_cast<unsigned>(2 + random.below(4));
  const auto outputs = static_cast<unsigned>(1 + random.below(3));
  exchange middle("middle", domain_of(c, random.below(4)), inputs, outputs);
  std::vector<std::unique_ptr<driver>> drivers;
  std::vector<std::unique_ptr<memory>> memories;
  std::vector<std::unique_ptr<protocol_checker>> checkers;
  const auto watch = [&](auto& port) {
    checkers.push_back(std::make_unique<protocol_checker>());
    port.observers().attach(*checkers.back());
  };
  for (unsigned i = 0; i < inputs; ++i) {
    drivers.push_back(std::make_unique<driver>(("driver" + std::to_string(i)).c_str(),
                                               domain_of(c, random.below(4)), 1 + random.below(3),
                                               1 + random.below(4)));
    auto& d = *drivers.back();
    d.port(*middle.in[i]);
    watch(d.port);
    watch(*middle.in[i]);
    const std::uint64_t salt = random.below(1000);
    d.takes = [salt](cycle_t cycle) { return mix(cycle + salt) % 3 != 0; };
    cycle_t at = random.below(20);
    for (int n = 0; n < 80; ++n, at += random.below(10) == 0 ? random.below(150) : random.below(4)) {
      const std::uint64_t address = random.below(32) * 16;
      auto& p = random.below(2) == 0 ? d.read_at(at, address)
                                     : d.write_at(at, address, {static_cast<std::uint8_t>(n), 2, 3, 4});
      p.extension().tpc = static_cast<std::uint8_t>(i);
    }
  }
  for (unsigned o = 0; o < outputs; ++o) {
    memories.push_back(std::make_unique<memory>(("memory" + std::to_string(o)).c_str(),
                                                domain_of(c, random.below(4)), 1 + random.below(100),
                                                1 + random.below(4), 1 + random.below(8)));
    auto& m = *memories.back();
    (*middle.out[o])(m.port);
    watch(*middle.out[o]);
    watch(m.port);
    const std::uint64_t salt = random.below(1000);
    m.takes = [salt](cycle_t cycle) { return mix(cycle * 3 + salt) % 4 != 0; };
  }
  sc_core::sc_start(sc_core::sc_time::from_value(6000 * support::core_period));

  std::ostringstream text;
  for (const auto& d : drivers) {
    text << d->name() << " requests";
    for (const auto& r : d->requested) text << ' ' << r.cycle << ':' << r.value;
    text << "\n responses";
    for (std::size_t i = 0; i < d->responses.size(); ++i)
      text << ' ' << d->responded[i].cycle << ':' << d->responses[i].address << '='
           << static_cast<unsigned>(d->responses[i].data[0]);
    text << "\n outstanding " << d->pool.outstanding() << '\n';
  }
  for (const auto& m : memories) {
    text << m->name() << " took";
    for (const auto& r : m->taken) text << ' ' << r.cycle << ':' << r.value;
    text << '\n';
  }
  for (const auto& checker : checkers) text << checker->violation();
  return text.str();
}

// -- the comparison --

using simulation = std::string (*)(std::uint64_t, const clocking_options&);

std::string run(simulation simulate, std::uint64_t seed, const clocking_options& options) {
  return support::in_own_process([&] { return simulate(seed, options); });
}

void expect_all_ways_agree(simulation simulate, std::uint64_t seed, const stall_injection& stalls) {
  clocking_options due;
  due.stalls = stalls;
  const std::string expected = run(simulate, seed, due);
  ASSERT_EQ(expected.find("error"), std::string::npos) << expected;
  ASSERT_GT(expected.size(), 3000u) << "too little happened to prove anything";

  clocking_options reference = due;
  reference.mode = clocking_options::way::reference;
  EXPECT_EQ(run(simulate, seed, reference), expected) << "reference clocking, seed " << seed;
  clocking_options audited = due;
  audited.audit = true;
  EXPECT_EQ(run(simulate, seed, audited), expected) << "audit, seed " << seed;
  for (std::uint64_t shuffle : {1u, 2u, 3u}) {
    clocking_options shuffled = due;
    shuffled.shuffle_seed = shuffle;
    EXPECT_EQ(run(simulate, seed, shuffled), expected) << "shuffled by " << shuffle << ", seed " << seed;
  }
}

class equivalence_test : public support::systemc_test {};

TEST_F(equivalence_test, all_ways_of_clocking_give_the_same_trace_of_tokens) {
  for (std::uint64_t seed : {11u, 12u, 13u}) expect_all_ways_agree(trace_of_tokens, seed, {});
}

TEST_F(equivalence_test, all_ways_of_clocking_give_the_same_trace_of_tokens_under_stalls) {
  for (std::uint64_t seed : {21u, 22u}) expect_all_ways_agree(trace_of_tokens, seed, {seed, 300});
}

TEST_F(equivalence_test, all_ways_of_clocking_give_the_same_trace_of_memory_transactions) {
  for (std::uint64_t seed : {31u, 32u, 33u}) expect_all_ways_agree(trace_of_memory, seed, {});
}

TEST_F(equivalence_test, all_ways_of_clocking_give_the_same_trace_of_memory_transactions_under_stalls) {
  for (std::uint64_t seed : {41u, 42u}) expect_all_ways_agree(trace_of_memory, seed, {seed, 300});
}

TEST_F(equivalence_test, the_comparison_sees_a_difference) {
  EXPECT_NE(run(trace_of_tokens, 11, {}), run(trace_of_tokens, 12, {}));
  clocking_options stalled;
  stalled.stalls = {1, 10};
  EXPECT_NE(run(trace_of_tokens, 11, {}), run(trace_of_tokens, 11, stalled)) << "1 % of stalls must show";
}

// -- stalls --

std::string trace_of_a_pipeline(std::uint64_t, const clocking_options& options) {
  support::clocks c("clocking", options);
  event_log log;
  bell chime("chime", c.core, log);
  std::vector<std::unique_ptr<random_node>> nodes;
  for (unsigned i = 0; i < 8; ++i) {
    std::vector<random_node::input_shape> inputs;
    if (i != 0) inputs.push_back({2, 1});
    nodes.push_back(std::make_unique<random_node>(("node" + std::to_string(i)).c_str(), domain_of(c, i), 7 + i,
                                                  i == 0 ? 100 : 0, log, chime, inputs, i == 7 ? 0 : 1));
    if (i != 0) nodes[i - 1]->output(0)(nodes[i]->input(0));
  }
  sc_core::sc_start(sc_core::sc_time::from_value(6000 * support::core_period));
  return log.text();
}

TEST_F(equivalence_test, stalls_change_times_but_neither_order_nor_content) {
  const std::string plain = run(trace_of_a_pipeline, 0, {});
  for (std::uint32_t per_1024 : {1u, 100u, 512u, 900u}) {
    clocking_options options;
    options.stalls = {5, per_1024};
    const std::string stalled = run(trace_of_a_pipeline, 0, options);
    EXPECT_NE(stalled, plain);
    EXPECT_EQ(event_log::content(stalled, "ended"), event_log::content(plain, "ended"));
    EXPECT_EQ(run(trace_of_a_pipeline, 0, options), stalled) << "the same seed gives the same stalls";
    options.stalls.seed = 6;
    EXPECT_NE(run(trace_of_a_pipeline, 0, options), stalled) << "another seed gives others";
  }
}

}  // namespace
}  // namespace gt200::tlm_bus
