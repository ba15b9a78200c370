#include "sc_models/sm/front_end/decoded_instructions.h"

#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {
namespace {

// What issues when a path comes to an instruction with join that is executed after the paths have met.
isa::instruction meeting_before(const isa::instruction& instruction) {
  isa::instruction meeting;
  meeting.unit = isa::unit_class::control;
  meeting.join = true;
  meeting.length = instruction.length;
  meeting.words[0] = instruction.words[0];
  meeting.words[1] = instruction.words[1];
  return meeting;
}

// What stands for words that are no instruction: it goes to the branch unit, which passes its fault on.
isa::instruction trap_instruction(std::uint32_t first, std::uint32_t second) {
  isa::instruction trap;
  trap.op = isa::opcode::trap;
  trap.unit = isa::unit_class::control;
  trap.control = isa::control_kind::trap;
  trap.words[0] = first;
  trap.words[1] = second;
  return trap;
}

}  // namespace

decoded_instructions::decoded_instructions(unsigned capability, config::join_position join)
    : capability_(capability), join_before_(join == config::join_position::before) {
  invalid_pc_.instruction = trap_instruction(0, 0);
  invalid_pc_.fault = emulator::fault_kind::invalid_pc;
}

const decoded_instruction& decoded_instructions::look_up(isa::code_address pc, std::uint32_t first,
                                                         std::uint32_t second) {
  const bool aligned = isa::length_of(first) == 4 || pc % 8 == 0;
  const std::uint64_t key = std::uint64_t{second} << 32 | first;
  auto& found = by_words_[aligned ? key : ~key];
  if (!found) found = decode(first, second, aligned);
  recent_[pc / 4 % recent_entries] = {first, second, found.get()};
  return *found;
}

std::unique_ptr<decoded_instruction> decoded_instructions::decode(std::uint32_t first, std::uint32_t second,
                                                                  bool aligned) const {
  auto result = std::make_unique<decoded_instruction>();
  isa::decode_error error;
  const auto instruction = isa::decode(first, second, error);
  if (!instruction || !aligned || instruction->capability > capability_) {
    result->instruction = trap_instruction(first, second);
    result->fault =
        instruction && aligned ? emulator::fault_kind::unsupported : emulator::fault_kind::illegal_instruction;
    return result;
  }
  result->instruction = *instruction;
  if (join_before_ && instruction->join) {
    result->meeting = std::make_unique<decoded_instruction>();
    result->meeting->instruction = meeting_before(*instruction);
  }
  return result;
}

}  // namespace gt200::model
