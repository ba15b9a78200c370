#include "toolchain/arch_state/memory_access.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/atomic_operation.h"
#include "toolchain/arch_state/half_row.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/bits.h"

namespace gt200::arch_state {
namespace {

using isa::data_type;
using isa::lane_mask;
using isa::lane_words;

// Lanes whose address is not a multiple of `alignment`, or for which `outside(address)` holds.
template <class outside_test>
access_fault find_fault(const lane_words& address, lane_mask lanes, std::uint32_t alignment, outside_test outside) {
  access_fault result;
  for (const fault_kind kind : {fault_kind::misaligned_address, fault_kind::unmapped_address}) {
    for (const unsigned lane : set_bits(lanes)) {
      const std::uint32_t a = address.lane[lane];
      const bool wrong = kind == fault_kind::misaligned_address ? a % alignment != 0 : outside(a);
      if (wrong) result.lanes |= 1u << lane;
    }
    if (result.lanes != 0) {
      result.kind = kind;
      result.address = address.lane[lowest_lane(result.lanes)];
      return result;
    }
  }
  return result;
}

struct extent {
  std::uint32_t lowest = 0xffffffffu;
  std::uint32_t highest = 0;
  std::uint32_t bits = 0;  // OR of all addresses: its low bits tell whether one is misaligned
};

extent extent_of(const lane_words& address, lane_mask lanes) {
  extent e;
  if (lanes == all_lanes) {
    for (const std::uint32_t a : address.lane) {
      e.lowest = std::min(e.lowest, a);
      e.highest = std::max(e.highest, a);
      e.bits |= a;
    }
    return e;
  }
  for (const unsigned lane : set_bits(lanes)) {
    const std::uint32_t a = address.lane[lane];
    e.lowest = std::min(e.lowest, a);
    e.highest = std::max(e.highest, a);
    e.bits |= a;
  }
  return e;
}

template <class action>
void for_lanes(lane_mask lanes, action act) {
  if (lanes == all_lanes) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) act(lane);
  } else {
    for (const unsigned lane : set_bits(lanes)) act(lane);
  }
}

template <class T, class pointer_of>
void load_narrow(lane_mask lanes, lane_words* out, pointer_of where) {
  for_lanes(lanes, [&](unsigned lane) {
    T value;
    std::memcpy(&value, where(lane), sizeof value);
    out[0].lane[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  });
}

template <class pointer_of>
void load_words(lane_mask lanes, int words, lane_words* out, pointer_of where) {
  for (int k = 0; k < words; ++k)
    for_lanes(lanes, [&](unsigned lane) { std::memcpy(&out[k].lane[lane], where(lane) + 4 * k, 4); });
}

// The usual accesses of 16 lanes: all name one word, or each lane the word behind that of the lane before. False:
// it is another access, and nothing has been loaded.
bool load_word_or_row(const std::uint8_t* bytes, const std::uint32_t* address, std::uint32_t* out) {
  const std::uint32_t first = address[0];
  half_row differences;
  load_half_row(differences, address);
  differences -= first;
  if (is_zero(differences ^ half_row_numbers * 4)) {
    std::memcpy(out, bytes + first, sizeof(half_row));
    return true;
  }
  if (!is_zero(differences)) return false;
  std::uint32_t word;
  std::memcpy(&word, bytes + first, sizeof word);
  const half_row words = half_row{} + word;
  std::memcpy(out, &words, sizeof words);
  return true;
}

// `where(lane)` is the address of a lane's bytes.
template <class pointer_of>
void load_from(data_type type, lane_mask lanes, lane_words* out, pointer_of where) {
  switch (type) {
    case data_type::u8: return load_narrow<std::uint8_t>(lanes, out, where);
    case data_type::s8: return load_narrow<std::int8_t>(lanes, out, where);
    case data_type::u16: return load_narrow<std::uint16_t>(lanes, out, where);
    case data_type::s16: return load_narrow<std::int16_t>(lanes, out, where);
    default: return load_words(lanes, isa::words_of(type), out, where);
  }
}

template <class pointer_of>
void store_to(data_type type, lane_mask lanes, const lane_words* values, pointer_of where) {
  const std::size_t first_word_bytes = static_cast<std::size_t>(std::min(isa::bytes_of(type), 4));
  const int words = isa::words_of(type);
  if (words == 1 && first_word_bytes == 4) {
    for_lanes(lanes, [&](unsigned lane) { std::memcpy(where(lane), &values[0].lane[lane], 4); });
    return;
  }
  for_lanes(lanes, [&](unsigned lane) {
    for (int k = 0; k < words; ++k) std::memcpy(where(lane) + 4 * k, &values[k].lane[lane], first_word_bytes);
  });
}

// OR of all addresses. None of them is greater, and its low bits tell whether one is misaligned.
std::uint32_t bits_of(const lane_words& address) {
  std::uint32_t bits = 0;
  for (const std::uint32_t a : address.lane) bits |= a;
  return bits;
}

access_fault check_flat(const flat_view& storage, const lane_words& address, lane_mask lanes, std::uint32_t bytes) {
  if (lanes == all_lanes) {
    const std::uint32_t bits = bits_of(address);
    if (bits % bytes == 0 && lies_within(bits, bytes, storage.size)) return {};
  }
  const extent e = extent_of(address, lanes);
  if (e.bits % bytes == 0 && lies_within(e.highest, bytes, storage.size)) return {};
  return find_fault(address, lanes, bytes, [&](std::uint32_t a) { return !lies_within(a, bytes, storage.size); });
}

// True if all lanes are aligned and lie in one page of one range. Then one pointer serves them all.
bool in_one_page(const memory& m, const extent& e, std::uint32_t bytes) {
  const std::uint64_t span = std::uint64_t{e.highest} - e.lowest + bytes;
  return e.bits % bytes == 0 && e.lowest / memory::page_bytes == e.highest / memory::page_bytes &&
         m.is_mapped(e.lowest, span);
}

access_fault check_memory(const memory& m, const lane_words& address, lane_mask lanes, std::uint32_t bytes) {
  return find_fault(address, lanes, bytes, [&](std::uint32_t a) { return !m.is_mapped(a, bytes); });
}

// Read, combine and write, one lane after the other.
template <class pointer_of>
void combine_at(const isa::memory_access& access, lane_mask lanes, const lane_words* values,
                const lane_words* swaps, lane_words* old, pointer_of where) {
  const bool is_pair = isa::bytes_of(access.type) == 8;
  for_lanes(lanes, [&](unsigned lane) {
    std::uint8_t* place = where(lane);
    if (is_pair) {
      const auto pair = [lane](const lane_words* w) {
        return w[0].lane[lane] | std::uint64_t{w[1].lane[lane]} << 32;
      };
      std::uint64_t before = 0;
      std::memcpy(&before, place, 8);
      const std::uint64_t after = atomic_result64(access.atomic, before, pair(values), pair(swaps));
      std::memcpy(place, &after, 8);
      old[0].lane[lane] = static_cast<std::uint32_t>(before);
      old[1].lane[lane] = static_cast<std::uint32_t>(before >> 32);
    } else {
      std::uint32_t before = 0;
      std::memcpy(&before, place, 4);
      const std::uint32_t value = values[0].lane[lane];
      const std::uint32_t after = access.atomic_float ? atomic_float_sum(before, value)
                                                      : atomic_result(access.atomic, access.atomic_signed, before,
                                                                      value, swaps[0].lane[lane]);
      std::memcpy(place, &after, 4);
      old[0].lane[lane] = before;
    }
  });
}

}  // namespace

access_fault find_constant_fault(const lane_words& offsets, lane_mask lanes, data_type type,
                                 std::uint32_t space_bytes) {
  if (lanes == 0) return {};
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(type));
  const std::uint32_t alignment = std::min(bytes, 4u);
  const extent e = extent_of(offsets, lanes);
  if (e.bits % alignment == 0 && lies_within(e.highest, bytes, space_bytes)) return {};
  return find_fault(offsets, lanes, alignment,
                    [&](std::uint32_t a) { return !lies_within(a, bytes, space_bytes); });
}

access_fault load_lanes(const flat_view& from, const lane_words& address, lane_mask lanes, data_type type,
                        lane_words* out, bool same_address) {
  if (lanes == 0) return {};
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(type));
  if (same_address && from.lane_stride == 0) {
    const lane_mask first = lanes & (~lanes + 1);
    if (access_fault f = check_flat(from, address, first, bytes)) {
      f.lanes = lanes;
      return f;
    }
    const unsigned lane = lowest_lane(first);
    load_from(type, first, out, [&](unsigned) { return from.bytes + address.lane[lane]; });
    for (int k = 0; k < isa::words_of(type); ++k) fill_row(out[k].lane, out[k].lane[lane]);
    return {};
  }
  if (const access_fault f = check_flat(from, address, lanes, bytes)) return f;
  if (type == data_type::b32 && lanes == all_lanes && from.lane_stride == 0 &&
      load_word_or_row(from.bytes, address.lane, out[0].lane) &&
      load_word_or_row(from.bytes, address.lane + 16, out[0].lane + 16))
    return {};
  load_from(type, lanes, out,
            [&](unsigned lane) { return from.bytes + lane * from.lane_stride + address.lane[lane]; });
  return {};
}

access_fault store_lanes(const flat_storage& to, const lane_words& address, lane_mask lanes, data_type type,
                         const lane_words* values) {
  if (lanes == 0) return {};
  if (const access_fault f = check_flat(to, address, lanes, static_cast<std::uint32_t>(isa::bytes_of(type))))
    return f;
  store_to(type, lanes, values,
           [&](unsigned lane) { return to.bytes + lane * to.lane_stride + address.lane[lane]; });
  return {};
}

access_fault load_lanes(const memory& from, const lane_words& address, lane_mask lanes, data_type type,
                        lane_words* out) {
  if (lanes == 0) return {};
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(type));
  const extent e = extent_of(address, lanes);
  if (in_one_page(from, e, bytes)) {
    const std::uint8_t* base = from.look(e.lowest, bytes);
    load_from(type, lanes, out, [&](unsigned lane) { return base + (address.lane[lane] - e.lowest); });
    return {};
  }
  if (const access_fault f = check_memory(from, address, lanes, bytes)) return f;
  load_from(type, lanes, out, [&](unsigned lane) { return from.look(address.lane[lane], bytes); });
  return {};
}

access_fault store_lanes(memory& to, const lane_words& address, lane_mask lanes, data_type type,
                         const lane_words* values) {
  if (lanes == 0) return {};
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(type));
  const extent e = extent_of(address, lanes);
  if (in_one_page(to, e, bytes)) {
    std::uint8_t* base = to.touch(e.lowest, bytes);
    store_to(type, lanes, values, [&](unsigned lane) { return base + (address.lane[lane] - e.lowest); });
    return {};
  }
  if (const access_fault f = check_memory(to, address, lanes, bytes)) return f;
  store_to(type, lanes, values, [&](unsigned lane) { return to.touch(address.lane[lane], bytes); });
  return {};
}

access_fault atomic_lanes(memory& target, const isa::memory_access& access, const lane_words& address,
                          lane_mask lanes, const lane_words* values, const lane_words* swaps, lane_words* old) {
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(access.type));
  if (const access_fault f = check_memory(target, address, lanes, bytes)) return f;
  combine_at(access, lanes, values, swaps, old,
             [&](unsigned lane) { return target.touch(address.lane[lane], bytes); });
  return {};
}

access_fault atomic_lanes(const flat_storage& target, const isa::memory_access& access, const lane_words& address,
                          lane_mask lanes, const lane_words* values, const lane_words* swaps, lane_words* old) {
  if (lanes == 0) return {};
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(access.type));
  if (const access_fault f = check_flat(target, address, lanes, bytes)) return f;
  combine_at(access, lanes, values, swaps, old,
             [&](unsigned lane) { return target.bytes + lane * target.lane_stride + address.lane[lane]; });
  return {};
}

}  // namespace gt200::arch_state
