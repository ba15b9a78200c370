// Lines of one texture cache. No time.
//
// A miss allocates a line at once, before the data arrives. Until then the line is `expected`. After that it is
// `filled`, or `failed` if the fill was refused. Instructions that still have to read a line pin it; a pinned or
// expected line is not replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sc_models/cache/line_storage.h"
#include "sc_models/cache/tag_array.h"

namespace gt200::model {

class texture_line_store {
 public:
  // Bytes beyond the end of a line that may be read through data(), so that texels of any size are copied in the
  // same way.
  static constexpr std::size_t read_ahead_bytes = 16;

  explicit texture_line_store(const config::cache_config& config)
      : tags_(config),
        data_(tags_.lines(), config.line_bytes, line_storage::kind::read_only, read_ahead_bytes),
        fills_(tags_.lines()) {}

  // The line that holds or expects the bytes at `address`, or no_line.
  line_index find(std::uint64_t address) const { return tags_.find(address); }
  // True if a line can be allocated for `address`: not all are pinned or expected.
  bool has_room(std::uint64_t address) const { return tags_.can_allocate(address); }
  // Allocates a line that expects the bytes at `address` from now on.
  line_index expect(std::uint64_t address) {
    const line_index line = tags_.allocate(address).line;
    tags_.pin(line);  // for the fill
    fills_[line] = {state::expected, 0};
    return line;
  }
  void pin(line_index line) {
    tags_.pin(line);
    tags_.used(line);
  }
  void unpin(line_index line) { tags_.unpin(line); }
  // `caches_missed`: number of cache levels that did not have it.
  void fill(line_index line, const std::uint8_t* bytes, unsigned caches_missed) {
    data_.fill(line, bytes);
    fills_[line] = {state::filled, static_cast<std::uint8_t>(caches_missed)};
    tags_.unpin(line);
  }
  void fail(line_index line) {
    fills_[line].state = state::failed;
    tags_.forget(line);
    tags_.unpin(line);
  }
  bool expected(line_index line) const { return fills_[line].state == state::expected; }
  bool failed(line_index line) const { return fills_[line].state == state::failed; }
  unsigned caches_missed(line_index line) const { return fills_[line].caches_missed; }
  const std::uint8_t* data(line_index line) const { return data_.data(line); }
  // No line can be found any more; pinned and expected lines still serve their instructions.
  void invalidate() { tags_.invalidate(); }

  void visit_state(tlm_bus::state_image& state) { state(tags_, data_, fills_); }

 private:
  enum class state : std::uint8_t { filled, expected, failed };
  struct line_fill_state {
    texture_line_store::state state = state::filled;
    std::uint8_t caches_missed = 0;
  };

  tag_array tags_;
  line_storage data_;
  std::vector<line_fill_state> fills_;  // by line: its last fill
};

}  // namespace gt200::model
