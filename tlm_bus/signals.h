// State that a module shows by name: what a logic analyser could see on its wires and registers.
//
// A module that has some derives from signal_source and hands its values to a signal_writer, always the same ones
// in the same order. The same function thus names the signals (once) and gives their values (as often as somebody
// looks). A module that nobody looks at pays nothing, and knows nothing of files or formats.
//
// Values are those after the edge being executed, as registers in hardware: of state behind a port
// (tlm_bus::registered) what becomes visible next. publish() must not change anything.
//
// Somebody who looks again and again is handed only what has changed. In an array of parts that are alike,
// those that have not moved are passed over: the source tells which move (part_tap), or derives it from masks that
// it wants compared with those of the last look (moved_bits).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tlm_bus/tap.h"

namespace gt200::tlm_bus {

enum class signal_kind : std::uint8_t {
  number,
  mask,       // bits that mean something one by one
  text,       // named or described
  identifier  // of what travels: an instruction, a transaction; 0 = none
};

struct signal_description {
  using describe = std::string (*)(std::uint64_t key);

  std::string name;  // below the module: slot_5.state
  signal_kind kind = signal_kind::number;
  unsigned bits = 64;  // 1..64
  describe meaning = nullptr;
  bool outstanding = false;  // see signal_writer::outstanding()
};

// How a source shows itself, beside the names: where its array is, and how many masks it wants remembered.
struct signal_layout {
  std::uint32_t array = 0;  // number of the first signal in it
  std::uint32_t part = 0;   // signals of each part; 0 = there is no array
  std::uint32_t parts = 0;
  std::uint32_t masks = 0;
};

// A signal that no longer has the value of the last look.
struct signal_change {
  std::uint32_t signal;                  // of the source, from 0
  signal_description::describe meaning;  // of a text, else null
  std::uint64_t value;
};

// Parts of an array that may not be those of the last look, a bit each.
struct moved_parts {
  std::uint64_t bits = ~std::uint64_t{0};
};

// What somebody who looks again and again keeps of a source.
struct signal_look {
  std::uint64_t* values = nullptr;  // of the last look
  std::uint64_t* masks = nullptr;   // the remembered ones
  std::uint32_t part = 0;           // as in the layout
  moved_parts moved;
};

// Through which a source tells its observers what part of its array has moved.
class part_tap : public tap<moved_parts> {
 public:
  void moved(unsigned part) const {
    tell([part](moved_parts& m) { m.bits |= std::uint64_t{1} << part; });
  }
};

class signal_writer {
 public:
  using describe = signal_description::describe;
  static constexpr unsigned most_parts = 64;

  // Names only, and the layout if somebody wants it.
  explicit signal_writer(std::vector<signal_description>& names, signal_layout* layout = nullptr)
      : names_(&names), layout_(layout) {}
  // Values only; there must be room for all.
  explicit signal_writer(std::uint64_t* values) : next_(values) {}
  // What has changed since the last look, in the order of the signals; there must be room for all.
  signal_writer(signal_look& look, signal_change* changes)
      : next_(look.values), first_(look.values), next_mask_(look.masks), look_(&look), changes_(changes) {}

  // Behind the last change.
  signal_change* end_of_changes() const { return changes_; }

  void number(const char* name, unsigned bits, std::uint64_t value) {
    put(name, signal_kind::number, bits, value, nullptr);
  }
  void flag(const char* name, bool value) { put(name, signal_kind::number, 1, value ? 1 : 0, nullptr); }
  void mask(const char* name, unsigned bits, std::uint64_t value) {
    put(name, signal_kind::mask, bits, value, nullptr);
  }
  void identifier(const char* name, std::uint64_t value) { put(name, signal_kind::identifier, 64, value, nullptr); }
  // `meaning` tells what a key stands for; the same key always gives the same text.
  void text(const char* name, std::uint64_t key, describe meaning) {
    put(name, signal_kind::text, 64, key, meaning);
  }

  // The next signal is what its module waits for or still has to do: 0 when there is nothing.
  signal_writer& outstanding() {
    outstanding_ = true;
    return *this;
  }

  // What follows belongs to part `index` of an array: name_<index>.
  void enter(const char* name, unsigned index) {
    if (names_ != nullptr) prefix_ = std::string(name) + "_" + std::to_string(index) + ".";
  }
  void leave() {
    if (names_ != nullptr) prefix_.clear();
  }

  // A whole array of at most most_parts parts: show(i) gives the signals of part i, as many for each part. Who
  // looks again is shown only parts in `moved` and those that the part_tap told of. At most one array of a source.
  template <class Show>
  void array(const char* name, unsigned parts, std::uint64_t moved, Show show) {
    if (look_ == nullptr) return whole_array(name, parts, show);
    std::uint64_t* const begin = next_;
    moved |= look_->moved.bits;
    if (parts < most_parts) moved &= (std::uint64_t{1} << parts) - 1;
    for (; moved != 0; moved &= moved - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(moved));
      next_ = begin + i * look_->part;
      show(i);
    }
    next_ = begin + parts * look_->part;
  }
  template <class Show>
  void array(const char* name, unsigned parts, Show show) {
    array(name, parts, 0, show);
  }
  // Bits that differ from those of the last look, for `moved` above. Not shown.
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
    if (parts > most_parts) throw std::logic_error(std::string(name) + ": an array of too many parts");
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
  bool outstanding_ = false;  // of the next name
};

class signal_source {
 public:
  virtual ~signal_source() = default;
  virtual void publish(signal_writer& to) = 0;
  // Tells which parts of the array move; null: the source has no array, or says so by itself.
  virtual part_tap* parts() { return nullptr; }
};

}  // namespace gt200::tlm_bus
