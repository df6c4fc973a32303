#include "runtimes/coreclr/guests/default_bodies.h"

namespace oriel::coreclr {

std::optional<std::span<const uint8_t>> DefaultBodies::shown(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = shown_.find(key);
  return found == shown_.end() ? std::nullopt : std::optional(found->second);
}

void DefaultBodies::made_by_guest(const MethodKey& key, std::span<const uint8_t> before, const MadeBody& made) {
  const std::lock_guard guard(lock_);
  shown_[key] = made.body;
  UncheckedBodies& unchecked = unchecked_[key];
  if (unchecked.made.empty()) unchecked.before = before;
  unchecked.made.push_back(made);
  unchecked_count_.store(unchecked_.size(), std::memory_order_release);
}

UncheckedBodies DefaultBodies::take_unchecked(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  auto taken = unchecked_.extract(key);
  unchecked_count_.store(unchecked_.size(), std::memory_order_release);
  return taken ? std::move(taken.mapped()) : UncheckedBodies();
}

void DefaultBodies::set(const MethodKey& key, std::span<const uint8_t> body) {
  const std::lock_guard guard(lock_);
  shown_[key] = body;
}

void DefaultBodies::before_own(const MethodKey& key) {
  if (shown(key)) return;
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(runtime_.GetILFunctionBody(key.module, key.token, &body, &size))) return;
  const std::lock_guard guard(lock_);
  shown_.try_emplace(key, body, size);
}

void DefaultBodies::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  const auto is_of_module = [&](const auto& entry) { return entry.first.module == module; };
  std::erase_if(shown_, is_of_module);
  std::erase_if(unchecked_, is_of_module);
  unchecked_count_.store(unchecked_.size(), std::memory_order_release);
}

}  // namespace oriel::coreclr
