#include "apps/study/local_engine.h"

#include <algorithm>

#include "apps/study/worker.h"
#include "tlm_bus/processors.h"

namespace gt200::apps::study {

void local_engine::run(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop,
                       progress& done, const progress_function& changed) {
  if (numbers.empty()) return;
  const unsigned threads = std::max(1u, work_.how.threads);
  const unsigned jobs = work_.how.jobs != 0 ? work_.how.jobs : std::max(1u, tlm_bus::usable_processors() / threads);
  run_points(work_, numbers, jobs, stop, [&](std::size_t, const ending& end) {
    ++(end.cached ? done.cached : done.ran);
    if (end.exit_code != 0) ++done.failed;
    if (changed) changed(done);
  });
}

}  // namespace gt200::apps::study
