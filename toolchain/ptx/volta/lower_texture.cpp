// Textures. The handle of a texture is the number of its unit (assumption), a literal of the kernel.
#include "toolchain/ptx/machine/literals.h"
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {

void lowering::sample(const texture_parts& t) {
  using isa::volta::texture_level;
  using isa::volta::texture_shape;
  constexpr texture_shape shapes[] = {texture_shape::d1, texture_shape::d2, texture_shape::d3};
  const std::size_t count = t.coordinates.size();
  const auto coordinate = [&](std::size_t k) { return source(t.coordinates[k], scalar::b32); };
  value first;
  value second;
  if (count == 3) {
    const word_ref both = out_.tuple(2);
    out_.move(both, coordinate(0));
    out_.move({both.reg, 1}, coordinate(1));
    first = reg(both, 2);
    second = out_.in_register(coordinate(2));
  } else {
    first = out_.in_register(coordinate(0));
    second = count == 2 ? out_.in_register(coordinate(1)) : zero();
  }
  const int handle = literal_offset(function_, t.texture->offset);
  if (handle < 0) unsupported("the literals of the kernel have no room for the handle of a texture");
  // Registers that follow each other are one, two or four.
  const std::uint8_t components = t.needed > 2 ? 4 : static_cast<std::uint8_t>(t.needed);
  const word_ref results = components == 1 ? out_.word() : out_.tuple(components);
  const auto op = is_float(type()) ? opcode::tex : opcode::tld;
  operation& o = out_.emit(
      op, results, {first, second, constant_word(cubin::volta.literal_space, static_cast<std::uint32_t>(handle))},
      components);
  o.code.shape = shapes[count - 1];
  o.code.level = texture_level::zero;
  o.code.scalar_arguments = true;
  o.code.texture_write_mask = static_cast<std::uint8_t>((1u << components) - 1);
  for (std::uint8_t k = 0; k < components; ++k) assign(t.results[k], reg({results.reg, k}));
}

}  // namespace gt200::ptx::volta
