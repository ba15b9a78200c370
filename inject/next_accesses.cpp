#include "inject/next_accesses.h"

#include <map>
#include <systemc>

namespace gt200::inject {

const char* name_of(next_access access) {
  switch (access) {
    case next_access::unknown: return "";
    case next_access::none: return "none";
    case next_access::read: return "read";
    case next_access::write: return "write";
  }
  return "";
}

// The sites of one module. While accesses are watched, the chip runs in the order of time, so SystemC's time is
// that of the edge.
class next_accesses::module_watch final : public tlm_bus::bit_access_listener {
 public:
  module_watch(tlm_bus::injectable& storage, tlm_bus::femtoseconds core, std::vector<next_access>& result)
      : storage_(storage), core_(core), result_(result) {}
  ~module_watch() { storage_.watch({}, *this); }
  // False if the module cannot tell.
  bool begin() {
    std::vector<std::uint64_t> bits;
    for (const auto& [bit, sites] : sites_) bits.push_back(bit);
    if (!storage_.watch(bits, *this)) return false;
    for (const auto& [bit, sites] : sites_)
      for (const numbered& s : sites) result_[s.number] = next_access::none;
    return true;
  }
  void add(std::size_t number, const site& s) { sites_[s.bit].push_back({number, s.cycle}); }
  void accessed(std::uint64_t bit, bool writes) override {
    const tlm_bus::femtoseconds now = sc_core::sc_time_stamp().value();
    for (const numbered& s : sites_[bit])
      if (s.cycle * core_ <= now && result_[s.number] == next_access::none)
        result_[s.number] = writes ? next_access::write : next_access::read;
  }

 private:
  struct numbered {
    std::size_t number;
    std::uint64_t cycle;
  };
  tlm_bus::injectable& storage_;
  tlm_bus::femtoseconds core_;
  std::vector<next_access>& result_;
  std::map<std::uint64_t, std::vector<numbered>> sites_;
};

next_accesses::next_accesses(device& target, const std::vector<site>& sites)
    : result_(sites.size(), next_access::unknown) {
  const fault_space space(target.chip());
  std::map<std::string, std::unique_ptr<module_watch>> by_module;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const storage_part& part = space.find(sites[i].module);
    std::unique_ptr<module_watch>& watch = by_module[part.module];
    if (!watch) watch = std::make_unique<module_watch>(*part.storage, target.chip().core.period(), result_);
    watch->add(i, sites[i]);
  }
  for (auto& [name, watch] : by_module)
    if (watch->begin()) watches_.push_back(std::move(watch));
}

next_accesses::~next_accesses() = default;

}  // namespace gt200::inject
