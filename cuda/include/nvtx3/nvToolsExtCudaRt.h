// As nvToolsExtCudaRt.h.
#pragma once

#include "../nvToolsExtCudaRt.h"
