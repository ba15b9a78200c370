#include "observe/statistics_counters.h"

#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace gt200::observe {
namespace {

template <class Figure>
void gather(const sc_core::sc_object& root, const sc_core::sc_object& object,
            std::vector<figure_entry<Figure>>& into) {
  // Most objects are sockets without attributes, and SystemC would make an empty collection for each.
  if (object.num_attributes() != 0) {
    const std::string module = path_below(root, object.name()) + ".";
    const auto& attributes = object.attr_cltn();
    for (auto it = attributes.begin(); it != attributes.end(); ++it) {
      const sc_core::sc_attr_base& attribute = **it;
      if (typeid(attribute) != typeid(tlm_bus::figure_attribute<Figure>)) continue;  // faster than a cast
      std::string path;
      path.reserve(module.size() + attribute.name().size());
      path.append(module).append(attribute.name());
      into.push_back({std::move(path), static_cast<const tlm_bus::figure_attribute<Figure>*>(&attribute)});
    }
  }
  for (const sc_core::sc_object* child : object.get_child_objects()) gather(root, *child, into);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "tpc_3" -> "tpc"; other names are unchanged.
std::string_view without_number(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  return end > 1 && end < name.size() && name[end - 1] == '_' ? name.substr(0, end - 1) : name;
}

}  // namespace

std::string path_below(const sc_core::sc_object& root, const std::string& name) {
  return name.substr(std::strlen(root.name()) - std::strlen(root.basename()));
}

std::vector<counter_entry> counters_below(const sc_core::sc_object& root) {
  std::vector<counter_entry> result;
  gather(root, root, result);
  return result;
}

std::vector<histogram_entry> histograms_below(const sc_core::sc_object& root) {
  std::vector<histogram_entry> result;
  gather(root, root, result);
  return result;
}

std::vector<distribution> distributions_of(const std::vector<histogram_entry>& entries,
                                           const std::vector<tlm_bus::histogram::values>& values) {
  std::map<std::string, distribution> kinds;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].counts.empty()) continue;
    std::string kind = kind_path(entries[i].path);
    distribution& of = kinds[kind];
    of.kind = std::move(kind);
    of.about = entries[i].counter;
    of.values += values[i];
  }
  std::vector<distribution> result;
  for (auto& [kind, of] : kinds) result.push_back(std::move(of));
  return result;
}

std::string kind_path(const std::string& path) {
  const std::string_view names = path;
  const std::size_t counter_name = names.rfind('.');
  std::string result;
  result.reserve(names.size());
  for (std::size_t at = names.find('.'); at != std::string_view::npos && at < counter_name;) {
    const std::size_t end = names.find('.', at + 1);
    result.append(without_number(names.substr(at + 1, end - at - 1))).push_back('.');
    at = end;
  }
  return result.append(names.substr(counter_name + 1));
}

}  // namespace gt200::observe
