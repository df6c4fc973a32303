#include "il/body.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace oriel::il {
namespace {
constexpr size_t kBlockItems = 32;
}

Body::Body() {
  allocate(1);
  end_ = make_linkless(Opcode::End);
  for (auto& links : end_->links_) links.previous = links.next = end_;
}

Instruction* Body::allocate(size_t count) {
  blocks_.push_back({std::make_unique<Instruction[]>(count), count});
  free_in_last_block_ = count;
  return blocks_.back().items.get();
}

Instruction* Body::make_linkless(Opcode opcode) {
  if (free_in_last_block_ == 0) allocate(kBlockItems);
  Block& block = blocks_.back();
  Instruction* made = &block.items[block.count - free_in_last_block_--];
  made->opcode_ = long_form(opcode);
  return made;
}

Instruction* Body::at_original_offset(uint32_t offset) const {
  if (decoded_count_ == 0) return nullptr;
  // Block 0 holds the end mark, block 1 the decoded instructions.
  Instruction* begin = blocks_[1].items.get();
  Instruction* found =
      std::lower_bound(begin, begin + decoded_count_, offset,
                       [](const Instruction& item, uint32_t at) { return item.original_offset_ < at; });
  return found != begin + decoded_count_ && found->original_offset_ == offset ? found : nullptr;
}

Instruction* Body::make(Opcode opcode, int64_t operand) {
  Instruction* made = make_linkless(opcode);
  made->operand_ = operand;
  if (made->opcode_ == Opcode::Switch) set_current_cases(made, {});
  return made;
}

Instruction* Body::make_branch(Opcode opcode, Instruction* target) {
  Instruction* made = make_linkless(opcode);
  made->now().target = target;
  return made;
}

Instruction* Body::make_switch(std::vector<Instruction*> cases) {
  Instruction* made = make_linkless(Opcode::Switch);
  set_current_cases(made, std::move(cases));
  return made;
}

Instruction* Body::make_call(Opcode opcode, uint32_t token, StackEffect effect) {
  Instruction* made = make(opcode, token);
  made->has_declared_effect_ = true;
  made->declared_effect_ = effect;
  return made;
}

void Body::set_current_cases(Instruction* at, std::vector<Instruction*> cases) {
  if (!at->cases_) at->cases_ = &cases_.emplace_back();
  at->cases_->in_view[Instruction::index_of(View::kCurrent)] = std::move(cases);
}

Instruction* Body::unit_begin(Instruction* instruction) const {
  while (contains(instruction) && instruction->previous()->info().flow == Flow::Prefix)
    instruction = instruction->previous();
  return instruction;
}

Instruction* Body::unit_end(Instruction* instruction) const {
  while (contains(instruction) && instruction->info().flow == Flow::Prefix && !instruction->next()->is_end())
    instruction = instruction->next();
  return instruction;
}

void Body::set_baseline() {
  constexpr unsigned kFrom = Instruction::index_of(View::kCurrent), kTo = Instruction::index_of(View::kBaseline);
  for (const Block& block : blocks_)
    for (size_t i = 0; i < block.count; ++i) block.items[i].links_[kTo] = block.items[i].links_[kFrom];
  for (Instruction::Cases& cases : cases_) cases.in_view[kTo] = cases.in_view[kFrom];
}

void Body::return_to_baseline() {
  constexpr unsigned kFrom = Instruction::index_of(View::kBaseline), kTo = Instruction::index_of(View::kCurrent);
  for (const Block& block : blocks_)
    for (size_t i = 0; i < block.count; ++i) block.items[i].links_[kTo] = block.items[i].links_[kFrom];
  for (Instruction::Cases& cases : cases_) cases.in_view[kTo] = cases.in_view[kFrom];
  incoming_.clear();
  incoming_built_ = false;
  edit_error_ = Status::ok();
}

const std::vector<Instruction*>& Body::number() {
  order_.clear();
  order_.reserve(decoded_count_ + 16);
  for (Instruction* at = first(); !at->is_end(); at = at->next()) {
    at->index_ = static_cast<uint32_t>(order_.size());
    order_.push_back(at);
  }
  end_->index_ = static_cast<uint32_t>(order_.size());
  return order_;
}

bool Body::is_numbered(const Instruction* instruction) const {
  if (instruction == end_) return true;
  return instruction && instruction->index_ < order_.size() && order_[instruction->index_] == instruction;
}

Status error_at(uint32_t il_offset, const std::string& what) {
  char place[24];
  std::snprintf(place, sizeof place, "IL_%04" PRIx32 ": ", il_offset);
  return Status::error(place + what);
}

Status error_at(const Instruction& at, const std::string& what) {
  const Instruction* original = &at;
  while (original->original_offset() == kNoOffset && !original->is_end() && original->next())
    original = original->next();
  if (original == &at) return error_at(at.original_offset(), what);
  if (original->original_offset() == kNoOffset) return Status::error("inserted at the end: " + what);
  const Status place = error_at(original->original_offset(), what);
  return Status::error("inserted before " + place.message());
}

}  // namespace oriel::il
