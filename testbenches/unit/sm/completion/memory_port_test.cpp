// When memory instructions leave an SM, and which ones go straight to write-back: exact cycles, by every way of
// clocking. The preset sends one instruction per two core cycles.
#include "sc_models/sm/completion/memory_port.h"

#include <deque>

#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 80;

struct arrival {
  cycle_t sent;
  bool from_stack = false;
  isa::lane_mask executed = ~isa::lane_mask{0};
  arch_state::fault_kind fault = arch_state::fault_kind::none;
};

struct scene {
  std::vector<arrival> arrivals;  // instruction ids count from 1 in this order
  bool own_lanes_only = false;
  cycle_t tpc_takes_from = 0;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s)
      : config_(testing::sm_config_with({})),
        clocks_((name + "_clocks").c_str(), options),
        collector_((name + "_collector").c_str(), clocks_.core),
        stack_((name + "_stack").c_str(), clocks_.core),
        port_((name + "_port").c_str(), clocks_.core, config_, lane_share(s.own_lanes_only)),
        tpc_((name + "_tpc").c_str(), clocks_.core, 2),
        write_back_((name + "_write_back").c_str(), clocks_.core, 2) {
    load_.access.kind = isa::access_kind::load;
    collector_.out.bind(port_.in);
    stack_.out.bind(port_.from_stack);
    port_.out.bind(tpc_.in);
    port_.nothing_to_do.bind(write_back_.in);
    tpc_.takes = [from = s.tpc_takes_from](cycle_t cycle) { return cycle >= from; };
    for (const arrival& a : s.arrivals) {
      warp_instruction& operation = operations_.emplace_back();
      operation.id = operations_.size();
      operation.instruction = &load_;
      operation.executed = a.executed;
      operation.fault = a.fault;
      (a.from_stack ? stack_ : collector_).send_at(a.sent, {&operation});
    }
  }

  // Which instruction reached the TPC in which cycle, and which one write-back.
  using arrivals = std::vector<std::pair<cycle_t, std::uint64_t>>;
  std::pair<arrivals, arrivals> result() const { return {ids(tpc_.taken), ids(write_back_.taken)}; }
  std::uint64_t operations() const { return port_.operations.value(); }

 private:
  template <class Token>
  static arrivals ids(const std::vector<support::timed<Token>>& taken) {
    arrivals result;
    for (const auto& t : taken) result.push_back({t.cycle, t.value.operation->id});
    return result;
  }

  config::sm_config config_;
  support::clocks clocks_;
  support::token_source<collected_token> collector_, stack_;
  memory_port port_;
  support::token_sink<memory_operation_token> tpc_;
  support::token_sink<executed_token> write_back_;
  isa::instruction load_;
  std::deque<warp_instruction> operations_;
};

class memory_port_test : public testing::every_way<bench> {
 protected:
  using arrivals = bench::arrivals;
  std::pair<arrivals, arrivals> left(const scene& s) {
    build(s);
    return run(end);
  }
};

// Sent at t, an instruction leaves at t + 1 and is with the TPC at t + 2.
TEST_F(memory_port_test, sends_one_instruction_per_interval) {
  EXPECT_EQ(left({{{10}, {11}, {12}}}).first, (arrivals{{12, 1}, {14, 2}, {16, 3}}));
  EXPECT_EQ(first().operations(), 3u);
}
TEST_F(memory_port_test, an_instruction_that_comes_late_does_not_wait) {
  EXPECT_EQ(left({{{10}, {15}}}).first, (arrivals{{12, 1}, {17, 2}}));
}
TEST_F(memory_port_test, without_lanes_it_goes_to_write_back_and_takes_no_interval) {
  const auto [sent, done] = left({{{10}, {11, false, 0}, {12}}});
  EXPECT_EQ(sent, (arrivals{{12, 1}, {14, 3}}));
  EXPECT_EQ(done, (arrivals{{13, 2}}));
  EXPECT_EQ(first().operations(), 2u);
}
TEST_F(memory_port_test, a_faulty_instruction_goes_to_write_back) {
  const auto [sent, done] =
      left({{{10, false, ~isa::lane_mask{0}, arch_state::fault_kind::illegal_instruction}, {11}}});
  EXPECT_EQ(sent, (arrivals{{13, 2}}));
  EXPECT_EQ(done, (arrivals{{12, 1}}));
}
TEST_F(memory_port_test, entries_of_the_divergence_stack_go_first) {
  EXPECT_EQ(left({{{10}, {11}, {11, true}}}).first, (arrivals{{12, 1}, {14, 3}, {16, 2}}));
}
// The pipe to the TPC holds two. The TPC takes one in 30 and one in 31, so credits are back in 31 and 32.
TEST_F(memory_port_test, waits_for_room_in_the_tpc) {
  EXPECT_EQ(left({{{10}, {11}, {12}, {13}}, false, 30}).first, (arrivals{{30, 1}, {31, 2}, {32, 3}, {34, 4}}));
}
// A warp takes two steps of 16 lanes, eight lanes take one.
TEST_F(memory_port_test, few_lanes_take_half_the_interval_when_divergence_is_free) {
  EXPECT_EQ(left({{{10, false, 0xff}, {11, false, 0xff}, {12}, {13}}, true}).first,
            (arrivals{{12, 1}, {13, 2}, {14, 3}, {16, 4}}));
}

}  // namespace
}  // namespace gt200::model
