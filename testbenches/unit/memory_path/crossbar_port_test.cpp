// Three sources share the TPC's connection to the crossbar. The memory space of a response selects its receiver.
#include "sc_models/memory_path/crossbar_port.h"

#include <gtest/gtest.h>

#include "testbenches/support/memory.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

using support::timed;
using tlm_bus::cycle_t;

constexpr cycle_t memory_latency = 10;
using requests = std::vector<timed<std::uint64_t>>;  // by address

class crossbar_port_test : public support::systemc_test {
 protected:
  crossbar_port_test() {
    load_store_queue.out.bind(port.from_load_store_queue);
    port.to_load_store_queue.bind(to_load_store_queue.in);
    page_walker.out.bind(port.from_page_walker);
    port.to_page_walker.bind(to_page_walker.in);
    texture.port.bind(port.texture);
    port.crossbar.bind(crossbar.port);
  }
  memory_payload& read(std::uint64_t address, memory_space space) {
    memory_payload& payload = payloads.get();
    payload.prepare(tlm::TLM_READ_COMMAND, address, 32);
    payload.extension().space = space;
    return payload;
  }
  void load_at(cycle_t cycle, std::uint64_t address) {
    load_store_queue.send_at(cycle, {&read(address, memory_space::global)});
  }
  void walk_at(cycle_t cycle, std::uint64_t address) {
    page_walker.send_at(cycle, {&read(address, memory_space::page_table)});
  }
  void fill_at(cycle_t cycle, std::uint64_t address) {
    texture.read_at(cycle, address, 32).extension().space = memory_space::texture;
  }
  static requests addresses_of(const support::token_sink<payload_token>& sink) {
    requests all;
    for (const auto& t : sink.taken) all.push_back({t.cycle, t.value.payload->get_address()});
    return all;
  }
  void release_all() {
    for (auto* sink : {&to_load_store_queue, &to_page_walker})
      for (const auto& t : sink->taken) t.value.payload->release();
    EXPECT_EQ(payloads.outstanding(), 0u);
    EXPECT_EQ(texture.pool.outstanding(), 0u);
  }

  payload_pool payloads;
  support::token_source<payload_token> load_store_queue{"load_store_queue", uncore()};
  support::token_source<payload_token> page_walker{"page_walker", uncore()};
  support::memory_driver<gpu_memory_protocol> texture{"texture", uncore()};
  crossbar_port port{"port", uncore()};
  support::memory_responder<gpu_memory_protocol> crossbar{"crossbar", uncore(), memory_latency};
  support::token_sink<payload_token> to_load_store_queue{"to_load_store_queue", uncore(), 2};
  support::token_sink<payload_token> to_page_walker{"to_page_walker", uncore(), 1};
};

// To the port 1, to the crossbar 1; back to the port 1 after the memory's answer, and to the source 1.
constexpr cycle_t way = 2;
constexpr cycle_t round_trip = way + memory_latency + 2;

TEST_F(crossbar_port_test, a_request_passes_in_a_cycle_and_its_response_too) {
  load_at(5, 0x100);
  walk_at(30, 0x200);
  fill_at(60, 0x300);
  run_until_idle();
  EXPECT_EQ(crossbar.taken, (requests{{5 + way, 0x100}, {30 + way, 0x200}, {60 + way, 0x300}}));
  EXPECT_EQ(addresses_of(to_load_store_queue), (requests{{5 + round_trip, 0x100}}));
  EXPECT_EQ(addresses_of(to_page_walker), (requests{{30 + round_trip, 0x200}}));
  EXPECT_EQ(texture.responded, (requests{{60 + round_trip, 0x300}}));
  EXPECT_EQ(port.requests.value(), 3u);
  EXPECT_EQ(port.conflicts.value(), 0u);
  release_all();
}

TEST_F(crossbar_port_test, sources_take_turns) {
  for (unsigned i = 0; i < 2; ++i) {
    load_at(5 + i, 0x100 + 0x20 * i);
    fill_at(5 + i, 0x300 + 0x20 * i);
  }
  walk_at(5, 0x200);
  run_until_idle();
  EXPECT_EQ(crossbar.taken,
            (requests{{5 + way, 0x100}, {6 + way, 0x300}, {7 + way, 0x200}, {8 + way, 0x120}, {9 + way, 0x320}}));
  // Waiting beside the one that went: two, two, two, one, none.
  EXPECT_EQ(port.conflicts.value(), 2u + 2 + 2 + 1);
  release_all();
}

TEST_F(crossbar_port_test, one_source_alone_sends_every_cycle) {
  for (unsigned i = 0; i < 4; ++i) load_at(5 + i, 0x100 + 0x20 * i);
  run_until_idle();
  ASSERT_EQ(crossbar.taken.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(crossbar.taken[i].cycle, 5 + way + i);
  release_all();
}

TEST_F(crossbar_port_test, local_accesses_return_to_the_load_store_queue) {
  load_store_queue.send_at(5, {&read(0x100, memory_space::local)});
  run_until_idle();
  EXPECT_EQ(addresses_of(to_load_store_queue), (requests{{5 + round_trip, 0x100}}));
  release_all();
}

TEST_F(crossbar_port_test, a_response_that_is_not_taken_holds_back_those_behind_it) {
  to_load_store_queue.takes = [](cycle_t cycle) { return cycle >= 60; };
  for (unsigned i = 0; i < 3; ++i) load_at(5 + i, 0x100 + 0x20 * i);  // the queue has room for two
  fill_at(8, 0x300);
  run_until_idle();
  ASSERT_EQ(texture.responded.size(), 1u);
  EXPECT_GT(texture.responded[0].cycle, 60u) << "responses come in one stream";
  EXPECT_EQ(to_load_store_queue.taken.size(), 3u);
  release_all();
}

TEST_F(crossbar_port_test, debug_accesses_of_the_texture_unit_pass_through) {
  crossbar.bytes[0x321] = 0xab;
  run_through(0, uncore());
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(0x321);
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  EXPECT_EQ(texture.port->transport_dbg(payload), 1u);
  EXPECT_EQ(byte, 0xab);
}

}  // namespace
}  // namespace gt200::model
