#include "testbenches/subsystem/toy_generation/toy_reference.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "toolchain/arch_state/initial_state.h"
#include "toolchain/bits.h"
#include "toolchain/launch/abi.h"

namespace gt200::toy {
namespace {

using arch_state::step_record;
using arch_state::step_state;

struct interpreted_warp {
  std::vector<isa::lane_words> rows;
  arch_state::register_rows registers;
  std::array<isa::code_address, isa::warp_size> counter{};  // of each lane
  isa::lane_mask live = 0;
  isa::lane_mask active = 0;
  isa::code_address pc = 0;  // of the active lanes

  std::uint32_t value(unsigned index, unsigned lane) const {
    return index == zero_register ? 0 : registers.gpr(index)[lane];
  }
  // The lanes with the lowest counter go on.
  void choose_lanes() {
    active = 0;
    if (live == 0) return;
    pc = ~isa::code_address{0};
    for (const unsigned lane : set_bits(live)) pc = std::min(pc, counter[lane]);
    for (const unsigned lane : set_bits(live))
      if (counter[lane] == pc) active |= isa::lane_mask{1} << lane;
  }
};

class interpreted_block final : public observe::reference_block {
 public:
  interpreted_block(const std::vector<instruction>& code, const model::grid_descriptor& grid)
      : code_(code), grid_(grid), warps_(grid.warps_per_block()), shared_(grid.shared_bytes) {
    for (interpreted_warp& w : warps_) {
      w.rows.resize(grid.registers);
      w.registers.bind(w.rows.data(), grid.registers);
    }
  }

  void start(std::uint32_t block_id) override {
    for (std::uint32_t word = 0; word < shared_.size() / 4; ++word) {
      const std::uint32_t value = arch_state::initial_shared_word(grid_.initial_state_seed, block_id, word);
      std::memcpy(&shared_[4 * word], &value, 4);
    }
    launch::launch_parameters parameters;
    parameters.grid = grid_.grid;
    parameters.block = grid_.block;
    parameters.grid_id = grid_.grid_id;
    parameters.parameter_bytes = grid_.parameters;
    launch::write_shared_image(parameters, block_id % grid_.grid[0], block_id / grid_.grid[0], shared_.data());
    for (unsigned n = 0; n < warps_.size(); ++n) start_warp(n, block_id);
  }
  unsigned warps() const override { return static_cast<unsigned>(warps_.size()); }
  bool finished(unsigned warp) const override { return warps_[warp].live == 0; }
  isa::code_address pc(unsigned warp) const override { return warps_[warp].pc; }
  isa::lane_mask active_mask(unsigned warp) const override { return warps_[warp].active; }
  bool meets_before(unsigned) const override { return false; }
  const arch_state::register_rows& registers(unsigned warp) const override { return warps_[warp].registers; }
  const std::vector<std::uint8_t>& shared() const override { return shared_; }

  void step(unsigned warp, step_record& r) override {
    interpreted_warp& w = warps_[warp];
    r.warp = warp;
    r.pc = w.pc;
    r.active = r.executed = w.active;
    r.performed = 0;
    r.fault = arch_state::fault_kind::none;
    r.flow = {};
    r.access = {};
    r.instruction = nullptr;
    if (w.pc / 4 >= code_.size()) {
      r.state = step_state::faulted;
      r.fault = arch_state::fault_kind::invalid_pc;
      r.fault_lanes = w.active;
      return;
    }
    const instruction& i = code_[w.pc / 4];
    r.instruction = &i;
    r.access = i.access;
    read(w, i, r);
    r.state = r.access.kind == isa::access_kind::none ? step_state::done : step_state::pending;
    if (r.state == step_state::done) write(w, i, r);
    move_on(w, i, r.executed);
  }
  void perform_shared(step_record&) override { throw std::logic_error("the set has no access to shared memory"); }
  void complete(step_record& r) override {
    write(warps_[r.warp], as_toy(*r.instruction), r);
    r.state = step_state::done;
  }
  void repeat(step_record& r) override { write(warps_[r.warp], as_toy(*r.instruction), r); }

 private:
  void start_warp(unsigned number, std::uint32_t block_id) {
    interpreted_warp& w = warps_[number];
    for (unsigned r = 1; r < grid_.registers; ++r)
      arch_state::initial_register_row(grid_.initial_state_seed, block_id, number, r, w.rows[r].lane);
    w.registers.clear_conditions_and_addresses();
    w.live = 0;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      const unsigned thread = number * isa::warp_size + lane;
      w.rows[0].lane[lane] = launch::initial_r0(thread, grid_.block);
      if (thread < grid_.threads()) w.live |= isa::lane_mask{1} << lane;
    }
    w.counter.fill(grid_.entry);
    w.choose_lanes();
  }

  // Sources, addresses, results that need no access, and for a branch the lanes that take it.
  static void read(const interpreted_warp& w, const instruction& i, step_record& r) {
    const auto number = static_cast<std::uint32_t>(i.number);
    for (const unsigned lane : set_bits(w.active)) {
      const std::uint32_t a = w.value(i.a, lane);
      const std::uint32_t b = w.value(i.b, lane);
      r.values.source[0][0].lane[lane] = a;
      r.values.source[1][0].lane[lane] = b;
      r.values.address.lane[lane] = a + number;
      if (i.op == opcode::add) r.values.destination[0].lane[lane] = a + b + number;
      if (i.op == opcode::less) r.values.flags_out[lane] = a < b + number ? 1 : 0;
      if (i.op == opcode::bra && w.registers.condition(i.a)[lane] == i.b)
        r.executed &= ~(isa::lane_mask{1} << lane);
    }
  }
  static void write(interpreted_warp& w, const instruction& i, const step_record& r) {
    for (const unsigned lane : set_bits(r.executed)) {
      if (i.op == opcode::less) w.registers.condition_for_write(i.d)[lane] = r.values.flags_out[lane];
      if ((i.op == opcode::add || i.op == opcode::load) && i.d < w.rows.size())
        w.rows[i.d].lane[lane] = r.values.destination[0].lane[lane];
    }
  }
  static void move_on(interpreted_warp& w, const instruction& i, isa::lane_mask taken) {
    for (const unsigned lane : set_bits(w.active)) {
      const bool jumps = i.op == opcode::bra && (taken >> lane & 1) != 0;
      w.counter[lane] = w.pc + (jumps ? static_cast<isa::code_address>(4 * i.number) : 4);
    }
    w.pc += 4;
    if (i.op == opcode::exit) w.live &= ~w.active;
    if (i.op == opcode::bra || i.op == opcode::meet || i.op == opcode::exit) w.choose_lanes();
  }

  const std::vector<instruction>& code_;
  const model::grid_descriptor& grid_;
  std::vector<interpreted_warp> warps_;
  std::vector<std::uint8_t> shared_;
};

}  // namespace

interpreter::interpreter(const std::vector<std::uint32_t>& code) {
  for (const std::uint32_t word : code) code_.push_back(decode(word));
}

std::unique_ptr<observe::reference_block> interpreter::make_block() {
  return std::make_unique<interpreted_block>(code_, *grid_);
}

const isa::instruction* interpreter::at(isa::code_address pc) const {
  return pc / 4 < code_.size() ? &code_[pc / 4] : nullptr;
}

observe::checked_operands interpreter::operands_of(const isa::instruction& any) const {
  const instruction& i = as_toy(any);
  observe::checked_operands operands;
  switch (i.op) {
    case opcode::add:
      operands.source_words = {1, 1, 0};
      operands.destination = i.d;
      operands.destination_words = 1;
      break;
    case opcode::less:
      operands.source_words = {1, 1, 0};
      operands.flags_out = i.d;
      break;
    case opcode::load:
      operands.source_words = {1, 0, 0};
      operands.destination = i.d;
      operands.destination_words = 1;
      break;
    case opcode::store: operands.source_words = {1, 1, 0}; break;
    case opcode::bra:
    case opcode::meet:
    case opcode::bar:
    case opcode::exit: break;
  }
  return operands;
}

}  // namespace gt200::toy
