// The columns of metadata tables, ECMA-335 II.22: sizes and encodings.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace oriel::assembly {

// Only those in use.
enum class Table : uint8_t {
  kModule = 0x00,
  kTypeRef = 0x01,
  kTypeDef = 0x02,
  kField = 0x04,
  kMethodDef = 0x06,
  kParam = 0x08,
  kInterfaceImpl = 0x09,
  kMemberRef = 0x0a,
  kCustomAttribute = 0x0c,
  kStandAloneSig = 0x11,
  kPropertyMap = 0x15,
  kProperty = 0x17,
  kMethodSemantics = 0x18,
  kTypeSpec = 0x1b,
  kAssembly = 0x20,
  kAssemblyRef = 0x23,
  kNestedClass = 0x29,
  kGenericParam = 0x2a,
  kMethodSpec = 0x2b,
};

// Parts of a token.
constexpr uint32_t row_of(uint32_t token) { return token & 0xffffff; }
constexpr Table table_of(uint32_t token) { return static_cast<Table>(token >> 24); }
constexpr uint32_t token_in(Table table, uint32_t row) { return static_cast<uint32_t>(table) << 24 | row; }

// One letter per column: 1, 2, 4 = that many bytes; s, g, b = strings, GUIDs, blobs; other small letters are rows of
// one table, capitals of one of several. Empty for an unknown table.
std::string_view columns_of(unsigned table);

// A value in a column of that kind as a token, with the table in the upper byte; 0 if it is invalid.
uint32_t token_of(char kind, uint32_t value);

class RowSizes {
 public:
  RowSizes(uint8_t heap_sizes, std::function<uint32_t(unsigned table)> rows)
      : heap_sizes_(heap_sizes), rows_(std::move(rows)) {}

  // Bytes per row; 0 for an unknown table.
  uint32_t row_bytes(unsigned table) const;
  // Bytes of a column by its letter.
  uint32_t column(char kind) const;
  uint32_t table_index(unsigned table) const { return rows_(table) > 0xffff ? 4 : 2; }

 private:
  uint8_t heap_sizes_;
  std::function<uint32_t(unsigned table)> rows_;
};

}  // namespace oriel::assembly
