#include "toolchain/cuda/waiting_loops.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace gt200::cuda {
namespace {

// "  %5 = call ..." defines %5.
std::string defined_by(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos || line[first] != '%') return "";
  const std::size_t end = line.find(' ', first);
  return end != std::string::npos && line.compare(end, 3, " = ") == 0 ? line.substr(first, end - first) : "";
}

bool has(const std::string& line, const char* text) { return line.find(text) != std::string::npos; }

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-';
}

// The names behind `mark` in a line: %1 and %x, or @f. Quotation marks are left out.
std::vector<std::string> names_in(const std::string& line, char mark) {
  std::vector<std::string> names;
  for (std::size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, at + 1)) {
    std::size_t first = at + 1;
    std::size_t end = first;
    if (first < line.size() && line[first] == '"') {
      end = line.find('"', ++first);
      if (end == std::string::npos) break;
    } else {
      while (end < line.size() && is_in_name(line[end])) ++end;
    }
    names.push_back(mark + line.substr(first, end - first));
  }
  return names;
}

struct block {
  std::string label;
  std::vector<std::size_t> lines;       // of the text
  std::vector<std::string> successors;  // labels
  std::size_t ending = 0;               // line of its conditional branch or switch; 0: it has none
};

struct function {
  std::string name;
  bool returns = false;  // a value
  std::vector<block> blocks;
};

class reader {
 public:
  explicit reader(const std::vector<std::string>& lines) : lines_(lines) {}

  std::vector<function> run() {
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const std::string& line = lines_[n];
      if (line.compare(0, 7, "define ") == 0) {
        begin(line);
      } else if (line == "}") {
        inside_ = false;
      } else if (inside_ && !line.empty()) {
        read(n);
      }
    }
    return std::move(functions_);
  }

 private:
  void begin(const std::string& line) {
    function f;
    const std::vector<std::string> names = names_in(line, '@');
    if (!names.empty()) f.name = names.front();
    f.returns = !has(line.substr(0, line.find('@')), " void ");
    f.blocks.emplace_back();
    functions_.push_back(std::move(f));
    inside_ = true;
    in_switch_ = false;
  }

  void read(std::size_t n) {
    const std::string& line = lines_[n];
    std::vector<block>& blocks = functions_.back().blocks;
    if (line[0] != ' ') {
      std::string label = line.substr(0, line.find(':'));
      label.erase(std::remove(label.begin(), label.end(), '"'), label.end());
      blocks.emplace_back();
      blocks.back().label = "%" + label;
      return;
    }
    block& b = blocks.back();
    b.lines.push_back(n);
    const bool branches = line.compare(0, 5, "  br ") == 0;
    const bool chooses = line.compare(0, 9, "  switch ") == 0;
    if (chooses) in_switch_ = true;
    if (branches || in_switch_)
      for (std::size_t at = line.find("label %"); at != std::string::npos; at = line.find("label %", at + 1))
        b.successors.push_back(names_in(line.substr(at), '%').front());
    if (chooses || (branches && b.successors.size() == 2)) b.ending = n;
    if (in_switch_ && has(line, "]")) in_switch_ = false;
  }

  const std::vector<std::string>& lines_;
  std::vector<function> functions_;
  bool inside_ = false;
  bool in_switch_ = false;
};

class keeper {
 public:
  explicit keeper(const std::string& code) {
    std::istringstream in(code);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
    functions_ = reader(lines_).run();
    find_functions();
  }

  std::optional<std::string> run() {
    while (pull_one_way()) functions_ = reader(lines_).run();
    std::set<std::size_t> marked;
    for (const function& f : functions_) mark(f, marked);
    if (marked.empty()) return std::nullopt;
    std::string text;
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      if (marked.count(n) != 0) text += "  call void asm sideeffect \"\", \"\"() #4242\n";
      text += lines_[n] + "\n";
    }
    return text + "\nattributes #4242 = { convergent nounwind " + no_memory() + " }\n";
  }

 private:
  using blocks = std::vector<const block*>;

  // LLVM 16 has another word for it.
  std::string no_memory() const {
    constexpr const char* ident = "clang version ";
    for (const std::string& line : lines_)
      if (const std::size_t at = line.find(ident); at != std::string::npos)
        return std::atoi(line.c_str() + at + std::char_traits<char>::length(ident)) < 16 ? "readnone"
                                                                                         : "memory(none)";
    return "memory(none)";
  }

  static bool is_atomic(const std::string& line) {
    if (has(line, " atomicrmw ") || has(line, " cmpxchg ") || has(line, " load atomic ")) return true;
    return has(line, " call ") && (has(line, "@llvm.nvvm.atomic") ||
                                   (has(line, " asm ") && (has(line, "atom.") || has(line, "ld.volatile"))));
  }
  static bool is_volatile_load(const std::string& line) { return has(line, " load volatile "); }

  bool calls_waiting(const std::string& line) const {
    if (!has(line, "call ")) return false;
    const std::vector<std::string> names = names_in(line, '@');
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return waiting_.count(n) != 0; });
  }

  // Those with such operations, and those that call them.
  void find_functions() {
    for (bool again = true; again;) {
      again = false;
      for (const function& f : functions_) {
        if (waiting_.count(f.name) != 0) continue;
        for (const block& b : f.blocks)
          for (const std::size_t n : b.lines)
            if (is_atomic(lines_[n]) || is_volatile_load(lines_[n]) || calls_waiting(lines_[n])) {
              again = true;
              waiting_.insert(f.name);
            }
      }
    }
  }

  // Values of a loop that come from such an operation, by way of variables of the function too.
  std::set<std::string> results_in(const blocks& loop, const std::set<std::string>& own) const {
    std::set<std::string> results;
    for (bool again = true; again;) {
      const std::size_t before = results.size();
      for (const block* b : loop)
        for (const std::size_t n : b->lines) {
          const std::string& line = lines_[n];
          const std::string to = defined_by(line);
          std::vector<std::string> used = names_in(line, '%');
          if (!to.empty()) used.erase(used.begin());
          const bool from_result =
              std::any_of(used.begin(), used.end(), [&](const std::string& v) { return results.count(v) != 0; });
          const bool reads_others = is_volatile_load(line) && (used.empty() || own.count(used.back()) == 0);
          if (!to.empty() && (from_result || is_atomic(line) || reads_others || calls_waiting(line)))
            results.insert(to);
          // A store into a variable: "store i32 %v, ptr %variable".
          if (has(line, "  store ") && from_result && used.size() >= 2 && own.count(used[1]) != 0)
            results.insert(used[1]);
        }
      again = results.size() != before;
    }
    return results;
  }

  // Variables.
  std::set<std::string> own_of(const function& f) const {
    std::set<std::string> own;
    for (const block& b : f.blocks)
      for (const std::size_t n : b.lines)
        if (has(lines_[n], " = alloca ")) own.insert(defined_by(lines_[n]));
    return own;
  }

  // Those that end with a branch on the result of such an operation.
  std::set<const block*> waiting_in(const blocks& loop, const std::set<std::string>& own) const {
    const std::set<std::string> results = results_in(loop, own);
    std::set<const block*> waiting;
    for (const block* b : loop) {
      if (b->ending == 0) continue;
      const std::vector<std::string> condition = names_in(lines_[b->ending], '%');
      if (!condition.empty() && results.count(condition.front()) != 0) waiting.insert(b);
    }
    return waiting;
  }

  void mark(const function& f, std::set<std::size_t>& marked) const {
    const std::set<std::string> own = own_of(f);
    for (const blocks& loop : loops_of(f, std::vector<bool>(f.blocks.size(), true))) {
      if (waiting_in(loop, own).empty()) continue;
      for (const block* b : loop)
        if (b->ending != 0) marked.insert(b->ending);
    }
  }

  // Ways out of a loop that do something for those that wait, as releasing a lock before `break`, come back
  // to the end of the loop, which then is left by a flag. False when there is no such way.
  bool pull_one_way() {
    for (const function& f : functions_) {
      const std::set<std::string> own = own_of(f);
      std::vector<std::pair<blocks, std::vector<bool>>> work;  // loops, and those inside them
      const auto add = [&](const std::vector<bool>& among) {
        for (blocks& loop : loops_of(f, among))
          work.emplace_back(std::move(loop), std::vector<bool>(f.blocks.size()));
      };
      add(std::vector<bool>(f.blocks.size(), true));
      while (!work.empty()) {
        auto [loop, inside] = std::move(work.back());
        work.pop_back();
        const block* header = header_of(f, loop);
        for (const block* b : loop)
          inside[static_cast<std::size_t>(b - f.blocks.data())] = b != (header != nullptr ? header : loop.front());
        add(inside);
        if (header != nullptr && pull(f, loop, *header, own)) return true;
      }
    }
    return false;
  }

  // The only block by which the loop is entered.
  static const block* header_of(const function& f, const blocks& loop) {
    const std::set<const block*> members(loop.begin(), loop.end());
    const block* header = nullptr;
    for (const block* b : loop)
      for (const block& from : f.blocks) {
        if (members.count(&from) != 0 || !has_successor(from, b->label) || header == b) continue;
        if (header != nullptr) return nullptr;
        header = b;
      }
    return header;
  }
  static bool has_successor(const block& b, const std::string& label) {
    return std::find(b.successors.begin(), b.successors.end(), label) != b.successors.end();
  }

  bool pull(const function& f, const blocks& loop, const block& header, const std::set<std::string>& own) {
    // The source's loop body: what stands between the blocks of the loop is inside its braces.
    const auto [first, last] = std::minmax_element(loop.begin(), loop.end());
    std::set<const block*> body(loop.begin(), loop.end());
    std::set<const block*> ways;
    for (const block* b = *first; b != *last; ++b)
      if (body.insert(b).second) ways.insert(b);
    const std::set<const block*> waiting = waiting_in(loop, own);
    const auto leads_out = [&](const block* b) {
      return std::any_of(ways.begin(), ways.end(), [&](const block* way) { return has_successor(*b, way->label); });
    };
    if (std::none_of(waiting.begin(), waiting.end(), leads_out)) return false;
    if (std::none_of(ways.begin(), ways.end(), [&](const block* b) { return writes(*b, own); })) return false;
    if (!can_be_pulled(f, body, header)) return false;

    const std::string number = std::to_string(pulled_++);
    const std::string flag = "%gt200.exit." + number;
    const std::string latch = "gt200.latch." + number;
    const std::string pointer = has_opaque_pointers() ? "ptr " : "i32* ";
    std::vector<std::string> targets;
    std::string returns;
    const auto edge_to = [&](const std::string& target) {
      const auto known = std::find(targets.begin(), targets.end(), target);
      const auto way = known - targets.begin();
      if (known == targets.end()) targets.push_back(target);
      return "gt200.edge." + number + "." + std::to_string(way + 1);
    };
    const std::size_t end = (*last)->lines.back() + 1;
    for (const block* b : body) {
      const std::size_t ending = b->ending != 0 ? b->ending : b->lines.back();
      if (lines_[ending].compare(0, 6, "  ret ") == 0) {
        const std::string target = "gt200.return." + number + "." + std::to_string(targets.size());
        returns += "\n" + target + ":\n" + lines_[ending] + "\n";
        lines_[ending] = "  br label %" + edge_to("%" + target);
        continue;
      }
      const bool stays = b == &header && waiting.count(b) == 0;  // the condition of the loop itself
      for (const std::string& to : b->successors) {
        const bool is_inside =
            std::any_of(body.begin(), body.end(), [&](const block* x) { return x->label == to; });
        if (to == header.label)
          redirect(*b, to, latch);
        else if (!is_inside && !stays)
          redirect(*b, to, edge_to(to));
      }
    }
    std::string added = "\n" + latch + ":\n  " + flag + ".way = load i32, " + pointer + flag + "\n  store i32 0, " +
                        pointer + flag + "\n  switch i32 " + flag + ".way, label " + header.label + " [";
    for (std::size_t way = 0; way < targets.size(); ++way)
      added += " i32 " + std::to_string(way + 1) + ", label " + targets[way];
    added += " ]\n";
    for (std::size_t way = 0; way < targets.size(); ++way)
      added += "\ngt200.edge." + number + "." + std::to_string(way + 1) + ":\n  store i32 " +
               std::to_string(way + 1) + ", " + pointer + flag + "\n  br label %" + latch + "\n";
    insert(end, added + returns);
    insert(f.blocks.front().lines.front(), "  " + flag + " = alloca i32\n  store i32 0, " + pointer + flag + "\n");
    return true;
  }

  // Pointers of LLVM 14 have the type of what they point to.
  bool has_opaque_pointers() const {
    return std::any_of(lines_.begin(), lines_.end(), [](const std::string& line) {
      return (has(line, " store ") || has(line, " load ")) && has(line, ", ptr ");
    });
  }

  // Something that other threads can see.
  bool writes(const block& b, const std::set<std::string>& own) const {
    return std::any_of(b.lines.begin(), b.lines.end(), [&](std::size_t n) {
      const std::string& line = lines_[n];
      if (is_atomic(line) || calls_waiting(line)) return true;
      const std::vector<std::string> used = names_in(line, '%');
      return has(line, "  store ") && (used.empty() || own.count(used.back()) == 0);
    });
  }

  // No value of the body may be needed behind it, where not every way has made it.
  bool can_be_pulled(const function& f, const std::set<const block*>& body, const block& header) const {
    std::set<std::string> made;
    for (const block* b : body)
      for (const std::size_t n : b->lines) {
        if (has(lines_[n], "%\"") || has(lines_[n], " invoke ")) return false;
        made.insert(defined_by(lines_[n]));
      }
    made.erase("");
    const auto uses_made = [&](const std::string& line) {
      const std::vector<std::string> used = names_in(line, '%');
      return std::any_of(used.begin(), used.end(), [&](const std::string& v) { return made.count(v) != 0; });
    };
    for (const block& b : f.blocks) {
      const bool is_inside = body.count(&b) != 0;
      const bool is_target =
          &b == &header || (!is_inside && std::any_of(body.begin(), body.end(),
                                                      [&](const block* x) { return has_successor(*x, b.label); }));
      for (const std::size_t n : b.lines) {
        if (is_target && has(lines_[n], " = phi ")) return false;
        if (!is_inside && uses_made(lines_[n])) return false;
        if (is_inside && lines_[n].compare(0, 6, "  ret ") == 0 && uses_made(lines_[n])) return false;
      }
    }
    return true;
  }

  void redirect(const block& b, const std::string& from, const std::string& to) {
    for (std::size_t n = b.ending != 0 ? b.ending : b.lines.back(); n <= b.lines.back(); ++n) {
      std::string& line = lines_[n];
      const std::string label = "label " + from;
      for (std::size_t at = line.find(label); at != std::string::npos; at = line.find(label, at + 1)) {
        const std::size_t behind = at + label.size();
        if (behind < line.size() && is_in_name(line[behind])) continue;
        line.replace(at, label.size(), "label %" + to);
      }
    }
  }

  void insert(std::size_t before, const std::string& text) {
    std::vector<std::string> more;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) more.push_back(line);
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(before), more.begin(), more.end());
  }

  // Sets of blocks that reach each other: loops with all that are inside them. By Kosaraju's algorithm. `among`:
  // the blocks that count.
  static std::vector<blocks> loops_of(const function& f, const std::vector<bool>& among) {
    const std::size_t size = f.blocks.size();
    std::map<std::string, std::size_t> by_label;
    for (std::size_t k = 0; k < size; ++k) by_label[f.blocks[k].label] = k;
    std::vector<std::vector<std::size_t>> next(size), before(size);
    for (std::size_t k = 0; k < size; ++k)
      for (const std::string& label : f.blocks[k].successors)
        if (const auto to = by_label.find(label); to != by_label.end() && among[k] && among[to->second]) {
          next[k].push_back(to->second);
          before[to->second].push_back(k);
        }
    // Depth first, with the places where a block is left behind those of all that it reaches.
    std::vector<std::size_t> order;
    std::vector<bool> seen(size);
    for (std::size_t start = 0; start < size; ++start) {
      if (seen[start]) continue;
      std::vector<std::pair<std::size_t, std::size_t>> path = {{start, 0}};
      seen[start] = true;
      while (!path.empty()) {
        auto& [at, way] = path.back();
        if (way == next[at].size()) {
          order.push_back(at);
          path.pop_back();
        } else if (const std::size_t to = next[at][way++]; !seen[to]) {
          seen[to] = true;
          path.emplace_back(to, 0);
        }
      }
    }
    std::vector<bool> taken(size);
    std::vector<blocks> loops;
    for (auto start = order.rbegin(); start != order.rend(); ++start) {
      if (taken[*start]) continue;
      std::vector<std::size_t> work = {*start};
      std::vector<std::size_t> members;
      taken[*start] = true;
      while (!work.empty()) {
        members.push_back(work.back());
        work.pop_back();
        for (const std::size_t from : before[members.back()])
          if (!taken[from]) {
            taken[from] = true;
            work.push_back(from);
          }
      }
      const auto& own = next[members.front()];
      if (members.size() == 1 && std::find(own.begin(), own.end(), members.front()) == own.end()) continue;
      loops.emplace_back();
      for (const std::size_t k : members) loops.back().push_back(&f.blocks[k]);
    }
    return loops;
  }

  std::vector<std::string> lines_;
  std::vector<function> functions_;
  std::set<std::string> waiting_;
  unsigned pulled_ = 0;
};

}  // namespace

bool may_wait(std::string_view ptx) {
  return ptx.find("atom.") != std::string_view::npos || ptx.find("ld.volatile") != std::string_view::npos;
}

std::optional<std::string> with_kept_loops(const std::string& code) { return keeper(code).run(); }

std::vector<std::string> for_unoptimised_code() { return {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-w"}; }

std::vector<std::string> from_unoptimised_code(const std::vector<std::string>& options, unsigned address_bits,
                                               const std::string& chip) {
  std::vector<std::string> words = {
      address_bits == 32 ? "--target=nvptx-nvidia-cuda" : "--target=nvptx64-nvidia-cuda",
      "-nogpulib",
      "-x",
      "ir",
      "-O2",
      "-w",
      "-Xclang",
      "-target-cpu",
      "-Xclang",
      chip};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

std::string with_version_of(const std::string& like, const std::string& ptx) {
  const auto version_in = [](const std::string& text) {
    const std::size_t at = text.find(".version ");
    return std::pair(at, at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at));
  };
  const auto [ignored, wanted] = version_in(like);
  const auto [at, present] = version_in(ptx);
  if (wanted.empty() || present.empty()) return ptx;
  std::string result = ptx;
  return result.replace(at, present.size(), wanted);
}

}  // namespace gt200::cuda
