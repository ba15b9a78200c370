#include "observe/report/html.h"

#include <fmt/format.h>

#include <array>

namespace gt200::observe::report {
namespace {

constexpr const char* style = R"(
body { font: 14px/1.45 system-ui, sans-serif; color: #1c2430; background: #f5f6f8; margin: 0 auto; max-width: 1100px; padding: 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin: 0 0 .6em; }
section { background: #fff; border: 1px solid #dde1e7; border-radius: 6px; padding: 1em; margin: 0 0 1em; overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: .15em .8em .15em 0; text-align: right; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid #dde1e7; } .left { text-align: left; }
code, pre { font: 12px/1.4 ui-monospace, monospace; } .bar { display: inline-block; height: .8em; border-radius: 2px; }
.scale { display: inline-block; width: 260px; text-align: left; } summary { cursor: pointer; font-weight: 600; }
)";

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  return result;
}

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "<section><h2>" + escaped(title) + "</h2>\n" + content + "</section>\n";
}

std::string folded(const std::string& title, const std::string& content) {
  return "<section><details><summary>" + escaped(title) + "</summary>\n" + content + "</details></section>\n";
}

std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                  std::size_t texts) {
  if (rows.empty()) return {};
  const auto line = [texts](const std::vector<std::string>& cells, const char* tag, bool text) {
    std::string result = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      result += fmt::format("<{}{}>{}</{}>", tag, i < texts ? " class=\"left\"" : "",
                            text ? escaped(cells[i]) : cells[i], tag);
    return result + "</tr>\n";
  };
  std::string result = "<table>" + line(heads, "th", true);
  for (const auto& row : rows) result += line(row, "td", false);
  return result + "</table>\n";
}

std::string bar(double fraction, const std::string& colour) {
  return fmt::format(
      "<span class=\"scale\"><span class=\"bar\" style=\"width:{:.1f}%;background:{}\"></span></span>",
      100 * (fraction < 0   ? 0
             : fraction > 1 ? 1
                            : fraction),
      colour);
}

std::string colour_of(std::size_t number) {
  static constexpr std::array<const char*, 20> colours = {
      "#2f9e44", "#ced4da", "#74c0fc", "#1971c2", "#ffd43b", "#f59f00", "#e8590c", "#b197fc", "#e03131", "#9c36b5",
      "#20c997", "#868e96", "#343a40", "#a9e34b", "#f783ac", "#ffa94d", "#3bc9db", "#c92a2a", "#adb5bd", "#5f3dc4"};
  return colours[number % colours.size()];
}

std::string page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title) +
         "</title><style>" + style + "</style></head>\n<body><h1>" + escaped(title) + "</h1>\n" + body +
         "</body></html>\n";
}

}  // namespace gt200::observe::report
