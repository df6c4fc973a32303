#include "mono_modules/mono_names.h"

#include <algorithm>

#include "runtimes/mono/type_keywords.h"

namespace oriel::mono_modules {
namespace {

constexpr int kMostNesting = 32;
constexpr std::string_view kSystem = "System.";

// Where the first of `ends` is that is in no angle brackets, which compilers use in names; the size if there is none.
size_t find_outside(std::string_view text, std::string_view ends) {
  int open = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (open == 0 && ends.find(text[at]) != ends.npos) return at;
    if (text[at] == '<') ++open;
    if (text[at] == '>' && open > 0) --open;
  }
  return text.size();
}

// Likewise behind the last one; 0 if there is none.
size_t behind_last_outside(std::string_view text, char what) {
  size_t behind = 0;
  for (;;) {
    const size_t next = behind + find_outside(text.substr(behind), std::string_view(&what, 1));
    if (next >= text.size()) return behind;
    behind = next + 1;
  }
}

// "Shop.Outer`1+Inner" of "Shop.Outer`1+Inner[System.Int32][]".
std::string_view path_of(std::string_view raw) { return raw.substr(0, find_outside(raw, "[],*&")); }

// "[System.Int32,System.String[]]" of that and what follows; empty if it does not begin with a bracket.
std::string_view bracketed(std::string_view text) {
  int open = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[') ++open;
    if (text[at] == ']') --open;
    if (open == 0) return at == 0 ? std::string_view() : text.substr(0, at + 1);
  }
  return text;
}

// "[]", "[,]": of an array, not of generic arguments.
bool is_rank(std::string_view brackets) { return brackets.find_first_not_of("[,]") == brackets.npos; }

std::string_view inside(std::string_view brackets) {
  return brackets.size() < 2 ? std::string_view() : brackets.substr(1, brackets.size() - 2);
}

std::string written_path(std::string_view path) {
  if (path.starts_with(kSystem)) {
    for (const mono::TypeWord& word : mono::kTypeWords)
      if (path.substr(kSystem.size()) == word.name) return std::string(word.keyword);
  }
  std::string text;
  while (!path.empty()) {
    const size_t end = find_outside(path, "+");
    text += path.substr(0, end);
    if (end < path.size()) text += '/';
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return text;
}

std::string take_types(std::string_view& rest, std::string_view separator, int depth);

// Takes "delegate*<int, void>" as well: of those Mono says only that.
std::string take_type(std::string_view& rest, int depth) {
  constexpr std::string_view kFunction = "delegate*";
  std::string text;
  if (rest.starts_with(kFunction)) {
    rest.remove_prefix(kFunction.size());
    rest.remove_prefix(find_outside(rest, "[],*&"));
    text = "*()";
  } else {
    const std::string_view path = path_of(rest);
    rest.remove_prefix(path.size());
    text = written_path(path);
  }
  for (; !rest.empty() && rest.front() != ','; rest.remove_prefix(1)) {
    const std::string_view brackets = bracketed(rest);
    if (!brackets.empty() && !is_rank(brackets)) {
      std::string_view arguments = inside(brackets);
      text += "<" + take_types(arguments, ", ", depth + 1) + ">";
    } else {
      text += brackets.empty() ? rest.substr(0, 1) : brackets;
    }
    rest.remove_prefix(brackets.empty() ? 0 : brackets.size() - 1);
  }
  return text;
}

std::string take_types(std::string_view& rest, std::string_view separator, int depth) {
  if (depth == kMostNesting) return std::string(rest);
  std::string text;
  while (!rest.empty()) {
    text += take_type(rest, depth);
    if (!rest.empty()) {
      text += separator;
      rest.remove_prefix(1);
    }
  }
  return text;
}

// Where the method's own name begins in "Shop.Box`1[System.Int32].Turn".
size_t begin_of_method(std::string_view raw, std::string_view klass) {
  constexpr std::string_view kOfDynamic = "DynamicClass.";
  if (klass.empty()) return raw.starts_with(kOfDynamic) ? kOfDynamic.size() : 0;
  const std::string_view path = path_of(klass);
  if (!raw.starts_with(path)) return 0;
  const size_t end = path.size() + bracketed(raw.substr(path.size())).size();
  return end < raw.size() && raw[end] == '.' ? end + 1 : 0;
}

// Where the generic arguments of a method begin in "Turn[System.Int64]".
size_t begin_of_arguments(std::string_view name) {
  int open = 0;
  for (size_t at = name.size(); at-- > 0;) {
    if (name[at] == ']') ++open;
    if (name[at] == '[') --open;
    if (open == 0) return name[at] == '[' ? at : name.size();
  }
  return name.size();
}

}  // namespace

std::string own_class_name(std::string_view raw) {
  const std::string_view path = path_of(raw);
  const size_t nested = behind_last_outside(path, '+');
  std::string text(path.substr(nested != 0 ? nested : behind_last_outside(path, '.')));
  for (std::string_view rest = raw.substr(path.size()); !rest.empty();) {
    const std::string_view brackets = bracketed(rest);
    const std::string_view part = brackets.empty() ? rest.substr(0, 1) : brackets;
    if (is_rank(part) || brackets.empty()) text += part;
    rest.remove_prefix(part.size());
  }
  return text;
}

std::string_view class_namespace(std::string_view raw) {
  const std::string_view path = path_of(raw);
  const size_t last = behind_last_outside(path, '.');
  return behind_last_outside(path, '+') != 0 || last == 0 ? std::string_view() : path.substr(0, last - 1);
}

std::string mono_type(std::string_view raw) { return take_types(raw, ",", 0); }

MethodNames method_names(std::string_view raw, std::string_view klass) {
  const size_t open = raw.ends_with(')') ? raw.rfind('(') : raw.npos;
  const std::string_view head = raw.substr(0, open);
  const std::string_view parameters = open == raw.npos ? "" : raw.substr(open + 1, raw.size() - open - 2);
  const size_t begin = begin_of_method(head, klass);
  const std::string_view name = head.substr(begin);
  const size_t end = begin_of_arguments(name);
  MethodNames names;
  names.own = name.substr(0, end);
  // A dynamic method is one of System.Object for Mono.
  names.full = klass.empty() ? "(wrapper dynamic-method) object" : mono_type(begin ? head.substr(0, begin - 1) : klass);
  names.full += ":" + names.own;
  if (end < name.size()) {
    std::string_view arguments = inside(name.substr(end));
    names.full += "<" + take_types(arguments, ", ", 0) + ">";
  }
  names.with_parameters = names.full + " (" + mono_type(parameters) + ")";
  return names;
}

}  // namespace oriel::mono_modules
