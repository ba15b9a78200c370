// What an SP should be seen to do: the fields of every operation with their values, its flags and remarkable
// results.
#pragma once

#include <cstddef>
#include <vector>

#include "rtl_ref/sp/control.h"

namespace gt200::support {

struct sp_field {
  const char* name;
  unsigned (*value)(const rtl::sp_control&);
};
const std::vector<sp_field>& sp_fields();

// The values of a field that the encodings of an operation have, as bits.
struct sp_field_values {
  std::size_t field;  // in sp_fields()
  unsigned values;
};

struct sp_operation_plan {
  rtl::sp_operation operation;
  const char* name;
  std::vector<sp_field_values> fields;
  const char* flags = "";       // that it can set
  bool of_two_singles = false;  // every pair of kinds of operands
  const char* float_results =
      "";  // n NaN, i I infinities, z Z zeros, s S smallest normal, l L largest numbers, 1 one
};
// One per operation.
const std::vector<sp_operation_plan>& sp_operation_plans();

}  // namespace gt200::support
