#include "followed_types.h"

#include "base/text/words.h"
#include "modules/save_when.h"

namespace oriel::log_module {

void FollowedTypes::choose(const std::string& patterns) {
  auto chosen = std::make_shared<const Patterns>(split(patterns, ','));
  if (known_ == nullptr && !chosen->empty()) known_ = std::make_unique<KnownClasses>();
  {
    const std::lock_guard guard(lock_);
    patterns_ = std::move(chosen);
    any_ = !patterns_->empty();
  }
  ++generation_;
}

bool FollowedTypes::has(oriel_class* klass) {
  const uint32_t id = oriel_class_id(klass);
  const uint16_t generation = generation_.load(std::memory_order_acquire);
  std::atomic<Known>& place = (*known_)[id % kKnown];
  const Known known = place.load(std::memory_order_relaxed);
  if (known.id == id && known.generation == generation) return known.is_chosen;
  std::shared_ptr<const Patterns> patterns;
  {
    const std::lock_guard guard(lock_);
    patterns = patterns_;
  }
  const bool is_chosen = patterns != nullptr && modules::matches_type(*patterns, oriel_class_name(klass));
  place.store({generation, is_chosen, id}, std::memory_order_relaxed);
  return is_chosen;
}

}  // namespace oriel::log_module
