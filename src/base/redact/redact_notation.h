// Strings and brackets as JSON and languages write them, and tags of XML and HTML. For redact*.cc.
#pragma once

#include <string_view>

#include "base/redact/redact_forms.h"

namespace oriel {

// What opens a string: " and ', and in a text that stands in a string itself \" and \u0022.
struct Quote {
  size_t size = 0;  // 0: none
  std::string_view mark;
  size_t escapes = 0;  // backslashes before the mark
};
Quote quote_at(std::string_view text, size_t at);

// The quote that closes a string whose contents begin at `from`; empty, at the text's end, where none does. One within
// has a backslash before it, or is doubled.
Stretch closing_quote(std::string_view text, size_t from, const Quote& opened);

// Behind what the bracket at `at` holds.
size_t bracket_end(std::string_view text, size_t at);

// Whether a name's value is a name itself, and whether it has the value of what is named so beside it:
// "name: …, value: …".
bool names_another(std::string_view name);
bool is_value_of_another(std::string_view name);

// "<add key="…" value="…">" and "<password>".
struct Markup {
  size_t end = 0;  // behind it; 0: none
  Stretch name;
  bool names_another = false;  // by an attribute, what another has the value of
  bool is_secret = false;      // so named, or by that attribute: values of its others are, and what it holds
  bool is_empty = false;       // holds nothing
};
Markup markup_at(std::string_view text, size_t at);
bool is_naming_attribute(std::string_view name);

}  // namespace oriel
