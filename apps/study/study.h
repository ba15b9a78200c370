// A study: many runs of this program, each with a folder of its own, that an engine runs on this machine or on
// Slurm.
//
// The folder of a study is all its state. No process of ours stays behind, and any number of processes on any
// number of machines may look at it or work on it:
//
//   DIR/study.json     the points and how they are run (plan_file.h)
//   DIR/points/NAME/   the result of a point: the files of its command, messages.txt, and ending.json (ending.h)
//   DIR/unfinished/    points that run; a finished one is renamed into points/, which holds whole results only
//   DIR/slurm/         what was submitted to Slurm
//
// A command that makes a study plans its points and calls run(). A killed study goes on with run() on the same
// folder, or on what read_study() returns: points that have a result do not run again.
//
//   study::study work;
//   work.folder = "results/campaign";
//   for (...) work.points.push_back({"fault_17", {"campaign", "inject", "kernels/bfs", "--seed", "17"}});
//   const study::progress done = study::run(work, catch_interrupts());
//   for (const study::point& p : work.points)
//     if (const auto end = study::ending_of(work, p)) ...  // and the files in point_folder(work, p)
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gt200::apps::study {

using words = std::vector<std::string>;

// One run: `gt200 COMMAND... --out FOLDER`. The engine adds --out. The run is a process forked from this program,
// so it costs no start of a program; its standard output is discarded, its standard error is kept as messages.txt.
struct point {
  std::string name;    // of its folder: letters, digits and . _ - + = ,; at most 120; unique in the study
  words command;       // the words after `gt200`
  std::string key;     // hash of everything that decides the result; empty: no use of the cache
  std::string group;   // points of one group take about the same time and memory: the kernel
  std::string config;  // SHA-256 that the file config.toml in the result must have; empty: any
};

// A file that points read. A point that ran while one of them changed is no result.
struct input_file {
  std::string path;
  std::string sha256;
};

// A program that many points run. It is read and compiled once per process, not once per point.
struct shared_program {
  std::string path;
  unsigned capability = 0;  // of the chip it is compiled for
  std::string hash;         // of what it compiles to (program_hash.h)
};

struct slurm_options {
  words sbatch;               // further options of sbatch, after those of the engine: these win
  double chunk_seconds = 60;  // points are put together until a task lasts that long
  unsigned pilot = 4;         // points that run alone at first, to measure time and memory; 0: none
  double point_seconds = 0;   // time of a point, when it is known; 0: measured
  unsigned max_tasks = 0;     // tasks at a time; 0: as many as Slurm gives
  unsigned max_array = 0;     // elements of an array; 0: what Slurm allows
  unsigned rounds = 3;        // how often points without a result are submitted
  double poll_seconds = 5;    // between two looks at the queue
  bool wait = true;           // false: return when everything is submitted
};

struct engine_options {
  std::string engine = "local";  // or "slurm"
  unsigned jobs = 0;             // runs at a time on this machine, or within a task of Slurm (0: 1 there);
                                 // 0: usable processors / threads
  unsigned threads = 1;          // of every run; only divides the processors
  std::string cache;             // folder with results of all studies (cache.h); empty: none
  slurm_options slurm;
};

struct study {
  std::string folder;
  std::string made_by;        // the command, such as sweep: a folder belongs to one
  std::vector<point> points;  // at most 1,000,000
  std::vector<input_file> inputs;
  std::vector<shared_program> programs;
  std::string program_hash;  // of this program (program_hash.h); filled by run() when empty
  engine_options how;
};

// How a point ended.
struct ending {
  int exit_code = 0;           // of the command; 128 + n: signal n killed it
  std::string reason;          // one line; empty with exit code 0
  double seconds = 0;          // of the host, wall
  std::uint64_t peak_kib = 0;  // memory of the process
  bool cached = false;         // taken from the cache
};

// Empty for an engine that there is; else what is wrong.
std::string check_engine(const std::string& name);

// True for outcomes that the same run would repeat: exit codes 0 and 3 to 6. Others (full disk, killed process,
// wrong input, defect) are kept, with their reason, until the next run() runs the point again.
bool is_result(int exit_code);

// Forks the process that starts the runs (run_host.h) of the next run() in this process. For commands whose plan is
// large: a fork costs less before it is made.
void prepare_runs();

// Nothing when the point has not ended. A result whose files do not have the sizes that they had when it ended
// counts as not ended; result_text() also looks at their content.
std::optional<ending> ending_of(const study& work, const point& of);
std::string point_folder(const study& work, const point& of);
// The content of a file that the point left. Nothing when it has none, or when the content is not the one that it
// had when the point ended.
std::optional<std::string> result_text(const study& work, const point& of, const std::string& file);

struct progress {
  std::size_t points = 0;
  std::size_t kept = 0;     // had a result before
  std::size_t cached = 0;   // taken from the cache
  std::size_t ran = 0;      // ended now, in whatever way
  std::size_t failed = 0;   // of those that ended now or before: exit code not 0
  bool stopped = false;     // by `stop`
  bool submitted = false;   // jobs of Slurm that are still to run
  double seconds_left = 0;  // estimated; 0: unknown
  std::string note;         // one line on what goes on or went wrong outside the points; usually empty
  std::string obstacle;     // one line on what keeps all tasks from running, for as long as it does

  std::size_t unfinished() const { return points - kept - cached - ran; }
};

using progress_function = std::function<void(const progress&)>;

// Runs every point that has no result, and returns when all have ended, or when `stop` became non-zero: then runs
// on this machine get SIGINT and end without a result; jobs of Slurm go on, see cancel(). Throws input_error: the
// folder cannot be written or belongs to another command, another process runs the study here, an input is not as
// planned, sbatch refuses. `begun` is called before the first point, when the folder is known to be free for this
// study: to write files of the command into it.
progress run(study& work, const volatile std::sig_atomic_t* stop, const progress_function& changed = {},
             const std::function<void()>& begun = {});

// The study of a folder, as the last run() had it. Enters the working folder in which it was planned, because
// commands name files relative to it. Throws input_error.
study read_study(const std::string& folder);

struct status {
  progress done;
  std::vector<std::pair<std::string, std::size_t>> queue;  // Slurm: state and number of tasks
  double mean_seconds = 0;                                 // of a point
};
status status_of(const study& work);

// Cancels the jobs of Slurm; results stay. Returns the number of jobs that were cancelled.
std::size_t cancel(const study& work);

// One task of Slurm: runs its points and returns an exit code. For the hidden command that the job's script starts.
int run_task(const std::string& folder, const std::string& round, unsigned element,
             const volatile std::sig_atomic_t* stop);

// Sets what a forked run calls: the command line of gt200, the program's name first. `shown` is the command line
// for records, with the name that the folder gets in the end. main() sets it.
void set_command_line(int (*main_of)(const words& command, const words& shown));

}  // namespace gt200::apps::study
