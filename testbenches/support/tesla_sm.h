// The modules of Tesla's SM in a chip, for tests that look at them or damage them.
#pragma once

#include "sc_models/chip.h"
#include "sc_models/sm/tesla/sm.h"

namespace gt200::support {

inline model::tesla_sm& tesla(model::sm_if& sm) { return dynamic_cast<model::tesla_sm&>(sm); }
inline model::tesla_sm& first_sm(model::chip& chip) { return tesla(*chip.sms().front()); }

}  // namespace gt200::support
