// Conditions between the axes of a sweep: "chip.tpcs * tpc.sms <= 30 && policy != 'two_level'".
//
//   || && !   == != < <= > >=   + - * / %  unary -  ( )   numbers, 'texts', names of axes
// The value of an axis is a number if it reads as one, else a text. Numbers are real; % takes whole numbers. Texts
// can be compared for equality. A number is never equal to a text; to compare them is an error, unless the axis has
// values of both kinds, such as 1, 2, auto.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gt200::apps::sweep {

enum class kind_of_values : std::uint8_t { numbers, texts, both };
kind_of_values kind_of(const std::vector<std::string>& values);

struct axis_value {
  std::string text;
  kind_of_values kind = kind_of_values::texts;  // of all values of the axis
};
// The value of an axis; throws input_error when there is no such axis.
using values_of_axes = std::function<axis_value(const std::string& name)>;

// Throws input_error with the expression and the reason when it is malformed or cannot be computed.
bool holds(const std::string& expression, const values_of_axes& values);

}  // namespace gt200::apps::sweep
