// One form of an instruction, for people who look one up.
#pragma once

#include <string>

namespace gt200::isa {

struct form {
  std::string name;     // of the row of the opcode table
  std::string example;  // an instruction of this row, with operands as plain as they can be
};

}  // namespace gt200::isa
