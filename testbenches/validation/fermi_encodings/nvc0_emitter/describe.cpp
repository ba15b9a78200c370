#include "describe.h"

#include <cstdint>
#include <type_traits>

#include "names.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

std::string quoted(const std::string& text) { return '"' + text + '"'; }

// One object of JSON, written key by key.
class object {
 public:
  void add(const char* key, const char* text) { add_raw(key, quoted(text)); }
  void add_number(const char* key, std::int64_t value) { add_raw(key, std::to_string(value)); }
  // Left out when zero: most modifiers are not set.
  void add_set(const char* key, std::int64_t value) {
    if (value != 0) add_number(key, value);
  }
  void add_raw(const char* key, const std::string& value) {
    if (!text_.empty()) text_ += ", ";
    text_ += quoted(key) + ": " + value;
  }
  const std::string& inside() const { return text_; }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

void describe_value(object& o, const Value& v) {
  o.add("file", name_of(v.reg.file));
  switch (v.reg.file) {
    case FILE_IMMEDIATE:
      o.add_number("bytes", v.reg.size);
      o.add_raw("value", std::to_string(v.reg.size == 8 ? v.reg.data.u64 : v.reg.data.u32));
      break;
    case FILE_SYSTEM_VALUE:
      o.add("name", name_of(v.reg.data.sv.sv));
      o.add_number("index", v.reg.data.sv.index);
      break;
    case FILE_GPR:
    case FILE_PREDICATE:
      o.add_number("number", v.reg.data.id);
      o.add_number("bytes", v.reg.size);
      break;
    case FILE_FLAGS: break;
    default:
      o.add_number("offset", v.reg.data.offset);
      o.add_number("bank", v.reg.fileIndex);
      break;
  }
}

std::string described_source(const ValueRef& source) {
  object o;
  describe_value(o, *source.get());
  o.add_set("neg", source.mod.neg());
  o.add_set("abs", source.mod.abs());
  o.add_set("not", (source.mod & Modifier(NV50_IR_MOD_NOT)) ? 1 : 0);
  if (const ValueRef* base = source.getIndirect(0)) {
    object register_of_base;
    describe_value(register_of_base, *base->get());
    o.add_raw("base", register_of_base.text());
  }
  return o.text();
}

// Operands alone: neither the guard, nor flags, nor the base of an address.
bool is_operand(const Instruction& i, int s) {
  return s != i.predSrc && s != i.flagsSrc && !(i.src(0).isIndirect(0) && s == i.src(0).indirect[0]);
}

std::string described_sources(const Instruction& i) {
  std::string list;
  for (int s = 0; i.srcExists(static_cast<unsigned>(s)); ++s)
    if (is_operand(i, s)) list += (list.empty() ? "" : ", ") + described_source(i.src(s));
  return "[" + list + "]";
}

std::string described_results(const Instruction& i) {
  std::string list;
  for (int d = 0; i.defExists(static_cast<unsigned>(d)); ++d) {
    if (d == i.flagsDef) continue;
    object o;
    describe_value(o, *i.getDef(d));
    list += (list.empty() ? "" : ", ") + o.text();
  }
  return "[" + list + "]";
}

void describe_modifiers(object& o, const Instruction& i) {
  o.add("to", name_of(i.dType));
  o.add("from", name_of(i.sType));
  o.add("round", name_of(i.rnd));
  o.add("cache", name_of(i.cache));
  o.add_number("lanes", i.lanes);
  o.add_set("sub_operation", i.subOp);
  o.add_set("saturate", i.saturate);
  o.add_set("ftz", i.ftz);
  o.add_set("dnz", i.dnz);
  o.add_set("factor", i.postFactor);
  o.add_set("join", i.join);
  o.add_set("carry_out", i.flagsDef >= 0 ? 1 : 0);
  o.add_set("carry_in", i.flagsSrc >= 0 ? 1 : 0);
  if (const Value* guard = i.getPredicate()) {
    o.add_number("guard", guard->reg.data.id);
    o.add_set("guard_not", i.cc == CC_NOT_P ? 1 : 0);
  }
}

void describe_flow(object& o, const FlowInstruction& i) {
  if (i.op == OP_EXIT) return;
  o.add_number("target", i.op == OP_CALL ? i.target.fn->binPos : i.target.bb->binPos);
  o.add_set("all_warp", i.allWarp);
  o.add_set("limit", i.limit);
  o.add_set("indirect", i.indirect);
}

void describe_fetch(object& o, const TexInstruction& i) {
  o.add_number("dimensions", i.tex.target.getDim());
  o.add_set("array", i.tex.target.isArray());
  o.add_set("cube", i.tex.target.isCube());
  o.add_set("shadow", i.tex.target.isShadow());
  o.add_set("samples", i.tex.target.isMS() ? 1 : 0);
  o.add_number("texture", i.tex.r);
  o.add_number("sampler", i.tex.s);
  o.add_number("mask", i.tex.mask);
  o.add_set("live_only", i.tex.liveOnly ? 1 : 0);
  o.add_set("level_zero", i.tex.levelZero ? 1 : 0);
  o.add_set("all_derivatives", i.tex.derivAll ? 1 : 0);
  o.add_set("offsets", i.tex.useOffsets);
  o.add_set("independent_follows", i.next != nullptr ? 1 : 0);
}

}  // namespace

std::string described(const Instruction& i) {
  object o;
  o.add("op", name_of(i.op));
  describe_modifiers(o, i);
  if (const CmpInstruction* c = i.asCmp()) o.add("condition", name_of(c->setCond));
  if (const FlowInstruction* f = i.asFlow()) describe_flow(o, *f);
  if (const TexInstruction* t = i.asTex()) describe_fetch(o, *t);
  o.add_raw("results", described_results(i));
  o.add_raw("sources", described_sources(i));
  return "{" + o.inside();
}

}  // namespace gt200::nvc0_emitter
