// One end of the connection between a CUDA program and a worker: messages in one order over a stream socket.
//
// What the other end sends is not trusted: a message has at most `longest_message` bytes, takes memory as its
// content comes, and one for which this process has no memory is read to its end and dropped, so that the next one
// begins where it should.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gt200::cudart {

// All of a device's memory in one copy, and the head of the command.
constexpr std::uint64_t longest_message = (std::uint64_t{1} << 32) + 65536;

class channel {
 public:
  // Owns the socket.
  explicit channel(int socket) : socket_(socket) {}
  ~channel();
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  // False if the other end is gone, or if the message would be too long.
  bool send(std::uint32_t kind, const std::vector<std::uint8_t>& content) {
    return send(kind, nullptr, 0, content);
  }
  // The same, `first` and `content` as one message.
  template <class T>
  bool send(std::uint32_t kind, const T& first, const std::vector<std::uint8_t>& content) {
    static_assert(std::is_trivially_copyable_v<T>);
    return send(kind, &first, sizeof first, content);
  }
  // False if the other end is gone, or sends what is no message. Throws std::bad_alloc.
  bool receive(std::uint32_t& kind, std::vector<std::uint8_t>& content);

  // The other end sees that this one is gone.
  void hang_up();

  int socket() const { return socket_; }

 private:
  bool send(std::uint32_t kind, const void* first, std::size_t bytes, const std::vector<std::uint8_t>& content);
  bool write_all(const void* data, std::size_t count);
  bool read_all(void* data, std::size_t count);
  bool drop(std::uint64_t count);

  int socket_;
};

}  // namespace gt200::cudart
