// Short programs, each for one thing that a front end can get wrong.
#pragma once

#include <vector>

#include "testbenches/system/checked/front_end_run.h"

namespace gt200::support {

struct directed_program {
  const char* name;
  checked_program_text program;
};
const std::vector<directed_program>& directed_programs();

}  // namespace gt200::support
