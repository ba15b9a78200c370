// A platform's page tables read back from memory: what they map, and what maps nothing.
#include "sc_models/memory_path/pages_in_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "sc_models/memory_path/page_entries.h"

namespace gt200::model {
namespace {

constexpr std::uint64_t directory = 0x100000, memory_bytes = 0x4000000;

// Words that are not written are 0.
class memory {
 public:
  void write(std::uint64_t address, std::uint64_t word) { words_[address] = word; }
  void write(const std::vector<memory_image>& images) {
    for (const memory_image& image : images)
      for (std::size_t i = 0; i < image.bytes.size(); i += 8)
        std::memcpy(&words_[image.address + i], &image.bytes[i], 8);
  }
  page_table pages() const {
    return pages_in_memory(directory, memory_bytes, [this](std::uint64_t address, std::uint8_t* to, std::size_t n) {
      if (address > memory_bytes || n > memory_bytes - address) return false;
      std::memset(to, 0, n);
      for (auto w = words_.lower_bound(address); w != words_.end() && w->first < address + n; ++w)
        std::memcpy(to + (w->first - address), &w->second, 8);
      return true;
    });
  }

 private:
  std::map<std::uint64_t, std::uint64_t> words_;
};

std::uint64_t device_address(const page_table& pages, std::uint64_t address) {
  const page_table::range* range = pages.find(address);
  return range == nullptr ? ~std::uint64_t{0} : range->translate(address);
}
constexpr std::uint64_t unmapped = ~std::uint64_t{0};

TEST(pages_in_memory, are_those_that_the_driver_writes) {
  for (const std::uint32_t page_bytes : {4096u, 65536u}) {
    page_table driver(page_bytes, directory);
    driver.map(0x40000000, 16 * page_bytes, 0x1000000);
    driver.map(0xe0030000, 3 * page_bytes, 0x2000000);
    driver.protect(0xe0030000, page_bytes);
    memory m;
    m.write(driver.take_changes());
    const page_table pages = m.pages();
    for (const std::uint64_t address :
         {0x40000000u, 0x4000abcdu, 0x40000000u + 15 * page_bytes, 0xe0030000u, 0xe0030000u + 2 * page_bytes}) {
      EXPECT_EQ(device_address(pages, address), device_address(driver, address)) << std::hex << address;
      EXPECT_EQ(pages.find(address)->read_only, driver.find(address)->read_only) << std::hex << address;
    }
    EXPECT_EQ(device_address(pages, 0x40000000 + 16 * page_bytes), unmapped);
    EXPECT_EQ(device_address(pages, 0x3fffffff), unmapped);
  }
}

TEST(pages_in_memory, of_both_sizes_lie_beside_each_other) {
  memory m;
  m.write(directory, page_entries::directory_entry{0x200000, page_entries::small_page}.encode());
  m.write(directory + 8, page_entries::directory_entry{0x300000, page_entries::large_page}.encode());
  m.write(0x200000 + 8, page_entries::page_entry{true, false, 0, 0x1000000, false}.encode());
  m.write(0x300000 + 8, page_entries::page_entry{true, false, 0, 0x1100000, false}.encode());
  const page_table pages = m.pages();
  EXPECT_EQ(device_address(pages, 0x1004), 0x1000004u);
  EXPECT_EQ(device_address(pages, 0x2000), unmapped);
  EXPECT_EQ(device_address(pages, 0x2001fff8), 0x110fff8u);
}

TEST(pages_in_memory, that_are_not_wholly_there_map_nothing) {
  memory m;
  m.write(directory, page_entries::directory_entry{0x200000, page_entries::small_page}.encode());
  m.write(directory + 8, page_entries::directory_entry{memory_bytes - 4096, page_entries::small_page}.encode());
  m.write(memory_bytes - 4096, page_entries::page_entry{true, false, 0, 0x1000000, false}.encode());
  m.write(0x200000, page_entries::page_entry{true, false, 1, memory_bytes - 4096, false}.encode());
  m.write(0x200000 + 16, page_entries::page_entry{true, false, 0, memory_bytes - 4096, false}.encode());
  const page_table pages = m.pages();
  EXPECT_EQ(device_address(pages, 0x0), unmapped) << "the block ends behind the memory";
  EXPECT_EQ(device_address(pages, 0x2000), memory_bytes - 4096);
  EXPECT_EQ(device_address(pages, 0x20000000), unmapped) << "the table ends behind the memory";
}

}  // namespace
}  // namespace gt200::model
