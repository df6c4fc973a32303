#include "listing.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "il/decode.h"

namespace oriel::il::test {
namespace {

void append(Bytes& bytes, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
}

void append_clause(Bytes& bytes, const ClauseBytes& clause, bool fat_section) {
  append(bytes, clause.kind, fat_section ? 4 : 2);
  append(bytes, clause.try_offset, fat_section ? 4 : 2);
  append(bytes, clause.try_length, fat_section ? 4 : 1);
  append(bytes, clause.handler_offset, fat_section ? 4 : 2);
  append(bytes, clause.handler_length, fat_section ? 4 : 1);
  append(bytes, clause.last, 4);
}

std::string place(const Instruction* at) { return at ? std::to_string(at->index()) : "?"; }

}  // namespace

Bytes tiny(const Bytes& code) {
  Bytes bytes{static_cast<uint8_t>(code.size() << 2 | 2)};
  bytes.insert(bytes.end(), code.begin(), code.end());
  return bytes;
}

Bytes fat(const Bytes& code, uint16_t max_stack, uint32_t locals_token, bool init_locals) {
  Bytes bytes;
  append(bytes, 0x3003 | (init_locals ? 0x10 : 0), 2);
  append(bytes, max_stack, 2);
  append(bytes, code.size(), 4);
  append(bytes, locals_token, 4);
  bytes.insert(bytes.end(), code.begin(), code.end());
  return bytes;
}

Bytes with_clauses(const Bytes& code, const std::vector<ClauseBytes>& clauses, bool fat_section) {
  Bytes bytes = fat(code);
  bytes[0] |= 0x08;
  bytes.resize((bytes.size() + 3) & ~size_t{3});
  const size_t size = 4 + clauses.size() * (fat_section ? 24 : 12);
  append(bytes, size << 8 | (fat_section ? 0x41 : 0x01), 4);
  for (const ClauseBytes& clause : clauses) append_clause(bytes, clause, fat_section);
  return bytes;
}

Body body_of(const Bytes& bytes) {
  Result<Body> body = decode(bytes);
  if (body) return std::move(*body);
  ADD_FAILURE() << body.message();
  return Body();
}

Body through(Body& body) {
  const Result<Encoded> encoded = encode(body);
  if (encoded) return body_of(encoded->bytes);
  ADD_FAILURE() << encoded.message();
  return Body();
}

std::string listing(Body& body) {
  std::ostringstream out;
  for (const Instruction* at : body.number()) {
    if (at->index() > 0) out << "; ";
    out << at->info().name;
    if (at->target()) out << " >" << place(at->target());
    for (const Instruction* target : at->cases()) out << " >" << place(target);
    const bool has_value = at->info().operand != OperandKind::None && !at->target() && at->cases().empty();
    if (has_value) out << ' ' << std::hex << at->operand() << std::dec;
  }
  return out.str();
}

std::string clause_listing(Body& body) {
  static constexpr const char* kNames[] = {"catch", "filter", "finally", "?", "fault"};
  body.number();
  std::ostringstream out;
  for (const Clause& clause : body.clauses) {
    if (&clause != &body.clauses.front()) out << "; ";
    out << kNames[static_cast<unsigned>(clause.kind)] << ' ' << place(clause.try_begin) << '-' << place(clause.try_end);
    if (clause.filter_begin) out << ' ' << place(clause.filter_begin) << '?';
    out << ' ' << place(clause.handler_begin) << '-' << place(clause.handler_end);
  }
  return out.str();
}

}  // namespace oriel::il::test
