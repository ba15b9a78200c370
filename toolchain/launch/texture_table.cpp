#include "toolchain/launch/texture_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gt200::launch {
namespace {

using sampling::bytes_of;
using sampling::max_linear_texels;
using sampling::max_texture_extent;
using sampling::texel_format;
using sampling::texel_layout;
using sampling::texture_addressing;
using sampling::texture_filter;
using sampling::texture_layout;
using sampling::texture_shape;
using sampling::texture_units;

constexpr std::uint32_t pitch_alignment = 32;  // of pitch-linear images: what CUDA reports as texturePitchAlignment

constexpr std::array<const char*, 3> extent_keys = {"width", "height", "depth"};
constexpr std::array<std::pair<std::string_view, texture_addressing>, 4> addressing_words = {
    {{"clamp", texture_addressing::clamp},
     {"wrap", texture_addressing::wrap},
     {"mirror", texture_addressing::mirror},
     {"border", texture_addressing::border}}};

texel_format read_format(const strict_table& table, const buffer& storage) {
  const element_type type = table.has("format") ? table.type("format") : storage.type;
  switch (type) {
    case element_type::u8: return texel_format::u8;
    case element_type::s8: return texel_format::s8;
    case element_type::u16: return texel_format::u16;
    case element_type::s16: return texel_format::s16;
    case element_type::u32: return texel_format::u32;
    case element_type::s32: return texel_format::s32;
    case element_type::f32: return texel_format::f32;
    default:
      table.fail(table.has("format") ? "format" : "buffer",
                 fmt::format("has the type {}; texels have u8 s8 u16 s16 u32 s32 f32", name_of(type)));
  }
}

texel_layout read_texel_layout(const strict_table& table, const buffer& storage) {
  texel_layout texel;
  texel.format = read_format(table, storage);
  texel.components = static_cast<std::uint8_t>(table.integer_or("channels", 1, 1, 4));
  if (texel.components == 3) table.fail("channels", "is 3, allowed are 1, 2 and 4");
  texel.normalised = table.flag_or("normalised_values", false);
  if (texel.normalised && bytes_of(texel.format) == 4)
    table.fail("normalised_values", "is for formats of 8 and 16 bits");
  return texel;
}

void read_linear_memory(const strict_table& table, const buffer& storage, texture_shape& shape) {
  for (const char* key : {"height", "depth", "pitch", "layout", "addressing", "filter", "normalised_coordinates"})
    if (table.has(key)) table.fail(key, "is for arrays, which have a 'width'; without it linear memory is read");
  const std::uint64_t texels = storage.bytes() / shape.texel.bytes();
  if (texels < 1 || texels > max_linear_texels)
    table.fail("buffer", fmt::format("'{}' holds {} texels, linear memory can have 1 to {}", storage.name, texels,
                                     max_linear_texels));
  shape.extent[0] = static_cast<std::uint32_t>(texels);
}

void read_extent(const strict_table& table, const buffer& storage, texture_shape& shape) {
  if (table.has("depth") && !table.has("height")) table.fail("depth", "needs a 'height'");
  shape.dimensions = table.has("depth") ? 3 : table.has("height") ? 2 : 1;
  for (unsigned d = 0; d < shape.dimensions; ++d)
    shape.extent[d] =
        static_cast<std::uint32_t>(table.integer(extent_keys[d], 1, max_texture_extent[shape.dimensions - 1][d]));
  const std::uint32_t texel = shape.texel.bytes();
  const std::uint32_t row = shape.extent[0] * texel;
  shape.pitch = static_cast<std::uint32_t>(table.integer_or("pitch", row, row, std::int64_t{1} << 24));
  if (shape.pitch % texel != 0)
    table.fail("pitch", fmt::format("is {}, which is no multiple of the {} bytes of a texel", shape.pitch, texel));
  if (shape.bytes_in_rows() > storage.bytes())
    table.fail(fmt::format("the texture takes {} bytes, buffer '{}' has {}", shape.bytes_in_rows(), storage.name,
                           storage.bytes()));
}

void read_layout(const strict_table& table, texture_shape& shape) {
  const std::string word = table.text_or("layout", "block_linear");
  if (word == "block_linear") return use_blocks(shape);
  if (word != "pitch_linear")
    table.fail("layout", fmt::format("is '{}', allowed are block_linear, pitch_linear", word));
  if (shape.dimensions != 2) table.fail("layout", "pitch_linear is for images of two dimensions");
  if (shape.pitch % pitch_alignment != 0)
    table.fail("layout", fmt::format("pitch_linear needs rows a multiple of {} bytes apart, not {}",
                                     pitch_alignment, shape.pitch));
}

// One word for all dimensions, or a list with one for each.
void read_addressing(const strict_table& table, texture_shape& shape) {
  if (!table.has("addressing")) return;
  const std::vector<std::string> words = table.words("addressing");
  if (words.size() != 1 && words.size() != shape.dimensions)
    table.fail("addressing", fmt::format("has {} words for {} dimensions", words.size(), shape.dimensions));
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    const std::string& word = words[words.size() == 1 ? 0 : d];
    const auto mode = std::find_if(addressing_words.begin(), addressing_words.end(),
                                   [&](const auto& m) { return m.first == word; });
    if (mode == addressing_words.end())
      table.fail("addressing", fmt::format("is '{}', allowed are clamp, wrap, mirror, border", word));
    shape.addressing[d] = mode->second;
    if ((word == "wrap" || word == "mirror") && !shape.normalised_coordinates)
      table.fail("addressing", word + " needs normalised_coordinates = true");
  }
}

void read_filter(const strict_table& table, texture_shape& shape) {
  const std::string word = table.text_or("filter", "point");
  if (word != "point" && word != "linear")
    table.fail("filter", fmt::format("is '{}', allowed are point, linear", word));
  if (word == "linear" && !shape.texel.reads_floats())
    table.fail("filter", "linear needs texels that read as floats: f32, or normalised_values = true");
  shape.filter = word == "linear" ? texture_filter::linear : texture_filter::point;
}

}  // namespace

texture read_texture(const strict_table& table, const buffer& storage) {
  texture result;
  result.line = table.line();
  if (table.count_of({"name", "unit"}) != 1) table.fail("a [[texture]] needs exactly one of name, unit");
  if (table.has("name")) result.name = table.text("name");
  if (table.has("unit")) result.unit = static_cast<std::uint32_t>(table.integer("unit", 0, texture_units - 1));
  result.buffer = storage.name;
  result.shape.texel = read_texel_layout(table, storage);
  if (!table.has("width")) {
    read_linear_memory(table, storage, result.shape);
    return result;
  }
  read_extent(table, storage, result.shape);
  read_layout(table, result.shape);
  result.shape.normalised_coordinates = table.flag_or("normalised_coordinates", false);
  read_addressing(table, result.shape);
  read_filter(table, result.shape);
  return result;
}

}  // namespace gt200::launch
