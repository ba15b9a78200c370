// Values with which the L1 data caches of the chip may answer loads of global memory.
//
// L1s are not coherent: a load may return what memory held when its line was fetched. So the content of a fill is
// copied from the shadow when a partition performs it, and a load takes its values from the fill that the cache
// names. A cache may name a fill only
// - of this launch, and of the line of the load,
// - until a store or an atomic of its own TPC to that line passes, or a younger fill of the line begins.
// A load that comes before its fill is performed is kept until then. Functions throw difference_found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "observe/checker/in_flight.h"
#include "tlm_bus/transaction_size.h"

namespace gt200::observe {

class l1_contents {
 public:
  struct content {
    std::uint64_t address = 0;  // of the first byte
    std::array<std::uint8_t, tlm_bus::max_transaction_bytes> bytes{};

    const std::uint8_t* at(std::uint64_t address_of_byte) const { return &bytes[address_of_byte - address]; }
  };

  // `line_bytes`: of the caches.
  explicit l1_contents(unsigned line_bytes) : line_bytes_(line_bytes) {}

  void begin_launch() { lines_.clear(); }
  // A cache has looked up `load` and names the fill. Returns its content, or null if it has not been performed.
  const content* look_up(const tlm::tlm_generic_payload& load, std::uint64_t fill);
  // A partition performs the read of a line. `bytes` are those of memory at this moment. Calls each(load, content)
  // for the loads that wait for it.
  template <class Each>
  void performed(const tlm::tlm_generic_payload& fill, const std::uint8_t* bytes, Each each) {
    one_fill& f = begun(fill);
    f.performed = true;
    f.held.address = fill.get_address();
    std::copy_n(bytes, fill.get_data_length(), f.held.bytes.begin());
    const std::vector<const tlm::tlm_generic_payload*> waiting = std::move(f.waiting);
    f.waiting.clear();
    const content held = f.held;
    for (const tlm::tlm_generic_payload* load : waiting) each(*load, held);
  }
  // A store or an atomic passes the L1 of its TPC.
  void evicted(const tlm::tlm_generic_payload& access);

 private:
  struct one_fill {
    std::uint64_t id = 0;
    bool performed = false;
    bool closed = false;  // answers no later load
    content held;
    std::vector<const tlm::tlm_generic_payload*> waiting;
  };
  using fills = std::vector<one_fill>;

  fills& fills_of(const tlm::tlm_generic_payload& access);
  one_fill& begun(const tlm::tlm_generic_payload& fill);
  static void close(fills& of_line);

  unsigned line_bytes_;
  std::unordered_map<std::uint64_t, fills> lines_;  // by TPC and line; of a line oldest first
  std::array<std::uint64_t, 256> last_begun_{};     // by TPC: ids of fills ascend
};

}  // namespace gt200::observe
