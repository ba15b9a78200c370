// The kernel as a whole, barriers and control.
#include <algorithm>

#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/structure_declarations.h"
#include "toolchain/ptx/structure_flow.h"
#include "toolchain/ptx/structure_names.h"

namespace gt200::ptx {

template class structure<fermi::machine>;

}  // namespace gt200::ptx

namespace gt200::ptx::fermi {

using isa::fermi::opcode;

void lowering::run(const function& entry, cubin::kernel& kernel) {
  function_.name = entry.name;
  kernel.name = entry.name;
  kernel.parameter_base = cubin::fermi.parameter_base;
  out_.continue_in(out_.add_block());
  scopes_.emplace_back();
  place_parameters(entry, kernel);
  place_shared(entry);
  declare_per_thread(entry);
  lower_body(entry, {});
}

void lowering::lower_instruction(const statement& s) {
  first_temporary_ = static_cast<int>(function_.registers.size());
  if (lower_barrier(s) || lower_control(s) || lower_memory(s) || lower_predicate(s) || lower_move(s) ||
      lower_bits(s) || lower_convert(s) || lower_double(s) || lower_float(s) || lower_special(s) ||
      lower_integer(s) || lower_atomic(s) || lower_texture(s))
    return;
  unsupported("this instruction is unknown, or the hardware cannot do it");
}

bool lowering::lower_control(const statement& s) {
  if (s.name == "trap" || s.name == "brkpt") {
    under_guard([&] {
      operation& o = out_.emit(opcode::bpt, {}, {imm(0)});
      o.code.destination = {};
      o.code.breakpoint = s.name == "trap" ? isa::fermi::breakpoint_mode::trap : isa::fermi::breakpoint_mode::pause;
    });
    return true;
  }
  if (s.name != "pmevent") return false;
  operand_count(1, 1);
  if (at(0).kind != operand_kind::integer || at(0).value > 15) unsupported("events are numbered 0 to 15");
  under_guard(
      [&] { out_.emit(opcode::pmtrig, {}, {imm(static_cast<std::uint32_t>(at(0).value))}).code.destination = {}; });
  return true;
}

bool lowering::lower_barrier(const statement& s) {
  if (s.name != "bar" && s.name != "barrier") return false;
  const bool reduces = has("red");
  if (has("warp")) return true;  // the threads of a warp run in step
  if (has("arrive")) unsupported("barriers are for all threads of the block");
  const std::size_t number_at = reduces ? 1 : 0;
  const std::size_t count = operand_count(reduces ? 3 : 0, reduces ? 4 : 2);
  if (count > (reduces ? 3u : 1u)) unsupported("barriers are for all threads of the block");
  std::uint64_t number = 0;
  if (count > number_at) {
    if (at(number_at).kind != operand_kind::integer) unsupported("the number of the barrier must be a constant");
    number = at(number_at).value;
  }
  if (number > 15) unsupported("barriers are numbered 0 to 15");
  function_.has_barriers = true;
  function_.highest_barrier = std::max(function_.highest_barrier, static_cast<std::uint32_t>(number));
  const operand to = reduces ? at(0) : operand{};
  const predicate votes = reduces ? predicate_source(at(2)) : predicate{};
  under_guard([&] {
    const bool counts = has("popc");
    operation& o = out_.emit(opcode::bar, reduces && counts ? out_.word() : word_ref{},
                             {imm(static_cast<std::uint32_t>(number)), zero()});
    o.code.barrier_operation = has("and")  ? isa::fermi::barrier_mode::and_
                               : has("or") ? isa::fermi::barrier_mode::or_
                                           : isa::fermi::barrier_mode::popc;
    if (!reduces) return;
    writer::set_source(o, 2, votes);
    if (counts)
      assign(to, reg(o.destination));
    else
      o.predicate_out[0] = destination_predicate(to).condition;
  });
  return true;
}

// The texture unit brings its sampler along; the sampler's number is only listed.
constexpr std::size_t sampler_units = 32;

bool lowering::lower_texture(const statement& s) {
  static const std::set<std::string> surfaces = {"suld", "sust", "sured", "suq"};
  static const std::set<std::string> other_textures = {"tld4", "txq"};
  if (surfaces.count(s.name) != 0) unsupported("surfaces are not supported");
  if (other_textures.count(s.name) != 0) unsupported("of texture instructions there is tex");
  if (s.name != "tex") return false;
  const texture_parts t = texture_operands();
  const std::size_t count = t.coordinates.size();
  const word_ref where = out_.tuple(count == 3 ? 4 : static_cast<std::uint8_t>(count));
  for (std::size_t k = 0; k < count; ++k)
    out_.move({where.reg, static_cast<std::uint8_t>(k)}, source(t.coordinates[k], scalar::b32));
  const word_ref quad = out_.tuple(4);
  const bool by_number = !is_float(type());
  operation& o = out_.emit(by_number ? opcode::tld : opcode::tex, quad, {reg(where)}, 4);
  o.code.source[0].words = static_cast<std::uint8_t>(count);
  o.code.source[1] = zero().code;  // no level, no offset
  o.code.texture_unit = static_cast<std::uint8_t>(t.texture->offset);
  o.code.sampler_unit = static_cast<std::uint8_t>(t.texture->offset % sampler_units);
  o.code.texture_shape = static_cast<std::uint8_t>(2 * (count - 1));  // t1d, t2d, t3d
  o.code.texture_write_mask = 0xf;
  o.code.texture_level = by_number ? 0 : 1;
  for (std::size_t k = 0; k < 4; ++k) assign(t.results[k], reg({quad.reg, static_cast<std::uint8_t>(k)}));
  return true;
}

}  // namespace gt200::ptx::fermi
