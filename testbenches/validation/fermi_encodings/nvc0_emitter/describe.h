// What an instruction of nouveau's intermediate representation asks for, as a line of JSON without the closing
// brace.
#pragma once

#include <string>

#include "nv50_ir.h"

namespace gt200::nvc0_emitter {

std::string described(const nv50_ir::Instruction& i);

}  // namespace gt200::nvc0_emitter
