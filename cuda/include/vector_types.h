// Attributes, vector types and dim3.
#pragma once

#include "gt200_types.h"
