// The requests that wait in a DRAM controller, oldest first, with the information for the policies.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tlm>
#include <vector>

#include "sc_models/partition/dram/address.h"
#include "sc_models/partition/sector.h"
#include "tlm_bus/time.h"

namespace gt200::model {

struct dram_request {
  tlm::tlm_generic_payload* payload = nullptr;
  sector_range sectors;
  dram_address at;
  unsigned bursts = 0;
  tlm_bus::cycle_t taken_at = 0;
  bool write = false;
  bool opened_row = false;
  unsigned older_conflicts = 0;  // older requests in the queue to the same sectors; this request must not pass them
  unsigned passed_by = 0;        // younger requests that were served before it
};

class dram_request_queue {
 public:
  explicit dram_request_queue(unsigned capacity) : capacity_(capacity) { requests_.reserve(capacity); }

  bool empty() const { return requests_.empty(); }
  bool full() const { return requests_.size() == capacity_; }
  unsigned size() const { return static_cast<unsigned>(requests_.size()); }
  unsigned capacity() const { return static_cast<unsigned>(capacity_); }
  const dram_request& operator[](unsigned index) const { return requests_[index]; }
  const dram_request& oldest() const { return requests_.front(); }
  const dram_request& newest() const { return requests_.back(); }
  auto begin() const { return requests_.begin(); }
  auto end() const { return requests_.end(); }
  unsigned waiting_for(unsigned bank) const { return waiting_for_bank_[bank]; }

  void add(dram_request r) {
    for (const dram_request& older : requests_) r.older_conflicts += overlap(older.sectors, r.sectors) ? 1 : 0;
    ++waiting_for_bank_[r.at.bank];
    requests_.push_back(r);
  }
  void note_row_opened_for(unsigned index) { requests_[index].opened_row = true; }
  dram_request take(unsigned index) {
    const dram_request r = requests_[index];
    requests_.erase(requests_.begin() + index);
    --waiting_for_bank_[r.at.bank];
    for (unsigned i = 0; i < index; ++i) ++requests_[i].passed_by;
    for (unsigned i = index; i < requests_.size(); ++i)
      if (overlap(r.sectors, requests_[i].sectors)) --requests_[i].older_conflicts;
    return r;
  }

 private:
  std::size_t capacity_;
  std::vector<dram_request> requests_;
  std::array<std::uint32_t, 64> waiting_for_bank_{};
};

}  // namespace gt200::model
