// Attributes of CUDA C.
#pragma once

#include "../vector_types.h"
