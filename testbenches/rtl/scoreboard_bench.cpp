#include "testbenches/rtl/scoreboard_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/bits.h"

namespace gt200::support {
namespace {

using isa::register_file_kind;
using isa::register_range;
using model::scoreboard_entry;
using model::warp_slot;

constexpr unsigned lookup_ports = 3;
constexpr unsigned release_ports = 9;
constexpr unsigned few_warps = 8;
constexpr std::array<register_file_kind, 3> files = {register_file_kind::gpr, register_file_kind::condition,
                                                     register_file_kind::address};
const char* name_of(register_file_kind file) {
  return file == register_file_kind::gpr ? "$r" : file == register_file_kind::condition ? "$c" : "$a";
}

// When entries are taken with the look-up, the model asks the buffer for nothing; it only says what to clear.
class clears : public model::dependency_vectors {
 public:
  unsigned buffered(warp_slot) const override { return 0; }
  const model::buffered_instruction& at(warp_slot, unsigned) const override { return none_; }
  void set_dependencies(warp_slot, unsigned, std::uint64_t) override {}
  void clear_dependencies(warp_slot, std::uint64_t dependencies) override { cleared |= dependencies; }
  std::uint64_t cleared = 0;

 private:
  model::buffered_instruction none_;
};

std::string text_of(const register_range& r) { return fmt::format("{}{}+{}", name_of(r.file), r.first, r.count); }
std::string registers_of(const isa::instruction& i) {
  std::string text = "reads";
  for (unsigned k = 0; k < i.read_count; ++k) text += " " + text_of(i.reads[k]);
  text += ", writes";
  for (unsigned k = 0; k < i.write_count; ++k) text += " " + text_of(i.writes[k]);
  return text;
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

std::string text_of(std::uint64_t cleared, bool full) {
  return fmt::format("clears {:b}{}", cleared, full ? ", full" : "");
}

}  // namespace

scoreboard_bench::scoreboard_bench(tlm_bus::clock_domain& domain, const config::sm_config& config,
                                   std::unique_ptr<rtl::scoreboard_pins> pins, std::uint64_t seed)
    : domain_(domain),
      config_(config),
      warps_(config.limits.warps),
      entries_(config.scoreboard.entries_per_warp),
      model_(domain, config),
      rtl_(std::move(pins)),
      random_(seed),
      freed_(warps_),
      taken_(warps_),
      found_(warps_),
      freed_last_(warps_) {
  list_bins();
}

void scoreboard_bench::list_bins() {
  const auto bin = [&](const std::string& name) { bins_.emplace(name, 0); };
  for (unsigned w = 0; w < warps_; ++w)
    for (const char* what : {"enters", "refused", "full", "flushed"}) bin(fmt::format("warp {} {}", w, what));
  for (unsigned e = 0; e < entries_; ++e)
    for (const char* what : {"taken", "found", "released", "squashed", "flushed", "taken right after its release"})
      bin(fmt::format("entry {} {}", e, what));
  for (unsigned n = 0; n <= entries_; ++n) bin(fmt::format("look-up with {} entries in use", n));
  for (unsigned n = 0; n <= 4; ++n) bin(fmt::format("{} destinations enter", n));
  for (const char* why : {"too few entries free", "region to be taken, entries in use", "region is taken"})
    if (entries_ < 4 || std::string(why) == "too few entries free") bin(std::string("refused: ") + why);
  for (unsigned size = 1; size <= 4; ++size)
    for (const char* role : {"source", "destination"}) {
      bin(fmt::format("{} of {} registers found", role, size));
      bin(fmt::format("{} finds an entry of {} registers", role, size));
    }
  for (const register_file_kind file : files) bin(fmt::format("{} found", name_of(file)));
  bin("same number in another file, not found");
  for (const char* how :
       {"just below", "just above", "apart", "equal", "around", "from below", "from above", "inside"})
    bin(fmt::format("operand and entry: {}", how));
  for (unsigned p = 0; p < lookup_ports; ++p) bin(fmt::format("look-up port {}", p));
  for (unsigned p = 0; p < release_ports; ++p) bin(fmt::format("release port {}", p));
  for (const char* what :
       {"finds an entry taken in the same cycle", "refused for what was taken in the same cycle",
        "finds an entry released in the same cycle", "finds an entry flushed in the same cycle",
        "releases an entry found in the same cycle", "two releases for one warp in a cycle", "squash",
        "flush while entries are released", "full and not full again in the next cycle",
        "enters and releases in the same cycle and warp"})
    bin(what);
}

scoreboard_bench::phase scoreboard_bench::draw_phase() {
  phase p;
  p.enters = 1 + draw(lookup_ports);
  p.releases = draw(4) == 0 ? release_ports : draw(4);
  p.warps = draw(2) == 0 ? 1 + draw(3) : 1 + draw(warps_);
  p.first_warp = draw(warps_);
  p.registers = 4u << draw(4);
  return p;
}

unsigned scoreboard_bench::draw_warp() { return (phase_.first_warp + draw(phase_.warps)) % warps_; }

register_range scoreboard_bench::draw_range() {
  const register_file_kind file = draw(3) != 0 ? register_file_kind::gpr : files[1 + draw(2)];
  const unsigned count = 1 + draw(4);
  const unsigned numbers = file == register_file_kind::gpr ? 128 : file == register_file_kind::address ? 8 : 4;
  unsigned first = draw(std::min(phase_.registers, numbers));
  if (draw(8) == 0) first = numbers - 1 - draw(4);  // the upper end of the file
  return {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
}

isa::instruction scoreboard_bench::draw_instruction() {
  isa::instruction i;
  i.write_count = static_cast<std::uint8_t>(draw(3) == 0 ? draw(5) : draw(2));
  i.read_count = static_cast<std::uint8_t>(draw(3) == 0 ? draw(9) : draw(3));
  for (unsigned k = 0; k < i.write_count; ++k) i.writes[k] = draw_range();
  for (unsigned k = 0; k < i.read_count; ++k) i.reads[k] = draw_range();
  note_registers(i);
  return i;
}

void scoreboard_bench::cover_look_up(unsigned warp, const isa::instruction& instruction,
                                     const model::dependency_tracker::lookup& result, std::uint64_t pending) {
  hit(fmt::format("look-up port {}", entered_));
  hit(fmt::format("warp {} {}", warp, result.entered ? "enters" : "refused"));
  if (!result.entered) {
    hit(std::string("refused: ") + (model_.region_taken(warp_slot(warp)) ? "region is taken"
                                    : instruction.write_count > entries_ ? "region to be taken, entries in use"
                                                                         : "too few entries free"));
    if (taken_[warp] != 0) hit("refused for what was taken in the same cycle");
    return;
  }
  hit(fmt::format("look-up with {} entries in use", __builtin_popcountll(pending)));
  hit(fmt::format("{} destinations enter", instruction.write_count));
  if ((result.dependencies & taken_[warp]) != 0) hit("finds an entry taken in the same cycle");
  if ((result.dependencies & freed_[warp]) != 0) hit("finds an entry released in the same cycle");
  for (unsigned e = 0; e < entries_; ++e) {
    if ((result.allocated >> e & 1) != 0) {
      hit(fmt::format("entry {} taken", e));
      if ((freed_last_[warp] >> e & 1) != 0) hit(fmt::format("entry {} taken right after its release", e));
    }
    if ((result.dependencies >> e & 1) != 0) hit(fmt::format("entry {} found", e));
    if ((pending >> e & 1) == 0 || (result.allocated >> e & 1) != 0) continue;
    const register_range& entry = model_.range_of(warp_slot(warp), scoreboard_entry(e));
    const auto cover_operand = [&](const register_range& operand, const char* role) {
      if (operand.file != entry.file) {
        if (operand.first == entry.first && (result.dependencies >> e & 1) == 0)
          hit("same number in another file, not found");
        return;
      }
      const std::string how = relation(operand, entry);
      hit("operand and entry: " + how);
      if (how == "apart" || how == "just below" || how == "just above") return;
      hit(fmt::format("{} found", name_of(entry.file)));
      hit(fmt::format("{} of {} registers found", role, operand.count));
      hit(fmt::format("{} finds an entry of {} registers", role, entry.count));
    };
    for (unsigned k = 0; k < instruction.read_count; ++k) cover_operand(instruction.reads[k], "source");
    for (unsigned k = 0; k < instruction.write_count; ++k) cover_operand(instruction.writes[k], "destination");
  }
}

void scoreboard_bench::enter() {
  const unsigned warp = draw_warp();
  const isa::instruction instruction = draw_instruction();
  const std::uint64_t pending = model_.pending_at_edge(warp_slot(warp)) | taken_[warp];
  const bool later = rtl_->latency() != 0;
  if (later && ports_ == lookup_ports) return;  // even refused look-ups keep their port
  ++ports_;
  const auto expected = model_.enter(warp_slot(warp), instruction);
  asked a{domain_.cycle() + rtl_->latency(), 0,    warp, "look-up, " + registers_of(instruction), expected,
          model_.full(warp_slot(warp)),      false};
  rtl::scoreboard_pins::answer got;
  if (later)
    a.port = rtl_->ask(warp, instruction);
  else
    got = rtl_->enter(warp, instruction);
  a.rtl_full = rtl_->full_next(warp);
  cover_look_up(warp, instruction, expected, pending);
  touched_ |= model::warp_bit(warp_slot(warp));
  if (expected.entered) ++entered_;
  found_[warp] |= expected.dependencies;
  if (expected.allocated != 0) held_.push_back({warp, expected.allocated, domain_.cycle()});
  if (later)
    asked_.push_back(a);
  else
    compare(a, got);
  taken_[warp] |= expected.allocated;
}

void scoreboard_bench::compare(const asked& a, const rtl::scoreboard_pins::answer& got) {
  const auto text = [](bool entered, std::uint64_t dependencies, std::uint64_t allocated, bool full) {
    return fmt::format("{}, vector {:b}, takes {:b}{}", entered ? "enters" : "refused", dependencies, allocated,
                       full ? ", full" : "");
  };
  const auto& expected = a.expected;
  if (got.accepted != expected.entered || got.dependencies != expected.dependencies ||
      got.allocated != expected.allocated || a.rtl_full != a.full)
    differs(a.warp, a.question, text(expected.entered, expected.dependencies, expected.allocated, a.full),
            text(got.accepted, got.dependencies, got.allocated, a.rtl_full));
}

void scoreboard_bench::release(bool squash) {
  std::vector<std::size_t> old;
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held_[i].since < domain_.cycle()) old.push_back(i);
  if (old.empty()) return;
  const std::size_t which = old[draw(static_cast<unsigned>(old.size()))];
  const held h = held_[which];
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));

  clears told;
  model_.complete(warp_slot(h.warp), {}, h.entries, told);
  const std::uint64_t got = squash ? rtl_->squash(h.warp, h.entries) : rtl_->release(h.warp, h.entries);
  if (squash)
    hit("squash");
  else
    hit(fmt::format("release port {}", released_++));
  for (unsigned e = 0; e < entries_; ++e)
    if ((h.entries >> e & 1) != 0) hit(fmt::format("entry {} {}", e, squash ? "squashed" : "released"));
  if (freed_[h.warp] != 0) hit("two releases for one warp in a cycle");
  if ((found_[h.warp] & h.entries) != 0) hit("releases an entry found in the same cycle");
  if (taken_[h.warp] != 0) hit("enters and releases in the same cycle and warp");
  freed_[h.warp] |= h.entries;
  touched_ |= model::warp_bit(warp_slot(h.warp));
  if (got != told.cleared || rtl_->full_next(h.warp) != model_.full(warp_slot(h.warp)))
    differs(h.warp, fmt::format("{} of {:b}", squash ? "squash" : "release", h.entries),
            text_of(told.cleared, model_.full(warp_slot(h.warp))), text_of(got, rtl_->full_next(h.warp)));
}

void scoreboard_bench::flush() {
  const unsigned warp = draw_warp();
  const std::uint64_t pending = model_.pending_at_edge(warp_slot(warp));
  if (freed_[warp] != 0) hit("flush while entries are released");
  if ((found_[warp] & pending) != 0) hit("finds an entry flushed in the same cycle");
  held_.erase(std::remove_if(held_.begin(), held_.end(),
                             [&](const held& h) { return h.warp == warp && h.since < domain_.cycle(); }),
              held_.end());
  clears told;
  model_.complete(warp_slot(warp), {}, pending, told);
  const std::uint64_t got = rtl_->flush(warp);
  hit(fmt::format("warp {} flushed", warp));
  for (unsigned e = 0; e < entries_; ++e)
    if ((pending >> e & 1) != 0) hit(fmt::format("entry {} flushed", e));
  freed_[warp] |= pending;
  touched_ |= model::warp_bit(warp_slot(warp));
  if (got != pending || rtl_->full_next(warp) != model_.full(warp_slot(warp)))
    differs(warp, "flush", text_of(pending, model_.full(warp_slot(warp))), text_of(got, rtl_->full_next(warp)));
}

void scoreboard_bench::end_cycle() {
  for (unsigned w = 0; w < warps_; ++w) {
    const bool was_full = __builtin_popcountll(model_.pending_at_edge(warp_slot(w))) == static_cast<int>(entries_);
    if (model_.full(warp_slot(w))) hit(fmt::format("warp {} full", w));
    if (was_full && !model_.full(warp_slot(w))) hit("full and not full again in the next cycle");
  }
  rtl_->edge();
  domain_.set_edge(domain_.cycle() + 1);
  for (const asked& a : asked_)
    if (a.due == domain_.cycle()) compare(a, rtl_->answered(a.port));
  asked_.erase(
      std::remove_if(asked_.begin(), asked_.end(), [&](const asked& a) { return a.due == domain_.cycle(); }),
      asked_.end());
  if (warps_ <= few_warps) touched_ = model::first_warps(warps_);
  for (const unsigned warp : set_bits(touched_)) {
    if (difference_) break;
    const auto region = rtl_->inspect(warp);
    const std::uint64_t pending = model_.pending_at_edge(warp_slot(warp));
    bool same =
        region.pending == pending && (pending == 0 || region.taken_whole == model_.region_taken(warp_slot(warp)));
    if (same && !region.taken_whole)
      for (const auto& entry : region.entries) {
        const register_range& r = model_.range_of(warp_slot(warp), scoreboard_entry(entry.index));
        same = same && entry.range.file == r.file && entry.range.first == r.first && entry.range.count == r.count;
      }
    if (!same) differs(warp, "contents", fmt::format("{:b}", pending), fmt::format("{:b}", region.pending));
  }
  freed_last_ = freed_;
  for (auto* of_cycle : {&freed_, &taken_, &found_}) std::fill(of_cycle->begin(), of_cycle->end(), 0);
  entered_ = released_ = ports_ = 0;
  touched_ = 0;
}

std::optional<std::string> scoreboard_bench::run(tlm_bus::cycle_t cycles) {
  enum class operation { enter, release, squash, flush };
  for (; cycles != 0 && !difference_; --cycles) {
    if (domain_.cycle() % 64 == 0) phase_ = draw_phase();
    std::vector<operation> operations;
    operations.insert(operations.end(), draw(phase_.enters + 1), operation::enter);
    operations.insert(operations.end(), draw(phase_.releases + 1), operation::release);
    if (draw(16) == 0) operations.push_back(operation::squash);
    if (draw(64) == 0) operations.push_back(operation::flush);
    // std::shuffle differs between libraries.
    for (std::size_t i = operations.size(); i > 1; --i)
      std::swap(operations[i - 1], operations[draw(static_cast<unsigned>(i))]);
    for (const operation o : operations) {
      if (difference_) break;
      switch (o) {
        case operation::enter: enter(); break;
        case operation::release: release(false); break;
        case operation::squash: release(true); break;
        case operation::flush: flush(); break;
      }
    }
    end_cycle();
  }
  return difference_;
}

void scoreboard_bench::differs(unsigned warp, const std::string& question, const std::string& model,
                               const std::string& rtl) {
  if (difference_) return;
  difference_ = fmt::format("cycle {}, warp {}: {}\n  model: {}\n  RTL:   {}\n{}", domain_.cycle(), warp, question,
                            model, rtl, contents(warp));
}

std::string scoreboard_bench::contents(unsigned warp) {
  const std::uint64_t pending = model_.pending_at_edge(warp_slot(warp));
  const auto of_model = [&](std::uint64_t entries) {
    std::string listed;
    for (const unsigned e : set_bits(entries)) {
      listed += fmt::format(" {}:{}", e,
                            model_.region_taken(warp_slot(warp))
                                ? "region"
                                : text_of(model_.range_of(warp_slot(warp), scoreboard_entry(e))));
    }
    return listed;
  };
  std::string text = "  model at the edge:" + of_model(pending);
  if ((taken_[warp] & ~pending) != 0) text += "\n  in this cycle:    " + of_model(taken_[warp] & ~pending);
  text += "\n  RTL at the edge:  ";
  const auto region = rtl_->inspect(warp);
  for (const auto& entry : region.entries)
    text += fmt::format(" {}:{}", entry.index, region.taken_whole ? "region" : text_of(entry.range));
  return text + "\n";
}

}  // namespace gt200::support
