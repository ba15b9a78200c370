#include "driver/launch_fault.h"

#include <fmt/format.h>

#include "sc_models/ids.h"
#include "toolchain/emulator/code_image.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200 {
namespace {

// The text and the source line of the instruction at fault.pc, or why there is none.
void explain_tesla(const cubin::kernel& kernel, arch_state::fault& fault) {
  const emulator::code_image code(kernel);
  fault.line = code.line(fault.pc);
  if (const emulator::code_entry* entry = code.at(fault.pc))
    fault.disassembly = isa::tesla::disassemble(entry->instruction);
  else
    fault.detail = code.error(fault.pc).reason;
}

void explain_by_generation(const arch_state::generation& generation, const cubin::kernel& kernel,
                           std::uint32_t block_z, arch_state::fault& fault) {
  for (const cubin::source_line& l : kernel.lines)
    if (l.offset <= fault.pc) fault.line = l.line;
  if (block_z != 0) fault.detail = fmt::format("block.z is {}", block_z);
  const std::size_t first = fault.pc / 4;
  if (first >= kernel.code.size()) return;
  isa::instruction_words words = {};
  const std::size_t count = generation.values().lengths.of(kernel.code[first]) / 4;
  if (first + count > kernel.code.size()) return;
  for (std::size_t w = 0; w < count; ++w) words[w] = kernel.code[first + w];
  const arch_state::generation::decoded decoded = generation.decode(words);
  if (decoded.instruction != nullptr) fault.disassembly = isa::text_of(*decoded.instruction);
}

}  // namespace

arch_state::fault fault_of_launch(model::chip& chip, const cubin::kernel& kernel, const launch::grid_size& grid) {
  const model::command_processor::fault_place where = chip.command_processor.fault();
  const model::fault_record& record = chip.tpcs[where.tpc].sms[where.sm]->probe().fault();
  arch_state::fault fault;
  fault.kind = record.kind;
  fault.kernel = kernel.name;
  fault.pc = record.pc;
  model::grid_descriptor placed;
  placed.grid = grid;
  const std::array<std::uint32_t, 3> block = placed.block_at(record.block_id);
  fault.block_x = block[0];
  fault.block_y = block[1];
  fault.warp = record.warp_in_block;
  fault.lanes = record.lanes;
  fault.address = record.address;
  fault.id = model::text_of_id(record.instruction_id);
  if (chip.config.chip.is_tesla())
    explain_tesla(kernel, fault);
  else
    explain_by_generation(chip.generation(), kernel, block[2], fault);
  return fault;
}

}  // namespace gt200
