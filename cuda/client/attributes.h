// What a device says about itself when a program asks for one number, in either API.
#pragma once

#include "cuda/protocol/commands.h"

namespace gt200::cudart {

// `attribute`: of cudaDeviceAttr, or CUdevice_attribute, whose numbers are the same. False if it is not known.
bool attribute_of(const device_description& d, unsigned device, int attribute, int& value);

}  // namespace gt200::cudart
