#include "toolchain/arch_state/tesla/simt_stack.h"

namespace gt200::arch_state::tesla {

simt_stack::any_stack simt_stack::make(const divergence_options& options) {
  if (options.semantics == divergence_semantics::ssy_sync) return ssy_sync_stack(options);
  if (options.mechanism == stack_mechanism::pdom) return pdom_stack(options);
  return token_stack(options);
}

simt_stack::simt_stack(const divergence_options& options) : stack_(make(options)) {}

void simt_stack::started() {
  if (auto* tokens = std::get_if<token_stack>(&stack_))
    tokens->start();
  else if (auto* entries = std::get_if<pdom_stack>(&stack_))
    entries->start(flow_);
  else
    std::get<ssy_sync_stack>(stack_).start();
}

control_result simt_stack::enter(const isa::instruction& i) {
  control_result result =
      std::visit([&](auto& stack) { return stack.enter(flow_, isa::tesla::as_tesla(i)); }, stack_);
  result.pc = flow_.pc;
  result.mask = flow_.active;
  return result;
}

control_result simt_stack::execute(const isa::instruction& i, isa::lane_mask selected) {
  const isa::code_address next = flow_.pc + i.length;
  selected &= flow_.active;
  control_result result =
      std::visit([&](auto& stack) { return stack.execute(flow_, isa::tesla::as_tesla(i), selected); }, stack_);
  result.pc = flow_.pc;
  result.mask = flow_.active;
  result.finished = flow_.active == 0;
  result.redirected = result.finished || flow_.pc != next;
  return result;
}

unsigned simt_stack::depth() const {
  return std::visit([](const auto& stack) { return stack.depth(); }, stack_);
}

stack_words simt_stack::words(unsigned index) const {
  return std::visit([&](const auto& stack) { return stack.words(index); }, stack_);
}

stack_entry simt_stack::entry(unsigned index) const {
  return std::visit([&](const auto& stack) { return stack.entry_for_readers(index); }, stack_);
}

unsigned simt_stack::max_depth() const {
  return std::visit([](const auto& stack) { return stack.max_depth(); }, stack_);
}

std::array<std::uint8_t, 4> simt_stack::word_bits() const {
  return std::visit([](const auto& stack) { return stack.word_bits(); }, stack_);
}

void simt_stack::set_words(unsigned index, const stack_words& words) {
  std::visit([&](auto& stack) { stack.set_words(index, words); }, stack_);
}

const on_chip_window& simt_stack::window() const {
  return std::visit([](const auto& stack) -> const on_chip_window& { return stack.window(); }, stack_);
}

}  // namespace gt200::arch_state::tesla
