#include "testbenches/subsystem/sm/register_mirror.h"

namespace gt200::support {
namespace {

using isa::register_file_kind;
using isa::register_part;

// A lane of a row, as register_transfer.h describes rows. `word`: of several general registers.
std::uint32_t value_in(register_file_kind file, const void* rows, unsigned word, unsigned lane) {
  switch (file) {
    case register_file_kind::gpr: return static_cast<const isa::lane_words*>(rows)[word].lane[lane];
    case register_file_kind::condition: return static_cast<const std::uint8_t*>(rows)[lane];
    case register_file_kind::address: return static_cast<const std::uint16_t*>(rows)[lane];
  }
  return 0;
}

std::string place(const char* file, unsigned index, unsigned lane, std::uint32_t expected, std::uint32_t got) {
  return file + std::to_string(index) + " lane " + std::to_string(lane) + ": " + std::to_string(expected) +
         " passed the sockets, " + std::to_string(got) + " is there";
}

}  // namespace

register_mirror::register_mirror(model::register_file& file) : file_(file) {
  file.allocations.observers().attach(*this);
  file.initial_writes.observers().attach(*this);
  file.writes.observers().attach(*this);
  file.reads.observers().attach(*this);
}

register_mirror::~register_mirror() {
  file_.allocations.observers().detach(*this);
  file_.initial_writes.observers().detach(*this);
  file_.writes.observers().detach(*this);
  file_.reads.observers().detach(*this);
}

void register_mirror::transported(const sc_core::sc_object&, tlm_bus::femtoseconds,
                                  const model::register_allocation& a) {
  ++allocations;
  warp_registers& warp = warps_[a.warp.index()] = {};
  warp.first_row = a.first_row;
  warp.count = a.registers;
}

void register_mirror::write(warp_registers& warp, const isa::register_transfer& w, const void* from,
                            unsigned lane) {
  switch (w.file) {
    case register_file_kind::condition:
      warp.condition[w.first][lane] = static_cast<std::uint8_t>(value_in(w.file, from, 0, lane));
      return;
    case register_file_kind::address:
      warp.address[w.first][lane] = static_cast<std::uint16_t>(value_in(w.file, from, 0, lane));
      return;
    case register_file_kind::gpr: break;
  }
  for (unsigned word = 0; word < w.count && w.first + word < warp.count; ++word) {
    std::uint32_t& held = rows_[warp.first_row + w.first + word].lane[lane];
    const std::uint32_t value = value_in(w.file, from, word, lane);
    switch (w.part) {
      case register_part::whole: held = value; break;
      case register_part::low: held = (held & 0xffff0000) | (value & 0xffff); break;
      case register_part::high: held = (held & 0xffff) | value << 16; break;
    }
  }
}

void register_mirror::transported(const sc_core::sc_object& socket, tlm_bus::femtoseconds,
                                  const model::register_write_request& request) {
  ++(&socket == &file_.writes ? writes : initial_writes);
  for (const isa::register_transfer& w : request.registers)
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      if ((request.lanes >> lane & 1) == 0) continue;
      const void* const from = request.registers.row<const std::uint8_t>(w);
      write(warps_.at(request.warp.index()), w, from, lane);
      if (w.file == register_file_kind::gpr) written[request.id][lane] = value_in(w.file, from, 0, lane);
    }
}

std::uint32_t register_mirror::held(const warp_registers& warp, register_file_kind file, unsigned index,
                                    unsigned lane) const {
  switch (file) {
    case register_file_kind::condition: return warp.condition[index][lane];
    case register_file_kind::address: return warp.address[index][lane];
    case register_file_kind::gpr: break;
  }
  const auto row = rows_.find(warp.first_row + index);
  return index >= warp.count || row == rows_.end() ? 0 : row->second.lane[lane];
}

void register_mirror::transported(const sc_core::sc_object&, tlm_bus::femtoseconds,
                                  const model::register_read_request& request) {
  ++reads;
  const warp_registers& warp = warps_.at(request.warp.index());
  for (const isa::register_transfer& r : request.registers)
    for (unsigned word = 0; word < r.count; ++word)
      for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
        const std::uint32_t expected = held(warp, r.file, r.first + word, lane);
        const std::uint32_t got = value_in(r.file, request.registers.row<const std::uint8_t>(r), word, lane);
        if (got != expected) wrong_reads.push_back(place("read of register ", r.first + word, lane, expected, got));
      }
}

std::vector<model::warp_slot> register_mirror::warps() const {
  std::vector<model::warp_slot> all;
  for (const auto& [slot, registers] : warps_) all.emplace_back(slot);
  return all;
}

std::vector<std::string> register_mirror::differences(model::warp_slot slot) const {
  const warp_registers& warp = warps_.at(slot.index());
  const arch_state::register_rows& rows = file_.rows(slot);
  std::vector<std::string> found;
  const auto compare = [&](const char* name, register_file_kind kind, unsigned index, const auto* row) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      const std::uint32_t expected = held(warp, kind, index, lane);
      if (row[lane] != expected) found.push_back(place(name, index, lane, expected, row[lane]));
    }
  };
  if (rows.count() != warp.count) found.push_back("another number of registers");
  for (unsigned i = 0; i < warp.count; ++i) compare("$r", register_file_kind::gpr, i, rows.gpr(i));
  for (unsigned i = 0; i < warp.condition.size(); ++i)
    compare("$c", register_file_kind::condition, i, rows.condition(i));
  for (unsigned i = 0; i < warp.address.size(); ++i) compare("$a", register_file_kind::address, i, rows.address(i));
  return found;
}

}  // namespace gt200::support
