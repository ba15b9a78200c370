#include "apps/campaign/picture.h"

#include <fmt/format.h>

#include <array>

namespace gt200::apps::campaign {
namespace {

constexpr double left = 190, width = 560, row = 26, top = 64;

struct outcome_style {
  const char* name;
  const char* colour;
  std::uint64_t structure_counts::*count;
};
constexpr std::array<outcome_style, 5> styles = {{{"silent", "#e8590c", &structure_counts::silent},
                                                  {"detected", "#1971c2", &structure_counts::detected},
                                                  {"hang", "#9c36b5", &structure_counts::hang},
                                                  {"defect of the simulator", "#c92a2a", &structure_counts::defect},
                                                  {"masked", "#dee2e6", &structure_counts::masked}}};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return result;
}

std::string bar_of(const structure_counts& c, double y) {
  std::string text;
  double x = left;
  for (const outcome_style& s : styles) {
    const std::uint64_t count = c.*s.count;
    if (count == 0) continue;
    const double part = static_cast<double>(count) / static_cast<double>(c.injected) * width;
    text += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" fill=\"{}\"><title>{}: {} of "
        "{}</title></rect>\n",
        x, y, part, s.colour, s.name, count, c.injected);
    x += part;
  }
  return text;
}

std::string interval_of(const estimate& e, double y) {
  const double low = left + e.range.low * width, high = left + e.range.high * width;
  return fmt::format(
      "<path d=\"M{0:.1f} {2}H{1:.1f}M{0:.1f} {3}v8M{1:.1f} {3}v8\" stroke=\"#212529\" stroke-width=\"1.4\" "
      "fill=\"none\"><title>not masked: {4:.1f} to {5:.1f} %, 95 %</title></path>\n",
      low, high, y + 8, y + 4, 100 * e.range.low, 100 * e.range.high);
}

}  // namespace

std::string structures_svg(const std::string& title, const std::vector<structure_counts>& counts) {
  std::vector<const structure_counts*> shown;
  for (const structure_counts& c : counts)
    if (c.injected != 0) shown.push_back(&c);
  const double height = top + row * static_cast<double>(shown.size()) + 40;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<defs><pattern id=\"few\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"2\" height=\"6\" fill=\"#fff\" "
      "fill-opacity=\".55\"/></pattern>"
      "</defs>\n<text x=\"10\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{2}</text>\n",
      left + width + 70, height, escaped(title));
  double x = 10;
  for (const outcome_style& s : styles) {
    text += fmt::format(
        "<rect x=\"{0}\" y=\"32\" width=\"11\" height=\"11\" fill=\"{1}\"/><text x=\"{2}\" y=\"42\">{3}</text>\n",
        x, s.colour, x + 15, s.name);
    x += 30 + 7.0 * static_cast<double>(std::string(s.name).size());
  }
  text += fmt::format("<text x=\"{}\" y=\"42\">line: not masked, 95 %; hatched: too few</text>\n", x);
  double y = top;
  for (const structure_counts* c : shown) {
    text +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 12, escaped(c->name)) +
        bar_of(*c, y);
    if (injections_wanted(*c) != 0)
      text +=
          fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\" fill=\"url(#few)\"/>\n", left, y, width);
    if (c->not_masked_share) text += interval_of(*c->not_masked_share, y);
    text += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", left + width + 8, y + 12, c->injected);
    y += row;
  }
  for (const int share : {0, 25, 50, 75, 100})
    text += fmt::format("<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\" fill=\"#57606a\">{} %</text>\n",
                        left + width * share / 100, y + 14, share);
  return text + "</svg>\n";
}

}  // namespace gt200::apps::campaign
