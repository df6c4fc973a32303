// decode()'s state. For decode.cc and decode_sections.cc only.
#pragma once

#include <span>

#include "il/body.h"
#include "il/byte_reader.h"

namespace oriel::il {

class Decoder {
 public:
  explicit Decoder(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  Result<Body> run();

 private:
  Status read_header();
  Status count_instructions();
  void read_instructions();
  Status resolve(const Instruction& from, int64_t offset, Instruction*& target);
  Status link_branches();
  Status link_switch(Instruction& at, int64_t behind);
  Status read_sections();
  Status read_clauses(ByteReader reader, uint32_t count, bool fat);
  Status boundary(uint64_t offset, Instruction*& out);
  Status span(uint64_t offset, uint64_t length, Instruction*& begin, Instruction*& end);

  std::span<const uint8_t> bytes_;
  std::span<const uint8_t> code_;
  size_t code_begin_ = 0;
  size_t count_ = 0;
  bool more_sections_ = false;
  Body body_;
};

}  // namespace oriel::il
