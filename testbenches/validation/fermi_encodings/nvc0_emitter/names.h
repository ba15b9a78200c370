// Names for the enumerations of nouveau's intermediate representation.
#pragma once

#include "nv50_ir.h"

namespace gt200::nvc0_emitter {

const char* name_of(nv50_ir::operation op);
const char* name_of(nv50_ir::DataType type);
const char* name_of(nv50_ir::RoundMode mode);
const char* name_of(nv50_ir::CacheMode mode);
const char* name_of(nv50_ir::DataFile file);
const char* name_of(nv50_ir::SVSemantic name);
// Of a comparison.
const char* name_of(nv50_ir::CondCode condition);

}  // namespace gt200::nvc0_emitter
