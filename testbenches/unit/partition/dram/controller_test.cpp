// The GDDR3 controller: times of single accesses by the timing table, which request goes first, refresh, order to
// the same 32 bytes, contents.
#include "sc_models/partition/dram/controller.h"

#include <memory>

#include "sc_models/partition/dram/devices.h"
#include "sc_models/partition/dram/dram.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_monitor.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using tlm_bus::base_protocol;

const config::dram_timing_config t = test::dram_config().timing;
constexpr std::uint64_t row = 4 * 1024;  // distance of two rows of a bank
constexpr std::uint64_t bank = 1024;     // distance of two banks

class dram_controller_test : public support::systemc_test {
 protected:
  using source_stage = support::memory_source<base_protocol>;

  void build(const config::dram_config& config = test::dram_config(),
             const tlm_bus::clocking_options& options = {}) {
    clock(options);
    controller = std::make_unique<dram_controller>("controller", memory(), config);
    devices = std::make_unique<dram_devices>("devices", config);
    source = std::make_unique<source_stage>("source", memory());
    controller->devices.bind(devices->state);
    if (bus == nullptr) {
      controller->commands.bind(devices->commands);
    } else {
      controller->commands.bind(bus->in);
      bus->out.bind(devices->commands);
    }
    source->out.bind(controller->requests);
  }
  tlm_bus::cycle_t answered(std::uint64_t id) const { return source->answer_of(id).cycle; }

  std::unique_ptr<dram_controller> controller;
  std::unique_ptr<support::transaction_monitor<dram_transaction>> bus;  // between both, if there is one
  std::unique_ptr<dram_devices> devices;
  std::unique_ptr<source_stage> source;
};

// Sent in 10, taken in 11: activate then, read t_rcd later, data cl later for one burst; seen one cycle after it.
TEST_F(dram_controller_test, read_of_a_closed_row) {
  build();
  source->load_at(10, 0, 32);
  run_until_idle();
  EXPECT_EQ(answered(1), 11 + t.t_rcd_read + t.cl + t.t_ccd + 1);
  EXPECT_EQ(devices->activates.value(), 1u);
  EXPECT_EQ(controller->row_misses.value(), 1u);
}

TEST_F(dram_controller_test, read_of_an_open_row) {
  build();
  source->load_at(10, 0, 32);
  source->load_at(500, 512, 128);
  run_until_idle();
  EXPECT_EQ(answered(2), 501 + t.cl + 4 * t.t_ccd + 1);
  EXPECT_EQ(controller->row_hits.value(), 1u);
  EXPECT_EQ(devices->reads.value(), 1u + 4u);
}

// The preset's closed-row part is t_rp + t_rcd + cl + burst = 14 + 17 + 14 + 2 = 47; here t_rp is 13.
TEST_F(dram_controller_test, read_when_another_row_is_open) {
  build();
  source->load_at(10, 0, 32);
  source->load_at(500, row, 32);
  run_until_idle();
  EXPECT_EQ(answered(2), 501 + t.t_rp + t.t_rcd_read + t.cl + t.t_ccd + 1);
  EXPECT_EQ(devices->precharges.value(), 1u);
}

TEST_F(dram_controller_test, banks_count_what_their_requests_found) {
  build();
  source->load_at(10, 0, 32);       // opens the row of bank 0
  source->load_at(500, 64, 32);     // finds it
  source->load_at(1000, row, 32);   // finds another one
  source->load_at(1500, bank, 32);  // bank 1 is closed
  run_until_idle();
  const auto& first = controller->banks[0];
  EXPECT_EQ(first.row_hits.value(), 1u);
  EXPECT_EQ(first.row_misses.value(), 2u);
  EXPECT_EQ(first.row_conflicts.value(), 1u);
  EXPECT_EQ(first.activates.value(), 2u);
  EXPECT_EQ(first.precharges.value(), 1u);
  EXPECT_EQ(controller->banks[1].row_misses.value(), 1u);
  EXPECT_EQ(controller->banks[1].row_conflicts.value(), 0u);
  EXPECT_EQ(controller->banks[2].activates.value(), 0u);
}

TEST_F(dram_controller_test, write_of_a_closed_row) {
  build();
  source->store_at(10, 0, std::vector<std::uint8_t>(64, 1));
  run_until_idle();
  EXPECT_EQ(answered(1), 11 + t.t_rcd_write + t.wl + 2 * t.t_ccd + 1);
}

TEST_F(dram_controller_test, reads_of_a_row_use_the_whole_data_bus) {
  build();
  for (unsigned i = 0; i < 8; ++i) source->load_at(10, i * 128, 128);
  run_until_idle();
  EXPECT_EQ(answered(8), 11 + t.t_rcd_read + t.cl + 8 * 4 * t.t_ccd + 1);
  EXPECT_EQ(controller->data_cycles.value(), 8u * 4u * t.t_ccd);
}

TEST_F(dram_controller_test, banks_open_their_rows_while_others_transfer) {
  build();
  for (unsigned i = 0; i < 4; ++i) source->load_at(10, i * bank, 256);
  run_until_idle();
  // 16 data cycles each hide the other banks' t_rrd of 11.
  EXPECT_EQ(answered(4), 11 + t.t_rcd_read + t.cl + 4 * 8 * t.t_ccd + 1);
}

TEST_F(dram_controller_test, row_hits_go_before_older_row_misses) {
  build();
  source->load_at(10, 0, 32);
  source->load_at(200, row, 32);
  source->load_at(201, 64, 32);
  source->load_at(202, 128, 32);
  run_until_idle();
  EXPECT_EQ(devices->activates.value(), 3u) << "the precharge came before the hits did";
}

TEST_F(dram_controller_test, waiting_row_hits_are_served_before_their_row_is_closed) {
  build();
  source->load_at(10, 0, 32);
  source->load_at(11, row, 32);
  for (unsigned i = 1; i < 5; ++i) source->load_at(11 + i, i * 64, 32);
  run_until_idle();
  EXPECT_EQ(devices->activates.value(), 2u);
  for (std::uint64_t id = 3; id <= 6; ++id) EXPECT_LT(answered(id), answered(2));
}

TEST_F(dram_controller_test, fifo_serves_in_order_of_arrival) {
  auto config = test::dram_config();
  config.scheduler = "fifo";
  build(config);
  source->load_at(10, 0, 32);
  source->load_at(11, row, 32);
  for (unsigned i = 1; i < 5; ++i) source->load_at(11 + i, i * 64, 32);
  run_until_idle();
  for (std::uint64_t id = 1; id < 6; ++id) EXPECT_LT(answered(id), answered(id + 1));
  EXPECT_EQ(devices->activates.value(), 3u);
}

// A stream of hits that never ends cannot starve a miss: at most 4 x 8 requests pass it.
TEST_F(dram_controller_test, request_is_passed_only_so_often) {
  build();
  source->load_at(10, 0, 32);
  source->load_at(11, row, 32);
  for (unsigned i = 0; i < 200; ++i) source->load_at(12 + i, i % 32 * 32, 32);
  run_until_idle();
  unsigned before = 0;
  for (const auto& a : source->answers) {
    if (a.id == 2) break;
    ++before;
  }
  EXPECT_GT(before, 10u);
  EXPECT_LE(before, 1u + 4 * 8);
}

TEST_F(dram_controller_test, same_32_bytes_keep_their_order) {
  build();
  source->load_at(10, 0, 32);
  // A write to another row, then a read of the same bytes: the row is open for neither, the write is older.
  source->store_at(11, row, std::vector<std::uint8_t>(32, 1));
  source->load_at(12, row, 32);
  source->store_at(13, row, std::vector<std::uint8_t>(32, 2));
  source->load_at(14, row + 16, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(3).data, std::vector<std::uint8_t>(32, 1));
  EXPECT_EQ(source->answer_of(5).data, std::vector<std::uint8_t>(4, 2));
}

TEST_F(dram_controller_test, reads_are_grouped_and_writes_are_grouped) {
  build();
  for (unsigned i = 0; i < 8; ++i) {
    if (i % 2 == 0)
      source->load_at(10, i * 64, 32);
    else
      source->store_at(10, i * 64, std::vector<std::uint8_t>(32, 1));
  }
  run_until_idle();
  // One turn of the data bus. The writes go first, as the row is open for them earlier.
  EXPECT_LT(std::max({answered(2), answered(4), answered(6), answered(8)}),
            std::min({answered(1), answered(3), answered(5), answered(7)}));
}

TEST_F(dram_controller_test, closed_page_policy_closes_a_row_nobody_needs) {
  auto config = test::dram_config();
  config.page_policy = "closed";
  build(config);
  source->load_at(10, 0, 32);
  source->load_at(500, row, 32);
  run_until_idle();
  EXPECT_EQ(answered(2), 501 + t.t_rcd_read + t.cl + t.t_ccd + 1) << "no precharge to wait for";
  EXPECT_EQ(devices->precharges.value(), 2u);
}

// The read command of the first load, sent in 10, is given in 11 + t_rcd_read.
constexpr tlm_bus::cycle_t idle_close = 100;
constexpr tlm_bus::cycle_t closed_at = 11 + 17 + idle_close;

config::dram_config with_idle_close() {
  auto config = test::dram_config();
  config.idle_close_cycles = idle_close;
  return config;
}

TEST_F(dram_controller_test, idle_row_still_serves_a_request_taken_when_it_would_be_closed) {
  build(with_idle_close());
  source->load_at(10, 0, 32);
  source->load_at(closed_at - 1, 0, 32);
  run_until_idle();
  EXPECT_EQ(answered(2), closed_at + t.cl + t.t_ccd + 1);
  EXPECT_EQ(controller->row_hits.value(), 1u);
}

TEST_F(dram_controller_test, idle_row_is_closed_one_cycle_later) {
  build(with_idle_close());
  source->load_at(10, 0, 32);
  source->load_at(closed_at, 0, 32);
  run_until_idle();
  EXPECT_EQ(answered(2), closed_at + t.t_rp + t.t_rcd_read + t.cl + t.t_ccd + 1);
  EXPECT_EQ(controller->row_misses.value(), 2u);
}

TEST_F(dram_controller_test, traffic_to_other_banks_does_not_keep_a_row_open) {
  build(with_idle_close());
  source->load_at(10, 0, 32);
  for (unsigned i = 1; i < 10; ++i) source->load_at(10 + i * 20, bank, 32);
  source->load_at(300, 0, 32);
  run_until_idle();
  EXPECT_EQ(answered(11), 301 + t.t_rcd_read + t.cl + t.t_ccd + 1);
}

TEST_F(dram_controller_test, refresh_interrupts_the_traffic) {
  auto config = test::dram_config();
  config.refresh = true;
  build(config);
  for (unsigned i = 0; i < 1200; ++i) source->load_at(10 + i * 10, i % 32 * 32, 32);
  run_until_idle();
  EXPECT_EQ(devices->refreshes.value(), 12'010u / t.t_refi);
  // Sent in 4000 when the refresh has begun: precharge, refresh, activate, read.
  EXPECT_EQ(answered(1 + 399), 4000 + t.t_rp + t.t_rfc + t.t_rcd_read + t.cl + t.t_ccd + 1);
}

TEST_F(dram_controller_test, refresh_in_idle_time_delays_only_what_comes_during_it) {
  auto config = test::dram_config();
  config.refresh = true;
  build(config);
  source->load_at(10, 0, 32);
  source->load_at(3 * t.t_refi + 20, 0, 32);
  source->load_at(4 * t.t_refi + 200, 0, 32);
  run_until_idle();
  EXPECT_EQ(answered(2), 3 * t.t_refi + t.t_rp + t.t_rfc + t.t_rcd_read + t.cl + t.t_ccd + 1);
  EXPECT_EQ(answered(3), 4 * t.t_refi + 201 + t.t_rcd_read + t.cl + t.t_ccd + 1);
  EXPECT_EQ(devices->refreshes.value(), 4u);
}

// By distance of two refreshes, which leaves time for no, hardly any and a few accesses.
class dram_refresh_test : public dram_controller_test, public ::testing::WithParamInterface<unsigned> {};

TEST_P(dram_refresh_test, requests_are_served_however_often_refresh_is_due) {
  auto config = test::dram_config();
  config.refresh = true;
  config.timing.t_refi = GetParam();
  build(config);
  for (unsigned i = 0; i < 60; ++i) {
    source->store_at(10 + i, i % 4 * bank + i * row, {1});
    source->load_at(10 + i, i % 4 * bank + (i + 1) * row, 32);
  }
  run_through(100'000, memory());
  EXPECT_EQ(source->answers.size(), 120u);
}

INSTANTIATE_TEST_SUITE_P(of_distances, dram_refresh_test, ::testing::Values(60, 76, 100, 112, 113, 120, 200));

TEST_F(dram_controller_test, byte_enables_reach_the_data_mask) {
  build();
  source->store_at(10, 0, {1, 1, 1, 1});
  auto& masked = source->store_at(20, 0, {2, 2, 2, 2});
  masked.use_byte_enables();
  masked.enables()[2] = 0xff;
  source->load_at(30, 0, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(3).data, (std::vector<std::uint8_t>{1, 1, 2, 1}));
}

TEST_F(dram_controller_test, debug_access_sees_queued_writes) {
  build();
  source->store_at(10, 0, {1, 2, 3, 4});
  run_through(13, memory());
  EXPECT_EQ(devices->writes.value(), 0u) << "still queued";
  std::vector<std::uint8_t> seen(4);
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_address(0);
  p.set_data_ptr(seen.data());
  p.set_data_length(4);
  EXPECT_EQ(source->out->transport_dbg(p), 4u);
  EXPECT_EQ(seen, (std::vector<std::uint8_t>{1, 2, 3, 4}));
  p.set_address(1u << 20);
  EXPECT_EQ(source->out->transport_dbg(p), 0u) << "beyond the capacity";
  run_until_idle();
}

TEST_F(dram_controller_test, impossible_requests_are_answered_with_an_error) {
  build();
  source->load_at(10, (1u << 20) - 16, 32);
  source->load_at(20, 1024 - 16, 32);
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(source->answer_of(2).status, tlm::TLM_BURST_ERROR_RESPONSE) << "crosses a row";
  EXPECT_EQ(devices->activates.value(), 0u);
}

// Random traffic against a reference: devices refuse every illegal command, the audit every forgotten wake-up.
class dram_traffic_test : public dram_controller_test {
 protected:
  void run_random(const config::dram_config& config, const tlm_bus::clocking_options& options = {}) {
    build(config, options);
    source->takes = [](tlm_bus::cycle_t c) { return c / 500 % 3 != 1; };
    std::uint64_t x = 5;
    auto random = [&x] { return (x = x * 6364136223846793005u + 1442695040888963407u) >> 33; };
    std::vector<std::uint8_t> expected_memory(1u << 16, 0);
    std::map<std::uint64_t, std::vector<std::uint8_t>> expected;
    tlm_bus::cycle_t cycle = 1;
    for (unsigned i = 1; i <= 600; ++i) {
      cycle += random() % 50 == 0 ? random() % 6000 : random() % 12;
      const auto bytes = static_cast<unsigned>(4u << (random() % 6));
      const std::uint64_t address = random() % 8 * 4096 + random() % (512 / bytes) * bytes;
      if (random() % 2 == 0) {
        source->load_at(cycle, address, bytes);
        expected[i].assign(&expected_memory[address], &expected_memory[address] + bytes);
      } else {
        std::vector<std::uint8_t> data(bytes);
        for (auto& b : data) b = static_cast<std::uint8_t>(random());
        source->store_at(cycle, address, data);
        std::copy(data.begin(), data.end(), &expected_memory[address]);
      }
    }
    run_through(cycle + 20'000, memory());
    ASSERT_EQ(source->answers.size(), 600u);
    for (const auto& [id, data] : expected) EXPECT_EQ(source->answer_of(id).data, data) << id;
    EXPECT_EQ(source->pool.outstanding(), 0u);
  }
  static config::dram_config with_refresh() {
    auto config = test::dram_config();
    config.refresh = true;
    return config;
  }
};

TEST_F(dram_traffic_test, fr_fcfs) { run_random(with_refresh()); }
TEST_F(dram_traffic_test, fifo_closed_hashed) {
  auto config = with_refresh();
  config.scheduler = "fifo";
  config.page_policy = "closed";
  config.bank_hash = config::bank_hash::xor_row;
  run_random(config);
}
// What a monitor on the command bus knows of the contents: rows by the commands that opened them, bytes by those
// that moved them.
class rebuilt_memory {
 public:
  explicit rebuilt_memory(const config::dram_config& config)
      : map_(config), open_row_(config.banks, bank_timing::no_row), bytes_(config.capacity_bytes()) {}

  void watch(const dram_transaction& c) {
    switch (c.command) {
      case dram_command::activate: open_row_[c.bank] = c.row; break;
      case dram_command::precharge: open_row_[c.bank] = bank_timing::no_row; break;
      case dram_command::refresh: std::fill(open_row_.begin(), open_row_.end(), bank_timing::no_row); break;
      case dram_command::read:
        ++reads;
        EXPECT_TRUE(std::equal(c.data, c.data + c.bytes, place_of(c))) << "read of bank " << c.bank;
        break;
      case dram_command::write:
        ++writes;
        for (unsigned i = 0; i < c.bytes; ++i)
          if (c.enables == nullptr || c.enables[i % c.enable_bytes] != 0) place_of(c)[i] = c.data[i];
        break;
    }
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  unsigned reads = 0;
  unsigned writes = 0;

 private:
  std::uint8_t* place_of(const dram_transaction& c) {
    EXPECT_EQ(c.row, open_row_[c.bank]);
    return &bytes_.at(map_.offset_of({c.bank, open_row_[c.bank], c.column}));
  }
  dram_address_map map_;
  std::vector<std::uint32_t> open_row_;
  std::vector<std::uint8_t> bytes_;
};

TEST_F(dram_traffic_test, a_monitor_on_the_command_bus_rebuilds_the_memory) {
  auto config = with_refresh();
  config.bank_hash = config::bank_hash::xor_row;
  rebuilt_memory rebuilt(config);
  bus = std::make_unique<support::transaction_monitor<dram_transaction>>("bus");
  bus->record = [&](const dram_transaction& c) { rebuilt.watch(c); };
  run_random(config);
  EXPECT_GT(rebuilt.reads, 200u);
  EXPECT_GT(rebuilt.writes, 200u);
  std::vector<std::uint8_t> contents(config.capacity_bytes());
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_address(0);
  p.set_data_ptr(contents.data());
  p.set_data_length(static_cast<unsigned>(contents.size()));
  EXPECT_EQ(source->out->transport_dbg(p), contents.size());
  EXPECT_EQ(rebuilt.bytes(), contents);
}

TEST_F(dram_controller_test, debug_writes_cross_rows_and_spare_masked_bytes) {
  build();
  std::vector<std::uint8_t> written(2 * row, 7), enables(written.size(), 0xff), seen(written.size());
  enables[1500] = 0;
  tlm::tlm_generic_payload p;
  p.set_write();
  p.set_address(100);
  p.set_data_ptr(written.data());
  p.set_data_length(static_cast<unsigned>(written.size()));
  p.set_byte_enable_ptr(enables.data());
  p.set_byte_enable_length(static_cast<unsigned>(enables.size()));
  run_through(1);
  EXPECT_EQ(source->out->transport_dbg(p), written.size());
  p.set_read();
  p.set_data_ptr(seen.data());
  p.set_byte_enable_ptr(nullptr);
  EXPECT_EQ(source->out->transport_dbg(p), seen.size());
  written[1500] = 0;
  EXPECT_EQ(seen, written);
}

TEST_F(dram_traffic_test, audited) {
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(with_refresh(), options);
}
TEST_F(dram_traffic_test, audited_idle_close) {
  auto config = with_refresh();
  config.idle_close_cycles = 40;
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(config, options);
}
TEST_F(dram_traffic_test, audited_closed) {
  auto config = with_refresh();
  config.page_policy = "closed";
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(config, options);
}
TEST_F(dram_traffic_test, reference) {
  tlm_bus::clocking_options options;
  options.mode = tlm_bus::clocking_options::way::reference;
  run_random(with_refresh(), options);
}

class fixed_latency_test : public support::systemc_test {
 protected:
  void build() {
    auto config = test::dram_config();
    config.model = "fixed_latency";
    whole = std::make_unique<dram>("dram", memory(), config);
    source = std::make_unique<support::memory_source<base_protocol>>("source", memory());
    source->out.bind(whole->requests());
  }
  std::unique_ptr<dram> whole;
  std::unique_ptr<support::memory_source<base_protocol>> source;
};

TEST_F(fixed_latency_test, every_access_takes_the_same_time) {
  build();
  source->load_at(10, 0, 32);
  source->load_at(200, 3 * row, 32);
  source->store_at(300, row, {1});
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).cycle, 11u + 47 + 1);
  EXPECT_EQ(source->answer_of(2).cycle, 201u + 47 + 1);
  EXPECT_EQ(source->answer_of(3).cycle, 301u + 47 + 1);
}

TEST_F(fixed_latency_test, full_rate_of_the_data_bus_and_no_more) {
  build();
  for (unsigned i = 0; i < 50; ++i) source->load_at(10, i * 128, 128);
  run_until_idle();
  EXPECT_EQ(source->answers.back().cycle, 11u + 47 + 49 * 4 * t.t_ccd + 1);
}

TEST_F(fixed_latency_test, contents_and_errors) {
  build();
  source->store_at(10, 40, {1, 2, 3});
  source->load_at(11, 40, 3);
  source->load_at(12, 1u << 20, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(2).data, (std::vector<std::uint8_t>{1, 2, 3}));
  EXPECT_EQ(source->answer_of(3).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(source->pool.outstanding(), 0u);
}

}  // namespace
}  // namespace gt200::model
