// What traces show of the tokens of a pipe, and that a token without a description is refused.
#include "tlm_bus/token_trace.h"

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::tlm_bus {
namespace testing {

struct parcel {
  std::uint64_t id = 0;
  unsigned weight = 0;
};
void show(signal_writer& to, const parcel& p) {
  to.identifier("id", p.id);
  to.number("weight", 8, p.weight);
}
void describe(event_details& event, const parcel& p) {
  event.id = p.id;
  event.add(p.weight);
}

struct only_shown {};
[[maybe_unused]] void show(signal_writer&, const only_shown&) {}

struct unknown {};

}  // namespace testing

namespace {

using testing::parcel;

// pipe_in asserts this of its token.
static_assert(is_traced<parcel>::value);
static_assert(is_traced<int>::value && is_traced<std::uint64_t>::value);
static_assert(!is_traced<testing::only_shown>::value);
static_assert(!is_traced<testing::unknown>::value);

struct listener final : token_listener {
  void token_sent(const event_details& token) override { sent.push_back(token); }
  void token_taken(const event_details& token) override { taken.push_back(token); }
  std::vector<event_details> sent, taken;
};

class token_trace_test : public support::systemc_test {};

TEST_F(token_trace_test, a_listener_hears_of_every_token_while_its_subscription_lives) {
  support::token_source<parcel> source("source", core());
  support::token_sink<parcel> sink("sink", core(), 2);
  source.out(sink.in);
  source.send_at(1, {7, 70});
  source.send_at(2, {8, 80});
  source.send_at(20, {9, 90});
  listener heard;
  pipe_state& pipe = sink.in;
  auto subscription = pipe.subscribe(heard);
  run_through(10);
  subscription.reset();
  run_through(30);
  ASSERT_EQ(heard.sent.size(), 2u);
  ASSERT_EQ(heard.taken.size(), 2u);
  EXPECT_EQ(heard.sent[1].id, 8u);
  EXPECT_EQ(heard.sent[1].details, 1u);
  EXPECT_EQ(heard.taken[0].detail[0], 70u);
  EXPECT_EQ(sink.taken.size(), 3u);
}

TEST_F(token_trace_test, a_waveform_shows_the_oldest_token_and_a_default_one_when_there_is_none) {
  support::token_source<parcel> source("source", core());
  support::token_sink<parcel> sink("sink", core(), 2);
  source.out(sink.in);
  source.send_at(1, {7, 70});
  source.send_at(2, {8, 80});
  sink.takes = [](cycle_t) { return false; };
  pipe_state& pipe = sink.in;
  std::vector<signal_description> names;
  signal_writer namer(names);
  pipe.show_oldest(namer);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[1].name, "weight");
  std::uint64_t values[2] = {99, 99};
  signal_writer before(values);
  pipe.show_oldest(before);
  EXPECT_EQ(values[0], 0u);
  EXPECT_EQ(values[1], 0u);
  run_through(10);
  signal_writer after(values);
  pipe.show_oldest(after);
  EXPECT_EQ(values[0], 7u);
  EXPECT_EQ(values[1], 70u);
}

}  // namespace
}  // namespace gt200::tlm_bus
