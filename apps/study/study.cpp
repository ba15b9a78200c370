#include "apps/study/study.h"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include "apps/exit_code.h"
#include "apps/study/ending.h"
#include "apps/study/engine.h"
#include "apps/study/local_engine.h"
#include "apps/study/plan_file.h"
#include "apps/study/point_store.h"
#include "apps/study/program_hash.h"
#include "apps/study/slurm/slurm_engine.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::study {
namespace {

constexpr std::size_t max_points = 1'000'000;
constexpr std::size_t longest_name = 120;

// Held by the process that runs a study on this machine. A lock of fcntl: forked runs do not inherit it, and it
// ends with its process.
class study_lock {
 public:
  explicit study_lock(const std::string& folder) {
    make_folder(folder);
    const std::string path = folder + "/lock";
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw input_error(path, 0, std::string("cannot be written: ") + std::strerror(errno));
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(file_, F_SETLK, &whole) == 0) return;
    const int error = errno;
    close(file_);
    // A file system without locks does not keep anybody from working.
    file_ = -1;
    if (error == EACCES || error == EAGAIN) throw input_error(folder, 0, "another process runs this study");
  }
  ~study_lock() {
    if (file_ >= 0) close(file_);
  }
  study_lock(const study_lock&) = delete;
  study_lock& operator=(const study_lock&) = delete;

 private:
  int file_ = -1;
};

bool is_name(const std::string& name) {
  const auto special = [](unsigned char c) {
    return std::isalnum(c) == 0 && std::string_view("._-+=,").find(static_cast<char>(c)) == std::string_view::npos;
  };
  return !name.empty() && name.size() <= longest_name && name[0] != '.' &&
         std::none_of(name.begin(), name.end(), special);
}

void check(const study& work) {
  if (work.points.size() > max_points) throw input_error(fmt::format("a study has at most {} points", max_points));
  std::set<std::string_view> names;
  for (const point& p : work.points) {
    if (!is_name(p.name)) throw input_error(fmt::format("'{}' cannot be the name of a point", p.name));
    if (!names.insert(p.name).second) throw input_error(fmt::format("two points are called '{}'", p.name));
  }
}

// A folder without a readable plan is free.
void require_same_command(const study& work) {
  stored_plan there;
  try {
    there = read_plan(work.folder);
  } catch (const input_error&) {
    return;
  }
  if (there.work.made_by != work.made_by)
    throw input_error(
        work.folder, 0,
        "holds results of gt200 " + there.work.made_by + "; choose another folder for gt200 " + work.made_by);
}

// Nothing when the folder of the point has no ending, or one of another run.
std::optional<stored_ending> matching_ending(const study& work, const point& of, verify how) {
  auto stored = read_ending(point_folder(work, of), how);
  if (!stored || stored->key != of.key || stored->command != as_stored(of.command)) return std::nullopt;
  return stored;
}

// The numbers of the points without a result; counts the others.
std::vector<std::size_t> missing_points(const study& work, progress& done) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < work.points.size(); ++i) {
    const auto there = matching_ending(work, work.points[i], verify::small_files);
    if (!there || !is_result(there->end.exit_code)) {
      result.push_back(i);
      continue;
    }
    ++done.kept;
    if (there->end.exit_code != 0) ++done.failed;
  }
  return result;
}

}  // namespace

bool is_result(int exit_code) {
  switch (static_cast<enum exit_code>(exit_code)) {
    case exit_code::ok:
    case exit_code::check_failed:
    case exit_code::fault:
    case exit_code::hang:
    case exit_code::limit: return true;
    default: return false;
  }
}

std::string point_folder(const study& work, const point& of) { return work.folder + "/points/" + of.name; }

std::optional<ending> ending_of(const study& work, const point& of) {
  const auto stored = matching_ending(work, of, verify::sizes);
  return stored ? std::optional(stored->end) : std::nullopt;
}

std::optional<std::string> result_text(const study& work, const point& of, const std::string& file) {
  const std::string folder = point_folder(work, of);
  const auto stored = read_ending(folder, verify::sizes);
  return stored ? verified_content(folder, *stored, file) : std::nullopt;
}

std::string check_engine(const std::string& name) {
  return name == "local" || name == "slurm" ? "" : "there is no engine '" + name + "'; engines are local, slurm";
}

std::unique_ptr<engine> make_engine(const study& work) {
  if (const std::string wrong = check_engine(work.how.engine); !wrong.empty()) throw input_error(wrong);
  if (work.how.engine == "slurm") return std::make_unique<slurm_engine>(work);
  return std::make_unique<local_engine>(work);
}

progress run(study& work, const volatile std::sig_atomic_t* stop, const progress_function& changed,
             const std::function<void()>& begun) {
  check(work);
  const auto runner = make_engine(work);
  const study_lock lock(work.folder);
  require_same_command(work);
  if (work.program_hash.empty()) work.program_hash = hash_of_this_program();
  if (work.program_hash != hash_of_this_program())
    throw input_error(work.folder, 0,
                      "was planned by another build of this program; start the study again to plan it anew");
  slurm_engine::require_same_plan(work);
  write_plan(work);
  if (begun) begun();
  const point_store store(work);
  store.clean(false);
  progress done;
  done.points = work.points.size();
  const std::vector<std::size_t> missing = missing_points(work, done);
  // Discard earlier endings that are no result.
  for (const std::size_t number : missing) store.forget(work.points[number]);
  if (changed) changed(done);
  runner->run(missing, stop, done, changed);
  done.stopped = *stop != 0;
  return done;
}

study read_study(const std::string& folder) {
  stored_plan plan = read_plan(std::filesystem::absolute(folder).lexically_normal().string());
  std::error_code error;
  std::filesystem::current_path(plan.working_folder, error);
  if (error)
    throw input_error(folder, 0,
                      "was planned in " + plan.working_folder + ", which cannot be entered: " + error.message());
  return plan.work;
}

status status_of(const study& work) {
  status result;
  result.done.points = work.points.size();
  double seconds = 0;
  for (const point& p : work.points) {
    const auto end = ending_of(work, p);
    if (!end) continue;
    ++(end->cached ? result.done.cached : result.done.ran);
    if (end->exit_code != 0) ++result.done.failed;
    seconds += end->seconds;
  }
  if (const std::size_t ended = result.done.cached + result.done.ran; ended != 0)
    result.mean_seconds = seconds / static_cast<double>(ended);
  result.queue = make_engine(work)->queue();
  return result;
}

std::size_t cancel(const study& work) { return make_engine(work)->cancel(); }

}  // namespace gt200::apps::study
