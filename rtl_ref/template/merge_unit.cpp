#include "rtl_ref/template/merge_unit.h"

#include "Vmerge_unit.h"
#include "rtl_ref/template/merge_unit_pins.h"

namespace gt200::rtl {

std::unique_ptr<coalescer_pins> make_merge_unit() { return std::make_unique<merge_unit_pins<Vmerge_unit>>(); }

}  // namespace gt200::rtl
