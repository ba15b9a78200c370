// Signals and events that wake stages: in which cycle, and how often.
#include "tlm_bus/registered_signal.h"

#include <functional>

#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::tlm_bus {
namespace {

// Records the cycles in which it is due.
class sleeper : public stage {
 public:
  using stage::stage;
  std::function<void()> does = [] {};
  std::vector<cycle_t> ticks;

 private:
  void tick() override {
    ticks.push_back(cycle());
    does();
  }
};

class registered_signal_test : public support::systemc_test {};

using cycles = std::vector<cycle_t>;

TEST_F(registered_signal_test, readers_are_due_when_a_change_becomes_visible_and_only_then) {
  support::script owner("owner", core());
  sleeper first("first", core());
  sleeper second("second", core());
  registered_signal<int> signal(7);
  EXPECT_FALSE(signal.has_subscribers());
  EXPECT_EQ(&signal.subscribe(first), &signal);
  signal.subscribe(second);
  EXPECT_TRUE(signal.has_subscribers());
  std::vector<int> read;
  first.does = [&] { read.push_back(signal.read(core().cycle())); };
  owner.at(3, [&] { signal.change(core()) = 8; });
  owner.at(9, [&] { signal.change(core()) = 9; });
  owner.at(10, [&] {
    signal.change(core()) = 10;
    EXPECT_EQ(signal.read(10), 9);
    EXPECT_EQ(signal.next(), 10);
  });
  run_until_idle();
  EXPECT_EQ(first.ticks, (cycles{4, 10, 11}));
  EXPECT_EQ(second.ticks, (cycles{4, 10, 11}));
  EXPECT_EQ(read, (std::vector<int>{8, 9, 10}));
}

TEST_F(registered_signal_test, a_change_in_the_very_first_cycle_wakes_too) {
  support::script owner("owner", core());
  sleeper reader("reader", core());
  registered_signal<int> signal;
  signal.subscribe(reader);
  owner.at(0, [&] { signal.change(core()) = 1; });
  run_until_idle();
  EXPECT_EQ(reader.ticks, (cycles{1}));
}

TEST_F(registered_signal_test, later_changes_in_a_cycle_become_visible_with_the_first) {
  support::script owner("owner", core());
  sleeper reader("reader", core());
  registered_signal<unsigned> mask(1u);
  mask.subscribe(reader);
  unsigned seen = 0;
  reader.does = [&] { seen = mask.read(core().cycle()); };
  owner.at(5, [&] {
    mask.change(core()) |= 2u;
    mask.change(core()) |= 4u;
  });
  run_until_idle();
  EXPECT_EQ(reader.ticks, (cycles{6}));
  EXPECT_EQ(seen, 7u);
}

TEST_F(registered_signal_test, a_reader_in_another_clock_domain_is_due_at_its_first_edge_after_the_change) {
  support::script owner("owner", core());
  sleeper reader("reader", shader());
  registered_event event;
  event.subscribe(reader);
  owner.at(4, [&] { event.notify(core()); });
  run_until_idle();
  EXPECT_EQ(reader.ticks, (cycles{9})) << "two shader edges per core edge, and edge 8 coincides with core edge 4";
}

}  // namespace
}  // namespace gt200::tlm_bus
