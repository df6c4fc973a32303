// A portable PDB in memory: source locations of IL offsets (ECMA-335 II.24 for the container; the .NET runtime's
// docs/design/specs/PortablePdb-Metadata.md for the contents). Files are not trusted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::pdb {

// From this instruction to the next point, a method's IL was compiled from these lines.
struct SequencePoint {
  uint32_t il = 0;
  uint32_t document = 0;  // row, from 1
  uint32_t line = 0;      // 0: no line, for compiler-generated code
  uint32_t end_line = 0;
  uint32_t column = 0;  // from 1
  uint32_t end_column = 0;
};

struct Document {
  std::string path;           // as given to the compiler
  std::vector<uint8_t> hash;  // of its contents; SHA-256 if it has 32 bytes, MD5 if 16; empty if there is none
};

class Pdb {
 public:
  // The error says what is wrong with it.
  static Result<Pdb> parse(std::vector<uint8_t> bytes);

  // GUID and stamp, 40 hexadecimal digits: those of its image.
  const std::string& id() const { return id_; }
  // Total size in bytes.
  size_t size() const { return bytes_.size(); }
  // The points of the method in that row of the image's method table, ascending by `il`; empty if there are none.
  std::vector<SequencePoint> points(uint32_t method_row) const;
  // Rows count from 1.
  uint32_t document_count() const { return documents_.rows; }
  // Empty if there is no such row.
  Document document(uint32_t row) const;
  // The document's text, if the compiler embedded it. nullopt otherwise, or if has_too_much_text().
  std::optional<std::string> source(uint32_t document_row) const;
  // The texts of its documents together exceed what any compiler embeds in a PDB of its size.
  bool has_too_much_text() const { return has_too_much_text_; }
  // The row of a state machine's MoveNext → the row of its source method.
  std::map<uint32_t, uint32_t> state_machines() const;
  // Where the documents are in a repository, as written by the build: JSON (SourceLink). "" if unknown.
  std::string source_link() const;

 private:
  struct Table {
    uint32_t rows = 0;
    uint32_t row_size = 0;
    size_t at = 0;
  };
  // Sizes of indexes.
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
