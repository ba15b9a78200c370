#include "cuda/protocol/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>

namespace gt200::cudart {
namespace {

struct head {
  std::uint64_t bytes;
  std::uint32_t kind;
  std::uint32_t unused;
};

// Memory is taken as content comes: a length alone costs nothing.
constexpr std::size_t first_piece = std::size_t{1} << 20;

}  // namespace

channel::~channel() { close(socket_); }

void channel::hang_up() { shutdown(socket_, SHUT_RDWR); }

bool channel::send(std::uint32_t kind, const void* first, std::size_t bytes,
                   const std::vector<std::uint8_t>& content) {
  const head h = {bytes + content.size(), kind, 0};
  if (h.bytes > longest_message) return false;
  return write_all(&h, sizeof h) && write_all(first, bytes) && write_all(content.data(), content.size());
}

bool channel::receive(std::uint32_t& kind, std::vector<std::uint8_t>& content) {
  head h = {};
  if (!read_all(&h, sizeof h) || h.bytes > longest_message || h.unused != 0) return false;
  kind = h.kind;
  content.clear();
  while (content.size() < h.bytes) {
    const std::size_t there = content.size();
    try {
      content.resize(there + std::min<std::uint64_t>(std::max(there, first_piece), h.bytes - there));
    } catch (const std::bad_alloc&) {
      if (!drop(h.bytes - there)) return false;
      throw;
    }
    if (!read_all(content.data() + there, content.size() - there)) return false;
  }
  return true;
}

bool channel::drop(std::uint64_t count) {
  std::array<std::uint8_t, 4096> part{};
  for (; count != 0; count -= std::min<std::uint64_t>(count, part.size()))
    if (!read_all(part.data(), std::min<std::uint64_t>(count, part.size()))) return false;
  return true;
}

bool channel::write_all(const void* data, std::size_t count) {
  const auto* at = static_cast<const std::uint8_t*>(data);
  while (count != 0) {
    // MSG_NOSIGNAL: that the other end is gone is a result, not a signal to the program.
    const ssize_t done = ::send(socket_, at, count, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

bool channel::read_all(void* data, std::size_t count) {
  auto* at = static_cast<std::uint8_t*>(data);
  while (count != 0) {
    const ssize_t done = ::recv(socket_, at, count, MSG_WAITALL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace gt200::cudart
