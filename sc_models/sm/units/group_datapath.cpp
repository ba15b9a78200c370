#include "sc_models/sm/units/group_datapath.h"

#include "sc_models/sm/units/arithmetic.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

void group_datapath::transport(warp_operation& operation) {
  calculate(*operation.instruction, operation.executed, *operation.values, own_);
}

void group_datapath::visit_state(tlm_bus::state_image& state) { state.fixed(own_); }

}  // namespace gt200::model
