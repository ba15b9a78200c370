// Writers and readers of each word of a function. A register that is written once, before all its reads, is a
// value, which passes may move. Written once is not enough: a loop that reads it before the write reads the value
// of the round before.
#pragma once

#include <vector>

#include "toolchain/ptx/machine_code.h"

namespace gt200::ptx {

inline std::size_t unit(word_ref r) { return static_cast<std::size_t>(r.reg) * 4 + r.word; }

// For every word: how often it is written, by which operation (valid if once), and how often it is read. Describes
// the function at construction.
class definitions {
 public:
  struct entry {
    unsigned writes = 0;
    unsigned reads = 0;
    bool before_reads = true;  // its only write dominates each of its reads
    int in_block = -1;
    int index = -1;
  };

  explicit definitions(const machine_function& f);

  const entry& of(word_ref r) const { return words_[unit(r)]; }
  // Written once, before all reads.
  bool is_value(word_ref r) const { return of(r).writes == 1 && of(r).before_reads; }
  // The operation that writes r, if r is a value.
  const operation* only(const machine_function& f, word_ref r) const;
  // True for a value, and for what a register holds from the start.
  bool never_changes(const machine_function& f, word_ref r) const;
  // True if no source of the operation ever changes.
  bool has_values_only(const machine_function& f, const operation& o) const;

 private:
  void find_early_reads(const machine_function& f);

  std::vector<entry> words_;
};

}  // namespace gt200::ptx
