#include "runtimes/coreclr/guests/bodies/default_bodies.h"

namespace oriel::coreclr {

std::optional<std::span<const uint8_t>> DefaultBodies::shown(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = shown_.find(key);
  return found == shown_.end() ? std::nullopt : std::optional(found->second);
}

void DefaultBodies::made_by_guest(const MethodKey& key, std::span<const uint8_t> before, const MadeBody& made) {
  const std::lock_guard guard(lock_);
  shown_[key] = made.body;
  PendingBodies& pending_bodies = pending_bodies_[key];
  if (pending_bodies.made.empty()) pending_bodies.before = before;
  pending_bodies.made.push_back(made);
  pending_count_.store(pending_bodies_.size(), std::memory_order_release);
}

std::optional<PendingBodies> DefaultBodies::pending_bodies(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = pending_bodies_.find(key);
  return found == pending_bodies_.end() ? std::nullopt : std::optional(found->second);
}

void DefaultBodies::looked_at(const MethodKey& key, size_t looked_at, size_t sound) {
  const std::lock_guard guard(lock_);
  const auto found = pending_bodies_.find(key);
  if (found == pending_bodies_.end()) return;
  PendingBodies& pending_bodies = found->second;
  std::vector<MadeBody>& made = pending_bodies.made;
  if (sound < looked_at && looked_at == made.size())
    shown_[key] = sound == 0 ? pending_bodies.before : made[sound - 1].body;
  made.erase(made.begin() + static_cast<ptrdiff_t>(sound), made.begin() + static_cast<ptrdiff_t>(looked_at));
  pending_bodies.sound = sound;
}

bool DefaultBodies::mark_validated(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const bool was_there = pending_bodies_.erase(key) != 0;
  pending_count_.store(pending_bodies_.size(), std::memory_order_release);
  return was_there;
}

void DefaultBodies::note_clauses(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  with_clauses_.insert(key);
}

bool DefaultBodies::had_clauses(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  return with_clauses_.contains(key);
}

void DefaultBodies::before_own(const MethodKey& key) {
  if (shown(key)) return;
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(runtime_.GetILFunctionBody(Held(), key.module, key.token, &body, &size))) return;
  const std::lock_guard guard(lock_);
  shown_.try_emplace(key, body, size);
}

void DefaultBodies::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  const auto is_of_module = [&](const auto& entry) { return entry.first.module == module; };
  std::erase_if(with_clauses_, [&](const MethodKey& key) { return key.module == module; });
  std::erase_if(shown_, is_of_module);
  std::erase_if(pending_bodies_, is_of_module);
  pending_count_.store(pending_bodies_.size(), std::memory_order_release);
}

}  // namespace oriel::coreclr
