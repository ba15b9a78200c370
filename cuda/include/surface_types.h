// Surfaces, as the host sees them: there are none on these chips.
#pragma once

#include "cuda_runtime.h"
