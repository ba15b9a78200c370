// Maps a word to a bank of an interleaved memory.
#pragma once

namespace gt200::model {

// `banks` > 0. Most numbers of banks are powers of two, which avoids a division per access.
constexpr unsigned bank_of(unsigned word, unsigned banks) {
  return (banks & (banks - 1)) == 0 ? word & (banks - 1) : word % banks;
}

}  // namespace gt200::model
