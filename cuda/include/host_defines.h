// __global__, __device__ and the like.
#pragma once

#include "gt200_types.h"
