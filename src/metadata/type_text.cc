#include "metadata/type_text.h"

#include <algorithm>
#include <charconv>

#include "base/text/element.h"
#include "metadata/written_name.h"

namespace oriel::metadata {
namespace {

constexpr const char* kUnknown = "?";
// A typeSpec may name a typeSpec; a longer chain is a cycle in a corrupt file.
constexpr int kMaxSpecs = 4;

std::string join(const std::vector<std::string>& texts, const char* separator) {
  std::string joined;
  for (const std::string& text : texts) {
    if (&text != &texts.front()) joined += separator;
    joined += text;
  }
  return joined;
}

std::string raw_path(const TypePath& path) {
  return (path.name_space.empty() ? "" : path.name_space + ".") + join(path.names, "+");
}

std::string array_text(const TypeSignature& type, const std::string& element) {
  return element + "[" + std::string(type.number > 1 ? type.number - 1 : 0, ',') + "]";
}

std::string text_of(const TypeSignature& type, const NameScope& scope, Style style, int specs);

std::string named_text(const TypeSignature& type, const NameScope& scope, Style style, int specs) {
  if (type.token >> 24 == 0x1b) {
    if (specs == kMaxSpecs) return kUnknown;
    const Result<TypeSignature> spec = decode_type_signature(scope.type_spec(type.token));
    return spec ? text_of(*spec, scope, style, specs + 1) : kUnknown;
  }
  std::vector<std::string> arguments;
  for (const TypeSignature& child : type.children) arguments.push_back(text_of(child, scope, style, specs));
  if (type.handle == 0) return type_text(scope.type_path(type.token), arguments, style);
  const std::string open = scope.internal_type(type.handle, style);  // with the names of its parameters
  if (open.empty()) return kUnknown;
  return open.substr(0, open.find(style == Style::kRaw ? '[' : '<')) + arguments_text(arguments, style);
}

std::string function_pointer_text(const TypeSignature& type, const NameScope& scope, Style style, int specs) {
  std::vector<std::string> types;
  for (size_t i = 1; i < type.children.size(); ++i) types.push_back(text_of(type.children[i], scope, style, specs));
  if (!type.children.empty()) types.push_back(text_of(type.children.front(), scope, style, specs));
  return "delegate*<" + join(types, ", ") + ">";
}

std::string text_of(const TypeSignature& type, const NameScope& scope, Style style, int specs) {
  const auto element = [&] { return text_of(type.children.front(), scope, style, specs); };
  switch (type.kind) {
    case Element::kPointer:
      return element() + "*";
    case Element::kByRef:
      return style == Style::kRaw ? element() + "&" : "ref " + element();
    case Element::kSzArray:
      return element() + "[]";
    case Element::kArray:
      return array_text(type, element());
    case Element::kVar:
      return scope.class_parameter(type.number, style);
    case Element::kMVar:
      return scope.method_parameter(type.number, style);
    case Element::kClass:
    case Element::kValueType:
    case Element::kGenericInst:
      return named_text(type, scope, style, specs);
    case Element::kInternal: {
      const std::string text = scope.internal_type(type.handle, style);
      return text.empty() ? kUnknown : text;
    }
    case Element::kFunctionPointer:
      return function_pointer_text(type, scope, style, specs);
    case Element::kTypedByRef:
      return style == Style::kShort ? "TypedReference" : "System.TypedReference";
    default: {
      const std::string primitive = primitive_text(type.kind, style);
      return primitive.empty() ? kUnknown : primitive;
    }
  }
}

}  // namespace

BareName split_arity(const std::string& name) {
  const size_t tick = name.rfind('`');
  if (tick == std::string::npos || tick == 0) return {name, 0};
  uint32_t arity = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + tick + 1, end, arity);
  if (parsed.ec != std::errc() || parsed.ptr != end) return {name, 0};
  return {name.substr(0, tick), arity};
}

std::string keyword_of(const TypePath& path) {
  if (path.name_space != "System" || path.names.size() != 1) return {};
  for (const TypeKeyword& type : kTypeKeywords) {
    if (path.names.front() == type.name) return type.keyword;
  }
  return {};
}

std::string primitive_text(Element kind, Style style) {
  for (const TypeKeyword& type : kTypeKeywords) {
    if (type.kind == kind) return style == Style::kRaw ? std::string("System.") + type.name : type.keyword;
  }
  return {};
}

std::string arguments_text(const std::vector<std::string>& arguments, Style style) {
  if (arguments.empty()) return {};
  return style == Style::kRaw ? "[" + join(arguments, ",") + "]" : "<" + join(arguments, ", ") + ">";
}

std::string type_text(const TypePath& path, const std::vector<std::string>& arguments, Style style) {
  if (path.names.empty()) return kUnknown;
  if (style == Style::kRaw) return raw_path(path) + arguments_text(arguments, style);
  if (std::string keyword = keyword_of(path); !keyword.empty()) return keyword;

  // Each name takes its own arguments: Outer`1+Inner`1 with A, B is Outer<A>.Inner<B>.
  std::string text = style == Style::kFull && !path.name_space.empty() ? path.name_space + "." : "";
  auto next = arguments.begin();
  for (const std::string& name : path.names) {
    const BareName bare = split_arity(name);
    const size_t own = std::min<size_t>(bare.arity, static_cast<size_t>(arguments.end() - next));
    if (&name != &path.names.front()) text += ".";
    text += source_type_name(bare.name);
    text += arguments_text(std::vector<std::string>(next, next + static_cast<ptrdiff_t>(own)), style);
    next += static_cast<ptrdiff_t>(own);
  }
  if (path.name_space == "System" && path.names.size() == 1 && path.names[0] == "Nullable`1" && arguments.size() == 1) {
    return arguments[0] + "?";
  }
  return text;
}

std::string type_text(const TypeSignature& type, const NameScope& scope, Style style) {
  return text_of(type, scope, style, 0);
}

std::string parameters_text(const std::vector<TypeSignature>& parameters, const NameScope& scope, Style style) {
  std::vector<std::string> types;
  for (const TypeSignature& parameter : parameters) types.push_back(type_text(parameter, scope, style));
  return parameters_text(types, style);
}

std::string parameters_text(const std::vector<std::string>& types, Style style) {
  return "(" + join(types, style == Style::kRaw ? "," : ", ") + ")";
}

}  // namespace oriel::metadata
