// The audit also calls sleeping stages and fails if one of them does anything: tests that must fail, and tests that
// must pass.
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"

namespace gt200::tlm_bus {
namespace {

class audit_test : public support::systemc_test {
 protected:
  audit_test() {
    clocking_options audited;
    audited.audit = true;
    clock(audited);
  }
};

// Passes tokens on; the test decides how it makes itself due.
class relay : public stage {
 public:
  relay(const sc_core::sc_module_name& name, clock_domain& domain, std::function<void(relay&)> does)
      : stage(name, domain),
        in("in", *this, 4),
        out("out", *this),
        work("work", "calls", "Made-up work"),
        does_(std::move(does)) {}
  pipe_in<int> in;
  pipe_out<int> out;
  counter work;
  void pass_on() {
    out.send(*in.front());
    in.pop();
  }

 private:
  void tick() override { does_(*this); }
  std::function<void(relay&)> does_;
};

struct line {
  line(clock_domain& domain, std::function<void(relay&)> does)
      : source("source", domain), middle("middle", domain, std::move(does)), sink("sink", domain, 1) {
    source.out(middle.in);
    middle.out(sink.in);
  }
  support::token_source<int> source;
  relay middle;
  support::token_sink<int> sink;
};

TEST_F(audit_test, a_stage_that_sleeps_only_when_it_has_nothing_to_do_passes) {
  line l(core(), [](relay& self) {
    if (self.in.front() != nullptr && self.out.can_send()) self.pass_on();
  });
  for (int i = 0; i < 20; ++i) l.source.send_at(3, i);
  l.sink.takes = [](cycle_t c) { return c % 3 == 0; };
  run_through(200);
  EXPECT_EQ(l.sink.taken.size(), 20u);
}

TEST_F(audit_test, a_stage_that_forgets_to_wake_itself_for_later_work_is_found) {
  line l(core(), [](relay& self) {
    if (self.in.front() != nullptr && self.cycle() % 10 == 0) self.pass_on();  // and no wake_at() otherwise
  });
  l.source.send_at(3, 1);
  EXPECT_NE(
      error_of_run_through(50).find("audit: middle was asleep but had work to do at cycle 10 of clocking_core"),
      std::string::npos);
}

TEST_F(audit_test, a_stage_that_asks_for_credit_too_late_is_found) {
  // It looks at the output in cycles divisible by 4 only. When called although asleep it asks, as it would in
  // reference clocking, and a credit would wake it later: the audit must not let this pass for a wake-up.
  line l(core(), [](relay& self) {
    if (self.in.front() != nullptr && self.cycle() % 4 == 0 && self.out.can_send()) self.pass_on();
  });
  l.sink.takes = [](cycle_t c) { return c >= 30; };
  l.source.send_at(3, 1);
  l.source.send_at(3, 2);
  EXPECT_NE(error_of_run_through(100).find("audit: middle was asleep but had work to do"), std::string::npos);
}

TEST_F(audit_test, a_counter_that_counts_while_asleep_is_found) {
  line l(core(), [](relay& self) {
    if (self.cycle() == 17) ++self.work;
  });
  EXPECT_NE(error_of_run_through(50).find("audit: middle was asleep but had work to do at cycle 17"),
            std::string::npos);
}

TEST_F(audit_test, waking_another_stage_while_asleep_is_found) {
  stage* other = nullptr;
  line l(core(), [&](relay& self) {
    if (self.cycle() == 17) other->wake_next();
  });
  other = &l.sink;
  EXPECT_NE(error_of_run_through(50).find("audit: middle was asleep but had work to do at cycle 17"),
            std::string::npos);
}

TEST_F(audit_test, a_stage_can_tell_that_it_is_asleep) {
  std::vector<cycle_t> awake;
  line l(core(), [&](relay& self) {
    if (!self.asleep()) awake.push_back(self.cycle());
  });
  l.middle.wake_at(5);
  l.middle.wake_at(90);
  run_through(100);
  EXPECT_EQ(awake, (std::vector<cycle_t>{5, 90}));
}

TEST_F(audit_test, wakes_asked_for_while_asleep_are_ignored) {
  std::vector<cycle_t> awake;
  line l(core(), [&](relay& self) {
    if (!self.asleep()) awake.push_back(self.cycle());
    if (self.cycle() == 20 || self.cycle() == 40) self.wake_next();
  });
  l.middle.wake_at(40);
  run_through(100);
  EXPECT_EQ(awake, (std::vector<cycle_t>{40, 41}));
}

}  // namespace
}  // namespace gt200::tlm_bus
