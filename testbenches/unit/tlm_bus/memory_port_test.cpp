// AT memory ports between two stages: throughput, when an END is returned in the call, back pressure both ways.
#include "tlm_bus/memory_port.h"

#include "testbenches/support/memory.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::tlm_bus {
namespace {

using support::timed;
using cycles = std::vector<cycle_t>;

cycles cycles_of(const std::vector<timed<std::uint64_t>>& list) {
  cycles c;
  for (const auto& t : list) c.push_back(t.cycle);
  return c;
}

// Records the phases of a port as "<phase>@<core cycle>".
class phase_log : public memory_observer {
 public:
  void phase(const sc_core::sc_object&, femtoseconds at, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override {
    static const char* const names[] = {"?", "BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"};
    lines.push_back(std::to_string(payload.get_address()) + " " + names[phase] + "@" +
                    std::to_string(at / support::core_period));
  }
  std::vector<std::string> of(const char* phase) const {
    std::vector<std::string> found;
    for (const auto& l : lines)
      if (l.find(phase) != std::string::npos) found.push_back(l);
    return found;
  }
  std::vector<std::string> lines;
};

template <class TRAITS>
struct link {
  link(const std::string& name, clock_domain& from, clock_domain& to, cycle_t latency = 1, unsigned depth = 2,
       bool target_first = false, unsigned request_latency = 1) {
    const auto make_memory = [&] {
      memory = std::make_unique<support::memory_responder<TRAITS>>((name + "_memory").c_str(), to, latency, depth,
                                                                   request_latency);
    };
    if (target_first) make_memory();
    driver = std::make_unique<support::memory_driver<TRAITS>>((name + "_driver").c_str(), from);
    if (!target_first) make_memory();
    driver->port(memory->port);
    driver->port.observers().attach(initiator_side);
    memory->port.observers().attach(target_side);
  }
  void read_at_every_cycle(cycle_t first, unsigned count) {
    for (unsigned i = 0; i < count; ++i) driver->read_at(first, 100 + i);
  }
  void expect_clean(unsigned transactions) {
    for (const auto* checker : {&initiator_side, &target_side}) {
      EXPECT_EQ(checker->violation(), "");
      EXPECT_EQ(checker->open_transactions(), 0u);
      EXPECT_EQ(checker->completed_transactions(), transactions);
    }
    EXPECT_EQ(driver->pool.outstanding(), 0u) << "a reference was lost";
  }
  std::unique_ptr<support::memory_driver<TRAITS>> driver;
  std::unique_ptr<support::memory_responder<TRAITS>> memory;
  protocol_checker initiator_side;
  protocol_checker target_side;
};

template <class TRAITS>
class memory_port_test : public support::systemc_test {};
struct protocol_names {
  template <class TRAITS>
  static std::string GetName(int) {
    return std::is_same_v<TRAITS, base_protocol> ? "base_protocol" : "gpu_memory_protocol";
  }
};
using protocols = ::testing::Types<base_protocol, model::gpu_memory_protocol>;
TYPED_TEST_SUITE(memory_port_test, protocols, protocol_names);

TYPED_TEST(memory_port_test, a_transaction_takes_one_cycle_each_way_and_the_time_of_the_target) {
  link<TypeParam> l("l", this->core(), this->core(), 5);
  l.driver->read_at(10, 64);
  this->run_through(40);
  EXPECT_EQ(cycles_of(l.driver->requested), cycles{10});
  EXPECT_EQ(cycles_of(l.memory->taken), cycles{11});
  EXPECT_EQ(cycles_of(l.driver->responded), cycles{17});
  l.expect_clean(1);
}

TYPED_TEST(memory_port_test, data_is_written_and_read_back) {
  link<TypeParam> l("l", this->core(), this->memory(), 3);
  l.driver->write_at(1, 64, {1, 2, 3, 4});
  l.driver->read_at(2, 66, 4);
  this->run_through(60);
  ASSERT_EQ(l.driver->responses.size(), 2u);
  EXPECT_EQ(l.driver->responses[1].status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(l.driver->responses[1].data, (std::vector<std::uint8_t>{3, 4, 0, 0}));
  l.expect_clean(2);
}

TYPED_TEST(memory_port_test, depth_2_carries_one_transaction_per_cycle_in_either_order_of_modules) {
  link<TypeParam> a("a", this->core(), this->core());
  link<TypeParam> b("b", this->core(), this->core(), 1, 2, true);
  for (auto* l : {&a, &b}) l->read_at_every_cycle(1, 6);
  this->run_through(20);
  for (auto* l : {&a, &b}) {
    EXPECT_EQ(cycles_of(l->driver->requested), (cycles{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(cycles_of(l->memory->taken), (cycles{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(cycles_of(l->driver->responded), (cycles{4, 5, 6, 7, 8, 9}));
    l->expect_clean(6);
  }
}

TYPED_TEST(memory_port_test, the_end_of_a_request_comes_in_the_call_iff_a_slot_was_free_at_the_start_of_the_cycle) {
  link<TypeParam> a("a", this->core(), this->core());
  link<TypeParam> b("b", this->core(), this->core(), 1, 2, true);
  phase_log log_a;
  phase_log log_b;
  a.driver->port.observers().attach(log_a);
  b.driver->port.observers().attach(log_b);
  for (auto* l : {&a, &b}) {
    l->read_at_every_cycle(1, 4);
    l->memory->takes = [](cycle_t c) { return c >= 10; };
  }
  this->run_through(30);
  for (auto* log : {&log_a, &log_b}) {
    // 100 and 101 find a slot. 102 comes to a full queue; a slot becomes free at 10, so its END follows at 11 and
    // is visible at 12. 103 finds the slot that was freed at 11.
    EXPECT_EQ(log->of("_REQ"), (std::vector<std::string>{"100 BEGIN_REQ@1", "100 END_REQ@1", "101 BEGIN_REQ@2",
                                                         "101 END_REQ@2", "102 BEGIN_REQ@3", "102 END_REQ@11",
                                                         "103 BEGIN_REQ@12", "103 END_REQ@12"}));
  }
  for (auto* l : {&a, &b}) {
    EXPECT_EQ(cycles_of(l->memory->taken), (cycles{10, 11, 12, 13}));
    EXPECT_EQ(l->driver->pool.outstanding(), 0u);
  }
}

TYPED_TEST(memory_port_test, a_slot_freed_in_the_cycle_of_the_call_does_not_count_whoever_comes_first) {
  link<TypeParam> a("a", this->core(), this->core(), 1, 1);
  link<TypeParam> b("b", this->core(), this->core(), 1, 1, true);
  for (auto* l : {&a, &b}) l->read_at_every_cycle(1, 5);
  this->run_through(30);
  for (auto* l : {&a, &b}) {
    EXPECT_EQ(cycles_of(l->driver->requested), (cycles{1, 2, 4, 6, 8}));
    EXPECT_EQ(cycles_of(l->memory->taken), (cycles{2, 4, 6, 8, 10}));
    l->expect_clean(5);
  }
}

TYPED_TEST(memory_port_test, request_latency_counts_cycles_of_the_target) {
  link<TypeParam> l("l", this->core(), this->core(), 1, 8, false, 7);
  l.read_at_every_cycle(1, 20);
  this->run_through(60);
  EXPECT_EQ(l.memory->taken.front().cycle, 8u);
  EXPECT_EQ(l.memory->taken.back().cycle, 27u) << "depth 8 covers 7 cycles";
  l.expect_clean(20);
}

TYPED_TEST(memory_port_test, responses_wait_for_an_initiator_that_does_not_take_them) {
  link<TypeParam> l("l", this->core(), this->core());
  phase_log log;
  l.memory->port.observers().attach(log);
  l.read_at_every_cycle(1, 4);
  l.driver->takes = [](cycle_t c) { return c >= 20; };
  this->run_through(40);
  EXPECT_EQ(cycles_of(l.driver->responded), (cycles{20, 21, 22, 23}));
  EXPECT_EQ(log.of("_RESP"), (std::vector<std::string>{"100 BEGIN_RESP@3", "100 END_RESP@3", "101 BEGIN_RESP@4",
                                                       "101 END_RESP@4", "102 BEGIN_RESP@5", "102 END_RESP@21",
                                                       "103 BEGIN_RESP@22", "103 END_RESP@22"}));
  EXPECT_EQ(l.driver->pool.outstanding(), 0u);
}

TYPED_TEST(memory_port_test, a_response_does_not_end_a_request_other_than_its_own) {
  link<TypeParam> l("l", this->core(), this->core(), 5, 1);
  l.read_at_every_cycle(1, 4);
  l.memory->takes = [](cycle_t c) { return c == 2 || c >= 30; };
  this->run_through(60);
  // 102 waits for its END from cycle 4 to 31; the response of 100, at cycle 7, must not let 103 begin.
  EXPECT_EQ(cycles_of(l.driver->requested), (cycles{1, 2, 4, 32}));
  EXPECT_EQ(l.driver->responded.front().cycle, 8u);
  l.expect_clean(4);
}

TYPED_TEST(memory_port_test, works_between_clocks) {
  link<TypeParam> up("up", this->uncore(), this->memory(), 4);
  link<TypeParam> down("down", this->memory(), this->uncore(), 4);
  for (auto* l : {&up, &down}) l->read_at_every_cycle(1, 200);
  this->run_through(500);
  for (auto* l : {&up, &down}) {
    ASSERT_EQ(l->driver->responded.size(), 200u);
    for (std::size_t i = 0; i < 200; ++i) {
      const femtoseconds sent = l->driver->requested[i].cycle * l->driver->domain().period();
      EXPECT_GT(l->memory->taken[i].cycle * l->memory->domain().period(), sent);
      EXPECT_EQ(l->driver->responded[i].value, 100 + i);
    }
    l->expect_clean(200);
  }
}

TYPED_TEST(memory_port_test, debug_and_blocking_transport_reach_the_target_without_time) {
  link<TypeParam> l("l", this->core(), this->core());
  l.memory->bytes[7] = 42;
  this->run_through(1);
  model::payload_pool pool;
  model::memory_payload& p = pool.get();
  p.prepare(tlm::TLM_READ_COMMAND, 7, 1);
  EXPECT_EQ(l.driver->port->transport_dbg(p), 1u);
  EXPECT_EQ(p.bytes()[0], 42);
  p.prepare(tlm::TLM_WRITE_COMMAND, 7, 1);
  p.bytes()[0] = 43;
  sc_core::sc_time t;
  l.driver->port->b_transport(p, t);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(t, sc_core::SC_ZERO_TIME);
  EXPECT_EQ(l.memory->bytes[7], 43);
  p.release();
}

struct silent_target : stage {
  silent_target(const sc_core::sc_module_name& name, clock_domain& domain)
      : stage(name, domain), port("port", *this) {}
  void tick() override {}
  memory_target<base_protocol> port;
};

class single_port_test : public support::systemc_test {};

TEST_F(single_port_test, without_a_debug_function_blocking_transport_is_an_address_error) {
  support::memory_driver<base_protocol> driver("driver", core());
  silent_target target("target", core());
  driver.port(target.port);
  run_through(1);
  model::payload_pool pool;
  model::memory_payload& p = pool.get();
  p.prepare(tlm::TLM_READ_COMMAND, 7, 1);
  sc_core::sc_time t;
  driver.port->b_transport(p, t);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(driver.port->transport_dbg(p), 0u);
  p.release();
}

// The error comes from the call that binds, so that the line of the mistake is known.
template <class BIND>
std::string error_of(const BIND& bind) {
  try {
    bind();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(single_port_test, a_second_initiator_at_a_target_is_refused_by_the_name_of_the_target) {
  support::memory_driver<base_protocol> first("first", core()), second("second", core()), third("third", core()),
      fourth("fourth", core());
  silent_target target("target", core());
  first.port(target.port);
  EXPECT_EQ(error_of([&] { second.port(target.port); }),
            "target.port: is bound a second time, and has room for one; bound already: another component");
  EXPECT_NE(error_of([&] { target.port.bind(third.port); }).find("target.port: is bound a second time"),
            std::string::npos)
      << "whoever binds whom";
  target.port.say_what_is_bound("a bus");
  EXPECT_NE(error_of([&] { fourth.port(target.port); }).find("bound already: a bus"), std::string::npos);
}

TEST_F(single_port_test, a_second_target_at_an_initiator_is_refused_by_the_name_of_the_initiator) {
  support::memory_driver<base_protocol> driver("driver", core());
  silent_target first("first", core()), second("second", core());
  driver.port(first.port);
  EXPECT_NE(error_of([&] { driver.port(second.port); }).find("driver.port: is bound a second time"),
            std::string::npos);
}

TEST_F(single_port_test, a_transaction_without_the_mandatory_extension_is_refused) {
  link<model::gpu_memory_protocol> l("l", core(), core());
  l.driver->read_at(3, 0).clear_extension<model::memory_extension>();
  EXPECT_NE(error_of_run_through(10).find("l_memory.port: transaction without its mandatory extension"),
            std::string::npos);
}

TEST_F(single_port_test, the_base_protocol_does_without_the_extension) {
  link<base_protocol> l("l", core(), core());
  l.driver->read_at(3, 0).clear_extension<model::memory_extension>();
  run_through(10);
  EXPECT_EQ(l.driver->responded.size(), 1u);
}

TEST_F(single_port_test, the_extension_travels_with_the_transaction) {
  link<model::gpu_memory_protocol> l("l", core(), core());
  auto& sent = l.driver->read_at(3, 0).extension();
  sent.tpc = 7;
  sent.tag = 1234;
  struct look : memory_observer {
    void phase(const sc_core::sc_object&, femtoseconds, const tlm::tlm_generic_payload& payload,
               tlm::tlm_phase_enum phase) override {
      if (phase != tlm::BEGIN_RESP) return;
      model::memory_extension* found = nullptr;
      payload.get_extension(found);
      ASSERT_NE(found, nullptr);
      tag = found->tpc * 10000u + found->tag;
    }
    std::uint32_t tag = 0;
  } observer;
  l.memory->port.observers().attach(observer);
  run_through(10);
  EXPECT_EQ(observer.tag, 71234u);
}

template <class ACTION>
class misuser : public stage {
 public:
  misuser(const sc_core::sc_module_name& name, clock_domain& domain, ACTION action)
      : stage(name, domain), out("out", *this), in("in", *this), action_(action) {
    out(in);
    wake_at(1);
  }
  memory_initiator<base_protocol> out;
  memory_target<base_protocol> in;
  model::payload_pool pool;
  model::memory_payload& new_read() {
    model::memory_payload& p = pool.get();
    p.prepare(tlm::TLM_READ_COMMAND, 0, 4);
    return p;
  }

 private:
  void tick() override {
    if (cycle() > 6) return;
    action_(*this);
    wake_next();
  }
  ACTION action_;
};
template <class ACTION>
misuser(const char*, clock_domain&, ACTION) -> misuser<ACTION>;

TEST_F(single_port_test, two_requests_in_one_cycle_are_refused) {
  misuser m("m", core(), [](auto& self) {
    self.out.request(self.new_read());
    EXPECT_FALSE(self.out.can_request());
    self.out.request(self.new_read());
  });
  EXPECT_NE(error_of_run_through(3).find("m: transaction begun without permission"), std::string::npos);
}

TEST_F(single_port_test, a_request_before_the_end_of_the_last_one_is_refused) {
  misuser m("m", core(), [](auto& self) { self.out.request(self.new_read()); });
  EXPECT_NE(error_of_run_through(9).find("m: transaction begun without permission"), std::string::npos);
  EXPECT_EQ(m.cycle(), 4u) << "two fit into the queue, the third waits for its END";
}

TEST_F(single_port_test, taking_what_is_not_visible_is_refused) {
  misuser m("m", core(), [](auto& self) {
    self.out.request(self.new_read());
    self.in.take_request();
  });
  EXPECT_NE(error_of_run_through(3).find("m: taken without a visible transaction"), std::string::npos);
}

}  // namespace
}  // namespace gt200::tlm_bus
