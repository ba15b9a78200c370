// Parameters of a texture processing cluster: tpc.*
#pragma once

#include "sc_models/config/cache_config.h"
#include "sc_models/config/memory_config.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/config/texture_config.h"

namespace gt200::config {

struct tpc_config {
  sm_config sm;
  memory_config memory;
  texture_config texture;
  cache_config l2;

  void describe(visitor& v) {
    v.group("sm", sm, "streaming multiprocessor");
    v.group("memory", memory, "global and local memory path");
    v.group("texture", texture, "texture unit");
    v.group("l2", l2, "constant and instruction cache of the TPC", unit::uncore_cycles,
            measured("Wong 2010, table of caches (8 KB, 4-way, 64 B)"),
            assumption("with the ways to and from the SM 81 shader cycles (Wong 2010)"));
  }
};

}  // namespace gt200::config
