#include "assembly/rows.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace oriel::assembly {
namespace {

constexpr std::string_view kColumns[] = {
    "2sggg",      // 00 Module
    "Sss",        // 01 TypeRef
    "4ssTfm",     // 02 TypeDef
    "f",          // 03 FieldPtr
    "2sb",        // 04 Field
    "m",          // 05 MethodPtr
    "422sbp",     // 06 MethodDef
    "p",          // 07 ParamPtr
    "22s",        // 08 Param
    "tT",         // 09 InterfaceImpl
    "Psb",        // 0A MemberRef
    "2Cb",        // 0B Constant
    "AYb",        // 0C CustomAttribute
    "Mb",         // 0D FieldMarshal
    "2Db",        // 0E DeclSecurity
    "24t",        // 0F ClassLayout
    "4f",         // 10 FieldLayout
    "b",          // 11 StandAloneSig
    "te",         // 12 EventMap
    "e",          // 13 EventPtr
    "2sT",        // 14 Event
    "tr",         // 15 PropertyMap
    "r",          // 16 PropertyPtr
    "2sb",        // 17 Property
    "2mH",        // 18 MethodSemantics
    "tOO",        // 19 MethodImpl
    "s",          // 1A ModuleRef
    "b",          // 1B TypeSpec
    "2Fsx",       // 1C ImplMap
    "4f",         // 1D FieldRVA
    "44",         // 1E EncLog
    "4",          // 1F EncMap
    "422224bss",  // 20 Assembly
    "4",          // 21 AssemblyProcessor
    "444",        // 22 AssemblyOS
    "22224bssb",  // 23 AssemblyRef
    "4q",         // 24 AssemblyRefProcessor
    "444q",       // 25 AssemblyRefOS
    "4sb",        // 26 File
    "44ssI",      // 27 ExportedType
    "44sI",       // 28 ManifestResource
    "tt",         // 29 NestedClass
    "22Gs",       // 2A GenericParam
    "Ob",         // 2B MethodSpec
    "nT",         // 2C GenericParamConstraint
};

constexpr uint8_t kNone = 0xff;  // an unused tag

// The tables of each capital letter, by tag.
constexpr uint8_t kTypeDefOrRef[] = {0x02, 0x01, 0x1b};
constexpr uint8_t kHasConstant[] = {0x04, 0x08, 0x17};
constexpr uint8_t kHasAttribute[] = {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14,
                                     0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b};
constexpr uint8_t kHasMarshal[] = {0x04, 0x08};
constexpr uint8_t kHasSecurity[] = {0x02, 0x06, 0x20};
constexpr uint8_t kMemberParent[] = {0x02, 0x01, 0x1a, 0x06, 0x1b};
constexpr uint8_t kHasSemantics[] = {0x14, 0x17};
constexpr uint8_t kMethodDefOrRef[] = {0x06, 0x0a};
constexpr uint8_t kForwarded[] = {0x04, 0x06};
constexpr uint8_t kImplementation[] = {0x26, 0x23, 0x27};
constexpr uint8_t kAttributeType[] = {kNone, kNone, 0x06, 0x0a, kNone};
constexpr uint8_t kResolutionScope[] = {0x00, 0x1a, 0x23, 0x01};
constexpr uint8_t kTypeOrMethod[] = {0x02, 0x06};

std::span<const uint8_t> tables_of(char kind) {
  switch (kind) {
    case 'T':
      return kTypeDefOrRef;
    case 'C':
      return kHasConstant;
    case 'A':
      return kHasAttribute;
    case 'M':
      return kHasMarshal;
    case 'D':
      return kHasSecurity;
    case 'P':
      return kMemberParent;
    case 'H':
      return kHasSemantics;
    case 'O':
      return kMethodDefOrRef;
    case 'F':
      return kForwarded;
    case 'I':
      return kImplementation;
    case 'Y':
      return kAttributeType;
    case 'S':
      return kResolutionScope;
    case 'G':
      return kTypeOrMethod;
    default:
      return {};
  }
}

// The table of a small letter.
uint8_t table_meant(char kind) {
  constexpr std::pair<char, uint8_t> kTables[] = {{'t', 0x02}, {'f', 0x04}, {'m', 0x06}, {'p', 0x08}, {'e', 0x14},
                                                  {'r', 0x17}, {'x', 0x1a}, {'q', 0x23}, {'n', 0x2a}};
  for (const auto& [letter, table] : kTables)
    if (letter == kind) return table;
  return kNone;
}

unsigned tag_bits(std::span<const uint8_t> tables) {
  unsigned bits = 1;
  while ((size_t{1} << bits) < tables.size()) ++bits;
  return bits;
}

}  // namespace

std::string_view columns_of(unsigned table) {
  return table < std::size(kColumns) ? kColumns[table] : std::string_view();
}

uint32_t token_of(char kind, uint32_t value) {
  constexpr uint32_t kMostRows = 0xffffff;
  uint8_t table = table_meant(kind);
  if (const std::span<const uint8_t> tables = tables_of(kind); !tables.empty()) {
    const unsigned bits = tag_bits(tables);
    const uint32_t tag = value & ((1u << bits) - 1);
    table = tag < tables.size() ? tables[tag] : kNone;
    value >>= bits;
  }
  return table == kNone || value == 0 || value > kMostRows ? 0 : uint32_t{table} << 24 | value;
}

uint32_t RowSizes::column(char kind) const {
  switch (kind) {
    case '1':
      return 1;
    case '2':
      return 2;
    case '4':
      return 4;
    case 's':
      return heap_sizes_ & 1 ? 4 : 2;
    case 'g':
      return heap_sizes_ & 2 ? 4 : 2;
    case 'b':
      return heap_sizes_ & 4 ? 4 : 2;
    default:
      break;
  }
  if (const uint8_t table = table_meant(kind); table != kNone) return table_index(table);
  const std::span<const uint8_t> tables = tables_of(kind);
  if (tables.empty()) return 0;
  uint32_t most = 0;
  for (const uint8_t table : tables)
    if (table != kNone) most = std::max(most, rows_(table));
  return most < (1u << (16 - tag_bits(tables))) ? 2 : 4;
}

uint32_t RowSizes::row_bytes(unsigned table) const {
  uint32_t bytes = 0;
  for (const char kind : columns_of(table)) bytes += column(kind);
  return bytes;
}

}  // namespace oriel::assembly
