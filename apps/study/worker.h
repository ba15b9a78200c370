// Runs points as processes forked by a run_host, several at a time.
#pragma once

#include <csignal>
#include <cstddef>
#include <functional>
#include <vector>

#include "apps/study/point_store.h"
#include "apps/study/run_host.h"
#include "apps/study/study.h"

namespace gt200::apps::study {

// Runs the points with these numbers, at most `jobs` at a time, and publishes each. Takes results from the cache
// where it has them. Calls `ended` after each point, and `waited` at least once a second. When `stop` becomes
// non-zero, no more points start and running ones get SIGINT; those that end by it have no result. A run dies with
// this process, however it dies. Throws input_error.
void run_points(const study& work, const std::vector<std::size_t>& numbers, unsigned jobs,
                const volatile std::sig_atomic_t* stop,
                const std::function<void(std::size_t number, const ending&)>& ended,
                const std::function<void()>& waited = {});

}  // namespace gt200::apps::study
