// Instructions of the SMs to memory and texture, and their completions back, in exact cycles.
#include "sc_models/memory_path/sm_controller.h"

#include <gtest/gtest.h>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

constexpr unsigned sms = 3;
constexpr cycle_t latency = 2;
constexpr cycle_t reply_latency = 4;

// An instruction and the cycle in which it was taken.
struct event {
  cycle_t cycle;
  const warp_instruction* operation;
  friend bool operator==(const event& a, const event& b) {
    return a.cycle == b.cycle && a.operation == b.operation;
  }
  friend std::ostream& operator<<(std::ostream& out, const event& e) {
    return out << "{cycle " << e.cycle << ": instruction " << e.operation->id << '}';
  }
};
using events = std::vector<event>;

template <class TOKEN>
events events_of(const support::token_sink<TOKEN>& sink) {
  events all;
  for (const auto& t : sink.taken) all.push_back({t.cycle, t.value.operation});
  return all;
}

class sm_controller_test : public support::systemc_test {
 protected:
  explicit sm_controller_test(bool exclusive = false)
      : controller("controller", uncore(), config(exclusive), sms, reply_latency) {
    for (unsigned sm = 0; sm < sms; ++sm) {
      const std::string n = std::to_string(sm);
      from_sm.emplace_back(("source_" + n).c_str(), uncore());
      to_sm.emplace_back(("sink_" + n).c_str(), uncore(), 2);
      from_sm[sm].out.bind(controller.from_sm[sm]);
      controller.to_sm[sm].bind(to_sm[sm].in);
    }
    controller.to_address_generation.bind(to_memory.in);
    controller.to_texture.bind(to_texture.in);
    from_memory.out.bind(controller.from_load_store_queue);
    from_texture.out.bind(controller.from_texture);
  }
  static config::sm_controller_config config(bool exclusive) {
    config::sm_controller_config c;
    c.exclusive_pipelines = exclusive;
    c.latency_cycles = latency;
    c.queue_entries = 4;
    return c;
  }
  warp_instruction& load(unsigned sm) {
    return warp.operation(testing::memory_instruction(testing::operation::ld_global, isa::data_type::b32), sm);
  }
  warp_instruction& texture(unsigned sm) {
    return warp.operation(testing::memory_instruction(testing::operation::texfetch, isa::data_type::b32), sm);
  }
  void send(warp_instruction& o, cycle_t at) { from_sm[o.sm].send_at(at, {&o}); }

  static constexpr cycle_t way = latency + 1;             // from an SM to the stage behind the controller
  static constexpr cycle_t way_back = reply_latency + 1;  // from the load/store queue to an SM

  testing::warp_operations warp;
  std::deque<support::token_source<memory_operation_token>> from_sm;
  std::deque<support::token_sink<memory_completion_token>> to_sm;
  sm_controller controller;
  support::token_sink<memory_operation_token> to_memory{"to_memory", uncore(), 2};
  support::token_sink<memory_operation_token> to_texture{"to_texture", uncore(), 2};
  support::token_source<memory_completion_token> from_memory{"from_memory", uncore()};
  support::token_source<memory_completion_token> from_texture{"from_texture", uncore()};
};

TEST_F(sm_controller_test, loads_go_to_memory_and_texture_instructions_to_the_texture_unit) {
  warp_instruction& a = load(0);
  warp_instruction& b = texture(1);
  send(a, 5);
  send(b, 20);
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{5 + way, &a}}));
  EXPECT_EQ(events_of(to_texture), (events{{20 + way, &b}}));
  EXPECT_EQ(controller.load_store_operations.value(), 1u);
  EXPECT_EQ(controller.texture_operations.value(), 1u);
}

TEST_F(sm_controller_test, the_sms_take_turns) {
  warp_instruction* o[sms][2];
  for (unsigned sm = 0; sm < sms; ++sm) {
    for (unsigned i = 0; i < 2; ++i) {
      o[sm][i] = &load(sm);
      send(*o[sm][i], 5 + i);
    }
  }
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{5 + way, o[0][0]},
                                          {6 + way, o[1][0]},
                                          {7 + way, o[2][0]},
                                          {8 + way, o[0][1]},
                                          {9 + way, o[1][1]},
                                          {10 + way, o[2][1]}}));
}

TEST_F(sm_controller_test, one_instruction_passes_per_cycle_whatever_its_kind) {
  warp_instruction& a = load(0);
  warp_instruction& b = texture(1);
  send(a, 5);
  send(b, 5);
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{5 + way, &a}}));
  EXPECT_EQ(events_of(to_texture), (events{{6 + way, &b}}));
}

TEST_F(sm_controller_test, a_full_texture_unit_does_not_hold_up_the_loads_of_other_sms) {
  to_texture.takes = [](cycle_t cycle) { return cycle >= 50; };
  for (unsigned i = 0; i < 4; ++i) send(texture(0), 5 + i);
  warp_instruction& a = load(1);
  send(a, 20);
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{20 + way, &a}}));
  EXPECT_EQ(to_texture.taken.size(), 4u);
}

TEST_F(sm_controller_test, instructions_of_one_sm_stay_in_order) {
  to_texture.takes = [](cycle_t cycle) { return cycle >= 50; };
  std::vector<warp_instruction*> textures;
  for (unsigned i = 0; i < 3; ++i) send(texture(0), 5 + i);
  warp_instruction& behind = load(0);
  send(behind, 8);
  run_until_idle();
  // The texture unit holds two; the third goes when the first is taken, the load after it.
  EXPECT_EQ(to_memory.taken.size(), 1u);
  EXPECT_GT(to_memory.taken[0].cycle, 51u);
  EXPECT_EQ(to_memory.taken[0].value.operation, &behind);
}

TEST_F(sm_controller_test, a_completion_returns_to_its_sm_after_the_reply_latency) {
  warp_instruction& a = load(2);
  from_memory.send_at(5, {&a});
  run_until_idle();
  EXPECT_EQ(events_of(to_sm[2]), (events{{5 + way_back, &a}}));
  EXPECT_TRUE(to_sm[0].taken.empty());
  EXPECT_TRUE(to_sm[1].taken.empty());
  EXPECT_EQ(controller.completions.value(), 1u);
}

TEST_F(sm_controller_test, completions_to_different_sms_return_in_one_cycle) {
  warp_instruction& a = load(0);
  warp_instruction& b = texture(1);
  from_memory.send_at(5, {&a});
  from_texture.send_at(5 + reply_latency - 1, {&b});
  run_until_idle();
  EXPECT_EQ(events_of(to_sm[0]), (events{{5 + way_back, &a}}));
  EXPECT_EQ(events_of(to_sm[1]), (events{{5 + way_back, &b}}));
}

TEST_F(sm_controller_test, completions_to_one_sm_alternate_between_memory_and_texture) {
  std::vector<warp_instruction*> loads;
  std::vector<warp_instruction*> textures;
  for (unsigned i = 0; i < 2; ++i) {
    loads.push_back(&load(0));
    textures.push_back(&texture(0));
    from_memory.send_at(5 + i, {loads.back()});
    from_texture.send_at(5 + reply_latency - 1 + i, {textures.back()});
  }
  run_until_idle();
  EXPECT_EQ(events_of(to_sm[0]), (events{{5 + way_back, loads[0]},
                                         {6 + way_back, textures[0]},
                                         {7 + way_back, loads[1]},
                                         {8 + way_back, textures[1]}}));
}

TEST_F(sm_controller_test, an_instruction_in_the_queue_of_another_sm_is_an_error) {
  warp_instruction& a = load(1);
  from_sm[0].send_at(5, {&a});
  EXPECT_NE(error_of_run_through(100).find("controller: instruction of another SM"), std::string::npos);
}

class exclusive_pipelines : public sm_controller_test {
 protected:
  exclusive_pipelines() : sm_controller_test(true) {}

  static constexpr cycle_t way_back_from_texture = 2;
};

TEST_F(exclusive_pipelines, texture_instructions_wait_until_no_load_is_under_way) {
  warp_instruction& a = load(0);
  warp_instruction& b = texture(1);
  send(a, 5);
  send(b, 7);
  from_memory.send_at(20, {&a});
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{5 + way, &a}}));
  EXPECT_EQ(events_of(to_texture), (events{{20 + way_back, &b}}));
}

TEST_F(exclusive_pipelines, loads_wait_until_no_texture_instruction_is_under_way) {
  warp_instruction& a = texture(0);
  warp_instruction& b = load(1);
  send(a, 5);
  send(b, 7);
  from_texture.send_at(20, {&a});
  run_until_idle();
  EXPECT_EQ(events_of(to_texture), (events{{5 + way, &a}}));
  EXPECT_EQ(events_of(to_memory), (events{{20 + way_back_from_texture, &b}}));
}

TEST_F(exclusive_pipelines, are_shared_by_instructions_of_one_kind) {
  warp_instruction& a = load(0);
  warp_instruction& b = load(1);
  send(a, 5);
  send(b, 5);
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{5 + way, &a}, {6 + way, &b}}));
}

TEST_F(exclusive_pipelines, change_hands_when_both_kinds_wait) {
  // While a is under way, b and c wait. Then the texture instruction goes first though the load is older.
  warp_instruction& a = load(0);
  warp_instruction& b = load(0);
  warp_instruction& c = texture(1);
  send(a, 5);
  send(c, 5);
  send(b, 6);
  from_memory.send_at(20, {&a});
  from_texture.send_at(40, {&c});
  run_until_idle();
  EXPECT_EQ(events_of(to_memory), (events{{5 + way, &a}, {40 + way_back_from_texture, &b}}));
  EXPECT_EQ(events_of(to_texture), (events{{20 + way_back, &c}}));
}

}  // namespace
}  // namespace gt200::model
