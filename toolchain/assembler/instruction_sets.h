// The instruction sets whose instructions all have the same length, as assembler and listing use them
// (fixed_assembly.h).
#pragma once

#include <optional>
#include <string>

#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/control_codes.h"

namespace gt200::assembler {

// True if a register pair or quad does not start where the hardware reads one, or includes the zero register, which
// stands for a whole pair or quad of zeros.
template <class operand>
bool is_torn(const operand& o, bool is_register, unsigned zero_register) {
  return is_register && o.index != zero_register && (o.words == 2 || o.words == 4) &&
         (o.index % o.words != 0 || o.index + o.words > zero_register);
}
inline constexpr const char* torn_registers =
    "a register pair must start at an even number, a quad at a multiple of 4, and end before the zero register";

struct fermi_set {
  using instruction = isa::fermi::instruction;
  static constexpr unsigned bytes = isa::fermi::instruction_bytes;
  static constexpr const char* misplaced = "an instruction cannot follow an odd number of .word";
  static constexpr bool explains_words = false;  // a listing says why words are no instruction

  static std::optional<instruction> decode(const isa::instruction_words& words, std::string& reason) {
    isa::fermi::decode_error error;
    auto i = isa::fermi::decode(isa::fermi::words_of(words), error);
    reason = error.reason;
    return i;
  }
  static std::optional<instruction> decode(const instruction& i, std::string& reason) {
    return decode(i.words, reason);
  }
  static std::optional<instruction> parse(const std::string& text, std::uint32_t at, std::string& label,
                                          std::string& reason) {
    isa::fermi::decode_error error;
    auto i = isa::fermi::parse(text, at, label, error);
    reason = error.reason;
    return i;
  }
  static bool set_target(instruction& i, std::uint32_t at, std::uint32_t target, std::string& reason) {
    isa::fermi::decode_error error;
    const bool good = isa::fermi::set_target(i, at, target, error) && isa::fermi::encode(i, error);
    reason = error.reason;
    return good;
  }
  static std::string text(const instruction& i, std::uint32_t at, const std::string& label) {
    return isa::fermi::disassemble(i, at, label);
  }
  static bool has_target(const instruction& i) { return isa::fermi::has_target(i); }
  static std::uint32_t target_of(const instruction& i, std::uint32_t at) { return isa::fermi::target_of(i, at); }
  // Why source text may not say it, though words are executed; empty if it may. A fetch names registers one by one.
  static std::string refusal(const instruction& i) {
    using isa::fermi::operand_kind;
    if (i.access.kind == isa::access_kind::texture) return {};
    const auto torn = [](const isa::fermi::operand& o) {
      const bool is_register = o.kind == operand_kind::gpr || o.kind == operand_kind::memory;
      return is_torn(o, is_register, isa::fermi::zero_register);
    };
    bool any = torn(i.destination);
    for (const isa::fermi::operand& o : i.source) any = any || torn(o);
    return any ? torn_registers : "";
  }
  static std::uint32_t barriers(const instruction& i) {
    return i.op == isa::fermi::opcode::bar ? std::uint32_t{i.barrier.id} + 1 : 0;
  }
  static bool continues_behind(const instruction& i) {
    using isa::fermi::control_kind;
    const bool acts_on_all = i.guard.index == isa::fermi::true_predicate && !i.guard.negate && i.condition == 15;
    if (!acts_on_all) return true;
    switch (i.control) {
      case control_kind::none: return !i.join;
      case control_kind::bra:
      case control_kind::brx:
      case control_kind::ret:
      case control_kind::brk:
      case control_kind::cont:
      case control_kind::longjmp:
      case control_kind::exit:
      case control_kind::trap: return false;
      default: return true;
    }
  }
};

struct volta_set {
  using instruction = isa::volta::instruction;
  static constexpr unsigned bytes = isa::volta::instruction_bytes;
  static constexpr const char* misplaced = "an instruction can follow only a multiple of four .word";
  static constexpr bool explains_words = true;

  static std::optional<instruction> decode(const isa::instruction_words& words, std::string& reason) {
    isa::volta::decode_error error;
    auto i = isa::volta::decode(isa::volta::words_of(words), error);
    reason = error.reason;
    return i;
  }
  static std::optional<instruction> decode(const instruction& i, std::string& reason) {
    return decode(i.words, reason);
  }
  static std::optional<instruction> parse(const std::string& text, std::uint32_t at, std::string& label,
                                          std::string& reason) {
    isa::volta::decode_error error;
    auto i = isa::volta::parse(text, at, label, error);
    reason = error.reason;
    return i;
  }
  static bool set_target(instruction& i, std::uint32_t at, std::uint32_t target, std::string& reason) {
    isa::volta::decode_error error;
    isa::volta::set_target(i, at, target);
    const bool good = isa::volta::encode(i, error);
    reason = error.reason;
    return good;
  }
  static std::string text(const instruction& i, std::uint32_t at, const std::string& label) {
    return isa::volta::control_text(i.codes) + " " + isa::volta::disassemble(i, at, label);
  }
  static bool has_target(const instruction& i) { return isa::volta::has_target(i); }
  static std::uint32_t target_of(const instruction& i, std::uint32_t at) { return isa::volta::target_of(i, at); }
  // Why source text may not say it, though words are executed; empty if it may. A fetch names registers one by one.
  static std::string refusal(const instruction& i) {
    using isa::volta::operand_kind;
    if (i.access.kind == isa::access_kind::texture) return {};
    const auto torn = [](const isa::volta::operand& o) {
      const bool is_register = o.kind == operand_kind::gpr || o.kind == operand_kind::memory;
      return is_torn(o, is_register, isa::volta::zero_register);
    };
    bool any = torn(i.destination) || torn(i.second_destination);
    for (const isa::volta::operand& o : i.source) any = any || torn(o);
    return any ? torn_registers : "";
  }
  static std::uint32_t barriers(const instruction& i) {
    return i.op == isa::volta::opcode::bar ? std::uint32_t{i.barrier.id} + 1 : 0;
  }
  static bool continues_behind(const instruction& i) {
    using isa::volta::control_kind;
    const auto is_true = [](const isa::volta::predicate_operand& p) {
      return p.index == isa::volta::true_predicate && !p.negate;
    };
    const bool acts_on_all = is_true(i.guard) && ((i.predicates_used & 1) == 0 || is_true(i.predicate_source[0]));
    if (!acts_on_all) return true;
    switch (i.control) {
      case control_kind::bra:
        return i.branch == isa::volta::branch_mode::divergent || i.branch == isa::volta::branch_mode::convergent;
      case control_kind::brx:
      case control_kind::ret:
      case control_kind::exit:
      case control_kind::trap: return false;
      default: return true;
    }
  }
};

}  // namespace gt200::assembler
