// The processor of a virtual platform with the chip on its bus: an example of programming the chip without our host
// code. It knows only the register map (sc_models/distribution/registers.h), the layout of page tables
// (sc_models/memory_path/page_entries.h) and TLM-2.0.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

namespace gt200::platform {

class cpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<cpu> bus;  // the chip begins at address 0

  // The processor runs `program` once the simulation runs; it may wait().
  cpu(const sc_core::sc_module_name& name, std::function<void(cpu&)> program);

  void write(std::uint32_t offset, std::uint32_t value);
  std::uint32_t read(std::uint32_t offset);
  // Any address of the bus.
  void read_bus(std::uint64_t address, void* bytes, std::size_t size);
  void write_memory(std::uint64_t device_address, const void* bytes, std::size_t size);
  void read_memory(std::uint64_t device_address, void* bytes, std::size_t size);

  // Maps the virtual addresses [address, address + bytes) to device memory from `device_address` on, in pages of 4
  // KB: writes the directory entry, and the table at `table` (device address).
  void map(std::uint64_t address, std::uint64_t bytes, std::uint64_t device_address, std::uint64_t directory,
           std::uint64_t table);

  const char* kind() const override { return "cpu"; }

 private:
  void run();
  void access(tlm::tlm_command command, std::uint64_t address, void* bytes, std::size_t size);

  std::function<void(cpu&)> program_;
};

}  // namespace gt200::platform
