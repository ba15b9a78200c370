// The bits of the register file that can be flipped, and who reads and writes them.
#include <fmt/format.h>

#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/register_file.h"

namespace gt200::model {

using isa::register_file_kind;

std::uint64_t register_file::bits() const { return general_bits() + predicate_bits() + address_bits(); }

register_file::place register_file::place_of(std::uint64_t bit) const {
  const auto within = [this](register_file_kind file, std::uint64_t n, unsigned numbers, unsigned width) -> place {
    place at{file, 0, 0, 0, static_cast<unsigned>(n % width)};
    n /= width;
    at.lane = static_cast<unsigned>(n % isa::warp_size);
    n /= isa::warp_size;
    at.row = static_cast<unsigned>(n % numbers);
    // General registers belong to no warp.
    at.warp = file == register_file_kind::gpr ? 0 : share_.at(static_cast<unsigned>(n / numbers)).index();
    return at;
  };
  if (bit < general_bits()) return within(register_file_kind::gpr, bit, static_cast<unsigned>(storage_.size()), 32);
  bit -= general_bits();
  if (bit < predicate_bits()) return within(register_file_kind::condition, bit, predicates_, predicate_width_);
  place at = within(register_file_kind::address, bit - predicate_bits(), addresses_, address_width_);
  ++at.row;
  return at;
}

bool register_file::bit(std::uint64_t bit) const {
  const place at = place_of(bit);
  unsigned value = 0;
  switch (at.file) {
    case register_file_kind::gpr: value = storage_[at.row].lane[at.lane]; break;
    case register_file_kind::condition: value = warps_[at.warp].rows.condition(at.row)[at.lane]; break;
    case register_file_kind::address: value = warps_[at.warp].rows.address(at.row)[at.lane]; break;
  }
  return (value >> at.bit & 1) != 0;
}

void register_file::flip(std::uint64_t bit) {
  const place at = place_of(bit);
  const std::uint32_t mask = std::uint32_t{1} << at.bit;
  switch (at.file) {
    case register_file_kind::gpr: storage_[at.row].lane[at.lane] ^= mask; break;
    case register_file_kind::condition:
      warps_[at.warp].rows.condition_for_write(at.row)[at.lane] ^= static_cast<std::uint8_t>(mask);
      break;
    case register_file_kind::address:
      warps_[at.warp].rows.address_for_write(at.row)[at.lane] ^= static_cast<std::uint16_t>(mask);
      break;
  }
}

std::string register_file::text_of_bit(std::uint64_t bit) const {
  const place at = place_of(bit);
  if (at.file != register_file_kind::gpr)
    return fmt::format("warp {} ${}{} lane {} bit {}", at.warp, at.file == register_file_kind::address ? 'a' : 'c',
                       at.row, at.lane, at.bit);
  const warp_mask resident = blocks_ == nullptr ? ~warp_mask{0} : blocks_->resident().next();
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const warp_registers& warp = warps_[w];
    if ((resident & warp_bit(warp_slot(w))) == 0) continue;
    if (at.row >= warp.first_row && at.row - warp.first_row < warp.rows.count())
      return fmt::format("warp {} $r{} lane {} bit {}", w, at.row - warp.first_row, at.lane, at.bit);
    if (at.row >= warp.section_row && at.row - warp.section_row < warp.section_count)
      return fmt::format("warp {} $r{} lane {} bit {}", w, at.row - warp.section_row + warp.section_first, at.lane,
                         at.bit);
  }
  return fmt::format("row {} of no warp, lane {} bit {}", at.row, at.lane, at.bit);
}

void register_file::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  const warp_mask resident = blocks_ == nullptr ? ~warp_mask{0} : blocks_->resident().next();
  constexpr std::uint64_t row_bits = std::uint64_t{32} * isa::warp_size;
  for (unsigned w = 0; w < own_warps(); ++w) {
    const warp_slot slot = share_.at(w);
    const warp_registers& warp = warps_[slot.index()];
    if ((resident & warp_bit(slot)) == 0 || warp.rows.count() == 0) continue;
    to.push_back({warp.first_row * row_bits, warp.rows.count() * row_bits});
    if (warp.section_count != 0) to.push_back({warp.section_row * row_bits, warp.section_count * row_bits});
    const std::uint64_t predicates = predicate_bits() / own_warps();
    const std::uint64_t addresses = address_bits() / own_warps();
    if (predicates != 0) to.push_back({general_bits() + w * predicates, predicates});
    if (addresses != 0) to.push_back({general_bits() + predicate_bits() + w * addresses, addresses});
  }
}

// Follows the four sockets. A read takes whole rows, whatever the lanes: an instruction may look at its neighbours'
// registers. Bits are compared one by one; there are few.
class register_file::access_watch final : private tlm_bus::transaction_observer<register_read_request>,
                                          private tlm_bus::transaction_observer<register_write_request>,
                                          private tlm_bus::transaction_observer<register_allocation> {
 public:
  access_watch(register_file& owner, const std::vector<std::uint64_t>& bits, tlm_bus::bit_access_listener& listener)
      : owner_(owner), listener_(listener) {
    for (const std::uint64_t bit : bits) watched_.push_back({bit, owner.place_of(bit)});
    owner_.reads.observers().attach(*this);
    owner_.writes.observers().attach(*this);
    owner_.initial_writes.observers().attach(*this);
    owner_.allocations.observers().attach(*this);
  }
  ~access_watch() {
    owner_.reads.observers().detach(*this);
    owner_.writes.observers().detach(*this);
    owner_.initial_writes.observers().detach(*this);
    owner_.allocations.observers().detach(*this);
  }

 private:
  struct watched_bit {
    std::uint64_t bit;
    place at;
  };
  bool names(const place& at, warp_slot warp, const isa::register_transfer& r) const {
    if (at.file != r.file) return false;
    const warp_registers& w = owner_.warps_[warp.index()];
    if (at.file == register_file_kind::gpr) {
      for (unsigned k = 0; k < r.count; ++k)
        if (w.row_of(r.first + k) == at.row) return true;
      return false;
    }
    return at.warp == warp.index() && at.row == r.first;
  }
  // The warp whose registers the lane of the request accesses.
  template <class Request>
  static warp_slot home_of(const Request& request, unsigned lane) {
    return request.threads == nullptr ? request.warp : warp_slot(request.threads->slot[lane]);
  }
  static bool in_part(isa::register_part part, unsigned bit) {
    return part == isa::register_part::whole || (part == isa::register_part::high) == (bit >= 16);
  }
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds,
                   const register_read_request& request) override {
    for (const isa::register_transfer& r : request.registers)
      for (const watched_bit& w : watched_)
        if (names(w.at, home_of(request, w.at.lane), r)) listener_.accessed(w.bit, false);
  }
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds,
                   const register_write_request& request) override {
    for (const isa::register_transfer& r : request.registers)
      for (const watched_bit& w : watched_)
        if (names(w.at, home_of(request, w.at.lane), r) && (request.lanes >> w.at.lane & 1) != 0 &&
            in_part(r.part, w.at.bit))
          listener_.accessed(w.bit, true);
  }
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const register_allocation& a) override {
    for (const watched_bit& w : watched_)
      if (w.at.file != register_file_kind::gpr && w.at.warp == a.warp.index()) listener_.accessed(w.bit, true);
  }

  register_file& owner_;
  std::vector<watched_bit> watched_;
  tlm_bus::bit_access_listener& listener_;
};

bool register_file::watch(const std::vector<std::uint64_t>& bits, tlm_bus::bit_access_listener& listener) {
  watch_.reset();
  if (!bits.empty()) watch_ = std::make_shared<access_watch>(*this, bits, listener);
  return true;
}

}  // namespace gt200::model
