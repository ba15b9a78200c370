// Host time of the operations every simulated instruction pays for: a hop over a pipe, a call of a due stage, an
// edge, a memory transaction. The shape is that of the chip: 30 SMs of 12 stages.
//
// All systems are elaborated once, as SystemC demands; those not measured are idle and cost nothing.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/stage.h"

namespace {

using namespace gt200::tlm_bus;

constexpr femtoseconds core_period = 1'543'210;
constexpr femtoseconds uncore_period = 1'661'130;
constexpr unsigned chains = 30;
constexpr unsigned stages_per_chain = 12;
constexpr unsigned cycles_per_run = 1000;

struct token {
  std::array<std::uint64_t, 4> words;  // about the size of a decoded instruction with its ids
};
void show(signal_writer& to, const token& t) { to.number("word", 64, t.words[0]); }
void describe(event_details& event, const token& t) { event.add(t.words[0]); }

// Switches the sources of a system on and off.
class startable : public stage {
 public:
  using stage::stage;
  void start() {
    running_ = true;
    wake_from_outside();
  }
  void stop() { running_ = false; }
  std::uint64_t work = 0;  // hops, calls or transactions completed

 protected:
  bool running_ = false;
};

class source : public startable {
 public:
  source(const sc_core::sc_module_name& name, clock_domain& domain) : startable(name, domain), out("out", *this) {}
  pipe_out<token> out;

 private:
  void tick() override {
    if (!running_) return;
    if (out.can_send()) {
      out.send(token{{cycle(), 0, 0, 0}});
      wake_next();
    }
  }
};

class forwarder : public stage {
 public:
  forwarder(const sc_core::sc_module_name& name, clock_domain& domain)
      : stage(name, domain), in("in", *this, 2), out("out", *this) {}
  pipe_in<token> in;
  pipe_out<token> out;

 private:
  void tick() override {
    const token* t = in.front();
    if (t == nullptr || !out.can_send()) return;
    out.send(*t);
    in.pop();
  }
};

class sink : public stage {
 public:
  sink(const sc_core::sc_module_name& name, clock_domain& domain) : stage(name, domain), in("in", *this, 2) {}
  pipe_in<token> in;
  std::uint64_t taken = 0;

 private:
  void tick() override {
    if (in.front() == nullptr) return;
    in.pop();
    ++taken;
  }
};

struct chain {
  chain(const std::string& name, clock_domain& even, clock_domain& odd)
      : head((name + "_head").c_str(), even), tail((name + "_tail").c_str(), odd) {
    pipe_out<token>* last = &head.out;
    for (unsigned i = 1; i + 1 < stages_per_chain; ++i) {
      middle.push_back(
          std::make_unique<forwarder>((name + "_" + std::to_string(i)).c_str(), i % 2 == 0 ? even : odd));
      (*last)(middle.back()->in);
      last = &middle.back()->out;
    }
    (*last)(tail.in);
  }
  source head;
  std::vector<std::unique_ptr<forwarder>> middle;
  sink tail;
};

struct chain_system {
  chain_system(const char* name, femtoseconds odd_period)
      : driver(name), even((std::string(name) + "_even").c_str(), core_period, driver) {
    clock_domain* odd = &even;
    if (odd_period != core_period) {
      other = std::make_unique<clock_domain>((std::string(name) + "_odd").c_str(), odd_period, driver);
      odd = other.get();
    }
    for (unsigned c = 0; c < chains; ++c)
      all.push_back(std::make_unique<chain>(std::string(name) + std::to_string(c), even, *odd));
  }
  void start() {
    for (auto& c : all) c->head.start();
  }
  void stop() {
    for (auto& c : all) c->head.stop();
  }
  std::uint64_t work() const {
    std::uint64_t hops = 0;
    for (const auto& c : all) hops += c->tail.taken * (stages_per_chain - 1);
    return hops;
  }
  clocking driver;
  clock_domain even;
  std::unique_ptr<clock_domain> other;
  std::vector<std::unique_ptr<chain>> all;
};

class spinner : public startable {
 public:
  using startable::startable;

 private:
  void tick() override {
    if (!running_) return;
    ++work;
    wake_next();
  }
};

struct spinner_system {
  spinner_system(const char* name, unsigned count)
      : driver(name), domain((std::string(name) + "_core").c_str(), core_period, driver) {
    for (unsigned i = 0; i < count; ++i)
      all.push_back(std::make_unique<spinner>((std::string(name) + std::to_string(i)).c_str(), domain));
  }
  void start() {
    for (auto& s : all) s->start();
  }
  void stop() {
    for (auto& s : all) s->stop();
  }
  std::uint64_t work() const {
    std::uint64_t calls = 0;
    for (const auto& s : all) calls += s->work;
    return calls;
  }
  clocking driver;
  clock_domain domain;
  std::vector<std::unique_ptr<spinner>> all;
};

class requester : public startable {
 public:
  requester(const sc_core::sc_module_name& name, clock_domain& domain)
      : startable(name, domain), port("port", *this) {}
  memory_initiator<gt200::model::gpu_memory_protocol> port;

 private:
  void tick() override {
    if (port.response() != nullptr) {
      port.take_response().release();
      ++work;
    }
    if (running_ && port.can_request()) {
      gt200::model::memory_payload& p = pool_.get();
      p.prepare(tlm::TLM_READ_COMMAND, 0, 64);
      port.request(p);
      wake_next();
    }
  }
  gt200::model::payload_pool pool_;
};

class responder : public stage {
 public:
  responder(const sc_core::sc_module_name& name, clock_domain& domain) : stage(name, domain), port("port", *this) {}
  memory_target<gt200::model::gpu_memory_protocol> port;

 private:
  void tick() override {
    if (port.request() == nullptr || !port.can_respond()) return;
    tlm::tlm_generic_payload& p = port.take_request();
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    port.respond(p);
  }
};

struct memory_system {
  explicit memory_system(const char* name)
      : driver(name), domain((std::string(name) + "_core").c_str(), core_period, driver) {
    for (unsigned i = 0; i < chains; ++i) {
      initiators.push_back(
          std::make_unique<requester>((std::string(name) + "_i" + std::to_string(i)).c_str(), domain));
      targets.push_back(
          std::make_unique<responder>((std::string(name) + "_t" + std::to_string(i)).c_str(), domain));
      initiators.back()->port(targets.back()->port);
    }
  }
  void start() {
    for (auto& s : initiators) s->start();
  }
  void stop() {
    for (auto& s : initiators) s->stop();
  }
  std::uint64_t work() const {
    std::uint64_t transactions = 0;
    for (const auto& s : initiators) transactions += s->work;
    return transactions;
  }
  clocking driver;
  clock_domain domain;
  std::vector<std::unique_ptr<requester>> initiators;
  std::vector<std::unique_ptr<responder>> targets;
};

// Reports the time of one unit of work as the counter `per`.
template <class SYSTEM>
void measure(benchmark::State& state, SYSTEM& system, const char* per) {
  system.start();
  sc_core::sc_start(sc_core::sc_time::from_value(100 * core_period));
  const std::uint64_t before = system.work();
  for (auto _ : state) sc_core::sc_start(sc_core::sc_time::from_value(cycles_per_run * core_period));
  const auto done = static_cast<double>(system.work() - before);
  system.stop();
  sc_core::sc_start(sc_core::sc_time::from_value(100 * core_period));
  state.counters[per] = benchmark::Counter(done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  chain_system one_clock("one_clock", core_period);
  chain_system two_clocks("two_clocks", uncore_period);
  spinner_system calls("calls", chains * stages_per_chain);
  spinner_system edges("edges", 1);
  memory_system transactions("transactions");

  const auto add = [](const char* name, auto& system, const char* per) {
    benchmark::RegisterBenchmark(name, [&system, per](benchmark::State& state) { measure(state, system, per); });
  };
  add("pipe_hop", one_clock, "s_per_hop");
  add("pipe_hop_between_clocks", two_clocks, "s_per_hop");
  add("due_call", calls, "s_per_call");
  add("edge_with_one_due_stage", edges, "s_per_edge");
  add("memory_transaction", transactions, "s_per_transaction");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
