#include "apps/support/live_page.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "apps/support/json_text.h"
#include "observe/report/explorer.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

constexpr std::chrono::seconds most_silence{30};  // of an answer, until the run makes its figures

// Beside the program in its build folder, or where it is installed.
watch_start load_module() {
  std::error_code error;
  const std::filesystem::path home = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& folder : {home / "lib", home.parent_path() / "lib/gt200"})
    if (std::filesystem::exists(folder / watch_module, error))
      if (void* module = dlopen((folder / watch_module).c_str(), RTLD_NOW | RTLD_LOCAL))
        return reinterpret_cast<watch_start>(dlsym(module, watch_start_name));
  throw input_error("--watch", 0, "this program was built without Debian's libcpp-httplib-dev");
}

}  // namespace

live_page::live_page(unsigned port, std::string title, std::function<nlohmann::ordered_json()> figures)
    : title_(std::move(title)), figures_(std::move(figures)) {
  if (!observe::report::has_explorer())
    throw input_error("--watch", 0, "this program was built without Debian's libjs-vega");
  server_.reset(load_module()(port, *this));
  if (!server_) throw input_error("--watch-port", 0, fmt::format("port {} of 127.0.0.1 is taken", port));
}

live_page::~live_page() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  server_.reset();
}

std::string live_page::address() const { return fmt::format("http://127.0.0.1:{}/", server_->port()); }

void live_page::publish() {
  nlohmann::ordered_json figures = figures_();
  published_at_ = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    asked_ = false;
    figures["live"]["ended"] = ended_;
    data_ = json_text(figures);
    ++version_;
  }
  changed_.notify_all();
}

void live_page::finish() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  publish();
  std::unique_lock lock(mutex_);
  if (fetched_ == 0 || std::chrono::steady_clock::now() - asked_at_ > std::chrono::seconds(10)) return;
  changed_.wait_for(lock, std::chrono::seconds(15), [&] { return fetched_ == version_; });
}

watch_answer live_page::answer(const std::string& path) {
  if (path != "/" && path != "/data") return {};
  std::unique_lock lock(mutex_);
  const std::uint64_t before = version_;
  asked_at_ = std::chrono::steady_clock::now();
  if (!ended_) {
    asked_ = true;
    changed_.wait_for(lock, most_silence, [&] { return version_ != before || ended_; });
  }
  if (version_ == 0) return {};
  fetched_ = version_;
  const std::string data = data_;
  lock.unlock();
  changed_.notify_all();
  if (path == "/data") return {"application/json", data};
  return {"text/html", observe::report::explorer_page(
                           title_, "<p id=\"live\" role=\"status\"></p>\n<div id=\"explorer\"></div>\n",
                           nlohmann::ordered_json::parse(data))};
}

}  // namespace gt200::apps
