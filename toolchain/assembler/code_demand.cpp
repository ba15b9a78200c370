#include "toolchain/assembler/code_demand.h"

#include <algorithm>

#include "toolchain/assembler/code_walk.h"

namespace gt200::assembler {
namespace {

void add_access(const isa::tesla::operand& o, std::uint32_t& bytes, bool& is_indexed) {
  if (o.address_register != 0)
    is_indexed = true;
  else
    bytes =
        std::max(bytes, static_cast<std::uint32_t>(o.value) + static_cast<std::uint32_t>(isa::bytes_of(o.type)));
}

void add_instruction(const isa::tesla::instruction& i, code_demand& demand) {
  demand.registers = std::max(demand.registers, registers_written(i));
  demand.capability = std::max<unsigned>(demand.capability, i.capability);
  if (i.op == isa::tesla::opcode::bar) demand.barrier = std::max<std::uint32_t>(demand.barrier, i.barrier_id);
  for (const isa::tesla::operand& o : i.source) {
    if (o.kind == isa::tesla::operand_kind::shared) add_access(o, demand.shared_bytes, demand.has_indexed_shared);
    if (o.kind == isa::tesla::operand_kind::local) add_access(o, demand.local_bytes, demand.has_indexed_local);
  }
}

}  // namespace

std::uint32_t registers_written(const isa::tesla::instruction& i) {
  std::uint32_t end = 0;
  for (std::size_t k = 0; k < i.write_count; ++k)
    if (i.writes[k].file == isa::register_file_kind::gpr)
      end = std::max(end, std::uint32_t{i.writes[k].first} + i.writes[k].count);
  return end;
}

code_demand demand_of(const std::vector<std::uint32_t>& code) {
  code_demand demand;
  walk_code(code, [&](const code_step& step) {
    if (step.instruction) add_instruction(*step.instruction, demand);
  });
  return demand;
}

}  // namespace gt200::assembler
