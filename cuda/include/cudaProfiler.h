// The profiler functions of the driver API: there is no profiler to switch.
#pragma once

#include "cuda.h"
