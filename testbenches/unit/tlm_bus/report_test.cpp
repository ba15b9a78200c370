// Errors in the middle of a simulation are reports of SystemC with ids of their own. A platform decides what they
// do.
#include "tlm_bus/report.h"

#include "sc_models/memory_transaction.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/memory_port.h"

namespace gt200::tlm_bus {
namespace {

struct seen_report {
  std::string id;
  std::string text;
  sc_core::sc_severity severity = sc_core::SC_INFO;
  unsigned count = 0;
};
seen_report last_report;  // SystemC's handler is a plain function

void remember_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  last_report = {report.get_msg_type(), report.get_msg(), report.get_severity(), last_report.count + 1};
  if ((actions & sc_core::SC_THROW) != 0) throw report;
}

// Fails in its fifth cycle.
struct failing_stage : stage {
  failing_stage(const sc_core::sc_module_name& name, clock_domain& domain, const char* id)
      : stage(name, domain), id_(id) {
    wake_at(1);
  }
  void tick() override {
    ++ticks;
    if (ticks == 5) {
      if (id_ == nullptr) throw std::logic_error("s: broken");
      throw reported_error(id_, "s: broken");
    }
    wake_next();
  }
  unsigned ticks = 0;
  const char* id_;
};

class report_test : public support::systemc_test {
 protected:
  report_test() { sc_core::sc_report_handler::set_handler(remember_report); }
};

TEST_F(report_test, an_error_of_a_stage_is_a_defect_and_ends_the_simulation) {
  failing_stage s("s", core(), nullptr);
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.id, defect_report);
  EXPECT_EQ(last_report.text, "s at cycle 5 of clocking_core: s: broken");
  EXPECT_EQ(last_report.severity, sc_core::SC_ERROR);
  EXPECT_EQ(last_report.count, 1u);
}

TEST_F(report_test, an_error_keeps_its_id) {
  failing_stage s("s", core(), lockstep_report);
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.id, lockstep_report);
}

TEST_F(report_test, an_error_of_code_that_a_user_has_given_has_an_id_and_a_name) {
  set_name_of_thrower([](const void*) { return std::string("fault of plug-in mine"); });
  failing_stage s("s", core(), nullptr);
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.id, foreign_report);
  EXPECT_EQ(last_report.text, "fault of plug-in mine: s at cycle 5 of clocking_core: s: broken");
}

TEST_F(report_test, so_has_an_error_with_an_id_that_such_code_has_caused) {
  set_name_of_thrower([](const void*) { return std::string("fault in a call by plug-in mine"); });
  failing_stage s("s", core(), protocol_report);
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.id, foreign_report);
  EXPECT_EQ(last_report.text, "fault in a call by plug-in mine: s: broken");
}

TEST_F(report_test, the_same_with_real_clocks) {
  clocking_options options;
  options.mode = clocking_options::way::reference;
  failing_stage s("s", clock(options).core, nullptr);
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.id, defect_report);
  EXPECT_EQ(last_report.text.substr(0, 11), "s at cycle ");
}

TEST_F(report_test, the_same_while_it_is_audited) {
  clocking_options options;
  options.audit = true;
  failing_stage s("s", clock(options).core, nullptr);
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.text.substr(0, 11), "s at cycle ");
}

// A stage, or a policy that it asks, throws what is no std::exception.
struct number_thrower : stage {
  number_thrower(const sc_core::sc_module_name& name, clock_domain& domain) : stage(name, domain) { wake_at(7); }
  void tick() override {
    if (cycle() == 7) throw 42;
  }
};

TEST_F(report_test, what_is_no_exception_of_the_standard_has_a_place_as_well) {
  number_thrower s("s", core());
  EXPECT_THROW(run_through(100), sc_core::sc_report);
  EXPECT_EQ(last_report.id, defect_report);
  EXPECT_EQ(last_report.text, "s at cycle 7 of clocking_core: an exception that is no std::exception");
}

TEST_F(report_test, without_an_action_the_chip_stands_still_and_the_simulation_goes_on) {
  sc_core::sc_report_handler::set_actions(defect_report, sc_core::SC_ERROR, sc_core::SC_LOG);
  failing_stage s("s", core(), nullptr);
  run_through(100);
  EXPECT_EQ(last_report.count, 1u);
  EXPECT_EQ(s.ticks, 5u);
  EXPECT_GE(sc_core::sc_time_stamp().value(), 100 * support::core_period);
}

// A process of the platform that sends a payload without a memory manager.
struct wrong_initiator : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  tlm::tlm_initiator_socket<> socket;
  explicit wrong_initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
    socket.bind(*this);
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = wrong_initiator;
    SC_THREAD(run);
  }
  void run() {
    wait(100, sc_core::SC_NS);
    tlm::tlm_generic_payload payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    try {
      answer = socket->nb_transport_fw(payload, phase, delay);
    } catch (const sc_core::sc_report&) {
      thrown = true;
    }
    wait(100, sc_core::SC_NS);
    went_on = true;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
  bool thrown = false;
  bool went_on = false;
};

struct unused_memory : stage {
  unused_memory(const sc_core::sc_module_name& name, clock_domain& domain)
      : stage(name, domain), port("port", *this) {}
  void tick() override {}
  memory_target<base_protocol> port;
};

TEST_F(report_test, a_wrong_call_of_a_foreign_process_is_reported_there) {
  unused_memory target("memory", core());
  wrong_initiator initiator("initiator");
  initiator.socket.bind(target.port);
  run_through(200);
  EXPECT_TRUE(initiator.thrown);
  EXPECT_TRUE(initiator.went_on) << "the simulation goes on";
  EXPECT_EQ(last_report.id, protocol_report);
  EXPECT_EQ(last_report.text, "memory.port: transaction without memory manager");
}

TEST_F(report_test, without_an_action_a_wrong_call_has_no_effect) {
  sc_core::sc_report_handler::set_actions(protocol_report, sc_core::SC_ERROR, sc_core::SC_LOG);
  unused_memory target("memory", core());
  wrong_initiator initiator("initiator");
  initiator.socket.bind(target.port);
  run_through(200);
  EXPECT_FALSE(initiator.thrown);
  EXPECT_EQ(initiator.answer, tlm::TLM_ACCEPTED);
  EXPECT_EQ(target.port.requests_waiting(), 0u);
  EXPECT_EQ(last_report.count, 1u);
}

}  // namespace
}  // namespace gt200::tlm_bus
