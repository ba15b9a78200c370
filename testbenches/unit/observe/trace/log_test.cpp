// The log of a traced run: everything written is read back, and an incomplete chunk is not read.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "observe/trace/kanata.h"
#include "observe/trace/log_reader.h"
#include "observe/trace/log_writer.h"
#include "observe/trace/timeline.h"
#include "observe/trace/wave_writer.h"
#include "observe/trace/waves.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

// The content of a log as text.
class listing final : public log_visitor {
 public:
  explicit listing(const log_reader& log) : log_(log) {}
  void time(tlm_bus::femtoseconds t) override { lines.push_back("#" + std::to_string(t)); }
  void on_event(const event& e) override {
    std::string line = std::string(name_of(e.kind)) + " " + std::to_string(e.place) + " id " + std::to_string(e.id);
    for (unsigned i = 0; i < e.details; ++i) line += " " + std::to_string(e.detail[i]);
    lines.push_back(line);
  }
  void value(std::uint32_t signal, std::uint64_t v) override {
    lines.push_back(std::to_string(signal) + "=" + (signal == 1 ? log_.text(v) : std::to_string(v)));
  }
  std::vector<std::string> lines;

 private:
  const log_reader& log_;
};

class trace_log : public testing::Test {
 protected:
  ~trace_log() override { std::filesystem::remove(path_); }

  static log_definitions definitions() {
    log_definitions d;
    d.domains = {{"gt200.core", 1000}};
    d.places = {"gt200.pipe", "gt200.port"};
    d.signals = {{"gt200.count", tlm_bus::signal_kind::number, 8}, {"gt200.state", tlm_bus::signal_kind::text, 64}};
    return d;
  }
  std::vector<std::string> lines(bool cut_off = false) const {
    log_reader log(path_);
    listing visitor(log);
    log.read(visitor);
    EXPECT_EQ(log.cut_off(), cut_off);
    return visitor.lines;
  }
  const std::string path_ = testing::TempDir() + "gt200_log_" + std::to_string(::getpid());
};

TEST_F(trace_log, what_is_written_is_read) {
  log_writer writer(path_);
  writer.begin(definitions(), 0);
  writer.time(1000);
  event e;
  e.place = 1;
  e.kind = event_kind::begin_request;
  e.id = ~std::uint64_t{0};
  e.add(0);
  e.add(300);
  writer.on_event(e);
  writer.value(0, 200);
  writer.value(1, writer.number_of("a b"));
  writer.time(5000);
  writer.value(1, writer.number_of(""));
  writer.value(1, writer.number_of("a b"));
  writer.close();

  log_reader log(path_);
  EXPECT_EQ(log.definitions().domains.at(0).period, 1000u);
  EXPECT_EQ(log.definitions().places, definitions().places);
  EXPECT_EQ(log.definitions().signals.at(1).path, "gt200.state");
  EXPECT_EQ(log.definitions().signals.at(0).bits, 8u);
  EXPECT_EQ(lines(), (std::vector<std::string>{"#1000", "begin_request 1 id 18446744073709551615 0 300", "0=200",
                                               "1=a b", "#5000", "1=", "1=a b"}));
}

// Cut at every byte: only complete chunks are read, and the reader reports that something is missing.
TEST_F(trace_log, a_chunk_is_complete_or_discarded) {
  {
    log_writer writer(path_);
    writer.begin(definitions(), 0);
    for (unsigned i = 1; i <= 40'000; ++i) {  // several chunks
      writer.time(i * 1000);
      writer.value(0, std::uint64_t{i} << 20);
    }
    writer.close();
  }
  const std::vector<std::string> whole = lines();
  ASSERT_EQ(whole.size(), 80'000u);
  const auto size = std::filesystem::file_size(path_);
  std::size_t last = whole.size();
  unsigned lengths = 0;
  const auto step = size / 37;
  for (auto end = size - 1; end > 1000; end = end > step ? end - step : 0) {
    std::filesystem::resize_file(path_, end);
    const std::vector<std::string> read = lines(true);
    EXPECT_LE(read.size(), last);
    EXPECT_EQ(read, std::vector<std::string>(whole.begin(), whole.begin() + static_cast<long>(read.size())));
    lengths += read.size() != last ? 1 : 0;
    last = read.size();
  }
  EXPECT_GE(lengths, 2u);
}

TEST_F(trace_log, a_damaged_chunk_is_discarded_with_what_follows) {
  {
    log_writer writer(path_);
    writer.begin(definitions(), 0);
    writer.time(1000);
    writer.value(0, 1);
    writer.close();
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1 - static_cast<int>(sizeof(chunk_header)), std::ios::end);  // before the mark of the end
  file.put('\x55');
  file.close();
  EXPECT_EQ(lines(true), std::vector<std::string>());
}

TEST_F(trace_log, damage_is_told_from_a_missing_end) {
  {
    log_writer writer(path_);
    writer.begin(definitions(), 0);
    writer.time(1000);
    writer.value(0, 1);
    writer.close();
  }
  const auto loss = [this] {
    log_reader log(path_);
    log_visitor nothing;
    log.read(nothing);
    return log.loss();
  };
  const auto flip = [this](std::streamoff from_end) {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(-from_end, std::ios::end);
    const int byte = file.get();
    file.seekp(-from_end, std::ios::end);
    file.put(static_cast<char>(byte ^ 4));
  };
  constexpr std::streamoff mark = sizeof(chunk_header);
  const std::string damaged = "the log is damaged: what follows the damage is missing";
  EXPECT_EQ(loss(), "");
  for (const std::streamoff place :
       {mark + 1, mark, mark - 4, std::streamoff{1}}) {  // a record, magic, version, sum
    flip(place);
    EXPECT_EQ(loss(), damaged) << place;
    flip(place);
  }
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - sizeof(chunk_header));
  EXPECT_EQ(loss(), "the end of the log is missing");
}

// A run that is killed between two chunks leaves whole chunks, but not the mark of the end.
TEST_F(trace_log, that_ends_with_a_whole_chunk_is_cut_off_all_the_same) {
  {
    log_writer writer(path_);
    writer.begin(definitions(), 0);
    writer.time(1000);
    writer.value(0, 1);
    writer.close();
  }
  EXPECT_EQ(lines().size(), 2u);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - sizeof(chunk_header));
  EXPECT_EQ(lines(true).size(), 2u);
}

TEST_F(trace_log, that_nobody_begins_is_removed_unless_it_is_a_link_to_a_device) {
  { const log_writer writer(path_); }
  EXPECT_FALSE(std::filesystem::exists(path_));
  std::filesystem::create_symlink("/dev/null", path_);
  { const log_writer writer(path_); }
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(trace_log, that_is_cut_within_its_definitions_is_said_to_be_one) {
  log_writer(path_).begin(definitions(), 0);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 1);
  try {
    log_reader reader(path_);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.what(), path_ + ": is cut short before the end of its definitions");
  }
}

// With right checksums: nothing that divides by a period or loops up to a time may get these.
TEST_F(trace_log, of_clocks_signals_and_times_that_no_chip_has_is_damaged) {
  const auto refusal = [&](const log_definitions& d, tlm_bus::femtoseconds at = 1000) {
    {
      log_writer writer(path_);
      writer.begin(d, 0);
      writer.time(at);
      writer.close();
    }
    try {
      log_reader log(path_);
      log_visitor nothing;
      log.read(nothing);
    } catch (const input_error& error) {
      return std::string(error.what()).substr(path_.size());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(definitions()), "");
  for (const tlm_bus::femtoseconds period : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 50}) {
    log_definitions d = definitions();
    d.domains[0].period = period;
    EXPECT_EQ(refusal(d), ": is damaged: a clock of a period that no chip has") << period;
  }
  log_definitions wide = definitions(), other = definitions();
  wide.signals[0].bits = 65;
  other.signals[0].kind = static_cast<tlm_bus::signal_kind>(9);
  EXPECT_EQ(refusal(wide), ": is damaged: a signal of no kind that there is");
  EXPECT_EQ(refusal(other), ": is damaged: a signal of no kind that there is");
  EXPECT_EQ(refusal(definitions(), std::uint64_t{1} << 63), ": is damaged: a time that no run reaches");
}

TEST_F(trace_log, with_paths_that_lack_their_numbers_is_refused_by_views) {
  const auto written = [&](const std::string& place, const std::string& signal) {
    log_definitions d = definitions();
    d.places.push_back("gt200.tpc_0.sm_0.issue");
    d.places.push_back(place);
    d.signals.push_back({signal, tlm_bus::signal_kind::number, 8});
    log_writer writer(path_);
    writer.begin(d, 0);
    writer.time(1000);
    writer.close();
  };
  std::ostringstream to;
  written("gt200.partition_.arbiter.requests", "gt200.a");
  log_reader first(path_);
  EXPECT_THROW(write_timeline(first, to), input_error);
  written("gt200.tpc_0.sm_0.instruction_buffer", "gt200.tpc_0.sm_0.issue.warp_x.state");
  log_reader second(path_);
  EXPECT_THROW(write_pipeline_view(second, to, {}), input_error);
}

TEST_F(trace_log, with_a_gap_of_very_many_cycles_gives_small_views) {
  {
    log_writer writer(path_);
    writer.begin(definitions(), 0);
    for (const tlm_bus::femtoseconds t :
         {std::uint64_t{1000}, std::uint64_t{1} << 61, (std::uint64_t{1} << 61) + 5000}) {
      writer.time(t);
      writer.value(0, t % 7);
    }
    writer.close();
  }
  std::ostringstream timeline;
  {
    log_reader log(path_);
    write_timeline(log, timeline);
  }
  EXPECT_LT(timeline.str().size(), 10'000u);
  const std::string waves = path_ + ".vcd";
  {
    log_reader log(path_);
    const auto writer = make_vcd_writer(waves);
    write_waves(log, *writer, {});
  }
  EXPECT_LT(std::filesystem::file_size(waves), 10'000u);
  std::filesystem::remove(waves);
}

TEST_F(trace_log, other_files_are_refused) {
  std::ofstream(path_) << "no log";
  EXPECT_THROW(log_reader reader(path_), input_error);
  std::ofstream(path_).close();
  EXPECT_THROW(log_reader reader(path_), input_error);
  EXPECT_THROW(log_reader reader(path_ + ".missing"), input_error);
}

TEST_F(trace_log, a_ring_keeps_the_last_stretch_and_the_values_before_it) {
  constexpr unsigned steps = 100'000;
  log_writer writer(path_);
  writer.begin(definitions(), 5'000'000);
  writer.time(500);
  writer.value(1, writer.number_of("early"));
  for (unsigned i = 1; i <= steps; ++i) {
    writer.time(i * 1000);
    writer.value(0, i);
    if (i == steps / 2) writer.value(1, writer.number_of("late"));
  }
  EXPECT_TRUE(writer.holds_back());
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
  writer.keep_from(std::uint64_t{steps - 3} * 1000 + 1);
  writer.time(std::uint64_t{steps + 1} * 1000);
  writer.value(0, 7);
  writer.close();
  EXPECT_EQ(lines(),
            (std::vector<std::string>{"#99997001", "0=99997", "1=late", "#99998000", "0=99998", "#99999000",
                                      "0=99999", "#100000000", "0=100000", "#100001000", "0=7"}));
}

TEST_F(trace_log, a_ring_that_nobody_wants_leaves_an_empty_file) {
  log_writer writer(path_);
  writer.begin(definitions(), 1000);
  writer.time(1000);
  writer.value(0, 1);
  writer.close();
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
}

}  // namespace
}  // namespace gt200::observe
