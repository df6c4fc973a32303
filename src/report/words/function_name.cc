#include "report/words/function_name.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "base/text/function_names.h"
#include "profile/trees/call_tree.h"
#include "report/words/text.h"

namespace oriel::report {
namespace {

bool in_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '`' || c == '@' ||
         static_cast<signed char>(c) < 0;
}

// "System.String, A::B" to "String, B".
std::string short_types(std::string_view text) {
  std::string result;
  size_t identifier = std::string::npos;  // start of the identifier at the end of `result`
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dot = text[i] == '.' && i + 1 < text.size() && in_identifier(text[i + 1]);
    const bool colons = text.substr(i, 2) == "::";
    if ((dot || colons) && identifier != std::string::npos) {
      result.resize(identifier);
      i += colons ? 1 : 0;
      continue;
    }
    if (!in_identifier(text[i])) {
      identifier = std::string::npos;
    } else if (identifier == std::string::npos) {
      identifier = result.size();
    }
    result += text[i];
  }
  return result;
}

// The parts of a name.
struct Parts {
  std::vector<std::string> path;     // namespaces, classes, function
  std::vector<std::string> between;  // "." or "::" after each of path except the last
  std::string parameters;            // "(…)" with parentheses, or ""
};

// The meaning of ".": a separator, or part of a native symbol ("memcpy.part.0").
enum class Dots { kSeparate, kBelong };

Parts split(std::string_view name, Dots dots) {
  const std::string_view head = without_parameters(name);
  Parts parts;
  parts.parameters = name.substr(head.size());
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < head.size(); ++i) {
    const char c = head[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
    const bool colons = head.substr(i, 2) == "::";
    const bool dot = c == '.' && dots == Dots::kSeparate;
    if (depth != 0 || i == start || !(dot || colons)) continue;  // ".ctor" starts with a dot
    parts.path.emplace_back(head.substr(start, i - start));
    parts.between.emplace_back(colons ? "::" : ".");
    i += colons ? 1 : 0;
    start = i + 1;
  }
  parts.path.emplace_back(head.substr(start));
  return parts;
}

// Applies `change` to the outermost generic arguments.
template <typename Change>
std::string with_arguments(const std::string& text, const Change& change) {
  const size_t open = text.find('<', 1);
  const size_t close = text.rfind('>');
  if (open == std::string::npos || close == std::string::npos || close < open) return text;
  return text.substr(0, open + 1) + change(text.substr(open + 1, close - open - 1)) + text.substr(close);
}

std::string join(const Parts& parts, size_t first) {
  std::string result = first > 0 ? "…" : "";
  for (size_t i = first; i < parts.path.size(); ++i) {
    result += parts.path[i];
    if (i < parts.between.size()) result += parts.between[i];
  }
  return result + parts.parameters;
}

Dots dots_of(const profile::Function& function) {
  return function.managed || function.type ? Dots::kSeparate : Dots::kBelong;
}

std::string fit(std::string_view name, Dots dots, size_t width) {
  const auto fits = [&](const std::string& text) { return display_width(text) <= width; };
  std::string text = clean(name);
  if (fits(text) || text.starts_with('[')) return cut_middle(text, width);
  Parts parts = split(text, dots);
  parts.parameters = short_types(parts.parameters);
  for (std::string& part : parts.path) part = with_arguments(part, short_types);
  if (text = join(parts, 0); fits(text)) return text;
  if (parts.parameters.size() > 2) parts.parameters = "(…)";
  const size_t last = parts.path.size() < 2 ? 0 : parts.path.size() - 2;  // class and method
  for (size_t first = 0; first <= last; ++first)
    if (text = join(parts, first); fits(text)) return text;
  for (std::string& part : parts.path) part = with_arguments(part, [](const std::string&) { return std::string("…"); });
  if (text = join(parts, last); fits(text)) return text;
  parts.parameters.clear();
  return cut_middle(join(parts, last), width);
}

}  // namespace

std::string fit_name(std::string_view name, size_t width) { return fit(name, Dots::kSeparate, width); }

std::string fit_function(const profile::Function& function, size_t width) {
  const Dots dots = dots_of(function);
  if (function.managed || function.module.empty() || function.name.starts_with('['))
    return fit(function.name, dots, width);
  const std::string module = clean(function.module);
  const bool has_brackets = module.starts_with('[') && module.ends_with(']');  // "[kernel.kallsyms]" of perf
  const std::string library = has_brackets ? " " + module : fmt::format(" [{}]", module);
  const size_t taken = display_width(library);
  if (taken + 24 <= width) return fit(function.name, dots, width - taken) + library;
  return fit(function.name, dots, width);
}

std::string fit_at_line(const profile::Function& function, const std::string& line, size_t width) {
  constexpr size_t kGap = 2, kLeastName = 20;
  const size_t taken = display_width(line) + kGap;
  if (line.empty() || width < taken + kLeastName) return fit_function(function, width);
  return fit_function(function, width - taken) + std::string(kGap, ' ') + line;
}

BriefName brief_name(const profile::Function& function) {
  const std::string text = clean(function.name);
  if (text.starts_with('[')) return {"", text};
  Parts parts = split(text, dots_of(function));
  for (std::string& part : parts.path) part = with_arguments(part, [](const std::string&) { return std::string("…"); });
  const size_t last = parts.path.size() - 1;
  return {last == 0 ? "" : parts.path[last - 1] + parts.between[last - 1], parts.path[last]};
}

std::string thread_label(const profile::Thread& thread) {
  const std::string of = thread.process_name.empty() ? "" : " of " + clean(thread.process_name);
  if (!thread.name.empty()) return clean(thread.name) + of;
  if (thread.os_id != 0) return fmt::format("thread {}{}", thread.os_id, of);
  return (thread.id == 0 ? "[thread not known]" : fmt::format("[thread {}, not in the log]", thread.id)) + of;
}

}  // namespace oriel::report
