// Foreign TLM-2.0 components, written with the tlm_utils sockets, bound unchanged to our base-protocol ports.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "testbenches/support/memory.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::tlm_bus {
namespace {

using cycles = std::vector<cycle_t>;
using support::core_period;

DECLARE_EXTENDED_PHASE(foreign_phase);

cycles cycles_of(const std::vector<support::timed<std::uint64_t>>& list) {
  cycles c;
  for (const auto& t : list) c.push_back(t.cycle);
  return c;
}

sc_core::sc_time fs(femtoseconds t) { return sc_core::sc_time::from_value(t); }

// -- targets --

enum class answer { completed, begin_resp, end_req, accepted, accepted_without_end_req, end_req_by_nested_call };

// Answers a request in the given manner. Its thread does later, after `service`, what it does not do in the call.
struct foreign_target : sc_core::sc_module {
  using SC_CURRENT_USER_MODULE = foreign_target;  // as in tlm_bus/stage.cpp
  foreign_target(const sc_core::sc_module_name& name, answer manner, femtoseconds delay = 0,
                 femtoseconds service = 3 * core_period + 7)
      : sc_module(name), socket("socket"), manner_(manner), delay_(delay), service_(service) {
    socket.register_nb_transport_fw(this, &foreign_target::nb_transport_fw);
    SC_THREAD(serve);
  }
  tlm_utils::simple_target_socket<foreign_target> socket;
  int ignorable_phases_sent = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    if (phase == tlm::END_RESP) {
      end_resp_.notify();
      return tlm::TLM_COMPLETED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    switch (manner_) {
      case answer::completed:
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        t += fs(delay_);
        return tlm::TLM_COMPLETED;
      case answer::begin_resp:
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        phase = tlm::BEGIN_RESP;
        t += fs(delay_);
        return tlm::TLM_UPDATED;
      case answer::end_req:
        queue_.push_back(&p);
        arrived_.notify();
        phase = tlm::END_REQ;
        t += fs(delay_);
        return tlm::TLM_UPDATED;
      case answer::end_req_by_nested_call: {
        queue_.push_back(&p);
        arrived_.notify();
        tlm::tlm_phase end = tlm::END_REQ;
        sc_core::sc_time none;
        EXPECT_EQ(socket->nb_transport_bw(p, end, none), tlm::TLM_ACCEPTED);
        return tlm::TLM_ACCEPTED;
      }
      default:
        queue_.push_back(&p);
        arrived_.notify();
        return tlm::TLM_ACCEPTED;
    }
  }
  void serve() {
    while (true) {
      while (queue_.empty()) wait(arrived_);
      tlm::tlm_generic_payload& p = *queue_.front();
      wait(fs(service_));
      queue_.pop_front();
      sc_core::sc_time t;
      tlm::tlm_phase ignorable = foreign_phase;
      EXPECT_EQ(socket->nb_transport_bw(p, ignorable, t), tlm::TLM_ACCEPTED);
      ++ignorable_phases_sent;
      if (manner_ == answer::accepted) {
        tlm::tlm_phase end = tlm::END_REQ;
        t = fs(delay_);
        socket->nb_transport_bw(p, end, t);
        wait(fs(delay_ + core_period));
      }
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase begin = tlm::BEGIN_RESP;
      t = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_bw(p, begin, t) == tlm::TLM_ACCEPTED) wait(end_resp_);
    }
  }
  answer manner_;
  femtoseconds delay_;
  femtoseconds service_;
  std::deque<tlm::tlm_generic_payload*> queue_;
  sc_core::sc_event arrived_;
  sc_core::sc_event end_resp_;
};

class foreign_memory_test : public support::systemc_test {
 protected:
  using driver_type = support::memory_driver<base_protocol>;
  // Binds a driver to a target, lets it read in every cycle from cycle 1 on and returns it after the simulation.
  template <class TARGET>
  driver_type& read_from(TARGET& target, unsigned count, std::function<bool(cycle_t)> takes = {}) {
    driver_ = std::make_unique<driver_type>("driver", core());
    driver_->port.bind(target.socket);
    driver_->port.observers().attach(checker);
    if (takes) driver_->takes = takes;
    for (unsigned i = 0; i < count; ++i) driver_->read_at(1, 100 + i);
    run_through(300);
    EXPECT_EQ(driver_->responded.size(), count);
    EXPECT_EQ(checker.violation(), "");
    EXPECT_EQ(checker.open_transactions(), 0u);
    EXPECT_EQ(checker.completed_transactions(), count);
    EXPECT_EQ(driver_->pool.outstanding(), 0u);
    return *driver_;
  }
  protocol_checker checker;

 private:
  std::unique_ptr<driver_type> driver_;
};

TEST_F(foreign_memory_test, a_target_that_completes_in_the_call_is_answered_one_cycle_later) {
  foreign_target target("target", answer::completed);
  const auto& driver = read_from(target, 5);
  EXPECT_EQ(cycles_of(driver.requested), (cycles{1, 2, 3, 4, 5}));
  EXPECT_EQ(cycles_of(driver.responded), (cycles{2, 3, 4, 5, 6}));
}

TEST_F(foreign_memory_test, an_annotated_delay_of_a_completion_is_respected) {
  foreign_target target("target", answer::completed, 10 * core_period);
  const auto& driver = read_from(target, 1);
  EXPECT_EQ(cycles_of(driver.responded), (cycles{12})) << "strictly after edge 11";
}

TEST_F(foreign_memory_test, completions_are_held_back_by_responses_that_nobody_takes) {
  foreign_target target("target", answer::completed);
  const auto& driver = read_from(target, 6, [](cycle_t c) { return c >= 20; });
  // Two fit the queue, the third cannot be refused; then no request begins until a response is taken.
  EXPECT_EQ(cycles_of(driver.requested), (cycles{1, 2, 3, 20, 21, 22}));
  EXPECT_EQ(cycles_of(driver.responded), (cycles{20, 21, 22, 23, 24, 25}));
}

TEST_F(foreign_memory_test, a_target_may_begin_the_response_in_the_call) {
  foreign_target target("target", answer::begin_resp);
  const auto& driver = read_from(target, 4, [](cycle_t c) { return c == 2 || c >= 9; });
  EXPECT_EQ(driver.responded.front().cycle, 2u);
}

TEST_F(foreign_memory_test, a_response_begun_in_the_call_with_a_delay_ends_not_before_it_begins) {
  foreign_target target("target", answer::begin_resp, 4 * core_period + 1);
  const auto& driver = read_from(target, 1);  // the checker compares the times of the phases
  EXPECT_EQ(cycles_of(driver.responded), (cycles{6}));
}

TEST_F(foreign_memory_test, a_delayed_end_of_the_request_delays_the_next_request) {
  foreign_target target("target", answer::end_req, 4 * core_period, 10 * core_period);
  const auto& driver = read_from(target, 3);
  EXPECT_EQ(cycles_of(driver.requested), (cycles{1, 6, 11})) << "strictly after the END_REQ at edges 5 and 10";
}

TEST_F(foreign_memory_test, a_target_may_accept_and_send_each_phase_later) {
  foreign_target target("target", answer::accepted);
  const auto& driver = read_from(target, 3);
  EXPECT_EQ(cycles_of(driver.requested).front(), 1u);
  EXPECT_EQ(driver.requested[1].cycle, 5u) << "END_REQ 3 cycles and 7 fs after edge 1";
  EXPECT_EQ(target.ignorable_phases_sent, 3);
}

TEST_F(foreign_memory_test, late_ends_of_requests_may_carry_a_delay) {
  foreign_target target("target", answer::accepted, 2 * core_period);
  const auto& driver = read_from(target, 2);
  EXPECT_EQ(driver.requested[1].cycle, 7u);
}

TEST_F(foreign_memory_test, a_response_may_stand_for_the_end_of_its_request) {
  foreign_target target("target", answer::accepted_without_end_req);
  const auto& driver = read_from(target, 3);
  EXPECT_EQ(driver.requested[1].cycle, 5u);
  EXPECT_EQ(driver.responded[0].cycle, 5u);
}

TEST_F(foreign_memory_test, the_end_of_a_request_may_come_while_it_is_being_sent) {
  foreign_target target("target", answer::end_req_by_nested_call);
  const auto& driver = read_from(target, 3);
  EXPECT_EQ(cycles_of(driver.requested), (cycles{1, 2, 3}));
}

TEST_F(foreign_memory_test, responses_nobody_takes_hold_back_a_foreign_target) {
  foreign_target target("target", answer::end_req, 0, core_period / 3);
  const auto& driver = read_from(target, 6, [](cycle_t c) { return c >= 50; });
  EXPECT_EQ(driver.responded.front().cycle, 50u);
}

// A target without notion of time, with the adapter of its socket.
struct blocking_target : sc_core::sc_module {
  explicit blocking_target(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &blocking_target::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& t) {
    p.get_data_ptr()[0] = static_cast<std::uint8_t>(p.get_address());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    t += fs(5 * core_period);
  }
  tlm_utils::simple_target_socket<blocking_target> socket;
};

TEST_F(foreign_memory_test, a_loosely_timed_target_is_served_by_the_adapter_of_its_socket) {
  blocking_target target("target");
  const auto& driver = read_from(target, 3);
  EXPECT_EQ(driver.responses[2].data[0], 102);
  EXPECT_EQ(driver.responded[0].cycle, 7u);
}

// -- initiators --

enum class ending { in_call, later, nested };

// Sends requests from a thread at given times; ends responses in the given manner.
struct foreign_initiator : sc_core::sc_module {
  using SC_CURRENT_USER_MODULE = foreign_initiator;  // as in tlm_bus/stage.cpp
  foreign_initiator(const sc_core::sc_module_name& name, std::vector<femtoseconds> at, ending manner,
                    femtoseconds delay = 0)
      : sc_module(name), socket("socket"), at_(std::move(at)), manner_(manner), delay_(delay) {
    socket.register_nb_transport_bw(this, &foreign_initiator::nb_transport_bw);
    SC_THREAD(send);
    SC_THREAD(end_late);
  }
  tlm_utils::simple_initiator_socket<foreign_initiator> socket;
  model::payload_pool pool;
  std::vector<femtoseconds> begun;      // BEGIN_REQ
  std::vector<femtoseconds> responded;  // BEGIN_RESP

 private:
  void send() {
    for (femtoseconds t : at_) {
      if (fs(t) > sc_core::sc_time_stamp()) wait(fs(t) - sc_core::sc_time_stamp());
      model::memory_payload& p = pool.get();
      p.prepare(tlm::TLM_WRITE_COMMAND, begun.size(), 1);
      begun.push_back(sc_core::sc_time_stamp().value());
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = fs(delay_);
      if (socket->nb_transport_fw(p, phase, delay) == tlm::TLM_ACCEPTED)
        wait(end_req_);
      else
        EXPECT_EQ(phase, tlm::END_REQ);
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      end_req_.notify();
      return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    responded.push_back(sc_core::sc_time_stamp().value());
    switch (manner_) {
      case ending::in_call:
        p.release();
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
      case ending::nested: end(p); return tlm::TLM_ACCEPTED;
      case ending::later: break;
    }
    to_end_ = &p;
    end_resp_.notify(fs(10 * core_period));
    return tlm::TLM_ACCEPTED;
  }
  void end(tlm::tlm_generic_payload& p) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time none;
    EXPECT_EQ(socket->nb_transport_fw(p, phase, none), tlm::TLM_COMPLETED);
    p.release();
  }
  void end_late() {
    while (true) {
      wait(end_resp_);
      end(*to_end_);
    }
  }
  std::vector<femtoseconds> at_;
  ending manner_;
  femtoseconds delay_;
  sc_core::sc_event end_req_;
  sc_core::sc_event end_resp_;
  tlm::tlm_generic_payload* to_end_ = nullptr;
};

class foreign_initiator_test : public support::systemc_test {
 protected:
  using memory_type = support::memory_responder<base_protocol>;
  memory_type& serve(foreign_initiator& initiator, std::function<bool(cycle_t)> takes = {}) {
    memory_ = std::make_unique<memory_type>("memory", core(), 2);
    initiator.socket.bind(memory_->port);
    memory_->port.observers().attach(checker);
    if (takes) memory_->takes = takes;
    run_through(300);
    EXPECT_EQ(checker.violation(), "");
    EXPECT_EQ(checker.open_transactions(), 0u);
    EXPECT_EQ(initiator.pool.outstanding(), 0u);
    return *memory_;
  }
  protocol_checker checker;

 private:
  std::unique_ptr<memory_type> memory_;
};

TEST_F(foreign_initiator_test, requests_at_any_time_are_visible_at_the_next_edge) {
  foreign_initiator initiator("initiator", {5 * core_period - 1, 10 * core_period, 15 * core_period + 1},
                              ending::in_call);
  const auto& memory = serve(initiator);
  EXPECT_EQ(cycles_of(memory.taken), (cycles{5, 11, 16}));
  EXPECT_EQ(initiator.responded, (std::vector<femtoseconds>{7 * core_period, 13 * core_period, 18 * core_period}));
}

TEST_F(foreign_initiator_test, an_annotated_delay_of_a_request_is_respected_and_disturbs_nobody) {
  // The stage has work in between; a request far in the future must not make it miss that.
  foreign_initiator initiator("initiator", {5 * core_period, 7 * core_period}, ending::in_call, 100 * core_period);
  support::token_source<int> other("other", core());
  support::token_sink<int> sink("sink", core(), 2);
  other.out(sink.in);
  other.send_at(20, 1);
  other.send_at(90, 2);
  const auto& memory = serve(initiator);
  EXPECT_EQ(cycles_of(memory.taken), (cycles{106, 108}));
  EXPECT_EQ(sink.taken, (std::vector<support::timed<int>>{{21, 1}, {91, 2}}));
}

TEST_F(foreign_initiator_test, a_full_queue_holds_the_initiator_back) {
  const femtoseconds t = 5 * core_period;
  foreign_initiator initiator("initiator", {t, t, t, t}, ending::in_call);
  const auto& memory = serve(initiator, [](cycle_t c) { return c >= 30; });
  // Two find a slot; the third is ended one cycle after the first slot is freed, the fourth follows at once.
  EXPECT_EQ(initiator.begun, (std::vector<femtoseconds>{t, t, t, 31 * core_period}));
  EXPECT_EQ(cycles_of(memory.taken), (cycles{30, 31, 32, 33}));
}

TEST_F(foreign_initiator_test, a_delayed_request_to_a_full_queue_is_not_ended_before_it_begins) {
  const femtoseconds t = 5 * core_period;
  foreign_initiator initiator("initiator", {t, t, t}, ending::in_call, 50 * core_period);
  const auto& memory = serve(initiator);  // the checker compares the times of the phases
  EXPECT_EQ(memory.taken.front().cycle, 56u);
  EXPECT_EQ(memory.taken.size(), 3u);
}

TEST_F(foreign_initiator_test, responses_may_be_ended_later) {
  foreign_initiator initiator("initiator", {5 * core_period, 6 * core_period}, ending::later);
  serve(initiator);
  EXPECT_EQ(initiator.responded, (std::vector<femtoseconds>{8 * core_period, 19 * core_period}))
      << "the second response begins strictly after the END_RESP at edge 18";
}

TEST_F(foreign_initiator_test, responses_may_be_ended_while_they_are_being_sent) {
  foreign_initiator initiator("initiator", {5 * core_period, 6 * core_period}, ending::nested);
  serve(initiator);
  EXPECT_EQ(initiator.responded, (std::vector<femtoseconds>{8 * core_period, 9 * core_period}));
}

// -- what is not legal --

// Makes one call on a target from a thread.
struct caller : sc_core::sc_module {
  using SC_CURRENT_USER_MODULE = caller;  // as in tlm_bus/stage.cpp
  caller(const sc_core::sc_module_name& name, std::function<void(caller&)> action)
      : sc_module(name), socket("socket"), action_(std::move(action)) {
    SC_THREAD(run);
  }
  tlm::tlm_sync_enum call(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time none;
    return socket->nb_transport_fw(p, phase, none);
  }
  tlm::tlm_sync_enum end_response(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  model::memory_payload& new_read() {
    model::memory_payload& p = pool.get();
    p.prepare(tlm::TLM_READ_COMMAND, 0, 4);
    return p;
  }
  tlm_utils::simple_initiator_socket<caller> socket;
  model::payload_pool pool;

 private:
  void run() {
    wait(fs(10 * core_period));
    action_(*this);
  }
  std::function<void(caller&)> action_;
};

class illegal_call_test : public support::systemc_test {
 protected:
  std::string error_of(std::function<void(caller&)> action) {
    caller foreign("foreign", std::move(action));
    support::memory_responder<base_protocol> memory("memory", core());
    foreign.socket.bind(memory.port);
    return error_of_run_through(50);
  }
};

TEST_F(illegal_call_test, a_payload_without_memory_manager_is_refused) {
  tlm::tlm_generic_payload unmanaged;
  EXPECT_NE(error_of([&](caller& c) {
              c.call(unmanaged, tlm::BEGIN_REQ);
            }).find("memory.port: transaction without memory manager"),
            std::string::npos);
}

TEST_F(illegal_call_test, a_phase_of_the_other_direction_is_refused) {
  EXPECT_NE(error_of([](caller& c) {
              c.call(c.new_read(), tlm::BEGIN_RESP);
            }).find("memory.port: unexpected phase on the forward path"),
            std::string::npos);
}

TEST_F(illegal_call_test, the_end_of_a_response_that_did_not_begin_is_refused) {
  EXPECT_NE(error_of([](caller& c) {
              c.call(c.new_read(), tlm::END_RESP);
            }).find("memory.port: END_RESP of a response that is not waiting for it"),
            std::string::npos);
}

TEST_F(illegal_call_test, a_request_before_the_end_of_the_last_one_is_refused) {
  EXPECT_NE(error_of([](caller& c) {
              for (int i = 0; i < 4; ++i) c.call(c.new_read(), tlm::BEGIN_REQ);
            }).find("memory.port: BEGIN before the END of the last one"),
            std::string::npos);
}

TEST_F(illegal_call_test, a_second_request_of_a_transaction_under_way_is_refused) {
  EXPECT_NE(error_of([](caller& c) {
              model::memory_payload& p = c.new_read();
              c.call(p, tlm::BEGIN_REQ);
              c.call(p, tlm::BEGIN_REQ);
            }).find("memory.port: BEGIN_REQ of a transaction that is under way already"),
            std::string::npos);
}

TEST_F(illegal_call_test, an_initiator_may_use_a_payload_again_when_its_response_has_ended) {
  caller foreign("foreign", [](caller& c) {
    model::memory_payload& p = c.new_read();
    for (int i = 0; i < 2; ++i) {
      p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      c.call(p, tlm::BEGIN_REQ);
      sc_core::wait(fs(10 * core_period));
    }
  });
  foreign.socket.register_nb_transport_bw(&foreign, &caller::end_response);
  support::memory_responder<base_protocol> memory("memory", core());
  foreign.socket.bind(memory.port);
  run_through(50);
  EXPECT_EQ(memory.taken.size(), 2u);
}

// Answers a request in the return of its call with `first`, and 20 cycles later by `then`.
struct wrong_target : sc_core::sc_module {
  using SC_CURRENT_USER_MODULE = wrong_target;  // as in tlm_bus/stage.cpp
  wrong_target(const sc_core::sc_module_name& name, tlm::tlm_sync_enum first, tlm::tlm_response_status status,
               bool then)
      : sc_module(name), socket("socket"), first_(first), status_(status), then_(then) {
    socket.register_nb_transport_fw(this, &wrong_target::nb_transport_fw);
    SC_THREAD(respond);
  }
  tlm_utils::simple_target_socket<wrong_target> socket;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    p.set_response_status(status_);
    request_ = &p;
    if (then_) arrived_.notify(fs(20 * core_period));
    return first_;
  }
  void respond() {
    wait(arrived_);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time none;
    socket->nb_transport_bw(*request_, phase, none);
  }
  tlm::tlm_sync_enum first_;
  tlm::tlm_response_status status_;
  bool then_;
  tlm::tlm_generic_payload* request_ = nullptr;
  sc_core::sc_event arrived_;
};

class illegal_answer_test : public support::systemc_test {
 protected:
  std::string error_of(wrong_target& target) {
    support::memory_driver<base_protocol> driver("driver", core());
    driver.port.bind(target.socket);
    driver.read_at(1, 0x40);
    return error_of_run_through(50);
  }
};

TEST_F(illegal_answer_test, a_response_to_a_completed_transaction_is_refused) {
  wrong_target target("target", tlm::TLM_COMPLETED, tlm::TLM_OK_RESPONSE, true);
  const std::string error = error_of(target);
  EXPECT_NE(error.find("/gt200/protocol"), std::string::npos) << error;
  EXPECT_NE(error.find("driver.port: BEGIN_RESP of a transaction that is not under way"), std::string::npos)
      << error;
}

TEST_F(illegal_answer_test, a_response_without_a_status_is_refused) {
  wrong_target target("target", tlm::TLM_ACCEPTED, tlm::TLM_INCOMPLETE_RESPONSE, true);
  const std::string error = error_of(target);
  EXPECT_NE(error.find("driver.port: BEGIN_RESP without a response status, for a read of 4 bytes at 0x40"),
            std::string::npos)
      << error;
}

TEST_F(illegal_answer_test, a_completion_without_a_status_is_refused) {
  wrong_target target("target", tlm::TLM_COMPLETED, tlm::TLM_INCOMPLETE_RESPONSE, false);
  EXPECT_NE(error_of(target).find("driver.port: BEGIN_RESP without a response status"), std::string::npos);
}

TEST_F(illegal_call_test, an_extended_phase_is_ignored_and_not_refused) {
  caller foreign("foreign", [](caller& c) {
    model::memory_payload& p = c.new_read();
    EXPECT_EQ(c.call(p, foreign_phase), tlm::TLM_ACCEPTED);
    p.release();
  });
  support::memory_responder<base_protocol> memory("memory", core());
  foreign.socket.bind(memory.port);
  run_through(50);
  EXPECT_EQ(memory.taken.size(), 0u);
  EXPECT_EQ(foreign.pool.outstanding(), 0u);
}

}  // namespace
}  // namespace gt200::tlm_bus
