// Channel descriptors and texture references, as the host sees them.
#pragma once

#include "gt200_texture_types.h"
