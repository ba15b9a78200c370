// What a configuration key is, and how a configuration structure names its keys.
//
// Every structure of the configuration declares each of its keys exactly once, in `describe(visitor&)`: key,
// member, unit, allowed values, meaning, source. Loader, printer, checker and explanation are visitors of that
// description, so none of them can forget a key. Plain C++.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "sc_models/config/cycles.h"
#include "sc_models/config/policy.h"

namespace gt200::config {

// Unit of a number. Cycles always say the clock domain they are counted in.
enum class unit : std::uint8_t {
  none,
  bytes,
  mebibytes,
  megahertz,
  nanoseconds,
  megabytes_per_second,  // 10^6 bytes per second
  shader_cycles,
  core_cycles,
  uncore_cycles,
  memory_cycles
};

constexpr unit unit_of(timed::core_cycles) { return unit::core_cycles; }
constexpr unit unit_of(timed::shader_cycles) { return unit::shader_cycles; }

// Where a number comes from.
struct source {
  enum class kind : std::uint8_t { measured, documented, patent, assumption };
  kind confidence;
  const char* citation;  // short: publication, table; for an assumption the reasoning
};
constexpr source measured(const char* citation) { return {source::kind::measured, citation}; }
constexpr source documented(const char* citation) { return {source::kind::documented, citation}; }
constexpr source patent(const char* citation) { return {source::kind::patent, citation}; }
constexpr source assumption(const char* reason) { return {source::kind::assumption, reason}; }

// Allowed integers: low .. high, both included, multiples of `step`, or powers of two only.
struct range {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t step = 1;
  bool power_of_two = false;
};
constexpr range between(std::uint64_t low, std::uint64_t high) { return {low, high}; }
constexpr range multiple_of(std::uint64_t step, std::uint64_t low, std::uint64_t high) { return {low, high, step}; }
constexpr range power_of_two(std::uint64_t low, std::uint64_t high) { return {low, high, 1, true}; }
constexpr range any_64_bits() { return {0, std::numeric_limits<std::int64_t>::max()}; }

// Allowed real numbers: low .. high, both included.
struct real_range {
  double low;
  double high;
};

// Names of the values of an enumeration, in order from 0; specialised beside each enumeration.
template <class E>
inline constexpr std::array<const char*, 0> choice_names{};
template <class E>
constexpr const char* name_of(E value) {
  return choice_names<E>[static_cast<std::size_t>(value)];
}

// Access to one leaf of a configuration structure, by type.
struct choice_ref {
  unsigned char* value;  // the only byte of the enumeration or policy
  const char* const* names;
  const char* const* texts;  // of policies: what each does; null for an enumeration
  std::size_t count;
  policy_list* list = nullptr;  // of policies
};
struct number_ref {
  std::variant<std::uint32_t*, std::uint64_t*> value;
  range allowed;
};
struct real_ref {
  double* value;
  real_range allowed;
};
struct file_ref {
  std::string* value;  // path; empty: none
};
using leaf_ref = std::variant<bool*, number_ref, real_ref, choice_ref, file_ref>;

struct parameter {
  const char* key;
  unit in;
  const char* text;  // what it means, without a full stop
  source from;
  bool has_value = false;  // declared with its value, so a configuration need not set it: a key of an added policy
};

class visitor {
 public:
  virtual ~visitor() = default;

  // -- called by describe() --
  void flag(const char* key, bool& member, const char* text, source from) {
    leaf({key, unit::none, text, from}, &member);
  }
  template <class Integer>  // std::uint32_t or std::uint64_t
  void number(const char* key, Integer& member, unit in, range allowed, const char* text, source from) {
    leaf({key, in, text, from}, number_ref{&member, allowed});
  }
  template <class Clock>
  void cycles(const char* key, timed::cycle_count<Clock>& member, range allowed, const char* text, source from) {
    leaf({key, unit_of(member), text, from}, number_ref{&member.count_, allowed});
  }
  void real(const char* key, double& member, unit in, real_range allowed, const char* text, source from) {
    leaf({key, in, text, from}, real_ref{&member, allowed});
  }
  template <class E>
  void choice(const char* key, E& member, const char* text, source from) {
    static_assert(sizeof(E) == 1 && !choice_names<E>.empty(), "specialise choice_names for this enumeration");
    leaf({key, unit::none, text, from}, choice_ref{reinterpret_cast<unsigned char*>(&member),
                                                   choice_names<E>.data(), nullptr, choice_names<E>.size()});
  }
  template <policy_list& list>
  void choice(const char* key, policy<list>& member, const char* text, source from) {
    leaf({key, unit::none, text, from}, choice_ref{&member.position(), list.names, list.texts, list.count, &list});
  }
  // A key of an added policy (added_policy.h).
  void declared(const char* key, unit in, const char* text, leaf_ref value) {
    leaf({key, in, text, assumption("declared by the policy"), true}, value);
  }
  // A file that is read later. A relative path starts at the folder of the configuration file that sets it, with
  // --set at the working folder; the member holds the absolute path. Empty: none.
  void file(const char* key, std::string& member, const char* text, source from) {
    leaf({key, unit::none, text, from}, file_ref{&member});
  }
  // A part of the hierarchy. What `describe` of the part needs besides the visitor follows the text.
  template <class Part, class... Context>
  void group(const char* key, Part& part, const char* text, const Context&... context) {
    enter(key, text);
    part.describe(*this, context...);
    leave();
  }

 protected:
  virtual void leaf(const parameter& p, leaf_ref value) = 0;
  virtual void enter(const char* key, const char* text) = 0;
  virtual void leave() = 0;
};

}  // namespace gt200::config
