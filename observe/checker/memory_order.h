// Follows the accesses to device memory in the order in which the partitions perform them.
//
// Every executed lane of a load, store or atomic must be performed exactly once, at the address and with the data
// of the reference. Stores and atomics change the shadow with the reference's data; loads and atomics take their
// values from it. Of several lanes that store to one address the highest must come last; accesses of a warp to one
// address, and those of a block before and behind a barrier, must be performed in order. Every function throws
// difference_found.
#pragma once

#include <array>
#include <atomic>
#include <tlm>
#include <vector>

#include "observe/checker/in_flight.h"
#include "observe/checker/l1_contents.h"
#include "observe/checker/shadow_memory.h"
#include "sc_models/grid_descriptor.h"
#include "sc_models/memory_path/page_table.h"
#include "sc_models/memory_transaction.h"
#include "toolchain/sampling/sampler.h"

namespace gt200::observe {

class memory_order {
 public:
  memory_order(shadow_memory& shadow, const model::page_table& pages) : shadow_(shadow), pages_(pages) {}

  // Computes the physical addresses of a global or local access after its step, or its fault. `first_warp` is the
  // first warp slot of the SM, counted through all SMs of the chip.
  void place(in_flight& f, const model::grid_descriptor& grid, unsigned first_warp) const;
  // The transaction `access` of `f` is performed now. A load takes its values from memory, or from the line of an
  // L1.
  void perform(in_flight& f, const tlm::tlm_generic_payload& access, const l1_contents::content* line = nullptr);
  // Checks the order: `younger` performs `access` now, and `older`, which must come first, is not finished.
  static void check_order(const in_flight& older, const in_flight& younger, const tlm::tlm_generic_payload& access);
  // A texture fetch has delivered its values: they become the reference's if they follow from texels that memory
  // has held since the launch. `texels`: that the shadow does not hold; a thread that runs a cluster cannot copy
  // them.
  enum class new_texels : std::uint8_t { are_copied, are_refused };
  void fetch_texture(in_flight& f, const model::grid_descriptor& grid, new_texels texels);
  // Finds the fault of a texture fetch after its step, if it has one.
  void place_texture(in_flight& f, const model::grid_descriptor& grid) const;

  std::uint64_t stale_texels() const { return stale_texels_.load(std::memory_order_relaxed); }

 private:
  using raw_texel = std::array<std::uint8_t, 16>;
  using tap_addresses = std::array<std::uint64_t, sampling::max_taps>;
  void load(in_flight& f, unsigned lane, unsigned word, const l1_contents::content* line);
  void store(in_flight& f, const tlm::tlm_generic_payload& access, isa::lane_mask lanes);
  void atomic(in_flight& f, const tlm::tlm_generic_payload& access, unsigned lane);
  // Computes physical addresses. Returns false if a texel is not mapped.
  bool find_texels(const sampling::footprint& f, const model::texture_binding& texture,
                   tap_addresses& physical) const;
  sampling::texel_value value_of(const sampling::footprint& f, const model::texture_binding& texture,
                                 const tap_addresses& physical, new_texels texels);
  // True if the value follows from texels of which some have been overwritten. If there are too many combinations
  // of versions to try, the result is true.
  bool was_held(const sampling::footprint& f, const model::texture_binding& texture, const tap_addresses& physical,
                unsigned component, std::uint32_t value, new_texels texels);
  // The texel values that memory has held, as far as they differ in this component.
  std::vector<raw_texel> versions(const sampling::texel_layout& layout, std::uint64_t address, unsigned component,
                                  new_texels texels);

  const std::uint8_t* texel_at(std::uint64_t address, new_texels texels);

  shadow_memory& shadow_;
  const model::page_table& pages_;
  std::atomic<std::uint64_t> stale_texels_{0};
};

}  // namespace gt200::observe
