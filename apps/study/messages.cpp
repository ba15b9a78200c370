#include "apps/study/messages.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace gt200::apps::study {

std::string packed_message(const std::vector<std::string>& message) {
  std::uint32_t size = 0;
  std::string text(sizeof size, '\0');
  for (const std::string& word : message) {
    text += word;
    text += '\0';
  }
  size = static_cast<std::uint32_t>(text.size() - sizeof size);
  std::memcpy(text.data(), &size, sizeof size);
  return text;
}

bool take_message(std::string& received, std::vector<std::string>& message) {
  std::uint32_t size = 0;
  if (received.size() < sizeof size) return false;
  std::memcpy(&size, received.data(), sizeof size);
  const std::size_t end = sizeof size + size;
  if (received.size() < end) return false;
  message.clear();
  for (std::size_t at = sizeof size; at < end; at += message.back().size() + 1)
    message.emplace_back(received.c_str() + at);
  received.erase(0, end);
  return true;
}

bool send_all(int socket, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t sent = send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    done += static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace gt200::apps::study
