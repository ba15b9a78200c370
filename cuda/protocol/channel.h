// One end of the connection between a CUDA program and a worker: messages in one order over a stream socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gt200::cudart {

class channel {
 public:
  explicit channel(int socket) : socket_(socket) {}
  ~channel();
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  // False if the other end is gone.
  bool send(std::uint32_t kind, const std::vector<std::uint8_t>& content) {
    return send(kind, nullptr, 0, content);
  }
  // The same, `first` and `content` as one message.
  template <class T>
  bool send(std::uint32_t kind, const T& first, const std::vector<std::uint8_t>& content) {
    static_assert(std::is_trivially_copyable_v<T>);
    return send(kind, &first, sizeof first, content);
  }
  bool receive(std::uint32_t& kind, std::vector<std::uint8_t>& content);

  int socket() const { return socket_; }

 private:
  bool send(std::uint32_t kind, const void* first, std::size_t bytes, const std::vector<std::uint8_t>& content);
  bool write_all(const void* data, std::size_t count);
  bool read_all(void* data, std::size_t count);

  int socket_;
};

}  // namespace gt200::cudart
