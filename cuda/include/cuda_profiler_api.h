// The functions that switch the profiler are in the runtime API.
#pragma once

#include "cuda_runtime.h"
