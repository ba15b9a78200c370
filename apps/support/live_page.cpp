#include "apps/support/live_page.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/support/json_text.h"
#include "observe/report/explorer.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

constexpr std::chrono::seconds most_silence{30};  // of an answer, until the figures are made
constexpr std::chrono::seconds first_silence{5};  // of the page itself
// The page before the first figures.
constexpr const char* empty_page =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
    "<link rel=\"icon\" href=\"data:,\"><title>gt200</title></head><body><p>There is nothing to show yet: no "
    "launch runs on the cycle model.</p>"
    "</body></html>\n";

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

void live_page::require_available() {
  if (!observe::report::has_explorer())
    throw input_error("--watch", 0, "this program was built without Debian's libjs-vega");
  load_module();
}

live_page::live_page(unsigned port, live_content content) : content_(std::move(content)) {
  require_available();
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

void live_page::serve() {
  std::shared_ptr<page_request> page;
  bool figures = false;
  {
    const std::lock_guard lock(mutex_);
    page = wanted_page_;
    figures = wants_figures_;
  }
  if (page != nullptr) {
    std::string text;
    try {
      text = content_.page(page->path);
    } catch (const input_error&) {
      // Its files are damaged or not whole: there is no such page. The run goes on.
    }
    {
      const std::lock_guard lock(mutex_);
      page->text = std::move(text);
      page->is_made = true;
      wanted_page_.reset();
      asked_ = wants_figures_;
    }
    changed_.notify_all();
  }
  if (figures && clock::now() >= publish_at_) publish();
}

void live_page::publish() {
  const clock::time_point began = clock::now();
  nlohmann::ordered_json figures;
  try {
    figures = content_.figures();
  } catch (const input_error&) {
    if (data_.empty()) throw;
    figures = nlohmann::ordered_json::parse(data_);  // those of before
  }
  // Figures that take long are made less often: the run has nine tenths of the time.
  const clock::time_point ended = clock::now();
  publish_at_ = ended + std::max<clock::duration>(std::chrono::seconds(1), 9 * (ended - began));
  {
    const std::lock_guard lock(mutex_);
    wants_figures_ = false;
    asked_ = wanted_page_ != nullptr;
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
  if (fetched_ == 0 || clock::now() - asked_at_ > std::chrono::seconds(10)) return;
  changed_.wait_for(lock, std::chrono::seconds(15), [&] { return fetched_ == version_; });
}

watch_answer live_page::answer(const std::string& path) {
  if (path != "/" && path != "/data") return answer_page(path);
  std::unique_lock lock(mutex_);
  const std::uint64_t before = version_;
  asked_at_ = clock::now();
  if (!ended_) {
    asked_ = wants_figures_ = true;
    changed_.wait_for(lock, path == "/" ? first_silence : most_silence,
                      [&] { return version_ != before || ended_; });
  }
  if (version_ == 0) return path == "/" && !ended_ ? watch_answer{"text/html", empty_page} : watch_answer{};
  fetched_ = version_;
  const std::string data = data_;
  lock.unlock();
  changed_.notify_all();
  if (path == "/data") return {"application/json", data};
  return {"text/html",
          observe::report::explorer_page(content_.title, content_.body, nlohmann::ordered_json::parse(data))};
}

watch_answer live_page::answer_page(const std::string& path) {
  if (!content_.page) return {};
  std::unique_lock lock(mutex_);
  const auto wait = [&](auto until) {
    return changed_.wait_for(lock, most_silence, [&] { return ended_ || until(); }) && !ended_;
  };
  if (!wait([&] { return wanted_page_ == nullptr; })) return {};  // one page at a time
  const auto page = std::make_shared<page_request>();
  page->path = path;
  wanted_page_ = page;
  asked_ = true;
  if (!wait([&] { return page->is_made; }) || page->text.empty()) return {};
  return {"text/html", page->text};
}

}  // namespace gt200::apps
