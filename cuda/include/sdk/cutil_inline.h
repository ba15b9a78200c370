// The utilities under the name of the SDK 3.
#pragma once

#include "cutil.h"
