// The HTTP server of --watch, a module of its own: only what is watched loads its library.
#pragma once

#include <string>

namespace gt200::apps {

struct watch_answer {
  std::string type;  // such as text/html; empty: there is nothing at this path
  std::string content;
};

class watch_content {
 public:
  virtual ~watch_content() = default;
  // Called by threads of the server. May wait.
  virtual watch_answer answer(const std::string& path) = 0;
};

class watch_server {
 public:
  virtual ~watch_server() = default;  // ends all connections
  virtual unsigned port() const = 0;
};

// Serves GET requests on 127.0.0.1, and refuses all others. `port` 0: any that is free. Null if it cannot be taken.
using watch_start = watch_server* (*)(unsigned port, watch_content& content);
inline constexpr const char* watch_start_name = "gt200_start_watch";
inline constexpr const char* watch_module = "gt200_watch.so";

}  // namespace gt200::apps
