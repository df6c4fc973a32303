#include "plugins/code/graph.h"

#include <algorithm>

#include "oriel/plugins/program.h"
#include "plugins/code/code.h"
#include "plugins/code/decode.h"

namespace oriel::plugins {
namespace {

HResult give_instruction(Instruction* instruction, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  return give(share(instruction), out);
}

}  // namespace

HResult Graph::GetMethodInfo(IMethodInfo** out) {
  if (out == nullptr) return kPointerError;
  return method == nullptr ? kFail : give(share(method), out);
}

HResult Graph::GetFirstInstruction(IInstruction** out) { return give_instruction(now.first, out); }
HResult Graph::GetLastInstruction(IInstruction** out) { return give_instruction(now.last, out); }
HResult Graph::GetOriginalFirstInstruction(IInstruction** out) { return give_instruction(original.first, out); }
HResult Graph::GetOriginalLastInstruction(IInstruction** out) { return give_instruction(original.last, out); }

HResult Graph::GetUninstrumentedFirstInstruction(IInstruction** out) {
  const HResult given = give_instruction(before_baseline.first, out);
  return succeeded(given) && before_baseline.first == nullptr ? kFalse : given;
}

HResult Graph::GetUninstrumentedLastInstruction(IInstruction** out) {
  const HResult given = give_instruction(before_baseline.last, out);
  return succeeded(given) && before_baseline.last == nullptr ? kFalse : given;
}

HResult Graph::GetInstructionAtOffset(uint32_t offset, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  number();
  for (Instruction* at = now.first; at != nullptr; at = at->links.next)
    if (at->offset == offset) return give_instruction(at, out);
  return kFail;
}

HResult Graph::GetInstructionAtOriginalOffset(uint32_t offset, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  for (Instruction* at = original.first; at != nullptr; at = at->original.next)
    if (at->generation != Generation::kNew && at->original_offset == offset) return give_instruction(at, out);
  return kFail;
}

HResult Graph::GetInstructionAtUninstrumentedOffset(uint32_t offset, IInstruction** out) {
  if (!has_baseline_) return GetInstructionAtOriginalOffset(offset, out);
  for (const IlMapEntry& entry : baseline_map_)
    if (entry.old_offset == offset) return GetInstructionAtOffset(entry.new_offset, out);
  return kFail;
}

void Graph::number() {
  if (is_numbered_) return;
  is_numbered_ = true;
  uint32_t offset = 0;
  for (Instruction* at = now.first; at != nullptr; at = at->links.next) {
    at->offset = offset;
    offset += at->size();
  }
}

void Graph::bring_in(Instruction* made) {
  made->join(code());
  made->graph = this;
  made->is_removed = false;
  made->instead = {};
  made->put_behind = nullptr;
}

// Each step leads to an instruction that was in a graph when the previous one was removed, so the loop ends.
Instruction* Graph::begin_of(Instruction* at) const {
  while (at != nullptr && at->graph != this) at = at->instead.next;
  return at;
}

Instruction* Graph::end_of(Instruction* at) const {
  while (at != nullptr && at->graph != this) at = at->instead.previous;
  return at;
}

void Graph::link(Instruction* previous, Instruction* made, Instruction* next) {
  made->links = {previous, next};
  (previous != nullptr ? previous->links.next : now.first) = made;
  (next != nullptr ? next->links.previous : now.last) = made;
  note_changed();
}

// Its own links stay, so that a plug-in that walks the graph can remove the current instruction.
void Graph::unlink(Instruction* at) {
  (at->links.previous != nullptr ? at->links.previous->links.next : now.first) = at->links.next;
  (at->links.next != nullptr ? at->links.next->links.previous : now.last) = at->links.previous;
  at->graph = nullptr;
  at->is_removed = true;
  note_changed();
}

HResult Graph::insert(IInstruction* at, IInstruction* made, bool moves_branches) {
  if (at == nullptr || made == nullptr) return kPointerError;
  Instruction* const place = Instruction::of(at);
  Instruction* const ours = Instruction::of(made);
  if (place == nullptr || ours == nullptr) return kNoInterface;
  if (place->graph != this || ours->graph != nullptr) return kUnexpected;
  bring_in(ours);
  link(place->links.previous, ours, place);
  if (!moves_branches) return kOk;
  place->move_sources(ours, ours);
  section.move_firsts(place, ours);
  return kOk;
}

HResult Graph::InsertBefore(IInstruction* at, IInstruction* made) { return insert(at, made, false); }

HResult Graph::InsertBeforeAndRetargetOffsets(IInstruction* at, IInstruction* made) { return insert(at, made, true); }

HResult Graph::InsertAfter(IInstruction* at, IInstruction* made) {
  if (made == nullptr) return kPointerError;
  Instruction* const place = Instruction::of(at);
  Instruction* const ours = Instruction::of(made);
  if (ours == nullptr || (at != nullptr && place == nullptr)) return kNoInterface;
  if (ours->graph != nullptr || (place != nullptr && place->graph != this)) return kUnexpected;
  // Without a place, the instruction replaces the whole graph.
  if (place == nullptr) {
    while (now.first != nullptr) unlink(now.first);
    now = {};
  }
  bring_in(ours);
  link(place, ours, place != nullptr ? place->links.next : nullptr);
  ours->put_behind = place;
  return kOk;
}

HResult Graph::Replace(IInstruction* at, IInstruction* made) {
  if (at == nullptr || made == nullptr) return kPointerError;
  Instruction* const place = Instruction::of(at);
  Instruction* const ours = Instruction::of(made);
  if (place == nullptr || ours == nullptr) return kNoInterface;
  if (place->graph != this || ours->graph != nullptr) return kUnexpected;
  const Instruction::Links around = place->links;
  unlink(place);
  bring_in(ours);
  link(around.previous, ours, around.next);
  place->instead = {ours, ours};
  place->move_sources(ours, ours);
  section.move(place, ours, ours);
  return kOk;
}

HResult Graph::Remove(IInstruction* at) {
  if (at == nullptr) return kPointerError;
  Instruction* const place = Instruction::of(at);
  if (place == nullptr) return kNoInterface;
  if (place->graph != this) return kUnexpected;
  const Instruction::Links around = place->links;
  unlink(place);
  // An instruction that was inserted behind it takes its place in regions. Other successors stay outside of a region
  // that ended here. The CLR Instrumentation Engine includes them, so that a try block runs into its handler.
  Instruction* const next = around.next;
  const bool is_followed = next != nullptr && next->put_behind == place && !section.begins_with(next);
  place->instead = {is_followed ? next : around.previous, next};
  section.move(place, next != nullptr ? next : around.previous, place->instead.previous);
  return kOk;
}

HResult Graph::RemoveAll() {
  while (now.first != nullptr) {
    Instruction* const at = now.first;
    unlink(at);
    at->links = {};
  }
  now = {};
  section.clauses.clear();
  return kOk;
}

void Graph::take(const std::vector<ComPtr<Instruction>>& instructions, Generation generation) {
  Instruction* previous = nullptr;
  for (const auto& held : instructions) {
    Instruction* const at = held.get();
    at->generation = generation;
    at->original = {previous, nullptr};
    if (previous != nullptr) previous->original.next = at;
    bring_in(at);
    link(previous, at, nullptr);
    previous = at;
  }
  original = now;
}

HResult Graph::CreateBaseline(const uint8_t* begin, const uint8_t* end, uint32_t map_size, const IlMapEntry* map,
                              uint32_t point_count, uint32_t* points) {
  if (begin == nullptr || end == nullptr) return kPointerError;
  if (begin >= end) return kInvalidArgument;
  if ((map == nullptr && map_size > 0) || (points == nullptr && point_count > 0)) return kPointerError;
  if (has_baseline_) return kUnexpected;
  if (!may_make_baseline) return kFail;
  std::vector<ComPtr<Instruction>> made;
  if (!decode_code({begin, end}, made)) return kFail;
  has_baseline_ = true;
  RemoveAll();
  before_baseline = original;
  take(made, Generation::kBaseline);
  if (map_size > 0) baseline_map_.assign(map, map + map_size);
  for (uint32_t i = 0; i < point_count; ++i) baseline_points.push_back({points[i], points[i], 1});
  return kOk;
}

HResult Graph::HasBaselineBeenSet(Bool* set) {
  if (set == nullptr) return kPointerError;
  *set = has_baseline_ ? 1 : 0;
  return kOk;
}

HResult Graph::ExpandBranches() {
  for (Instruction* at = now.first; at != nullptr; at = at->links.next) at->expand();
  return kOk;
}

}  // namespace oriel::plugins
