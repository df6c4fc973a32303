// An .mdb in memory: the source locations that Mono's compiler mcs writes with -debug (mono/mono,
// mcs/class/Mono.CompilerServices.SymbolWriter/MonoSymbolFile.cs and MonoSymbolTable.cs; version 50). It has no scopes
// of state machines and no sources. Files are not trusted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "pdb/line_program.h"
#include "pdb/pdb.h"

namespace oriel::pdb {

class Mdb {
 public:
  // The error says what is wrong with it.
  static Result<Mdb> parse(std::vector<uint8_t> bytes);

  // The MVID of its image, 32 hexadecimal digits, in the metadata's byte order.
  const std::string& id() const { return id_; }
  // Total size in bytes.
  size_t size() const { return bytes_.size(); }
  // As of Pdb. Where the ends of lines are not in the file, a point ends where it begins; where columns are not, they
  // are 0.
  std::vector<SequencePoint> points(uint32_t method_row) const;
  uint32_t document_count() const { return documents_.rows; }
  Document document(uint32_t row) const;

 private:
  struct Table {
    uint32_t rows = 0;
    uint32_t at = 0;
  };
  struct Method {
    uint32_t token = 0;
    uint32_t data = 0;   // where its properties are, right behind its lines
    uint32_t lines = 0;  // where its line program begins
  };

  Status read_header();
  Status check_sharing() const;
  Method method(uint32_t index) const;
  std::span<const uint8_t> lines_of(const Method& method) const;
  uint32_t flags_of(const Method& method) const;
  std::string document_name(il::ByteReader& reader) const;
  il::ByteReader document_data(uint32_t row) const;

  std::vector<uint8_t> bytes_;
  std::string id_;
  Table documents_, methods_;
  LineEncoding encoding_;
};

}  // namespace oriel::pdb
