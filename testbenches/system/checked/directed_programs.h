// Short programs, each for one error that a front end can make.
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
