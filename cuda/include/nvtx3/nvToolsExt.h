// As nvToolsExt.h.
#pragma once

#include "../nvToolsExt.h"
