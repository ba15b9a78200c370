// What a state image keeps and brings back, and how a clocking carries out a reset.
#include "tlm_bus/state_image.h"

#include <gtest/gtest.h>

#include "testbenches/support/systemc_test.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/payload_pool.h"
#include "tlm_bus/pool.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {
namespace {

struct part_of_it {
  int value = 4;
  void visit_state(state_image& state) { state(value); }
};

class holder : public sc_core::sc_module, public resettable {
 public:
  explicit holder(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  void visit_state(state_image& state) override {
    state(number, words, texts, part, parts, owned, none, taken);
    state.fixed(constant);
    state.remake(made, [] { return std::make_unique<int>(1); });
    if (longer) state(constant);
  }

  int number = 3;
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(1000, 7);
  std::vector<std::string> texts = {"a", "b"};
  part_of_it part;
  std::deque<part_of_it> parts = std::deque<part_of_it>(2);
  std::unique_ptr<part_of_it> owned = std::make_unique<part_of_it>();
  std::unique_ptr<part_of_it> none;
  std::unique_ptr<int> made = std::make_unique<int>(1);
  pool<int> taken;
  int constant = 9;
  bool longer = false;
  counter counted{"counted", "units", "something"};
};

class state_image_test : public support::systemc_test {};

TEST_F(state_image_test, brings_members_back) {
  holder h("h");
  state_image image;
  image.keep(h);
  EXPECT_LT(image.bytes(), 200u) << "equal words are kept as one";
  const std::uint32_t* const place = h.words.data();
  h.number = h.part.value = h.parts[1].value = h.owned->value = 0;
  h.words[5] = 1;
  h.words.pop_back();
  h.texts = {"other", "texts", "here"};
  *h.made = 2;
  h.constant = 10;
  int* const first = h.taken.get();
  h.taken.get();
  h.counted += 5;
  EXPECT_TRUE(image.refusals().empty());
  image.restore(h);
  EXPECT_EQ(h.number, 3);
  EXPECT_EQ(h.words, std::vector<std::uint32_t>(1000, 7));
  EXPECT_EQ(h.words.data(), place) << "who points to them still does";
  EXPECT_EQ(h.texts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(h.part.value, 4);
  EXPECT_EQ(h.parts[1].value, 4);
  EXPECT_EQ(h.owned->value, 4);
  EXPECT_EQ(*h.made, 1);
  EXPECT_EQ(h.constant, 10) << "fixed members are not touched";
  EXPECT_EQ(h.taken.outstanding(), 0u);
  EXPECT_EQ(h.taken.get(), first);
  EXPECT_EQ(h.counted.value(), 0u);
}

TEST_F(state_image_test, refuses_modules_that_say_nothing) {
  struct silent : sc_core::sc_module {
    explicit silent(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  } root("root");
  class silent_stage : public stage {
   public:
    using stage::stage;
    void tick() override {}
  } below("below", core());
  state_image image;
  image.keep(root);
  ASSERT_EQ(image.refusals().size(), 1u);
  EXPECT_EQ(image.refusals()[0], "root: a module that does not say what its state is");
  EXPECT_THROW(image.restore(root), std::logic_error);
  state_image of_stage;
  of_stage.keep(below);
  ASSERT_EQ(of_stage.refusals().size(), 1u);
  EXPECT_EQ(of_stage.refusals()[0], "below: a stage that does not say what its state is");
}

TEST_F(state_image_test, notices_a_list_that_has_changed) {
  holder h("h");
  state_image image;
  image.keep(h);
  EXPECT_THROW(image.keep(h), std::logic_error);
  h.longer = true;
  EXPECT_THROW(image.restore(h), std::logic_error);
}

TEST_F(state_image_test, takes_payloads_back_whoever_holds_them) {
  struct nothing : tlm::tlm_extension<nothing> {
    tlm::tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const tlm::tlm_extension_base&) override {}
  };
  class owner : public sc_core::sc_module, public resettable {
   public:
    explicit owner(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
    void visit_state(state_image& state) override { state(payloads); }
    payload_pool<nothing> payloads;
  } o("o");
  state_image image;
  image.keep(o);
  auto& first = o.payloads.get();
  auto& second = o.payloads.get();
  second.acquire();
  EXPECT_EQ(o.payloads.outstanding(), 2u);
  image.restore(o);
  EXPECT_EQ(o.payloads.outstanding(), 0u);
  EXPECT_EQ(second.get_ref_count(), 0);
  EXPECT_EQ(&o.payloads.get(), &first);
}

// Is due in every tenth cycle, until it is told to rest.
class ticking : public stage {
 public:
  ticking(const char* name, clock_domain& domain) : stage(name, domain) { wake_at(0); }
  void tick() override {
    ticks.push_back(cycle());
    if (cycle() == fails_at) throw std::logic_error("broken");
    if (!rests) wake_at(cycle() + 10);
  }
  void visit_state(state_image& state) override { state(rests); }
  std::vector<cycle_t> ticks;
  bool rests = false;
  cycle_t fails_at = no_cycle;
};

TEST_F(state_image_test, a_reset_makes_every_stage_due_once_and_nothing_else) {
  ticking t("t", core());
  state_image image;
  image.keep(t);
  run_through(25);
  EXPECT_EQ(t.ticks, (std::vector<cycle_t>{0, 10, 20}));
  t.rests = true;
  clock().driver.reset([&] {
    image.restore(t);
    t.rests = true;
  });
  EXPECT_TRUE(clock().driver.reset_pending());
  run_until_idle();
  EXPECT_FALSE(clock().driver.reset_pending());
  // Without windows it takes effect at the next instant; the wake for cycle 30 has gone.
  EXPECT_EQ(t.ticks, (std::vector<cycle_t>{0, 10, 20, 26}));
}

TEST_F(state_image_test, a_reset_sets_a_clock_going_that_an_error_has_stopped) {
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report&, const sc_core::sc_actions&) {});
  ticking t("t", core());
  state_image image;
  image.keep(t);
  t.fails_at = 20;
  run_through(100);
  EXPECT_EQ(t.ticks, (std::vector<cycle_t>{0, 10, 20}));
  clock().driver.reset([&] { image.restore(t); });
  run_through(130);
  EXPECT_EQ(t.ticks, (std::vector<cycle_t>{0, 10, 20, 101, 111, 121}));
}

}  // namespace
}  // namespace gt200::tlm_bus
