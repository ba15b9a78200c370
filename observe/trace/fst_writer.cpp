#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>

#include "observe/trace/wave_writer.h"
#include "toolchain/error.h"
#include "toolchain/left_behind.h"

#ifdef GT200_HAVE_FST

#include "gtkwave/fstapi.h"

namespace gt200::observe {
namespace {

constexpr int femtosecond_exponent = -15;

// The library does not report write errors, so the file is checked. It is a sequence of blocks: one byte for the
// kind (255 marks an incomplete block), then the number of bytes after the kind in eight bytes, most significant
// first.
bool is_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::uintmax_t at = 0;
  while (!error && at < size) {
    std::array<unsigned char, 9> head{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(head.data()), head.size()) || head[0] == 255) return false;
    std::uint64_t bytes = 0;
    for (std::size_t i = 1; i < head.size(); ++i) bytes = bytes << 8 | head[i];
    if (bytes < 8 || bytes > size - at - 1) return false;
    at += 1 + bytes;
  }
  return !error && at != 0;
}

fstVarType fst_type_of(wave_type type) {
  switch (type) {
    case wave_type::wire: return FST_VT_VCD_WIRE;
    case wave_type::reg: return FST_VT_VCD_REG;
    case wave_type::real: return FST_VT_VCD_REAL;
    case wave_type::text: return FST_VT_GEN_STRING;
  }
  return FST_VT_VCD_WIRE;
}

// The library's file of names beside the one of values. The library leaves it when it fails, or has no memory.
class file_of_names {
 public:
  explicit file_of_names(std::string path) : path_(std::move(path)), unfinished_(path_) {}
  ~file_of_names() { std::remove(path_.c_str()); }
  file_of_names(const file_of_names&) = delete;
  file_of_names& operator=(const file_of_names&) = delete;

 private:
  std::string path_;
  unfinished_path unfinished_;
};

class fst_writer final : public wave_writer {
 public:
  fst_writer(const std::string& path, const std::string& named)
      : path_(path),
        named_(named.empty() ? path : named),
        names_(path + ".hier"),
        file_(fstWriterCreate(path.c_str(), 1)) {
    if (file_ == nullptr) fail(std::strerror(errno));
    fstWriterSetPackType(file_, FST_WR_PT_LZ4);
    fstWriterSetTimescale(file_, femtosecond_exponent);
  }
  ~fst_writer() override {
    try {
      if (file_ != nullptr) fstWriterClose(file_);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the file is thrown away
    }
  }

  void begin(const std::vector<wave_signal>& signals) override {
    signals_.resize(signals.size());
    require_room_for(signals);
    declare(*scopes_of(signals), signals);
  }
  void time(tlm_bus::femtoseconds t) override {
    fstWriterEmitTimeChange(file_, t);
    if (timed_) return;
    timed_ = true;
    // Readers expect the initial values at the first time.
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (signals_[i].type == wave_type::text)
        text(i, "");
      else if (signals_[i].type == wave_type::real)
        real(i, 0);
      else
        number(i, 0);
    }
  }
  void number(std::size_t signal, std::uint64_t value) override {
    fstWriterEmitValueChange64(file_, signals_[signal].handle, signals_[signal].bits, value);
  }
  void real(std::size_t signal, double value) override {
    fstWriterEmitValueChange(file_, signals_[signal].handle, &value);
  }
  void text(std::size_t signal, const std::string& value) override {
    fstWriterEmitVariableLengthValueChange(file_, signals_[signal].handle, value.data(),
                                           static_cast<std::uint32_t>(value.size()));
  }
  void close() override {
    fstWriterClose(file_);
    file_ = nullptr;
    if (!is_whole(path_)) fail("it ends in the middle; is the disk full?");
  }

 private:
  struct known_signal {
    fstHandle handle = 0;
    unsigned bits = 0;
    wave_type type = wave_type::wire;
  };
  // The library maps files into memory: a file of names beside this one, and a file of values in the folder for
  // temporary files. If there is not enough space for them, the process would be killed.
  void require_room_for(const std::vector<wave_signal>& signals) const {
    std::uintmax_t needed = std::uintmax_t{1} << 16;
    for (const wave_signal& s : signals) needed += 2 * s.path.size() + s.bits + 16;
    rlimit largest{};
    if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur < needed) fail(std::strerror(EFBIG));
    std::error_code error;
    for (const auto& folder :
         {std::filesystem::absolute(path_).parent_path(), std::filesystem::temp_directory_path(error)})
      if (const auto room = std::filesystem::space(folder, error); !error && room.available < needed)
        fail(folder.string() + ": " + std::strerror(ENOSPC));
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw input_error(named_, 0, "cannot be written: " + reason);
  }
  void declare(const wave_scope& scope, const std::vector<wave_signal>& signals) {
    for (const auto& [name, number] : scope.signals) {
      const wave_type type = signals[number].type;
      const unsigned bits = signals[number].bits;
      const std::string shown =
          bits > 1 && type != wave_type::real ? fmt::format("{} [{}:0]", name, bits - 1) : name;
      signals_[number].bits = bits;
      signals_[number].type = type;
      signals_[number].handle =
          fstWriterCreateVar(file_, fst_type_of(type), FST_VD_IMPLICIT,
                             type == wave_type::real ? sizeof(double) : bits, shown.c_str(), 0);
    }
    for (const auto& below : scope.scopes) {
      fstWriterSetScope(file_, FST_ST_VCD_MODULE, below->name.c_str(), nullptr);
      declare(*below, signals);
      fstWriterSetUpscope(file_);
    }
  }

  std::string path_;
  std::string named_;
  file_of_names names_;
  void* file_;
  bool timed_ = false;
  std::vector<known_signal> signals_;
};

}  // namespace

std::unique_ptr<wave_writer> make_fst_writer(const std::string& path, const std::string& named) {
  return std::make_unique<fst_writer>(path, named);
}
bool can_write_fst() { return true; }

}  // namespace gt200::observe

#else

namespace gt200::observe {

std::unique_ptr<wave_writer> make_fst_writer(const std::string& path, const std::string& named) {
  throw input_error(
      named.empty() ? path : named, 0,
      "FST cannot be written by this build: it was made without Debian's package verilator, which has "
      "the code; .vcd works");
}
bool can_write_fst() { return false; }

}  // namespace gt200::observe

#endif
