#include "sc_models/partition/dram/commands.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

constexpr unsigned shown_words = 8;  // of the data: a sector

}  // namespace

void show(tlm_bus::signal_writer& to, const dram_transaction& t) {
  to.text("command", static_cast<std::uint64_t>(t.command), [](std::uint64_t key) -> std::string {
    static constexpr std::array<const char*, dram_commands> names = {"activate", "precharge", "read", "write",
                                                                     "refresh"};
    return names[key];
  });
  to.number("bank", 6, t.bank);
  to.number("row", 32, t.row);
  to.number("bursts", 8, t.bursts);
  to.number("column", 16, t.column);
  to.number("bytes", 16, t.bytes);
  for (unsigned word = 0; word < shown_words; ++word) {
    std::uint32_t value = 0;
    const unsigned first = word * sizeof value;
    if (first < t.bytes) std::memcpy(&value, t.data + first, std::min<std::size_t>(sizeof value, t.bytes - first));
    to.enter("data", word);
    to.number("word", 32, value);
    to.leave();
  }
}

void describe(tlm_bus::event_details& event, const dram_transaction& t) {
  event.add(static_cast<std::uint64_t>(t.command));
  event.add(t.bank);
  event.add(t.row);
  event.add(t.bursts);
  event.add(t.column);
  event.add(t.idle_refreshes);
}

}  // namespace gt200::model
