#include "sc_models/partition/dram/controller.h"
#include "sc_models/partition/dram/devices.h"
#include "sc_models/partition/dram/models/policies.h"

namespace gt200::model {
namespace {

class timing_model final : public dram_model {
 public:
  timing_model(tlm_bus::clock_domain& memory, const config::dram_config& config)
      : controller_("controller", memory, config), devices_("devices", config) {
    controller_.devices.bind(devices_.state);
    controller_.commands.bind(devices_.commands);
  }

  dram_socket& requests() override { return controller_.requests; }
  std::uint64_t bytes_moved() const override {
    return controller_.read_bytes.value() + controller_.written_bytes.value();
  }
  void begin_refresh_at(double fraction) override { controller_.begin_refresh_at(fraction); }

 private:
  dram_controller controller_;
  dram_devices devices_;
};

}  // namespace

std::unique_ptr<dram_model> make_timing(tlm_bus::clock_domain& memory, const config::dram_config& config) {
  return std::make_unique<timing_model>(memory, config);
}

}  // namespace gt200::model
