// The catalogue finds transaction sockets, shows their transactions, and knows which stages change the module
// behind one.
#include "observe/trace/catalog.h"

#include <gmock/gmock.h>

#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_monitor.h"
#include "tlm_bus/transaction.h"

namespace gt200::observe {
namespace {

using testing::ElementsAre;
using tlm_bus::signal_writer;

class sum : public sc_core::sc_module,
            public tlm_bus::signal_source,
            private tlm_bus::transaction_target<unsigned> {
 public:
  tlm_bus::transaction_in<unsigned> in;
  explicit sum(const sc_core::sc_module_name& name) : sc_module(name), in("in", *this) {}
  void publish(signal_writer& to) override { to.number("total", 32, total_); }

 private:
  void transport(unsigned& number) override { total_ += number; }
  unsigned total_ = 0;
};

struct sender : support::script {
  using script::script;
  tlm_bus::transaction_out<unsigned> out{"out"};
};

// `idle` is a third module, which sends nothing.
struct unit : sc_core::sc_module {
  unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : sc_module(name), first("first", domain), idle("idle", domain), sink("sink") {}
  sender first;
  support::script idle;
  sum sink;
};

struct chip : sc_core::sc_module {
  chip(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : sc_module(name), part("part", domain) {}
  unit part;
  const char* kind() const override { return "chip"; }
};

struct recorded final : probe_listener {
  void on_event(const event& e) override { events.push_back(e); }
  void touched(std::uint32_t number) override { touches.push_back(number); }
  std::vector<event> events;
  std::vector<std::uint32_t> touches;
};

class catalog_test : public support::systemc_test {
 protected:
  static const source& source_of(const catalog& all, const std::string& path) {
    for (const source& s : all.sources())
      if (s.path == path) return s;
    throw std::out_of_range(path);
  }
};

TEST_F(catalog_test, a_transaction_socket_is_a_place_and_shows_its_last_transaction) {
  chip c("chip", core());
  c.part.first.out.bind(c.part.sink.in);
  c.part.first.at(3, [&] {
    unsigned number = 5;
    c.part.first.out.send(number);
    number = 8;
    c.part.first.out.send(number);
  });
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  recorded heard;
  catalog all(c, heard);
  ASSERT_THAT(all.places(), ElementsAre("chip.part.sink.in"));
  all.probes().front()->attach();
  run_through(5);
  ASSERT_EQ(heard.events.size(), 2u);
  EXPECT_EQ(heard.events[1].kind, event_kind::transported);
  EXPECT_EQ(heard.events[1].detail[0], 8u);
  const source& socket = source_of(all, "chip.part.sink.in");
  EXPECT_THAT(heard.touches, ElementsAre(all.source_of_place()[0], all.source_of_place()[0]));
  ASSERT_EQ(socket.count, 2u);
  EXPECT_EQ(all.signals()[socket.first].path, "chip.part.sink.in.transactions");
  EXPECT_EQ(all.signals()[socket.first + 1].path, "chip.part.sink.in.value");
  std::uint64_t values[2] = {};
  signal_writer writer(values);
  socket.publisher->publish(writer);
  EXPECT_THAT(values, ElementsAre(2, 8));
}

TEST_F(catalog_test, a_module_behind_a_transaction_socket_changes_when_its_sender_is_called) {
  chip c("chip", core());
  c.part.first.out.bind(c.part.sink.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  recorded heard;
  const catalog all(c, heard);
  EXPECT_THAT(source_of(all, "chip.part.sink").callers, ElementsAre(&c.part.first));
}

TEST_F(catalog_test, what_is_bound_to_a_foreign_module_counts_as_changed_by_every_stage_of_its_part) {
  chip c("chip", core());
  support::transaction_monitor<unsigned> monitor("monitor");
  c.part.first.out.bind(monitor.in);
  monitor.out.bind(c.part.sink.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  recorded heard;
  const catalog all(c, heard);
  EXPECT_THAT(source_of(all, "chip.part.sink").callers, testing::Contains(&c.part.first));
}

}  // namespace
}  // namespace gt200::observe
