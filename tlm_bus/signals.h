// Named state of a module: what a logic analyser could see on its wires and registers.
//
// A module with such state derives from signal_source and passes its values to a signal_writer, always the same
// signals in the same order. One function thus names the signals (once) and gives their values (as often as an
// observer reads them). A module without observers pays nothing, and knows nothing about files or formats.
//
// Values are those after the edge being executed, like registers in hardware. For state behind a port
// (tlm_bus::registered) that is the value visible next. publish() must not change anything.
//
// A source may be on request: it holds too many values to record them all, such as the contents of a register file.
// An observer reads it only if its user has named one of its signals; else the source costs nothing.
//
// An observer that reads repeatedly gets only the changes. In an array of equal parts, parts that have not changed
// are skipped: the source reports the changed ones (part_tap), or derives them from masks that are compared with
// those of the last read (moved_bits).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tlm_bus/tap.h"

namespace gt200::tlm_bus {

enum class signal_kind : std::uint8_t {
  number,
  mask,        // each bit has a meaning of its own
  text,        // a name or description
  identifier,  // of a token, such as an instruction or a transaction; 0 = none
  word,        // the bits of a register or a memory, whatever they mean; shown in hexadecimal
  real         // the same bits (32 or 64) as a floating-point number of IEEE 754
};

struct signal_description {
  using describe = std::string (*)(std::uint64_t key);

  std::string name;  // relative to the module: slot_5.state
  signal_kind kind = signal_kind::number;
  unsigned bits = 64;  // 1..64
  describe meaning = nullptr;
  bool outstanding = false;  // see signal_writer::outstanding()
};

// The layout of a source beside its names: where its array is, and how many masks must be stored.
struct signal_layout {
  std::uint32_t array = 0;  // number of the first signal of the array
  std::uint32_t part = 0;   // signals of each part; 0 = there is no array
  std::uint32_t parts = 0;
  std::uint32_t masks = 0;
};

// A signal whose value differs from that of the last read.
struct signal_change {
  std::uint32_t signal;                  // number of the signal within the source
  signal_description::describe meaning;  // for a text; otherwise null
  std::uint64_t value;
};

// The parts of an array that may have changed since the last read, one bit each.
struct moved_parts {
  std::uint64_t bits = ~std::uint64_t{0};
};

// What a repeated observer stores about a source.
struct signal_look {
  std::uint64_t* values = nullptr;  // of the last read
  std::uint64_t* masks = nullptr;   // of the last read
  std::uint32_t part = 0;           // as in signal_layout
  bool reports_parts = false;       // the source has a part_tap, which `moved` is attached to
  moved_parts moved;
};

// A source uses it to report to its observers which part of its array has changed.
class part_tap : public tap<moved_parts> {
 public:
  void moved(unsigned part) const {
    notify([part](moved_parts& m) { m.bits |= std::uint64_t{1} << part; });
  }
};

class signal_writer {
 public:
  using describe = signal_description::describe;
  static constexpr unsigned max_parts = 64;

  // Collects only names, and the layout if requested.
  explicit signal_writer(std::vector<signal_description>& names, signal_layout* layout = nullptr)
      : names_(&names), layout_(layout) {}
  // Writes only values; the buffer must have room for all.
  explicit signal_writer(std::uint64_t* values) : next_(values) {}
  // Writes the signals that changed since the last read, in their order; the buffer must have room for all.
  signal_writer(signal_look& look, signal_change* changes)
      : next_(look.values), first_(look.values), next_mask_(look.masks), look_(&look), changes_(changes) {}

  // The end of the written changes.
  signal_change* end_of_changes() const { return changes_; }

  void number(const char* name, unsigned bits, std::uint64_t value) {
    put(name, signal_kind::number, bits, value, nullptr);
  }
  void flag(const char* name, bool value) { put(name, signal_kind::number, 1, value ? 1 : 0, nullptr); }
  void mask(const char* name, unsigned bits, std::uint64_t value) {
    put(name, signal_kind::mask, bits, value, nullptr);
  }
  void identifier(const char* name, std::uint64_t value) { put(name, signal_kind::identifier, 64, value, nullptr); }
  void word(const char* name, unsigned bits, std::uint64_t value) {
    put(name, signal_kind::word, bits, value, nullptr);
  }
  // `bits`: the bit pattern of a number of single precision.
  void real(const char* name, std::uint32_t bits) { put(name, signal_kind::real, 32, bits, nullptr); }
  // For enumerations as well. `meaning` explains a key; the same key always has the same text.
  void text(const char* name, std::uint64_t key, describe meaning) {
    put(name, signal_kind::text, 64, key, meaning);
  }

  // Marks the next signal as work that its module waits for or still has to do; 0 means that there is none.
  signal_writer& outstanding() {
    outstanding_ = true;
    return *this;
  }

  // The following signals belong to part `index` of an array: name_<index>.
  void enter(const char* name, unsigned index) {
    if (names_ != nullptr) prefix_ = std::string(name) + "_" + std::to_string(index) + ".";
  }
  void leave() {
    if (names_ != nullptr) prefix_.clear();
  }

  // A whole array of at most max_parts parts. show(i) gives the signals of part i; every part has the same number.
  // In a repeated read only the parts in `moved` and those reported through the part_tap are shown; without either
  // all of them are. A source has at most one array.
  template <class Show>
  void array(const char* name, unsigned parts, std::uint64_t moved, Show show) {
    if (look_ == nullptr) return whole_array(name, parts, show);
    std::uint64_t* const begin = next_;
    moved |= look_->moved.bits;
    if (parts < max_parts) moved &= (std::uint64_t{1} << parts) - 1;
    for (; moved != 0; moved &= moved - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(moved));
      next_ = begin + i * look_->part;
      show(i);
    }
    next_ = begin + parts * look_->part;
  }
  template <class Show>
  void array(const char* name, unsigned parts, Show show) {
    array(name, parts, look_ == nullptr || look_->reports_parts ? 0 : ~std::uint64_t{0}, show);
  }
  // Returns the bits that differ from those of the last read, for `moved` above. The mask is not a signal itself.
  std::uint64_t moved_bits(std::uint64_t mask) {
    if (look_ == nullptr) {
      if (layout_ != nullptr) ++layout_->masks;
      return 0;
    }
    const std::uint64_t moved = *next_mask_ ^ mask;
    *next_mask_++ = mask;
    return moved;
  }

 private:
  void put(const char* name, signal_kind kind, unsigned bits, std::uint64_t value, describe meaning) {
    if (next_ == nullptr) return put_name(name, kind, bits, meaning);
    if (*next_ != value) {
      *next_ = value;
      if (changes_ != nullptr) *changes_++ = {static_cast<std::uint32_t>(next_ - first_), meaning, value};
    }
    ++next_;
  }
  [[gnu::noinline]] void put_name(const char* name, signal_kind kind, unsigned bits, describe meaning) {
    names_->push_back({prefix_ + name, kind, bits, meaning, outstanding_});
    outstanding_ = false;
  }
  template <class Show>
  [[gnu::noinline]] void whole_array(const char* name, unsigned parts, Show& show) {
    if (parts > max_parts) throw std::logic_error(std::string(name) + ": an array of too many parts");
    const std::size_t first = names_ == nullptr ? 0 : names_->size();
    for (unsigned i = 0; i < parts; ++i) {
      enter(name, i);
      show(i);
      leave();
    }
    if (layout_ == nullptr || parts == 0) return;
    if (layout_->part != 0) throw std::logic_error(std::string(name) + ": a second array");
    layout_->array = static_cast<std::uint32_t>(first);
    layout_->part = static_cast<std::uint32_t>((names_->size() - first) / parts);
    layout_->parts = parts;
  }

  std::uint64_t* next_ = nullptr;
  std::uint64_t* first_ = nullptr;
  std::uint64_t* next_mask_ = nullptr;
  signal_look* look_ = nullptr;
  signal_change* changes_ = nullptr;
  std::vector<signal_description>* names_ = nullptr;
  signal_layout* layout_ = nullptr;
  std::string prefix_;
  bool outstanding_ = false;  // for the next name
};

class signal_source {
 public:
  virtual ~signal_source() = default;
  virtual void publish(signal_writer& to) = 0;
  // True: observers read it only if their user names one of its signals.
  virtual bool on_request() const { return false; }
  // Reports which parts of the array change; null: the source has no array, passes `moved` itself, or shows all
  // parts in every read.
  virtual part_tap* parts() { return nullptr; }
};

}  // namespace gt200::tlm_bus
