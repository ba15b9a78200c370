// The forms of every instruction, for people who look one up.
#pragma once

#include <string>
#include <vector>

namespace gt200::isa::volta {

struct form {
  std::string name;     // of the row of the table
  std::string example;  // an instruction of this row, with operands as plain as they can be
};

// One form per row of the opcode table.
std::vector<form> forms();

}  // namespace gt200::isa::volta
