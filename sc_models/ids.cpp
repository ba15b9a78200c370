#include "sc_models/ids.h"

#include <charconv>

namespace gt200::model {
namespace {

constexpr std::string_view letters = "imtpfcdh";

// Removes the number at the beginning of `text` and returns it.
template <class T>
bool take_number(std::string_view& text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string text_of_id(std::uint64_t id) {
  if (id == 0) return "";
  const auto kind = static_cast<std::size_t>(kind_of_id(id));
  return std::string(1, kind < letters.size() ? letters[kind] : '?') + std::to_string(unit_of_id(id)) + "." +
         std::to_string(count_of_id(id));
}

std::optional<std::uint64_t> id_of_text(std::string_view text) {
  const std::size_t kind = text.empty() ? letters.npos : letters.find(text.front());
  if (kind == letters.npos) return std::nullopt;
  text.remove_prefix(1);
  unsigned unit = 0;
  std::uint64_t count = 0;
  if (!take_number(text, unit) || unit >> id_unit_bits != 0 || text.empty() || text.front() != '.')
    return std::nullopt;
  text.remove_prefix(1);
  if (!take_number(text, count) || !text.empty() || count == 0 || count >> id_count_bits != 0) return std::nullopt;
  return id_base(static_cast<id_kind>(kind), unit) + count;
}

}  // namespace gt200::model
