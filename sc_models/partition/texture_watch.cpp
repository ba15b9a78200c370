#include "sc_models/partition/texture_watch.h"

#include <algorithm>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

constexpr unsigned word_bits = 64;
constexpr std::uint64_t bit(std::uint64_t line) { return std::uint64_t{1} << line % word_bits; }

bool reads_texture(const tlm::tlm_generic_payload& access) {
  const memory_extension* const extension = extension_of(access);
  return access.is_read() && extension != nullptr && extension->space == memory_space::texture;
}

}  // namespace

texture_watch::texture_watch(tlm_bus::stage& owner, std::uint64_t bytes, unsigned line_bytes)
    : writes("texture_writes", owner),
      owner_(owner),
      line_shift_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
      may_be_cached_(((bytes >> line_shift_) + word_bits - 1) / word_bits) {}

void texture_watch::performed(const tlm::tlm_generic_payload& access, std::uint64_t offset, unsigned bytes) {
  forget_if_told();
  const std::uint64_t first = offset >> line_shift_;
  const std::uint64_t last = (offset + bytes - 1) >> line_shift_;
  if (reads_texture(access)) {
    under_way_.push_back({&access, first, last});
    mark(under_way_.back());
  } else if (access.is_write() && is_marked(first, last) && writes.can_send()) {
    writes.send({access.get_address()});
  }
}

void texture_watch::answered(const tlm::tlm_generic_payload& access) {
  if (!reads_texture(access)) return;
  forget_if_told();
  under_way_.erase(
      std::find_if(under_way_.begin(), under_way_.end(), [&](const read& r) { return r.access == &access; }));
}

void texture_watch::invalidate() { invalidation_.give(owner_.domain().driver().now()); }

// Like the caches, after the instant of the invalidation.
void texture_watch::forget_if_told() {
  if (!invalidation_.take(owner_.now())) return;
  std::fill(may_be_cached_.begin(), may_be_cached_.end(), 0);
  for (const read& r : under_way_) mark(r);
}

void texture_watch::mark(const read& r) {
  for (std::uint64_t line = r.first_line; line <= r.last_line; ++line)
    may_be_cached_[line / word_bits] |= bit(line);
}

bool texture_watch::is_marked(std::uint64_t first_line, std::uint64_t last_line) const {
  for (std::uint64_t line = first_line; line <= last_line; ++line)
    if ((may_be_cached_[line / word_bits] & bit(line)) != 0) return true;
  return false;
}

void texture_watch::visit_state(tlm_bus::state_image& state) {
  state.fixed(owner_, line_shift_);
  state(may_be_cached_, under_way_, invalidation_);
}

}  // namespace gt200::model
