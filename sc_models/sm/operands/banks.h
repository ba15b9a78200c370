// Which bank of an interleaved memory serves a word.
#pragma once

namespace gt200::model {

// `banks` > 0. Most numbers of banks are powers of two, and a division for every access would be felt.
constexpr unsigned bank_of(unsigned word, unsigned banks) {
  return (banks & (banks - 1)) == 0 ? word & (banks - 1) : word % banks;
}

}  // namespace gt200::model
