// Included by programs of the runtime API for its types.
#pragma once

#include "driver_types.h"

#define CUDA_VERSION 4020
