// Data of the lines of a cache, and, in a writable cache, which bytes are dirty: written and not yet in memory.
//
// A fill does not overwrite dirty bytes, so a store may write to a line before the rest of it has come. Plain C++,
// no time.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/cache/replacement/policy.h"
#include "sc_models/memory_transaction.h"

namespace gt200::model {

class line_storage {
 public:
  enum class kind : std::uint8_t { read_only, writable };

  // data() of any line may be read `read_beyond` bytes beyond its end.
  line_storage(line_index lines, std::uint32_t line_bytes, kind k = kind::read_only, std::size_t read_beyond = 0);

  const std::uint8_t* data(line_index line) const { return &data_[std::size_t{line} * line_bytes_]; }

  // The whole line as memory has it. In a writable cache, dirty bytes stay as they are.
  void fill(line_index line, const std::uint8_t* bytes);

  // -- writable caches --
  // Writes `count` bytes from `offset` on and marks them dirty. `enables`: 0 leaves a byte alone; null writes all.
  void write(line_index line, std::uint32_t offset, std::uint32_t count, const std::uint8_t* bytes,
             const std::uint8_t* enables = nullptr);
  bool dirty(line_index line) const { return dirty_bytes_[line] != 0; }
  // Whether all these bytes are dirty: they can be read although the line has not been filled.
  bool dirty(line_index line, std::uint32_t offset, std::uint32_t count) const;
  // The line has no dirty bytes any more: they are on their way to memory, or the line has been given up.
  void clean(line_index line);
  // Makes `write_back` a write of the dirty bytes of the line to `address`, its first byte in memory, with byte
  // enables unless the whole line is dirty; then cleans the line. At most max_transaction_bytes per line.
  void write_back(line_index line, std::uint64_t address, memory_payload& write_back);

 private:
  std::uint8_t* line_data(line_index line) { return &data_[std::size_t{line} * line_bytes_]; }
  std::uint8_t* line_mask(line_index line) { return &is_dirty_[std::size_t{line} * line_bytes_]; }

  std::uint32_t line_bytes_;
  std::vector<std::uint8_t> data_;          // [line][byte]
  std::vector<std::uint8_t> is_dirty_;      // [line][byte], as byte enables: 0 or 0xff; empty in a read-only cache
  std::vector<std::uint32_t> dirty_bytes_;  // by line
};

}  // namespace gt200::model
