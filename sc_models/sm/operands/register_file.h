// Registers of an SM: the general registers as rows of 32 lanes, allocated per warp, and the predicates and address
// registers of every warp.
//
// 64 KB on GT200: `limits.registers` / 32 rows, divided among the SPs (register_slice.h). Operand collector,
// write-back and block control read and write it by transactions that carry the values; who reads when, and through
// how many ports and banks, is decided there. A transaction moves whole rows. Where the units work lane by lane
// (sc_models/sm/units/detail.h), it goes through the slices instead, one access for each slice and register.
//
// If warps share registers over time, the registers behind those that a warp keeps are in the rows of the section
// that the section pool has mapped for it (section_pool.h).
//
// A warp reads and writes only its own rows. As in hardware, registers that are not allocated read as zero, and
// writes to them are ignored. A read and a write of one register never occur in the same cycle: the scoreboard
// holds readers back until the cycle after the write, and operands are collected in issue order, long before a
// younger instruction can write them.
#pragma once

#include <memory>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/register_slice.h"
#include "sc_models/sm/operands/register_transactions.h"
#include "sc_models/sm/operands/section_pool_if.h"
#include "sc_models/sm/slot_share.h"
#include "sc_models/sm/units/detail.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/transaction.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/register_rows.h"

namespace gt200::model {

class block_control_state_if;

class register_file final : public sc_core::sc_module,
                            public tlm_bus::injectable,
                            public section_rows_if,
                            public tlm_bus::transaction_target<register_read_request>,
                            public tlm_bus::transaction_target<register_write_request>,
                            public tlm_bus::transaction_target<register_allocation>,
                            public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<register_read_request> reads;            // from the operand collector
  tlm_bus::transaction_in<register_write_request> writes;          // from write-back
  tlm_bus::transaction_in<register_write_request> initial_writes;  // from block control
  tlm_bus::transaction_in<register_allocation> allocations;        // from block control

  // `generation`: how many predicates and address registers a warp has. `share`: the warps with registers here.
  register_file(const sc_core::sc_module_name& name, const config::sm_config& config, detail_window by_slices = {},
                const arch_state::generation_values& generation = {}, slot_share share = {});

  [[gnu::always_inline]] void transport(register_read_request& request) override;
  [[gnu::always_inline]] void transport(register_write_request& request) override;
  void transport(register_allocation& allocation) override;

  // -- called by issue --
  // The instruction will soon read its operands: fetches their rows into the host's cache. With many SMs most rows
  // are not in it. A hint for the host: it changes nothing in the machine.
  void will_be_read(warp_slot warp, const isa::instruction& instruction) const;

  // -- called by the section pool --
  void map_section(warp_slot warp, std::uint32_t first_row, unsigned first, unsigned count) override;
  void unmap_section(warp_slot warp) override;
  void fill_section(warp_slot warp, unsigned index, const isa::lane_words& values) override;

  // The same, and observers.
  const arch_state::register_rows& rows(warp_slot warp) const { return warps_[warp.index()].rows; }

  // -- called by observers --
  // The slices are there if values pass through them at some time.
  register_slice& slice(unsigned sp) { return *slices_[sp]; }
  unsigned slices() const { return static_cast<unsigned>(slices_.size()); }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "register_file"; }

  // By row, lane and bit; then the predicates by warp that has registers here, number and lane; then the address
  // registers from $a1 on the same way, as the first one reads as zero.
  const char* structure() const override { return "register_file"; }
  std::uint64_t bits() const override;
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;
  bool watch(const std::vector<std::uint64_t>& bits, tlm_bus::bit_access_listener& listener) override;
  // Whose warps are in use; without it all that have begun are.
  void follow(const block_control_state_if& blocks) { blocks_ = &blocks; }

 private:
  struct warp_registers {
    arch_state::register_rows rows;
    std::uint32_t first_row = 0;
    // The section that the warp holds: register `section_first` is this row.
    std::uint32_t section_row = 0;
    unsigned section_first = 0;
    unsigned section_count = 0;

    static constexpr std::uint32_t no_row = ~std::uint32_t{0};
    // Row of the storage; no_row: the warp has no such register.
    std::uint32_t row_of(unsigned index) const {
      if (index < rows.count()) return first_row + index;
      const unsigned n = index - section_first;
      return n < section_count ? section_row + n : no_row;
    }
  };
  // By thread, or through the slices.
  [[gnu::noinline]] void read_otherwise(const register_read_request& request);
  [[gnu::noinline]] void write_otherwise(const register_write_request& request);
  void read_sliced(const warp_registers& warp, isa::lane_mask lanes, const isa::register_transfer& r,
                   isa::lane_words* to);
  void read_by_thread(const register_read_request& request);
  // Predicates, address registers, halves, and general registers that the warp does not keep. `to`, `from`: the
  // rows of the transfer.
  [[gnu::noinline]] static void read_other(const arch_state::register_rows& rows, const isa::register_transfer& r,
                                           void* to);
  [[gnu::noinline]] static void write_other(arch_state::register_rows& rows, isa::lane_mask lanes,
                                            const isa::register_transfer& w, const void* from);
  void write(warp_registers& warp, isa::lane_mask lanes, const arch_state::register_writes& registers);
  void write_sliced(warp_registers& warp, isa::lane_mask lanes, const isa::register_transfer& w,
                    const arch_state::register_writes& registers);
  struct place {
    isa::register_file_kind file;
    unsigned row;   // of the storage; predicates and address registers: number in the warp
    unsigned warp;  // predicates and address registers only
    unsigned lane;
    unsigned bit;
  };
  class access_watch;
  place place_of(std::uint64_t bit) const;
  std::uint64_t general_bits() const { return std::uint64_t{32} * isa::warp_size * storage_.size(); }
  std::uint64_t predicate_bits() const {
    return std::uint64_t{isa::warp_size} * predicates_ * predicate_width_ * own_warps();
  }
  std::uint64_t address_bits() const {
    return std::uint64_t{isa::warp_size} * addresses_ * address_width_ * own_warps();
  }
  unsigned own_warps() const { return share_.count(static_cast<unsigned>(warps_.size())); }
  void through_slices(bool is_write, std::uint32_t row, isa::lane_mask lanes, std::uint32_t* values);

  detail_window by_slices_;
  std::vector<isa::lane_words> storage_;
  std::vector<warp_registers> warps_;  // by slot
  // Of every slot, together: where its general registers are.
  struct row_range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  per_warp<row_range> rows_of_warps_{};
  std::vector<std::unique_ptr<register_slice>> slices_;
  sc_core::sc_vector<tlm_bus::transaction_out<slice_access>> to_slices_;
  // Of a warp, and the bits of each lane.
  unsigned predicates_, predicate_width_;
  unsigned addresses_, address_width_;  // without $a0
  slot_share share_;
  const block_control_state_if* blocks_ = nullptr;
  std::shared_ptr<access_watch> watch_;
};

// -- what happens at every instruction --

inline void register_file::will_be_read(warp_slot warp, const isa::instruction& instruction) const {
  const row_range own = rows_of_warps_[warp];
  const isa::lane_words* const rows = &storage_[own.first];
  for (unsigned n = 0; n < instruction.general_reads; ++n) {
    if (instruction.general_read[n] >= own.count) continue;
    const std::uint32_t* const row = rows[instruction.general_read[n]].lane;
    constexpr unsigned words_of_line = 16;  // of the host's cache
    for (unsigned lane = 0; lane < isa::warp_size; lane += words_of_line) __builtin_prefetch(row + lane);
  }
}

// The rare ways get a copy, so that the usual request can live in registers. A transfer may have no row: a texture
// instruction may have no destination.

inline void register_file::transport(register_read_request& request) {
  if (request.threads != nullptr || by_slices_.is_open()) {
    const register_read_request copy = request;
    return read_otherwise(copy);
  }
  const row_range own = rows_of_warps_[request.warp];
  for (const isa::register_transfer& r : request.registers) {
    isa::lane_words* const to = request.registers.row<isa::lane_words>(r);
    const unsigned count = r.count;
    if (r.file != isa::register_file_kind::gpr || r.first + count > own.count) {
      read_other(warps_[request.warp.index()].rows, r, to);
      continue;
    }
    const isa::lane_words* const from = &storage_[own.first + r.first];
    for (unsigned word = 0; word < count; ++word) arch_state::copy_row(to[word].lane, from[word].lane);
  }
}

inline void register_file::transport(register_write_request& request) {
  if (request.threads != nullptr || by_slices_.is_open()) {
    const register_write_request copy = request;
    return write_otherwise(copy);
  }
  const row_range own = rows_of_warps_[request.warp];
  const isa::lane_mask lanes = request.lanes;
  for (const isa::register_transfer& w : request.registers) {
    const isa::lane_words* const from = request.registers.row<const isa::lane_words>(w);
    const unsigned count = w.count;
    if (w.file != isa::register_file_kind::gpr || w.part != isa::register_part::whole ||
        w.first + count > own.count) {
      write_other(warps_[request.warp.index()].rows, lanes, w, from);
      continue;
    }
    isa::lane_words* const to = &storage_[own.first + w.first];
    for (unsigned word = 0; word < count; ++word) arch_state::write_row(to[word].lane, from[word].lane, lanes);
  }
}

}  // namespace gt200::model
