// Rebuilds the registers of every warp from what passes at the sockets of a register file, and from nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sc_models/sm/operands/register_file.h"

namespace gt200::support {

class register_mirror final : private tlm_bus::transaction_observer<model::register_allocation>,
                              private tlm_bus::transaction_observer<model::register_write_request>,
                              private tlm_bus::transaction_observer<model::register_read_request> {
 public:
  explicit register_mirror(model::register_file& file);
  ~register_mirror() override;

  // Of the reads so far: values that were not what had been written before.
  std::vector<std::string> wrong_reads;
  unsigned allocations = 0, initial_writes = 0, writes = 0, reads = 0;
  // The first words that instructions have written to general registers, by instruction and lane.
  std::map<std::uint64_t, std::map<unsigned, std::uint32_t>> written;

  // The warps that have had registers.
  std::vector<model::warp_slot> warps() const;
  // Where the registers of the warp differ from the rebuilt ones; empty if they are equal in every bit.
  std::vector<std::string> differences(model::warp_slot warp) const;

 private:
  struct warp_registers {
    std::uint32_t first_row = 0;
    std::uint32_t count = 0;
    std::array<std::array<std::uint8_t, 32>, arch_state::register_rows::conditions> condition{};
    std::array<std::array<std::uint16_t, 32>, arch_state::register_rows::addresses> address{};
  };
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::register_allocation& a) override;
  void transported(const sc_core::sc_object& socket, tlm_bus::femtoseconds,
                   const model::register_write_request& request) override;
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds,
                   const model::register_read_request& request) override;
  // `from`: the rows of the transfer.
  void write(warp_registers& warp, const isa::register_transfer& w, const void* from, unsigned lane);
  // What the lane of a register holds; `word` counts from the first register of the range.
  std::uint32_t held(const warp_registers& warp, isa::register_file_kind file, unsigned index, unsigned lane) const;

  model::register_file& file_;
  std::map<std::uint32_t, isa::lane_words> rows_;  // general registers, by row; what was never written is 0
  std::map<unsigned, warp_registers> warps_;       // by slot
};

}  // namespace gt200::support
