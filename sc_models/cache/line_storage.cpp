#include "sc_models/cache/line_storage.h"

#include <algorithm>
#include <cstring>

namespace gt200::model {

line_storage::line_storage(line_index lines, std::uint32_t line_bytes, kind k, std::size_t read_beyond)
    : line_bytes_(line_bytes), data_(std::size_t{lines} * line_bytes + read_beyond) {
  if (k == kind::read_only) return;
  is_dirty_.assign(std::size_t{lines} * line_bytes, 0);
  dirty_bytes_.assign(lines, 0);
}

void line_storage::fill(line_index line, std::uint32_t offset, std::uint32_t count, const std::uint8_t* bytes) {
  if (dirty_bytes_.empty() || dirty_bytes_[line] == 0) {
    std::memcpy(line_data(line) + offset, bytes, count);
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i)
    if (line_mask(line)[offset + i] == 0) line_data(line)[offset + i] = bytes[i];
}

void line_storage::write(line_index line, std::uint32_t offset, std::uint32_t count, const std::uint8_t* bytes,
                         const std::uint8_t* enables) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (enables != nullptr && enables[i] == 0) continue;
    line_data(line)[offset + i] = bytes[i];
    std::uint8_t& mask = line_mask(line)[offset + i];
    if (mask == 0) ++dirty_bytes_[line];
    mask = 0xff;
  }
}

bool line_storage::dirty(line_index line, std::uint32_t offset, std::uint32_t count) const {
  const std::uint8_t* const first = &is_dirty_[std::size_t{line} * line_bytes_ + offset];
  return std::find(first, first + count, 0) == first + count;
}

void line_storage::clean(line_index line) {
  std::fill_n(line_mask(line), line_bytes_, std::uint8_t{0});
  dirty_bytes_[line] = 0;
}

void line_storage::write_back(line_index line, std::uint64_t address, memory_payload& write_back) {
  const std::uint8_t* const mask = line_mask(line);
  const auto is_set = [](std::uint8_t byte) { return byte != 0; };
  const auto first = static_cast<std::uint32_t>(std::find_if(mask, mask + line_bytes_, is_set) - mask);
  auto end = line_bytes_;
  while (mask[end - 1] == 0) --end;
  const std::uint32_t begin = first / line_sector_bytes * line_sector_bytes;
  end = (end + line_sector_bytes - 1) / line_sector_bytes * line_sector_bytes;
  const std::uint32_t bytes = end - begin;
  write_back.prepare(tlm::TLM_WRITE_COMMAND, address + begin, bytes);
  std::memcpy(write_back.bytes(), data(line) + begin, bytes);
  if (dirty_bytes_[line] != bytes) {
    write_back.use_byte_enables();
    std::memcpy(write_back.enables(), mask + begin, bytes);
  }
  clean(line);
}

}  // namespace gt200::model
