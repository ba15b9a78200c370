#include "sc_models/sm/schedulers/age_order.h"
#include "sc_models/sm/schedulers/policies.h"

namespace gt200::model {

std::unique_ptr<scheduler> make_oldest(const config::sm_config&) {
  return std::make_unique<age_order<age_end::oldest, false>>();
}

}  // namespace gt200::model
