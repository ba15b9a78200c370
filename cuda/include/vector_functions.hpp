// Functions that make vectors.
#pragma once

#include "vector_types.h"
