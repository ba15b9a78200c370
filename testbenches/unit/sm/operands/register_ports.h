// A register file without the stages around it: a test allocates, writes and reads rows as it wants.
#pragma once

#include <memory>
#include <string>

#include "sc_models/sm/operands/register_file.h"
#include "testbenches/support/monitored_socket.h"

namespace gt200::model::testing {

inline void allocate(register_file& file, unsigned warp, std::uint32_t first_row, std::uint32_t registers) {
  register_allocation allocation{warp_slot(warp), first_row, registers};
  file.transport(allocation);
}

// Writes one register of a warp. `row`: as register_transfer.h describes.
inline void write_register(register_file& file, unsigned warp, isa::register_file_kind kind, unsigned index,
                           const void* row, isa::lane_mask lanes = ~isa::lane_mask{0},
                           isa::register_part part = isa::register_part::whole) {
  const isa::register_transfer transfer{kind, static_cast<std::uint8_t>(index), 1, part, 0};
  register_write_request request{0, warp_slot(warp), lanes, {&transfer, 1, row}};
  file.transport(request);
}

// Reads `count` general registers of a warp.
inline void read_registers(register_file& file, unsigned warp, unsigned first, unsigned count,
                           isa::lane_words* to) {
  const isa::register_transfer transfer{isa::register_file_kind::gpr, static_cast<std::uint8_t>(first),
                                        static_cast<std::uint8_t>(count), isa::register_part::whole, 0};
  register_read_request request{0, warp_slot(warp), ~isa::lane_mask{0}, {&transfer, 1, to}};
  file.transport(request);
}

// Binds the sockets of a register file that a scene does not use.
class unused_register_ports {
 public:
  // The stages that the scene binds itself.
  struct users {
    bool collector = false;
    bool write_back = false;
    bool block_control = false;
  };
  unused_register_ports(const std::string& name, register_file& file, users bound) {
    if (!bound.collector) bind(reads_, name + "_reads", file.reads);
    if (!bound.write_back) bind(writes_, name + "_writes", file.writes);
    if (!bound.block_control) bind(initial_writes_, name + "_initial_writes", file.initial_writes);
    if (!bound.block_control) bind(allocations_, name + "_allocations", file.allocations);
  }

 private:
  template <class T>
  using socket = std::unique_ptr<support::sender<T>>;
  template <class T>
  static void bind(socket<T>& made, const std::string& name, tlm_bus::transaction_in<T>& to) {
    made = std::make_unique<support::sender<T>>(name.c_str(), to);
  }

  socket<register_read_request> reads_;
  socket<register_write_request> writes_, initial_writes_;
  socket<register_allocation> allocations_;
};

}  // namespace gt200::model::testing
