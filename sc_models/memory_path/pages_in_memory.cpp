#include "sc_models/memory_path/pages_in_memory.h"

#include <cstring>
#include <vector>

#include "sc_models/memory_path/page_entries.h"

namespace gt200::model {
namespace {

using namespace page_entries;

// Empty if they are not in memory.
std::vector<std::uint64_t> words_at(const memory_reader& read, std::uint64_t address, std::uint64_t count) {
  std::vector<std::uint64_t> words(count);
  std::vector<std::uint8_t> bytes(count * entry_bytes);
  if (!read(address, bytes.data(), bytes.size())) return {};
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace

page_table pages_in_memory(std::uint64_t directory, std::uint64_t memory_bytes, const memory_reader& read) {
  page_table pages(small_page, directory);
  const std::vector<std::uint64_t> tables = words_at(read, directory, directory_entries);
  for (std::uint64_t d = 0; d < tables.size(); ++d) {
    const directory_entry table = directory_entry::decode(tables[d]);
    if (table.page_bytes == 0) continue;
    const std::vector<std::uint64_t> entries =
        words_at(read, table.table, (std::uint64_t{1} << directory_shift) / table.page_bytes);
    for (std::uint64_t e = 0; e < entries.size(); ++e) {
      const page_entry page = page_entry::decode(entries[e]);
      const std::uint64_t first = page.physical & page_address.mask(), bytes = table.page_bytes << page.order;
      if (!page.present || first >= memory_bytes || bytes > memory_bytes - first) continue;
      const std::uint64_t within = e & ((std::uint64_t{1} << page.order) - 1);  // its block of pages
      const std::uint64_t address = (d << directory_shift) + e * table.page_bytes;
      pages.map(address, table.page_bytes, page.physical + within * table.page_bytes, page.supervisor);
      if (page.read_only) pages.protect(address, table.page_bytes);
    }
  }
  return pages;
}

}  // namespace gt200::model
