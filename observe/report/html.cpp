#include "observe/report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "observe/report/causes.h"

namespace gt200::observe::report {
namespace {

constexpr const char* style_sheet = R"(
body { font: 14px/1.45 system-ui, sans-serif; color: #1c2430; background: #f5f6f8; margin: 0 auto; max-width: 1100px; padding: 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin: 0 0 .6em; }
section { background: #fff; border: 1px solid #dde1e7; border-radius: 6px; padding: 1em; margin: 0 0 1em; overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: .15em .8em .15em 0; text-align: right; vertical-align: top; }
th, thead td { font-weight: 600; border-bottom: 1px solid #dde1e7; } .left { text-align: left; }
code, pre { font: 12px/1.4 ui-monospace, monospace; } .bar { display: inline-block; height: .8em; border-radius: 2px; }
.note { color: #57606a; }
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
                  std::size_t texts, const std::string& name) {
  if (rows.empty()) return {};
  const auto line = [texts](const std::vector<std::string>& cells, const char* tag, bool text) {
    std::string result = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      result += fmt::format("<{0}{1}>{2}</{0}>", cells[i].empty() ? "td" : tag, i < texts ? " class=\"left\"" : "",
                            text ? escaped(cells[i]) : cells[i]);
    return result + "</tr>\n";
  };
  const bool headed = std::any_of(heads.begin(), heads.end(), [](const std::string& h) { return !h.empty(); });
  std::string result = name.empty() ? "<div class=\"scroll\" tabindex=\"0\"><table>"
                                    : fmt::format(
                                          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
                                          "<table data-name=\"{0}\">",
                                          name);
  if (headed) result += "<thead>" + line(heads, "th", true) + "</thead>\n";
  result += "<tbody>";
  for (const auto& row : rows) result += line(row, "td", false);
  return result + "</tbody></table></div>\n";
}

std::string bar(double fraction, const std::string& colour) {
  return fmt::format(
      "<span class=\"scale\"><span class=\"bar\" style=\"width:{:.1f}%;background:{}\"></span></span>",
      100 * (fraction < 0   ? 0
             : fraction > 1 ? 1
                            : fraction),
      colour);
}

std::string cause_name(const std::string& cause) {
  return "<details class=\"cause\"><summary>" + escaped(text_of_cause(cause)) + "</summary><p>" +
         escaped(definition_of(number_of_cause(cause))) + "</p></details>";
}

std::string static_note() {
  return "<p class=\"note\">This page is static: the program was built without Debian's libjs-vega, which draws "
         "the "
         "charts of a page that responds.</p>\n";
}

std::string page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" +
         escaped(title) + "</title><style>" + style_sheet + "</style></head>\n<body><main><h1>" + escaped(title) +
         "</h1>\n" + body + "</main></body></html>\n";
}

}  // namespace gt200::observe::report
