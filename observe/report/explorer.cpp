#include "observe/report/explorer.h"

#include "observe/report/assets.h"
#include "observe/report/html.h"

namespace gt200::observe::report {
namespace {

// JSON as the text of a script element, which no "</script>" in a string may end.
std::string as_script_text(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

}  // namespace

bool has_explorer() { return !charts_library().empty(); }

std::string explorer_page(const std::string& title, const std::string& body, const nlohmann::ordered_json& data) {
  std::string result =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" "
      "href=\"data:,\"><title>" +
      escaped(title) + "</title>\n<style>";
  result += explorer_style();
  result +=
      "</style></head>\n<body><main><h1>" + escaped(title) +
      "</h1>\n<noscript><p class=\"warning\">This page needs a script; `gt200 report --static` makes one without."
      "</p></noscript>\n" +
      body + "</main>\n<script type=\"application/json\" id=\"data\">" + as_script_text(data) +
      "</script>\n<script>";
  result += charts_library();
  result += "</script>\n<script>";
  result += explorer_script();
  result += "</script>\n</body></html>\n";
  return result;
}

}  // namespace gt200::observe::report
