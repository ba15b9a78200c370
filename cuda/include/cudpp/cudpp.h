// As programs of NVIDIA's SDKs include it.
#pragma once

#include "../cudpp.h"
