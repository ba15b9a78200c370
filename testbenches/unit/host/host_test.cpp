// Copies move bytes and take the time of the bus.
#include "sc_models/host/host.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

// Registers and memory that only remember.
class board : public sc_core::sc_module {
 public:
  explicit board(const sc_core::sc_module_name& name) : sc_module(name), memory(1u << 20) {
    socket.register_b_transport(this, &board::b_transport);
  }
  tlm_utils::simple_target_socket<board> socket{"socket"};
  std::vector<std::uint8_t> memory;
  std::map<std::uint32_t, std::uint32_t> words;
  std::vector<std::uint32_t> written;  // offsets in order

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    const bool in_memory = p.get_address() >= registers::aperture;
    std::uint8_t* at = nullptr;
    if (in_memory) {
      const auto offset = p.get_address() - registers::aperture;
      if (offset + p.get_data_length() > memory.size()) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
      }
      at = &memory[offset];
    } else {
      const auto offset = static_cast<std::uint32_t>(p.get_address());
      at = reinterpret_cast<std::uint8_t*>(&words[offset]);
      if (p.is_write()) written.push_back(offset);
    }
    if (p.is_write())
      std::copy(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length(), at);
    else
      std::copy(at, at + p.get_data_length(), p.get_data_ptr());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class host_test : public support::systemc_test {
 protected:
  host_test() {
    computer.chip.bind(device.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static tlm_bus::femtoseconds now() { return sc_core::sc_time_stamp().value(); }

  board device{"board"};
  host computer{"host", config::host_config{4000, 64, 24, 2, 0, 1000, 5000}};
};

TEST_F(host_test, a_copy_takes_its_packets_over_the_rate_of_the_link) {
  std::vector<std::uint8_t> data(40000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 7);
  computer.copy_to_device(100, data.data(), data.size());
  EXPECT_EQ(now(), 13'750'000'000u);  // 625 packets of 88 bytes at 4 bytes per ns
  std::vector<std::uint8_t> back(data.size());
  computer.copy_from_device(100, back.data(), back.size());
  EXPECT_EQ(now(), 27'500'000'001u);  // the socket is seen to be free strictly after the last answer
  EXPECT_EQ(back, data);
  EXPECT_EQ(computer.bytes_to_device.value(), 40000u);
  EXPECT_EQ(computer.bytes_from_device.value(), 40000u);
}

TEST_F(host_test, the_directions_of_the_link_are_independent) {
  std::vector<std::uint8_t> to_device(40000, 0xa5), from_device(40000);
  computer.begin_copy_to_device(0, to_device.data(), to_device.size());
  computer.begin_copy_from_device(65536, from_device.data(), from_device.size());
  EXPECT_TRUE(computer.copying());
  EXPECT_EQ(now(), 0u);
  computer.finish_copies();
  EXPECT_FALSE(computer.copying());
  EXPECT_EQ(now(), 13'750'000'000u);
  EXPECT_EQ(device.memory[39999], 0xa5);
  EXPECT_EQ(computer.bytes_to_device.value(), 40000u);
  EXPECT_EQ(computer.bytes_from_device.value(), 40000u);
}

TEST_F(host_test, copies_of_one_direction_share_its_link) {
  const std::vector<std::uint8_t> data(6400);
  computer.begin_copy_to_device(0, data.data(), data.size());
  computer.begin_copy_to_device(6400, data.data(), data.size());
  computer.finish_copies();
  EXPECT_EQ(now(), 4'400'000'000u);  // 200 packets
}

TEST_F(host_test, a_copy_beyond_the_memory_is_an_error_when_it_is_finished) {
  const std::uint8_t data[2] = {1, 2};
  computer.begin_copy_to_device((1u << 20) - 1, data, 2);
  EXPECT_THROW(computer.finish_copies(), std::out_of_range);
  computer.finish_copies();  // once
}

TEST_F(host_test, every_packet_of_a_copy_has_the_same_overhead) {
  const std::vector<std::uint8_t> data(200);
  tlm_bus::femtoseconds before = 0;
  for (const auto& [bytes, on_link] :
       {std::pair{1u, 25u}, {4u, 28u}, {63u, 87u}, {64u, 88u}, {65u, 113u}, {200u, 296u}}) {
    computer.copy_to_device(0, data.data(), bytes);
    EXPECT_EQ(now() - before, on_link * 250'000u) << bytes;
    before = now();
  }
}

TEST_F(host_test, poking_and_peeking_take_no_time) {
  const std::uint8_t data[3] = {1, 2, 3};
  computer.poke(7, data, 3);
  std::uint8_t back[3] = {};
  computer.peek(7, back, 3);
  EXPECT_EQ(back[2], 3);
  EXPECT_EQ(now(), 0u);
}

TEST_F(host_test, an_address_beyond_the_memory_is_an_error) {
  const std::uint8_t data[2] = {1, 2};
  EXPECT_THROW(computer.poke((1u << 20) - 1, data, 2), std::out_of_range);
}

TEST_F(host_test, the_launch_command_comes_last_and_after_the_overhead) {
  grid_descriptor grid;
  grid.grid = {300, 2};
  grid.block = {16, 8, 2};
  grid.registers = 12;
  grid.shared_bytes = 100;
  grid.local_bytes = 64;
  grid.local_base = 0xfff00000;
  grid.barriers = 3;
  grid.parameters = {1, 2, 3, 4, 5};
  grid.constants[0] = {0x123456789a, 65536};
  EXPECT_FALSE(computer.launch(grid));
  EXPECT_EQ(now(), 5'000'000'000u);
  EXPECT_EQ(device.written.back(), registers::launch);
  EXPECT_EQ(device.words[registers::griddim], 300u | 2u << 16);
  EXPECT_EQ(device.words[registers::blockdim_xy], 16u | 8u << 16);
  EXPECT_EQ(device.words[registers::blockdim_z], 2u);
  EXPECT_EQ(device.words[registers::block_alloc], 256u | 3u << 16);
  EXPECT_EQ(device.words[registers::local_size_log], 3u);
  EXPECT_EQ(device.words[registers::user_param_count], 2u << 8);
  EXPECT_EQ(device.words[registers::user_param_bytes], 5u);
  EXPECT_EQ(device.words[registers::user_param], 0x04030201u);
  EXPECT_EQ(device.words[registers::user_param + 4], 5u);
  EXPECT_EQ(device.words[registers::cb_def_address_high], 0x12u);
  EXPECT_EQ(device.words[registers::cb_def_set], 0u);  // 64 KiB in buffer 0
}

TEST_F(host_test, a_refusal_is_read_back) {
  device.words[registers::error] = static_cast<std::uint32_t>(launch_error::block_warps);
  device.words[registers::error_value] = 40;
  device.words[registers::error_limit] = 32;
  EXPECT_EQ(describe(computer.launch(grid_descriptor{})), "warps per block: 40 asked for, 32 possible");
}

}  // namespace
}  // namespace gt200::model
