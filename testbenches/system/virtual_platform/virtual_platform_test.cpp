// A foreign virtual platform adds two vectors on the chip, register by register.
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "examples/virtual_platform/cpu.h"
#include "observe/statistics.h"
#include "observe/trace/recorder.h"
#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/registers.h"
#include "testbenches/support/protocol_checks.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::platform {
namespace {

namespace registers = model::registers;

// out[i] = a[i] + b[i], one element per thread of one-dimensional blocks of 64.
constexpr const char* add = R"(
.target sm_13
.entry add
.param u32 a
.param u32 b
.param u32 out
    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    shl b32 $r0 $r0 0x2
    add b32 $r1 b32 s[a] $r0
    add b32 $r2 b32 s[b] $r0
    ld b32 $r1 g14[$r1]
    ld b32 $r2 g14[$r2]
    add b32 $r0 b32 s[out] $r0
    add b32 $r1 $r1 $r2
    exit st b32 g14[$r0] $r1
.end
)";

// out[i] is texel i.
constexpr const char* fetch = R"(
.target sm_13
.entry fetch
.param u32 a
.param u32 b
.param u32 out
    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    mov b32 $r4 $r0
    texfetch all $r4:#:#:# $t0 $s0 $r4 0x0 0x0 0x0
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[out] $r0
    exit st b32 g14[$r0] $r4
.end
)";

constexpr unsigned blocks = 8;
constexpr unsigned threads = 64;
constexpr unsigned elements = blocks * threads;
using vector = std::array<std::uint32_t, elements>;

// Device addresses, chosen by this platform.
constexpr std::uint64_t table = 0x00200000;
constexpr std::uint64_t code = 0x01000000;
constexpr std::uint64_t data = 0x03000000;
// Virtual addresses of the vectors.
constexpr std::uint32_t a = 0x40000000, b = a + 4096, out = b + 4096;

void set_launch_registers(cpu& host, const cubin::kernel& kernel) {
  host.write(registers::cp_address_high, 0);
  host.write(registers::cp_address_low, static_cast<std::uint32_t>(code));
  host.write(registers::code_size, static_cast<std::uint32_t>(4 * kernel.code.size()));
  host.write(registers::cp_start_id, 0);
  host.write(registers::cp_reg_alloc_temp, kernel.registers);
  host.write(registers::shared_size, kernel.shared_bytes);
  host.write(registers::local_size_log, 0);
  host.write(registers::gridid, 1);
  host.write(registers::griddim, blocks | 1u << 16);
  host.write(registers::blockdim_xy, threads | 1u << 16);
  host.write(registers::blockdim_z, 1);
  host.write(registers::block_alloc, threads);
  host.write(registers::user_param_count, 3u << 8);
  host.write(registers::user_param_bytes, 12);
  host.write(registers::user_param, a);
  host.write(registers::user_param + 4, b);
  host.write(registers::user_param + 8, out);
}

class virtual_platform : public testing::Test {
 protected:
  virtual_platform() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

  // Runs the processor's program to its end.
  void run(const std::function<void(cpu&)>& program) {
    const config::gpu_config config =
        config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
    model::chip chip("gt200", config, {}, model::chip_host::platform);
    directory_ = config.memory_map.page_table_base;
    cpu host("cpu", program);
    host.bus.bind(chip.command_processor.host);
    chip.command_processor.interrupt_line.bind(line_);
    sc_core::sc_start();
    finished_at_ = sc_core::sc_time_stamp();
  }

  // Code, vectors and page table in the memory of the chip.
  void upload(cpu& host, const cubin::kernel& kernel, const vector& first, const vector& second) const {
    host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
    host.write_memory(data, first.data(), sizeof first);
    host.write_memory(data + 4096, second.data(), sizeof second);
    host.map(a, 3 * 4096, data, directory_, table);
  }

  // Polls once per microsecond, at most a millisecond.
  static bool wait_for_end(cpu& host, std::uint32_t grids) {
    for (unsigned i = 0; i < 1000; ++i) {
      if (host.read(registers::grids_ended) == grids) return true;
      sc_core::wait(1, sc_core::SC_US);
    }
    return false;
  }

  const cubin::module module_ = assembler::assemble(add, "add.s");
  std::uint64_t directory_ = 0;
  sc_core::sc_time finished_at_;
  sc_core::sc_signal<bool> line_{"line"};
};

TEST_F(virtual_platform, is_told_how_to_be_the_host_of_a_chip_that_has_its_own) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gpu", config);  // chip_host::platform has been forgotten
  cpu host("cpu", [](cpu&) {});
  try {
    host.bus.bind(chip.command_processor.host);
    FAIL() << "no refusal";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(
        error.what(),
        "gpu.command_processor.host: is bound a second time, and has room for one; bound already: the host "
        "of the chip itself; make the chip with chip_host::platform, and the platform is its host");
  }
}

TEST_F(virtual_platform, has_room_for_one_initiator) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gpu", config, {}, model::chip_host::platform);
  cpu first("first", [](cpu&) {}), second("second", [](cpu&) {});
  first.bus.bind(chip.command_processor.host);
  try {
    second.bus.bind(chip.command_processor.host);
    FAIL() << "no refusal";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "gpu.command_processor.host: is bound a second time, and has room for one; bound already: another "
                 "component");
  }
}

TEST_F(virtual_platform, launches_a_kernel_register_by_register) {
  vector first, second, result{};
  for (unsigned i = 0; i < elements; ++i) {
    first[i] = 1000 + i;
    second[i] = i * i;
  }
  bool ended = false;
  std::uint32_t id = 0, error = 0, began = 0, end = 0;
  run([&](cpu& host) {
    id = host.read(registers::id);
    upload(host, module_.kernels.front(), first, second);
    set_launch_registers(host, module_.kernels.front());
    host.write(registers::launch, 1);
    error = host.read(registers::error);
    ended = wait_for_end(host, 1);
    began = host.read(registers::began_low);
    end = host.read(registers::ended_low);
    host.read_memory(data + 2 * 4096, result.data(), sizeof result);
  });
  EXPECT_EQ(id, registers::id_value);
  EXPECT_EQ(error, 0u);
  ASSERT_TRUE(ended);
  EXPECT_GT(end, began);
  for (unsigned i = 0; i < elements; ++i) ASSERT_EQ(result[i], first[i] + second[i]) << i;
}

// The pages of a texture are those of the tables in memory, as they are when the launch begins.
TEST_F(virtual_platform, has_textures_in_the_pages_that_it_has_mapped) {
  const cubin::module program = assembler::assemble(fetch, "fetch.s");
  vector first{}, second{}, result{};
  for (unsigned i = 0; i < elements; ++i) second[i] = 3 * i + 1;
  bool ended = false, faulted = false;
  run([&](cpu& host) {
    upload(host, program.kernels.front(), first, second);
    set_launch_registers(host, program.kernels.front());
    host.write(registers::texture_address_low, b);
    host.write(registers::texture_width, elements);
    host.write(registers::texture_format, 1 | 4 << 4);  // one u32
    host.write(registers::texture_bind, 0);
    host.write(registers::launch, 1);
    ended = wait_for_end(host, 1);
    host.read_memory(data + 2 * 4096, result.data(), sizeof result);
    host.write(registers::texture_address_low, out + 4096);  // behind the last page
    host.write(registers::texture_bind, 0);
    host.write(registers::launch, 1);
    faulted = wait_for_end(host, 2) &&
              (host.read(registers::status) & 3) == static_cast<std::uint32_t>(registers::chip_status::faulted);
  });
  EXPECT_TRUE(ended);
  EXPECT_EQ(result, second);
  EXPECT_TRUE(faulted);
}

TEST_F(virtual_platform, is_told_why_a_launch_cannot_be) {
  std::uint32_t error = 0, value = 0, limit = 0;
  run([&](cpu& host) {
    set_launch_registers(host, module_.kernels.front());
    host.write(registers::cp_reg_alloc_temp, 200);
    host.write(registers::launch, 1);
    error = host.read(registers::error);
    value = host.read(registers::error_value);
    limit = host.read(registers::error_limit);
  });
  EXPECT_EQ(error, static_cast<std::uint32_t>(model::launch_error::registers_per_thread));
  EXPECT_EQ(value, 200u);
  EXPECT_EQ(limit, 128u);
}

// The platform forgot the page table.
TEST_F(virtual_platform, sees_the_fault_of_a_kernel_in_the_status) {
  std::uint32_t status = 0;
  run([&](cpu& host) {
    const auto& kernel = module_.kernels.front();
    host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
    set_launch_registers(host, kernel);
    host.write(registers::launch, 1);
    wait_for_end(host, 1);
    status = host.read(registers::status);
  });
  EXPECT_EQ(status & 3u, static_cast<std::uint32_t>(registers::chip_status::faulted));
}

TEST_F(virtual_platform, resets_the_chip_after_a_fault) {
  vector first, second, result{};
  for (unsigned i = 0; i < elements; ++i) {
    first[i] = 7 * i;
    second[i] = i + 5;
  }
  std::uint32_t faulted = 0, resetting = 0, refusal = 0, pending = 1, status = 3, launches = 1, address = 1,
                window = 1;
  bool line_before = false, line_after = true, ended = false;
  run([&](cpu& host) {
    const auto& kernel = module_.kernels.front();
    host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
    set_launch_registers(host, kernel);
    host.write(registers::window, 3);
    host.write(registers::launch, 1);
    wait_for_end(host, 1);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    faulted = host.read(registers::status) & 3u;
    line_before = line_.read();
    host.write(registers::reset, 1);
    resetting = host.read(registers::status) & 3u;
    host.write(registers::launch, 1);
    refusal = host.read(registers::error);
    sc_core::wait(30, sc_core::SC_NS);
    pending = host.read(registers::reset);
    status = host.read(registers::status);
    launches = host.read(registers::grids_ended);
    address = host.read(registers::cp_address_low);
    window = host.read(registers::window);
    line_after = line_.read();
    // The code is still there.
    host.write_memory(data, first.data(), sizeof first);
    host.write_memory(data + 4096, second.data(), sizeof second);
    host.map(a, 3 * 4096, data, directory_, table);
    set_launch_registers(host, kernel);
    host.write(registers::launch, 1);
    ended = wait_for_end(host, 1);
    host.read_memory(data + 2 * 4096, result.data(), sizeof result);
  });
  EXPECT_EQ(faulted, static_cast<std::uint32_t>(registers::chip_status::faulted));
  EXPECT_TRUE(line_before);
  EXPECT_EQ(resetting, static_cast<std::uint32_t>(registers::chip_status::resetting));
  EXPECT_EQ(refusal, static_cast<std::uint32_t>(model::launch_error::resetting));
  EXPECT_EQ(pending, 0u);
  EXPECT_EQ(status, 0u);
  EXPECT_EQ(launches, 0u);
  EXPECT_EQ(address, 0u);
  EXPECT_EQ(window, 0u);
  EXPECT_FALSE(line_after);
  ASSERT_TRUE(ended);
  for (unsigned i = 0; i < elements; ++i) ASSERT_EQ(result[i], first[i] + second[i]) << i;
}

// The bus of this platform reaches 32 MiB: registers, and 16 MiB of memory at a time.
TEST_F(virtual_platform, reaches_all_memory_through_the_window) {
  const std::uint32_t pattern = 0x12345678;
  std::uint32_t by_aperture = 0, back = 0, elsewhere = 0, first = 0;
  bool beyond = true;
  run([&](cpu& host) {
    first = host.read(registers::window);
    host.write(registers::window, 3);
    host.write(static_cast<std::uint32_t>(registers::window_base) + 0x40, pattern);
    back = host.read(static_cast<std::uint32_t>(registers::window_base) + 0x40);
    host.read_memory(3 * registers::window_bytes + 0x40, &by_aperture, 4);
    host.write(registers::window, 2);
    elsewhere = host.read(static_cast<std::uint32_t>(registers::window_base) + 0x40);
    std::array<std::uint32_t, 2> two{};
    try {
      host.read_bus(registers::window_base + registers::window_bytes - 4, two.data(), 8);
    } catch (const std::runtime_error&) {
      beyond = false;
    }
  });
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(back, pattern);
  EXPECT_EQ(by_aperture, pattern);
  EXPECT_NE(elsewhere, pattern);
  EXPECT_FALSE(beyond) << "an access leaves the window";
}

// A DMA engine of a platform: non-blocking transport. It waits for the end of each access.
class dma : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  dma(const sc_core::sc_module_name& name, std::function<void(dma&)> program)
      : sc_core::sc_module(name), program_(std::move(program)) {
    bus.register_nb_transport_bw(this, &dma::nb_transport_bw);
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = dma;
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<dma> bus{"bus"};

  // Of the accesses to come; null: all bytes.
  std::uint8_t* enables = nullptr;
  unsigned enables_length = 0;

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* bytes, unsigned size) {
    tlm::tlm_generic_payload payload(this);
    payload.acquire();
    describe(payload, command, address, bytes, size);
    answered_ = false;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    bus->nb_transport_fw(payload, phase, delay);
    while (!answered_) wait(answer_);
    payload.release();
    return payload.get_response_status();
  }
  tlm::tlm_response_status access_blocking(tlm::tlm_command command, std::uint64_t address, void* bytes,
                                           unsigned size) {
    tlm::tlm_generic_payload payload;
    describe(payload, command, address, bytes, size);
    sc_core::sc_time delay;
    bus->b_transport(payload, delay);
    return payload.get_response_status();
  }

 private:
  void run() { program_(*this); }
  void describe(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address, void* bytes,
                unsigned size) const {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<std::uint8_t*>(bytes));
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(enables_length);
  }
  void free(tlm::tlm_generic_payload*) override {}
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answered_ = true;
    answer_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  std::function<void(dma&)> program_;
  sc_core::sc_event answer_;
  bool answered_ = false;
};

TEST_F(virtual_platform, takes_non_blocking_accesses_to_memory_as_transactions) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gt200", config, {}, model::chip_host::platform);
  std::vector<std::uint32_t> sent(1024), back(1024), seen(1024);
  for (unsigned i = 0; i < sent.size(); ++i) sent[i] = 3 * i + 1;
  std::uint32_t id = 0, window = 2;
  tlm::tlm_response_status too_long = tlm::TLM_OK_RESPONSE, beyond = tlm::TLM_OK_RESPONSE,
                           no_register = tlm::TLM_OK_RESPONSE;
  sc_core::sc_time registers_took, write_took;
  constexpr std::uint64_t place = registers::aperture + 0x2000010;
  dma engine("dma", [&](dma& own) {
    EXPECT_EQ(own.access(tlm::TLM_READ_COMMAND, registers::id, &id, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(own.access(tlm::TLM_WRITE_COMMAND, registers::window, &window, 4), tlm::TLM_OK_RESPONSE);
    registers_took = sc_core::sc_time_stamp();
    EXPECT_EQ(own.access(tlm::TLM_WRITE_COMMAND, place, sent.data(), 4096), tlm::TLM_OK_RESPONSE);
    write_took = sc_core::sc_time_stamp() - registers_took;
    EXPECT_EQ(own.access(tlm::TLM_READ_COMMAND, place, back.data(), 4096), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(own.access(tlm::TLM_READ_COMMAND, registers::window_base + 0x10, seen.data(), 4096),
              tlm::TLM_OK_RESPONSE);
    too_long = own.access(tlm::TLM_READ_COMMAND, registers::aperture, back.data(), 4097);
    beyond = own.access(tlm::TLM_WRITE_COMMAND, registers::aperture + config.memory_bytes() - 2, sent.data(), 4);
    no_register = own.access(tlm::TLM_READ_COMMAND, 0x4, &id, 4);
  });
  engine.bus.bind(chip.command_processor.host);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(id, registers::id_value);
  EXPECT_EQ(back, sent);
  EXPECT_EQ(seen, sent) << "by the window";
  EXPECT_EQ(too_long, tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(beyond, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(no_register, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_LT(registers_took, sc_core::sc_time(20, sc_core::SC_NS));
  EXPECT_GT(write_took, sc_core::sc_time(50, sc_core::SC_NS)) << "there, to a partition, and back";
}

// Byte enables of one length for data of another, across partitions, blocking and timed.
TEST_F(virtual_platform, takes_byte_enables_that_repeat_by_both_transports) {
  constexpr unsigned bytes = 1000;
  std::array<std::uint8_t, 3> enables = {0xff, 0, 0xff};
  std::vector<std::uint8_t> zeros(bytes), ones(bytes, 1);
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gt200", config, {}, model::chip_host::platform);
  std::array<std::vector<std::uint8_t>, 2> written, read;
  const auto access = [&](dma& own, bool timed, tlm::tlm_command command, std::vector<std::uint8_t>& of,
                          bool masked) {
    own.enables = masked ? enables.data() : nullptr;
    own.enables_length = masked ? 3 : 0;
    const std::uint64_t address = registers::aperture + data + 100;
    const auto status = timed ? own.access(command, address, of.data(), bytes)
                              : own.access_blocking(command, address, of.data(), bytes);
    EXPECT_EQ(status, tlm::TLM_OK_RESPONSE) << timed << command;
  };
  dma engine("dma", [&](dma& own) {
    for (const bool timed : {false, true}) {
      access(own, timed, tlm::TLM_WRITE_COMMAND, zeros, false);
      access(own, timed, tlm::TLM_WRITE_COMMAND, ones, true);
      written[timed].assign(bytes, 9);
      access(own, timed, tlm::TLM_READ_COMMAND, written[timed], false);
      read[timed].assign(bytes, 9);
      access(own, timed, tlm::TLM_READ_COMMAND, read[timed], true);
    }
  });
  engine.bus.bind(chip.command_processor.host);
  sc_core::sc_start(100, sc_core::SC_US);
  for (const bool timed : {false, true}) {
    ASSERT_EQ(read[timed].size(), bytes) << timed;
    for (unsigned i = 0; i < bytes; ++i) {
      ASSERT_EQ(written[timed][i], i % 3 == 1 ? 0 : 1) << timed << " byte " << i;
      ASSERT_EQ(read[timed][i], i % 3 == 1 ? 9 : 1) << timed << " byte " << i;
    }
  }
}

TEST_F(virtual_platform, refuses_an_access_without_data_by_both_transports) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gt200", config, {}, model::chip_host::platform);
  std::vector<tlm::tlm_response_status> answers;
  dma engine("dma", [&](dma& own) {
    for (const std::uint64_t address : {registers::aperture, std::uint64_t{registers::code_size}})
      for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
        answers.push_back(own.access(command, address, nullptr, 4));
        answers.push_back(own.access_blocking(command, address, nullptr, 4));
      }
  });
  engine.bus.bind(chip.command_processor.host);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(answers, std::vector<tlm::tlm_response_status>(8, tlm::TLM_GENERIC_ERROR_RESPONSE));
}

TEST_F(virtual_platform, answers_accesses_under_way_at_a_reset_with_an_error) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gt200", config, {}, model::chip_host::platform);
  std::vector<std::uint8_t> bytes(4096);
  std::array<tlm::tlm_response_status, 2> status = {tlm::TLM_INCOMPLETE_RESPONSE, tlm::TLM_INCOMPLETE_RESPONSE};
  dma engine("dma", [&](dma& own) {
    for (tlm::tlm_response_status& one : status)
      one = own.access(tlm::TLM_READ_COMMAND, registers::aperture, bytes.data(), 4096);
  });
  engine.bus.bind(chip.command_processor.host);
  sc_core::sc_start(40, sc_core::SC_NS);
  EXPECT_EQ(status[0], tlm::TLM_INCOMPLETE_RESPONSE);
  chip.reset();
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(status[0], tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(status[1], tlm::TLM_OK_RESPONSE) << "the next one, on the chip after its reset";
}

TEST_F(virtual_platform, is_interrupted_when_a_launch_has_ended) {
  bool before = true, after = false, cleared = true;
  std::uint32_t pending = 0, ended = 0;
  run([&](cpu& host) {
    upload(host, module_.kernels.front(), {}, {});
    set_launch_registers(host, module_.kernels.front());
    before = line_.read();
    host.write(registers::launch, 1);
    sc_core::wait(sc_core::sc_time(1, sc_core::SC_MS), line_.posedge_event());
    after = line_.read();
    ended = host.read(registers::grids_ended);
    pending = host.read(registers::interrupt);
    host.write(registers::interrupt, 1);
    sc_core::wait(1, sc_core::SC_NS);
    cleared = line_.read();
  });
  EXPECT_FALSE(before);
  EXPECT_TRUE(after);
  EXPECT_EQ(ended, 1u);
  EXPECT_EQ(pending, 1u);
  EXPECT_FALSE(cleared);
}

TEST_F(virtual_platform, keeps_the_protocol_at_every_memory_port) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip chip("gt200", config, {}, model::chip_host::platform);
  directory_ = config.memory_map.page_table_base;
  cpu host("cpu", [&](cpu& own) {
    upload(own, module_.kernels.front(), {}, {});
    set_launch_registers(own, module_.kernels.front());
    own.write(registers::launch, 1);
    wait_for_end(own, 1);
  });
  host.bus.bind(chip.command_processor.host);
  const support::protocol_checks checks(chip);
  sc_core::sc_start();
  EXPECT_EQ(checks.trouble(), "");
  EXPECT_GT(checks.ports(), 40u);
  EXPECT_GT(checks.used_ports(), 20u);
}

// Observers belong to one chip of a simulation. Two chips run the same kernel, the second a little later.
TEST_F(virtual_platform, has_two_chips_each_with_observers_of_its_own) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  directory_ = config.memory_map.page_table_base;
  const cubin::kernel& kernel = module_.kernels.front();
  struct part {
    std::unique_ptr<model::chip> chip;
    std::unique_ptr<cpu> host;
    std::unique_ptr<observe::statistics> statistics;
    std::unique_ptr<observe::recorder> recorder;
    std::string log;
    vector result{};
    bool ended = false;
  };
  std::array<part, 2> parts;
  vector first, second;
  for (unsigned i = 0; i < elements; ++i) {
    first[i] = i;
    second[i] = 3 * i;
  }
  sc_core::sc_event other_ended;
  for (unsigned n = 0; n < parts.size(); ++n) {
    part& p = parts[n];
    p.chip = std::make_unique<model::chip>(("gpu_" + std::to_string(n)).c_str(), config,
                                           tlm_bus::clocking_options{}, model::chip_host::platform);
    p.host = std::make_unique<cpu>(("cpu_" + std::to_string(n)).c_str(), [&, n](cpu& host) {
      part& own = parts[n];
      upload(host, kernel, first, second);
      set_launch_registers(host, kernel);
      sc_core::wait(100.0 * (n + 1), sc_core::SC_NS);  // the observers are there
      own.statistics->launch_begins();
      host.write(registers::launch, 1);
      own.ended = wait_for_end(host, 1);
      launch_result result;
      const tlm_bus::femtoseconds period = own.chip->uncore.period();
      result.began_at = host.read(registers::began_low) * period;
      result.ended_at = host.read(registers::ended_low) * period;
      const tlm_bus::femtoseconds core = own.chip->config.clocks.core_period();
      result.cycles = (result.ended_at - result.began_at + core - 1) / core;
      launch::launch_parameters parameters;
      parameters.kernel = &kernel;
      parameters.grid = {blocks, 1};
      parameters.block = {threads, 1, 1};
      own.statistics->launch_ended(parameters, result);
      host.read_memory(data + 2 * 4096, own.result.data(), sizeof own.result);
      if (n == 0) sc_core::wait(other_ended);  // the end of a program ends the simulation
      other_ended.notify(sc_core::SC_ZERO_TIME);
    });
    p.host->bus.bind(p.chip->command_processor.host);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (unsigned n = 0; n < parts.size(); ++n) {
    part& p = parts[n];
    p.statistics = std::make_unique<observe::statistics>(*p.chip);
    observe::trace_settings settings;
    settings.path = p.log = testing::TempDir() + "gpu_" + std::to_string(n) + ".log";
    settings.signals = {"gpu_" + std::to_string(n) + ".tpc_0.sm_0.*"};
    p.recorder = std::make_unique<observe::recorder>(*p.chip, settings, [] { sc_core::sc_stop(); });
  }
  sc_core::sc_start();
  for (part& p : parts) {
    EXPECT_TRUE(p.ended);
    for (unsigned i = 0; i < elements; ++i) ASSERT_EQ(p.result[i], first[i] + second[i]) << i;
    const observe::launch_record all = p.statistics->total();
    EXPECT_EQ(all.issued(), blocks * threads / 32 * 11u);
    std::uint64_t slots = 0;
    for (const std::uint64_t count : all.slots()) slots += count;
    EXPECT_EQ(slots, all.cycles * p.chip->sms().size());
    EXPECT_TRUE(p.recorder->has_recorded());
    p.recorder->close();
    std::ifstream file(p.log, std::ios::binary);
    const std::string log(std::istreambuf_iterator<char>(file), {});
    EXPECT_GT(log.size(), 10000u);
    const bool is_first = &p == &parts[0];
    EXPECT_NE(log.find(is_first ? "gpu_0" : "gpu_1"), std::string::npos);
    EXPECT_EQ(log.find(is_first ? "gpu_1" : "gpu_0"), std::string::npos) << "nothing of the other chip";
  }
  // They start at other moments, so at other phases of the clocks of their memory and of its refresh.
  constexpr double of_phases = 20;
  EXPECT_NEAR(static_cast<double>(parts[0].statistics->total().cycles),
              static_cast<double>(parts[1].statistics->total().cycles), of_phases);
}

}  // namespace
}  // namespace gt200::platform
