// What comes over the connection between a CUDA program and its worker is not trusted.
#include "cuda/protocol/channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <thread>

#include "cuda/protocol/message.h"

namespace gt200::cudart {
namespace {

using bytes = std::vector<std::uint8_t>;

class connection : public testing::Test {
 protected:
  connection() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) throw std::runtime_error("no connection");
    own_ = std::make_unique<channel>(ends[0]);
    other_ = ends[1];
  }
  ~connection() override { hang_up(); }

  void hang_up() {
    if (other_ >= 0) close(other_);
    other_ = -1;
  }
  void sends(const void* data, std::size_t count) const {
    ASSERT_EQ(write(other_, data, count), static_cast<ssize_t>(count));
  }
  // The head of a message.
  void sends_head(std::uint64_t length, std::uint32_t kind, std::uint32_t unused = 0) const {
    sends(&length, sizeof length);
    sends(&kind, sizeof kind);
    sends(&unused, sizeof unused);
  }

  std::unique_ptr<channel> own_;
  int other_ = -1;
  std::uint32_t kind_ = 0;
  bytes content_;
};

TEST_F(connection, gives_whole_messages) {
  sends_head(3, 7);
  sends("abc", 3);
  ASSERT_TRUE(own_->receive(kind_, content_));
  EXPECT_EQ(kind_, 7u);
  EXPECT_EQ(content_, (bytes{'a', 'b', 'c'}));
}

TEST_F(connection, gives_messages_that_come_in_pieces) {
  bytes sent(5'000'000);
  for (std::size_t k = 0; k < sent.size(); ++k) sent[k] = static_cast<std::uint8_t>(k * 7 + k / 4096);
  std::thread writer([&] {
    sends_head(sent.size(), 7);
    for (std::size_t at = 0; at < sent.size();)
      at += static_cast<std::size_t>(
          write(other_, sent.data() + at, std::min<std::size_t>(77'777, sent.size() - at)));
  });
  EXPECT_TRUE(own_->receive(kind_, content_));
  writer.join();
  EXPECT_EQ(content_, sent);
}

// A length of 4 GiB, and ten bytes.
TEST_F(connection, takes_memory_for_what_comes) {
  sends_head(longest_message, 7);
  sends("0123456789", 10);
  hang_up();
  EXPECT_FALSE(own_->receive(kind_, content_));
  EXPECT_LE(content_.capacity(), std::size_t{1} << 21);
}

TEST_F(connection, ends_at_a_length_that_no_message_has) {
  sends_head(longest_message + 1, 7);
  EXPECT_FALSE(own_->receive(kind_, content_));
  sends_head(UINT64_MAX, 7);
  EXPECT_FALSE(own_->receive(kind_, content_));
}

TEST_F(connection, ends_at_a_head_that_is_none) {
  sends_head(3, 7, 1);
  EXPECT_FALSE(own_->receive(kind_, content_));
}

TEST_F(connection, ends_in_the_middle_of_a_message) {
  sends_head(1000, 7);
  sends("abc", 3);
  hang_up();
  EXPECT_FALSE(own_->receive(kind_, content_));
}

TEST_F(connection, ends_for_the_other_side_too) {
  own_->hang_up();
  std::uint8_t byte = 0;
  EXPECT_EQ(read(other_, &byte, 1), 0);
}

// Numbers, texts and bytes of a message may say anything about what follows.
TEST(message, of_any_bytes_is_read_or_refused) {
  std::mt19937 random(56);
  std::size_t refused = 0;
  for (int k = 0; k < 20000; ++k) {
    bytes content(random() % 40);
    for (std::uint8_t& b : content) b = static_cast<std::uint8_t>(random() % 4 == 0 ? random() % 256 : 0);
    message_reader reader(content);
    try {
      while (reader.has_more()) switch (random() % 3) {
          case 0: reader.get<std::uint32_t>(); break;
          case 1: EXPECT_LE(reader.text().size(), content.size()); break;
          default: EXPECT_LE(reader.bytes().size(), content.size()); break;
        }
    } catch (const short_message&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace gt200::cudart
