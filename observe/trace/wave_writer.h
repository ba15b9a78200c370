// Writes a waveform file: a hierarchy of signals and their values over time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm_bus/time.h"

namespace gt200::observe {

// How a file declares a signal. Viewers show `reg` and `wire` alike; the layouts show a reg in hexadecimal.
enum class wave_type : std::uint8_t { wire, reg, real, text };

struct wave_signal {
  std::string path;   // scopes and name, separated by dots
  unsigned bits = 1;  // 0 for a text
  wave_type type = wave_type::wire;
};

class wave_writer {
 public:
  virtual ~wave_writer() = default;
  // Call it once, first. Signals are numbered in this order and start as 0 or empty.
  virtual void begin(const std::vector<wave_signal>& signals) = 0;
  // The following values belong to time `t`, which increases.
  virtual void time(tlm_bus::femtoseconds t) = 0;
  virtual void number(std::size_t signal, std::uint64_t value) = 0;
  virtual void real(std::size_t signal, double value) = 0;
  virtual void text(std::size_t signal, const std::string& value) = 0;
  // Throws input_error if something could not be written.
  virtual void close() = 0;
};

// How a VCD file holds texts. IEEE 1364 has none. `string`: as GTKWave and Surfer read them ($var string; blanks
// and backslashes escaped as in C). `ascii`: as Verilog keeps texts, in a reg of 32 characters of 8 bits, the last
// one in the lowest bits, for viewers that know the standard alone; show it in ASCII. The end of a longer text is
// cut off, and '~' stands there.
enum class vcd_texts : std::uint8_t { string, ascii };

// `named` replaces the path in messages, for a file that is renamed later.
//
// Format: IEEE 1364 value change dump, but for the texts.
std::unique_ptr<wave_writer> make_vcd_writer(const std::string& path, const std::string& named = "",
                                             vcd_texts texts = vcd_texts::string);
// Format: GTKWave's FST. Throws input_error if this build lacks the code for it (Debian package verilator).
std::unique_ptr<wave_writer> make_fst_writer(const std::string& path, const std::string& named = "");
// True if this build can write FST.
bool can_write_fst();

// The scopes of the signals as a tree, in order of appearance.
struct wave_scope {
  std::string name;
  std::vector<std::unique_ptr<wave_scope>> scopes;
  std::vector<std::pair<std::string, std::size_t>> signals;  // name and number
};
std::unique_ptr<wave_scope> scopes_of(const std::vector<wave_signal>& signals);

}  // namespace gt200::observe
