#include "runtimes/coreclr/names/type_names.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/element.h"
#include "metadata/type_text.h"
#include "metadata/utf16.h"
#include "metadata/written_name.h"
#include "runtimes/coreclr/names/method_metadata.h"

namespace oriel::coreclr {
namespace {

constexpr uint32_t kVisibilityMask = 0x7, kNestedPublic = 0x2;

// Can the names of what is in a type begin with `prefix`?
bool fits(std::string_view type, std::string_view prefix) {
  const size_t common = std::min(type.size(), prefix.size());
  if (type.substr(0, common) != prefix.substr(0, common)) return false;
  return prefix.size() <= type.size() || prefix[common] == '.';
}

// The name of a type that is not nested as method names have it, where the compiler made one up: of a file-local type,
// Shop.<Cart>F0A…__Helper, it is Shop.Helper.
std::string written_name(const std::string& name) {
  const size_t own = name.substr(0, name.find('<')).rfind('.') + 1;
  return name.substr(0, own) + metadata::written_type_name(metadata::split_arity(name.substr(own)).name);
}

bool is_keyword_of(MetaDataImport& import, std::string_view prefix) {
  return std::any_of(std::begin(kTypeKeywords), std::end(kTypeKeywords), [&](const TypeKeyword& type) {
    if (!fits(type.keyword, prefix)) return false;
    const std::string_view name(type.name);
    return find_type_definition(import, {u"System." + std::u16string(name.begin(), name.end())}) != 0;
  });
}

}  // namespace

bool has_names(MetaDataImport& import, std::string_view prefix) {
  MetaEnum list = nullptr;
  Token some[256];
  uint32_t count = 0;
  bool found = false;
  while (!found && succeeded(import.EnumTypeDefs(&list, some, std::size(some), &count)) && count > 0) {
    found = std::any_of(some, some + count, [&](Token type) {
      char16_t text[1024];
      uint32_t length = 0, flags = 0;
      if (failed(import.GetTypeDefProps(type, text, std::size(text), &length, &flags, nullptr))) return true;
      if ((flags & kVisibilityMask) >= kNestedPublic) return false;
      if (length == 0 || length > std::size(text)) return true;
      const std::u16string_view name(text, length - 1);
      if (name.find(u'<') != name.npos) return fits(written_name(metadata::utf8_of(name)), prefix);
      return fits(metadata::utf8_of(name.substr(0, name.rfind(u'`'))), prefix);
    });
  }
  import.CloseEnum(list);
  return found || is_keyword_of(import, prefix);
}

}  // namespace oriel::coreclr
