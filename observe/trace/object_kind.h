#pragma once

#include <cstring>
#include <systemc>

namespace gt200::observe {

// True if the object exists and its kind() is this one.
inline bool has_kind(const sc_core::sc_object* object, const char* kind) {
  return object != nullptr && std::strcmp(object->kind(), kind) == 0;
}

}  // namespace gt200::observe
