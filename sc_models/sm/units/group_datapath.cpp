#include "sc_models/sm/units/group_datapath.h"

#include "sc_models/sm/units/arithmetic.h"

namespace gt200::model {

void group_datapath::transport(warp_operation& operation) {
  calculate(*operation.instruction, operation.executed, *operation.values, own_);
}

}  // namespace gt200::model
