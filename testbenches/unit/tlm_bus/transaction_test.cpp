// A transaction is answered in the call that sends it; observers and foreign modules in between see it with its
// answer.
#include "tlm_bus/transaction.h"

#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_monitor.h"

namespace gt200::tlm_bus {
namespace testing {

// Asks for the word at `index`, or replaces it.
struct word_access {
  unsigned index = 0;
  bool write = false;
  const unsigned* data = nullptr;  // of a write; the sender's memory
  unsigned word = 0;               // the answer: the word before
};
void show(signal_writer& to, const word_access& a) {
  to.number("index", 8, a.index);
  to.flag("write", a.write);
  to.number("data", 32, a.data == nullptr ? 0 : *a.data);
  to.number("word", 32, a.word);
}
void describe(event_details& event, const word_access& a) {
  event.id = a.index;
  event.add(a.word);
}

}  // namespace testing

namespace {

using testing::word_access;

class word_memory : public sc_core::sc_module, private transaction_target<word_access> {
 public:
  transaction_in<word_access> in;
  std::vector<unsigned> words{10, 11, 12};
  explicit word_memory(const sc_core::sc_module_name& name) : sc_module(name), in("in", *this) {}

 private:
  void transport(word_access& a) override {
    a.word = words.at(a.index);
    if (a.write) words[a.index] = *a.data;
  }
  unsigned transport_debug(word_access& a) override {
    a.word = words.at(a.index);
    return sizeof a.word;
  }
};

class word_user : public support::script {
 public:
  using script::script;
  transaction_out<word_access> out{"out"};

  unsigned read(unsigned index) {
    word_access a;
    a.index = index;
    out.send(a);
    return a.word;
  }
  unsigned write(unsigned index, unsigned data) {
    word_access a;
    a.index = index;
    a.write = true;
    a.data = &data;
    out.send(a);
    return a.word;
  }
};

class transaction_test : public support::systemc_test {
 protected:
  word_user& user() {
    if (!user_) user_ = std::make_unique<word_user>("user", core());
    return *user_;
  }
  word_memory& memory() {
    if (!memory_) memory_ = std::make_unique<word_memory>("memory");
    return *memory_;
  }

 private:
  std::unique_ptr<word_user> user_;
  std::unique_ptr<word_memory> memory_;
};

struct recorder : transaction_observer<word_access> {
  void transported(const sc_core::sc_object& socket, femtoseconds at, const word_access& a) override {
    sockets.emplace_back(socket.name());
    times.push_back(at);
    words.push_back(a.word);
  }
  std::vector<std::string> sockets;
  std::vector<femtoseconds> times;
  std::vector<unsigned> words;
};

TEST_F(transaction_test, the_answer_is_there_when_the_call_returns) {
  user().out.bind(memory().in);
  unsigned before = 0, after = 0;
  user().at(5, [&] {
    before = user().write(1, 77);
    after = user().read(1);
  });
  run_through(5);
  EXPECT_EQ(before, 11u);
  EXPECT_EQ(after, 77u);
}

TEST_F(transaction_test, an_observer_sees_every_transaction_with_its_answer_and_time_while_it_is_attached) {
  user().out.bind(memory().in);
  recorder heard;
  memory().in.observers().attach(heard);
  user().at(5, [&] { user().read(0); });
  user().at(8, [&] { user().read(2); });
  user().at(10, [&] { user().read(1); });
  run_through(9);
  memory().in.observers().detach(heard);
  run_through(20);
  EXPECT_EQ(heard.words, (std::vector<unsigned>{10, 12}));
  EXPECT_EQ(heard.times, (std::vector<femtoseconds>{5 * core().period(), 8 * core().period()}));
  EXPECT_EQ(heard.sockets, (std::vector<std::string>{"memory.in", "memory.in"}));
}

TEST_F(transaction_test, a_monitor_in_between_sees_the_same_and_changes_nothing) {
  support::transaction_monitor<word_access> monitor("monitor");
  user().out.bind(monitor.in);
  monitor.out.bind(memory().in);
  recorder heard;
  memory().in.observers().attach(heard);
  unsigned before = 0, after = 0;
  user().at(5, [&] { before = user().write(1, 77); });
  user().at(6, [&] { after = user().read(1); });
  run_through(10);
  EXPECT_EQ(before, 11u);
  EXPECT_EQ(after, 77u);
  ASSERT_EQ(monitor.seen.size(), 2u);
  EXPECT_TRUE(monitor.seen[0].write);
  EXPECT_EQ(monitor.seen[0].word, 11u);
  EXPECT_EQ(monitor.seen[1].word, 77u);
  EXPECT_EQ(monitor.times, (std::vector<femtoseconds>{5 * core().period(), 6 * core().period()}));
  EXPECT_EQ(heard.words, (std::vector<unsigned>{11, 77}));
}

TEST_F(transaction_test, debug_access_reaches_the_receiver_past_a_monitor_and_no_observer_sees_it) {
  support::transaction_monitor<word_access> monitor("monitor");
  user().out.bind(monitor.in);
  monitor.out.bind(memory().in);
  recorder heard;
  memory().in.observers().attach(heard);
  word_access a;
  a.index = 1;
  unsigned bytes = 0;
  user().at(5, [&] { bytes = user().out.send_debug(a); });
  run_through(5);
  EXPECT_EQ(bytes, sizeof a.word);
  EXPECT_EQ(a.word, 11u);
  EXPECT_TRUE(heard.words.empty());
  EXPECT_TRUE(monitor.seen.empty());
}

// A module whose sockets are those of the modules inside it.
struct enclosing : sc_core::sc_module {
  enclosing(const sc_core::sc_module_name& name, clock_domain& domain)
      : sc_module(name), user("user", domain), out("out") {
    user.out.bind(out);
  }
  word_user user;
  tlm::tlm_initiator_socket<32, transaction_traits<word_access>> out;
};

TEST_F(transaction_test, sockets_bind_through_the_border_of_a_module) {
  enclosing outer("outer", core());
  outer.out.bind(memory().in);
  unsigned word = 0;
  outer.user.at(3, [&] { word = outer.user.read(2); });
  run_through(3);
  EXPECT_EQ(word, 12u);
}

struct listener final : transaction_listener {
  void transported(const event_details& transaction) override { heard.push_back(transaction); }
  std::vector<event_details> heard;
};

TEST_F(transaction_test, a_watch_keeps_the_signals_of_the_last_transaction_with_the_data_it_pointed_to) {
  user().out.bind(memory().in);
  listener events;
  transaction_state& socket = memory().in;
  const auto watch = socket.watch(events);
  std::vector<signal_description> names;
  signal_writer namer(names);
  watch->show_last(namer);
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[2].name, "data");
  EXPECT_EQ(names[2].bits, 32u);

  user().at(1, [&] { user().write(0, 5); });  // before it is attached
  user().at(3, [&] { user().write(2, 77); });
  run_through(2);
  std::uint64_t values[4] = {99, 99, 99, 99};
  signal_writer before(values);
  watch->show_last(before);
  EXPECT_EQ(values[0], 0u);
  EXPECT_EQ(values[2], 0u);
  watch->attach();
  run_through(4);
  signal_writer after(values);
  watch->show_last(after);
  EXPECT_EQ(values[0], 2u);
  EXPECT_EQ(values[1], 1u);
  EXPECT_EQ(values[2], 77u);
  EXPECT_EQ(values[3], 12u);
  ASSERT_EQ(events.heard.size(), 1u);
  EXPECT_EQ(events.heard[0].id, 2u);
  EXPECT_EQ(events.heard[0].detail[0], 12u);
}

// A foreign receiver whose answers take time.
class slow_memory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<transaction_traits<word_access>> {
 public:
  tlm::tlm_target_socket<32, transaction_traits<word_access>> in;
  explicit slow_memory(const sc_core::sc_module_name& name) : sc_module(name), in("in") {
    in.bind(static_cast<tlm::tlm_fw_transport_if<transaction_traits<word_access>>&>(*this));
  }

 private:
  void b_transport(word_access&, sc_core::sc_time& delay) override { delay = sc_core::sc_time(1, sc_core::SC_NS); }
  tlm::tlm_sync_enum nb_transport_fw(word_access&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  bool get_direct_mem_ptr(word_access&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(word_access&) override { return 0; }
};

TEST_F(transaction_test, an_answer_with_a_delay_is_an_error_that_names_the_sender) {
  slow_memory slow("slow");
  user().out.bind(slow.in);
  user().at(4, [&] { user().read(0); });
  const std::string error = error_of_run_through(10);
  EXPECT_NE(error.find("user.out: an answer with a delay"), std::string::npos) << error;
}

TEST_F(transaction_test, a_receiver_refuses_what_is_not_one_call_without_delay) {
  user().out.bind(memory().in);
  std::vector<std::string> errors;
  const auto error_of = [&](auto call) {
    try {
      call();
    } catch (const std::logic_error& e) {
      errors.emplace_back(e.what());
    }
  };
  user().at(4, [&] {
    word_access a;
    sc_core::sc_time delay(1, sc_core::SC_NS);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    error_of([&] { user().out->b_transport(a, delay); });
    error_of([&] { user().out->nb_transport_fw(a, phase, delay); });
    error_of([&] { memory().in->nb_transport_bw(a, phase, delay); });
  });
  run_through(4);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0], "memory.in: a transaction with a delay");
  EXPECT_NE(errors[1].find("memory.in: a transaction over nb_transport"), std::string::npos);
  EXPECT_NE(errors[2].find("user.out: an answer over nb_transport"), std::string::npos);
}

}  // namespace
}  // namespace gt200::tlm_bus
