#include "sc_models/sm/operands/register_file.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

using isa::register_file_kind;
using isa::register_part;

register_file::register_file(const sc_core::sc_module_name& name, const config::sm_config& config,
                             detail_window by_slices, const arch_state::generation_values& generation,
                             slot_share share)
    : sc_core::sc_module(name),
      reads("reads", *this),
      writes("writes", *this),
      initial_writes("initial_writes", *this),
      allocations("allocations", *this),
      by_slices_(by_slices),
      storage_(config.limits.registers / isa::warp_size),
      warps_(config.limits.warps),
      to_slices_("to_slice"),
      predicates_(generation.predicates),
      predicate_width_(generation.predicate_bits),
      addresses_(generation.address_registers == 0 ? 0 : generation.address_registers - 1),
      address_width_(generation.address_register_bits),
      share_(share) {
  if (!by_slices.ever_opens()) return;
  const unsigned sps = config.sp.lanes;
  to_slices_.init(
      sps, [](const char* socket, std::size_t) { return new tlm_bus::transaction_out<slice_access>(socket); });
  for (unsigned sp = 0; sp < sps; ++sp) {
    slices_.push_back(std::make_unique<register_slice>(("sp_" + std::to_string(sp)).c_str(), sp, sps, storage_));
    to_slices_[sp].bind(slices_.back()->access);
  }
}

void register_file::transport(register_allocation& a) {
  if (a.first_row + a.registers > storage_.size())
    throw std::logic_error(std::string(name()) + ": allocation beyond the register file");
  warp_registers& warp = warps_[a.warp.index()];
  warp.first_row = a.first_row;
  rows_of_warps_[a.warp] = {a.first_row, a.registers};
  warp.rows.bind(&storage_[a.first_row], a.registers);
  warp.rows.clear_conditions_and_addresses();
  warp.section_count = 0;
}

void register_file::map_section(warp_slot warp, std::uint32_t first_row, unsigned first, unsigned count) {
  if (first_row + count > storage_.size())
    throw std::logic_error(std::string(name()) + ": section beyond the register file");
  warp_registers& w = warps_[warp.index()];
  w.section_row = first_row;
  w.section_first = first;
  w.section_count = count;
  w.rows.bind_section(&storage_[first_row], first, count);
}

void register_file::fill_section(warp_slot warp, unsigned index, const isa::lane_words& values) {
  if (std::uint32_t* row = warps_[warp.index()].rows.gpr_for_write(index)) arch_state::copy_row(row, values.lane);
}

void register_file::unmap_section(warp_slot warp) {
  warp_registers& w = warps_[warp.index()];
  w.section_count = 0;
  w.rows.bind_section(nullptr, 0, 0);
}

void register_file::read_other(const arch_state::register_rows& rows, const isa::register_transfer& r, void* to) {
  switch (r.file) {
    case register_file_kind::gpr:
      for (unsigned word = 0; word < r.count; ++word)
        arch_state::copy_row(static_cast<isa::lane_words*>(to)[word].lane, rows.gpr(r.first + word));
      break;
    case register_file_kind::condition: std::memcpy(to, rows.condition(r.first), isa::warp_size); break;
    case register_file_kind::address:
      std::memcpy(to, rows.address(r.first), sizeof(std::uint16_t) * isa::warp_size);
      break;
  }
}

void register_file::read_otherwise(const register_read_request& request) {
  if (request.threads != nullptr) return read_by_thread(request);
  const warp_registers& warp = warps_[request.warp.index()];
  for (const isa::register_transfer& r : request.registers)
    if (r.file == register_file_kind::gpr)
      read_sliced(warp, request.lanes, r, request.registers.row<isa::lane_words>(r));
    else
      read_other(warp.rows, r, request.registers.row<void>(r));
}

// Each lane takes its word from the row of its thread.
void register_file::read_by_thread(const register_read_request& request) {
  const arch_state::register_reads& registers = request.registers;
  isa::lane_words words[4];
  for (const isa::register_transfer& r : registers) {
    for_each_home(*request.threads, request.lanes, [&](unsigned first, isa::lane_mask lanes) {
      const warp_registers& warp = warps_[request.threads->slot[first]];
      switch (r.file) {
        case register_file_kind::gpr:
          if (by_slices_.is_open()) read_sliced(warp, lanes, r, words);
          for (unsigned k = 0; k < r.count; ++k)
            arch_state::write_row(registers.row<isa::lane_words>(r)[k].lane,
                                  by_slices_.is_open() ? words[k].lane : warp.rows.gpr(r.first + k), lanes);
          break;
        case register_file_kind::condition:
          arch_state::write_row(registers.row<std::uint8_t>(r), warp.rows.condition(r.first), lanes);
          break;
        case register_file_kind::address:
          arch_state::write_row(registers.row<std::uint16_t>(r), warp.rows.address(r.first), lanes);
          break;
      }
    });
  }
}

void register_file::read_sliced(const warp_registers& warp, isa::lane_mask lanes, const isa::register_transfer& r,
                                isa::lane_words* to) {
  for (unsigned word = 0; word < r.count; ++word) {
    const unsigned index = r.first + word;
    if (warp.row_of(index) != warp_registers::no_row)
      through_slices(false, warp.row_of(index), lanes, to[word].lane);
    else
      arch_state::copy_row(to[word].lane, warp.rows.gpr(index));
  }
}

void register_file::write_otherwise(const register_write_request& request) {
  if (request.threads == nullptr) return write(warps_[request.warp.index()], request.lanes, request.registers);
  for_each_home(*request.threads, request.lanes, [&](unsigned first, isa::lane_mask lanes) {
    write(warps_[request.threads->slot[first]], lanes, request.registers);
  });
}

void register_file::write(warp_registers& warp, isa::lane_mask lanes,
                          const arch_state::register_writes& registers) {
  const bool sliced = by_slices_.is_open();
  for (const isa::register_transfer& w : registers)
    if (sliced && w.file == register_file_kind::gpr)
      write_sliced(warp, lanes, w, registers);
    else
      write_other(warp.rows, lanes, w, registers.row<const void>(w));
}

void register_file::write_other(arch_state::register_rows& rows, isa::lane_mask lanes,
                                const isa::register_transfer& w, const void* values) {
  switch (w.file) {
    case register_file_kind::condition:
      return arch_state::write_row(rows.condition_for_write(w.first), static_cast<const std::uint8_t*>(values),
                                   lanes);
    case register_file_kind::address:
      return arch_state::write_row(rows.address_for_write(w.first), static_cast<const std::uint16_t*>(values),
                                   lanes);
    case register_file_kind::gpr: break;
  }
  const isa::lane_words* const from = static_cast<const isa::lane_words*>(values);
  for (unsigned word = 0; word < w.count; ++word) {
    std::uint32_t* const row = rows.gpr_for_write(w.first + word);
    if (row == nullptr) continue;
    if (w.part == register_part::whole)
      arch_state::write_row(row, from[word].lane, lanes);
    else
      arch_state::write_row_half(row, from[word].lane, w.part == register_part::high, lanes);
  }
}

void register_file::write_sliced(warp_registers& warp, isa::lane_mask lanes, const isa::register_transfer& w,
                                 const arch_state::register_writes& registers) {
  const isa::lane_words* const from = registers.row<const isa::lane_words>(w);
  for (unsigned word = 0; word < w.count; ++word) {
    const std::uint32_t* const row = warp.rows.gpr_for_write(w.first + word);
    if (row == nullptr) continue;
    // The other half of each register stays.
    isa::lane_words data;
    arch_state::copy_row(data.lane, w.part == register_part::whole ? from[word].lane : row);
    if (w.part != register_part::whole)
      arch_state::write_row_half(data.lane, from[word].lane, w.part == register_part::high, lanes);
    through_slices(true, warp.row_of(w.first + word), lanes, data.lane);
  }
}

// One access for each slice that has some of the lanes. `values` by lane.
void register_file::through_slices(bool is_write, std::uint32_t row, isa::lane_mask lanes, std::uint32_t* values) {
  const unsigned sps = slices();
  for (unsigned sp = 0; sp < sps; ++sp) {
    slice_access access;
    access.writes = is_write;
    access.row = row;
    for (unsigned n = 0; n * sps < isa::warp_size; ++n) {
      const unsigned lane = n * sps + sp;
      if ((lanes >> lane & 1) == 0) continue;
      access.lanes |= 1u << n;
      access.data[n] = values[lane];
    }
    if (access.lanes == 0) continue;
    to_slices_[sp].send(access);
    if (is_write) continue;
    for (unsigned n = 0; n * sps < isa::warp_size; ++n)
      if ((access.lanes >> n & 1) != 0) values[n * sps + sp] = access.data[n];
  }
}

void register_file::visit_state(tlm_bus::state_image& state) {
  state.fixed(by_slices_, slices_, predicates_, predicate_width_, addresses_, address_width_, share_, blocks_);
  state(storage_, warps_, rows_of_warps_);
}

}  // namespace gt200::model
