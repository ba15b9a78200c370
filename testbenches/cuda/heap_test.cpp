// Device memory of the runtime API is given out from low addresses, and used again after its release.
#include "cuda/worker/heap.h"

#include <gtest/gtest.h>

namespace gt200::cudart {
namespace {

using kind = heap::kind;

constexpr std::uint64_t begin = 0x100000;
constexpr std::uint64_t end = 0x200000;

std::uint32_t taken(heap& memory, kind what, std::uint64_t bytes) {
  std::uint32_t address = 0;
  EXPECT_TRUE(memory.allocate(what, bytes, address));
  return address;
}

TEST(heap, linear_memory_lies_on_256_bytes_and_arrays_on_pages) {
  heap memory(begin, end);
  EXPECT_EQ(taken(memory, kind::linear, 1), begin);
  EXPECT_EQ(taken(memory, kind::linear, 257), begin + 256);
  EXPECT_EQ(taken(memory, kind::array, 70000), begin + 0x10000);
  EXPECT_EQ(memory.top(), begin + 0x30000);
}

TEST(heap, the_gap_before_an_array_is_linear_memory) {
  heap memory(begin, end);
  taken(memory, kind::linear, 256);
  taken(memory, kind::array, 1);
  EXPECT_EQ(taken(memory, kind::linear, 256), begin + 256);
  EXPECT_EQ(memory.top(), begin + 0x20000);
}

TEST(heap, released_ranges_join_and_are_used_by_memory_of_their_kind) {
  heap memory(begin, end);
  const std::uint32_t a = taken(memory, kind::linear, 256);
  const std::uint32_t b = taken(memory, kind::linear, 256);
  taken(memory, kind::linear, 256);
  EXPECT_TRUE(memory.release(kind::linear, b));
  EXPECT_TRUE(memory.release(kind::linear, a));
  EXPECT_EQ(taken(memory, kind::linear, 512), a);
  const std::uint32_t image = taken(memory, kind::array, 1);
  EXPECT_TRUE(memory.release(kind::array, image));
  EXPECT_NE(taken(memory, kind::linear, 0x10000), image);
  EXPECT_EQ(taken(memory, kind::array, 1), image);
}

TEST(heap, only_what_was_allocated_is_released) {
  heap memory(begin, end);
  const std::uint32_t a = taken(memory, kind::linear, 512);
  EXPECT_FALSE(memory.release(kind::linear, a + 256));
  EXPECT_FALSE(memory.release(kind::array, a));
  EXPECT_TRUE(memory.release(kind::linear, a));
  EXPECT_FALSE(memory.release(kind::linear, a));
}

TEST(heap, full_memory_is_refused_and_free_bytes_are_counted) {
  heap memory(begin, end);
  std::uint32_t address = 0;
  EXPECT_FALSE(memory.allocate(kind::linear, end - begin + 1, address));
  EXPECT_FALSE(memory.allocate(kind::linear, 0, address));
  const std::uint32_t all = taken(memory, kind::linear, end - begin);
  EXPECT_EQ(memory.free_bytes(), 0u);
  EXPECT_FALSE(memory.allocate(kind::linear, 1, address));
  EXPECT_TRUE(memory.release(kind::linear, all));
  EXPECT_EQ(memory.free_bytes(), end - begin);
}

// As a driver does that is asked for ever larger buffers: each fits where the smaller ones were.
TEST(heap, a_released_range_at_the_end_grows_into_the_room_above_it) {
  for (const kind what : {kind::linear, kind::array}) {
    constexpr std::uint64_t mebibyte = 1 << 20;
    heap memory(begin, begin + 989 * mebibyte);
    for (const unsigned size : {100u, 200u, 400u, 800u})
      EXPECT_TRUE(memory.release(what, taken(memory, what, size * mebibyte))) << size;
    EXPECT_EQ(memory.free_bytes(), 989 * mebibyte);
    const std::uint32_t low = taken(memory, what, 256 * mebibyte);
    std::uint32_t address = 0;
    EXPECT_FALSE(memory.allocate(what, 800 * mebibyte, address)) << "256 MiB are in use";
    EXPECT_TRUE(memory.allocate(what, 733 * mebibyte, address)) << "all that is left";
    EXPECT_EQ(address, low + 256 * mebibyte);
    EXPECT_EQ(memory.free_bytes(), 0u);
  }
}

TEST(heap, a_range_grows_only_if_the_room_above_does_not_do) {
  heap memory(begin, end);
  const std::uint32_t a = taken(memory, kind::linear, 0x10000);
  EXPECT_TRUE(memory.release(kind::linear, a));
  EXPECT_EQ(taken(memory, kind::linear, 0x20000), a + 0x10000);
}

TEST(heap, an_access_lies_within_one_allocation) {
  heap memory(begin, end);
  const std::uint32_t a = taken(memory, kind::linear, 100);
  taken(memory, kind::linear, 100);
  EXPECT_TRUE(memory.holds(a, 100));
  EXPECT_FALSE(memory.holds(a, 101));
  EXPECT_EQ(memory.room_at(a + 99), 1u);
  EXPECT_EQ(memory.room_at(a + 100), 0u);
  EXPECT_FALSE(memory.holds(a - 1, 1));
}

TEST(heap, an_array_keeps_its_distance_from_linear_memory_before_it) {
  heap h(0x10000, 0x100000, 0x10000);
  std::uint32_t linear = 0;
  std::uint32_t array = 0;
  EXPECT_TRUE(h.allocate(heap::kind::linear, 256, linear));
  EXPECT_TRUE(h.ends_linear());
  EXPECT_TRUE(h.allocate(heap::kind::array, 256, array));
  EXPECT_EQ(array, 0x30000u) << "the next page behind 64 KiB";
  EXPECT_FALSE(h.ends_linear());
  EXPECT_TRUE(h.allocate(heap::kind::array, 256, array));
  EXPECT_EQ(array, 0x40000u) << "arrays lie side by side";
  EXPECT_TRUE(h.allocate(heap::kind::linear, 256, linear));
  EXPECT_EQ(linear, 0x10100u) << "the distance is memory for linear allocations";
}

}  // namespace
}  // namespace gt200::cudart
