// cudaCreateChannelDesc<T>().
#pragma once

#include "gt200_texture_types.h"
