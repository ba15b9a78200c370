// Functions of the device; `gt200 nvcc` puts them in front of every file.
#pragma once

#include "cuda_runtime.h"
