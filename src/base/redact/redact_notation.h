// Strings and brackets in JSON and programming languages, and tags in XML and HTML. For redact*.cc.
#pragma once

#include <string_view>

#include "base/redact/redact_forms.h"

namespace oriel {

// The opening quote of a string: " and ', and inside another string \" and \u0022.
struct Quote {
  size_t size = 0;  // 0: none
  std::string_view mark;
  size_t escapes = 0;  // backslashes before the mark
};
Quote quote_at(std::string_view text, size_t at);

// The quote that closes a string whose contents begin at `from`; empty, at the text's end, if there is none. Quotes
// inside the string are escaped or doubled.
Stretch closing_quote(std::string_view text, size_t from, const Quote& opened);

// The end of what the bracket at `at` contains.
size_t bracket_end(std::string_view text, size_t at);

// Whether a name's value is a name itself, and whether a name holds the value for such a name: "name: …, value: …".
bool names_another(std::string_view name);
bool is_value_of_another(std::string_view name);

// "<add key="…" value="…">" and "<password>".
struct Markup {
  size_t end = 0;  // behind it; 0: none
  Stretch name;
  bool names_another = false;  // by an attribute: another attribute has the value
  bool is_secret = false;      // by its name, or by that attribute: its other attributes' values and its contents are
                               // secret
  bool is_empty = false;       // has no contents
};
Markup markup_at(std::string_view text, size_t at);
bool is_naming_attribute(std::string_view name);

}  // namespace oriel
