#include "sc_models/sm/front_end/decoded_instructions.h"

#include <utility>

namespace gt200::model {

using arch_state::fault_kind;

decoded_instructions::decoded_instructions(std::shared_ptr<const arch_state::generation> generation)
    : generation_(std::move(generation)) {
  invalid_pc_ = {generation_->trap({}), 0, fault_kind::invalid_pc};
}

std::size_t decoded_instructions::key_hash::operator()(const key& k) const {
  std::uint64_t hash = k.aligned ? 1 : 2;
  for (const std::uint32_t word : k.words) hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

const instruction_descriptor& decoded_instructions::look_up(isa::code_address pc,
                                                         const isa::instruction_words& words) {
  const unsigned length = generation_->values().lengths.of(words[0]);
  const key k{words, pc % length == 0};
  auto& found = by_words_[k];
  if (!found) found = decode(k);
  if (pc % 4 == 0) recent_[pc / 4 % recent_entries] = {words, found.get()};
  return *found;
}

std::unique_ptr<instruction_descriptor> decoded_instructions::decode(const key& k) const {
  const unsigned length = generation_->values().lengths.of(k.words[0]);
  arch_state::generation::decoded decoded = generation_->decode(k.words);
  if (decoded.instruction == nullptr || !k.aligned)
    return std::make_unique<instruction_descriptor>(generation_->trap(k.words), length,
                                                    k.aligned ? decoded.fault : fault_kind::illegal_instruction);
  auto result = std::make_unique<instruction_descriptor>(std::move(decoded.instruction), length);
  if (decoded.arrival != nullptr)
    result->arrival = std::make_unique<instruction_descriptor>(std::move(decoded.arrival), length);
  return result;
}

}  // namespace gt200::model
