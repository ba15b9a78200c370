#include "cpu.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/distribution/registers.h"
#include "sc_models/memory_path/page_entries.h"

namespace gt200::platform {

namespace registers = model::registers;
namespace pages = model::page_entries;

cpu::cpu(const sc_core::sc_module_name& name, std::function<void(cpu&)> program)
    : sc_core::sc_module(name), bus("bus"), program_(std::move(program)) {
  // SC_HAS_PROCESS(cpu) before SystemC 3, which deprecates it.
  using SC_CURRENT_USER_MODULE [[maybe_unused]] = cpu;
  SC_THREAD(run);
}

void cpu::run() {
  program_(*this);
  // Unless observers have stopped it at the end of the program.
  if (sc_core::sc_get_curr_simcontext()->sim_status() != sc_core::SC_SIM_USER_STOP) sc_core::sc_stop();
}

void cpu::access(tlm::tlm_command command, std::uint64_t address, void* bytes, std::size_t size) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(bytes));
  payload.set_data_length(static_cast<unsigned>(size));
  payload.set_streaming_width(static_cast<unsigned>(size));
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay;
  bus->b_transport(payload, delay);
  wait(delay);
  if (payload.is_response_error()) throw std::runtime_error("bus error at " + std::to_string(address));
}

void cpu::write(std::uint32_t offset, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, offset, &value, 4); }

std::uint32_t cpu::read(std::uint32_t offset) {
  std::uint32_t value = 0;
  access(tlm::TLM_READ_COMMAND, offset, &value, 4);
  return value;
}

void cpu::read_bus(std::uint64_t address, void* bytes, std::size_t size) {
  access(tlm::TLM_READ_COMMAND, address, bytes, size);
}

void cpu::write_memory(std::uint64_t device_address, const void* bytes, std::size_t size) {
  std::vector<unsigned char> copy(static_cast<const unsigned char*>(bytes),
                                  static_cast<const unsigned char*>(bytes) + size);
  access(tlm::TLM_WRITE_COMMAND, registers::aperture + device_address, copy.data(), size);
}

void cpu::read_memory(std::uint64_t device_address, void* bytes, std::size_t size) {
  access(tlm::TLM_READ_COMMAND, registers::aperture + device_address, bytes, size);
}

void cpu::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t device_address, std::uint64_t directory,
              std::uint64_t table) {
  const pages::directory_entry entry{table, pages::small_page};
  const std::uint64_t of_table = entry.encode();
  write_memory(directory + (address >> pages::directory_shift) * pages::entry_bytes, &of_table, sizeof of_table);
  for (std::uint64_t offset = 0; offset < bytes; offset += pages::small_page) {
    pages::page_entry page;
    page.present = true;
    page.physical = device_address + offset;
    const std::uint64_t of_page = page.encode();
    write_memory(entry.entry_of(address + offset), &of_page, sizeof of_page);
  }
}

}  // namespace gt200::platform
