#include "sc_models/partition/dram/fixed_latency_controller.h"
#include "sc_models/partition/dram/models/policies.h"

namespace gt200::model {
namespace {

class fixed_latency_model final : public dram_model {
 public:
  fixed_latency_model(tlm_bus::clock_domain& memory, const config::dram_config& config)
      : controller_("controller", memory, config) {}

  dram_socket& requests() override { return controller_.requests; }
  std::uint64_t bytes_moved() const override {
    return controller_.read_bytes.value() + controller_.written_bytes.value();
  }

 private:
  fixed_latency_controller controller_;
};

}  // namespace

std::unique_ptr<dram_model> make_fixed_latency(tlm_bus::clock_domain& memory, const config::dram_config& config) {
  return std::make_unique<fixed_latency_model>(memory, config);
}

}  // namespace gt200::model
