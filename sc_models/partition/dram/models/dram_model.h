// The interface of a DRAM model as a partition uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "sc_models/config/dram_config.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

// A target socket of the unmodified base protocol: tlm_bus::memory_target, tlm_utils::simple_target_socket, ...
using dram_socket =
    tlm::tlm_base_target_socket<tlm_bus::memory_bus_bits, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

class dram_model {
 public:
  virtual ~dram_model() = default;
  // Takes reads and writes of at most tlm_bus::max_transaction_bytes, writes with byte enables. Addresses are those
  // within the partition. transport_dbg must see what was written.
  virtual dram_socket& requests() = 0;
  // Bytes read and written so far.
  virtual std::uint64_t bytes_moved() const = 0;
  // Before the simulation begins: the first refresh comes at this fraction of its interval, 0 to below 1. A model
  // without refresh does nothing.
  virtual void begin_refresh_at(double fraction) { static_cast<void>(fraction); }
};

// `name`: from policies.def, or of an added model. The model's modules become children of the module under
// construction.
std::unique_ptr<dram_model> make_dram_model(std::string_view name, tlm_bus::clock_domain& memory,
                                            const config::dram_config& config);

// What an added model is made with; all of it outlives the model.
struct dram_context {
  tlm_bus::clock_domain& memory;
  const config::dram_config& dram;
  const config::policy_values& keys;  // its own, of partition.dram.<name>
};
// DRAM models from outside (sc_models/plugin.h).
struct dram_models {
  using factory = std::function<std::unique_ptr<dram_model>(const dram_context&)>;
  static void add(config::added_policy about, factory make);
};

}  // namespace gt200::model
