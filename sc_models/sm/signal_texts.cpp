#include "sc_models/sm/signal_texts.h"

#include "sc_models/sm/stall_cause.h"

namespace gt200::model {

std::string text_of_instruction(std::uint64_t key) {
  const auto* instruction = reinterpret_cast<const isa::instruction*>(static_cast<std::uintptr_t>(key));
  return instruction == nullptr ? "" : isa::text_of(*instruction);
}

std::string text_of_warp_state(std::uint64_t key) {
  return key == 0 ? "" : name_of(static_cast<stall_cause>(key - 1)).key;
}

std::string text_of_register_range(std::uint64_t key) {
  if (key == 0) return "";
  const auto file = static_cast<isa::register_file_kind>(key >> 16);
  const char* prefix = file == isa::register_file_kind::gpr         ? "$r"
                       : file == isa::register_file_kind::condition ? "$c"
                                                                    : "$a";
  const unsigned first = key >> 8 & 0xff;
  const unsigned count = key & 0xff;
  std::string text = prefix + std::to_string(first);
  if (count > 1) text += "-" + (prefix + std::to_string(first + count - 1));
  return text;
}

}  // namespace gt200::model
