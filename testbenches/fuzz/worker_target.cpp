// The worker of a CUDA program, to which anything is sent.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "cuda/worker/server.h"
#include "sc_models/config/load.h"
#include "testbenches/fuzz/targets.h"

namespace gt200::fuzz {
namespace {

// A head in an input; the content follows.
struct sent {
  std::uint8_t kind;
  std::uint8_t unused;
  std::uint16_t bytes;
};

void send_all(int to, const void* data, std::size_t count) {
  const auto* at = static_cast<const char*>(data);
  while (count != 0) {
    const ssize_t done = send(to, at, count, MSG_NOSIGNAL);
    if (done <= 0) return;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
}

void send_messages(int to, std::string_view input) {
  while (input.size() >= sizeof(sent)) {
    sent head = {};
    std::memcpy(&head, input.data(), sizeof head);
    input.remove_prefix(sizeof head);
    const std::string_view content = input.substr(0, head.bytes);
    input.remove_prefix(content.size());
    const std::uint64_t length = head.unused == 0 ? content.size() : std::uint64_t{head.bytes} << head.unused % 8;
    const std::array<std::uint64_t, 2> real = {length, head.kind};
    send_all(to, real.data(), sizeof real);
    send_all(to, content.data(), content.size());
  }
  shutdown(to, SHUT_WR);
}

void drop_replies(int from) {
  std::array<char, 65536> part{};
  while (recv(from, part.data(), part.size(), 0) > 0) {
  }
}

}  // namespace

void worker_messages(std::string_view input) {
  if (input.empty()) return;
  static const std::array<config::resolved_config, 3> chips = [] {
    const std::string folder = std::string(GT200_SOURCE_DIR) + "/configs/";
    return std::array<config::resolved_config, 3>{config::load(folder + "gt200_small.toml"),
                                                  config::load(folder + "gtx480.toml"),
                                                  config::load(folder + "v100_small.toml")};
  }();
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) throw std::runtime_error("no connection");
  std::thread sends([&] { send_messages(ends[0], input.substr(1)); });
  std::thread receives([&] { drop_replies(ends[0]); });
  {
    cudart::channel program(ends[1]);
    cudart::machine_options options;
    options.config_name = "fuzz";
    options.engines = "emulator";
    options.model.limits.instructions = 2000;
    cudart::machine device(chips[static_cast<unsigned char>(input.front()) % chips.size()].values, options);
    try {
      cudart::serve(program, device);
    } catch (...) {
      program.hang_up();
      sends.join();
      receives.join();
      close(ends[0]);
      throw;
    }
    program.hang_up();
  }
  sends.join();
  receives.join();
  close(ends[0]);
}

}  // namespace gt200::fuzz
