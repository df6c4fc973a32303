// JSON as it is written where a terminal may show it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace oriel::report {

// JSON's own text, with \u escapes for characters that a terminal acts on and JSON lets stand.
std::string escaped_for_terminal(std::string text);

// Names may have any bytes: what is no UTF-8 becomes U+FFFD. `indent`: -1 for one line.
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
  return escaped_for_terminal(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace oriel::report
