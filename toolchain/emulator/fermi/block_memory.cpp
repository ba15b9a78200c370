#include "toolchain/emulator/fermi/block_memory.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/initial_state.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/memory_access.h"
#include "toolchain/emulator/fermi/fault_text.h"
#include "toolchain/emulator/fermi/generic_access.h"

namespace gt200::emulator::fermi {

using namespace arch_state;
namespace {

bool fail(step_record& r, fault_kind kind, isa::lane_mask lanes, std::uint64_t address) {
  r.state = step_state::faulted;
  r.fault = kind;
  r.fault_lanes = lanes;
  r.fault_address = address;
  return false;
}

}  // namespace

std::uint32_t block_number(const std::array<std::uint32_t, 3>& at, const std::array<std::uint32_t, 3>& size) {
  return (at[2] * size[1] + at[1]) * size[0] + at[0];
}

isa::lane_mask lanes_of_warp(std::uint32_t threads_of_block, unsigned warp) {
  const std::uint32_t present = std::min<std::uint32_t>(threads_of_block - warp * isa::warp_size, isa::warp_size);
  return present == isa::warp_size ? all_lanes : (1u << present) - 1;
}

void fill_registers(std::uint64_t seed, std::uint32_t block, unsigned warp, register_rows& registers) {
  for (unsigned k = 0; k < registers.count(); ++k)
    initial_register_row(seed, block, warp, k, registers.gpr_for_write(k));
  registers.clear_conditions_and_addresses();
}

void fill_memories(std::uint64_t seed, std::uint32_t block, std::vector<std::uint8_t>& shared,
                   std::vector<std::uint8_t>& local) {
  for (std::uint32_t word = 0; word < shared.size() / 4; ++word) {
    const std::uint32_t value = initial_shared_word(seed, block, word);
    std::memcpy(shared.data() + 4 * std::size_t{word}, &value, 4);
  }
  for (std::uint32_t word = 0; word < local.size() / 4; ++word) {
    const std::uint32_t value = initial_local_word(seed, block, word);
    std::memcpy(local.data() + 4 * std::size_t{word}, &value, 4);
  }
}

void read_registers(const register_rows& from, const register_reads& reads) {
  for (const isa::register_transfer& t : reads) {
    if (t.file == isa::register_file_kind::gpr) {
      auto* rows = reads.row<isa::lane_words>(t);
      for (unsigned k = 0; k < t.count; ++k) copy_row(rows[k].lane, from.gpr(t.first + k));
    } else {
      std::memcpy(reads.row<std::uint8_t>(t), from.condition(t.first), isa::warp_size);
    }
  }
}

void write_registers(register_rows& to, const register_writes& writes, isa::lane_mask lanes) {
  for (const isa::register_transfer& t : writes) {
    if (t.file == isa::register_file_kind::gpr) {
      const auto* rows = writes.row<const isa::lane_words>(t);
      for (unsigned k = 0; k < t.count; ++k)
        if (std::uint32_t* row = to.gpr_for_write(t.first + k)) write_row(row, rows[k].lane, lanes);
    } else {
      write_row(to.condition_for_write(t.first), writes.row<const std::uint8_t>(t), lanes);
    }
  }
}

bool gather_constants(const arch_state::generation& generation, const constant_memory& constants,
                      const isa::instruction& i, step_record& r) {
  for (unsigned k = 0; k < i.constant_count; ++k) {
    const isa::constant_operand& c = i.constants[k];
    isa::lane_words addresses;
    if (c.indexed)
      generation.constant_addresses(i, c, r.values, addresses.lane);
    else
      fill_row(addresses.lane, c.offset);
    // A space that no generation has is not bound either.
    static const std::vector<std::uint8_t> unbound;
    const std::vector<std::uint8_t>& bytes = c.bank < constant_memory::spaces ? constants.bytes(c.bank) : unbound;
    const flat_view from = {bytes.data(), static_cast<std::uint32_t>(bytes.size()), 0};
    // All lanes have the address of a direct operand.
    const isa::lane_mask first = r.executed & (~r.executed + 1);
    if (find_constant_fault(addresses, c.indexed ? r.executed : first, c.type, from.size)) {
      const access_fault f = find_constant_fault(addresses, r.executed, c.type, from.size);
      return fail(r, f.kind, f.lanes, f.address);
    }
    const unsigned words = static_cast<unsigned>(isa::words_of(c.type));
    const isa::data_type type = words == 1 ? c.type : isa::data_type::b32;
    for (unsigned word = 0; word < words; ++word) {
      isa::lane_words* to = r.values.source[c.slot] + word;
      load_lanes(from, addresses, r.executed, type, to, !c.indexed);
      for (std::uint32_t& a : addresses.lane) a += 4;
    }
  }
  return true;
}

bool perform_in_block(step_record& r, const arch_state::generation& generation, memory& global,
                      std::vector<std::uint8_t>& shared, std::vector<std::uint8_t>& local,
                      std::uint32_t local_stride, bool atomics_on_chip) {
  memories m;
  m.global = &global;
  m.shared = {shared.data(), static_cast<std::uint32_t>(shared.size()), 0};
  m.local = {local.data() + std::size_t{r.warp} * isa::warp_size * local_stride, local_stride, local_stride};
  m.atomics_on_chip = atomics_on_chip;
  const access_fault f = perform_access(r, m, generation.values(), r.executed);
  return !f || fail(r, f.kind, f.lanes, f.address);
}

fault describe_block_fault(const step_record& r, const arch_state::generation& generation,
                           const cubin::kernel& kernel, const block_place& place) {
  fault f;
  f.kind = r.fault;
  f.kernel = kernel.name;
  f.pc = r.pc;
  f.block_x = place.block[0];
  f.block_y = place.block[1];
  f.warp = r.warp;
  f.lanes = r.fault_lanes;
  f.address = r.fault_address;
  explain_fault(generation, kernel, place.block[2], f);
  return f;
}

}  // namespace gt200::emulator::fermi
