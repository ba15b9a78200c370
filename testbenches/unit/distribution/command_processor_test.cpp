// The chip as a virtual platform sees it: registers and memory behind a TLM-2.0 socket.
#include "sc_models/distribution/command_processor.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <vector>

#include "testbenches/unit/distribution/scripted_tpc.h"

namespace gt200::model {
namespace {

using registers::chip_status;

// Memory behind the aperture.
class debug_memory : public tlm_bus::stage {
 public:
  debug_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : stage(name, domain), port("port", *this, 2, 1, [this](auto& p) { return access(p); }), bytes(4096) {}
  tlm_bus::memory_target<gpu_memory_protocol> port;
  std::vector<std::uint8_t> bytes;
  bool broken = false;

 private:
  void tick() override {}
  unsigned access(tlm::tlm_generic_payload& p) {
    if (broken) throw tlm_bus::reported_error(tlm_bus::protocol_report, "memory: broken");
    if (p.get_address() + p.get_data_length() > bytes.size()) return 0;
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      std::uint8_t& at = bytes[p.get_address() + i];
      std::uint8_t& data = p.get_data_ptr()[i];
      const bool enabled = p.get_byte_enable_ptr() == nullptr ||
                           p.get_byte_enable_ptr()[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
      if (p.is_read())
        data = at;
      else if (enabled)
        at = data;
    }
    return p.get_data_length();
  }
};

class counting_cache : public sc_core::sc_module, private cache_control_if {
 public:
  explicit counting_cache(const sc_core::sc_module_name& name) : sc_module(name) { control.bind(*this); }
  sc_core::sc_export<cache_control_if> control{"control"};
  unsigned invalidations = 0;

 private:
  void invalidate() override { ++invalidations; }
};

// A foreign host: plain TLM-2.0 utilities, nothing of this project.
class foreign_host : public sc_core::sc_module {
 public:
  explicit foreign_host(const sc_core::sc_module_name& name) : sc_module(name) {}
  tlm_utils::simple_initiator_socket<foreign_host> socket{"socket"};

  tlm::tlm_response_status transfer(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes,
                                    std::uint8_t* enables = nullptr) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(static_cast<std::uint8_t*>(data));
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(enables == nullptr ? 0 : bytes);
    sc_core::sc_time delay;
    socket->b_transport(p, delay);
    EXPECT_EQ(p.get_address(), address);
    return p.get_response_status();
  }
  void write(std::uint32_t offset, std::uint32_t value) {
    EXPECT_EQ(transfer(tlm::TLM_WRITE_COMMAND, offset, &value, 4), tlm::TLM_OK_RESPONSE) << std::hex << offset;
  }
  std::uint32_t read(std::uint32_t offset) {
    std::uint32_t value = 0;
    EXPECT_EQ(transfer(tlm::TLM_READ_COMMAND, offset, &value, 4), tlm::TLM_OK_RESPONSE) << std::hex << offset;
    return value;
  }
  chip_status status() { return static_cast<chip_status>(read(registers::status) & 3); }

  // The registers of a grid of `x` blocks of 64 threads.
  void set_up(std::uint32_t x) {
    write(registers::griddim, x | 1 << 16);
    write(registers::blockdim_xy, 32 | 2 << 16);
    write(registers::blockdim_z, 1);
    write(registers::block_alloc, 64);
    write(registers::cp_reg_alloc_temp, 8);
    write(registers::shared_size, 64);
    write(registers::code_size, 256);
    write(registers::user_param_count, 2 << 8);
  }
};

class command_processor_test : public support::systemc_test {
 protected:
  command_processor_test() {
    host.socket.bind(processor.host);
    processor.memory.bind(memory.port);
    processor.start.bind(distributor.grids);
    distributor.ended.bind(processor.end);
    for (counting_cache* cache : {&l3, &texture_l2}) processor.caches.bind(cache->control);
    for (unsigned i = 0; i < config.chip.tpcs; ++i) {
      tpcs.push_back(std::make_unique<testing::scripted_tpc>(("tpc_" + std::to_string(i)).c_str(), uncore(), config,
                                                             i, blocks));
      distributor.launch[i].bind(tpcs[i]->launch);
      tpcs[i]->retire.bind(distributor.retire[i]);
    }
  }
  // Ends elaboration: no transport before that.
  void begin() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

  const config::gpu_config config =
      testing::chip_config({"command_processor.latency_cycles=50", "command_processor.queue_entries=2"});
  testing::script blocks;
  foreign_host host{"host"};
  command_processor processor{"processor", uncore(), config, arch_state::generation_values{}};
  work_distributor distributor{"distributor", uncore(), config};
  debug_memory memory{"memory", uncore()};
  counting_cache l3{"l3"};
  counting_cache texture_l2{"texture_l2"};
  std::vector<std::unique_ptr<testing::scripted_tpc>> tpcs;
};

TEST_F(command_processor_test, registers_hold_what_was_written) {
  begin();
  EXPECT_EQ(host.read(registers::id), registers::id_value);
  std::uint32_t value = 0x01020304;
  for (const std::uint32_t offset :
       {registers::griddim, registers::cp_address_low, registers::user_param, registers::user_param + 252}) {
    host.write(offset, value);
    EXPECT_EQ(host.read(offset), value++);
  }
}

TEST_F(command_processor_test, several_words_in_one_transfer) {
  begin();
  std::uint32_t words[3] = {7, 8, 9};
  EXPECT_EQ(host.transfer(tlm::TLM_WRITE_COMMAND, registers::user_param + 4, words, 12), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(host.read(registers::user_param + 8), 8u);
  EXPECT_EQ(host.read(registers::user_param + 12), 9u);
}

TEST_F(command_processor_test, wrong_accesses_are_answered_with_an_error) {
  begin();
  std::uint32_t word = 0;
  std::uint8_t enables[4] = {0xff, 0, 0, 0xff};
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, 0x0, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, registers::space_bytes, &word, 4),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, registers::griddim + 2, &word, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, registers::griddim, &word, 2), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(host.transfer(tlm::TLM_WRITE_COMMAND, registers::griddim, &word, 4, enables),
            tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, registers::aperture + 4094, &word, 4),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(command_processor_test, memory_lies_behind_the_aperture) {
  begin();
  std::uint8_t data[5] = {1, 2, 3, 4, 5};
  std::uint8_t enables[5] = {0xff, 0xff, 0, 0xff, 0xff};
  EXPECT_EQ(host.transfer(tlm::TLM_WRITE_COMMAND, registers::aperture + 99, data, 5, enables),
            tlm::TLM_OK_RESPONSE);
  std::uint8_t back[5] = {};
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, registers::aperture + 99, back, 5), tlm::TLM_OK_RESPONSE);
  const std::uint8_t expected[5] = {1, 2, 0, 4, 5};
  EXPECT_EQ(std::memcmp(back, expected, 5), 0);
}

TEST_F(command_processor_test, a_blocking_access_that_streams_or_is_empty_is_refused) {
  begin();
  std::array<std::uint8_t, 16> bytes{};
  tlm::tlm_generic_payload p;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_data_ptr(bytes.data());
  const auto response_to = [&](std::uint64_t address, unsigned length, unsigned streaming) {
    p.set_address(address);
    p.set_data_length(length);
    p.set_streaming_width(streaming);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    host.socket->b_transport(p, delay);
    return p.get_response_status();
  };
  EXPECT_EQ(response_to(registers::aperture, 16, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(response_to(registers::aperture, 0, 0), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(response_to(registers::code_size, 0, 0), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(response_to(registers::aperture, 16, 16), tlm::TLM_OK_RESPONSE);
}

TEST_F(command_processor_test, an_access_without_data_or_with_no_byte_enables_is_refused) {
  begin();
  std::array<std::uint8_t, 4> bytes{};
  tlm::tlm_generic_payload p;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_data_length(4);
  p.set_streaming_width(4);
  const auto response_at = [&](std::uint64_t address) {
    p.set_address(address);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    host.socket->b_transport(p, delay);
    EXPECT_EQ(host.socket->transport_dbg(p), 0u);
    return p.get_response_status();
  };
  for (const std::uint64_t address : {registers::aperture, std::uint64_t{registers::code_size}}) {
    p.set_data_ptr(nullptr);
    p.set_byte_enable_ptr(nullptr);
    EXPECT_EQ(response_at(address), tlm::TLM_GENERIC_ERROR_RESPONSE);
    p.set_data_ptr(bytes.data());
    p.set_byte_enable_ptr(bytes.data());
    p.set_byte_enable_length(0);
    EXPECT_EQ(response_at(address), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  }
}

TEST_F(command_processor_test, an_error_of_the_memory_leaves_the_port_as_a_report) {
  begin();
  memory.broken = true;
  std::uint32_t word = 0;
  std::string error;
  sc_core::sc_report_handler::set_handler(sc_core::sc_report_handler::default_handler);
  try {
    host.transfer(tlm::TLM_WRITE_COMMAND, registers::aperture, &word, 4);
  } catch (const sc_core::sc_report& report) {
    error = report.what();
  }
  EXPECT_NE(error.find("/gt200/protocol: memory: broken"), std::string::npos) << error;
}

TEST_F(command_processor_test, a_read_leaves_the_bytes_that_are_not_enabled) {
  begin();
  std::uint8_t data[6] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(host.transfer(tlm::TLM_WRITE_COMMAND, registers::aperture + 99, data, 6), tlm::TLM_OK_RESPONSE);
  std::uint8_t enables[6] = {0xff, 0, 0xff, 0, 0, 0xff};
  std::uint8_t back[6] = {9, 9, 9, 9, 9, 9};
  EXPECT_EQ(host.transfer(tlm::TLM_READ_COMMAND, registers::aperture + 99, back, 6, enables), tlm::TLM_OK_RESPONSE);
  const std::uint8_t expected[6] = {1, 9, 3, 9, 9, 6};
  EXPECT_EQ(std::memcmp(back, expected, 6), 0);
}

TEST_F(command_processor_test, a_debugger_sees_registers_and_memory_but_does_not_launch) {
  begin();
  host.set_up(1);
  tlm::tlm_generic_payload p;
  std::uint32_t word = 1;
  p.set_data_ptr(reinterpret_cast<std::uint8_t*>(&word));
  p.set_data_length(4);
  p.set_streaming_width(4);
  p.set_address(registers::launch);
  p.set_command(tlm::TLM_WRITE_COMMAND);
  EXPECT_EQ(host.socket->transport_dbg(p), 0u);
  EXPECT_EQ(host.status(), chip_status::idle);
  p.set_address(registers::code_size);
  p.set_command(tlm::TLM_READ_COMMAND);
  EXPECT_EQ(host.socket->transport_dbg(p), 4u);
  EXPECT_EQ(word, 256u);
}

TEST_F(command_processor_test, the_grid_is_what_the_registers_say) {
  begin();
  host.set_up(3);
  host.write(registers::gridid, 77);
  host.write(registers::cp_address_high, 1);
  host.write(registers::cp_address_low, 0x2000);
  host.write(registers::cp_start_id, 16);
  host.write(registers::local_size_log, 2);
  host.write(registers::local_address_low, 0x100000);
  host.write(registers::user_param, 0x44332211);
  host.write(registers::user_param + 4, 0x88776655);
  host.write(registers::user_param_bytes, 6);
  host.write(registers::cb_def_address_low, 0x5000);
  host.write(registers::cb_def_set, 5 << 16 | 256);
  host.write(registers::cb_def_address_low, 0x6000);
  host.write(registers::cb_def_set, 6 << 16);  // 64 KiB
  host.write(registers::set_program_cb, 5 << 12 | 1 << 8 | 1);
  host.write(registers::set_program_cb, 6 << 12 | 14 << 8 | 1);
  host.write(registers::texture_address_low, 0x7000);
  host.write(registers::texture_width, 1000);
  host.write(registers::texture_height, 20);
  host.write(registers::texture_depth, 0);
  host.write(registers::texture_pitch, 8000);
  host.write(registers::texture_format, 4 | static_cast<std::uint32_t>(texel_format::s16) << 4 | 1 << 8);
  host.write(registers::texture_image, 2 | 1 << 2 | 3 << 4 | 1 << 8);
  host.write(registers::texture_sampler, 1 | 1 << 1 | 1 << 5);
  host.write(registers::texture_bind, 2);
  host.write(registers::launch, 1);
  host.write(registers::user_param, 0);  // for the next launch
  run_through(400, uncore());

  ASSERT_EQ(blocks.tokens.size(), 3u);
  // The descriptor is the command processor's until the grid has ended.
  EXPECT_EQ(host.status(), chip_status::idle);
  blocks.cycles = [](std::uint32_t) { return 100000u; };
  host.write(registers::user_param, 0x44332211);
  host.write(registers::launch, 1);
  run_through(800, uncore());
  ASSERT_NE(processor.running(), nullptr);
  const grid_descriptor& grid = *processor.running();
  EXPECT_EQ(grid.launch, 2u);
  EXPECT_EQ(grid.grid_id, 77u);
  EXPECT_EQ(grid.grid, launch::grid_size(3, 1));
  EXPECT_EQ(grid.block, (std::array<std::uint32_t, 3>{32, 2, 1}));
  EXPECT_EQ(grid.code_base, 0x100002000u);
  EXPECT_EQ(grid.code_bytes, 256u);
  EXPECT_EQ(grid.entry, 16u);
  EXPECT_EQ(grid.registers, 8u);
  EXPECT_EQ(grid.shared_bytes, 64u);
  EXPECT_EQ(grid.local_bytes, 32u);
  EXPECT_EQ(grid.local_base, 0x100000u);
  EXPECT_EQ(grid.parameters, (std::vector<std::uint8_t>{0x11, 0x22, 0x33, 0x44, 0x55, 0x66}));
  EXPECT_EQ(grid.constants[0].bytes, 0u);
  EXPECT_EQ(grid.constants[1].address, 0x5000u);
  EXPECT_EQ(grid.constants[1].bytes, 256u);
  EXPECT_EQ(grid.constants[14].bytes, 65536u);
  ASSERT_EQ(grid.textures.size(), 3u);
  EXPECT_FALSE(grid.textures[0].bound);
  EXPECT_TRUE(grid.textures[2].bound);
  EXPECT_EQ(grid.textures[2].address, 0x7000u);
  const sampling::texture_shape& shape = grid.textures[2].shape;
  EXPECT_EQ(shape.dimensions, 2u);
  EXPECT_EQ(shape.extent, (std::array<std::uint32_t, 3>{1000, 20, 1}));
  EXPECT_EQ(shape.pitch, 8000u);
  EXPECT_EQ(shape.layout, sampling::texture_layout::block_linear);
  EXPECT_EQ(shape.block_height_log, 3u);
  EXPECT_EQ(shape.block_depth_log, 1u);
  EXPECT_EQ(shape.texel.components, 4u);
  EXPECT_EQ(shape.texel.format, texel_format::s16);
  EXPECT_TRUE(shape.texel.normalised);
  EXPECT_EQ(shape.filter, sampling::texture_filter::linear);
  EXPECT_TRUE(shape.normalised_coordinates);
  EXPECT_EQ(shape.addressing[0], sampling::texture_addressing::clamp);
  EXPECT_EQ(shape.addressing[1], sampling::texture_addressing::wrap);
  EXPECT_EQ(grid.initial_state_seed, config.simulation.initial_state_seed);
}

TEST_F(command_processor_test, a_launch_takes_its_latency_and_invalidates_caches) {
  begin();
  run_through(20, uncore());
  host.set_up(1);
  host.write(registers::launch, 1);  // after edge 20: seen at edge 21
  EXPECT_EQ(host.status(), chip_status::busy);
  run_through(21 + 50 - 1, uncore());
  EXPECT_EQ(l3.invalidations, 0u);
  EXPECT_EQ(processor.running(), nullptr);
  run_through(21 + 50, uncore());
  EXPECT_EQ(l3.invalidations, 1u);
  EXPECT_EQ(texture_l2.invalidations, 1u);
  EXPECT_NE(processor.running(), nullptr);
  run_until_idle();
  EXPECT_EQ(host.status(), chip_status::idle);
  EXPECT_EQ(host.read(registers::grids_ended), 1u);
  EXPECT_EQ(host.read(registers::began_low), 71u);
  // One cycle to the distributor, the block there and back, one cycle to here.
  const auto& d = config.distribution;
  EXPECT_EQ(host.read(registers::ended_low), 71 + 1 + d.launch_latency_cycles + 100 + d.retire_latency_cycles + 1);
  EXPECT_EQ(processor.busy_cycles.value(), host.read(registers::ended_low) - 71u);
}

TEST_F(command_processor_test, launches_wait_in_a_queue_and_run_one_after_the_other) {
  begin();
  host.set_up(2);
  for (unsigned i = 0; i < 2; ++i) host.write(registers::launch, 1);
  EXPECT_EQ(host.read(registers::status), static_cast<std::uint32_t>(chip_status::busy) | 2u << 8);
  host.write(registers::launch, 1);
  EXPECT_EQ(host.read(registers::error), static_cast<std::uint32_t>(launch_error::queue_full));
  EXPECT_EQ(host.read(registers::error_value), 3u);
  EXPECT_EQ(host.read(registers::error_limit), 2u);
  run_through(60, uncore());  // the first one runs: there is room again
  host.write(registers::launch, 1);
  EXPECT_EQ(host.read(registers::error), 0u);
  run_until_idle();
  EXPECT_EQ(host.read(registers::grids_ended), 3u);
  EXPECT_EQ(l3.invalidations, 3u);
  ASSERT_EQ(blocks.starts.size(), 6u);
  for (unsigned i = 2; i < 6; i += 2) EXPECT_GT(blocks.starts[i].cycle, blocks.starts[i - 1].cycle + 100);
}

TEST_F(command_processor_test, what_cannot_run_is_refused_with_the_reason) {
  begin();
  host.set_up(2);
  host.write(registers::cp_reg_alloc_temp, 129);
  host.write(registers::launch, 1);
  EXPECT_EQ(host.status(), chip_status::idle);
  EXPECT_EQ(host.read(registers::error), static_cast<std::uint32_t>(launch_error::registers_per_thread));
  EXPECT_EQ(host.read(registers::error_value), 129u);
  EXPECT_EQ(host.read(registers::error_limit), config.tpc.sm.limits.registers_per_thread);
  host.write(registers::cp_reg_alloc_temp, 8);
  host.write(registers::block_alloc, 65);
  host.write(registers::launch, 1);
  EXPECT_EQ(host.read(registers::error), static_cast<std::uint32_t>(launch_error::thread_allocation));
  host.write(registers::block_alloc, 64);
  host.write(registers::user_param_bytes, 300);
  host.write(registers::launch, 1);
  EXPECT_EQ(host.read(registers::error), static_cast<std::uint32_t>(launch_error::parameter_bytes));
  run_through(500, uncore());
  EXPECT_TRUE(blocks.starts.empty());
  EXPECT_EQ(processor.refused.value(), 3u);
}

TEST_F(command_processor_test, a_fault_ends_the_launch_and_every_later_one) {
  begin();
  blocks.faults = [](std::uint32_t block) { return block == 1; };
  host.set_up(2);
  host.write(registers::launch, 1);
  run_until_idle();
  EXPECT_EQ(host.status(), chip_status::faulted);
  EXPECT_EQ(host.read(registers::fault_block), 1u);
  EXPECT_EQ(host.read(registers::fault_sm), 0u << 8 | 1u);
  EXPECT_EQ(host.read(registers::grids_ended), 1u);
  host.write(registers::launch, 1);
  EXPECT_EQ(host.read(registers::error), static_cast<std::uint32_t>(launch_error::faulted));
}

// A platform with a processor of its own: a thread that programs the chip and polls.
class polling_host : public foreign_host {
 public:
  explicit polling_host(const sc_core::sc_module_name& name) : foreign_host(name) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = polling_host;
    SC_THREAD(program);
  }
  unsigned polls = 0;
  bool saw_end = false;

 private:
  void program() {
    wait(sc_core::sc_time(123.4, sc_core::SC_NS));
    set_up(5);
    write(registers::launch, 1);
    while (status() == chip_status::busy && polls < 10000) {
      ++polls;
      wait(sc_core::sc_time(50, sc_core::SC_NS));
    }
    saw_end = read(registers::grids_ended) == 1;
  }
};

class polling_test : public support::systemc_test {};

TEST_F(polling_test, a_foreign_process_programs_the_chip) {
  const config::gpu_config config = testing::chip_config();
  testing::script blocks;
  polling_host host("host");
  command_processor processor("processor", uncore(), config, arch_state::generation_values{});
  work_distributor distributor("distributor", uncore(), config);
  debug_memory memory("memory", uncore());
  testing::scripted_tpc tpc("tpc", uncore(), config, 0, blocks);
  host.socket.bind(processor.host);
  processor.memory.bind(memory.port);
  processor.start.bind(distributor.grids);
  distributor.ended.bind(processor.end);
  distributor.launch[0].bind(tpc.launch);
  tpc.retire.bind(distributor.retire[0]);
  run_until_idle();
  EXPECT_TRUE(host.saw_end);
  EXPECT_GT(host.polls, 1u);
  EXPECT_EQ(blocks.starts.size(), 5u);
}

}  // namespace
}  // namespace gt200::model
