// Conditions between the axes of a sweep: "chip.tpcs * tpc.sms <= 30 && policy != 'two_level'".
//
//   || && !   == != < <= > >=   + - * / %  unary -  ( )   numbers, 'texts', names of axes
// The value of an axis is a number if it reads as one, else a text. Numbers are real; % takes whole numbers. Texts
// can be compared for equality.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gt200::apps::sweep {

// The text of the value of an axis; throws input_error when there is no such axis.
using value_of_axis = std::function<const std::string&(const std::string& name)>;

// Throws input_error with the expression and the reason when it is malformed or cannot be computed.
bool holds(const std::string& expression, const value_of_axis& value);

}  // namespace gt200::apps::sweep
