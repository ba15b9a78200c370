#include "observe/checker/memory_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sc_models/memory_path/access_tokens.h"
#include "toolchain/arch_state/atomic_operation.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/bits.h"
#include "toolchain/isa/common/memory_word.h"

namespace gt200::observe {
namespace {

using arch_state::fault_kind;
using arch_state::lowest_lane;
using isa::access_kind;
using isa::lane_mask;
using isa::memory_space;

constexpr unsigned largest_transaction = 128;

std::string span_text(std::uint64_t address, unsigned bytes) {
  return fmt::format("{:#x}..{:#x}", address, address + bytes - 1);
}

template <class predicate>
lane_mask lanes_where(lane_mask lanes, predicate holds) {
  lane_mask result = 0;
  for (const unsigned lane : set_bits(lanes))
    if (holds(lane)) result |= lane_mask{1} << lane;
  return result;
}

void expect_fault(in_flight& f, fault_kind kind, lane_mask lanes) {
  f.fault = kind;
  f.record.fault_lanes = lanes;
}

// Number of bytes of a transaction for the lanes; atomics carry two operands for one address.
unsigned extent_of(const in_flight& f, const tlm::tlm_generic_payload& access) {
  if (f.is(access_kind::atomic) || f.is(access_kind::reduction))
    return static_cast<unsigned>(isa::bytes_of(f.record.access.type));
  return access.get_data_length();
}

std::uint64_t address_of(const in_flight& f, unsigned lane, unsigned word) {
  const bool local = (f.local_lanes >> lane & 1) != 0;
  return f.physical[lane] + std::uint64_t{word} * (local ? model::local_pass_stride : 4);
}

}  // namespace

void memory_order::place(in_flight& f, const model::grid_descriptor& grid, unsigned first_warp) const {
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(f.record.access.type));
  const lane_mask lanes = f.device_lanes();
  const auto is_local = [&](unsigned lane) { return (f.local_lanes >> lane & 1) != 0; };
  const std::uint32_t* address = f.record.values.address.lane;
  f.device_memory = true;
  f.words = static_cast<std::uint8_t>(isa::words_of(f.record.access.type));
  f.word_bytes = static_cast<std::uint8_t>(std::min(bytes, 4u));
  std::fill(std::begin(f.performed), std::end(f.performed), 0u);

  lane_mask wrong = lanes_where(lanes, [&](unsigned lane) { return address[lane] % bytes != 0; });
  if (wrong != 0) return expect_fault(f, fault_kind::misaligned_address, wrong);
  wrong = lanes_where(f.local_lanes, [&](unsigned lane) {
    return grid.local_bytes < bytes || address[lane] > grid.local_bytes - bytes;
  });
  if (wrong != 0) return expect_fault(f, fault_kind::unmapped_address, wrong);

  // The layout of local memory is that of sc_models/memory_path/address_generation.h.
  const model::warp_instruction& operation = *f.operation;
  const auto window_of = [&](unsigned lane) {
    const unsigned slot = operation.formed ? operation.threads.slot[lane] : operation.warp.index();
    return grid.local_base + std::uint64_t{first_warp + slot} * isa::warp_size * grid.local_bytes;
  };
  const model::page_table::range* range = nullptr;
  lane_mask forbidden = 0;
  f.lowest = ~std::uint64_t{0};
  f.highest = 0;
  for (const unsigned lane : set_bits(lanes)) {
    const bool local = is_local(lane);
    const std::uint64_t a = local ? window_of(lane) + address[lane] / 4 * std::uint64_t{model::local_pass_stride} +
                                        lane * 4 + address[lane] % 4
                                  : address[lane];
    if (range == nullptr || a < range->first || a > range->last) range = pages_.find(a);
    if (range == nullptr || (range->supervisor && !local)) {
      wrong |= lane_mask{1} << lane;
      continue;
    }
    if (range->read_only && f.writes_memory()) forbidden |= lane_mask{1} << lane;
    f.physical[lane] = range->translate(a);
    f.lowest = std::min(f.lowest, f.physical[lane]);
    f.highest = std::max(f.highest, address_of(f, lane, f.words - 1u) + f.word_bytes - 1u);
  }
  if (wrong != 0)
    expect_fault(f, fault_kind::unmapped_address, wrong);
  else if (forbidden != 0)
    expect_fault(f, fault_kind::protected_address, forbidden);
}

void memory_order::check_order(const in_flight& older, const in_flight& younger,
                               const tlm::tlm_generic_payload& access) {
  if (!older.writes_memory() && !younger.writes_memory()) return;
  const std::uint64_t first = access.get_address();
  const std::uint64_t last = first + extent_of(younger, access) - 1;
  if (older.lowest > last || older.highest < first) return;
  const lane_mask lanes = access.get_extension<model::memory_extension>()->lanes & younger.device_lanes();
  for (unsigned w = 0; w < older.words; ++w)
    for (const unsigned older_lane : set_bits(older.unperformed(w))) {
      const std::uint64_t a = address_of(older, older_lane, w);
      for (const unsigned lane : set_bits(lanes))
        for (unsigned v = 0; v < younger.words; ++v) {
          const std::uint64_t b = address_of(younger, lane, v);
          if (b < first || b > last || a > b + younger.word_bytes - 1u || b > a + older.word_bytes - 1u) continue;
          throw difference_found{
              static_cast<int>(lane), "order of accesses to one address",
              fmt::format("after the access of lane {} at {:#x} of the instruction at {:#06x}, issued earlier",
                          older_lane, a, older.record.pc),
              "performed before it"};
        }
    }
}

void memory_order::perform(in_flight& f, const tlm::tlm_generic_payload& access, const l1_contents::content* line) {
  const auto& extension = *access.get_extension<model::memory_extension>();
  const std::uint64_t first = access.get_address();
  const unsigned bytes = extent_of(f, access);
  const bool loads = f.is(access_kind::load);
  const bool stores = f.is(access_kind::store);
  const auto kind = loads    ? model::memory_kind::load
                    : stores ? model::memory_kind::store
                             : model::memory_kind::atomic;
  if (f.fault != fault_kind::none || extension.kind != kind)
    throw difference_found{-1, "access to memory",
                           f.fault != fault_kind::none ? "none, as the instruction faults" : "one of another kind",
                           "a transaction at " + span_text(first, access.get_data_length())};
  if (const lane_mask others = extension.lanes & ~f.device_lanes()) {
    const unsigned lane = lowest_lane(others);
    throw difference_found{static_cast<int>(lane), "access to memory",
                           (f.shared_lanes >> lane & 1) != 0 ? "none, the lane reaches shared memory"
                                                             : "none, the lane does not execute",
                           "a transaction at " + span_text(first, bytes)};
  }

  for (const unsigned lane : set_bits(extension.lanes)) {
    bool any = false;
    for (unsigned w = 0; w < f.words; ++w) {
      const std::uint64_t a = address_of(f, lane, w);
      if (a < first || a + f.word_bytes > first + bytes) continue;
      any = true;
      if ((f.performed[w] >> lane & 1) != 0)
        throw difference_found{static_cast<int>(lane), "access to memory", "performed once", "performed twice"};
      if (loads) load(f, lane, w, line);
      f.performed[w] |= lane_mask{1} << lane;
    }
    if (!any)
      throw difference_found{static_cast<int>(lane), "physical address", fmt::format("{:#x}", f.physical[lane]),
                             "a transaction at " + span_text(first, bytes)};
  }
  if (stores) store(f, access, extension.lanes);
  if (!loads && !stores) {
    if (arch_state::count_lanes(extension.lanes) != 1)
      throw difference_found{-1, "lanes of an atomic transaction", "1",
                             std::to_string(arch_state::count_lanes(extension.lanes))};
    atomic(f, access, lowest_lane(extension.lanes));
  }
}

void memory_order::load(in_flight& f, unsigned lane, unsigned word, const l1_contents::content* line) {
  const std::uint64_t address = address_of(f, lane, word);
  const std::uint8_t* from = line == nullptr ? shadow_.look(address) : line->at(address);
  f.record.values.destination[word].lane[lane] = isa::memory_word(from, f.record.access.type);
}

void memory_order::store(in_flight& f, const tlm::tlm_generic_payload& access, lane_mask lanes) {
  const std::uint64_t first = access.get_address();
  const unsigned bytes = access.get_data_length();
  // 1. What the reference's lanes store there; the highest lane wins.
  std::array<std::uint8_t, largest_transaction> data;
  std::array<std::int8_t, largest_transaction> owner;
  owner.fill(-1);
  for (const unsigned lane : set_bits(lanes)) {
    for (unsigned w = 0; w < f.words; ++w) {
      const std::uint64_t a = address_of(f, lane, w);
      if (a < first || a + f.word_bytes > first + bytes) continue;
      const std::size_t at = a - first;
      std::memcpy(&data[at], &f.record.values.source[1][w].lane[lane], f.word_bytes);
      for (unsigned b = 0; b < f.word_bytes; ++b) owner[at + b] = static_cast<std::int8_t>(lane);
      // If a higher lane stored to the same address in an earlier transaction, its store was lost.
      const lane_mask higher = f.performed[w] & ~lanes & ~((lane_mask{2} << lane) - 1);
      if (const lane_mask lost =
              lanes_where(higher, [&](unsigned other) { return f.physical[other] == f.physical[lane]; }))
        throw difference_found{static_cast<int>(lane), "order of lanes that store to one address",
                               fmt::format("before lane {}", lowest_lane(lost)), "after it"};
    }
  }
  // 2. The model must write these bytes and no others.
  const std::uint8_t* got = access.get_data_ptr();
  const std::uint8_t* enables = access.get_byte_enable_ptr();
  const unsigned pattern = access.get_byte_enable_length();
  for (unsigned b = 0; b < bytes; ++b) {
    const bool written = enables == nullptr || enables[pattern >= bytes ? b : b % pattern] != 0;
    if (written == (owner[b] >= 0) && (!written || got[b] == data[b])) continue;
    throw difference_found{owner[b], fmt::format("byte stored to {:#x}", first + b),
                           owner[b] >= 0 ? fmt::format("{:#04x}", data[b]) : "not written",
                           written ? fmt::format("{:#04x}", got[b]) : "not written"};
  }
  // 3. From now on they are in memory.
  for (unsigned b = 0; b < bytes;) {
    unsigned end = b;
    while (end < bytes && owner[end] >= 0) ++end;
    if (end > b) shadow_.write(first + b, &data[b], end - b);
    b = end + 1;
  }
}

void memory_order::atomic(in_flight& f, const tlm::tlm_generic_payload& access, unsigned lane) {
  const isa::memory_access& memory = f.record.access;
  const auto& extension = *access.get_extension<model::memory_extension>();
  isa::lane_bundle& values = f.record.values;
  const unsigned bytes = 4u * f.words;
  const auto pair = [&](const isa::lane_words* w) {
    return w[0].lane[lane] | (f.words == 2 ? std::uint64_t{w[1].lane[lane]} << 32 : 0);
  };
  const auto sent = [&](unsigned operand) {
    std::uint64_t value = 0;
    std::memcpy(&value, access.get_data_ptr() + operand * bytes, bytes);
    return value;
  };
  const bool cas = memory.atomic == isa::atomic_op::cas;
  if (static_cast<unsigned>(extension.atomic) != static_cast<unsigned>(memory.atomic) ||
      extension.wide != (f.words == 2) || extension.atomic_signed != memory.atomic_signed ||
      extension.atomic_float != memory.atomic_float)
    throw difference_found{static_cast<int>(lane), "operation of an atomic", "that of the instruction",
                           "another one"};
  if (sent(0) != pair(values.source[1]))
    throw difference_found{static_cast<int>(lane), "operand of an atomic", hex(pair(values.source[1])),
                           hex(sent(0))};
  if (cas && sent(1) != pair(values.source[2]))
    throw difference_found{static_cast<int>(lane), "new value of cas", hex(pair(values.source[2])), hex(sent(1))};

  std::uint64_t before = 0;
  std::memcpy(&before, shadow_.look(f.physical[lane]), bytes);
  const std::uint64_t swap = cas ? pair(values.source[2]) : 0;
  std::uint64_t after = 0;
  if (f.words == 2) {
    after = arch_state::atomic_result64(memory.atomic, before, pair(values.source[1]), swap);
  } else if (memory.atomic_float) {
    after = arch_state::atomic_float_sum(static_cast<std::uint32_t>(before), values.source[1][0].lane[lane]);
  } else {
    after = arch_state::atomic_result(memory.atomic, memory.atomic_signed, static_cast<std::uint32_t>(before),
                                      values.source[1][0].lane[lane], static_cast<std::uint32_t>(swap));
  }
  std::uint8_t data[8];
  std::memcpy(data, &after, 8);
  shadow_.write(f.physical[lane], data, bytes);
  values.destination[0].lane[lane] = static_cast<std::uint32_t>(before);
  if (f.words == 2) values.destination[1].lane[lane] = static_cast<std::uint32_t>(before >> 32);
}

// -- textures --

void memory_order::place_texture(in_flight& f, const model::grid_descriptor& grid) const {
  const isa::texture_access& access = f.record.instruction->texture;
  if (f.record.executed == 0) return;
  const auto unit = sampling::unit_of(access, f.record.values, f.record.executed);
  if (!unit) return expect_fault(f, fault_kind::unsupported, f.record.executed);
  if (*unit >= grid.textures.size() || !grid.textures[*unit].bound)
    return expect_fault(f, fault_kind::texture_not_bound, f.record.executed);
  const model::texture_binding& texture = grid.textures[*unit];
  if (!sampling::can_read(texture.shape, access))
    return expect_fault(f, fault_kind::unsupported, f.record.executed);
  const lane_mask unmapped = lanes_where(f.record.executed, [&](unsigned lane) {
    tap_addresses physical{};
    return !find_texels(sampling::footprint_of(texture.shape, access, f.record.values.source[0], lane), texture,
                        physical);
  });
  if (unmapped != 0) expect_fault(f, fault_kind::unmapped_address, unmapped);
}

void memory_order::fetch_texture(in_flight& f, const model::grid_descriptor& grid, new_texels texels) {
  const isa::texture_access& access = f.record.instruction->texture;
  if (f.record.executed == 0) return;
  const model::texture_binding& texture =
      grid.textures[*sampling::unit_of(access, f.record.values, f.record.executed)];
  const isa::lane_words* got = f.operation->values.destination;
  for (const unsigned lane : set_bits(f.record.executed)) {
    const sampling::footprint taps = sampling::footprint_of(texture.shape, access, f.record.values.source[0], lane);
    tap_addresses physical{};
    find_texels(taps, texture, physical);
    const sampling::texel_value value = value_of(taps, texture, physical, texels);
    sampling::for_each_written(access, [&](unsigned n, unsigned c) {
      const std::uint32_t delivered = got[n].lane[lane];
      if (delivered != value.component[c]) {
        if (!was_held(taps, texture, physical, c, delivered, texels))
          throw difference_found{static_cast<int>(lane),
                                 fmt::format("component {} of a texture at offset {:#x}", c, taps.offset[0]),
                                 hex(value.component[c]), hex(delivered)};
        stale_texels_.fetch_add(1, std::memory_order_relaxed);
      }
      f.record.values.destination[n].lane[lane] = delivered;
    });
  }
}

bool memory_order::find_texels(const sampling::footprint& f, const model::texture_binding& texture,
                               tap_addresses& physical) const {
  for (unsigned k = 0; k < f.taps; ++k) {
    const std::uint64_t address = texture.address + f.offset[k];
    const model::page_table::range* range = pages_.find(address);
    if (range == nullptr) return false;
    physical[k] = range->translate(address);
  }
  return true;
}

// A cluster that runs by itself cannot read memory. A partition has performed the read of the texel before, and its
// page was copied then.
const std::uint8_t* memory_order::texel_at(std::uint64_t address, new_texels texels) {
  if (texels == new_texels::are_copied) return shadow_.look(address);
  if (const std::uint8_t* const held = shadow_.find(address)) return held;
  throw difference_found{-1, fmt::format("texel at physical address {:#x}", address),
                         "read by a partition in this launch", "never read"};
}

sampling::texel_value memory_order::value_of(const sampling::footprint& f, const model::texture_binding& texture,
                                             const tap_addresses& physical, new_texels texels) {
  return sampling::filtered(texture.shape.texel, f, [&](unsigned k) { return texel_at(physical[k], texels); });
}

bool memory_order::was_held(const sampling::footprint& f, const model::texture_binding& texture,
                            const tap_addresses& physical, unsigned component, std::uint32_t value,
                            new_texels texels) {
  constexpr std::size_t max_combinations = 65536;
  const sampling::texel_layout& layout = texture.shape.texel;
  if (component >= layout.components) return false;
  std::array<std::vector<raw_texel>, sampling::max_taps> held;
  std::size_t combinations = 1;
  for (unsigned k = 0; k < f.taps; ++k) {
    held[k] = versions(layout, physical[k], component, texels);
    combinations *= held[k].size();
    if (combinations > max_combinations) return true;
  }
  for (std::size_t n = 0; n < combinations; ++n) {
    std::array<const std::uint8_t*, sampling::max_taps> chosen{};
    std::size_t rest = n;
    for (unsigned k = 0; k < f.taps; ++k) {
      chosen[k] = held[k][rest % held[k].size()].data();
      rest /= held[k].size();
    }
    if (sampling::filtered(layout, f, [&](unsigned k) { return chosen[k]; }).component[component] == value)
      return true;
  }
  return false;
}

std::vector<memory_order::raw_texel> memory_order::versions(const sampling::texel_layout& layout,
                                                            std::uint64_t address, unsigned component,
                                                            new_texels texels) {
  raw_texel texel{};
  std::memcpy(texel.data(), texel_at(address, texels), layout.bytes());
  std::vector<raw_texel> result = {texel};
  const std::uint64_t at = address + component * sampling::bytes_of(layout.format);
  const std::unordered_set<std::uint32_t>* history = shadow_.history(at);
  if (history == nullptr) return result;
  for (const std::uint32_t word : *history) {
    // The component lies within one word; the other components are irrelevant.
    std::uint8_t bytes[4];
    std::memcpy(bytes, &word, 4);
    for (unsigned b = 0; b < 4; ++b) {
      const std::uint64_t place = at / 4 * 4 + b;
      if (place >= address && place < address + layout.bytes()) texel[place - address] = bytes[b];
    }
    result.push_back(texel);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace gt200::observe
