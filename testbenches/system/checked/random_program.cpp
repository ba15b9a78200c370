#include "testbenches/system/checked/random_program.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "testbenches/system/checked/random_operation.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::support {
namespace {

using isa::unit_class;
using isa::tesla::opcode;
using isa::tesla::operand_kind;

// The rows of the opcode table that a statement chooses from. All operations are equally likely, in each format and
// on each unit.
class row_choice {
 public:
  template <class Predicate>
  explicit row_choice(Predicate fits) {
    std::map<std::tuple<opcode, isa::tesla::encoding_format, unit_class>, std::vector<const isa::tesla::row*>>
        groups;
    for (const isa::tesla::row& r : isa::tesla::opcode_table())
      if (fits(r)) groups[{r.op, r.format, r.unit}].push_back(&r);
    for (auto& [key, rows] : groups) groups_.push_back(std::move(rows));
  }
  const isa::tesla::row& operator()(std::mt19937_64& random) const {
    return of_group(random() % groups_.size(), random);
  }
  std::size_t groups() const { return groups_.size(); }
  const isa::tesla::row& of_group(std::size_t index, std::mt19937_64& random) const {
    const auto& group = groups_[index % groups_.size()];
    return *group[random() % group.size()];
  }

 private:
  std::vector<std::vector<const isa::tesla::row*>> groups_;
};

bool computes(const isa::tesla::row& r) {
  switch (r.op) {
    case opcode::shl_to_a:
    case opcode::add_to_a:
    case opcode::mov_from_sr: return false;
    default: break;
  }
  switch (r.unit) {
    case unit_class::shared:
    case unit_class::memory:
    case unit_class::texture:
    case unit_class::control:
    case unit_class::barrier: return false;
    default: return true;
  }
}
bool is_lock(const isa::tesla::row& r) {  // ld lock, st unlock: the elements of both begin with the flag
  return (r.op == opcode::ld_shared || r.op == opcode::st_shared) && r.capability == 12;
}

struct rows {
  row_choice compute{computes};
  row_choice joinable{
      [](const isa::tesla::row& r) { return computes(r) && r.format == isa::tesla::encoding_format::long_; }};
  row_choice shared{[](const isa::tesla::row& r) {
    return (r.op == opcode::ld_shared || r.op == opcode::st_shared) && !is_lock(r);
  }};
  row_choice shared_load{[](const isa::tesla::row& r) { return r.op == opcode::ld_shared && !is_lock(r); }};
  row_choice local{[](const isa::tesla::row& r) { return r.op == opcode::ld_local || r.op == opcode::st_local; }};
  row_choice global_load{[](const isa::tesla::row& r) { return r.op == opcode::ld_global; }};
  row_choice global_store{[](const isa::tesla::row& r) { return r.op == opcode::st_global; }};
  row_choice atomic{
      [](const isa::tesla::row& r) { return r.op == opcode::red_global || r.op == opcode::atom_global; }};
  row_choice special{[](const isa::tesla::row& r) { return r.op == opcode::mov_from_sr; }};
  row_choice texture{[](const isa::tesla::row& r) { return r.op == opcode::texfetch || r.op == opcode::tex; }};
  row_choice any{[](const isa::tesla::row& r) {
    const bool in_memory = r.unit == unit_class::shared || r.unit == unit_class::memory;
    return computes(r) || (in_memory && !is_lock(r)) || r.op == opcode::mov_from_sr ||
           r.unit == unit_class::texture;
  }};
};
const rows& all_rows() {
  static const rows r;
  return r;
}

std::string hex(unsigned value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  do text.insert(text.begin(), digits[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + text;
}

// $r0 number of the thread in the grid, $r1 in its block; $r3 `in`, $r4 the thread's words of `out`, $r6 its slot
// of s[], $r8-$r23 data, $r24 and $r25 addresses, $r26-$r29 counters of loops, $r30 of the outermost.
class writer {
 public:
  writer(program_kind kind, std::uint64_t seed)
      : kind_(kind), random_(2 * seed + 1), program_(seed), toured_control_(seed) {}

  random_program write() {
    random_program p;
    p.kind = kind_;
    p.race_free = kind_ != program_kind::racing;
    p.faults = kind_ == program_kind::faulting;
    const unsigned warps = 4 + pick(5);
    p.threads = 32 * warps - (pick(3) == 0 ? pick(31) : 0);
    p.blocks = 1 + pick(3);
    directives();
    prologue();
    // A loop that all lanes run alike, so it may contain operations that need all lanes.
    emit("mov b32 $r30 " + hex(2 + pick(2)));
    const std::string again = label();
    place(again);
    for (unsigned n = 10 + pick(20); n != 0; --n) outer_statement();
    tour();
    if (frozen_) barrier();
    emit("sub b32 $r30 $r30 0x1");
    emit("set $c1 # lg u32 $r30 $r124");
    emit("(lg $c1) bra " + again);
    if (kind_ == program_kind::faulting) fault();
    emit("st b128 g14[$r4] $r8q");
    emit(pick(2) != 0 ? "exit nop" : "exit st b32 g14[$r4] $r12");
    for (const auto& [line, depth] : functions_) line_up(line, depth);
    line_up(".end", 0);
    p.text = std::move(text_);
    p.line_depth = std::move(line_depth_);
    return p;
  }

 private:
  using lines = std::vector<std::pair<std::string, unsigned>>;

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void line_up(const std::string& line, unsigned depth) {
    text_ += line + "\n";
    line_depth_.push_back(static_cast<std::uint8_t>(depth));
  }
  void put(const std::string& line) {
    if (function_ != nullptr)
      function_->emplace_back(line, depth_);
    else
      line_up(line, depth_);
  }
  void emit(const std::string& line) { put("  " + line); }
  void place(const std::string& name) { put(name + ":"); }
  void emit(const isa::tesla::instruction& i) { emit(isa::tesla::disassemble(i)); }
  std::string label() { return "label" + std::to_string(++labels_); }
  static std::string r(unsigned index) { return "$r" + std::to_string(index); }
  std::string data() { return r(bounds_.first_register + pick(bounds_.registers)); }
  std::string condition() { return "$c" + std::to_string(pick(4)); }
  std::string a() const { return "$a" + std::to_string(bounds_.address_register); }

  void directives() {
    line_up(".target sm_13", 0);
    line_up(".entry test", 0);
    line_up(".param u32 out", 0);
    line_up(".param u32 in", 0);
    line_up(".local " + std::to_string(local_bytes), 0);
    line_up(".shared readable " + std::to_string(bounds_.readable_bytes - first_shared), 0);
    line_up(".shared tile " + std::to_string(slots * bounds_.slot_bytes), 0);
    line_up(".shared cell 4", 0);
    line_up(
        ".literal table u32 0x3f800000 0xffff8001 3 0x80000000 5 0x7fc00001 0xc0490fdb 8 0x7f800000 1 2 0xdeadbeef "
        "0x00ff00ff 7 0x3e99999a 0x80",
        0);
  }
  void prologue() {
    emit("mov b16 $r0h u16 s[%ntid.x]");
    emit("cvt u32 $r1 u16 $r0l");
    emit("add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1");
    emit("mov b32 $r3 b32 s[in]");
    emit("shl b32 $r4 $r0 0x5");
    emit("add b32 $r4 b32 s[out] $r4");
    emit("shl b32 $r6 $r1 0x4");
    emit("add b32 $r6 $r6 @tile");
    emit("shl b32 $r24 $r0 0x4");
    emit("add b32 $r25 $r3 $r24");
    for (unsigned n = 0; n < bounds_.registers; n += 4) {
      emit("ld b128 $r" + std::to_string(bounds_.first_register + n) + "q g14[$r25]");
      emit("add b32 $r25 $r25 " + hex(0x4000));
    }
    for (unsigned n = 0; n < local_bytes; n += 16)
      emit("st b128 l[" + hex(n) + "] $r" + std::to_string(8 + n / 8 % 16 / 4 * 4) + "q");
    // Slots of s[] that nobody writes may hold anything; those of the threads start with data.
    emit("shl $a1 $r6 0x0");
    for (unsigned n = 0; n < bounds_.slot_bytes; n += 4)
      emit("st b32 s[$a1+" + hex(n) + "] $r" + std::to_string(8 + n / 4));
    if (kind_ == program_kind::racing) emit("st b32 s[cell] $r124");
    barrier();
    frozen_ = false;
  }

  // -- operands in memory --

  // $a of an indexed s[] operand: the thread's slot, or any slot while no thread writes.
  void point_at_shared(bool may_be_elsewhere) {
    if (!may_be_elsewhere) {
      if (pick(2) != 0) return emit("shl " + a() + " $r6 0x0");
      const unsigned other = bounds_.address_register % 4 + 1;
      emit("shl $a" + std::to_string(other) + " $r1 0x4");
      return emit("add " + a() + " $a" + std::to_string(other) + " " + hex(bounds_.readable_bytes));
    }
    if (pick(3) == 0)
      return emit("add " + a() + " 0x0 " + hex(bounds_.readable_bytes + bounds_.slot_bytes * pick(slots)));
    emit("and b32 $r24 " + data() + " " + hex((slots - 1) * bounds_.slot_bytes));
    emit("add b32 $r24 $r24 @tile");
    emit("shl " + a() + " $r24 0x0");
  }
  void point_at(const isa::tesla::operand& o, bool stores) {
    if (o.kind == operand_kind::shared)
      return point_at_shared(kind_ == program_kind::racing ? pick(2) != 0 : frozen_ && !stores);
    const unsigned reach =
        o.kind == operand_kind::constant ? bounds_.constant_bytes : local_bytes - bounds_.local_bytes;
    const unsigned step = o.kind == operand_kind::constant ? 4 : 16;
    if (pick(3) == 0) return emit("add " + a() + " 0x0 " + hex(step * pick(reach / step)));
    emit("and b32 $r24 " + data() + " " + hex((reach - 1) & ~(step - 1)));
    emit("shl " + a() + " $r24 0x0");
  }
  // Emits what the operands of `i` need, and then `i`.
  void emit_prepared(const isa::tesla::instruction& i, const std::string& prefix = {}) {
    if (const isa::tesla::operand* o = indexed_operand(i)) point_at(*o, i.op == opcode::st_shared);
    emit(prefix + isa::tesla::disassemble(i));
  }
  isa::tesla::instruction random_from(const row_choice& choice) { return random_of(choice(random_)); }
  isa::tesla::instruction random_of(const isa::tesla::row& row) {
    bounds_.address_register = 1 + pick(row.format == isa::tesla::encoding_format::long_ ? 4 : 3);
    return random_operation(row, bounds_, random_);
  }

  // -- statements --

  void compute() { compute(all_rows().compute(random_)); }
  void compute(const isa::tesla::row& row) {
    const isa::tesla::instruction i = random_of(row);
    emit_prepared(i);
    if (i.length == 4) short_partner();
  }
  // A short instruction stays short only beside another short one.
  void short_partner() {
    for (unsigned n = 0; n < 8; ++n) {
      const isa::tesla::instruction second = random_from(all_rows().compute);
      if (second.length == 4 && indexed_operand(second) == nullptr) return emit(second);
    }
    emit("short mov b32 " + data() + " " + data());
  }
  void shared() { emit_prepared(random_from(frozen_ ? all_rows().shared_load : all_rows().shared)); }
  void local() { emit_prepared(random_from(all_rows().local)); }
  // $r25 = an address of `bytes` within the first `range` from `base`.
  void address(const std::string& base, unsigned range, unsigned bytes) {
    emit("and b32 $r24 " + data() + " " + hex((range - 1) & ~(bytes - 1)));
    emit("add b32 $r25 " + base + " $r24");
  }
  void global() { global((pick(2) != 0 ? all_rows().global_load : all_rows().global_store)(random_)); }
  void global(const isa::tesla::row& row) {
    const bool load = row.op == opcode::ld_global;
    const isa::tesla::instruction i = random_of(row);
    const auto bytes = static_cast<unsigned>(isa::bytes_of(i.source[0].type));
    if (kind_ == program_kind::racing && pick(2) != 0) {
      address("b32 s[out]", 4096, bytes);
    } else if (load && pick(3) != 0) {
      if (pick(2) != 0) {
        address("$r3", pick(2) != 0 ? 0x10000 : 256, bytes);
      } else {  // in sequence
        emit("and b32 $r24 $r0 0xfff");
        emit("shl b32 $r24 $r24 " + hex(static_cast<unsigned>(__builtin_ctz(bytes))));
        emit("add b32 $r25 $r3 $r24");
      }
    } else {
      address("$r4", random_output_bytes, bytes);
    }
    emit(i);
  }
  void atomic() { atomic(all_rows().atomic(random_)); }
  void atomic(const isa::tesla::row& row) {
    const isa::tesla::instruction i = random_of(row);
    const auto bytes = static_cast<unsigned>(isa::bytes_of(i.source[0].type));
    if (kind_ == program_kind::racing && pick(4) != 0)
      address("b32 s[out]", 64, bytes);
    else
      address("$r4", random_output_bytes, bytes);
    emit(i);
  }
  void texture() { texture(all_rows().texture(random_)); }
  void texture(const isa::tesla::row& row) {
    const isa::tesla::instruction i = random_of(row);
    for (unsigned k = 0; k < i.texture_arguments; ++k) {
      const std::string coordinate = r(i.destination.index + k);
      if (i.op == opcode::tex && pick(3) == 0) {  // anything, mostly outside
        emit("mul rn f32 " + coordinate + " " + data() + " " + data());
        continue;
      }
      emit("and b32 " + coordinate + " " + data() + (pick(3) != 0 ? " 0x3f" : " 0xfff"));
      if (i.op == opcode::tex) emit("cvt rn f32 " + coordinate + " s32 " + coordinate);
    }
    emit(i);
    if (i.length == 4) short_partner();
  }
  void special() { emit(random_from(all_rows().special)); }
  void vote_and_condition() {
    emit("set " + condition() + " # " + (pick(2) != 0 ? "l s32 " : "ge u32 ") + data() + " " + data());
    if (pick(3) == 0) emit(std::string("vote ") + (pick(2) != 0 ? "any " : "all ") + condition());
  }
  // The lanes add to a word of s[] one after the other.
  void lock() {
    const std::string again = label(), done = label();
    const std::string value = data();
    emit("joinat " + done);
    ++depth_;
    place(again);
    emit("ld lock $c0 " + value + " b32 s[cell]");
    emit("(l $c0) add b32 " + value + " " + value + " $r1");
    emit("(l $c0) st unlock b32 s[cell] " + value);
    emit("(e $c0) bra " + again);
    --depth_;
    place(done);
    emit("join nop");
  }
  void barrier() {
    constexpr const char* forms[] = {"bar inc wait 0x0 0xfff", "bar inc wait 0x0 all"};
    if (pick(3) == 0) {
      // Arrival, other work, and then the wait; the whole barrier after it separates rounds.
      emit("bar inc 0x1 0xfff");
      compute();
      emit("bar wait 0x1 0xfff");
    }
    emit(forms[pick(2)]);
  }
  void branch() {
    const std::string otherwise = label(), meet = label();
    if (pick(2) != 0) vote_and_condition();
    emit("joinat " + meet);
    constexpr const char* conditions[] = {"lg", "e", "l", "ge", "o", "ns"};
    emit("(" + std::string(conditions[pick(6)]) + " " + condition() + ") bra " + otherwise);
    ++depth_;
    block();
    emit("bra " + meet);
    place(otherwise);
    if (pick(3) != 0) block();
    place(meet);
    if (pick(2) != 0) {
      emit("join nop");
    } else {
      isa::tesla::instruction i = random_from(all_rows().joinable);
      while (indexed_operand(i) != nullptr) i = random_from(all_rows().joinable);
      emit("join " + isa::tesla::disassemble(i));
    }
    --depth_;
  }
  // Each lane repeats a number of times of its own.
  void loop() {
    const std::string counter = r(26 + depth_), again = label(), behind = label();
    emit("and b32 " + counter + " " + data() + " 0x3");
    emit("breakaddr " + behind);
    ++depth_;
    place(again);
    block();
    emit("sub b32 " + counter + " " + counter + " 0x1");
    emit("set $c0 # l s32 " + counter + " $r124");
    emit("(lg $c0) break");
    if (pick(3) == 0) block();
    emit("bra " + again);
    --depth_;
    place(behind);
  }
  void call() {
    const std::string function = label();
    emit(pick(3) == 0 ? "call lim " + function : "call " + function);
    lines* const caller = function_;
    const unsigned depth = depth_;
    lines body;
    function_ = &body;
    ++calls_;
    place(function);
    compute();
    if (depth_ < deepest && calls_ < 2 && pick(2) != 0) statement();
    if (pick(2) != 0) {
      vote_and_condition();
      emit("(" + std::string(pick(2) != 0 ? "lg " : "e ") + condition() + ") ret");
      ++depth_;
    }
    compute();
    emit("ret");
    --calls_;
    function_ = caller;
    depth_ = depth;
    functions_.insert(functions_.end(), body.begin(), body.end());
  }
  // All lanes of a quad take part, even those that wait elsewhere: their addresses are not known.
  void quad() {
    emit("quadon");
    for (unsigned n = 1 + pick(3); n != 0;) {
      const isa::tesla::instruction i = random_from(all_rows().compute);
      if (indexed_operand(i) != nullptr) continue;
      emit(i);
      --n;
    }
    emit("quadpop");
  }
  void fault() {
    const std::string over = label();
    constexpr const char* traps[] = {"trap", "brkpt", "short trap", "short brkpt"};
    const unsigned trap = pick(4);
    emit("set $c1 # lg u32 $r0 c1[table+0x" + std::string(pick(2) != 0 ? "8" : "10") + "]");
    emit("joinat " + over);
    emit("(lg $c1) bra " + over);
    emit(traps[trap]);
    if (trap >= 2) short_partner();
    place(over);
    emit("join nop");
  }
  void block() {
    for (unsigned n = 1 + pick(3); n != 0; --n) statement();
  }
  void statement() {
    const bool nests = depth_ < deepest;
    switch (pick(24)) {
      default: return compute();
      case 10:
      case 11:
      case 12: return global();
      case 13: return atomic();
      case 14:
      case 15: return shared();
      case 16: return local();
      case 17: return texture();
      case 18: return vote_and_condition();
      case 19: return nests ? branch() : compute();
      case 20: return nests ? loop() : compute();
      case 21: return calls_ < 2 ? call() : compute();
      case 22: return pick(3) == 0 ? quad() : compute();
      case 23:
        if (kind_ != program_kind::racing) return compute();
        return pick(2) != 0 ? special() : lock();
    }
  }
  void outer_statement() {
    if (pick(8) != 0) return statement();
    barrier();
    frozen_ = kind_ != program_kind::racing && !frozen_;
  }

  // Any row of the table that this kind of program allows.
  void any(const isa::tesla::row& row) {
    switch (row.op) {
      case opcode::st_shared: return frozen_ ? shared() : emit_prepared(random_of(row));
      case opcode::ld_shared:
      case opcode::ld_local:
      case opcode::st_local: return emit_prepared(random_of(row));
      case opcode::ld_global:
      case opcode::st_global: return global(row);
      case opcode::red_global:
      case opcode::atom_global: return atomic(row);
      case opcode::tex:
      case opcode::texfetch: return texture(row);
      case opcode::mov_from_sr: return kind_ == program_kind::racing ? emit(random_of(row)) : compute();
      default: return compute(row);
    }
  }
  void next_of_control() {
    switch (toured_control_++ % 5) {
      case 0: return branch();
      case 1: return loop();
      case 2: return call();
      case 3: return quad();
      default: return vote_and_condition();
    }
  }
  // Some rows of the opcode table and some control flow in each of three nested regions. Successive programs
  // continue where the previous one stopped in the table. Often some of the warps wait at a barrier after that.
  void tour() {
    const std::string behind = label();
    const bool waits = pick(2) != 0;
    if (waits) {
      emit("and b32 $r24 $r1 " + hex(32u << pick(2)));
      emit(std::string("set $c1 # ") + (pick(2) != 0 ? "lg" : "e") + " u32 $r24 $r124");
      emit("(lg $c1) bra " + behind);
    }
    std::vector<std::string> meets;
    for (unsigned level = 0; level < 3; ++level) {
      meets.push_back(label());
      emit("and b32 $r24 $r1 " + hex(1u << level));
      emit("set $c1 # lg u32 $r24 $r124");
      emit("joinat " + meets.back());
      emit("(lg $c1) bra " + meets.back());
      ++depth_;
      for (unsigned n = 0; n < stretch; ++n)
        any(all_rows().any.of_group(program_ * stretch + level * all_rows().any.groups() / 3 + n, random_));
      next_of_control();
    }
    for (; !meets.empty(); meets.pop_back()) {
      place(meets.back());
      emit("join nop");
      --depth_;
    }
    place(behind);
    if (waits) emit("bar inc wait 0x0 0xfff");
  }

  static constexpr unsigned deepest = 4;
  static constexpr unsigned stretch = 12;  // rows of the opcode table
  static constexpr unsigned slots = 256;
  static constexpr unsigned local_bytes = 128;
  static constexpr unsigned first_shared = 24;  // behind header and parameters

  program_kind kind_;
  std::mt19937_64 random_;
  std::size_t program_;
  std::size_t toured_control_;
  operand_bounds bounds_;
  std::string text_;
  std::vector<std::uint8_t> line_depth_;
  lines functions_;
  lines* function_ = nullptr;  // null: the kernel
  unsigned depth_ = 0;         // divergent regions around the next statement
  unsigned calls_ = 0;         // functions around it
  unsigned labels_ = 0;
  bool frozen_ = false;  // no thread writes s[] until the next barrier
};

program_kind kind_of(std::uint64_t seed) {
  const unsigned k = seed % 20;
  return k < 13 ? program_kind::race_free : k < 19 ? program_kind::racing : program_kind::faulting;
}

}  // namespace

const char* name_of(program_kind kind) {
  switch (kind) {
    case program_kind::race_free: return "race-free";
    case program_kind::racing: return "racing";
    case program_kind::faulting: return "faulting";
  }
  return "?";
}

random_program make_random_program(std::uint64_t seed) { return writer(kind_of(seed), seed).write(); }

}  // namespace gt200::support
