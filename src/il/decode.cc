#include "il/decode.h"

#include "il/body.h"
#include "il/byte_reader.h"
#include "il/decoder.h"
#include "il/format.h"

namespace oriel::il {

namespace {

// The opcode at the reader's position, or End.
Opcode read_opcode(ByteReader& reader) {
  const uint8_t first = reader.read<uint8_t>();
  const uint16_t encoding = first == 0xfe ? static_cast<uint16_t>(0xfe00 | reader.read<uint8_t>()) : first;
  return reader.ok() ? find_opcode(encoding) : Opcode::End;
}

int64_t read_operand(ByteReader& reader, OperandKind kind) {
  switch (kind) {
    case OperandKind::None:
      return 0;
    case OperandKind::Int8:
    case OperandKind::Branch8:
      return reader.read<int8_t>();
    case OperandKind::UInt8:
    case OperandKind::Local8:
    case OperandKind::Argument8:
      return reader.read<uint8_t>();
    case OperandKind::Local16:
    case OperandKind::Argument16:
      return reader.read<uint16_t>();
    case OperandKind::Int32:
    case OperandKind::Branch32:
      return reader.read<int32_t>();
    case OperandKind::Int64:
    case OperandKind::Float64:
      return reader.read<int64_t>();
    default:
      return reader.read<uint32_t>();
  }
}

}  // namespace

Status Decoder::read_header() {
  ByteReader reader(bytes_);
  const uint8_t first = reader.read<uint8_t>();
  if (!reader.ok()) return Status::error("method header: no bytes at all");
  if ((first & kFormatMask) == kTinyFormat) {
    code_ = {};
    code_begin_ = 1;
    if (bytes_.size() - 1 < first >> 2) return Status::error("method header: the code is longer than the bytes given");
    code_ = bytes_.subspan(1, first >> 2);
    return Status::ok();
  }
  if ((first & kFormatMask) != kFatFormat) return Status::error("method header: neither tiny nor fat");
  ByteReader fat(bytes_);
  const uint16_t flags = fat.read<uint16_t>();
  body_.max_stack = fat.read<uint16_t>();
  const uint32_t size = fat.read<uint32_t>();
  body_.locals_token = fat.read<uint32_t>();
  code_begin_ = size_t{4} * (flags >> 12);
  if (!fat.ok() || code_begin_ < kFatHeaderBytes)
    return Status::error("method header: a fat one of less than 12 bytes");
  if (code_begin_ > bytes_.size() || size > bytes_.size() - code_begin_)
    return Status::error("method header: the code is longer than the bytes given");
  body_.fat_header = true;
  body_.init_locals = flags & kInitLocals;
  more_sections_ = flags & kMoreSections;
  body_.other_flags = flags & kFlagsMask & static_cast<uint16_t>(~(kFormatMask | kInitLocals | kMoreSections));
  code_ = bytes_.subspan(code_begin_, size);
  return Status::ok();
}

Status Decoder::count_instructions() {
  if (code_.empty()) return error_at(0, "the method has no code");
  ByteReader reader(code_);
  Opcode opcode = Opcode::End;
  while (reader.left() > 0) {
    const auto at = static_cast<uint32_t>(reader.at());
    opcode = read_opcode(reader);
    if (opcode == Opcode::End) return error_at(at, reader.ok() ? "no such opcode" : "the code ends within an opcode");
    const OperandKind kind = info(opcode).operand;
    if (kind == OperandKind::Switch) {
      const uint64_t cases = reader.read<uint32_t>();
      reader.skip(cases * 4);
    } else {
      reader.skip(operand_bytes(kind));
    }
    if (!reader.ok()) return error_at(at, "the code ends within an operand");
    ++count_;
  }
  if (info(opcode).flow == Flow::Prefix)
    return error_at(static_cast<uint32_t>(code_.size()), "a prefix without its instruction");
  return Status::ok();
}

void Decoder::read_instructions() {
  Instruction* items = body_.allocate(count_);
  body_.free_in_last_block_ = 0;
  body_.decoded_count_ = count_;
  body_.end_->original_offset_ = static_cast<uint32_t>(code_.size());
  ByteReader reader(code_);
  for (size_t i = 0; i < count_; ++i) {
    Instruction& item = items[i];
    item.original_offset_ = static_cast<uint32_t>(reader.at());
    const Opcode opcode = read_opcode(reader);
    const OperandKind kind = info(opcode).operand;
    item.opcode_ = long_form(opcode);
    item.long_branch_ = kind == OperandKind::Branch32;
    item.operand_ = read_operand(reader, kind);
    if (kind == OperandKind::Switch) reader.skip(static_cast<size_t>(item.operand_) * 4);
    Instruction* previous = i == 0 ? body_.end_ : &items[i - 1];
    for (auto& links : item.links_) links.previous = previous;
    for (auto& links : previous->links_) links.next = &item;
  }
  for (auto& links : items[count_ - 1].links_) links.next = body_.end_;
  for (auto& links : body_.end_->links_) links.previous = &items[count_ - 1];
}

Status Decoder::resolve(const Instruction& from, int64_t offset, Instruction*& target) {
  if (offset >= 0 && offset < static_cast<int64_t>(code_.size()))
    target = body_.at_original_offset(static_cast<uint32_t>(offset));
  if (!target) return error_at(from.original_offset_, "a branch that goes to no instruction");
  return Status::ok();
}

Status Decoder::link_branches() {
  for (Instruction* at = body_.first(); !at->is_end(); at = at->next()) {
    const OperandKind kind = at->info().operand;
    const int64_t behind = at->next()->original_offset_;
    if (is_branch(kind)) {
      Instruction* target = nullptr;
      if (Status status = resolve(*at, behind + at->operand_, target); !status) return status;
      for (auto& links : at->links_) links.target = target;
      at->operand_ = 0;
    } else if (kind == OperandKind::Switch) {
      if (Status status = link_switch(*at, behind); !status) return status;
    }
  }
  return Status::ok();
}

Status Decoder::link_switch(Instruction& at, int64_t behind) {
  std::vector<Instruction*> cases(static_cast<size_t>(at.operand_));
  ByteReader reader(code_, at.original_offset_ + 5);
  for (Instruction*& target : cases)
    if (Status status = resolve(at, behind + reader.read<int32_t>(), target); !status) return status;
  at.cases_ = &body_.cases_.emplace_back();
  at.cases_->in_view.fill(cases);
  at.operand_ = 0;
  return Status::ok();
}

Result<Body> Decoder::run() {
  if (Status status = read_header(); !status) return status;
  if (Status status = count_instructions(); !status) return status;
  read_instructions();
  if (Status status = link_branches(); !status) return status;
  if (Status status = read_sections(); !status) return status;
  return std::move(body_);
}

Result<Body> decode(std::span<const uint8_t> bytes) { return Decoder(bytes).run(); }

}  // namespace oriel::il
