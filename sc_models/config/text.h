// Values, units and allowed ranges as text: one way of writing them for files, errors and explanations.
#pragma once

#include <string>
#include <vector>

#include "sc_models/config/parameter.h"

namespace gt200::config {

// As written in a TOML file: true, 24, 1296.0, "lrr".
std::string value_text(const leaf_ref& value);
// "shader cycles", "bytes"; empty for unit::none.
std::string unit_text(unit in);
// "integer 1..64", "integer 512..16384 in steps of 512", "one of lrr, gto".
std::string allowed_text(const leaf_ref& value);
// "measured: Wong 2010".
std::string source_text(const source& from);
// Elements with `separator` between them.
std::string joined(const std::vector<std::string>& elements, const char* separator);
// Shortest decimal form that reads back as the same number and is recognisably real: 1296.0.
std::string real_text(double value);

}  // namespace gt200::config
