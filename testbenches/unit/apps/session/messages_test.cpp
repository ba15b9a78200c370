// What comes over the connection of a session is not trusted: it is answered, and the session goes on.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <fstream>
#include <thread>

#include "apps/exit_code.h"
#include "apps/session/protocol.h"
#include "apps/session/server.h"
#include "cuda/protocol/message.h"
#include "sc_models/config/load.h"

namespace gt200::session {
namespace {

using cudart::message_writer;

class session_messages : public testing::Test {
 protected:
  session_messages() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) throw std::runtime_error("no connection");
    own_ = std::make_unique<cudart::channel>(ends[0]);
    other_ = std::make_unique<cudart::channel>(ends[1]);
    std::ofstream(source_) << ".target sm_13\n.entry k\n.param u32 a\nexit nop\n.end\n";
  }

  // The replies of a device to these messages.
  struct reply {
    std::uint32_t code = 0;
    std::string text;
  };
  std::vector<reply> replies_to(const std::vector<std::pair<command, message_writer>>& messages) {
    std::thread serving([&] {
      const auto config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
      board device(config, {}, false);
      serve(*other_, device, [] {});
    });
    std::vector<reply> replies;
    for (const auto& [kind, content] : messages) {
      own_->send(static_cast<std::uint32_t>(kind), content.content());
      reply r;
      std::vector<std::uint8_t> answer;
      if (!own_->receive(r.code, answer)) break;
      if (r.code != 0) r.text = cudart::message_reader(answer).text();
      replies.push_back(r);
    }
    own_->hang_up();
    serving.join();
    return replies;
  }
  // A launch of kernel k with this behind the number of arguments.
  static message_writer launch(std::uint32_t arguments) {
    message_writer content;
    content.put<std::uint32_t>(0).text("k").put(launch_shape{{1, 1, 1}, {32, 1, 1}, 0}).put(arguments);
    return content;
  }
  message_writer program() const { return message_writer().text(source_); }

  const std::string source_ = testing::TempDir() + "session_messages_" + std::to_string(getpid()) + ".s";
  std::unique_ptr<cudart::channel> own_, other_;
};

TEST_F(session_messages, that_are_too_short_or_speak_of_too_much_are_refused) {
  message_writer short_number = launch(1);
  short_number.put(argument_kind::integer).text("abc");
  message_writer no_kind = launch(1);
  no_kind.put(static_cast<argument_kind>(9)).text("abcdefgh");
  const std::vector<reply> replies = replies_to({{command::load, program()},
                                                 {command::allocate, {}},
                                                 {command::launch, launch(0xffffffff)},
                                                 {command::launch, short_number},
                                                 {command::launch, no_kind},
                                                 {static_cast<command>(99), {}},
                                                 {command::describe, {}}});
  const auto refused = static_cast<std::uint32_t>(apps::exit_code::bad_input);
  ASSERT_EQ(replies.size(), 7u);
  EXPECT_EQ(replies[0].code, 0u) << replies[0].text;
  const std::array<const char*, 5> texts = {"a message of the session is too short",
                                            "a message of the session is too short",
                                            "an address or number of an argument has no 8 bytes",
                                            "an argument is of no kind that there is", "unknown command 99"};
  for (std::size_t k = 0; k < texts.size(); ++k) {
    EXPECT_EQ(replies[k + 1].code, refused) << k;
    EXPECT_EQ(replies[k + 1].text, texts[k]);
  }
  EXPECT_EQ(replies[6].code, 0u);
}

}  // namespace
}  // namespace gt200::session
