// Ports: bound to a module or to the port of the surrounding module, resolved when the modules end their
// elaboration, in the hierarchy as an sc_port.
#include "tlm_bus/port.h"

#include "testbenches/support/systemc_test.h"

namespace gt200::tlm_bus {
namespace {

class answer_if : public virtual sc_core::sc_interface {
 public:
  virtual int answer() const = 0;
};

struct oracle : sc_core::sc_module, answer_if {
  oracle(const sc_core::sc_module_name& name, int value) : sc_module(name), value_(value) {}
  int answer() const override { return value_; }
  int value_;
};

struct asker : sc_core::sc_module {
  explicit asker(const sc_core::sc_module_name& name) : sc_module(name) {}
  port<answer_if> first{"first"};
  port<answer_if> second{"second"};
  int at_end_of_elaboration = 0;

 private:
  void end_of_elaboration() override { at_end_of_elaboration = first->answer(); }
};

struct surrounding : sc_core::sc_module {
  explicit surrounding(const sc_core::sc_module_name& name) : sc_module(name) {
    inner.first.bind(first);
    inner.second.bind(own);
  }
  port<answer_if> first{"first"};
  oracle own{"own", 2};
  asker inner{"inner"};
};

class port_test : public support::systemc_test {};

TEST_F(port_test, calls_what_it_is_bound_to_also_through_the_port_of_the_surrounding_module) {
  oracle one("one", 1);
  surrounding outer("outer");
  outer.first.bind(one);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(outer.inner.at_end_of_elaboration, 1) << "modules may use it from end_of_elaboration() on";
  EXPECT_EQ(outer.inner.first->answer(), 1);
  EXPECT_EQ((*outer.inner.second).answer(), 2);
}

TEST_F(port_test, is_bound_once) {
  oracle one("one", 1), two("two", 2);
  asker a("a");
  a.first.bind(one);
  try {
    a.first.bind(two);
    FAIL() << "no refusal";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "a.first: is bound a second time, and has room for one interface");
  }
}

TEST_F(port_test, is_an_sc_port_in_the_hierarchy) {
  asker a("a");
  ASSERT_EQ(a.get_child_objects().size(), 2u);
  EXPECT_STREQ(a.get_child_objects()[0]->name(), "a.first");
  EXPECT_NE(dynamic_cast<sc_core::sc_port<answer_if>*>(a.get_child_objects()[1]), nullptr);
}

class question : public question_if {
 public:
  virtual int answer() const = 0;
};

TEST_F(port_test, says_whether_anything_can_change_through_it) {
  struct both : sc_core::sc_module {
    explicit both(const sc_core::sc_module_name& name) : sc_module(name) {}
    port<question> asks{"asks"};
    port<answer_if> may_command{"may_command"};
  } b("b");
  const auto* asks = dynamic_cast<const port_state*>(b.get_child_objects()[0]);
  const auto* may_command = dynamic_cast<const port_state*>(b.get_child_objects()[1]);
  ASSERT_NE(asks, nullptr);
  ASSERT_NE(may_command, nullptr);
  EXPECT_TRUE(asks->only_asks());
  EXPECT_FALSE(may_command->only_asks());
}

TEST_F(port_test, left_unbound_ends_elaboration_with_an_error) {
  asker a("a");
  oracle one("one", 1);
  a.first.bind(one);
  const std::string error = error_of_run_through(1);
  EXPECT_NE(error.find("a.second"), std::string::npos) << error;
}

TEST_F(port_test, is_as_small_as_its_module_needs_it) { EXPECT_EQ(sizeof(port<answer_if>), 2 * sizeof(void*)); }

}  // namespace
}  // namespace gt200::tlm_bus
