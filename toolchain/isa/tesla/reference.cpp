#include "toolchain/isa/tesla/reference.h"

namespace gt200::isa::tesla {
namespace {

std::string register_pattern(width size) {
  switch (size) {
    case width::half: return "$rl";
    case width::word: return "$r";
    case width::pair: return "$rd";
    case width::quad: return "$rq";
    case width::half_or_word: return "{$r | $rl}";
    case width::by_memory: break;  // see pattern_of
  }
  return {};
}

// Width of the registers that a load, store or atomic transfers: the type that the row writes defines it.
width width_of_access(const row& r) {
  for (const element& e : r.elements) {
    if (e.kind != element_kind::choice || e.choices.size() != 1) continue;
    const std::string_view type = e.choices[0].word;
    if (type.find("128") != std::string_view::npos) return width::quad;
    if (type.find("64") != std::string_view::npos) return width::pair;
  }
  return width::word;
}

std::string choice_pattern(const element& e) {
  std::string words;
  bool optional = false;
  std::size_t count = 0;
  for (const choice_entry& entry : e.choices) {
    if (entry.word[0] == '\0') {
      optional = true;
      continue;
    }
    words += (count != 0 ? " | " : "") + std::string(entry.word);
    ++count;
  }
  if (count == 0) return {};
  if (optional) return "[" + words + "]";
  return count == 1 ? words : "{" + words + "}";
}

std::string element_pattern(const element& e) {
  switch (e.kind) {
    case element_kind::word: return e.text;
    case element_kind::ignored: return {};
    case element_kind::choice: return choice_pattern(e);
    case element_kind::lanes: return "[(l0123)]";
    case element_kind::condition_output: return e.forced ? "$c" : "[$c]";
    case element_kind::carry_input:
    case element_kind::condition_input: return "$c";
    case element_kind::destination: return register_pattern(e.size) + (e.is_long ? "|#" : "");
    case element_kind::register_source: return register_pattern(e.size);
    case element_kind::first_source: return "{" + register_pattern(e.size) + " | T s[]}";
    case element_kind::second_source:
    case element_kind::third_source: return "{" + register_pattern(e.size) + " | c[]}";
    case element_kind::immediate: return "NUMBER";
    case element_kind::address_destination:
    case element_kind::address_source: return "$a";
    case element_kind::special_source: return "$special";
    case element_kind::shared_memory: return "s[]";
    case element_kind::constant_memory: return "c[]";
    case element_kind::local_memory: return "l[]";
    case element_kind::global_memory: return "g[$r]";
    case element_kind::target: return "LABEL";
    case element_kind::texture_destination: return "$r:$r:$r:$r";
    case element_kind::texture_source: return "$r:$r:$r";
    case element_kind::texture_unit: return "$t";
    case element_kind::sampler_unit: return "$s";
    case element_kind::texture_offset: return "OFFSET";
    case element_kind::barrier_id: return "BARRIER";
    case element_kind::barrier_mask: return "MASK";
    case element_kind::section_first: return "$r";
    case element_kind::section_count: return "COUNT";
  }
  return {};
}

}  // namespace

std::string pattern_of(const row& r) {
  std::string pattern;
  const auto append = [&](const std::string& part) {
    if (part.empty()) return;
    const bool glued = pattern.empty() || pattern.back() == '(' || part == ")";
    pattern += (glued ? "" : " ") + part;
  };
  if (is_short(r.format)) append("short");
  const bool lanes_in_front = !r.elements.empty() && r.elements[0].kind == element_kind::lanes;
  if (lanes_in_front) append(element_pattern(r.elements[0]));
  append(r.mnemonic);
  for (std::size_t k = lanes_in_front ? 1 : 0; k < r.elements.size(); ++k) {
    element e = r.elements[k];
    if (e.kind == element_kind::carry_input && std::string_view(r.mnemonic) != "addc") continue;
    if (e.size == width::by_memory) e.size = width_of_access(r);
    append(element_pattern(e));
  }
  return pattern;
}

}  // namespace gt200::isa::tesla
