// Notations for names and values.
#include "base/redact/redact_notation.h"

#include <algorithm>
#include <iterator>

#include "base/redact/redact.h"

namespace oriel {
namespace {

template <size_t n>
bool is_one_of_names(std::string_view name, const std::string_view (&names)[n]) {
  return std::ranges::any_of(names, [&](std::string_view one) { return equal_but_for_case(name, one); });
}

constexpr std::string_view kNaming[] = {"key", "name", "variable", "setting", "property"};
constexpr std::string_view kNamingAttributes[] = {"key", "name", "variable", "setting", "property", "type", "id"};
constexpr std::string_view kValues[] = {"value", "val", "content", "text", "default"};

constexpr std::string_view kMarks[] = {"\"", "'", "u0022", "u0027"};

bool is_coded(const Quote& quote) { return quote.mark.size() > 1; }

// Each level of nested strings doubles the backslashes and adds one. A quote with fewer ends an outer string.
bool closes(const Quote& opened, size_t escapes) {
  if (escapes < opened.escapes) return !is_coded(opened);
  return (escapes - opened.escapes) % (2 * (opened.escapes + 1)) == 0;
}

// An apostrophe inside a word opens no string.
bool opens_string(const Quote& quote, char before) {
  return quote.size > 0 && (quote.mark != "'" || std::string_view("{[(:,=").find(before) != kNowhere);
}

// The end of a tag, after its '>'; none if another '<' comes first. A '>' in quotes belongs to a value.
size_t markup_end(std::string_view text, size_t at) {
  char quote = 0, before = 0;
  for (++at; at < text.size() && text[at] != '<'; ++at) {
    const char c = text[at];
    if (quote == 0 && c == '>') return at + 1;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && before == '=' && (c == '"' || c == '\'')) {
      quote = c;
    }
    if (!is_blank(c)) before = c;
  }
  return 0;
}

size_t end_of_markup_name(std::string_view text, size_t at) {
  while (at < text.size() && (is_name_character(text[at]) || text[at] == ':')) ++at;
  return at;
}

// Reads the attribute at `at` into `markup`. Returns where to continue.
size_t read_attribute(std::string_view text, size_t at, Markup& markup, bool& has_value) {
  const size_t name_end = end_of_markup_name(text, at);
  if (name_end == at) return at + 1;
  const std::string_view name = text.substr(at, name_end - at);
  size_t begin = name_end;
  while (begin < markup.end && is_blank(text[begin])) ++begin;
  if (text[begin] != '=') return begin;
  ++begin;
  while (begin < markup.end && is_blank(text[begin])) ++begin;
  const char quote = text[begin] == '\'' || text[begin] == '"' ? text[begin] : '\0';
  if (quote == '\0') return begin;
  const size_t end = std::min(text.find(quote, begin + 1), markup.end);
  has_value = has_value || is_value_of_another(name);
  if (is_naming_attribute(name) && is_secret_name(text.substr(begin + 1, end - begin - 1))) markup.is_secret = true;
  return end + 1;
}

}  // namespace

Quote quote_at(std::string_view text, size_t at) {
  constexpr size_t kMost = 16;
  size_t mark = at;
  while (mark < text.size() && mark < at + kMost && text[mark] == '\\') ++mark;
  for (const std::string_view one : kMarks) {
    const Quote quote{mark + one.size() - at, one, mark - at};
    if (text.substr(std::min(mark, text.size())).starts_with(one) && (!is_coded(quote) || mark > at)) return quote;
  }
  return {};
}

Stretch closing_quote(std::string_view text, size_t from, const Quote& opened) {
  size_t escapes = 0;
  for (size_t at = from; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++escapes;
      continue;
    }
    if (text.substr(at).starts_with(opened.mark) && closes(opened, escapes)) {
      const size_t end = at + opened.mark.size();
      const bool doubled = opened.escapes == 0 && text.substr(end).starts_with(opened.mark);
      if (!doubled) return {at - std::min(escapes, opened.escapes), end};
      ++at;
    }
    escapes = 0;
  }
  return {text.size(), text.size()};
}

size_t bracket_end(std::string_view text, size_t at) {
  size_t depth = 0;
  char before = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (const Quote quote = quote_at(text, at); opens_string(quote, before)) {
      at = closing_quote(text, at + quote.size, quote).end;
    } else {
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at + 1;
      ++at;
    }
    if (!is_blank(c)) before = c;
  }
  return at;
}

bool names_another(std::string_view name) { return is_one_of_names(name, kNaming); }
bool is_value_of_another(std::string_view name) { return is_one_of_names(name, kValues); }
bool is_naming_attribute(std::string_view name) { return is_one_of_names(name, kNamingAttributes); }

Markup markup_at(std::string_view text, size_t at) {
  Markup markup;
  if (at + 1 >= text.size() || !is_letter(text[at + 1])) return markup;
  markup.end = markup_end(text, at);
  if (markup.end == 0) return markup;
  markup.name = {at + 1, end_of_markup_name(text, at + 1)};
  markup.is_empty = text[markup.end - 2] == '/';
  markup.is_secret = is_secret_name(text.substr(markup.name.begin, markup.name.end - markup.name.begin));
  bool has_value = false;
  for (size_t next = markup.name.end; next < markup.end;) next = read_attribute(text, next, markup, has_value);
  markup.names_another = has_value || markup.is_secret;
  return markup;
}

}  // namespace oriel
