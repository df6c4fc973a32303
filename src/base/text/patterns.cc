#include "base/text/patterns.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/element.h"
#include "base/text/trimmed.h"
#include "base/text/utf8.h"

namespace oriel {
namespace {

Status wrong(std::string_view pattern, const char* what) {
  return Status::error("the pattern " + quoted_pattern(pattern) + " " + what);
}

// System.String.Join for string.Join; empty for names that do not begin with a keyword.
std::string name_without_keyword(const std::string& plain) {
  const size_t dot = plain.find('.');
  if (dot == std::string::npos) return {};  // a method without a class may have any name
  for (const TypeKeyword& type : kTypeKeywords) {
    if (plain.compare(0, dot, type.keyword) == 0) return std::string("System.") + type.name + plain.substr(dot);
  }
  return {};
}

bool is_any(std::string_view glob) { return glob.empty() || glob == "*"; }

}  // namespace

std::string quoted_pattern(std::string_view text) {
  constexpr size_t kMost = 60;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, utf8_end(text, kMost))) + "…'";
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  constexpr size_t kNoStar = std::string_view::npos;
  size_t at = 0, in = 0;
  size_t star = kNoStar, star_in = 0;  // the last '*', and the end of the text that it matches
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_in = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in])) {
      ++at, ++in;
    } else if (star != kNoStar) {
      at = star + 1;
      in = ++star_in;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

std::string plain_method_name(std::string_view name) {
  std::string plain;
  int depth = 0;  // in generic arguments; a leading '<' belongs to a compiler-made name
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' && (depth > 0 || (i > 0 && name[i - 1] != '.'))) {
      ++depth;
    } else if (c == '>' && depth > 0) {
      --depth;
    } else if (depth == 0) {
      if (c == '(') break;
      plain += c;
    }
  }
  return plain;
}

Result<MethodPatterns::Pattern> MethodPatterns::parse_one(std::string_view text) {
  Pattern pattern;
  pattern.text = text;
  std::string_view rest = text;
  if (rest.find(';') != std::string_view::npos)
    return wrong(text, "has a ';', which no name has; join patterns by ','");
  if (rest.front() == '!') {
    pattern.is_exclusion = true;
    rest = trimmed(rest.substr(1));
  }
  if (rest.empty()) return wrong(text, "names nothing; write what to exclude after the '!'");
  if (rest.front() == '[') {
    const size_t end = rest.find(']');
    if (end == std::string_view::npos) return wrong(text, "lacks its ']': write [Assembly] or [Assembly]Namespace.*");
    pattern.assembly = trimmed(rest.substr(1, end - 1));
    rest = trimmed(rest.substr(end + 1));
  }
  if (rest.find_first_of("()") != std::string_view::npos) {
    return wrong(text, "has parameters; name methods without them: MyApp.Cart.Add");
  }
  pattern.name = plain_method_name(rest);
  if (!pattern.name.empty() && pattern.name.back() != '*') pattern.inside = pattern.name + ".*";
  pattern.prefix = pattern.name.substr(0, pattern.name.find_first_of("*?"));
  return pattern;
}

Result<MethodPatterns> MethodPatterns::parse(std::string_view list) {
  MethodPatterns patterns;
  while (!list.empty()) {
    size_t end = 0;
    for (int depth = 0; end < list.size(); ++end) {  // "Map<K, V>" is a single name
      if (list[end] == '<') ++depth;
      if (list[end] == '>') --depth;
      if (depth <= 0 && (list[end] == ',' || list[end] == '|')) break;
    }
    const std::string_view text = trimmed(list.substr(0, end));
    list = end < list.size() ? list.substr(end + 1) : std::string_view{};
    if (text.empty()) continue;
    Result<Pattern> pattern = parse_one(text);
    if (!pattern) return pattern.status();
    patterns.patterns_.push_back(std::move(*pattern));
  }
  patterns.matched_ = std::make_unique<std::atomic<bool>[]>(patterns.patterns_.size());
  return patterns;
}

void MethodPatterns::add(MethodPatterns&& more) {
  std::ranges::move(more.patterns_, std::back_inserter(patterns_));
  more.patterns_.clear();
  matched_ = std::make_unique<std::atomic<bool>[]>(patterns_.size());
}

void MethodPatterns::take_away(MethodPatterns&& what) {
  for (Pattern& pattern : what.patterns_) {
    if (!pattern.is_exclusion) pattern.text.insert(0, "!");
    pattern.is_exclusion = true;
  }
  add(std::move(what));
}

bool MethodPatterns::matches_assembly(const Pattern& pattern, std::string_view assembly) {
  return is_any(pattern.assembly) || matches_glob(pattern.assembly, assembly);
}

bool MethodPatterns::matches_name(const Pattern& pattern, const std::string& plain, const std::string& full) {
  const auto matches = [&](const std::string& glob) {
    return matches_glob(glob, plain) || (!full.empty() && matches_glob(glob, full));
  };
  return is_any(pattern.name) || matches(pattern.name) || (!pattern.inside.empty() && matches(pattern.inside));
}

MethodPatterns::Choice MethodPatterns::of_assembly(std::string_view assembly, bool user_code,
                                                   const HasNames& has_names) const {
  bool chosen = without_match(user_code);
  bool by_name = false;
  for (size_t i = 0; i < patterns_.size(); ++i) {
    const Pattern& pattern = patterns_[i];
    if (!matches_assembly(pattern, assembly)) continue;
    if (is_any(pattern.name)) {
      matched_[i].store(true, std::memory_order_relaxed);
      chosen = !pattern.is_exclusion;
      by_name = false;
    } else if (!by_name && chosen == pattern.is_exclusion) {
      by_name = pattern.prefix.empty() || has_names(pattern.prefix);
    }
  }
  if (by_name) return Choice::kByName;
  return chosen ? Choice::kYes : Choice::kNo;
}

bool MethodPatterns::of_method(std::string_view assembly, bool user_code, std::string_view name) const {
  const std::string plain = plain_method_name(name);
  const std::string full = name_without_keyword(plain);
  bool chosen = without_match(user_code);
  for (size_t i = 0; i < patterns_.size(); ++i) {
    const Pattern& pattern = patterns_[i];
    if (!matches_assembly(pattern, assembly) || !matches_name(pattern, plain, full)) continue;
    if (!matched_[i].load(std::memory_order_relaxed)) matched_[i].store(true, std::memory_order_relaxed);
    chosen = !pattern.is_exclusion;
  }
  return chosen;
}

bool MethodPatterns::names(std::string_view assembly, std::string_view name) const {
  const std::string plain = plain_method_name(name);
  const std::string full = name_without_keyword(plain);
  bool by_name = false;
  for (const Pattern& pattern : patterns_) {
    if (!matches_assembly(pattern, assembly) || !matches_name(pattern, plain, full)) continue;
    by_name = !pattern.is_exclusion && (pattern.name == plain || (!full.empty() && pattern.name == full));
  }
  return by_name;
}

std::string MethodPatterns::text() const {
  std::string text;
  for (const Pattern& pattern : patterns_) {
    if (!text.empty()) text += '|';
    if (pattern.is_exclusion) text += '!';
    if (!pattern.assembly.empty()) text += '[' + pattern.assembly + ']';
    text += pattern.name;
  }
  return text;
}

std::vector<std::string> MethodPatterns::unmatched() const {
  std::vector<std::string> texts;
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (!patterns_[i].is_exclusion && !matched_[i].load(std::memory_order_relaxed)) texts.push_back(patterns_[i].text);
  }
  return texts;
}

}  // namespace oriel
