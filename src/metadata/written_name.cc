#include "metadata/written_name.h"

#include <algorithm>
#include <optional>

namespace oriel::metadata {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }

// "<inner>rest", the brackets matched: every name that the compiler makes up looks like this.
struct Bracketed {
  std::string_view inner;
  std::string_view rest;
};

std::optional<Bracketed> bracketed(std::string_view name) {
  if (name.empty() || name.front() != '<') return std::nullopt;
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && --depth == 0) return Bracketed{name.substr(1, i - 1), name.substr(i + 1)};
  }
  return std::nullopt;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "0_1", "1", "0_1#2": an ordinal of the method and one of the lambda in it; the last number tells lambdas apart.
std::string_view last_ordinal(std::string_view ordinals) {
  const size_t underscore = ordinals.rfind('_');
  return underscore == std::string_view::npos ? ordinals : ordinals.substr(underscore + 1);
}

// A VB name: "_Lambda$__1-0", "VB$StateMachine_3_BarAsync".
std::optional<std::string> vb_state_machine(std::string_view name) {
  if (!take(name, "VB$StateMachine_")) return std::nullopt;
  const size_t digits = std::find_if_not(name.begin(), name.end(), is_digit) - name.begin();
  if (digits == 0 || digits + 1 >= name.size() || name[digits] != '_') return std::nullopt;
  return std::string(name.substr(digits + 1));
}

}  // namespace

std::string written_method_name(std::string_view name) {
  const std::optional<Bracketed> parts = bracketed(name);
  if (!parts) return std::string(name);
  std::string_view rest = parts->rest;
  if (rest == "$" || (rest.empty() && parts->inner == "Main")) return written_method_name(parts->inner);
  if (take(rest, "b__") && !rest.empty()) {
    return written_method_name(parts->inner) + ".lambda#" + std::string(last_ordinal(rest));
  }
  if (take(rest, "g__")) {
    const std::string_view own = rest.substr(0, rest.find('|'));
    if (!own.empty()) return written_method_name(parts->inner) + "." + std::string(own);
  }
  if (parts->inner.empty() && take(rest, "m__Finally")) return "finally#" + std::string(rest);
  return std::string(name);
}

std::string written_type_name(std::string_view name) {
  const std::optional<Bracketed> parts = bracketed(name);
  if (!parts) return std::string(name);
  std::string_view rest = parts->rest;
  if (parts->inner.empty() && take(rest, "f__AnonymousType")) return "anonymous#" + std::string(rest);
  if (!parts->inner.empty() && take(rest, "F")) {
    const size_t digits = std::find_if_not(rest.begin(), rest.end(), is_hex) - rest.begin();
    if (digits >= 32 && rest.substr(digits).starts_with("__")) return std::string(rest.substr(digits + 2));
  }
  return std::string(name);
}

std::string written_parameter_name(std::string_view name) {
  const std::optional<Bracketed> parts = bracketed(name);
  return std::string(parts && parts->rest == "j__TPar" ? parts->inner : name);
}

MadeType made_type(std::string_view name) {
  if (std::optional<std::string> method = vb_state_machine(name)) return {TypeOrigin::kStateMachine, *method};
  if (name.starts_with("_Closure$__")) return {TypeOrigin::kClosure, {}};
  const std::optional<Bracketed> parts = bracketed(name);
  if (!parts) return {};
  if (parts->inner.empty() && (parts->rest == "c" || parts->rest.starts_with("c__"))) return {TypeOrigin::kClosure, {}};
  if (!parts->inner.empty() && (parts->rest == "d" || parts->rest.starts_with("d__"))) {
    return {TypeOrigin::kStateMachine, std::string(parts->inner)};
  }
  return {};
}

}  // namespace oriel::metadata
