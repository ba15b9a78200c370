#include "apps/study/sha256.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace gt200::apps::study {
namespace {

class digest {
 public:
  digest() { sha256_init(&state_); }
  void add(const void* bytes, std::size_t count) {
    sha256_update(&state_, count, static_cast<const std::uint8_t*>(bytes));
  }
  std::string hex() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> bytes{};
    sha256_digest(&state_, bytes.size(), bytes.data());
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) (text += digits[byte >> 4]) += digits[byte & 15];
    return text;
  }

 private:
  sha256_ctx state_{};
};

}  // namespace

std::string sha256_of(std::string_view text) {
  digest result;
  result.add(text.data(), text.size());
  return result.hex();
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  digest result;
  std::vector<char> part(1 << 18);
  ssize_t count = 0;
  while ((count = read(file, part.data(), part.size())) > 0 || (count < 0 && errno == EINTR))
    if (count > 0) result.add(part.data(), static_cast<std::size_t>(count));
  close(file);
  if (count < 0) return std::nullopt;
  return result.hex();
}

}  // namespace gt200::apps::study
