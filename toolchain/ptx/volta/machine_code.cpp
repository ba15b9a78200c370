#include "toolchain/ptx/volta/machine_code.h"

#include <utility>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/special_register.h"
#include "toolchain/isa/volta/texture.h"

namespace gt200::ptx::volta {

using isa::volta::immediate_form;
using isa::volta::opcode;
using isa::volta::operand_kind;

namespace {

bool is_counter(std::uint8_t special) {
  return special >= isa::volta::sr_clock_low && special <= isa::volta::sr_timer_high;
}

// Between lanes: the result depends on which lanes execute together.
bool crosses_lanes(opcode op) { return op == opcode::shfl || op == opcode::vote || op == opcode::match; }

std::uint8_t mirrored(std::uint8_t compare) {
  return static_cast<std::uint8_t>((compare & 10u) | (compare & 1u) << 2 | (compare & 4u) >> 2);
}

void exchange(operation& o, std::size_t a, std::size_t b) {
  std::swap(o.code.source[a], o.code.source[b]);
  std::swap(o.source[a], o.source[b]);
}

// A truth table of three inputs with the first two exchanged.
std::uint8_t exchanged_table(std::uint8_t table) {
  std::uint8_t result = 0;
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned other = (k & 1) | (k & 2) << 1 | (k & 4) >> 1;
    result = static_cast<std::uint8_t>(result | (table >> other & 1) << k);
  }
  return result;
}

// The components of a fetch are in registers that follow each other.
void divide_destination(isa::volta::instruction& code) {
  constexpr std::uint8_t components_of_first = 2;
  code.second_destination = code.destination;
  const bool has_more = __builtin_popcount(code.texture_write_mask) > components_of_first &&
                        code.destination.index != isa::volta::zero_register;
  code.second_destination.index = has_more ? static_cast<std::uint8_t>(code.destination.index + components_of_first)
                                           : isa::volta::zero_register;
}

}  // namespace

bool has_effect(const operation& o) {
  switch (o.code.op) {
    case opcode::st:
    case opcode::stg:
    case opcode::stl:
    case opcode::sts:
    case opcode::atom:
    case opcode::atomg:
    case opcode::atoms:
    case opcode::red:
    case opcode::bar:
    case opcode::b2r:
    case opcode::membar:
    case opcode::errbar:
    case opcode::cctl:
    case opcode::bpt:
    case opcode::warpsync:
    case opcode::nanosleep: return true;
    default: return o.is_volatile;
  }
}

bool reads_memory(const operation& o) {
  switch (o.code.op) {
    case opcode::ld:
    case opcode::ldg:
    case opcode::ldl:
    case opcode::lds: return true;
    case opcode::s2r:
    case opcode::cs2r: return is_counter(o.code.special);
    default: return false;
  }
}

bool can_guard(const operation& o) {
  if (o.guarded() || crosses_lanes(o.code.op)) return false;
  switch (o.code.op) {
    case opcode::bar:
    case opcode::b2r:
    case opcode::bpt:
    case opcode::warpsync:
    case opcode::nanosleep: return false;
    default: return true;
  }
}

bool is_harmless(const operation& o) {
  return o.code.op != opcode::ldc && !isa::volta::is_texture_fetch(o.code) && !has_effect(o) && !reads_memory(o);
}

bool differs_by_itself(const operation& o) {
  switch (o.code.op) {
    case opcode::s2r:
    case opcode::cs2r:
      return !(o.code.special >= isa::volta::sr_block_x && o.code.special <= isa::volta::sr_block_x + 2);
    case opcode::atom:
    case opcode::atomg:
    case opcode::atoms:
    case opcode::match:
    case opcode::tex:
    case opcode::tld:
    case opcode::shfl: return true;
    default: return reads_memory(o);
  }
}

bool agrees_by_itself(const operation& o) { return o.code.op == opcode::vote || o.code.op == opcode::b2r; }

// Numbers are as cheap as registers.
bool is_shareable(const operation& o) {
  return !crosses_lanes(o.code.op) && !isa::volta::is_texture_fetch(o.code) &&
         (o.code.op != opcode::mov || o.source[1].reg >= 0);
}

bool takes_float_bits(const operation& o) {
  switch (o.code.op) {
    case opcode::fadd:
    case opcode::fmul:
    case opcode::ffma:
    case opcode::fmnmx:
    case opcode::fsel:
    case opcode::fset:
    case opcode::fsetp:
    case opcode::mufu:
    case opcode::f2f:
    case opcode::f2i:
    case opcode::frnd: return true;
    default: return false;
  }
}

bool negates_integer(const operation& o) { return o.code.op == opcode::iadd3 && !o.code.extended && !o.guarded(); }

// Registers of a sum can stand anywhere, and so can those of LOP3 with another table.
bool exchange_sources(operation& o) {
  isa::volta::instruction& c = o.code;
  const auto is_register = [&](std::size_t k) { return c.source[k].kind == operand_kind::gpr; };
  switch (c.op) {
    case opcode::iadd3:
      if (!is_register(0) && is_register(1))
        exchange(o, 0, 1);
      else if (!is_register(0) && is_register(2))
        exchange(o, 0, 2);
      else
        return false;
      return true;
    case opcode::lop3:
      if (is_register(0) || !is_register(1)) return false;
      c.lut[0] = exchanged_table(c.lut[0]);
      break;
    case opcode::isetp:
      if (c.extended) return false;
      [[fallthrough]];
    case opcode::hsetp2:
    case opcode::fsetp:
    case opcode::dsetp: c.compare = mirrored(c.compare); break;
    case opcode::sel: c.predicate_source[0].negate = !c.predicate_source[0].negate; break;
    case opcode::imad:
    case opcode::imad_wide:
    case opcode::fmnmx:
    case opcode::fadd:
    case opcode::fmul:
    case opcode::ffma:
    case opcode::dadd:
    case opcode::dmul:
    case opcode::dfma:
    case opcode::hadd2:
    case opcode::hmul2:
    case opcode::hfma2: break;
    default: return false;
  }
  exchange(o, 0, 1);
  return true;
}

bool is_plain_load(const operation& o) {
  switch (o.code.op) {
    case opcode::ld:
    case opcode::ldg:
    case opcode::ldl:
    case opcode::lds: return is_movable_load(o);
    default: return false;
  }
}

access_space space_of(const operation& o) {
  switch (o.code.op) {
    case opcode::lds:
    case opcode::sts:
    case opcode::atoms: return access_space::shared;
    case opcode::ldl:
    case opcode::stl: return access_space::local;
    case opcode::ldg:
    case opcode::stg:
    case opcode::red:
    case opcode::atomg: return access_space::global;
    case opcode::ld:
    case opcode::st:
    case opcode::atom: return access_space::any;
    default: return access_space::none;
  }
}

unsigned bytes_accessed(const operation& o) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return bytes[o.code.memory_size & 7];
}

bool moves_with_a_load(const operation& o) { return has_results_only(o) && !crosses_lanes(o.code.op); }

std::uint8_t size_code(isa::data_type width) { return static_cast<std::uint8_t>(width); }

void describe_spill(operation& o, isa::data_type width) { o.code.memory_size = size_code(width); }

void fill_unused_fields(isa::volta::instruction& code) {
  const auto never = [&](std::size_t k) {
    if (code.predicate_source[k].index == isa::volta::true_predicate) code.predicate_source[k].negate = true;
  };
  switch (code.op) {
    case opcode::iadd3:
      if (!code.extended) break;
      never(0);
      never(1);
      break;
    case opcode::imad:
    case opcode::imad_wide:
    case opcode::lop3: never(0); break;
    case opcode::tex:
    case opcode::tld: divide_destination(code); break;
    default: break;
  }
}

// Immediates of doubles are their upper words, and say so.
bool encode_operation(const operation&, isa::volta::instruction& code, std::string& reason) {
  fill_unused_fields(code);
  isa::volta::decode_error error;
  const auto is_lost = [](const isa::volta::operand& s) {
    return s.kind == operand_kind::immediate && s.words == 2 && s.form != immediate_form::high;
  };
  for (const isa::volta::operand& s : code.source)
    if (is_lost(s)) {
      reason = "an immediate has 32 bits";
      return false;
    }
  // An addend of 64 bits has no short form.
  if (code.op == opcode::imad_wide && code.source[2].kind == operand_kind::immediate) {
    reason = "the addend is in registers";
    return false;
  }
  if (isa::volta::encode(code, error)) return true;
  reason = error.reason;
  return false;
}

}  // namespace gt200::ptx::volta
