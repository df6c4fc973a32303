#include "coverage/braces.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace oriel::coverage {
namespace {

// Scans C# text, skipping comments, strings and character literals.
class Scanner {
 public:
  explicit Scanner(std::span<const std::string_view> lines) : lines_(lines) {}

  std::vector<Extent> blocks() {
    constexpr size_t kMost = 1'000'000;  // guards against a text of nothing but braces
    std::vector<Extent> found;
    std::vector<Place> open;
    for (; line_ < lines_.size(); ++line_, at_ = 0) {
      for (; at_ < text().size() && found.size() + open.size() < kMost; ++at_) {
        if (skips()) continue;
        if (text()[at_] == '{') open.push_back(here());
        if (text()[at_] != '}' || open.empty()) continue;
        found.push_back({open.back(), here()});
        open.pop_back();
      }
    }
    return found;
  }

 private:
  std::string_view text() const { return lines_[line_]; }
  Place here() const { return {static_cast<uint32_t>(line_ + 1), static_cast<uint32_t>(at_ + 1)}; }
  bool is_at(std::string_view word) const { return text().compare(at_, word.size(), word) == 0; }

  // If a comment or literal starts here, skips to its last character, or to the end of the line for a line comment.
  bool skips() {
    if (is_at("//") || (is_at("#") && text().find_first_not_of(" \t") == at_)) return to_end_of_line();
    if (is_at("/*")) return to("*/", 2, true);
    if (is_at("'")) return to("'", 1, false, true);
    if (is_at("\"\"\"")) return to(text().substr(at_, quotes()), quotes(), true);
    if (is_at("@\"") || is_at("@$\"") || is_at("$@\"")) return to_end_of_verbatim();
    return is_at("\"") && to("\"", 1, false, true);
  }

  bool to_end_of_line() {
    at_ = text().size();
    return true;
  }

  size_t quotes() const { return std::min(text().find_first_not_of('"', at_), text().size()) - at_; }

  bool to(std::string_view end, size_t begin_size, bool many_lines, bool escapes = false) {
    at_ += begin_size;
    while (line_ < lines_.size()) {
      for (; at_ < text().size(); ++at_) {
        if (escapes && text()[at_] == '\\') {
          ++at_;
        } else if (is_at(end)) {
          at_ += end.size() - 1;
          return true;
        }
      }
      if (!many_lines || line_ + 1 == lines_.size()) return true;
      ++line_;
      at_ = 0;
    }
    return true;
  }

  // A quote is doubled in it.
  bool to_end_of_verbatim() {
    at_ = text().find('"', at_);
    do {
      to("\"", 1, true);
      if (at_ + 1 >= text().size() || text()[at_ + 1] != '"') return true;
      ++at_;
    } while (true);
  }

  const std::span<const std::string_view> lines_;
  size_t line_ = 0, at_ = 0;
};

bool ends_with_word(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  const size_t before = text.size() - word.size();
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return before == 0 || !is_of_name(text[before - 1]);
}

}  // namespace

Braces::Braces(std::span<const std::string_view> lines) : lines_(lines), blocks_(Scanner(lines).blocks()) {}

// The text before a place, up to its last non-blank character: in its line, or in the nearest line above with text.
std::string_view Braces::before(const Place& place) const {
  if (place.line > lines_.size()) return {};
  std::string_view text = lines_[place.line - 1].substr(0, place.column - 1);
  for (uint32_t line = place.line;; text = lines_[--line - 1]) {
    const size_t last = text.find_last_not_of(" \t\r");
    if (last != std::string_view::npos) return text.substr(0, last + 1);
    if (line == 1) return {};
  }
}

std::optional<Extent> Braces::function_around(const Extent& code) const {
  constexpr std::array<std::string_view, 7> kOfStatements = {"try",     "finally",   "do",    "else",
                                                             "checked", "unchecked", "unsafe"};
  if (before(code.first).ends_with("=>")) return std::nullopt;
  auto block = blocks_.begin();
  const auto go_out_of = [&](const Extent& inner) {
    block = std::find_if(block, blocks_.end(),
                         [&](const Extent& outer) { return outer.has(inner.first) && outer.has(inner.last); });
    return block != blocks_.end();
  };
  if (!go_out_of(code)) return std::nullopt;
  for (;;) {
    const Extent function = *block++;
    const std::string_view text = before(function.first);
    const bool is_inner = text.ends_with(';') || text.ends_with('{') || text.ends_with('}') ||
                          std::ranges::any_of(kOfStatements, [&](auto word) { return ends_with_word(text, word); });
    if (!is_inner || !go_out_of(function)) return function;
  }
}

}  // namespace oriel::coverage
