// Just enough of PE files and CLI metadata to find all method bodies of an assembly and the signatures of what they
// call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "il/stack.h"

namespace oriel::il::test {

class AssemblyFile {
 public:
  // Nothing if the file is no assembly (a native library, say).
  static std::optional<AssemblyFile> open(const std::string& path);

  struct Method {
    uint32_t token;
    uint32_t rva;
    std::span<const uint8_t> bytes;  // from its header to the end of the PE section
    std::span<const uint8_t> signature;
  };
  // Those with IL.
  std::vector<Method> methods() const;

  // With the signatures of everything called, and of the body's own method and locals.
  MethodFacts facts(const Method& method, uint32_t locals_token) const;

 private:
  struct Section {
    uint32_t rva, size, file_offset;
  };
  struct Table {
    uint32_t rows = 0, row_bytes = 0;
    size_t begin = 0;
  };

  bool load();
  bool load_metadata(uint32_t rva);
  bool load_tables(std::span<const uint8_t> stream);
  std::span<const uint8_t> at_rva(uint32_t rva) const;
  std::span<const uint8_t> blob(uint32_t index) const;
  uint32_t cell(unsigned table, uint32_t row, uint32_t column_begin, uint32_t bytes) const;
  std::span<const uint8_t> signature_of(uint32_t token) const;

  std::vector<uint8_t> file_;
  std::vector<Section> sections_;
  std::array<Table, 64> tables_;
  std::span<const uint8_t> table_bytes_, blobs_;
  uint32_t string_index_ = 2, guid_index_ = 2, blob_index_ = 2, parameter_index_ = 2, member_parent_ = 2,
           method_or_ref_ = 2;
};

}  // namespace oriel::il::test
