#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "observe/trace/wave_writer.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

constexpr std::size_t ascii_characters = 32;

class vcd_writer final : public wave_writer {
 public:
  vcd_writer(const std::string& path, const std::string& named, vcd_texts texts)
      : named_(named.empty() ? path : named), texts_(texts), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) fail();
  }
  ~vcd_writer() override {
    if (file_ != nullptr) std::fclose(file_);
  }

  void begin(const std::vector<wave_signal>& signals) override {
    bits_.reserve(signals.size());
    for (const wave_signal& s : signals) bits_.push_back(s.bits);
    put("$timescale 1 fs $end\n");
    declare(*scopes_of(signals), signals);
    put("$enddefinitions $end\n$dumpvars\n");
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (signals[i].type == wave_type::text)
        text(i, "");
      else if (signals[i].type == wave_type::real)
        real(i, 0);
      else
        number(i, 0);
    }
    put("$end\n");
  }
  void time(tlm_bus::femtoseconds t) override { put(fmt::format("#{}\n", t)); }
  void number(std::size_t signal, std::uint64_t value) override {
    if (bits_[signal] == 1)
      put(fmt::format("{:d}{}\n", value & 1, code(signal)));
    else
      put(fmt::format("b{:b} {}\n", value, code(signal)));
  }
  // With as many digits as fst2vcd writes.
  void real(std::size_t signal, double value) override { put(fmt::format("r{:.16g} {}\n", value, code(signal))); }
  void text(std::size_t signal, const std::string& value) override {
    if (texts_ == vcd_texts::ascii) return put(fmt::format("b{} {}\n", bits_of(value), code(signal)));
    std::string escaped;
    for (const char c : value) {
      if (c <= ' ' || c == '\\' || c == 0x7f)
        escaped += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
      else
        escaped += c;
    }
    put(fmt::format("s{} {}\n", escaped, code(signal)));
  }
  void close() override {
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    if (!closed) fail();
  }

 private:
  // Without leading zeros, as VCD allows.
  static std::string bits_of(const std::string& text) {
    std::string shown = text.substr(0, ascii_characters);
    if (text.size() > ascii_characters) shown.back() = '~';
    std::string bits;
    for (const char c : shown) bits += fmt::format("{:08b}", static_cast<unsigned char>(c));
    const std::size_t first = bits.find('1');
    return first == std::string::npos ? "0" : bits.substr(first);
  }
  void declare(const wave_scope& scope, const std::vector<wave_signal>& signals) {
    for (const auto& [name, number] : scope.signals) {
      const unsigned bits = bits_[number];
      const wave_type type = signals[number].type;
      if (type == wave_type::text && texts_ == vcd_texts::ascii)
        put(fmt::format("$var reg {} {} {} [{}:0] $end\n", 8 * ascii_characters, code(number), name,
                        8 * ascii_characters - 1));
      else if (type == wave_type::text)
        put(fmt::format("$var string 1 {} {} $end\n", code(number), name));
      else if (type == wave_type::real)
        put(fmt::format("$var real 64 {} {} $end\n", code(number), name));
      else
        put(fmt::format("$var {} {} {} {}{} $end\n", type == wave_type::reg ? "reg" : "wire", bits, code(number),
                        name, bits == 1 ? "" : fmt::format(" [{}:0]", bits - 1)));
    }
    for (const auto& below : scope.scopes) {
      put(fmt::format("$scope module {} $end\n", below->name));
      declare(*below, signals);
      put("$upscope $end\n");
    }
  }
  // A short code of printable characters from '!' to '~', least significant first.
  static std::string code(std::size_t number) {
    std::string result;
    do {
      result += static_cast<char>('!' + number % 94);
      number /= 94;
    } while (number != 0);
    return result;
  }
  void put(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  [[noreturn]] void fail() const {
    throw input_error(named_, 0, std::string("cannot be written: ") + std::strerror(errno));
  }

  std::string named_;
  vcd_texts texts_;
  std::FILE* file_;
  std::vector<unsigned> bits_;
};

}  // namespace

std::unique_ptr<wave_writer> make_vcd_writer(const std::string& path, const std::string& named, vcd_texts texts) {
  return std::make_unique<vcd_writer>(path, named, texts);
}

}  // namespace gt200::observe
