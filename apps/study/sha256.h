// SHA-256 of texts and files, as 64 hex digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gt200::apps::study {

std::string sha256_of(std::string_view text);
// Nothing when the file cannot be read.
std::optional<std::string> sha256_of_file(const std::string& path);

}  // namespace gt200::apps::study
