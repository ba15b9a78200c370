#include "testbenches/support/fst_file.h"

#include <stdexcept>
#include <vector>

#ifdef GT200_HAVE_FST

#include "gtkwave/fstapi.h"

namespace gt200::support {
namespace {

class reader {
 public:
  explicit reader(const std::string& path) : file_(fstReaderOpen(path.c_str())) {
    if (file_ == nullptr) throw std::runtime_error("FST: " + path + " cannot be read");
  }
  ~reader() { fstReaderClose(file_); }
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;

  vcd_file read() {
    if (fstReaderGetTimescale(file_) == -15) result_.timescale = "1 fs";
    declarations();
    fstReaderSetFacProcessMaskAll(file_);
    fstReaderIterBlocks2(file_, &fixed, &variable, this, nullptr);
    return std::move(result_);
  }

 private:
  void declarations() {
    std::vector<std::string> scopes;
    while (fstHier* h = fstReaderIterateHier(file_)) {
      if (h->htyp == FST_HT_SCOPE) {
        scopes.emplace_back(h->u.scope.name);
      } else if (h->htyp == FST_HT_UPSCOPE) {
        scopes.pop_back();
      } else if (h->htyp == FST_HT_VAR) {
        std::string path;
        for (const std::string& s : scopes) path += s + ".";
        const std::string name = h->u.var.name;
        path += name.substr(0, name.find(' '));
        vcd_signal signal;
        signal.type = type_of(h->u.var.typ);
        signal.bits = h->u.var.length;
        by_handle_[h->u.var.handle] = &(result_.signals[path] = signal);
      }
    }
  }
  static const char* type_of(unsigned char type) {
    switch (type) {
      case FST_VT_VCD_WIRE: return "wire";
      case FST_VT_VCD_REG: return "reg";
      case FST_VT_VCD_REAL: return "real";
      case FST_VT_GEN_STRING: return "string";
      default: return "";
    }
  }
  static void fixed(void* self, std::uint64_t time, fstHandle handle, const unsigned char* value) {
    reader& r = *static_cast<reader*>(self);
    const vcd_signal& signal = *r.by_handle_.at(handle);
    std::string text = reinterpret_cast<const char*>(value);
    if (signal.type != "real") {
      const std::size_t one = text.find('1');
      text = one == std::string::npos ? "0" : text.substr(one);
    }
    r.set(time, handle, text);
  }
  static void variable(void* self, std::uint64_t time, fstHandle handle, const unsigned char* value,
                       std::uint32_t length) {
    static_cast<reader*>(self)->set(time, handle, {reinterpret_cast<const char*>(value), length});
  }
  void set(std::uint64_t time, fstHandle handle, std::string value) {
    if (!timed_) result_.first_time = time;
    timed_ = true;
    result_.last_time = time;
    by_handle_.at(handle)->changes.emplace_back(time, std::move(value));
  }

  void* file_;
  vcd_file result_;
  std::map<fstHandle, vcd_signal*> by_handle_;
  bool timed_ = false;
};

}  // namespace

bool can_read_fst() { return true; }
vcd_file read_fst(const std::string& path) { return reader(path).read(); }

}  // namespace gt200::support

#else

namespace gt200::support {

bool can_read_fst() { return false; }
vcd_file read_fst(const std::string&) { throw std::runtime_error("FST: this build cannot read it"); }

}  // namespace gt200::support

#endif
