// Runs a method's line program in an .mdb: as in DWARF, instructions advance a line and an offset (source: mdb.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "il/byte_reader.h"
#include "pdb/pdb.h"

namespace oriel::pdb {

// Of all line programs in a file. An instruction from `opcode_base` on advances both: the line by `line_base` and the
// remainder by `line_range`, the offset by the quotient.
struct LineEncoding {
  int32_t line_base = 0;
  uint8_t line_range = 1;  // never 0
  uint8_t opcode_base = 0;
};

// What follows the program: one entry a point.
struct LineColumns {
  bool begin = false;
  bool end = false;
};

// Ascending by `il`. If the program is damaged: the points before.
std::vector<SequencePoint> run_line_program(std::span<const uint8_t> code, const LineEncoding& encoding,
                                            LineColumns columns);

// A number of 32 bits in 7-bit groups, least significant first, the high bit set on all bytes but the last.
uint32_t read_leb128(il::ByteReader& reader);

}  // namespace oriel::pdb
