// Transactions between request and response: entries, completion in exact cycles, and errors. The contents of
// payloads are tested with the whole memory path (memory_path_test.cpp).
#include "sc_models/memory_path/load_store_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using arch_state::fault_kind;
using testing::for_lanes;
using tlm_bus::cycle_t;

// Answers each payload after a latency of its own, by number; at most one per cycle.
class answering_memory : public tlm_bus::stage {
 public:
  answering_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : stage(name, domain), requests("requests", *this, 2), answers("answers", *this) {}

  tlm_bus::pipe_in<payload_token> requests;
  tlm_bus::pipe_out<payload_token> answers;
  std::vector<support::timed<std::uint64_t>> taken;  // addresses
  std::function<cycle_t(std::size_t)> latency = [](std::size_t) { return cycle_t{10}; };
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

 private:
  void tick() override {
    if (const payload_token* token = requests.front()) {
      pending_.push_back({cycle() + latency(taken.size()), token->payload});
      taken.push_back({cycle(), token->payload->get_address()});
      requests.pop();
    }
    const auto due =
        std::find_if(pending_.begin(), pending_.end(), [&](const auto& p) { return p.cycle <= cycle(); });
    if (due != pending_.end() && answers.can_send()) {
      due->value->set_response_status(status);
      answers.send({due->value});
      pending_.erase(due);
    }
    for (const auto& p : pending_) wake_at(std::max(p.cycle, cycle() + 1));
  }
  std::vector<support::timed<tlm::tlm_generic_payload*>> pending_;
};

class load_store_queue_test : public support::systemc_test {
 protected:
  void build(unsigned load_entries = 8, unsigned store_entries = 8, unsigned load_bytes = 1024,
             bool posted = false) {
    config::load_store_queue_config config;
    config.load_entries = load_entries;
    config.load_bytes = load_bytes;
    config.store_entries = store_entries;
    config.reply_latency_cycles = 1;
    config.posted_stores = posted;
    source = std::make_unique<support::token_source<transaction_token>>("source", uncore());
    queue = std::make_unique<load_store_queue>("queue", uncore(), config, 0, accesses);
    backing = std::make_unique<answering_memory>("memory", uncore());
    sink = std::make_unique<support::token_sink<memory_completion_token>>("sink", uncore(), 2);
    source->out.bind(queue->from_coalescer);
    queue->to_crossbar_port.bind(backing->requests);
    backing->answers.bind(queue->from_crossbar_port);
    queue->to_sm_controller.bind(sink->in);
  }
  memory_access& access(memory_kind kind) {
    warp_instruction& o = warp.operation(testing::memory_instruction(
        kind == memory_kind::load ? testing::operation::ld_global : testing::operation::st_global,
        isa::data_type::b32));
    for_lanes([&](unsigned lane) { o.values.address.lane[lane] = 4 * lane; });
    memory_access& a = *accesses.get();
    a = memory_access();
    a.operation = &o;
    a.kind = kind;
    a.lanes = o.executed;
    return a;
  }
  // The transaction of one half-warp.
  static transaction_token half(memory_access& a, unsigned n, bool last) {
    transaction_token t;
    t.access = &a;
    t.address = 64 * n;
    t.bytes = 64;
    t.lanes = 0xffffu << 16 * n;
    t.in_sequence = true;
    t.last = last;
    return t;
  }
  void send_whole(memory_access& a, cycle_t at) { source->send_at(at, half(a, 0, true)); }
  cycle_t completed_at(const memory_access& a) const {
    for (const auto& t : sink->taken)
      if (t.value.operation == a.operation) return t.cycle;
    return tlm_bus::no_cycle;
  }
  void expect_all_returned() const {
    EXPECT_TRUE(queue->idle());
    EXPECT_EQ(accesses.outstanding(), 0u);
  }

  testing::warp_operations warp;
  tlm_bus::pool<memory_access> accesses;
  std::unique_ptr<support::token_source<transaction_token>> source;
  std::unique_ptr<load_store_queue> queue;
  std::unique_ptr<answering_memory> backing;
  std::unique_ptr<support::token_sink<memory_completion_token>> sink;
};

TEST_F(load_store_queue_test, an_instruction_completes_when_its_transaction_has_been_answered) {
  build();
  memory_access& a = access(memory_kind::load);
  send_whole(a, 5);
  run_until_idle();
  // Into the queue 1, to memory 1, there 10, back 1, to the SM controller 1.
  ASSERT_EQ(backing->taken.size(), 1u);
  EXPECT_EQ(backing->taken[0].cycle, 5 + 1 + 1u);
  EXPECT_EQ(completed_at(a), 5u + 1 + 1 + 10 + 1 + 1);
  EXPECT_EQ(queue->loads.value(), 1u);
  expect_all_returned();
}

TEST_F(load_store_queue_test, an_instruction_completes_with_the_last_of_its_answers_in_any_order) {
  build();
  backing->latency = [](std::size_t n) { return cycle_t{n == 0 ? 50u : 10u}; };
  memory_access& a = access(memory_kind::load);
  source->send_at(5, half(a, 0, false));
  source->send_at(6, half(a, 1, true));
  run_until_idle();
  EXPECT_EQ(completed_at(a), 5u + 1 + 1 + 50 + 1 + 1);
  EXPECT_EQ(sink->taken.size(), 1u);
  expect_all_returned();
}

TEST_F(load_store_queue_test, an_instruction_is_not_complete_while_transactions_remain_to_be_sent) {
  build();
  memory_access& a = access(memory_kind::load);
  source->send_at(5, half(a, 0, false));
  source->send_at(40, half(a, 1, true));  // long after the answer to the first one
  run_until_idle();
  EXPECT_EQ(completed_at(a), 40u + 1 + 1 + 10 + 1 + 1);
  EXPECT_EQ(sink->taken.size(), 1u);
}

// The SM learns of a posted store when its last transaction leaves, in the cycle in which memory takes it, and
// again when it is complete; of a load and of other stores only then.
TEST_F(load_store_queue_test, a_posted_store_is_announced_when_its_last_transaction_leaves) {
  build(8, 8, 1024, true);
  memory_access& store = access(memory_kind::store);
  source->send_at(5, half(store, 0, false));
  source->send_at(20, half(store, 1, true));
  memory_access& load = access(memory_kind::load);
  send_whole(load, 40);
  run_until_idle();
  ASSERT_EQ(sink->taken.size(), 3u);
  EXPECT_EQ(sink->taken[0].cycle, 20u + 1 + 1);
  EXPECT_TRUE(sink->taken[0].value.sent);
  EXPECT_EQ(sink->taken[1].cycle, 20u + 1 + 1 + 10 + 1 + 1);
  EXPECT_FALSE(sink->taken[1].value.sent);
  EXPECT_FALSE(sink->taken[2].value.sent);
  expect_all_returned();
}

TEST_F(load_store_queue_test, instructions_complete_in_the_order_of_their_answers) {
  build();
  backing->latency = [](std::size_t n) { return cycle_t{n == 0 ? 50u : 10u}; };
  memory_access& slow = access(memory_kind::load);
  memory_access& fast = access(memory_kind::load);
  send_whole(slow, 5);
  send_whole(fast, 6);
  run_until_idle();
  EXPECT_EQ(completed_at(fast), 6u + 1 + 1 + 10 + 1 + 1);
  EXPECT_EQ(completed_at(slow), 5u + 1 + 1 + 50 + 1 + 1);
}

TEST_F(load_store_queue_test, a_request_leaves_every_cycle) {
  build();
  for (unsigned i = 0; i < 4; ++i) send_whole(access(memory_kind::load), 5 + i);
  run_until_idle();
  ASSERT_EQ(backing->taken.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(backing->taken[i].cycle, 7u + i);
}

TEST_F(load_store_queue_test, without_a_free_entry_a_load_waits_for_an_answer) {
  build(2);
  for (unsigned i = 0; i < 3; ++i) send_whole(access(memory_kind::load), 5 + i);
  run_until_idle();
  ASSERT_EQ(backing->taken.size(), 3u);
  EXPECT_EQ(backing->taken[1].cycle, 8u);
  // The first answer is back 7 + 10 + 1; its entry serves the third request in the same cycle.
  EXPECT_EQ(backing->taken[2].cycle, 7u + 10 + 1 + 1);
  EXPECT_EQ(queue->waits_for_entry.value(), 1u);
}

TEST_F(load_store_queue_test, without_room_for_its_data_a_load_waits_though_entries_are_free) {
  build(8, 8, 128);
  for (unsigned i = 0; i < 3; ++i) send_whole(access(memory_kind::load), 5 + i);  // 64 bytes each
  send_whole(access(memory_kind::store), 8);
  run_until_idle();
  ASSERT_EQ(backing->taken.size(), 4u);
  EXPECT_EQ(backing->taken[1].cycle, 8u);
  EXPECT_EQ(backing->taken[2].cycle, 7u + 10 + 1 + 1) << "as without a free entry";
  EXPECT_EQ(queue->waits_for_entry.value(), 1u);
  expect_all_returned();
}

TEST_F(load_store_queue_test, stores_have_entries_of_their_own) {
  build(1, 1);
  send_whole(access(memory_kind::load), 5);
  send_whole(access(memory_kind::store), 6);
  run_until_idle();
  ASSERT_EQ(backing->taken.size(), 2u);
  EXPECT_EQ(backing->taken[1].cycle, 8u);
  EXPECT_EQ(queue->stores.value(), 1u);
  EXPECT_EQ(queue->waits_for_entry.value(), 0u);
}

TEST_F(load_store_queue_test, a_request_that_finds_no_entry_holds_up_those_behind_it) {
  build(1, 8);
  send_whole(access(memory_kind::load), 5);
  send_whole(access(memory_kind::load), 6);
  send_whole(access(memory_kind::store), 7);
  run_until_idle();
  ASSERT_EQ(backing->taken.size(), 3u);
  EXPECT_EQ(backing->taken[1].cycle, 7u + 10 + 1 + 1);
  EXPECT_EQ(backing->taken[2].cycle, 7u + 10 + 1 + 1 + 1) << "requests leave in order";
}

TEST_F(load_store_queue_test, an_access_without_transactions_completes_at_once) {
  build();
  memory_access& a = access(memory_kind::load);
  transaction_token none;
  none.access = &a;
  none.last = true;
  source->send_at(5, none);
  run_until_idle();
  EXPECT_EQ(completed_at(a), 5u + 1 + 1);
  EXPECT_TRUE(backing->taken.empty());
  expect_all_returned();
}

TEST_F(load_store_queue_test, an_address_error_is_a_fault_of_the_lanes_of_its_transaction) {
  build();
  backing->status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  memory_access& a = access(memory_kind::load);
  source->send_at(5, half(a, 1, true));
  run_until_idle();
  EXPECT_EQ(a.operation->fault, fault_kind::unmapped_address);
  EXPECT_EQ(a.operation->fault_lanes, 0xffff0000u);
  EXPECT_EQ(a.operation->fault_address, 64u);
  EXPECT_EQ(queue->faults.value(), 1u);
}

TEST_F(load_store_queue_test, another_error_is_an_unsupported_access) {
  build();
  backing->status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  memory_access& a = access(memory_kind::store);
  send_whole(a, 5);
  run_until_idle();
  EXPECT_EQ(a.operation->fault, fault_kind::unsupported);
}

TEST_F(load_store_queue_test, a_completion_waits_for_the_sm_controller) {
  build();
  sink->takes = [](cycle_t cycle) { return cycle >= 60; };
  std::vector<memory_access*> all;
  for (unsigned i = 0; i < 4; ++i) {
    all.push_back(&access(memory_kind::load));
    send_whole(*all.back(), 5 + i);
  }
  run_until_idle();
  for (unsigned i = 0; i < 4; ++i) EXPECT_NE(completed_at(*all[i]), tlm_bus::no_cycle);
  EXPECT_EQ(completed_at(*all[0]), 60u);
  expect_all_returned();
}

}  // namespace
}  // namespace gt200::model
