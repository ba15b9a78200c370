#include "apps/support/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "toolchain/error.h"

namespace gt200::apps {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw input_error(path, 0, "cannot be written: " + reason);
}

void write_to(const std::string& target, const std::string& shown, std::string_view content) {
  std::ofstream stream(target, std::ios::binary | std::ios::trunc);
  if (!stream) fail(shown, std::strerror(errno));
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (!stream) {
    const int reason = errno;
    if (target != shown) std::remove(target.c_str());
    fail(shown, std::strerror(reason));
  }
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) fail(path, "is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    write_to(path, path, content);
    return;
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  write_to(temporary, path, content);
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::remove(temporary.c_str());
    fail(path, error.message());
  }
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw input_error(path, 0, "the folder cannot be made: " + error.message());
}

}  // namespace gt200::apps
