// Who writes and reads the words of a function: registers written once, before all that read them, are values that
// passes may move about. Written once is not enough: what a loop reads before it is written there is the value of
// the round before.
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
    bool before_reads = true;  // its only write stands on every way to each of its reads
    int in_block = -1;
    int index = -1;
  };

  explicit definitions(const machine_function& f);

  const entry& of(word_ref r) const { return words_[unit(r)]; }
  // Written once, before all reads.
  bool is_value(word_ref r) const { return of(r).writes == 1 && of(r).before_reads; }
  // The operation that writes r, if r is a value.
  const operation* only(const machine_function& f, word_ref r) const;
  // A value, or what a register holds from the start.
  bool never_changes(const machine_function& f, word_ref r) const;
  // All sources of the operation never change.
  bool has_values_only(const machine_function& f, const operation& o) const;

 private:
  void find_early_reads(const machine_function& f);

  std::vector<entry> words_;
};

}  // namespace gt200::ptx
