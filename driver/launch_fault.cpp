#include "driver/launch_fault.h"

#include "sc_models/ids.h"
#include "toolchain/arch_state/refusal.h"
#include "toolchain/emulator/code_image.h"
#include "toolchain/emulator/fermi/fault_text.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200 {
namespace {

// The text and the source line of the instruction at fault.pc, or why there is none.
void explain_tesla(const cubin::kernel& kernel, arch_state::fault& fault) {
  const emulator::code_image code(kernel);
  fault.line = code.line(fault.pc);
  const emulator::code_entry* entry = code.at(fault.pc);
  if (entry == nullptr) {
    fault.detail = code.error(fault.pc).reason;
    return;
  }
  fault.disassembly = isa::tesla::disassemble(entry->instruction);
  if (fault.kind == arch_state::fault_kind::unsupported)
    fault.detail = arch_state::refusal_of_access(entry->instruction, false);
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
    emulator::fermi::explain_fault(chip.generation(), kernel, block[2], fault);
  return fault;
}

}  // namespace gt200
