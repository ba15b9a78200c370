#include "sc_models/partition/texture_watch.h"

#include <algorithm>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

constexpr unsigned word_bits = 64;
constexpr std::uint64_t bit(std::uint64_t line) { return std::uint64_t{1} << line % word_bits; }

}  // namespace

texture_watch::texture_watch(tlm_bus::stage& owner, std::uint64_t bytes, unsigned line_bytes)
    : writes("texture_writes", owner),
      owner_(owner),
      line_shift_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
      may_be_cached_(((bytes >> line_shift_) + word_bits - 1) / word_bits) {}

void texture_watch::performed(const tlm::tlm_generic_payload& access, std::uint64_t offset, unsigned bytes) {
  const bool read = access.is_read();
  const memory_extension* const extension = extension_of(access);
  if (read && (extension == nullptr || extension->space != memory_space::texture)) return;
  forget_if_told();
  bool cached = false;
  for (std::uint64_t line = offset >> line_shift_; line <= (offset + bytes - 1) >> line_shift_; ++line) {
    std::uint64_t& word = may_be_cached_[line / word_bits];
    cached = cached || (word & bit(line)) != 0;
    if (read) word |= bit(line);
  }
  if (!read && cached && writes.can_send()) writes.send({access.get_address()});
}

void texture_watch::invalidate() {
  invalidate_pending_ = true;
  invalidated_at_ = owner_.domain().driver().now();
}

// Like the caches, after the instant of the invalidation.
void texture_watch::forget_if_told() {
  if (!invalidate_pending_ || owner_.now() <= invalidated_at_) return;
  invalidate_pending_ = false;
  std::fill(may_be_cached_.begin(), may_be_cached_.end(), 0);
}

void texture_watch::visit_state(tlm_bus::state_image& state) {
  state.fixed(owner_, line_shift_);
  state(may_be_cached_, invalidate_pending_, invalidated_at_);
}

}  // namespace gt200::model
