// The sections behind the code: exception tables, small and fat, and any other.
#include <string>

#include "il/body.h"
#include "il/decoder.h"
#include "il/format.h"

namespace oriel::il {

Status Decoder::read_sections() {
  ByteReader reader(bytes_, code_begin_ + code_.size());
  body_.encoded_bytes = static_cast<uint32_t>(reader.at());
  for (bool more = more_sections_; more;) {
    reader.align4();
    const size_t begin = reader.at();
    const auto head = reader.read<uint32_t>();
    const auto kind = static_cast<uint8_t>(head);
    const bool fat = kind & kSectionFat;
    const uint32_t size = fat ? head >> 8 : (head >> 8) & 0xff;
    more = kind & kSectionMore;
    if (!reader.ok()) return Status::error("method data: a section begins behind the bytes given");
    if ((kind & kSectionKindMask) == kSectionExceptions) {
      // Some compilers leave the header's four bytes out of the size, so only whole clauses count.
      const uint32_t clause_bytes = fat ? kFatClauseBytes : kSmallClauseBytes;
      const uint32_t count = size / clause_bytes;
      const size_t clauses_begin = reader.at();
      reader.skip(size_t{count} * clause_bytes);
      if (!reader.ok()) return Status::error("method data: the exception table is longer than the bytes given");
      if (Status status = read_clauses(ByteReader(bytes_, clauses_begin), count, fat); !status) return status;
    } else {
      if (size < kSectionHeaderBytes || !reader.has(size - kSectionHeaderBytes))
        return Status::error("method data: a section longer than the bytes given");
      const auto data = bytes_.subspan(reader.at(), size - kSectionHeaderBytes);
      body_.extra_sections.push_back({static_cast<uint8_t>(kind & kSectionKindMask), {data.begin(), data.end()}});
      reader.skip(data.size());
    }
    if (reader.at() < begin + size) reader.skip(begin + size - reader.at());
    if (!reader.ok()) return Status::error("method data: a section longer than the bytes given");
    body_.encoded_bytes = static_cast<uint32_t>(reader.at());
  }
  return Status::ok();
}

Status Decoder::boundary(uint64_t offset, Instruction*& out) {
  if (offset == code_.size())
    out = body_.end();
  else if (offset < code_.size())
    out = body_.at_original_offset(static_cast<uint32_t>(offset));
  if (out) return Status::ok();
  return error_at(static_cast<uint32_t>(offset), "the boundary of an exception clause is at no instruction");
}

Status Decoder::span(uint64_t offset, uint64_t length, Instruction*& begin, Instruction*& end) {
  if (Status status = boundary(offset, begin); !status) return status;
  return boundary(offset + length, end);
}

Status Decoder::read_clauses(ByteReader reader, uint32_t count, bool fat) {
  body_.clauses.reserve(body_.clauses.size() + count);
  for (uint32_t i = 0; i < count; ++i) {
    Clause clause;
    const uint32_t kind = fat ? reader.read<uint32_t>() : reader.read<uint16_t>();
    const uint32_t try_offset = fat ? reader.read<uint32_t>() : reader.read<uint16_t>();
    const uint32_t try_length = fat ? reader.read<uint32_t>() : reader.read<uint8_t>();
    const uint32_t handler_offset = fat ? reader.read<uint32_t>() : reader.read<uint16_t>();
    const uint32_t handler_length = fat ? reader.read<uint32_t>() : reader.read<uint8_t>();
    const auto last = reader.read<uint32_t>();
    if (kind > 4 || kind == 3)
      return error_at(try_offset, "an exception clause of unknown kind " + std::to_string(kind));
    clause.kind = static_cast<ClauseKind>(kind);
    if (Status status = span(try_offset, try_length, clause.try_begin, clause.try_end); !status) return status;
    if (Status status = span(handler_offset, handler_length, clause.handler_begin, clause.handler_end); !status)
      return status;
    if (clause.kind == ClauseKind::kFilter) {
      if (Status status = boundary(last, clause.filter_begin); !status) return status;
    } else if (clause.kind == ClauseKind::kCatch) {
      clause.class_token = last;
    }
    body_.clauses.push_back(clause);
  }
  return Status::ok();
}

}  // namespace oriel::il
