// A port whose usual neighbour is a module of type TARGET: calls of that one need no virtual call, so that short
// functions are inlined. Any other neighbour serves as well, as for the transactions of tlm_bus/transaction.h.
#pragma once

#include <type_traits>

#include "tlm_bus/port.h"

namespace gt200::model {

template <class IF, class TARGET>
class usual_port : public tlm_bus::port<IF> {
  static_assert(std::is_final_v<TARGET>, "or its calls stay virtual");

 public:
  using tlm_bus::port<IF>::port;

  // From end_of_elaboration() of the owner; until then every neighbour is another one.
  void resolve() { usual_ = dynamic_cast<TARGET*>(this->operator->()); }
  // Returns call(neighbour), by the type of the usual neighbour if it is there.
  template <class Call>
  [[gnu::always_inline]] auto pass(Call call) const {
    if (usual_ != nullptr) return call(*usual_);
    return call(**this);
  }

 private:
  TARGET* usual_ = nullptr;
};

}  // namespace gt200::model
