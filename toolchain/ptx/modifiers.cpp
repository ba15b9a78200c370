#include "toolchain/ptx/modifiers.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace gt200::ptx {
namespace {

using words = std::set<std::string>;

words divided(const char* text) {
  std::istringstream in(text);
  words found;
  std::string word;
  while (in >> word) found.insert(word);
  return found;
}

const std::map<std::string, words>& known_modifiers() {
  static const std::map<std::string, words> known = [] {
    constexpr const char* float_sum = "rn rz rm rp ftz sat cc";
    constexpr const char* float_product = "lo hi wide rn rz rm rp ftz sat";
    constexpr const char* estimate = "approx ftz sat";
    constexpr const char* division = "approx full rn rz rm rp ftz sat";
    constexpr const char* comparison =
        "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz";
    constexpr const char* video = "sat add min max";
    const std::pair<const char*, const char*> table[] = {
        {"add", float_sum},
        {"sub", float_sum},
        {"addc", "cc"},
        {"subc", "cc"},
        {"mul", float_product},
        {"mad", "lo hi wide rn rz rm rp ftz sat cc"},
        {"madc", "lo hi cc"},
        {"fma", "rn rz rm rp ftz sat"},
        {"mul24", "lo hi"},
        {"mad24", "lo hi sat"},
        {"sad", ""},
        {"div", division},
        {"rem", ""},
        {"rcp", division},
        {"sqrt", division},
        {"rsqrt", estimate},
        {"sin", estimate},
        {"cos", estimate},
        {"lg2", estimate},
        {"ex2", estimate},
        {"abs", "ftz"},
        {"neg", "ftz"},
        {"min", "ftz"},
        {"max", "ftz"},
        {"copysign", ""},
        {"testp", "finite infinite number notanumber normal subnormal"},
        {"popc", ""},
        {"clz", ""},
        {"brev", ""},
        {"bfind", "shiftamt"},
        {"fns", ""},
        {"bfe", ""},
        {"bfi", ""},
        {"bmsk", "clamp wrap"},
        {"szext", "clamp wrap"},
        {"prmt", "f4e b4e rc8 ecl ecr rc16"},
        {"dp4a", ""},
        {"dp2a", "lo hi"},
        {"and", ""},
        {"or", ""},
        {"xor", ""},
        {"not", ""},
        {"cnot", ""},
        {"lop3", "and or xor"},
        {"shf", "l r clamp wrap"},
        {"shl", ""},
        {"shr", ""},
        {"selp", ""},
        {"slct", "ftz"},
        {"set", comparison},
        {"setp", comparison},
        {"mov", "v2 v4"},
        {"cvt", "rn rz rm rp rni rzi rmi rpi ftz sat"},
        {"vote", "sync all any uni ballot"},
        {"shfl", "sync up down bfly idx"},
        {"match", "any all sync"},
        {"activemask", ""},
        {"nanosleep", ""},
        {"vadd", video},
        {"vsub", video},
        {"vabsdiff", video},
        {"vmin", video},
        {"vmax", video},
        {"vset", "eq ne lt le gt ge add min max"},
        {"vshl", "sat clamp wrap add min max"},
        {"vshr", "sat clamp wrap add min max"},
        {"vmad", "po sat shr7 shr15"}};
    std::map<std::string, words> made;
    for (const auto& [name, modifiers] : table) made[name] = divided(modifiers);
    return made;
  }();
  return known;
}

// Modifiers and types of later targets.
const std::map<std::string, const char*>& later_modifiers() {
  static const std::map<std::string, const char*> later = {
      {"relu", "sm_80"},   {"rna", "sm_80"},    {"satfinite", "sm_80"}, {"NaN", "sm_80"},     {"tf32", "sm_80"},
      {"bf16", "sm_80"},   {"bf16x2", "sm_80"}, {"pack", "sm_72"},      {"xorsign", "sm_86"}, {"e4m3x2", "sm_89"},
      {"e5m2x2", "sm_89"}, {"oob", "sm_90"},    {"rs", "sm_100"},       {"f32x2", "sm_100"},  {"u16x2", "sm_90"},
      {"s16x2", "sm_90"},  {"b128", "sm_70"}};
  return later;
}

// Two of one kind: the first such pair of the instruction.
std::string exclusion(const statement& s) {
  static const words kinds[] = {divided("rn rz rm rp rni rzi rmi rpi approx full"),
                                divided("lo hi wide"),
                                divided("eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"),
                                divided("and or xor"),
                                divided("clamp wrap"),
                                divided("l r"),
                                divided("up down bfly idx"),
                                divided("all any uni ballot"),
                                divided("f4e b4e rc8 ecl ecr rc16"),
                                divided("shr7 shr15")};
  static const words without_carry = divided("sat wide ftz rn rz rm rp");
  for (const words& kind : kinds) {
    std::string first;
    for (const std::string& m : s.modifiers) {
      if (kind.count(m) == 0) continue;
      if (!first.empty()) return "." + first + " and ." + m + " exclude each other";
      first = m;
    }
  }
  if (std::count(s.modifiers.begin(), s.modifiers.end(), "cc") != 0)
    for (const std::string& m : s.modifiers)
      if (without_carry.count(m) != 0) return ".cc and ." + m + " exclude each other";
  return {};
}

bool is_pair_of_halves(const std::string& m) { return m == "f16x2"; }

}  // namespace

std::string modifier_refusal(const statement& s) {
  const auto known = known_modifiers().find(s.name);
  if (known == known_modifiers().end()) return {};
  for (const std::string& m : s.modifiers) {
    if (scalar_named(m) != scalar::none || is_pair_of_halves(m) || known->second.count(m) != 0) continue;
    const auto later = later_modifiers().find(m);
    return later != later_modifiers().end() ? "." + m + " needs " + later->second
                                            : "." + m + " is no modifier of " + s.name;
  }
  return exclusion(s);
}

std::string first_target_of(const std::string& instruction) {
  static const std::map<std::string, words> by_target = {
      {"sm_20",
       divided("bfind copysign testp vadd vsub vabsdiff vmin vmax vshl vshr vmad vset madc prefetch prefetchu "
               "isspacep vote")},
      {"sm_30",
       divided("shfl fns activemask vadd2 vadd4 vsub2 vsub4 vavrg2 vavrg4 vabsdiff2 vabsdiff4 vmin2 vmin4 vmax2 "
               "vmax4 vset2 vset4")},
      {"sm_32", divided("shf")},
      {"sm_50", divided("lop3")},
      {"sm_61", divided("dp4a dp2a")},
      {"sm_70", divided("match nanosleep bmsk szext")},
      {"sm_75", divided("tanh ldmatrix")},
      {"sm_80", divided("redux cp mbarrier discard applypriority createpolicy")},
      {"sm_90",
       divided("elect griddepcontrol getctarank mapa setmaxnreg stmatrix wgmma multimem fence.proxy tensormap "
               "movmatrix")},
      {"sm_100", divided("tcgen05 st.bulk")}};
  for (const auto& [target, names] : by_target)
    if (names.count(instruction) != 0) return target;
  return {};
}

}  // namespace gt200::ptx
