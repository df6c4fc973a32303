#include "pdb/sequence_points.h"

#include "il/byte_reader.h"
#include "il/compressed.h"

namespace oriel::pdb {
namespace {

using il::ByteReader;

// ECMA-335 II.23.2: the sign is the lowest bit, and its value depends on the number of bytes.
int32_t read_signed(ByteReader& reader) {
  const size_t before = reader.at();
  const uint32_t rotated = il::read_compressed(reader);
  const auto value = static_cast<int32_t>(rotated >> 1);
  if ((rotated & 1) == 0) return value;
  const size_t bytes = reader.at() - before;
  return value - (bytes == 1 ? 0x40 : bytes == 2 ? 0x2000 : 0x10000000);
}

// Lines and columns of one point, relative to the previous visible point.
class Places {
 public:
  // False: no line.
  bool read(ByteReader& reader, SequencePoint& point) {
    const uint32_t lines = il::read_compressed(reader);
    const int32_t columns = lines == 0 ? static_cast<int32_t>(il::read_compressed(reader)) : read_signed(reader);
    if (lines == 0 && columns == 0) return false;
    if (first_) {
      line_ = il::read_compressed(reader);
      column_ = il::read_compressed(reader);
    } else {
      line_ += static_cast<uint32_t>(read_signed(reader));
      column_ += static_cast<uint32_t>(read_signed(reader));
    }
    first_ = false;
    const uint32_t end = line_ + lines;
    if (line_ == 0 || line_ > kLastLine || end > kLastLine) return false;
    point.line = line_;
    point.end_line = end;
    point.column = column_;
    point.end_column = column_ + static_cast<uint32_t>(columns);
    return true;
  }

 private:
  bool first_ = true;
  uint32_t line_ = 0;
  uint32_t column_ = 0;
};

}  // namespace

std::vector<SequencePoint> read_points(std::span<const uint8_t> blob, uint32_t document) {
  ByteReader reader(blob);
  il::read_compressed(reader);  // the signature of its local variables
  if (document == 0) document = il::read_compressed(reader);
  std::vector<SequencePoint> points;
  Places places;
  uint32_t offset = 0;
  while (reader.left() != 0) {
    const uint32_t delta = il::read_compressed(reader);
    if (delta == 0 && !points.empty()) {
      document = il::read_compressed(reader);
      continue;
    }
    offset += delta;
    SequencePoint point;
    point.il = offset;
    point.document = document;
    places.read(reader, point);
    if (!reader.ok()) break;
    points.push_back(point);
  }
  return points;
}

}  // namespace oriel::pdb
