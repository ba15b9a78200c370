// State that a module shows by name: what a logic analyser could see on its wires and registers.
//
// A module that has some derives from signal_source and hands its values to a signal_writer, always the same ones
// in the same order. The same function thus names the signals (once) and gives their values (as often as somebody
// looks). A module that nobody looks at pays nothing, and knows nothing of files or formats.
//
// Values are those after the edge being executed, as registers in hardware: of state behind a port
// (tlm_bus::registered) what becomes visible next. publish() must not change anything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gt200::tlm_bus {

enum class signal_kind : std::uint8_t {
  number,
  mask,       // bits that mean something one by one
  text,       // named or described
  identifier  // of a warp instruction or transaction; 0 = none
};

struct signal_description {
  using describe = std::string (*)(std::uint64_t key);

  std::string name;  // below the module: warp_5.state
  signal_kind kind = signal_kind::number;
  unsigned bits = 64;  // 1..64
  describe meaning = nullptr;
};

// Told which values are no longer those of the last look.
class signal_listener {
 public:
  // `last` still has the old value; the listener sets it.
  virtual void changed(std::uint64_t* last, std::uint64_t value) = 0;

 protected:
  ~signal_listener() = default;
};

class signal_writer {
 public:
  using describe = signal_description::describe;

  // Names only.
  explicit signal_writer(std::vector<signal_description>& names) : names_(&names) {}
  // Values only; there must be room for all.
  explicit signal_writer(std::uint64_t* values) : next_(values) {}
  // Only values that differ from those at `last`, to the listener.
  signal_writer(std::uint64_t* last, signal_listener& listener) : next_(last), listener_(&listener) {}

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

  // What follows belongs to part `index` of an array: name_<index>.
  void enter(const char* name, unsigned index) {
    if (names_ != nullptr) prefix_ = std::string(name) + "_" + std::to_string(index) + ".";
  }
  void leave() {
    if (names_ != nullptr) prefix_.clear();
  }

 private:
  void put(const char* name, signal_kind kind, unsigned bits, std::uint64_t value, describe meaning) {
    if (next_ == nullptr) return put_name(name, kind, bits, meaning);
    if (listener_ == nullptr)
      *next_ = value;
    else if (*next_ != value)
      listener_->changed(next_, value);
    ++next_;
  }
  [[gnu::noinline]] void put_name(const char* name, signal_kind kind, unsigned bits, describe meaning) {
    names_->push_back({prefix_ + name, kind, bits, meaning});
  }

  std::uint64_t* next_ = nullptr;
  signal_listener* listener_ = nullptr;
  std::vector<signal_description>* names_ = nullptr;
  std::string prefix_;
};

class signal_source {
 public:
  virtual ~signal_source() = default;
  virtual void publish(signal_writer& to) = 0;
};

}  // namespace gt200::tlm_bus
