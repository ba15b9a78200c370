#include "apps/study/local_engine.h"

#include <algorithm>
#include <map>
#include <string>

#include "apps/study/worker.h"
#include "tlm_bus/processors.h"

namespace gt200::apps::study {
namespace {

// Estimates that points of a group take as long as those of it that have run now, or as all that have run when none
// of it has. Points that turn out to be in the cache are faster than that.
class time_left {
 public:
  time_left(const study& work, const std::vector<std::size_t>& numbers, unsigned jobs) : work_(work), jobs_(jobs) {
    for (const std::size_t number : numbers) ++groups_[work.points[number].group].left;
  }
  void ended(std::size_t number, const ending& end) {
    group& of = groups_[work_.points[number].group];
    --of.left;
    if (end.cached) return;
    for (group* sum : {&of, &all_}) {
      ++sum->ran;
      sum->seconds += end.seconds;
    }
  }
  // 0 until a point has run.
  double seconds() const {
    if (all_.ran == 0) return 0;
    double sum = 0;
    std::size_t left = 0;
    for (const auto& [name, of] : groups_) {
      sum += static_cast<double>(of.left) * (of.ran != 0 ? of.mean() : all_.mean());
      left += of.left;
    }
    return sum / static_cast<double>(std::clamp<std::size_t>(left, 1, jobs_));
  }

 private:
  struct group {
    std::size_t left = 0, ran = 0;
    double seconds = 0;  // of those that ran
    double mean() const { return seconds / static_cast<double>(ran); }
  };
  const study& work_;
  const unsigned jobs_;
  std::map<std::string, group> groups_;
  group all_;
};

}  // namespace

void local_engine::run(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop,
                       progress& done, const progress_function& changed) {
  if (numbers.empty()) return;
  const unsigned threads = std::max(1u, work_.how.threads);
  const unsigned jobs = work_.how.jobs != 0 ? work_.how.jobs : std::max(1u, tlm_bus::usable_processors() / threads);
  time_left left(work_, numbers, jobs);
  const auto tell = [&] {
    if (changed) changed(done);
  };
  run_points(
      work_, numbers, jobs, stop,
      [&](std::size_t number, const ending& end) {
        ++(end.cached ? done.cached : done.ran);
        if (end.exit_code != 0) ++done.failed;
        left.ended(number, end);
        done.seconds_left = left.seconds();
        tell();
      },
      tell);
}

}  // namespace gt200::apps::study
