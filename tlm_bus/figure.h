// The description of a figure (counter or histogram) that a module counts. Statistics find it in the attributes of
// the module.
//
// Name, unit and description are an sc_attribute of the module under construction, so the full name of a figure is
// the hierarchy path of the module plus its own name. The attribute is stored apart from the figure, so that the
// figures of a module share one or two cache lines of the host.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>

namespace gt200::tlm_bus {

template <class Figure>
class figure_attribute : public sc_core::sc_attr_base {
 public:
  figure_attribute(Figure& figure, const std::string& name, const char* unit, const char* description)
      : sc_core::sc_attr_base(name), figure_(figure), unit_(unit), description_(description) {}
  decltype(auto) value() const { return figure_.value(); }
  const Figure& described() const { return figure_; }
  void clear() { figure_.clear(); }
  const char* unit() const { return unit_; }
  const char* description() const { return description_; }

 private:
  Figure& figure_;
  const char* unit_;
  const char* description_;
};

// Adds the attribute of a figure to the module under construction. `unit` and `description` must outlive it.
template <class Figure>
std::unique_ptr<const figure_attribute<Figure>> describe_figure(Figure& figure, const std::string& name,
                                                                const char* unit, const char* description) {
  sc_core::sc_object* owner = sc_core::sc_get_current_object();
  if (owner == nullptr) throw std::logic_error("counter " + name + " is not a member of a module");
  auto described = std::make_unique<figure_attribute<Figure>>(figure, name, unit, description);
  if (!owner->add_attribute(*described))
    throw std::logic_error(std::string(owner->name()) + ": two counters named " + name);
  return described;
}

}  // namespace gt200::tlm_bus
