// Who writes and reads the words of a function: registers written once are values that passes may move about.
#pragma once

#include <vector>

#include "toolchain/ptx/machine_code.h"

namespace gt200::ptx {

inline std::size_t unit(word_ref r) { return static_cast<std::size_t>(r.reg) * 4 + r.word; }

// For every word: how often it is written, by which operation (valid if once), how often it is read. Describes the
// function as it was when this was made.
class definitions {
 public:
  struct entry {
    unsigned writes = 0;
    unsigned reads = 0;
    int in_block = -1;
    int index = -1;
  };

  explicit definitions(const machine_function& f);

  const entry& of(word_ref r) const { return words_[unit(r)]; }
  // The only operation that writes r, if there is one.
  const operation* only(const machine_function& f, word_ref r) const;
  bool never_changes(const machine_function& f, word_ref r) const;
  // All sources of the operation are values.
  bool has_values_only(const machine_function& f, const operation& o) const;

 private:
  std::vector<entry> words_;
};

}  // namespace gt200::ptx
