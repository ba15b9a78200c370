// What is sent at t is visible strictly after t; one token per cycle at depth 2; back pressure by credits.
#include "tlm_bus/pipe.h"

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/tokens.h"

namespace gt200::tlm_bus {
namespace {

using support::timed;
using tokens = std::vector<timed<int>>;

class pipe_test : public support::systemc_test {
 protected:
  struct link {
    link(const char* name, clock_domain& from, clock_domain& to, unsigned depth, unsigned latency = 1)
        : source((std::string(name) + "_source").c_str(), from),
          sink((std::string(name) + "_sink").c_str(), to, depth, latency) {
      source.out(sink.in);
    }
    support::token_source<int> source;
    support::token_sink<int> sink;
  };
};

TEST_F(pipe_test, token_sent_at_t_is_visible_at_t_plus_1_and_not_before) {
  link l("l", core(), core(), 2);
  l.source.send_at(5, 42);
  run_through(5);
  EXPECT_EQ(l.source.sent, (tokens{{5, 42}}));
  EXPECT_EQ(l.sink.taken, tokens{});
  run_through(6);
  EXPECT_EQ(l.sink.taken, (tokens{{6, 42}}));
}

}  // namespace
}  // namespace gt200::tlm_bus
