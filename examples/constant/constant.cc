// Makes methods return a constant without running their code, for instance to flip a hard-coded switch of the program.
//
//   $ oriel run --module './liboriel-constant.so:Shop.Flags.IsNew=true,Shop.Cart.Limit=3' -- dotnet Shop.dll
//
// A constant is a number, true, false, null, or else the text of a string.
#include <oriel/code.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>

namespace {

std::map<std::string, std::string> constants;  // by the method's name

std::string name_of(oriel_method* method) {
  const std::string name = oriel_method_name(method);
  return name.substr(0, name.find('('));
}

struct Integer {
  const char* type;
  int64_t least, most;
};
constexpr Integer integers[] = {{"sbyte", INT8_MIN, INT8_MAX},   {"byte", 0, UINT8_MAX},
                                {"short", INT16_MIN, INT16_MAX}, {"ushort", 0, UINT16_MAX},
                                {"char", 0, UINT16_MAX},         {"int", INT32_MIN, INT32_MAX},
                                {"uint", 0, UINT32_MAX},         {"long", INT64_MIN, INT64_MAX}};

// The text as a value of one of these types; a ulong as the same bits.
std::optional<int64_t> integer(const std::string& type, const std::string& text) {
  char* rest = nullptr;
  errno = 0;
  const bool is_ulong = type == "ulong" && text.find('-') == std::string::npos;
  const int64_t value =
      is_ulong ? static_cast<int64_t>(std::strtoull(text.c_str(), &rest, 0)) : std::strtoll(text.c_str(), &rest, 0);
  if (text.empty() || *rest != '\0' || errno == ERANGE) return std::nullopt;
  const bool fits = std::any_of(std::begin(integers), std::end(integers), [&](const Integer& each) {
    return type == each.type && value >= each.least && value <= each.most;
  });
  return fits || is_ulong ? std::optional(value) : std::nullopt;
}

bool is_one_of(const std::string& type, std::initializer_list<const char*> types) {
  return std::any_of(types.begin(), types.end(), [&](const char* each) { return type == each; });
}

// Pushes the constant as a value of the type; false if it does not fit.
bool load(oriel::Code& code, const std::string& type, const std::string& text) {
  const auto append = [&](oriel_instruction* made) { code.before(code.end_mark(), {made}); };
  if (const std::optional<int64_t> number = integer(type, text)) {
    const bool is_long = is_one_of(type, {"long", "ulong"});
    append(is_long ? code.make(ORIEL_IL_Ldc_I8, *number) : code.make(ORIEL_IL_Ldc_I4, static_cast<int32_t>(*number)));
  } else if (type == "bool" && is_one_of(text, {"true", "false"})) {
    append(code.make(ORIEL_IL_Ldc_I4, text == "true"));
  } else if (is_one_of(type, {"float", "double"})) {
    char* rest = nullptr;
    const double real = std::strtod(text.c_str(), &rest);
    int64_t bits = 0;
    std::memcpy(&bits, &real, sizeof bits);
    append(code.make(ORIEL_IL_Ldc_R8, bits));
    return *rest == '\0' && !text.empty();
  } else if (type == "string" && text != "null") {
    append(code.make(ORIEL_IL_Ldstr, text));
  } else if (is_one_of(type, {"string", "object"}) && text == "null") {
    append(code.make(ORIEL_IL_Ldnull));
  } else {
    return false;
  }
  return true;
}

bool chooses(oriel_profiler*, oriel_method* method) { return constants.count(name_of(method)) != 0; }

void rewrite(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  const std::string& text = constants.at(name_of(method));
  oriel::Code code(body);
  const std::string type = code.type_of(ORIEL_RESULT);
  while (oriel_code_clauses(body, nullptr, 0) != 0) oriel_code_remove_clause(body, 0);
  while (code.first() != nullptr) code.remove(code.first());
  if (load(code, type, text)) return code.before(code.end_mark(), {code.make(ORIEL_IL_Ret)});
  // Without a return the body would be refused; so that it is for the right reason, nothing is changed at all.
  oriel_warn((name_of(method) + " returns " + type + ", and " + text + " is not one; it is left unchanged").c_str());
  code.remove(nullptr);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_constant(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_constant(const char* args) {
  const std::string list = args;
  for (size_t at = 0, end = 0; at < list.size(); at = end + 1) {
    end = std::min(list.find(',', at), list.size());
    const std::string item = list.substr(at, end - at);
    const size_t equals = std::min(item.find('='), item.size());
    constants[item.substr(0, equals)] = equals < item.size() ? item.substr(equals + 1) : "";
  }
  if (constants.empty()) return oriel_warn("constant needs METHOD=VALUE: liboriel-constant.so:Shop.IsNew=true"), 1;
  oriel_profiler_set_rewriter_callbacks(oriel_profiler_create(nullptr), chooses, rewrite);
  return 0;
}
