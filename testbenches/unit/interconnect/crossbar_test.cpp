// The crossbar between sockets: latency from port to port, routing there and back, order, debug access.
#include "sc_models/interconnect/crossbar.h"

#include <memory>

#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::model {
namespace {

using support::asked;

constexpr unsigned request_latency = 12;
constexpr unsigned reply_latency = 9;
constexpr unsigned memory_latency = 4;

class crossbar_test : public support::systemc_test {
 protected:
  using source = support::memory_source<gpu_memory_protocol>;
  using memory_stage = support::fixed_latency_memory<gpu_memory_protocol>;

  static config::crossbar_config whole_config() {
    config::crossbar_config config;
    config.request_latency_cycles = request_latency;
    config.reply_latency_cycles = reply_latency;
    config.flit_bytes = 32;
    config.request_queue_flits = 32;
    config.reply_queue_flits = 32;
    config.arbitration = "round_robin";
    return config;
  }
  void build(unsigned source_count, unsigned partition_count, const tlm_bus::clocking_options& options = {},
             unsigned reply_header_flits = 0, unsigned request_header_bytes = 0) {
    config::crossbar_config config = whole_config();
    config.request_header_bytes = request_header_bytes;
    config.reply_header_flits = reply_header_flits;
    const address_map map(partition_count, 256, config::partition_hash::none);
    clock(options);
    bar = std::make_unique<crossbar>("bar", uncore(), config, map, source_count);
    for (unsigned i = 0; i < source_count; ++i) {
      sources.emplace_back(("source_" + std::to_string(i)).c_str(), uncore(), 1 + 1000 * i);
      sources[i].out.bind(bar->sources[i]);
    }
    for (unsigned i = 0; i < partition_count; ++i) {
      memories.emplace_back(("memory_" + std::to_string(i)).c_str(), uncore(), memory_latency);
      bar->partitions[i].bind(memories[i].in);
    }
  }
  void expect_nothing_left() {
    for (auto& s : sources) EXPECT_EQ(s.pool.outstanding(), 0u);
  }

  std::unique_ptr<crossbar> bar;
  std::deque<source> sources;
  std::deque<memory_stage> memories;
};

TEST_F(crossbar_test, load_takes_the_latency_there_and_the_latency_and_its_data_back) {
  build(2, 2);
  sources[1].load_at(10, 256, 128);
  run_until_idle();
  EXPECT_EQ(memories[1].requests, (std::vector<asked>{{10 + request_latency, tlm::TLM_READ_COMMAND, 256, 128}}));
  // Answered memory_latency after it was taken; four flits of data, the header beside the first.
  EXPECT_EQ(sources[1].answer_of(1001).cycle, 10 + request_latency + memory_latency + reply_latency + 3);
  EXPECT_TRUE(sources[0].answers.empty());
  EXPECT_EQ(bar->request_flits.value(), 1u);
  EXPECT_EQ(bar->reply_flits.value(), 4u);
  expect_nothing_left();
}

TEST_F(crossbar_test, header_flit_in_front_of_a_reply_takes_a_cycle) {
  build(1, 1, {}, 1);
  sources[0].load_at(10, 0, 64);
  sources[0].store_at(100, 0, std::vector<std::uint8_t>(64, 7));
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).cycle, 10 + request_latency + memory_latency + reply_latency + 2);
  EXPECT_EQ(bar->reply_flits.value(), 3u + 1u);
}

TEST_F(crossbar_test, store_takes_its_data_there_and_an_acknowledgement_back) {
  build(2, 2);
  sources[0].store_at(10, 0, std::vector<std::uint8_t>(64, 7));
  run_until_idle();
  ASSERT_EQ(memories[0].requests.size(), 1u);
  EXPECT_EQ(memories[0].requests[0].cycle, 10u + request_latency + 2);
  EXPECT_EQ(sources[0].answer_of(1).cycle, 10 + request_latency + 2 + memory_latency + reply_latency);
  EXPECT_EQ(memories[0].bytes[63], 7);
}

// Flits of 32 bytes: 24 bytes of data fit beside a header of 8, 32 do not, and a load is its header.
TEST_F(crossbar_test, header_and_data_of_a_request_share_a_flit_where_both_fit) {
  build(1, 1, {}, 0, 8);
  sources[0].store_at(10, 0, std::vector<std::uint8_t>(24, 7));
  sources[0].store_at(40, 0, std::vector<std::uint8_t>(32, 7));
  sources[0].store_at(70, 0, std::vector<std::uint8_t>(128, 7));
  sources[0].load_at(100, 0, 128);
  run_until_idle();
  ASSERT_EQ(memories[0].requests.size(), 4u);
  EXPECT_EQ(memories[0].requests[0].cycle, 10u + request_latency);
  EXPECT_EQ(memories[0].requests[1].cycle, 40u + request_latency + 1);
  EXPECT_EQ(memories[0].requests[2].cycle, 70u + request_latency + 4);
  EXPECT_EQ(memories[0].requests[3].cycle, 100u + request_latency);
  EXPECT_EQ(bar->request_flits.value(), 1u + 2u + 5u + 1u);
  expect_nothing_left();
}

// A reply of four flits occupies its input and its output for four cycles.
TEST_F(crossbar_test, replies_of_two_partitions_to_one_source_share_its_port) {
  build(1, 2);
  sources[0].load_at(10, 0, 128);
  sources[0].load_at(10, 256, 128);
  run_until_idle();
  const auto first = 10 + request_latency + memory_latency + reply_latency + 3;
  EXPECT_EQ(sources[0].answer_of(1).cycle, first);
  EXPECT_EQ(sources[0].answer_of(2).cycle, first + 4);
}
TEST_F(crossbar_test, replies_of_one_partition_to_two_sources_share_its_port) {
  build(2, 1);
  sources[0].load_at(10, 0, 128);
  sources[1].load_at(10, 0, 128);
  run_until_idle();
  const auto first = 10 + request_latency + memory_latency + reply_latency + 3;
  EXPECT_EQ(sources[0].answer_of(1).cycle, first);
  EXPECT_EQ(sources[1].answer_of(1001).cycle, first + 4);
}
TEST_F(crossbar_test, replies_of_two_partitions_to_two_sources_do_not_meet) {
  build(2, 2);
  sources[0].load_at(10, 0, 128);
  sources[1].load_at(10, 256, 128);
  run_until_idle();
  const auto first = 10 + request_latency + memory_latency + reply_latency + 3;
  EXPECT_EQ(sources[0].answer_of(1).cycle, first);
  EXPECT_EQ(sources[1].answer_of(1001).cycle, first);
}

TEST_F(crossbar_test, value_of_an_atomic_comes_back_in_the_flit_of_its_acknowledgement) {
  build(1, 1);
  sources[0].atomic_at(10, 0, atomic_operation::add, 1);
  sources[0].atomic_at(100, 0, atomic_operation::add, 1).extension().returns_value = false;
  run_until_idle();
  EXPECT_EQ(bar->reply_flits.value(), 1u + 1u);
}

TEST_F(crossbar_test, partitions_answer_to_the_source_that_asked) {
  build(5, 3);
  for (unsigned s = 0; s < 5; ++s)
    for (unsigned i = 0; i < 30; ++i) sources[s].load_at(1 + i, (s * 31 + i * 7) % 64 * 256, 32);
  run_until_idle();
  for (unsigned s = 0; s < 5; ++s) {
    ASSERT_EQ(sources[s].answers.size(), 30u);
    for (const auto& a : sources[s].answers) EXPECT_EQ(a.id / 1000, s);
  }
  for (unsigned m = 0; m < 3; ++m)
    for (const auto& r : memories[m].requests) EXPECT_EQ(r.address / 256 % 3, m);
  expect_nothing_left();
}

TEST_F(crossbar_test, one_load_per_cycle_and_partition) {
  build(4, 2);
  for (unsigned s = 0; s < 4; ++s)
    for (unsigned i = 0; i < 50; ++i) sources[s].load_at(1, (s % 2) * 256, 4);
  run_until_idle();
  for (unsigned m = 0; m < 2; ++m) {
    ASSERT_EQ(memories[m].requests.size(), 100u);
    EXPECT_LE(memories[m].requests.back().cycle, 1u + request_latency + 100);
  }
}

TEST_F(crossbar_test, partition_that_stops_taking_does_not_stop_the_others) {
  build(2, 2);
  memories[0].takes = [](tlm_bus::cycle_t c) { return c > 1000; };
  sources[0].load_at(1, 0, 32);
  sources[0].load_at(2, 256, 32);
  sources[1].load_at(3, 256, 32);
  run_until_idle();
  EXPECT_EQ(memories[1].requests.size(), 2u);
  EXPECT_LT(memories[1].requests.back().cycle, 100u);
  EXPECT_EQ(memories[0].requests.front().cycle, 1001u);
  expect_nothing_left();
}

TEST_F(crossbar_test, full_buffers_hold_back_the_source_and_lose_nothing) {
  build(1, 1);
  memories[0].takes = [](tlm_bus::cycle_t c) { return c > 500; };
  for (unsigned i = 0; i < 200; ++i) sources[0].store_at(1, i % 8 * 32, std::vector<std::uint8_t>(32, 1));
  run_through(400, uncore());
  EXPECT_LT(sources[0].sent.size(), 60u);
  run_until_idle();
  EXPECT_EQ(sources[0].answers.size(), 200u);
  expect_nothing_left();
}

TEST_F(crossbar_test, ports_keep_the_base_protocol_rules) {
  build(2, 2);
  tlm_bus::protocol_checker sources_side, partition_side;
  bar->sources[0].observers().attach(sources_side);
  bar->partitions[1].observers().attach(partition_side);
  for (unsigned i = 0; i < 40; ++i) sources[0].load_at(1, i % 4 * 256, 128);
  run_until_idle();
  EXPECT_EQ(sources_side.violation(), "");
  EXPECT_EQ(partition_side.violation(), "");
  EXPECT_EQ(sources_side.completed_transactions(), 40u);
  EXPECT_EQ(partition_side.completed_transactions(), 20u);
}

TEST_F(crossbar_test, debug_access_is_cut_at_block_borders) {
  build(1, 3);
  std::vector<std::uint8_t> data(1000);
  for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 3);
  tlm::tlm_generic_payload p;
  p.set_write();
  p.set_address(300);
  p.set_data_ptr(data.data());
  p.set_data_length(1000);
  run_through(1, uncore());
  EXPECT_EQ(sources[0].out->transport_dbg(p), 1000u);
  for (unsigned i = 0; i < 1000; ++i)
    EXPECT_EQ(memories[(300 + i) / 256 % 3].bytes[300 + i], data[i]) << "byte " << i;
  std::vector<std::uint8_t> back(1000);
  p.set_read();
  p.set_data_ptr(back.data());
  EXPECT_EQ(sources[0].out->transport_dbg(p), 1000u);
  EXPECT_EQ(back, data);
}

TEST_F(crossbar_test, byte_enables_of_a_debug_access_repeat_across_block_borders) {
  build(1, 3);
  std::vector<std::uint8_t> data(700, 0xaa);
  std::array<std::uint8_t, 3> enables = {0xff, 0, 0};
  tlm::tlm_generic_payload p;
  p.set_write();
  p.set_address(200);
  p.set_data_ptr(data.data());
  p.set_data_length(700);
  p.set_byte_enable_ptr(enables.data());
  p.set_byte_enable_length(3);
  run_through(1, uncore());
  EXPECT_EQ(sources[0].out->transport_dbg(p), 700u);
  for (unsigned i = 0; i < 700; ++i)
    EXPECT_EQ(memories[(200 + i) / 256 % 3].bytes[200 + i], i % 3 == 0 ? 0xaa : 0) << "byte " << i;
}

TEST_F(crossbar_test, more_than_64_sources_are_refused_with_every_network) {
  const address_map map(2, 256, config::partition_hash::none);
  clock();
  for (const char* name : {"crossbar", "ring", "mesh"}) {
    config::topology_config topology;
    topology.network = name;
    topology.hop_cycles = 1;
    topology.buffer_flits = 16;
    topology.mesh_columns = 4;
    for (const unsigned count : {0u, 65u})
      EXPECT_THROW(crossbar(name, uncore(), whole_config(), map, count, 1, topology), std::invalid_argument)
          << name << " " << count;
  }
}

TEST_F(crossbar_test, transaction_across_a_block_border_is_a_broken_model) {
  build(1, 2);
  sources[0].load_at(1, 200, 128);
  const std::string error = error_of_run_through(20);
  EXPECT_NE(error.find("interleave block"), std::string::npos) << error;
}

class crossbar_traffic_test : public crossbar_test {
 protected:
  void run_random(const tlm_bus::clocking_options& options) {
    build(6, 4, options);
    memories[2].takes = [](tlm_bus::cycle_t c) { return c % 5 == 0; };
    sources[3].takes = [](tlm_bus::cycle_t c) { return c % 3 == 0; };
    std::uint64_t x = 99;
    auto random = [&x] { return (x = x * 6364136223846793005u + 1442695040888963407u) >> 33; };
    std::map<std::uint64_t, std::pair<std::uint64_t, unsigned>> wanted;
    for (auto& m : memories) m.fill(0, 8192);
    for (unsigned s = 0; s < 6; ++s)
      for (unsigned i = 0; i < 150; ++i) {
        const auto bytes = static_cast<unsigned>(4u << (random() % 6));
        const std::uint64_t address = random() % (8192 / bytes) * bytes;
        wanted[1 + 1000 * s + i] = {address, bytes};
        sources[s].load_at(1 + i * 2, address, bytes);
      }
    run_through(10'000, uncore());
    for (const auto& s : sources) {
      EXPECT_EQ(s.answers.size(), 150u);
      for (const auto& a : s.answers)
        EXPECT_EQ(a.data, memory_stage::values_at(wanted[a.id].first, wanted[a.id].second));
    }
    expect_nothing_left();
  }
};

TEST_F(crossbar_traffic_test, due) { run_random({}); }
TEST_F(crossbar_traffic_test, audited) {
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(options);
}
TEST_F(crossbar_traffic_test, reference) {
  tlm_bus::clocking_options options;
  options.mode = tlm_bus::clocking_options::way::reference;
  run_random(options);
}
TEST_F(crossbar_traffic_test, stalled) {
  tlm_bus::clocking_options options;
  options.stalls = {5, 250};
  run_random(options);
}

}  // namespace
}  // namespace gt200::model
