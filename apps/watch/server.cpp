#include "apps/watch/server.h"

#include <httplib.h>

#include <csignal>
#include <memory>
#include <thread>

namespace gt200::apps {
namespace {

class http_server final : public watch_server {
 public:
  explicit http_server(watch_content& content) {
    server_.set_keep_alive_timeout(1);
    // Without the library's SO_REUSEPORT, with which a second run would take the port of the first.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.Get(".*", [this, &content](const httplib::Request& request, httplib::Response& response) {
      // A page of another origin that a name leads here has another host.
      const std::string host = request.get_header_value("Host"), number = std::to_string(port_);
      if (host != "127.0.0.1:" + number && host != "localhost:" + number) {
        response.status = 403;
        return;
      }
      const watch_answer answer = content.answer(request.path);
      response.status = answer.type.empty() ? 404 : 200;
      response.set_header("Cache-Control", "no-store");
      if (!answer.type.empty()) response.set_content(answer.content, answer.type);
    });
  }
  ~http_server() override {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  bool start(unsigned port) {
    const int taken =
        port == 0 ? server_.bind_to_any_port("127.0.0.1")
                  : (server_.bind_to_port("127.0.0.1", static_cast<int>(port)) ? static_cast<int>(port) : -1);
    if (taken <= 0) return false;
    port_ = static_cast<unsigned>(taken);
    // Signals are for the thread of the run, which may wait for one.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    while (!server_.is_running()) std::this_thread::yield();
    return true;
  }
  unsigned port() const override { return port_; }

 private:
  httplib::Server server_;
  std::thread thread_;
  unsigned port_ = 0;
};

}  // namespace
}  // namespace gt200::apps

extern "C" __attribute__((visibility("default"))) gt200::apps::watch_server* gt200_start_watch(
    unsigned port, gt200::apps::watch_content& content) {
  auto server = std::make_unique<gt200::apps::http_server>(content);
  return server->start(port) ? server.release() : nullptr;
}
