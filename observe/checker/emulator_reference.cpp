#include "observe/checker/emulator_reference.h"

#include "observe/checker/described_launch.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/tesla/operand_access.h"

namespace gt200::observe {
namespace {

using isa::tesla::as_tesla;
using isa::tesla::operand_kind;

constexpr unsigned physid_register = 0;
constexpr unsigned clock_register = 1;

// Words of a source that the collector (or shared memory) has filled in; 0 for operands that are no values.
int words_of_source(const isa::tesla::instruction& i, const isa::tesla::operand& o) {
  switch (o.kind) {
    case operand_kind::gpr: return o.part != isa::tesla::half::whole ? 1 : isa::words_of(o.type);
    case operand_kind::immediate: return 1;
    // The value of a load is its result.
    case operand_kind::constant: return i.op == isa::tesla::opcode::ld_const ? 0 : isa::words_of(o.type);
    case operand_kind::shared: return i.unit == isa::unit_class::shared ? 0 : isa::words_of(o.type);
    default: return 0;
  }
}

class emulated_block final : public reference_block {
 public:
  explicit emulated_block(const emulator::program_context& context) : context_(context), state_(context) {}

  void start(std::uint32_t block_id) override {
    const std::uint32_t width = context_.launch->grid[0];
    state_.start(block_id % width, block_id / width);
  }
  unsigned warps() const override { return state_.warps(); }
  bool finished(unsigned warp) const override { return state_.finished(warp); }
  isa::code_address pc(unsigned warp) const override { return state_.flow(warp).pc(); }
  isa::lane_mask active_mask(unsigned warp) const override { return state_.flow(warp).active_mask(); }
  bool meets_before(unsigned warp) const override {
    if (!context_.divergence.reconverges_before()) return false;
    const emulator::code_entry* entry = context_.code->at(pc(warp));
    return entry != nullptr && entry->instruction.join;
  }
  const arch_state::register_rows& registers(unsigned warp) const override { return state_.registers(warp); }
  const std::vector<std::uint8_t>& shared() const override { return state_.shared(); }

  void step(unsigned warp, arch_state::step_record& r) override { state_.step(warp, r); }
  isa::lane_mask live_threads(unsigned warp) const override { return state_.threads(warp).live(); }
  isa::code_address thread_pc(unsigned warp, unsigned lane) const override { return state_.threads(warp).pc(lane); }
  void step_threads(const model::formed_lanes& threads, isa::lane_mask lanes, isa::code_address pc,
                    arch_state::step_record& r) override {
    state_.step_threads(threads.number, lanes, pc, r);
  }
  void perform_shared(arch_state::step_record& r) override { state_.perform(r, no_memory_); }
  void complete(arch_state::step_record& r) override { state_.complete(r); }
  void repeat(arch_state::step_record& r) override { state_.repeat(r); }

 private:
  const emulator::program_context& context_;
  emulator::block_state state_;
  arch_state::memory no_memory_;  // accesses to shared memory need none
};

}  // namespace

void emulator_reference::read(unsigned, unsigned, isa::lane_words& out) { arch_state::fill_row(out.lane, 0); }

void emulator_reference::begin_launch(const model::grid_descriptor& grid) {
  parameters_ = described(launched_, grid);
  code_.emplace(*parameters_.kernel);
  for (unsigned space = 0; space < grid.constants.size(); ++space) {
    std::vector<std::uint8_t> bytes(grid.constants[space].bytes);
    if (!bytes.empty()) chip_.command_processor.peek(grid.constants[space].address, bytes.data(), bytes.size());
    const std::size_t size = bytes.size();
    constants_.write(space, 0, bytes, size);
  }
  context_.code = &*code_;
  context_.constants = &constants_;
  context_.launch = &parameters_;
  context_.special = this;
  context_.divergence = chip_.config.tpc.sm.simt_stack;
  context_.forms_warps = grid.forms_warps;
  context_.initial_state_seed = grid.initial_state_seed;
}

std::unique_ptr<reference_block> emulator_reference::make_block() {
  return std::make_unique<emulated_block>(context_);
}

const isa::instruction* emulator_reference::at(isa::code_address pc) const {
  const emulator::code_entry* entry = code_->at(pc);
  return entry == nullptr ? nullptr : &entry->instruction;
}

checked_operands emulator_reference::operands_of(const isa::instruction& any) const {
  const isa::tesla::instruction& i = as_tesla(any);
  checked_operands operands;
  for (unsigned s = 0; s < operands.source_words.size(); ++s)
    operands.source_words[s] = static_cast<std::uint8_t>(words_of_source(i, i.source[s]));
  if (i.reads_condition) operands.flags_in = i.condition_source;
  if (const unsigned address = isa::tesla::address_register_of(i); address != 0)
    operands.address_in = static_cast<int>(address);
  operands.destination = i.destination.index;
  operands.destination_words = static_cast<std::uint8_t>(isa::tesla::destination_words(i));
  if (i.writes_condition) operands.flags_out = i.condition_destination;
  if (i.destination.kind == operand_kind::address) operands.address_out = i.destination.index;
  return operands;
}

special_value emulator_reference::special_of(const isa::instruction& any) const {
  const isa::tesla::instruction& i = as_tesla(any);
  if (i.op != isa::tesla::opcode::mov_from_sr) return special_value::none;
  switch (i.source[0].index) {
    case clock_register: return special_value::clock;
    case physid_register: return special_value::place;
    default: return special_value::other;
  }
}

}  // namespace gt200::observe
