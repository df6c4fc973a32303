#include "runtimes/scripted/world.h"

#include <algorithm>
#include <utility>

namespace oriel::scripted {

Thing* World::add(Kind kind, const std::string& name, const Thing* parent) {
  const std::lock_guard guard(lock_);
  Thing*& slot = by_name_[{kind, name}];
  if (slot) return nullptr;
  all_.push_back(std::make_unique<Thing>());
  slot = all_.back().get();
  slot->kind = kind;
  slot->name = name;
  slot->parent = parent;
  slot->token = next_token_++;
  if (free_ids_.empty()) {
    slot->runtime_id = next_id_ += 16;
  } else {
    slot->runtime_id = free_ids_.back();
    free_ids_.pop_back();
  }
  by_id_[slot->runtime_id] = slot;
  return slot;
}

Thing* World::find(Kind kind, const std::string& name) {
  const std::lock_guard guard(lock_);
  const auto it = by_name_.find({kind, name});
  return it == by_name_.end() ? nullptr : it->second;
}

Thing* World::by_runtime_id(uintptr_t runtime_id) {
  const std::lock_guard guard(lock_);
  const auto it = by_id_.find(runtime_id);
  return it == by_id_.end() ? nullptr : it->second;
}

Thing* World::by_token(uint32_t token) {
  const std::lock_guard guard(lock_);
  const auto it = std::ranges::find_if(by_id_, [token](const auto& entry) { return entry.second->token == token; });
  return it == by_id_.end() ? nullptr : it->second;
}

std::vector<Thing*> World::children(const Thing& parent) {
  const std::lock_guard guard(lock_);
  std::vector<Thing*> found;
  for (const auto& [id, thing] : by_id_) {
    if (thing->parent == &parent) found.push_back(thing);
  }
  return found;
}

std::vector<std::string> World::names(Kind kind) {
  const std::lock_guard guard(lock_);
  std::vector<std::string> found;
  for (const auto& [key, thing] : by_name_) {
    if (key.first == kind) found.push_back(key.second);
  }
  return found;
}

void World::remove(Thing& thing) {
  const std::lock_guard guard(lock_);
  by_name_.erase({thing.kind, thing.name});
  by_id_.erase(thing.runtime_id);
}

void World::release(Thing& thing) {
  const std::lock_guard guard(lock_);
  free_ids_.push_back(thing.runtime_id);
}

CodeBlock World::add_code(Thing& method, uintptr_t start, size_t size) {
  const bool real = start == 0;
  if (real) {
    start = reinterpret_cast<uintptr_t>(space_.take());
    size = kCodeSize;
    if (!start) return {};
  }
  const std::lock_guard guard(lock_);
  constexpr size_t kMaxCode = size_t{1} << 24;
  if (size == 0 || size > kMaxCode || start + size < start || !is_free(start, size)) return {};
  const CodeBlock block{start, size, real};
  code_[start] = {block, &method};
  method.code.push_back(block);
  return block;
}

std::vector<CodeBlock> World::remove_code(Thing& method) {
  const std::lock_guard guard(lock_);
  for (const CodeBlock& block : method.code) code_.erase(block.start);
  return std::exchange(method.code, {});
}

void World::release_code(const std::vector<CodeBlock>& blocks) {
  for (const CodeBlock& block : blocks) {
    if (block.real) space_.give_back(reinterpret_cast<uint8_t*>(block.start));
  }
}

Thing* World::method_at(uintptr_t address, CodeBlock& block) {
  const std::lock_guard guard(lock_);
  const auto above = code_.upper_bound(address);
  if (above == code_.begin()) return nullptr;
  const Placed& placed = std::prev(above)->second;
  if (address - placed.block.start >= placed.block.size) return nullptr;
  block = placed.block;
  return placed.method;
}

uintptr_t World::code_of(const Thing& method) {
  const std::lock_guard guard(lock_);
  return method.code.empty() ? 0 : method.code.back().start;
}

bool World::is_free(uintptr_t start, size_t size) const {
  const auto above = code_.lower_bound(start + size);
  if (above == code_.begin()) return true;
  const CodeBlock& below = std::prev(above)->second.block;
  return below.start + below.size <= start;
}

}  // namespace oriel::scripted
