#include "runtimes/mono/image_metadata.h"

#include <algorithm>
#include <cstring>

#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

// ECMA-335 II.22: tables, and columns by their places.
constexpr uint32_t kTypeRef = 0x01, kTypeDef = 0x02, kMethodDef = 0x06, kTypeSpec = 0x1b, kGenericParam = 0x2a;
enum TypeRefColumn : unsigned { kScope, kTypeRefName, kTypeRefNamespace };
enum TypeDefColumn : unsigned { kTypeDefName = 1, kTypeDefNamespace = 2, kMethodList = 5 };
enum MethodColumn : unsigned { kRva = 0, kMethodName = 3, kSignature = 4 };
enum GenericParamColumn : unsigned { kNumber, kFlags, kOwner, kParameterName };

constexpr int kMostOuter = 32;

class Table {
 public:
  Table(MonoImage* image, uint32_t number) : rows_(api.mono_image_get_table_info(image, static_cast<int>(number))) {}

  uint32_t count() const { return rows_ ? static_cast<uint32_t>(api.mono_table_info_get_rows(rows_)) : 0; }
  bool has(uint32_t row) const { return row > 0 && row <= count(); }
  // Rows count from 1.
  uint32_t at(uint32_t row, unsigned column) const {
    return api.mono_metadata_decode_row_col(rows_, static_cast<int>(row - 1), column);
  }

 private:
  const MonoTableInfo* rows_;
};

uint32_t table_of(uint32_t token) { return token >> 24; }
uint32_t row_of(uint32_t token) { return token & 0xffffff; }
uint32_t token_of(uint32_t table, uint32_t row) { return table << 24 | row; }

bool exists(MonoImage* image, uint32_t token, uint32_t table) {
  return table_of(token) == table && has_metadata(image) && Table(image, table).has(row_of(token));
}

std::string text_at(MonoImage* image, uint32_t at) { return copied(api.mono_metadata_string_heap(image, at)); }

std::span<const uint8_t> blob_at(MonoImage* image, uint32_t at) {
  const char* begin = api.mono_metadata_blob_heap(image, at);
  if (at == 0 || !begin) return {};
  const uint32_t size = api.mono_metadata_decode_blob_size(begin, &begin);
  return {reinterpret_cast<const uint8_t*>(begin), size};
}

// A type's own name and namespace, and the token of the type that it is in; 0: none.
struct Named {
  std::string name, name_space;
  uint32_t outer = 0;
};

Named named(MonoImage* image, uint32_t token) {
  const uint32_t row = row_of(token);
  if (exists(image, token, kTypeDef)) {
    const Table types(image, kTypeDef);
    return {text_at(image, types.at(row, kTypeDefName)), text_at(image, types.at(row, kTypeDefNamespace)),
            api.mono_metadata_nested_in_typedef(image, token)};
  }
  if (!exists(image, token, kTypeRef)) return {};
  const Table types(image, kTypeRef);
  const uint32_t scope = types.at(row, kScope);
  constexpr uint32_t kScopeTagBits = 2, kScopeIsTypeRef = 3;
  const bool is_nested = (scope & 3) == kScopeIsTypeRef;
  return {text_at(image, types.at(row, kTypeRefName)), text_at(image, types.at(row, kTypeRefNamespace)),
          is_nested ? token_of(kTypeRef, scope >> kScopeTagBits) : 0};
}

}  // namespace

bool has_metadata(MonoImage* image) { return image && !api.mono_image_is_dynamic(image); }

metadata::TypePath type_path(MonoImage* image, uint32_t token) {
  metadata::TypePath path;
  for (int depth = 0; token != 0 && depth < kMostOuter; ++depth) {
    Named type = named(image, token);
    if (type.name.empty()) break;
    path.names.insert(path.names.begin(), std::move(type.name));
    path.name_space = std::move(type.name_space);
    token = type.outer;
  }
  return path;
}

std::span<const uint8_t> type_spec(MonoImage* image, uint32_t token) {
  if (!exists(image, token, kTypeSpec)) return {};
  return blob_at(image, Table(image, kTypeSpec).at(row_of(token), 0));
}

std::string method_name(MonoImage* image, uint32_t token) {
  if (!exists(image, token, kMethodDef)) return "";
  return text_at(image, Table(image, kMethodDef).at(row_of(token), kMethodName));
}

std::span<const uint8_t> method_signature(MonoImage* image, uint32_t token) {
  if (!exists(image, token, kMethodDef)) return {};
  return blob_at(image, Table(image, kMethodDef).at(row_of(token), kSignature));
}

std::vector<std::string> generic_parameters(MonoImage* image, uint32_t token) {
  std::vector<std::string> names;
  if (!exists(image, token, kTypeDef) && !exists(image, token, kMethodDef)) return names;
  const uint32_t owner = row_of(token) << 1 | (table_of(token) == kMethodDef ? 1 : 0);
  const Table parameters(image, kGenericParam);
  for (uint32_t row = 1; row <= parameters.count(); ++row)
    if (parameters.at(row, kOwner) == owner) names.push_back(text_at(image, parameters.at(row, kParameterName)));
  return names;
}

uint32_t type_with(MonoImage* image, uint32_t token) {
  if (!exists(image, token, kMethodDef)) return 0;
  const Table types(image, kTypeDef);
  uint32_t found = 0;
  // Lists of methods ascend, so the last that does not begin behind it has it.
  for (uint32_t first = 1, past = types.count() + 1; first < past;) {
    const uint32_t middle = first + (past - first) / 2;
    if (types.at(middle, kMethodList) <= row_of(token)) {
      found = middle;
      first = middle + 1;
    } else {
      past = middle;
    }
  }
  return found == 0 ? 0 : token_of(kTypeDef, found);
}

uint32_t only_method(MonoImage* image, uint32_t type, std::string_view name) {
  if (!exists(image, type, kTypeDef)) return 0;
  const Table types(image, kTypeDef), methods(image, kMethodDef);
  const uint32_t row = row_of(type);
  const uint32_t past = methods.count() + 1;
  const uint32_t end = types.has(row + 1) ? std::min(types.at(row + 1, kMethodList), past) : past;
  uint32_t found = 0;
  for (uint32_t it = std::max(types.at(row, kMethodList), 1u); it < end; ++it) {
    if (name != api.mono_metadata_string_heap(image, methods.at(it, kMethodName))) continue;
    if (found != 0) return 0;
    found = token_of(kMethodDef, it);
  }
  return found;
}

std::span<const uint8_t> method_body(MonoImage* image, uint32_t token, uint32_t most_code) {
  constexpr uint32_t kTiny = 2, kFat = 3, kFatHeader = 12, kCodeSizeAt = 4;  // ECMA-335 II.25.4
  const uint32_t rva = exists(image, token, kMethodDef) ? Table(image, kMethodDef).at(row_of(token), kRva) : 0;
  const auto* const body = rva == 0 ? nullptr : reinterpret_cast<const uint8_t*>(api.mono_image_rva_map(image, rva));
  if (!body) return {};
  uint32_t header = 1, code = *body >> 2;
  if ((*body & 3) == kFat) {
    if (!api.mono_image_rva_map(image, rva + kFatHeader)) return {};
    header = kFatHeader;
    std::memcpy(&code, body + kCodeSizeAt, sizeof code);
  } else if ((*body & 3) != kTiny) {
    return {};
  }
  if (code == 0 || code > most_code || !api.mono_image_rva_map(image, rva + header + code - 1)) return {};
  return {body, header + code};
}

}  // namespace oriel::mono
