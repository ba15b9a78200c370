#include "names.h"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

template <class T>
struct entry {
  T value;
  const char* name;
};

template <class T, std::size_t Count>
const char* found(const entry<T> (&entries)[Count], T value) {
  for (const entry<T>& e : entries)
    if (e.value == value) return e.name;
  throw std::runtime_error("no name for the value " + std::to_string(static_cast<int>(value)));
}

}  // namespace

const char* name_of(operation op) {
  static constexpr entry<operation> names[] = {
      {OP_MOV, "mov"},         {OP_LOAD, "load"},         {OP_STORE, "store"},
      {OP_ADD, "add"},         {OP_SUB, "sub"},           {OP_MUL, "mul"},
      {OP_MAD, "mad"},         {OP_FMA, "fma"},           {OP_SAD, "sad"},
      {OP_SHLADD, "shladd"},   {OP_ABS, "abs"},           {OP_NEG, "neg"},
      {OP_NOT, "not"},         {OP_AND, "and"},           {OP_OR, "or"},
      {OP_XOR, "xor"},         {OP_SHL, "shl"},           {OP_SHR, "shr"},
      {OP_MAX, "max"},         {OP_MIN, "min"},           {OP_SAT, "sat"},
      {OP_CEIL, "ceil"},       {OP_FLOOR, "floor"},       {OP_TRUNC, "trunc"},
      {OP_CVT, "cvt"},         {OP_SET_AND, "set_and"},   {OP_SET_OR, "set_or"},
      {OP_SET_XOR, "set_xor"}, {OP_SET, "set"},           {OP_SELP, "selp"},
      {OP_SLCT, "slct"},       {OP_RCP, "rcp"},           {OP_RSQ, "rsq"},
      {OP_LG2, "lg2"},         {OP_SIN, "sin"},           {OP_COS, "cos"},
      {OP_EX2, "ex2"},         {OP_PRESIN, "presin"},     {OP_PREEX2, "preex2"},
      {OP_BRA, "bra"},         {OP_CALL, "call"},         {OP_RET, "ret"},
      {OP_CONT, "cont"},       {OP_BREAK, "break"},       {OP_PRERET, "preret"},
      {OP_PRECONT, "precont"}, {OP_PREBREAK, "prebreak"}, {OP_BRKPT, "brkpt"},
      {OP_JOINAT, "joinat"},   {OP_JOIN, "join"},         {OP_EXIT, "exit"},
      {OP_MEMBAR, "membar"},   {OP_TEX, "tex"},           {OP_TXB, "txb"},
      {OP_TXL, "txl"},         {OP_TXF, "txf"},           {OP_TXG, "txg"},
      {OP_SULDB, "suldb"},     {OP_SUSTB, "sustb"},       {OP_SULEA, "sulea"},
      {OP_RDSV, "rdsv"},       {OP_POPCNT, "popcnt"},     {OP_INSBF, "insbf"},
      {OP_EXTBF, "extbf"},     {OP_BFIND, "bfind"},       {OP_PERMT, "permt"},
      {OP_ATOM, "atom"},       {OP_BAR, "bar"},           {OP_VSHL, "vshl"},
      {OP_CCTL, "cctl"},       {OP_VOTE, "vote"}};
  return found(names, op);
}

const char* name_of(DataType type) {
  static constexpr entry<DataType> names[] = {
      {TYPE_NONE, "none"}, {TYPE_U8, "u8"},   {TYPE_S8, "s8"},   {TYPE_U16, "u16"},  {TYPE_S16, "s16"},
      {TYPE_U32, "u32"},   {TYPE_S32, "s32"}, {TYPE_U64, "u64"}, {TYPE_S64, "s64"},  {TYPE_F16, "f16"},
      {TYPE_F32, "f32"},   {TYPE_F64, "f64"}, {TYPE_B96, "b96"}, {TYPE_B128, "b128"}};
  return found(names, type);
}

const char* name_of(RoundMode mode) {
  static constexpr entry<RoundMode> names[] = {{ROUND_N, "n"},   {ROUND_M, "m"},   {ROUND_Z, "z"},
                                               {ROUND_P, "p"},   {ROUND_NI, "ni"}, {ROUND_MI, "mi"},
                                               {ROUND_ZI, "zi"}, {ROUND_PI, "pi"}};
  return found(names, mode);
}

const char* name_of(CacheMode mode) {
  static constexpr entry<CacheMode> names[] = {
      {CACHE_CA, "ca"}, {CACHE_CG, "cg"}, {CACHE_CS, "cs"}, {CACHE_CV, "cv"}};
  return found(names, mode);
}

const char* name_of(DataFile file) {
  static constexpr entry<DataFile> names[] = {{FILE_GPR, "gpr"},
                                              {FILE_PREDICATE, "predicate"},
                                              {FILE_FLAGS, "flags"},
                                              {FILE_IMMEDIATE, "number"},
                                              {FILE_MEMORY_CONST, "constant"},
                                              {FILE_MEMORY_GLOBAL, "global"},
                                              {FILE_MEMORY_LOCAL, "local"},
                                              {FILE_MEMORY_SHARED, "shared"},
                                              {FILE_SYSTEM_VALUE, "special"}};
  return found(names, file);
}

const char* name_of(SVSemantic name) {
  static constexpr entry<SVSemantic> names[] = {{SV_LANEID, "laneid"},
                                                {SV_PHYSID, "physid"},
                                                {SV_VERTEX_COUNT, "vertex_count"},
                                                {SV_INVOCATION_ID, "invocation"},
                                                {SV_YDIR, "ydir"},
                                                {SV_THREAD_KILL, "thread_kill"},
                                                {SV_COMBINED_TID, "tid_packed"},
                                                {SV_TID, "tid"},
                                                {SV_CTAID, "ctaid"},
                                                {SV_NTID, "ntid"},
                                                {SV_GRIDID, "gridid"},
                                                {SV_NCTAID, "nctaid"},
                                                {SV_LBASE, "local_base"},
                                                {SV_SBASE, "shared_base"},
                                                {SV_LANEMASK_EQ, "lanemask_eq"},
                                                {SV_LANEMASK_LT, "lanemask_lt"},
                                                {SV_LANEMASK_LE, "lanemask_le"},
                                                {SV_LANEMASK_GT, "lanemask_gt"},
                                                {SV_LANEMASK_GE, "lanemask_ge"},
                                                {SV_CLOCK, "clock"}};
  return found(names, name);
}

const char* name_of(CondCode condition) {
  static constexpr entry<CondCode> names[] = {{CC_FL, "false"}, {CC_LT, "lt"},   {CC_EQ, "eq"},   {CC_LE, "le"},
                                              {CC_GT, "gt"},    {CC_NE, "ne"},   {CC_GE, "ge"},   {CC_TR, "true"},
                                              {CC_LTU, "ltu"},  {CC_EQU, "equ"}, {CC_LEU, "leu"}, {CC_GTU, "gtu"},
                                              {CC_NEU, "neu"},  {CC_GEU, "geu"}};
  return found(names, condition);
}

}  // namespace gt200::nvc0_emitter
