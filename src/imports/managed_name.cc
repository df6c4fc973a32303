#include "imports/managed_name.h"

#include <array>
#include <utility>
#include <vector>

#include "metadata/written_name.h"

namespace oriel::imports {
namespace {

using Word = std::pair<std::string_view, std::string_view>;

// In signatures the runtime writes its own words, in names of types those of the framework.
constexpr Word kKeywords[] = {
    {"int8", "sbyte"},           {"int16", "short"},          {"int32", "int"},
    {"int64", "long"},           {"wchar", "char"},           {"float32", "float"},
    {"float64", "double"},       {"uint8", "byte"},           {"uint16", "ushort"},
    {"uint32", "uint"},          {"uint64", "ulong"},         {"System.Boolean", "bool"},
    {"System.Byte", "byte"},     {"System.Char", "char"},     {"System.Double", "double"},
    {"System.Int16", "short"},   {"System.Int32", "int"},     {"System.Int64", "long"},
    {"System.Object", "object"}, {"System.SByte", "sbyte"},   {"System.Single", "float"},
    {"System.String", "string"}, {"System.UInt16", "ushort"}, {"System.UInt32", "uint"},
    {"System.UInt64", "ulong"},
};
constexpr Word kUnsigned[] = {{"int8", "byte"}, {"int16", "ushort"}, {"int32", "uint"}, {"int64", "ulong"}};

std::string_view keyword(std::string_view word) {
  for (const auto& [name, written] : kKeywords)
    if (word == name) return written;
  return "";
}

bool is_of_word(char letter) {
  constexpr std::string_view kEnds = "<>[](),&* ";
  return kEnds.find(letter) == std::string_view::npos;
}

// "List`1" → "List"; nested types are joined by dots.
std::string plain_word(std::string_view word) {
  std::string plain;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '`') {
      while (i + 1 < word.size() && word[i + 1] >= '0' && word[i + 1] <= '9') ++i;
      continue;
    }
    plain += word[i] == '+' || word[i] == '/' ? '.' : word[i];
  }
  return plain;
}

bool begins_array(std::string_view rest) { return rest.size() > 1 && (rest[1] == ']' || rest[1] == ','); }

// Writes brackets of generic arguments as in C#, and arrays as they are.
class TypeText {
 public:
  explicit TypeText(bool is_short) : is_short_(is_short) {}

  std::string of(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && is_of_word(text[end])) ++end;
      if (end > at) word(text.substr(at, end - at));
      if (end < text.size()) mark(text.substr(end));
      at = end + 1;
    }
    return std::move(out_);
  }

 private:
  void word(std::string_view word) {
    if (word == "class" || word == "value" || word == "valuetype") return;
    if (word == "unsigned") {
      is_unsigned_ = true;
      return;
    }
    if (std::exchange(is_unsigned_, false)) {
      for (const auto& [name, written] : kUnsigned)
        if (word == name) word = written;
    }
    const bool is_argument = is_short_ || !open_.empty();
    if (const std::string_view known = is_argument ? keyword(word) : ""; !known.empty()) {
      out_ += known;
      return;
    }
    if (is_short_) word = word.substr(word.rfind('.') + 1);
    out_ += plain_word(word);
  }

  void mark(std::string_view rest) {
    switch (rest[0]) {
      case ' ':
        return;
      case ',':
        out_ += is_in_array_ ? "," : ", ";
        return;
      case '[':
        is_in_array_ = begins_array(rest);
        if (!is_in_array_) open_.push_back('>');
        out_ += is_in_array_ ? '[' : '<';
        return;
      case ']':
        if (!std::exchange(is_in_array_, false) && !open_.empty()) {
          open_.pop_back();
          out_ += '>';
          return;
        }
        out_ += ']';
        return;
      default:
        out_ += rest[0];
    }
  }

  bool is_short_;
  bool is_unsigned_ = false;
  bool is_in_array_ = false;
  std::vector<char> open_;
  std::string out_;
};

// "instance void  (int32)" → "(int32)"; a result that is a function pointer has parameters too.
std::string_view parameters_of(std::string_view signature) {
  const size_t two = signature.find("  (");
  if (two != std::string_view::npos) return signature.substr(two + 2);
  const size_t at = signature.find('(');
  return at == std::string_view::npos ? "" : signature.substr(at);
}

// Where the innermost class begins: behind the last + that is in no brackets.
size_t innermost(std::string_view type) {
  size_t at = 0, open = 0;
  for (size_t i = 0; i < type.size(); ++i) {
    if (type[i] == '[') ++open;
    if (type[i] == ']' && open > 0) --open;
    if (type[i] == '+' && open == 0) at = i + 1;
  }
  return at;
}

// "Dispatch" and "Add": the last dot before parameters and generic arguments; of "Cart..ctor" the first of the two.
size_t last_dot(std::string_view text) {
  const std::string_view before = text.substr(0, text.find_first_of("(<["));
  size_t dot = before.rfind('.');
  // A method's own arguments, not those of its type: "List<int>.Add(int)".
  size_t open = 0;
  for (size_t i = 0; i < text.size() && !(open == 0 && text[i] == '('); ++i) {
    if (text[i] == '<' || text[i] == '[') ++open;
    if ((text[i] == '>' || text[i] == ']') && open > 0) --open;
    if (text[i] == '.' && open == 0) dot = i;
  }
  if (dot != std::string_view::npos && dot > 0 && text[dot - 1] == '.') --dot;
  return dot;
}

}  // namespace

std::string managed_type_name(std::string_view type) { return TypeText(false).of(type); }

ManagedName managed_name(std::string_view type, std::string_view method, std::string_view signature) {
  ManagedName result;
  const std::string parameters = TypeText(true).of(parameters_of(signature));
  const size_t inner = innermost(type);
  const std::string_view own = type.substr(inner);
  const std::string bare(own.substr(0, own.find_first_of("`[")));
  const metadata::MadeType made = metadata::made_type(bare, method);
  const std::string_view outer = inner == 0 ? "" : type.substr(0, inner - 1);
  std::string name = metadata::source_method_name(method);
  switch (inner == 0 ? metadata::TypeOrigin::kWritten : made.origin) {
    case metadata::TypeOrigin::kStateMachine:
      if (!metadata::runs_state_machine(method)) break;
      result.raw_name = std::string(type) + "." + std::string(method) + "()";
      result.klass = managed_type_name(outer);
      result.name = metadata::source_method_name(made.method);
      return result;
    case metadata::TypeOrigin::kLambda:
      name = made.method;
      [[fallthrough]];
    case metadata::TypeOrigin::kClosure:
      result.klass = managed_type_name(outer);
      result.name = name + parameters;
      return result;
    case metadata::TypeOrigin::kWritten:
      break;
  }
  result.klass = managed_type_name(type);
  result.name = name + parameters;
  return result;
}

std::optional<ModuleMethod> method_of_trace(std::string_view text) {
  const size_t mark = text.find('!');
  if (mark == std::string_view::npos || mark == 0 || text.substr(0, mark).find_first_of(" (<[") != text.npos)
    return std::nullopt;
  const std::string_view method = text.substr(mark + 1);
  const size_t dot = last_dot(method);
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  const size_t parameters = std::min(method.find('(', dot), method.size());
  return ModuleMethod{
      std::string(text.substr(0, mark)),
      managed_name(method.substr(0, dot), method.substr(dot + 1, parameters - dot - 1), method.substr(parameters))};
}

std::optional<ModuleMethod> method_of_perf_map(std::string_view text) {
  const size_t member = text.find("::");
  const size_t end = text.substr(0, member).rfind("] ");
  const size_t begin = end == std::string_view::npos ? end : text.rfind('[', end);
  if (member == std::string_view::npos || begin == std::string_view::npos) return std::nullopt;
  const size_t parameters = text.find('(', member);
  const size_t close = text.rfind(')');
  if (parameters == std::string_view::npos || close == std::string_view::npos || close < parameters)
    return std::nullopt;
  return ModuleMethod{
      std::string(text.substr(begin + 1, end - begin - 1)),
      managed_name(text.substr(end + 2, member - end - 2), text.substr(member + 2, parameters - member - 2),
                   text.substr(parameters, close + 1 - parameters))};
}

std::optional<ManagedName> split_name(std::string_view text) {
  const size_t dot = last_dot(text);
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return std::nullopt;
  return ManagedName{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1)), ""};
}

}  // namespace oriel::imports
