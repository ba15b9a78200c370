// Every member of a part of the chip is in the list of its visit_state(): what a reset brings back is complete
// (tlm_bus/resettable.h). Members that cannot change, and wiring, need not be there: references, constants,
// sockets, taps and events.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string code_of(const fs::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return std::regex_replace(text, std::regex(R"(//[^\n]*)"), "");
}

// The place behind the bracket that closes the one at `open`.
std::size_t behind(const std::string& text, std::size_t open) {
  const char opening = text[open];
  const char closing = opening == '{' ? '}' : opening == '(' ? ')' : '>';
  unsigned depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == opening) ++depth;
    if (text[at] == closing && --depth == 0) return at + 1;
  }
  return text.size();
}

// Without what stands in angle brackets: <std::function<void()>> has no call.
std::string without_arguments(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.erase(at, behind(text, at) - at);
  return text;
}

struct class_text {
  std::string name;
  std::string body;
};

// All classes of a text, those within others too.
std::vector<class_text> classes_of(const std::string& text) {
  static const std::regex head(
      R"(\b(?:class|struct)\s+(?:alignas\(\w+\)\s*)?(\w+)(?:\s+final)?(?:\s*:\s*[^;{()]*)?\s*\{)");
  std::vector<class_text> all;
  for (auto c = std::sregex_iterator(text.begin(), text.end(), head); c != std::sregex_iterator(); ++c) {
    const auto open = static_cast<std::size_t>(c->position() + c->length() - 1);
    all.push_back({(*c)[1], text.substr(open + 1, behind(text, open) - open - 2)});
  }
  return all;
}

// The declarations of a class itself, without functions, and with {} in place of initial values.
std::vector<std::string> declarations_of(const std::string& body) {
  std::vector<std::string> all;
  std::string one;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] == '{') {
      at = behind(body, at) - 1;
      if (without_arguments(one).find('(') != std::string::npos ||
          std::regex_search(one, std::regex(R"(\b(class|struct|enum)\b)"))) {
        // The end of a function; that of a class has a semicolon.
        one.clear();
        if (body[at + 1] == ';') ++at;
      } else {
        one += "{}";
      }
    } else if (body[at] == ';') {
      all.push_back(one);
      one.clear();
    } else {
      one += body[at];
      if (body[at] == ':' && std::regex_match(one, std::regex(R"(\s*(public|private|protected):)"))) one.clear();
    }
  }
  return all;
}

bool is_wiring(const std::string& declaration) {
  static const std::regex wiring(
      R"(\btap<|\bpart_tap\b|\bregistered_event\b|\bsc_event\b|\bsc_vector<|\btransaction_(in|out)<|\bshared_ptr<|\bobservers_\b)");
  static const std::regex other(R"(^\s*(using|static|friend|typedef|template|enum|class|struct|return)\b)");
  const std::string plain = without_arguments(declaration);
  return std::regex_search(declaration, wiring) || std::regex_search(declaration, other) ||
         plain.find('(') != std::string::npos || plain.find('&') != std::string::npos ||
         (std::regex_search(plain, std::regex(R"(^\s*const\b)")) && plain.find('*') == std::string::npos);
}

// The names that end with an underscore and are not within initial values.
std::set<std::string> members_of(const std::string& body) {
  std::set<std::string> names;
  static const std::regex name(R"(\b([a-z]\w*_)\s*(?=$|=|,|\{|\[))");
  for (const std::string& declaration : declarations_of(body)) {
    if (is_wiring(declaration)) continue;
    const std::string plain = std::regex_replace(without_arguments(declaration), std::regex(R"(=[^,]*)"), "=");
    for (auto n = std::sregex_iterator(plain.begin(), plain.end(), name); n != std::sregex_iterator(); ++n)
      names.insert((*n)[1]);
  }
  return names;
}

// The bodies of these functions of a class, in its header or its source.
std::string bodies_of(const std::string& text, const std::string& pattern) {
  std::string bodies;
  const std::regex head(pattern + R"((visit_state|visit_latches)\([^)]*\)[^;{]*\{)");
  for (auto f = std::sregex_iterator(text.begin(), text.end(), head); f != std::sregex_iterator(); ++f) {
    const auto open = static_cast<std::size_t>(f->position() + f->length() - 1);
    bodies += text.substr(open, behind(text, open) - open);
  }
  return bodies;
}

std::string source_beside(const fs::path& header) {
  fs::path source = header;
  source.replace_extension(".cpp");
  return fs::exists(source) ? code_of(source) : "";
}

// Whose reset is not that of its members.
const std::set<std::string> restarts_itself = {
    "tlm_bus/clocking.h",  // carry_out_reset()
    "sc_models/chip.h",    // it owns the image
};

TEST(state, of_every_part_is_in_its_list) {
  unsigned parts = 0, members = 0;
  for (const char* folder : {"tlm_bus", "sc_models"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GT200_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".h") continue;
      const std::string name = fs::relative(entry.path(), GT200_SOURCE_DIR).generic_string();
      const std::string header = code_of(entry.path());
      if (header.find("visit_") == std::string::npos) continue;
      for (const class_text& c : classes_of(header)) {
        bool lists = false;
        for (const char* function : {"visit_state(", "visit_latches("})
          if (without_arguments(c.body).find(function) != std::string::npos) lists = true;
        const std::set<std::string> own = members_of(c.body);
        if (!lists || own.empty() || restarts_itself.count(name) != 0) continue;
        const std::string listed = bodies_of(c.body, R"(void\s+)") +
                                   bodies_of(source_beside(entry.path()), "void\\s+" + c.name + R"((?:<\w+>)?::)");
        if (listed.empty()) continue;  // an interface, or the class around such a part
        ++parts;
        for (const std::string& member : own) {
          ++members;
          EXPECT_TRUE(std::regex_search(listed, std::regex("\\b" + member + "\\b")))
              << name << ": " << c.name << "::visit_state() does not name " << member;
        }
      }
    }
  }
  EXPECT_GT(parts, 70u);
  EXPECT_GT(members, 500u);
}

// What keeps the test above from finding nothing.
TEST(state, members_are_recognised) {
  const std::string body = R"(
   public:
    explicit part(int count) : count_(count), other_{1} { first_ = count; }
    int count() const { return count_; }
    tlm_bus::counter named{"named", "units"};
   private:
    struct inner {
      int inside_ = 0;
    };
    void act(int given_);
    int count_;
    std::function<void(int&)> call_;
    std::array<int, 4> list_{}, second_{};
    const int constant_ = 3;
    const int* pointer_ = nullptr;
    int& reference_;
    tlm_bus::tap<observer> observers_;
  )";
  EXPECT_EQ(members_of(body), (std::set<std::string>{"count_", "call_", "list_", "second_", "pointer_"}));
}

}  // namespace
