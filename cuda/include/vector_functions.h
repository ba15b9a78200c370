// make_float4 and the like.
#pragma once

#include "gt200_types.h"
