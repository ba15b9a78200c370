// The DRAM of a partition: one of the models of models/policies.def, or one from outside (partition.dram.model).
#pragma once

#include <memory>
#include <systemc>

#include "sc_models/partition/dram/models/dram_model.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class dram : public sc_core::sc_module, public tlm_bus::resettable {
 public:
  dram(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory, const config::dram_config& config)
      : sc_core::sc_module(name),
        model_(make_dram_model(config::chosen_at(config::dram_models, this->name(), config.model.name()), memory,
                               config)) {}

  dram_socket& requests() { return model_->requests(); }
  // Bytes read and written so far.
  std::uint64_t bytes_moved() const { return model_->bytes_moved(); }

  void begin_refresh_at(double fraction) { model_->begin_refresh_at(fraction); }

  // The modules of the model are parts of their own.
  void visit_state(tlm_bus::state_image& state) override { state.fixed(model_); }
  const char* kind() const override { return "dram"; }

 private:
  std::unique_ptr<dram_model> model_;
};

}  // namespace gt200::model
