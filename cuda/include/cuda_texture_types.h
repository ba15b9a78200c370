// Texture references and objects.
#pragma once

#include "texture_types.h"
