// A portable PDB in memory: which line of which file an offset in a method's IL is (ECMA-335 II.24 for its frame; the
// .NET runtime's docs/design/specs/PortablePdb-Metadata.md for what is in it). Nothing of a file is trusted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::pdb {

// From this instruction on, until the next point, a method's IL was made of these lines.
struct SequencePoint {
  uint32_t il = 0;
  uint32_t document = 0;  // row, from 1
  uint32_t line = 0;      // 0: of no line, as what the compiler made up
  uint32_t end_line = 0;
};

struct Document {
  std::string path;           // as the compiler was told it
  std::vector<uint8_t> hash;  // of its bytes; SHA-256 if it has 32
};

class Pdb {
 public:
  // The error says what is wrong with it.
  static Result<Pdb> parse(std::vector<uint8_t> bytes);

  // GUID and stamp, 40 hexadecimal digits: those of the image that it was made with.
  const std::string& id() const { return id_; }
  // Of the method in that row of the image's table of methods, by rising `il`; empty if there are none.
  std::vector<SequencePoint> points(uint32_t method_row) const;
  // Empty if there is no such row.
  Document document(uint32_t row) const;

 private:
  struct Table {
    uint32_t rows = 0;
    uint32_t row_size = 0;
    size_t at = 0;
  };

  Status read_streams();
  Status read_tables();
  std::span<const uint8_t> row(const Table& table, uint32_t number) const;
  std::span<const uint8_t> blob(uint32_t offset) const;
  std::string document_name(uint32_t offset) const;

  std::vector<uint8_t> bytes_;
  std::span<const uint8_t> pdb_stream_, tables_stream_, blobs_;
  std::string id_;
  Table documents_, methods_;
  bool wide_blobs_ = false, wide_guids_ = false, wide_documents_ = false;
};

}  // namespace oriel::pdb
