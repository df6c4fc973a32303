#include "metadata/written_name.h"

#include <algorithm>
#include <optional>

#include "base/text/ascii.h"
#include "metadata/type_text.h"

namespace oriel::metadata {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }

// "<inner>rest", with matching brackets: the form of all compiler-made names.
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

// "0_1", "1", "0_1#2": an ordinal of the method and one of its lambda; returns the last, which distinguishes lambdas.
std::string_view last_ordinal(std::string_view ordinals) {
  const size_t underscore = ordinals.rfind('_');
  return underscore == std::string_view::npos ? ordinals : ordinals.substr(underscore + 1);
}

constexpr std::string_view kVbLambda = "_Lambda$__";

size_t digits_at_start(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// "VB$StateMachine_3_BarAsync"; a lambda's has no number.
std::optional<std::string> vb_state_machine(std::string_view name) {
  if (!take(name, "VB$StateMachine_")) return std::nullopt;
  const size_t digits = digits_at_start(name);
  if (digits + 1 >= name.size() || name[digits] != '_') return std::nullopt;
  const std::string_view method = name.substr(digits + 1);
  if (digits == 0 && !method.starts_with(kVbLambda)) return std::nullopt;
  return std::string(method);
}

// An F# name: "sum@10-1".
struct Placed {
  std::string_view binding;
  std::string_view place;  // the line, and a number if it has several
};

std::optional<Placed> placed(std::string_view name) {
  const size_t at = name.rfind('@');
  if (at == std::string_view::npos || at == 0 || name.front() == '<') return std::nullopt;
  const std::string_view place = name.substr(at + 1);
  const size_t line = digits_at_start(place);
  if (line == 0) return std::nullopt;
  const bool numbered = line < place.size();
  if (numbered && (place[line] != '-' || line + 1 == place.size())) return std::nullopt;
  if (numbered && digits_at_start(place.substr(line + 1)) != place.size() - line - 1) return std::nullopt;
  return Placed{name.substr(0, at), place};
}

// The compiler's name for a closure without a nearby binding.
bool is_made_up(std::string_view binding) { return binding == "clo" || binding.starts_with("Pipe #"); }

MadeType fsharp_type(const Placed& type, std::string_view method) {
  if (runs_state_machine(method)) return {TypeOrigin::kStateMachine, std::string(type.binding)};
  if (method != "Invoke") return {};
  const std::string owner = is_made_up(type.binding) ? "" : std::string(type.binding) + ".";
  return {TypeOrigin::kLambda, owner + "lambda@" + std::string(type.place)};
}

}  // namespace

std::string source_method_name(std::string_view name) {
  if (std::string_view ordinals = name; take(ordinals, kVbLambda) && !ordinals.empty())
    return "lambda#" + std::string(ordinals);
  const std::optional<Bracketed> parts = bracketed(name);
  if (!parts) return std::string(name);
  std::string_view rest = parts->rest;
  if (rest == "$" || (rest.empty() && parts->inner == "Main")) return source_method_name(parts->inner);
  if (take(rest, "b__") && !rest.empty()) {
    return source_method_name(parts->inner) + ".lambda#" + std::string(last_ordinal(rest));
  }
  if (std::string_view number = rest; take(number, "m__") && !number.empty() && is_digit(number.front())) {
    const std::string of = parts->inner.empty() ? "" : source_method_name(parts->inner) + ".";
    return of + "lambda#" + std::string(number);
  }
  if (take(rest, "g__")) {
    const std::string_view own = rest.substr(0, rest.find('|'));
    if (!own.empty()) return source_method_name(parts->inner) + "." + std::string(own);
  }
  if (parts->inner.empty() && take(rest, "m__Finally")) return "finally#" + std::string(rest);
  return std::string(name);
}

std::string source_field_name(const std::string& name) {
  const size_t end = name.find(">k__BackingField");
  return name.starts_with('<') && end != std::string::npos ? name.substr(1, end - 1) : name;
}

std::string source_type_name(std::string_view name) {
  if (std::string_view number = name; take(number, "VB$AnonymousType_")) return "anonymous#" + std::string(number);
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

MadeType made_type(std::string_view name, std::string_view method) {
  if (std::optional<std::string> of = vb_state_machine(name)) return {TypeOrigin::kStateMachine, *of};
  if (std::string_view numbers = name; take(numbers, "_Closure$__"))
    return {TypeOrigin::kClosure, std::string(numbers.substr(0, digits_at_start(numbers)))};
  if (const std::optional<Placed> type = placed(name)) return fsharp_type(*type, method);
  const std::optional<Bracketed> parts = bracketed(name);
  if (!parts) return {};
  if (parts->inner.empty() && (parts->rest == "c" || parts->rest.starts_with("c__"))) return {TypeOrigin::kClosure, {}};
  if (std::string_view number = parts->rest; take(number, "c__AnonStorey"))
    return {TypeOrigin::kClosure, "<" + std::string(parts->inner) + ">" + std::string(number)};
  const bool is_machine = parts->rest == "d" || parts->rest.starts_with("d__") || parts->rest.starts_with("c__async") ||
                          parts->rest.starts_with("c__Iterator");
  if (!parts->inner.empty() && is_machine) {
    return {TypeOrigin::kStateMachine, std::string(parts->inner)};
  }
  return {};
}

bool runs_state_machine(std::string_view method) { return method == "MoveNext" || method == "GenerateNext"; }

std::string numbered_lambda(const std::string& name, const std::string& method) {
  constexpr std::string_view kLambda = "lambda#";
  if (method.empty() || !name.starts_with(kLambda) || name.find('-') != std::string::npos) return name;
  const std::optional<Bracketed> parts = bracketed(method);
  const std::string owner = parts ? source_method_name(parts->inner) + "." : "";
  const std::string closure(parts ? parts->rest : method);
  return owner + std::string(kLambda) + closure + "-" + name.substr(kLambda.size());
}

std::optional<StepOut> step_out(const std::string& class_name, const std::string& method, const std::string& name) {
  const MadeType made = made_type(split_arity(class_name).name, method);
  switch (made.origin) {
    case TypeOrigin::kClosure:
      if (method.starts_with(".")) break;  // its constructor belongs to no other method
      return StepOut{numbered_lambda(name, made.method), {}, ""};
    case TypeOrigin::kLambda:
      return StepOut{made.method, {}, ""};
    case TypeOrigin::kStateMachine:
      return StepOut{source_method_name(made.method), made.method, runs_state_machine(method) ? "" : "." + name};
    case TypeOrigin::kWritten:
      break;
  }
  return std::nullopt;
}

}  // namespace oriel::metadata
