#include "pdb/line_program.h"

#include <algorithm>

#include "pdb/sequence_points.h"

namespace oriel::pdb {
namespace {

using il::ByteReader;

constexpr uint8_t kExtended = 0, kCopy = 1, kAdvanceOffset = 2, kAdvanceLine = 3, kSetDocument = 4, kAddConstant = 8;
constexpr uint8_t kEnd = 1, kToggleHidden = 0x40;  // extended
constexpr uint32_t kHiddenLine = 0xfeefee;
constexpr uint32_t kUnknownEnd = 0xffffff;

class LineProgram {
 public:
  LineProgram(std::span<const uint8_t> code, const LineEncoding& encoding) : reader_(code), encoding_(encoding) {
    at_.document = 1;
    at_.line = 1;
  }

  void run(LineColumns columns) {
    while (step()) {
    }
    if (!ended_) return;
    if (columns.begin) read_columns();
    if (columns.end) read_ends();
  }

  std::vector<SequencePoint> points() {
    for (size_t i = 0; i < points_.size(); ++i) complete(points_[i], hidden_[i]);
    return std::move(points_);
  }

 private:
  // False at the end.
  bool step() {
    const auto opcode = reader_.read<uint8_t>();
    if (!reader_.ok()) return false;
    if (opcode == kExtended) return extended();
    if (opcode < encoding_.opcode_base) return standard(opcode);
    const unsigned advances = opcode - encoding_.opcode_base;
    at_.line += static_cast<uint32_t>(encoding_.line_base) + advances % encoding_.line_range;
    return advance(advances / encoding_.line_range) && add_point();
  }

  bool standard(uint8_t opcode) {
    switch (opcode) {
      case kCopy:
        return add_point();
      case kAdvanceOffset:
        return advance(read_leb128(reader_));
      case kAdvanceLine:
        at_.line += read_leb128(reader_);
        return true;
      case kSetDocument:
        at_.document = read_leb128(reader_);
        return true;
      case kAddConstant:
        return advance((0xffu - encoding_.opcode_base) / encoding_.line_range);
      default:
        return false;
    }
  }

  // The number of bytes, then an instruction with its operands.
  bool extended() {
    const auto size = reader_.read<uint8_t>();
    const auto opcode = reader_.read<uint8_t>();
    if (size == 0) return false;
    reader_.skip(size - 1u);
    ended_ = opcode == kEnd && reader_.ok();
    if (opcode == kToggleHidden) is_hidden_ = !is_hidden_;
    return opcode != kEnd;
  }

  // False if the program went back.
  bool advance(uint32_t offset) {
    const uint32_t before = at_.il;
    at_.il += offset;
    return at_.il >= before;
  }

  bool add_point() {
    if (!reader_.ok()) return false;
    points_.push_back(at_);
    hidden_.push_back(is_hidden_);
    return true;
  }

  static bool is_negative(const SequencePoint& point) { return static_cast<int32_t>(point.line) < 0; }

  void read_columns() {
    for (SequencePoint& point : points_)
      if (!is_negative(point)) point.column = point.end_column = read_leb128(reader_);
  }

  void read_ends() {
    for (SequencePoint& point : points_) {
      const uint32_t lines = read_leb128(reader_);
      if (lines == kUnknownEnd) continue;
      point.end_line = point.line + std::min(lines, kLastLine);
      point.end_column = read_leb128(reader_);
    }
  }

  // Takes away what no line is.
  static void complete(SequencePoint& point, bool hidden) {
    point.end_line = std::max(point.end_line, point.line);
    if (hidden || point.line == kHiddenLine || point.line == 0 || point.end_line > kLastLine)
      point = {point.il, point.document, 0, 0, 0, 0};
  }

  ByteReader reader_;
  const LineEncoding encoding_;
  SequencePoint at_;
  bool is_hidden_ = false;
  bool ended_ = false;
  std::vector<SequencePoint> points_;
  std::vector<bool> hidden_;  // of each point
};

}  // namespace

uint32_t read_leb128(ByteReader& reader) {
  uint32_t value = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    const uint32_t byte = reader.read<uint8_t>();
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  reader.skip(SIZE_MAX);  // no number is longer
  return 0;
}

std::vector<SequencePoint> run_line_program(std::span<const uint8_t> code, const LineEncoding& encoding,
                                            LineColumns columns) {
  LineProgram program(code, encoding);
  program.run(columns);
  return program.points();
}

}  // namespace oriel::pdb
