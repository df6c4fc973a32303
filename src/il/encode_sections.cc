#include "il/encode_sections.h"

#include <algorithm>
#include <cstring>

#include "il/format.h"

namespace oriel::il {
namespace {

// A clause in numbers.
struct Row {
  uint32_t kind, try_offset, try_length, handler_offset, handler_length, last;
};

Row row_of(const Clause& clause) {
  Row row{};
  row.kind = static_cast<uint32_t>(clause.kind);
  row.try_offset = clause.try_begin->encoded_offset();
  row.try_length = clause.try_end->encoded_offset() - row.try_offset;
  row.handler_offset = clause.handler_begin->encoded_offset();
  row.handler_length = clause.handler_end->encoded_offset() - row.handler_offset;
  if (clause.kind == ClauseKind::kFilter) row.last = clause.filter_begin->encoded_offset();
  if (clause.kind == ClauseKind::kCatch) row.last = clause.class_token;
  return row;
}

bool fits_small(const Row& row) {
  return row.try_offset <= 0xffff && row.try_length <= 0xff && row.handler_offset <= 0xffff &&
         row.handler_length <= 0xff;
}

template <typename T>
void append(std::vector<uint8_t>& bytes, T value) {
  uint8_t raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

void append_small(std::vector<uint8_t>& bytes, const Row& row) {
  append(bytes, static_cast<uint16_t>(row.kind));
  append(bytes, static_cast<uint16_t>(row.try_offset));
  append(bytes, static_cast<uint8_t>(row.try_length));
  append(bytes, static_cast<uint16_t>(row.handler_offset));
  append(bytes, static_cast<uint8_t>(row.handler_length));
  append(bytes, row.last);
}

void append_fat(std::vector<uint8_t>& bytes, const Row& row) {
  for (uint32_t value : {row.kind, row.try_offset, row.try_length, row.handler_offset, row.handler_length, row.last})
    append(bytes, value);
}

void align4(std::vector<uint8_t>& bytes) { bytes.resize((bytes.size() + 3) & ~size_t{3}); }

void append_header(std::vector<uint8_t>& bytes, uint8_t kind, uint64_t size, bool fat, bool more) {
  const auto flags = static_cast<uint8_t>(kind | (fat ? kSectionFat : 0) | (more ? kSectionMore : 0));
  append(bytes, static_cast<uint32_t>(size << 8 | flags));
}

Status append_exceptions(const Body& body, std::vector<uint8_t>& bytes) {
  std::vector<Row> rows;
  rows.reserve(body.clauses.size());
  for (const Clause& clause : body.clauses) rows.push_back(row_of(clause));
  uint64_t size = kSectionHeaderBytes + uint64_t{kSmallClauseBytes} * rows.size();
  const bool fat = size > kSmallSectionLimit || !std::all_of(rows.begin(), rows.end(), fits_small);
  if (fat) size = kSectionHeaderBytes + uint64_t{kFatClauseBytes} * rows.size();
  if (size > kFatSectionLimit) return Status::error("the method has more exception clauses than a table holds");
  append_header(bytes, kSectionExceptions, size, fat, !body.extra_sections.empty());
  for (const Row& row : rows) fat ? append_fat(bytes, row) : append_small(bytes, row);
  return Status::ok();
}

}  // namespace

Status append_sections(const Body& body, std::vector<uint8_t>& bytes) {
  if (!body.clauses.empty()) {
    align4(bytes);
    if (Status status = append_exceptions(body, bytes); !status) return status;
  }
  for (size_t i = 0; i < body.extra_sections.size(); ++i) {
    const ExtraSection& section = body.extra_sections[i];
    const uint64_t size = kSectionHeaderBytes + section.data.size();
    if (size > kFatSectionLimit) return Status::error("the method has a section longer than one may be");
    align4(bytes);
    append_header(bytes, section.kind, size, size > kSmallSectionLimit, i + 1 < body.extra_sections.size());
    bytes.insert(bytes.end(), section.data.begin(), section.data.end());
  }
  return Status::ok();
}

}  // namespace oriel::il
