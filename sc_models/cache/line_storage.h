// Data of the lines of a cache. In a writable cache also the dirty bytes: written, but not yet in memory.
//
// A fill does not overwrite dirty bytes, so a store may write to a line before the rest of it has come. Plain C++,
// no time.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/cache/replacement/policy.h"
#include "sc_models/memory_transaction.h"

namespace gt200::model {

// The parts of a line that are fetched and written back one by one.
inline constexpr std::uint32_t line_sector_bytes = 32;

class line_storage {
 public:
  enum class kind : std::uint8_t { read_only, writable };

  // Up to `read_beyond` bytes beyond the end of any line may be read through data().
  line_storage(line_index lines, std::uint32_t line_bytes, kind k = kind::read_only, std::size_t read_beyond = 0);

  const std::uint8_t* data(line_index line) const { return &data_[std::size_t{line} * line_bytes_]; }

  // Stores a whole line from memory. Dirty bytes of a writable cache keep their values.
  void fill(line_index line, const std::uint8_t* bytes) { fill(line, 0, line_bytes_, bytes); }
  // The same for `count` bytes of it from `offset` on.
  void fill(line_index line, std::uint32_t offset, std::uint32_t count, const std::uint8_t* bytes);

  // -- writable caches --
  // Writes `count` bytes from `offset` on and marks them dirty. `enables`: 0 leaves a byte alone; null writes all.
  void write(line_index line, std::uint32_t offset, std::uint32_t count, const std::uint8_t* bytes,
             const std::uint8_t* enables = nullptr);
  bool dirty(line_index line) const { return dirty_bytes_[line] != 0; }
  // True if all these bytes are dirty. Then they can be read although the line has not been filled.
  bool dirty(line_index line, std::uint32_t offset, std::uint32_t count) const;
  // Calls each(offset) for the dirty bytes among `count` from `offset` on.
  template <class Each>
  void for_each_dirty(line_index line, std::uint32_t offset, std::uint32_t count, Each each) const {
    if (!dirty(line)) return;
    for (std::uint32_t i = offset; i < offset + count; ++i)
      if (is_dirty_[std::size_t{line} * line_bytes_ + i] != 0) each(i);
  }
  // Changes a byte and leaves it clean or dirty, as it is: memory gets the same value by another way.
  void renew(line_index line, std::uint32_t offset, std::uint8_t byte) { line_data(line)[offset] = byte; }
  // Marks all bytes of the line as clean: they are on their way to memory, or the line has been dropped.
  void clean(line_index line);
  // Turns `write_back` into a write of the line's dirty bytes; the line begins at `address`. It covers the sectors
  // from the first to the last dirty byte, and has byte enables unless all of these are dirty. Then
  // cleans the line, which must be dirty and may have at most max_transaction_bytes.
  void write_back(line_index line, std::uint64_t address, memory_payload& write_back);

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(line_bytes_);
    state(data_, is_dirty_, dirty_bytes_);
  }

 private:
  std::uint8_t* line_data(line_index line) { return &data_[std::size_t{line} * line_bytes_]; }
  std::uint8_t* line_mask(line_index line) { return &is_dirty_[std::size_t{line} * line_bytes_]; }

  std::uint32_t line_bytes_;
  std::vector<std::uint8_t> data_;          // [line][byte]
  std::vector<std::uint8_t> is_dirty_;      // [line][byte], as byte enables: 0 or 0xff; empty in a read-only cache
  std::vector<std::uint32_t> dirty_bytes_;  // by line
};

}  // namespace gt200::model
