// Runs points on Slurm: an array of jobs, each element a chunk of points.
//
// At first a few points run alone, which gives time and memory of a point and thereby the chunks, the time limit
// and the memory of the tasks. Tasks are requeued after preemption and failures of nodes; they skip what has a
// result. What has none when the queue is empty is submitted again, with twice the time and memory.
#pragma once

#include <map>
#include <string>

#include "apps/study/engine.h"
#include "apps/study/slurm/chunks.h"

namespace gt200::apps::study {

class slurm_engine : public engine {
 public:
  explicit slurm_engine(const study& work);

  void run(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop, progress& done,
           const progress_function& changed) override;
  std::vector<std::pair<std::string, std::size_t>> queue() const override;
  std::size_t cancel() override;

  // Throws input_error when jobs of another plan for the same folder are in the queue.
  static void require_same_plan(const study& work);

 private:
  enum class wait_end { finished, stopped };

  void take_from_cache(std::vector<std::size_t>& numbers, progress& done, const progress_function& changed) const;
  std::vector<std::size_t> look(const std::vector<std::size_t>& numbers, progress& done);
  std::vector<std::size_t> to_submit_again(const std::vector<std::size_t>& numbers) const;
  slurm::measurements measure() const;
  std::vector<std::size_t> died_in(const std::vector<std::size_t>& numbers) const;
  // False when the user or a limit of the queue stopped it before everything was submitted.
  bool submit(const slurm::chunk_plan& plan, const volatile std::sig_atomic_t* stop, progress& done,
              const progress_function& changed) const;
  std::string last_message() const;
  void finish(const volatile std::sig_atomic_t* stop) const;
  void write_script() const;
  wait_end wait(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop, progress& done,
                const progress_function& changed);
  std::string cancelled_file() const { return folder_ + "/slurm/cancelled"; }
  void pause(const volatile std::sig_atomic_t* stop) const;

  const study& work_;
  std::string folder_;  // absolute
  std::string job_name_;
  std::map<std::size_t, ending> ended_;  // points that look() has seen
  std::size_t failed_before_ = 0;        // among the points that run() does not run
};

}  // namespace gt200::apps::study
