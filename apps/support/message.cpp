#include "apps/support/message.h"

#include <cstdio>

namespace gt200::apps {

void say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace gt200::apps
