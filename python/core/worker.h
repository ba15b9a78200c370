// The process of a device, as a session sees it: `gt200 session` at the other end of a connection.
//
// The process has a process group of its own: a Ctrl-C of the terminal reaches the interpreter alone, which
// decides. It ends with its session, however that ends.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/session/protocol.h"
#include "cuda/protocol/channel.h"
#include "cuda/protocol/message.h"

namespace gt200::session {

// What the device refuses, or why it is gone; the text is that of the program `gt200`.
struct failure : std::runtime_error {
  failure(int exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  int code;  // apps/exit_code.h
};

class worker {
 public:
  // `options`: words behind `gt200 session --socket N`. Throws failure when the program cannot be started; what is
  // wrong with the options is the answer to the first command.
  worker(const std::string& program, const std::vector<std::string>& options);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Sends a command and waits for its reply, which it returns. Calls `waiting` every tenth of a second; when that
  // returns true, the launch that runs is told to stop, and when it does so again, the process is ended. Calls of
  // several threads follow one another. Throws failure.
  cudart::message_reader ask(command what, const cudart::message_writer& content,
                             const std::function<bool()>& waiting);

  // Ends the process: at once when nothing runs, with the window of the chip otherwise. Harmless when it is gone.
  void close();
  pid_t process() const { return process_; }

 private:
  bool wait_for_reply(const std::function<bool()>& waiting);
  [[noreturn]] void report_end();

  std::mutex busy_;
  pid_t owner_;        // a child of fork() has no devices of its parent
  pid_t process_ = 0;  // 0: none
  int messages_ = -1;  // what the process writes to stderr
  std::unique_ptr<cudart::channel> channel_;
};

}  // namespace gt200::session
