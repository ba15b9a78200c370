// Replaces the header of the same name of envytools: the methods of the compute engine. Only the launch has an
// effect here; the tests always use one block of 512 threads, code at the code address and data from g[0] on.
#pragma once

#include <cstdint>

#include "hwtest.h"

int g80_gr_mthd(hwtest_ctx* ctx, std::uint32_t subchannel, std::uint32_t method, std::uint32_t data);
inline int g80_gr_idle(hwtest_ctx*) { return 0; }
inline int g80_gr_prep(hwtest_ctx*) { return 0; }
inline int g80_gr_compute_prep(hwtest_ctx*) { return 0; }
