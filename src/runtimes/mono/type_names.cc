#include "runtimes/mono/type_names.h"

#include <optional>
#include <utility>
#include <vector>

#include "runtimes/mono/type_keywords.h"

namespace oriel::mono {
namespace {

using metadata::Style;
using metadata::TypePath;

constexpr int kMostNesting = 32;
constexpr std::string_view kShared = "_REF";  // behind a parameter's name

// "List`1" has arguments behind it; "<Main>c__AnonStorey2" is a compiler's name.
bool takes_arguments(std::string_view name) {
  const size_t tick = name.rfind('`');
  return tick != std::string_view::npos && tick + 1 < name.size() &&
         name.find_first_not_of("0123456789", tick + 1) == std::string_view::npos;
}

class Reader {
 public:
  Reader(std::string_view text, Style style, const std::vector<std::string>& own)
      : text_(text), style_(style), own_(own) {}

  std::optional<std::string> whole_type() {
    std::optional<std::string> type = next_type(0);
    return at_ == text_.size() ? type : std::nullopt;
  }

  std::optional<std::vector<std::string>> arguments_of_type() {
    next_path();
    return peek() == '<' ? arguments(0) : std::nullopt;
  }

  // "<A, B>", of which the first character is at hand.
  std::optional<std::vector<std::string>> arguments(int depth) {
    std::vector<std::string> all;
    do {
      at_++;
      while (peek() == ' ') at_++;
      const size_t begin = at_;
      std::optional<std::string> argument = next_type(depth + 1);
      if (!argument) return std::nullopt;
      const bool is_shared = depth == 0 && all.size() < own_.size() &&
                             text_.substr(begin, at_ - begin) == own_[all.size()] + std::string(kShared);
      all.push_back(is_shared ? own_[all.size()] : std::move(*argument));
    } while (peek() == ',');
    if (peek() != '>') return std::nullopt;
    at_++;
    return all;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // Up to the end of a compiler's name in angle brackets, which may nest.
  void skip_brackets() {
    int open = 0;
    do {
      if (peek() == '<') open++;
      if (peek() == '>') open--;
      at_++;
    } while (open > 0 && at_ < text_.size());
  }

  // A name with its namespace, or a nested one.
  std::string_view next_name() {
    const size_t begin = at_;
    while (at_ < text_.size()) {
      const char next = text_[at_];
      if (next == '<' && !takes_arguments(text_.substr(begin, at_ - begin))) {
        skip_brackets();
        continue;
      }
      if (std::string_view("/<>[],*& ").find(next) != std::string_view::npos) break;
      at_++;
    }
    return text_.substr(begin, at_ - begin);
  }

  TypePath next_path() {
    const std::string_view first = next_name();
    for (const TypeWord& word : kTypeWords)
      if (first == word.keyword) return {"System", {std::string(word.name)}};
    const size_t brackets = first.find('<');
    const size_t dot = first.rfind('.', brackets == 0 ? 0 : brackets);
    const bool has_dot = dot != std::string_view::npos && dot > 0;
    TypePath path{std::string(has_dot ? first.substr(0, dot) : ""), {}};
    path.names.emplace_back(has_dot ? first.substr(dot + 1) : first);
    while (peek() == '/') {
      at_++;
      path.names.emplace_back(next_name());
    }
    return path;
  }

  std::optional<std::string> next_type(int depth) {
    if (depth == kMostNesting) return std::nullopt;
    const TypePath path = next_path();
    if (path.names.front().empty()) return std::nullopt;
    std::vector<std::string> given;
    if (peek() == '<') {
      std::optional<std::vector<std::string>> read = arguments(depth);
      if (!read) return std::nullopt;
      given = std::move(*read);
    }
    return with_suffixes(metadata::type_text(path, given, style_));
  }

  std::optional<std::string> with_suffixes(std::string type) {
    bool by_reference = false;
    for (;; at_++) {
      if (peek() == '*') {
        type += '*';
      } else if (peek() == '&') {
        by_reference = true;
      } else if (peek() == '[') {
        const size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) return std::nullopt;
        type += text_.substr(at_, end + 1 - at_);
        at_ = end;
      } else {
        break;
      }
    }
    if (!by_reference) return type;
    return style_ == Style::kRaw ? type + "&" : "ref " + type;
  }

  std::string_view text_;
  const Style style_;
  const std::vector<std::string>& own_;
  size_t at_ = 0;
};

}  // namespace

std::string readable_type(std::string_view written, Style style, const std::vector<std::string>& own) {
  return Reader(written, style, own).whole_type().value_or(std::string(written));
}

std::vector<std::string> readable_arguments(std::string_view written, Style style,
                                            const std::vector<std::string>& own) {
  return Reader(written, style, own).arguments_of_type().value_or(std::vector<std::string>());
}

std::vector<std::string> readable_method_arguments(std::string_view full_name, std::string_view name, Style style,
                                                   const std::vector<std::string>& own) {
  const std::string before = ":" + std::string(name) + "<";
  const size_t found = full_name.rfind(before);
  if (found == std::string_view::npos) return {};
  return Reader(full_name.substr(found + before.size() - 1), style, own)
      .arguments(0)
      .value_or(std::vector<std::string>());
}

bool may_be_shared(std::string_view written) { return written.find(kShared) != std::string_view::npos; }

}  // namespace oriel::mono
