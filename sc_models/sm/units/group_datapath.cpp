#include "sc_models/sm/units/group_datapath.h"

#include "tlm_bus/state_image.h"

namespace gt200::model {

void group_datapath::visit_state(tlm_bus::state_image& state) { state.fixed(own_); }

}  // namespace gt200::model
