#include "observe/checker/platform_pages.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "sc_models/memory_path/page_entries.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

using namespace model::page_entries;

std::vector<std::uint64_t> words_at(model::chip& chip, std::uint64_t address, std::uint64_t count) {
  std::vector<std::uint64_t> words(count);
  std::vector<std::uint8_t> bytes(count * entry_bytes);
  if (!chip.command_processor.peek(address, bytes.data(), bytes.size()))
    throw input_error(fmt::format("{}: page tables at {:#x} are not in memory", chip.name(), address));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace

model::page_table pages_in_memory(model::chip& chip) {
  const std::uint64_t base = chip.config.memory_map.page_table_base;
  const std::uint32_t page_bytes = chip.config.memory_map.page_bytes;
  model::page_table pages(page_bytes, base);
  const std::vector<std::uint64_t> directory = words_at(chip, base, directory_entries);
  for (std::uint64_t d = 0; d < directory_entries; ++d) {
    const directory_entry table = directory_entry::decode(directory[d]);
    if (table.page_bytes == 0) continue;
    if (table.page_bytes != page_bytes)
      throw input_error(fmt::format("{}: the directory has pages of {} bytes, the chip of {}", chip.name(),
                                    table.page_bytes, page_bytes));
    const std::uint64_t count = (std::uint64_t{1} << directory_shift) / page_bytes;
    const std::vector<std::uint64_t> entries = words_at(chip, table.table, count);
    for (std::uint64_t e = 0; e < count; ++e) {
      const page_entry page = page_entry::decode(entries[e]);
      if (!page.present) continue;
      const std::uint64_t within = e & ((std::uint64_t{1} << page.order) - 1);  // its block of pages
      const std::uint64_t address = (d << directory_shift) + e * page_bytes;
      pages.map(address, page_bytes, page.physical + within * page_bytes);
      if (page.read_only) pages.protect(address, page_bytes);
    }
  }
  return pages;
}

}  // namespace gt200::observe
