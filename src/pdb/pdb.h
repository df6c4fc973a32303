// A portable PDB in memory: which line of which file an offset in a method's IL is (ECMA-335 II.24 for its frame; the
// .NET runtime's docs/design/specs/PortablePdb-Metadata.md for what is in it). Nothing of a file is trusted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
  uint32_t column = 0;  // from 1
  uint32_t end_column = 0;
};

struct Document {
  std::string path;           // as the compiler was told it
  std::vector<uint8_t> hash;  // of its bytes; SHA-256 if it has 32; empty if it is none
};

class Pdb {
 public:
  // The error says what is wrong with it.
  static Result<Pdb> parse(std::vector<uint8_t> bytes);

  // GUID and stamp, 40 hexadecimal digits: those of the image that it was made with.
  const std::string& id() const { return id_; }
  // Bytes of all of it.
  size_t size() const { return bytes_.size(); }
  // Of the method in that row of the image's table of methods, by rising `il`; empty if there are none.
  std::vector<SequencePoint> points(uint32_t method_row) const;
  // Rows are counted from 1.
  uint32_t document_count() const { return documents_.rows; }
  // Empty if there is no such row.
  Document document(uint32_t row) const;
  // The document's text, where the compiler put it into the PDB. Nothing if it did not, or has_too_much_text().
  std::optional<std::string> source(uint32_t document_row) const;
  // The texts of its documents are together more than any compiler puts into a PDB of its size.
  bool has_too_much_text() const { return has_too_much_text_; }
  // By the row of a state machine's MoveNext that of the method that it was made of.
  std::map<uint32_t, uint32_t> state_machines() const;
  // Where in a repository documents are, as the build wrote it: JSON (SourceLink). "" if it says nothing.
  std::string source_link() const;

 private:
  struct Table {
    uint32_t rows = 0;
    uint32_t row_size = 0;
    size_t at = 0;
  };
  // How wide indexes are.
  struct Widths {
    bool strings = false, blobs = false, guids = false, documents = false, methods = false, imports = false;
    bool variables = false, constants = false, described = false;
  };

  Status read_streams();
  Status read_tables();
  Status check_sharing() const;
  uint64_t bytes_of_points() const;
  uint64_t bytes_of_names() const;
  uint64_t bytes_of_sources() const;
  void find_widths(uint8_t heaps, std::span<const uint32_t> rows);
  uint32_t row_size(unsigned table) const;
  std::span<const uint8_t> row(const Table& table, uint32_t number) const;
  std::span<const uint8_t> blob(uint32_t offset) const;
  std::span<const uint8_t> guid(uint32_t number) const;
  std::string document_name(uint32_t offset) const;
  std::span<const uint8_t> custom(uint32_t parent, std::span<const uint8_t> kind) const;

  std::vector<uint8_t> bytes_;
  std::span<const uint8_t> pdb_stream_, tables_stream_, blobs_, guids_;
  std::string id_;
  Table documents_, methods_, machines_, custom_;
  Widths wide_;
  bool has_too_much_text_ = false;
};

}  // namespace oriel::pdb
