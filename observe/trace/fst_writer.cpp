#include <fmt/format.h>

#include "observe/trace/wave_writer.h"
#include "toolchain/error.h"

#ifdef GT200_HAVE_FST

#include "gtkwave/fstapi.h"

namespace gt200::observe {
namespace {

constexpr int femtosecond_exponent = -15;

class fst_writer final : public wave_writer {
 public:
  explicit fst_writer(const std::string& path) : path_(path), file_(fstWriterCreate(path.c_str(), 1)) {
    if (file_ == nullptr) throw input_error(path_, 0, "cannot be written");
    fstWriterSetPackType(file_, FST_WR_PT_LZ4);
    fstWriterSetTimescale(file_, femtosecond_exponent);
  }
  ~fst_writer() override {
    if (file_ != nullptr) fstWriterClose(file_);
  }

  void begin(const std::vector<wave_signal>& signals) override {
    signals_.resize(signals.size());
    declare(*scopes_of(signals), signals);
  }
  void time(tlm_bus::femtoseconds t) override {
    fstWriterEmitTimeChange(file_, t);
    if (timed_) return;
    timed_ = true;
    // Readers take the first values from the first time.
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (signals_[i].bits == 0)
        text(i, "");
      else
        number(i, 0);
    }
  }
  void number(std::size_t signal, std::uint64_t value) override {
    fstWriterEmitValueChange64(file_, signals_[signal].handle, signals_[signal].bits, value);
  }
  void text(std::size_t signal, const std::string& value) override {
    fstWriterEmitVariableLengthValueChange(file_, signals_[signal].handle, value.data(),
                                           static_cast<std::uint32_t>(value.size()));
  }
  void close() override {
    const bool full = fstWriterGetFseekFailed(file_) != 0;
    fstWriterClose(file_);
    file_ = nullptr;
    if (full) throw input_error(path_, 0, "cannot be written");
  }

 private:
  struct known_signal {
    fstHandle handle = 0;
    unsigned bits = 0;
  };
  void declare(const wave_scope& scope, const std::vector<wave_signal>& signals) {
    for (const auto& [name, number] : scope.signals) {
      const unsigned bits = signals[number].bits;
      const std::string shown = bits > 1 ? fmt::format("{} [{}:0]", name, bits - 1) : name;
      signals_[number].bits = bits;
      signals_[number].handle = fstWriterCreateVar(file_, bits == 0 ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE,
                                                   FST_VD_IMPLICIT, bits, shown.c_str(), 0);
    }
    for (const auto& below : scope.scopes) {
      fstWriterSetScope(file_, FST_ST_VCD_MODULE, below->name.c_str(), nullptr);
      declare(*below, signals);
      fstWriterSetUpscope(file_);
    }
  }

  std::string path_;
  void* file_;
  bool timed_ = false;
  std::vector<known_signal> signals_;
};

}  // namespace

std::unique_ptr<wave_writer> make_fst_writer(const std::string& path) { return std::make_unique<fst_writer>(path); }
bool can_write_fst() { return true; }

}  // namespace gt200::observe

#else

namespace gt200::observe {

std::unique_ptr<wave_writer> make_fst_writer(const std::string& path) {
  throw input_error(
      path, 0,
      "FST cannot be written by this build: it was made without Debian's package verilator, which has "
      "the code; .vcd works");
}
bool can_write_fst() { return false; }

}  // namespace gt200::observe

#endif
