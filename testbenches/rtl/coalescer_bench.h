// Constrained-random stimuli for the coalescer's RTL beside the model's rules, with functional coverage. Every
// transaction of every half-warp is compared, taken at once or kept waiting, and so are the lanes that are left.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_ref/coalescer/pins.h"
#include "sc_models/memory_path/coalescing.h"
#include "testbenches/rtl/half_warps.h"

namespace gt200::support {

class coalescer_bench {
 public:
  coalescer_bench(rtl::coalescer_rule rule, std::unique_ptr<rtl::coalescer_pins> pins, std::uint64_t seed);

  // Runs that many half-warps, or up to the first difference, which it returns as text.
  std::optional<std::string> run(std::uint64_t half_warps);
  // How often each situation occurred. Contains every situation that should occur, with 0 at first.
  std::map<std::string, std::uint64_t> bins() const;

 private:
  using transaction = rtl::coalescer_pins::transaction;
  using half_warp = rtl::coalescer_pins::half_warp;

  // The place of the first of `count` bins, of which `name` gives the names.
  std::size_t list(unsigned count, const std::function<std::string(unsigned)>& name);
  std::size_t list(const std::string& name);
  void list_bins();
  void list_bins_of_1_0();
  void list_bins_of_1_2();
  void hit(std::size_t bin) { ++counts_[bin]; }
  void idle();
  void check_half_warp();
  bool check(unsigned number, bool ready, std::uint16_t left);
  void cover_half_warp(const half_warp& half);
  // By rule 1.0: what is not in order with that lane.
  void cover_order(const half_warp& half, unsigned lane);
  void cover_succession(const half_warp& half);
  void cover_transaction(const half_warp& half, const transaction& expected, std::uint16_t left);
  void differs(const std::string& where, const transaction& expected, const transaction& got, std::uint16_t left);

  rtl::coalescer_rule rule_;
  std::unique_ptr<rtl::coalescer_pins> rtl_;
  half_warps stimuli_;
  half_warp half_;
  model::segment_list segments_;
  std::uint64_t half_warps_ = 0;
  std::uint64_t cycle_ = 0;
  unsigned waits_ = 0;  // of 8 cycles, those in which the transaction is not taken
  std::optional<std::string> difference_;

  std::vector<std::string> names_;
  std::vector<std::uint64_t> counts_;
  // Places of bins, the first of several alike.
  std::size_t word_, separate_, transactions_of_half_, active_, lanes_served_, leads_, joins_, left_over_;
  std::size_t waits_first_, waits_later_, waits_last_, follows_at_once_, idle_, other_inactive_;
  std::map<std::pair<unsigned, unsigned>, std::size_t> sizes_;  // by bytes of the word and of the transaction
  // Of rule 1.0.
  std::size_t out_of_order_lane_ = 0, out_of_order_bit_ = 0, low_block_ = 0, high_block_ = 0, both_blocks_ = 0,
              block_at_0_ = 0;
  // Of rule 1.2.
  std::size_t separating_bit_ = 0, touched_bit_ = 0, in_sequence_ = 0, over_two_ = 0, other_words_ = 0;
};

}  // namespace gt200::support
