#include "sc_models/distribution/launch_registers.h"

#include <algorithm>

namespace gt200::model {

namespace {

constexpr std::uint32_t largest_constant_buffer = 65536;

// `high`, `low`: bit numbers.
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((std::uint64_t{1} << (high - low + 1)) - 1);
}

constexpr bool flag(std::uint32_t word, unsigned bit) { return (word >> bit & 1u) != 0; }

}  // namespace

bool launch_registers::contains(std::uint32_t offset) {
  using namespace registers;
  if (offset >= user_param && offset < user_param + 4 * user_param_words) return offset % 4 == 0;
  switch (offset) {
    case cp_address_high:
    case cp_address_low:
    case local_address_high:
    case local_address_low:
    case local_size_log:
    case cb_def_address_high:
    case cb_def_address_low:
    case cb_def_set:
    case block_alloc:
    case cp_reg_alloc_temp:
    case user_param_count:
    case gridid:
    case griddim:
    case shared_size:
    case blockdim_xy:
    case blockdim_z:
    case cp_start_id:
    case set_program_cb:
    case code_size:
    case user_param_bytes:
    case griddim_z:
    case texture_address_high:
    case texture_address_low:
    case texture_width:
    case texture_height:
    case texture_depth:
    case texture_pitch:
    case texture_image:
    case texture_sampler:
    case texture_format:
    case texture_bind:
    case texture_unbind_all:
    case base_registers:
    case static_warps: return true;
    default: return false;
  }
}

void launch_registers::write(std::uint32_t offset, std::uint32_t value) {
  words_[offset / 4] = value;
  switch (offset) {
    case registers::user_param_count: words_[registers::user_param_bytes / 4] = 4 * field(value, 15, 8); break;
    case registers::cb_def_set: define_constant_buffer(value); break;
    case registers::set_program_cb: bind_constant_buffer(value); break;
    case registers::texture_bind: bind_texture(field(value, 6, 0)); break;
    case registers::texture_unbind_all: textures_.clear(); break;
    default: break;
  }
}

void launch_registers::define_constant_buffer(std::uint32_t value) {
  const std::uint32_t bytes = field(value, 15, 0);
  buffers_[field(value, 22, 16)] = {wide(registers::cb_def_address_high, registers::cb_def_address_low),
                                    bytes == 0 ? largest_constant_buffer : bytes};
}

void launch_registers::bind_constant_buffer(std::uint32_t value) {
  const bool valid = field(value, 7, 0) != 0;
  const std::uint32_t space = field(value, 11, 8) | field(value, 19, 19) << 4;
  if (space < constant_spaces) space_buffer_[space] = valid ? static_cast<int>(field(value, 18, 12)) : -1;
}

void launch_registers::bind_texture(std::uint32_t unit) {
  const std::uint32_t format = read(registers::texture_format);
  const std::uint32_t image = read(registers::texture_image);
  const std::uint32_t sampler = read(registers::texture_sampler);
  texture_binding binding;
  binding.address = wide(registers::texture_address_high, registers::texture_address_low);
  binding.bound = read(registers::texture_width) != 0;
  sampling::texture_shape& shape = binding.shape;
  shape.dimensions = field(image, 1, 0);
  shape.extent = {read(registers::texture_width), std::max(1u, read(registers::texture_height)),
                  std::max(1u, read(registers::texture_depth))};
  shape.pitch = read(registers::texture_pitch);
  shape.layout = flag(image, 2) ? sampling::texture_layout::block_linear : sampling::texture_layout::pitch_linear;
  shape.block_height_log = static_cast<std::uint8_t>(field(image, 6, 4));
  shape.block_depth_log = static_cast<std::uint8_t>(field(image, 10, 8));
  shape.texel.components = static_cast<std::uint8_t>(field(format, 2, 0));
  shape.texel.format =
      static_cast<texel_format>(std::min(field(format, 6, 4), static_cast<unsigned>(texel_format::f32)));
  shape.texel.normalised = flag(format, 8);
  shape.filter = flag(sampler, 0) ? sampling::texture_filter::linear : sampling::texture_filter::point;
  shape.normalised_coordinates = flag(sampler, 1);
  for (unsigned d = 0; d < 3; ++d)
    shape.addressing[d] =
        static_cast<sampling::texture_addressing>(field(sampler, 4 + d, 4 + d) | field(sampler, 8 + d, 8 + d) << 1);
  if (textures_.size() <= unit) textures_.resize(unit + 1);
  textures_[unit] = binding;
}

grid_descriptor launch_registers::grid() const {
  grid_descriptor grid;
  grid.grid_id = static_cast<std::uint16_t>(read(registers::gridid));
  const std::uint32_t dimensions = read(registers::griddim);
  grid.grid = {field(dimensions, 15, 0), field(dimensions, 31, 16), std::max(1u, read(registers::griddim_z))};
  const std::uint32_t block = read(registers::blockdim_xy);
  grid.block = {field(block, 15, 0), field(block, 31, 16), read(registers::blockdim_z)};
  grid.code_base = wide(registers::cp_address_high, registers::cp_address_low);
  grid.code_bytes = read(registers::code_size);
  grid.entry = read(registers::cp_start_id);
  grid.registers = read(registers::cp_reg_alloc_temp);
  grid.base_registers = read(registers::base_registers);
  grid.static_warps = (read(registers::static_warps) & 1) != 0;
  grid.shared_bytes = read(registers::shared_size);
  const std::uint32_t local_log = read(registers::local_size_log);
  grid.local_bytes = local_log == 0 || local_log > 28 ? 0 : 8u << local_log;
  grid.local_base = wide(registers::local_address_high, registers::local_address_low);
  grid.barriers = field(read(registers::block_alloc), 23, 16);

  // A launch with more parameter bytes than there are words is refused, so they need no content.
  const std::uint32_t parameter_bytes = std::min(read(registers::user_param_bytes), 0xffffu);
  grid.parameters.resize(parameter_bytes, 0);
  for (std::uint32_t i = 0; i < std::min(parameter_bytes, 4 * registers::user_param_words); ++i)
    grid.parameters[i] = static_cast<std::uint8_t>(words_[registers::user_param / 4 + i / 4] >> (8 * (i % 4)));

  for (std::size_t space = 0; space < grid.constants.size(); ++space)
    if (space_buffer_[space] >= 0) grid.constants[space] = buffers_[static_cast<unsigned>(space_buffer_[space])];
  grid.textures = textures_;
  return grid;
}

}  // namespace gt200::model
