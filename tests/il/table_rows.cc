#include "table_rows.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace oriel::il::test {
namespace {

// A letter a column: 1, 2, 4 = that many bytes; s, g, b = strings, GUIDs, blobs; a..z and A..Z otherwise as in
// column().
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

}  // namespace

uint32_t RowSizes::coded(unsigned tag_bits, std::initializer_list<unsigned> tables) const {
  uint32_t most = 0;
  for (unsigned table : tables) most = std::max(most, rows_(table));
  return most < (1u << (16 - tag_bits)) ? 2 : 4;
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
    case 't':
      return table_index(0x02);
    case 'f':
      return table_index(0x04);
    case 'm':
      return table_index(0x06);
    case 'p':
      return table_index(0x08);
    case 'e':
      return table_index(0x14);
    case 'r':
      return table_index(0x17);
    case 'x':
      return table_index(0x1a);
    case 'q':
      return table_index(0x23);
    case 'n':
      return table_index(0x2a);
    case 'S':
      return coded(2, {0x00, 0x1a, 0x23, 0x01});
    case 'T':
      return coded(2, {0x02, 0x01, 0x1b});
    case 'P':
      return coded(3, {0x02, 0x01, 0x1a, 0x06, 0x1b});
    case 'C':
      return coded(2, {0x04, 0x08, 0x17});
    case 'A':
      return coded(5, {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14,
                       0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b});
    case 'Y':
      return coded(3, {0x06, 0x0a});
    case 'M':
      return coded(1, {0x04, 0x08});
    case 'D':
      return coded(2, {0x02, 0x06, 0x20});
    case 'H':
      return coded(1, {0x14, 0x17});
    case 'O':
      return coded(1, {0x06, 0x0a});
    case 'F':
      return coded(1, {0x04, 0x06});
    case 'I':
      return coded(2, {0x26, 0x23, 0x27});
    case 'G':
      return coded(1, {0x02, 0x06});
    default:
      return 0;
  }
}

uint32_t RowSizes::row_bytes(unsigned table) const {
  if (table >= std::size(kColumns)) return 0;
  uint32_t bytes = 0;
  for (char kind : kColumns[table]) bytes += column(kind);
  return bytes;
}

}  // namespace oriel::il::test
