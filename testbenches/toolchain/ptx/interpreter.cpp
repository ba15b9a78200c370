#include "testbenches/toolchain/ptx/interpreter.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "testbenches/toolchain/ptx/interpreter_arithmetic.h"

namespace gt200::ptx {
namespace {

constexpr unsigned warp = 32;
constexpr std::size_t memory_bytes = 16384;          // of shared memory, and of local memory per thread
constexpr std::uint32_t shared_window = 0xfe000000;  // where shared memory begins in generic addresses

[[noreturn]] void unknown(const statement& s, const std::string& what) {
  throw std::logic_error("interpreter: line " + std::to_string(s.where.line) + ": " + what);
}

struct place {
  state_space space = state_space::none;
  std::uint32_t address = 0;
};

struct call_frame {
  const function* code = nullptr;
  std::size_t next = 0;
  std::unordered_map<std::string, std::uint64_t> registers;
  std::unordered_map<std::string, place> variables;
  std::vector<std::uint8_t> parameters;  // .param variables of the frame
};

enum class thread_state : std::uint8_t { runs, at_barrier, at_vote, done };

struct thread {
  unsigned index = 0;
  thread_state state = thread_state::runs;
  std::vector<call_frame> frames;
  std::vector<std::uint8_t> local = std::vector<std::uint8_t>(memory_bytes);
  std::uint32_t local_end = 0;
  bool carry = false;
};

class block_run {
 public:
  block_run(const module_source& program, const reference_grid& grid, unsigned block, global_image& memory)
      : program_(program),
        grid_(grid),
        block_(block),
        memory_(memory),
        is_tesla_(program.target.compare(0, 4, "sm_1") == 0) {
    for (const function& f : program.functions) functions_[f.name] = &f;
    for (const variable& v : program.variables) {
      if (v.space == state_space::shared) place_in(shared_end_, v, module_variables_);
      if (v.space == state_space::constant) {
        place_in(constant_end_, v, module_variables_);
        constants_.resize(constant_end_);
        const std::uint32_t size = bytes_of(v.type);
        for (std::size_t k = 0; k < v.values.size(); ++k)
          std::memcpy(&constants_[module_variables_[v.name].address + k * size], &v.values[k].number.bits, size);
      }
    }
  }

  void run() {
    for (const function& f : program_.functions)
      if (f.is_entry) start(f);
    while (std::any_of(threads_.begin(), threads_.end(),
                       [](const thread& t) { return t.state != thread_state::done; })) {
      for (thread& t : threads_)
        while (t.state == thread_state::runs) step(t);
      if (!vote()) release_barrier();
    }
  }

 private:
  static void place_in(std::uint32_t& end, const variable& v, std::unordered_map<std::string, place>& into) {
    end = (end + v.natural_alignment() - 1) / v.natural_alignment() * v.natural_alignment();
    into[v.name] = {v.space, end};
    end += static_cast<std::uint32_t>(v.bytes());
  }

  void start(const function& entry) {
    for (unsigned k = 0; k < grid_.threads; ++k) {
      thread t;
      t.index = k;
      call_frame frame;
      frame.code = &entry;
      std::uint32_t end = 0;
      for (const variable& v : entry.parameters) place_in(end, v, frame.variables);
      frame.parameters = grid_.parameters;
      frame.parameters.resize(std::max<std::size_t>(frame.parameters.size(), end));
      t.frames.push_back(frame);
      threads_.push_back(t);
    }
  }

  // All threads of a warp that have not ended vote together.
  bool vote() {
    bool any_vote = false;
    for (std::size_t first = 0; first < threads_.size(); first += warp) {
      const std::size_t last = std::min(first + warp, threads_.size());
      unsigned count = 0;
      unsigned agree = 0;
      std::uint64_t ballot = 0;
      for (std::size_t k = first; k < last; ++k) {
        if (threads_[k].state != thread_state::at_vote) continue;
        const call_frame& f = threads_[k].frames.back();
        ++count;
        if (!predicate(threads_[k], f.code->body[f.next].operands[1])) continue;
        ++agree;
        ballot |= std::uint64_t{1} << (k - first);
      }
      for (std::size_t k = first; k < last; ++k) {
        if (threads_[k].state != thread_state::at_vote) continue;
        call_frame& f = threads_[k].frames.back();
        const statement& s = f.code->body[f.next++];
        if (has_modifier(s, "ballot"))
          f.registers[s.operands[0].name] = ballot;
        else
          f.registers[s.operands[0].name] = has_modifier(s, "all") ? agree == count : agree != 0;
        threads_[k].state = thread_state::runs;
        any_vote = true;
      }
    }
    return any_vote;
  }

  // Opens the barrier; each thread has its statement behind it.
  void release_barrier() {
    unsigned count = 0;
    unsigned agree = 0;
    const auto reduction = [](thread& t) -> const statement* {
      const call_frame& f = t.frames.back();
      const statement& s = f.code->body[f.next - 1];
      return has_modifier(s, "red") ? &s : nullptr;
    };
    for (thread& t : threads_) {
      if (t.state != thread_state::at_barrier || reduction(t) == nullptr) continue;
      ++count;
      agree += predicate(t, reduction(t)->operands[2]) ? 1 : 0;
    }
    for (thread& t : threads_) {
      if (t.state != thread_state::at_barrier) continue;
      if (const statement* s = reduction(t))
        t.frames.back().registers[s->operands[0].name] = has_modifier(*s, "popc")  ? agree
                                                         : has_modifier(*s, "and") ? agree == count
                                                                                   : agree != 0;
      t.state = thread_state::runs;
    }
  }

  // Values.
  std::uint64_t value(thread& t, const operand& o, scalar type) {
    if (o.kind == operand_kind::integer) return typed(o.value, type);
    if (o.kind == operand_kind::f32_bits || o.kind == operand_kind::f64_bits) return o.value;
    if (o.name == "%tid.x") return t.index;
    if (o.name == "%ntid.x") return grid_.threads;
    if (o.name == "%ctaid.x") return block_;
    if (o.name == "%nctaid.x") return grid_.blocks;
    if (const place* p = find(t, o.name)) return p->address;
    return typed(t.frames.back().registers[o.name], type);
  }

  bool predicate(thread& t, const operand& o) { return (t.frames.back().registers[o.name] != 0) != o.negated; }

  // A result is extended to its register as its type says; only the bits of the register remain.
  void write(thread& t, const operand& o, std::uint64_t bits, scalar type) {
    t.frames.back().registers[o.name] = typed(bits, type);
  }

  const place* find(thread& t, const std::string& name) const {
    const auto& own = t.frames.back().variables;
    const auto found = own.find(name);
    if (found != own.end()) return &found->second;
    const auto shared = module_variables_.find(name);
    return shared == module_variables_.end() ? nullptr : &shared->second;
  }

  std::uint8_t* bytes(thread& t, const statement& s, const operand& o, std::uint64_t size) {
    const place* named = find(t, o.name);
    std::uint64_t address = o.value;
    if (named != nullptr)
      address += named->address;
    else if (!o.name.empty())
      address += t.frames.back().registers[o.name];
    address &= 0xffffffffu;
    std::vector<std::uint8_t>* space = nullptr;
    if (has_modifier(s, "global")) {
      space = &memory_.bytes;
      address -= memory_.base;
    } else if (has_modifier(s, "shared")) {
      space = &shared_;
    } else if (has_modifier(s, "local")) {
      space = &t.local;
    } else if (has_modifier(s, "const")) {
      space = &constants_;
    } else if (has_modifier(s, "param")) {
      space = &t.frames.back().parameters;
    } else if (address >= shared_window) {
      space = &shared_;
      address -= shared_window;
    } else {
      space = &memory_.bytes;
      address -= memory_.base;
    }
    if (address + size > space->size()) unknown(s, "address outside memory");
    return space->data() + address;
  }

  static std::vector<operand> elements_of(const operand& o) {
    return o.kind == operand_kind::vector ? o.elements : std::vector<operand>{o};
  }

  void step(thread& t) {
    call_frame& frame = t.frames.back();
    if (frame.next >= frame.code->body.size()) return leave(t);
    const statement& s = frame.code->body[frame.next];
    if (s.kind == statement_kind::declaration)
      for (const variable& v : s.variables) declare(t, v);
    if (s.kind != statement_kind::instruction) {
      ++frame.next;
      return;
    }
    if (!s.guard.empty() && (frame.registers[s.guard] != 0) == s.guard_negated) {
      ++frame.next;
      return;
    }
    execute(t, s);
  }

  void declare(thread& t, const variable& v) {
    call_frame& f = t.frames.back();
    if (v.space == state_space::local) {
      if (f.variables.count(v.name) == 0) place_in(t.local_end, v, f.variables);
    } else if (v.space == state_space::shared) {
      if (block_variables_.count(v.name) == 0) place_in(shared_end_, v, block_variables_);
      f.variables[v.name] = block_variables_[v.name];
    } else if (v.space == state_space::param) {
      auto end = static_cast<std::uint32_t>(f.parameters.size());
      place_in(end, v, f.variables);
      f.parameters.resize(end);
    }
  }

  void leave(thread& t) {
    if (t.frames.size() == 1) {
      t.state = thread_state::done;
      return;
    }
    const call_frame inner = t.frames.back();
    t.frames.pop_back();
    call_frame& outer = t.frames.back();
    const statement& s = outer.code->body[outer.next++];
    if (inner.code->results.empty()) return;
    const operand& to = s.operands[0].elements[0];
    const variable& result = inner.code->results[0];
    if (result.space == state_space::reg)
      outer.registers[to.name] = inner.registers.at(result.name);
    else
      std::memcpy(&outer.parameters[outer.variables.at(to.name).address],
                  &inner.parameters[inner.variables.at(result.name).address], result.bytes());
  }

  void call(thread& t, const statement& s) {
    const bool has_result = s.operands[0].kind == operand_kind::list;
    const function& f = *functions_.at(s.operands[has_result ? 1 : 0].name);
    const std::vector<operand>& arguments = s.operands.back().elements;
    call_frame inner;
    inner.code = &f;
    std::uint32_t end = 0;
    for (const variable& v : f.results)
      if (v.space == state_space::param) place_in(end, v, inner.variables);
    for (const variable& v : f.parameters)
      if (v.space == state_space::param) place_in(end, v, inner.variables);
    inner.parameters.resize(end);
    call_frame& outer = t.frames.back();
    for (std::size_t k = 0; k < f.parameters.size(); ++k) {
      const variable& v = f.parameters[k];
      if (v.space == state_space::reg)
        inner.registers[v.name] = value(t, arguments[k], v.type);
      else
        std::memcpy(&inner.parameters[inner.variables.at(v.name).address],
                    &outer.parameters[outer.variables.at(arguments[k].name).address], v.bytes());
    }
    t.frames.push_back(std::move(inner));
  }

  void execute(thread& t, const statement& s) {
    call_frame& frame = t.frames.back();
    const std::string& n = s.name;
    if (n == "bra") {
      const std::string& label = s.operands[0].name;
      for (std::size_t k = 0; k < frame.code->body.size(); ++k)
        if (frame.code->body[k].kind == statement_kind::label && frame.code->body[k].name == label) frame.next = k;
      return;
    }
    if (n == "call") return call(t, s);
    if (n == "ret") return leave(t);
    if (n == "exit") {
      t.state = thread_state::done;
      return;
    }
    if (n == "vote") {
      t.state = thread_state::at_vote;
      return;
    }
    ++frame.next;
    if (n == "bar") {
      t.state = thread_state::at_barrier;
    } else if (n == "ld" || n == "st") {
      access(t, s);
    } else if (n == "red" || n == "atom") {
      atomic(t, s);
    } else if (n != "membar") {
      compute(t, s);
    }
  }

  void access(thread& t, const statement& s) {
    const scalar type = operand_type(s);
    const std::uint64_t size = bytes_of(type);
    const bool is_load = s.name == "ld";
    const std::vector<operand> elements = elements_of(s.operands[is_load ? 0 : 1]);
    std::uint8_t* at = bytes(t, s, s.operands[is_load ? 1 : 0], size * elements.size());
    std::vector<std::uint64_t> loaded(elements.size());
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (is_load) {
        std::memcpy(&loaded[k], at + k * size, size);
      } else {
        const std::uint64_t v = value(t, elements[k], type);
        std::memcpy(at + k * size, &v, size);
      }
    }
    for (std::size_t k = 0; k < elements.size() && is_load; ++k) write(t, elements[k], loaded[k], type);
  }

  void atomic(thread& t, const statement& s) {
    const scalar type = operand_type(s);
    const bool returns = s.name == "atom";
    const std::size_t first = returns ? 1 : 0;
    std::uint8_t* at = bytes(t, s, s.operands[first], bytes_of(type));
    std::uint64_t old = 0;
    std::memcpy(&old, at, bytes_of(type));
    old = typed(old, type);
    const std::uint64_t v = value(t, s.operands[first + 1], type);
    const auto less = [&](std::uint64_t a, std::uint64_t b) {
      return is_signed(type) ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
    };
    std::uint64_t now = 0;
    const auto is = [&](const char* name) { return has_modifier(s, name); };
    if (is("add") && type == scalar::f32) {
      float sum = 0;
      float term = 0;
      std::memcpy(&sum, &old, sizeof sum);
      std::memcpy(&term, &v, sizeof term);
      sum += term;
      std::memcpy(&now, &sum, sizeof sum);
      if (sum != sum) now = 0x7fffffff;
    } else if (is("add")) {
      now = old + v;
    } else if (is("and")) {
      now = old & v;
    } else if (is("or")) {
      now = old | v;
    } else if (is("xor")) {
      now = old ^ v;
    } else if (is("min")) {
      now = less(v, old) ? v : old;
    } else if (is("max")) {
      now = less(old, v) ? v : old;
    } else if (is("exch")) {
      now = v;
    } else if (is("cas")) {
      now = old == v ? value(t, s.operands[first + 2], type) : old;
    } else if (is("inc")) {
      now = old >= v ? 0 : old + 1;
    } else if (is("dec")) {
      now = old == 0 || old > v ? v : old - 1;
    } else {
      unknown(s, "atomic operation");
    }
    std::memcpy(at, &now, bytes_of(type));
    if (returns) write(t, s.operands[0], old, type);
  }

  void compute(thread& t, const statement& s) {
    const std::string& n = s.name;
    call_frame& frame = t.frames.back();
    follow_target(s, is_tesla_);
    if (n == "addc" || n == "subc" || (has_modifier(s, "cc") && (n == "add" || n == "sub"))) return add_carry(t, s);
    if (n == "cvta") {
      const std::uint64_t v = value(t, s.operands[1], scalar::u64);
      return write(t, s.operands[0], has_modifier(s, "to") ? v - shared_window : v + shared_window, scalar::u64);
    }
    if (n == "setp" || n == "set") {
      const scalar type = operand_type(s);
      const bool holds = comparison(s, value(t, s.operands[1], type), value(t, s.operands[2], type));
      const auto joined = [&](bool p) {
        if (s.operands.size() < 4) return p;
        const bool c = predicate(t, s.operands[3]);
        return has_modifier(s, "and") ? p && c : has_modifier(s, "or") ? p || c : p != c;
      };
      const bool p = joined(holds);
      const bool q = joined(!holds);
      if (n == "set") {
        const scalar to = result_type(s);
        return write(t, s.operands[0], !p ? 0 : to == scalar::f32 ? 0x3f800000u : 0xffffffffu, to);
      }
      frame.registers[s.operands[0].name] = p;
      if (!s.operands[0].second.empty()) frame.registers[s.operands[0].second] = q;
      return;
    }
    if (n == "selp") {
      const scalar type = operand_type(s);
      return write(t, s.operands[0], value(t, s.operands[predicate(t, s.operands[3]) ? 1 : 2], type), type);
    }
    if (n == "slct") {
      const scalar by = operand_type(s);
      const scalar type = result_type(s);
      const std::uint64_t c = value(t, s.operands[3], by);
      float f = 0;
      const auto word = static_cast<std::uint32_t>(c);
      std::memcpy(&f, &word, sizeof f);
      const bool first = by == scalar::f32 ? f >= 0 : static_cast<std::int64_t>(c) >= 0;
      return write(t, s.operands[0], value(t, s.operands[first ? 1 : 2], type), type);
    }
    if (has_modifier(s, "pred")) {
      const bool a =
          s.operands[1].kind == operand_kind::integer ? s.operands[1].value != 0 : predicate(t, s.operands[1]);
      const bool b = s.operands.size() > 2 && predicate(t, s.operands[2]);
      frame.registers[s.operands[0].name] = n == "not"   ? !a
                                            : n == "and" ? a && b
                                            : n == "or"  ? a || b
                                            : n == "xor" ? a != b
                                                         : a;
      return;
    }
    if (n == "mov") return move(t, s);
    const scalar type = operand_type(s);
    std::array<std::uint64_t, 4> in = {};
    for (std::size_t k = 1; k < s.operands.size(); ++k) {
      scalar of = type;
      if ((n == "shl" || n == "shr") && k == 2) of = scalar::u32;
      if ((n == "bfe" && k >= 2) || (n == "bfi" && k >= 3)) of = scalar::u32;
      if (has_modifier(s, "wide") && k == 3) of = result_type(s);
      in[k - 1] = value(t, s.operands[k], of);
    }
    write(t, s.operands[0], arithmetic(s, in), result_type(s));
  }

  // A subtraction adds the inverse, and its carry is that of this sum.
  void add_carry(thread& t, const statement& s) {
    const bool subtracts = s.name[0] == 's';
    const std::uint64_t a = value(t, s.operands[1], scalar::u32);
    const std::uint64_t b = value(t, s.operands[2], scalar::u32);
    const bool takes = s.name.back() == 'c';
    const std::uint64_t carry = takes ? (t.carry ? 1 : 0) : subtracts ? 1 : 0;
    const std::uint64_t sum = a + (subtracts ? ~b & 0xffffffffu : b) + carry;
    if (has_modifier(s, "cc")) t.carry = sum >> 32 != 0;
    write(t, s.operands[0], sum, scalar::u32);
  }

  // Includes packing and unpacking.
  void move(thread& t, const statement& s) {
    const scalar type = operand_type(s);
    const scalar part = bytes_of(type) == 8 ? scalar::u32 : scalar::u16;
    const unsigned bits = 8 * bytes_of(part);
    if (s.operands[1].kind == operand_kind::vector) {
      const std::uint64_t low = value(t, s.operands[1].elements[0], part);
      const std::uint64_t high = value(t, s.operands[1].elements[1], part);
      return write(t, s.operands[0], high << bits | low, type);
    }
    const std::uint64_t v = value(t, s.operands[1], type);
    if (s.operands[0].kind != operand_kind::vector) return write(t, s.operands[0], v, type);
    write(t, s.operands[0].elements[0], v, part);
    write(t, s.operands[0].elements[1], v >> bits, part);
  }

  const module_source& program_;
  const reference_grid& grid_;
  unsigned block_;
  global_image& memory_;
  bool is_tesla_;
  std::unordered_map<std::string, const function*> functions_;
  std::unordered_map<std::string, place> module_variables_;
  std::unordered_map<std::string, place> block_variables_;
  std::vector<std::uint8_t> shared_ = std::vector<std::uint8_t>(memory_bytes);
  std::vector<std::uint8_t> constants_;
  std::uint32_t shared_end_ = 0;
  std::uint32_t constant_end_ = 0;
  std::vector<thread> threads_;
};

}  // namespace

void interpret(const module_source& program, const reference_grid& grid, global_image& memory) {
  for (unsigned b = 0; b < grid.blocks; ++b) block_run(program, grid, b, memory).run();
}

}  // namespace gt200::ptx
