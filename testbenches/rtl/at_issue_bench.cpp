#include "testbenches/rtl/at_issue_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sc_models/sm/cosimulation/rtl_at_issue.h"
#include "sc_models/sm/cosimulation/scoreboard_text.h"
#include "toolchain/bits.h"

namespace gt200::support {
namespace {

using isa::register_file_kind;
using isa::register_range;
using model::scoreboard_entry;
using model::warp_slot;

constexpr unsigned lookup_ports = 2;
constexpr unsigned issue_ports = 2;
constexpr unsigned release_ports = 9;
constexpr unsigned few_warps = 8;
constexpr std::uint64_t no_room = model::entry_bit(model::coon_tracker::room_bit);
constexpr std::array<register_file_kind, 3> files = {register_file_kind::gpr, register_file_kind::condition,
                                                     register_file_kind::address};
const char* name_of(register_file_kind file) {
  return file == register_file_kind::gpr ? "$r" : file == register_file_kind::condition ? "$c" : "$a";
}

const char* relation(const register_range& operand, const register_range& entry) {
  const int first = operand.first, last = operand.first + operand.count - 1;
  const int entry_first = entry.first, entry_last = entry.first + entry.count - 1;
  if (last + 1 == entry_first) return "just below";
  if (entry_last + 1 == first) return "just above";
  if (last < entry_first || entry_last < first) return "apart";
  if (first == entry_first && last == entry_last) return "equal";
  if (first < entry_first) return last > entry_last ? "around" : "from below";
  return last > entry_last ? "from above" : "inside";
}

std::string text_of_vectors(const std::vector<std::uint64_t>& vectors) {
  std::string text;
  for (const std::uint64_t v : vectors)
    text += (text.empty() ? "" : "; ") + model::set_of(v & ~no_room) + ((v & no_room) != 0 ? " without room" : "");
  return text.empty() ? "none" : text;
}

// One line for each.
std::string text_of_list(const char* what, const rtl::scoreboard_at_issue_pins::instruction_list& list) {
  std::string text;
  for (const isa::instruction* i : list) text += fmt::format("\n  {}: {}", what, model::operands_of(*i));
  return text;
}

}  // namespace

at_issue_bench::at_issue_bench(tlm_bus::clock_domain& domain, const config::sm_config& config,
                               std::unique_ptr<pins> rtl, std::uint64_t seed)
    : domain_(domain),
      config_(config),
      warps_(config.limits.warps),
      entries_(config.scoreboard.entries_per_warp),
      room_(config.instruction_buffer.entries_per_warp),
      model_(domain, config),
      rtl_(std::move(rtl)),
      random_(seed),
      buffer_(warps_),
      taken_(warps_),
      freed_(warps_),
      freed_last_(warps_),
      cleared_(warps_) {
  list_bins();
}

void at_issue_bench::list_bins() {
  const auto bin = [&](const std::string& name) { bins_.emplace(name, 0); };
  for (unsigned w = 0; w < warps_; ++w)
    for (const char* what : {"enters", "issues", "full"}) bin(fmt::format("warp {} {}", w, what));
  for (unsigned e = 0; e < entries_; ++e) {
    for (const char* what : {"taken", "released", "taken right after its release", "found by a look-up"})
      bin(fmt::format("entry {} {}", e, what));
    if (room_ > 1) bin(fmt::format("entry {} found by a younger instruction", e));
  }
  for (unsigned n = 0; n <= entries_; ++n) bin(fmt::format("look-up with {} entries in use", n));
  for (unsigned n = 0; n <= 4; ++n) bin(fmt::format("{} destinations issue", n));
  for (unsigned n = 0; n < room_; ++n) bin(fmt::format("{} younger instructions are looked up again", n));
  for (unsigned n = 0; n <= room_; ++n) bin(fmt::format("{} instructions wait at a release", n));
  for (const char* where : {"look-up", "younger"}) {
    if (room_ == 1 && *where == 'y') continue;
    for (const char* how :
         {"just below", "just above", "apart", "equal", "around", "from below", "from above", "inside"})
      bin(fmt::format("{}: operand and entry {}", where, how));
    for (unsigned size = 1; size <= 4; ++size) {
      bin(fmt::format("{}: source of {} registers finds", where, size));
      bin(fmt::format("{}: destination of {} registers finds", where, size));
    }
    for (const register_file_kind file : files) bin(fmt::format("{}: {} found", where, name_of(file)));
    bin(fmt::format("{}: same number in another file", where));
    bin(fmt::format("{}: no room", where));
    bin(fmt::format("{}: room", where));
    if (entries_ < 4) {
      bin(fmt::format("{}: region found", where));
      bin(fmt::format("{}: no room for a region", where));
    }
  }
  for (const char* what : {"room comes with a release", "enters and issues in one cycle",
                           "finds an entry taken in the same cycle", "finds an entry released in the same cycle"})
    bin(what);
  // With one entry there is room, or nothing completes.
  if (entries_ > 1)
    for (const char* what : {"a release leaves no room", "no room although entries are released in the same cycle",
                             "issues and releases in one cycle", "two releases for one warp in a cycle"})
      bin(what);
  if (entries_ < 4) bin("a region is taken");
  for (unsigned p = 0; p < lookup_ports; ++p) bin(fmt::format("look-up port {}", p));
  for (unsigned p = 0; p < issue_ports; ++p) bin(fmt::format("issue port {}", p));
  for (unsigned p = 0; p < release_ports; ++p) bin(fmt::format("release port {}", p));
}

at_issue_bench::phase at_issue_bench::draw_phase() {
  phase p;
  p.enters = 1 + draw(lookup_ports);
  p.issues = 1 + draw(issue_ports);
  p.releases = draw(4) == 0 ? release_ports : draw(4);
  p.warps = draw(2) == 0 ? 1 + draw(3) : 1 + draw(warps_);
  p.first_warp = draw(warps_);
  p.registers = 4u << draw(4);
  // In one phase of three, few warps use up their entries: little conflicts, and little completes.
  p.fills = draw(3) == 0;
  if (p.fills) {
    p.enters = lookup_ports;
    p.issues = issue_ports;
    p.releases = draw(2);
    p.warps = 1 + draw(2);
    p.registers = 128;
  }
  return p;
}

register_range at_issue_bench::draw_range() {
  const register_file_kind file = phase_.fills || draw(3) != 0 ? register_file_kind::gpr : files[1 + draw(2)];
  const unsigned count = phase_.fills ? 1 : 1 + draw(4);
  const unsigned numbers = file == register_file_kind::gpr ? 128 : file == register_file_kind::address ? 8 : 4;
  unsigned first = draw(std::min(phase_.registers, numbers));
  if (draw(8) == 0) first = numbers - 1 - draw(4);  // the upper end of the file
  return {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
}

isa::instruction at_issue_bench::draw_instruction() {
  isa::instruction i;
  i.write_count = static_cast<std::uint8_t>(phase_.fills || draw(3) == 0 ? draw(5) : draw(2));
  i.read_count = static_cast<std::uint8_t>(phase_.fills ? draw(2) : draw(3) == 0 ? draw(9) : draw(3));
  for (unsigned k = 0; k < i.write_count; ++k) i.writes[k] = draw_range();
  for (unsigned k = 0; k < i.read_count; ++k) i.reads[k] = draw_range();
  note_registers(i);
  return i;
}

void at_issue_bench::clear_dependencies(warp_slot warp, std::uint64_t dependencies) {
  for (slot& s : buffer_[warp.index()]) s.seen.dependencies &= ~dependencies;
  cleared_[warp.index()] |= dependencies;
}

std::vector<std::uint64_t> at_issue_bench::vectors_of(unsigned warp, unsigned from) const {
  std::vector<std::uint64_t> result;
  for (unsigned i = from; i < buffer_[warp].size(); ++i) result.push_back(buffer_[warp][i].seen.dependencies);
  return result;
}

// `which`: "look-up", or "younger", which sees only entries just taken.
void at_issue_bench::cover_look_up(unsigned warp, const isa::instruction& instruction, std::uint64_t vector,
                                   const char* which) {
  const bool again = *which == 'y';
  const std::uint64_t seen = again ? taken_[warp] : model_.pending_at_edge(warp_slot(warp)) | taken_[warp];
  const bool room = (vector & no_room) == 0;
  hit(fmt::format("{}: {}", which, room ? "room" : "no room"));
  if (!room && instruction.write_count > entries_) hit(fmt::format("{}: no room for a region", which));
  if (!room && (freed_[warp] & ~taken_[warp]) != 0) hit("no room although entries are released in the same cycle");
  if (seen == 0) return;
  if (model_.region_taken(warp_slot(warp))) return hit(fmt::format("{}: region found", which));
  for (const unsigned e : set_bits(seen)) {
    if ((vector >> e & 1) != 0)
      hit(fmt::format("entry {} found by a {}", e, again ? "younger instruction" : "look-up"));
    const register_range& entry = model_.range_of(warp_slot(warp), scoreboard_entry(e));
    const auto cover_operand = [&](const register_range& operand, const char* role) {
      if (operand.file != entry.file) {
        if (operand.first == entry.first) hit(fmt::format("{}: same number in another file", which));
        return;
      }
      const std::string how = relation(operand, entry);
      hit(fmt::format("{}: operand and entry {}", which, how));
      if (how == "apart" || how == "just below" || how == "just above") return;
      hit(fmt::format("{}: {} found", which, name_of(entry.file)));
      hit(fmt::format("{}: {} of {} registers finds", which, role, operand.count));
    };
    for (unsigned k = 0; k < instruction.read_count; ++k) cover_operand(instruction.reads[k], "source");
    for (unsigned k = 0; k < instruction.write_count; ++k) cover_operand(instruction.writes[k], "destination");
  }
}

void at_issue_bench::enter() {
  const unsigned warp = draw_warp();
  if (entered_ == lookup_ports || buffer_[warp].size() == room_) return;
  slot s;
  s.instruction = std::make_unique<isa::instruction>(draw_instruction());
  s.seen.instruction = s.instruction.get();
  const std::uint64_t pending = model_.pending_at_edge(warp_slot(warp)) | taken_[warp];
  const std::uint64_t expected = model_.enter(warp_slot(warp), *s.instruction).dependencies;
  const pins::answer got = rtl_->enter(warp, *s.instruction);
  hit(fmt::format("look-up port {}", entered_++));
  hit(fmt::format("warp {} enters", warp));
  hit(fmt::format("look-up with {} entries in use", __builtin_popcountll(pending)));
  cover_look_up(warp, *s.instruction, expected, "look-up");
  if ((expected & taken_[warp]) != 0) hit("finds an entry taken in the same cycle");
  if ((expected & freed_[warp]) != 0) hit("finds an entry released in the same cycle");
  if ((issued_warps_ & model::warp_bit(warp_slot(warp))) != 0) hit("enters and issues in one cycle");
  touched_ |= model::warp_bit(warp_slot(warp));
  compare(warp, "look-up, " + model::operands_of(*s.instruction), {0, {expected}, model_.full(warp_slot(warp))},
          {0, {model::vector_with(0, got.dependencies, got.room)}, rtl_->full_next(warp)});
  s.seen.dependencies = expected & ~cleared_[warp];
  buffer_[warp].push_back(std::move(s));
}

void at_issue_bench::issue() {
  std::vector<unsigned> ready;
  for (unsigned w = 0; w < warps_; ++w)
    if (!buffer_[w].empty() && buffer_[w].front().ready && (issued_warps_ & model::warp_bit(warp_slot(w))) == 0)
      ready.push_back(w);
  if (ready.empty() || issued_ == issue_ports) return;
  const unsigned warp = ready[draw(static_cast<unsigned>(ready.size()))];
  const isa::instruction& instruction = *buffer_[warp].front().instruction;
  issued_warps_ |= model::warp_bit(warp_slot(warp));
  touched_ |= model::warp_bit(warp_slot(warp));
  hit(fmt::format("warp {} issues", warp));
  hit(fmt::format("{} destinations issue", instruction.write_count));
  if (instruction.write_count != 0) {
    pins::instruction_list younger;
    for (unsigned i = 1; i < buffer_[warp].size(); ++i) younger.push_back(buffer_[warp][i].instruction.get());
    const pins::allocation got = rtl_->issue(warp, instruction, younger);
    answers rtl{got.taken, vectors_of(warp, 1), rtl_->full_next(warp)};
    for (unsigned i = 0; i < got.younger.size(); ++i)
      rtl.vectors[i] = model::vector_with(rtl.vectors[i], got.younger[i].dependencies, got.younger[i].room);
    const std::string question = "allocation, " + model::operands_of(instruction) +
                                 text_of_list("younger", younger) +
                                 "\n  vectors before: " + text_of_vectors(vectors_of(warp, 1));
    const std::uint64_t taken = model_.issue(warp_slot(warp), *this);
    hit(fmt::format("issue port {}", issued_++));
    hit(fmt::format("{} younger instructions are looked up again", younger.size()));
    if (instruction.write_count > entries_) hit("a region is taken");
    if (freed_[warp] != 0) hit("issues and releases in one cycle");
    for (const unsigned e : set_bits(taken)) {
      hit(fmt::format("entry {} taken", e));
      if ((freed_last_[warp] >> e & 1) != 0) hit(fmt::format("entry {} taken right after its release", e));
    }
    taken_[warp] |= taken;
    for (unsigned i = 1; i < buffer_[warp].size(); ++i)
      cover_look_up(warp, *buffer_[warp][i].instruction, buffer_[warp][i].seen.dependencies, "younger");
    compare(warp, question, {taken, vectors_of(warp, 1), model_.full(warp_slot(warp))}, rtl);
    if (taken != 0) held_.push_back({warp, taken, domain_.cycle()});
  }
  buffer_[warp].pop_front();
}

void at_issue_bench::release() {
  std::vector<std::size_t> old;
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held_[i].since < domain_.cycle()) old.push_back(i);
  if (old.empty() || released_ == release_ports) return;
  const std::size_t which = old[draw(static_cast<unsigned>(old.size()))];
  const held h = held_[which];
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
  const std::vector<std::uint64_t> before = vectors_of(h.warp, 0);
  pins::instruction_list waiting;
  for (const slot& s : buffer_[h.warp]) waiting.push_back(s.instruction.get());
  const pins::completion got = rtl_->release(h.warp, h.entries, waiting);
  answers rtl{got.cleared, before, rtl_->full_next(h.warp)};
  for (unsigned i = 0; i < got.room.size(); ++i)
    rtl.vectors[i] = model::vector_with(rtl.vectors[i] & ~got.cleared, 0, got.room[i]);
  model_.complete(warp_slot(h.warp), {}, h.entries, *this);
  const answers model{h.entries, vectors_of(h.warp, 0), model_.full(warp_slot(h.warp))};
  hit(fmt::format("release port {}", released_++));
  hit(fmt::format("{} instructions wait at a release", waiting.size()));
  for (const unsigned e : set_bits(h.entries)) hit(fmt::format("entry {} released", e));
  for (std::size_t i = 0; i < before.size(); ++i) {
    if ((before[i] & ~model.vectors[i] & no_room) != 0) hit("room comes with a release");
    if ((model.vectors[i] & no_room) != 0) hit("a release leaves no room");
  }
  if (freed_[h.warp] != 0) hit("two releases for one warp in a cycle");
  if (taken_[h.warp] != 0) hit("issues and releases in one cycle");
  freed_[h.warp] |= h.entries;
  touched_ |= model::warp_bit(warp_slot(h.warp));
  compare(h.warp,
          "release of " + model::set_of(h.entries) + text_of_list("waiting", waiting) +
              "\n  vectors before: " + text_of_vectors(before),
          model, rtl);
}

void at_issue_bench::compare(unsigned warp, const std::string& question, const answers& model, const answers& rtl) {
  if (difference_ || (model.entries == rtl.entries && model.vectors == rtl.vectors && model.full == rtl.full))
    return;
  const auto text = [](const answers& a) {
    return fmt::format("entries {}, vectors {}{}", model::set_of(a.entries), text_of_vectors(a.vectors),
                       a.full ? ", full" : "");
  };
  std::string taken;
  for (const unsigned e : set_bits(taken_[warp]))
    taken += fmt::format("  taken {}: {}\n", e,
                         model_.region_taken(warp_slot(warp))
                             ? "whole region"
                             : model::name_of(model_.range_of(warp_slot(warp), scoreboard_entry(e))));
  difference_ = fmt::format(
      "cycle {}, warp {}: {}\n  model: {}\n  RTL:   {}\n  taken in this cycle: {}\n  released in this cycle: "
      "{}\n{}{}",
      domain_.cycle(), warp, question, text(model), text(rtl), model::set_of(taken_[warp]),
      model::set_of(freed_[warp]), taken, contents(warp));
}

std::string at_issue_bench::contents(unsigned warp) {
  return model::contents_of(model_, rtl_->inspect(warp), warp_slot(warp), entries_);
}

void at_issue_bench::end_cycle() {
  for (unsigned w = 0; w < warps_; ++w)
    if (model_.full(warp_slot(w))) hit(fmt::format("warp {} full", w));
  rtl_->edge();
  domain_.set_edge(domain_.cycle() + 1);
  for (std::deque<slot>& of_warp : buffer_)
    for (slot& s : of_warp) s.ready = s.seen.dependencies == 0;
  if (warps_ <= few_warps) touched_ = model::first_warps(warps_);
  for (const unsigned warp : set_bits(touched_)) {
    if (difference_) break;
    const pins::region region = rtl_->inspect(warp);
    const std::uint64_t pending = model_.pending_at_edge(warp_slot(warp));
    bool same =
        region.pending == pending && (pending == 0 || region.taken_whole == model_.region_taken(warp_slot(warp)));
    if (same && !region.taken_whole)
      for (const auto& entry : region.entries) {
        const register_range& r = model_.range_of(warp_slot(warp), scoreboard_entry(entry.index));
        same = same && entry.range.file == r.file && entry.range.first == r.first && entry.range.count == r.count;
      }
    if (!same) difference_ = fmt::format("cycle {}, warp {}: contents\n{}", domain_.cycle(), warp, contents(warp));
  }
  freed_last_ = freed_;
  for (auto* of_cycle : {&freed_, &taken_, &cleared_}) std::fill(of_cycle->begin(), of_cycle->end(), 0);
  entered_ = issued_ = released_ = 0;
  touched_ = issued_warps_ = 0;
}

std::optional<std::string> at_issue_bench::run(tlm_bus::cycle_t cycles) {
  enum class operation { enter, issue, release };
  for (; cycles != 0 && !difference_; --cycles) {
    if (domain_.cycle() % 64 == 0) phase_ = draw_phase();
    std::vector<operation> operations;
    operations.insert(operations.end(), draw(phase_.enters + 1), operation::enter);
    operations.insert(operations.end(), draw(phase_.issues + 1), operation::issue);
    operations.insert(operations.end(), draw(phase_.releases + 1), operation::release);
    // std::shuffle differs between libraries.
    for (std::size_t i = operations.size(); i > 1; --i)
      std::swap(operations[i - 1], operations[draw(static_cast<unsigned>(i))]);
    for (const operation o : operations) {
      if (difference_) break;
      switch (o) {
        case operation::enter: enter(); break;
        case operation::issue: issue(); break;
        case operation::release: release(); break;
      }
    }
    end_cycle();
  }
  return difference_;
}

}  // namespace gt200::support
