// As nvToolsExtCuda.h.
#pragma once

#include "../nvToolsExtCuda.h"
