#include "tlm_bus/state_image.h"

#include <stdexcept>
#include <utility>

#include "tlm_bus/counter.h"
#include "tlm_bus/histogram.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

void state_image::keep(sc_core::sc_object& root) {
  if (std::exchange(kept_, true)) throw std::logic_error("a state is kept once");
  visit_below(root);
  bytes_.shrink_to_fit();
}

void state_image::restore(sc_core::sc_object& root) {
  if (!refusals_.empty()) throw std::logic_error(refusals_.front());
  restoring_ = true;
  next_byte_ = next_value_ = 0;
  visit_below(root);
  if (next_byte_ != bytes_.size() || next_value_ != values_.size())
    throw std::logic_error(std::string(root.name()) + ": a part lists other members at a reset than before");
}

void state_image::refuse(const sc_core::sc_object& part, const std::string& why) {
  if (!restoring_) refusals_.push_back(std::string(part.name()) + ": " + why);
}

// In the order of construction.
void state_image::visit_below(sc_core::sc_object& object) {
  visit_object(object);
  for (sc_core::sc_object* child : object.get_child_objects()) visit_below(*child);
}

void state_image::visit_object(sc_core::sc_object& object) {
  if (restoring_) {
    const auto& attributes = object.attr_cltn();
    for (auto it = attributes.begin(); it != attributes.end(); ++it) {
      if (auto* c = dynamic_cast<counter::attribute*>(*it)) c->clear();
      if (auto* h = dynamic_cast<histogram::attribute*>(*it)) h->clear();
    }
  }
  if (auto* of_stage = dynamic_cast<stage*>(&object))
    of_stage->visit_state(*this);
  else if (auto* part = dynamic_cast<resettable*>(&object))
    part->visit_state(*this);
  else if (dynamic_cast<const sc_core::sc_module*>(&object) != nullptr)
    refuse(object, "a module that does not say what its state is");
}

void state_image::copy(void* member, std::size_t bytes) {
  if (!restoring_) {
    const auto* const from = static_cast<const std::uint8_t*>(member);
    bytes_.insert(bytes_.end(), from, from + bytes);
    return;
  }
  if (bytes > bytes_.size() - next_byte_) throw std::logic_error("a reset finds more state than was kept");
  std::memcpy(member, bytes_.data() + next_byte_, bytes);
  next_byte_ += bytes;
}

bool state_image::is_uniform(const void* first, std::size_t element, std::size_t count) {
  const auto* const bytes = static_cast<const std::uint8_t*>(first);
  return count > 1 && std::memcmp(bytes, bytes + element, element * (count - 1)) == 0;
}

const std::any& state_image::next_value() {
  if (next_value_ == values_.size()) throw std::logic_error("a reset finds more state than was kept");
  return values_[next_value_++];
}

}  // namespace gt200::tlm_bus
