#include "profile/build/memory/followed.h"

#include <algorithm>
#include <tuple>

#include "base/followed_part.h"
#include "profile/generations.h"

namespace oriel::profile {
namespace {

// More than an adapter follows at a time; a corrupt log could claim any number.
constexpr size_t kMostFollowed = 1u << 20;
constexpr uint64_t kMostPart = 1u << 20;
// Keeps sums over a corrupt log from overflowing.
constexpr uint64_t kMostRepresented = uint64_t{1} << 40;

// The starts of completed full collections.
std::vector<int64_t> full_collections(const Profile& profile) {
  std::vector<int64_t> starts;
  for (const Collection& collection : profile.collections)
    if (collection.generation >= oldest_generation(profile) && collection.end_ns >= 0)
      starts.push_back(collection.start_ns);
  return starts;
}

uint32_t survived(int64_t ns, const std::vector<int64_t>& starts) {
  return static_cast<uint32_t>(starts.end() - std::ranges::lower_bound(starts, ns));
}

}  // namespace

void Followed::begin(const Incoming& told) {
  const log::Event& event = told.event;
  const uint64_t number = event.values[3];
  if (number == 0) return;
  ++samples_;
  bytes_ += std::min(event.values[2], kMostRepresented);
  first_counter_ = std::min(first_counter_, event.counter);
  if (ended_.erase(number) != 0 || there_.size() >= kMostFollowed) return;
  there_[number] = {event.counter, event.values[0], event.values[1], event.values[2], told.thread, told.stack};
}

void Followed::end(const Incoming& told) {
  const uint64_t number = told.event.values[0];
  if (there_.erase(number) == 0 && ended_.size() < kMostFollowed) ended_.insert(number);
}

void Followed::set_part(const Incoming& told) { part_ = std::clamp<uint64_t>(told.event.values[0], part_, kMostPart); }

void Followed::finish(const Names& names, const ClockMap& clock, LogicalStacks& logical, Functions& functions,
                      Profile& profile) const {
  if (samples_ == 0) return;
  profile.following = {{.from_ns = clock.ns(first_counter_), .samples = samples_, .bytes = bytes_}};
  const std::vector<int64_t> full = full_collections(profile);
  // In their order: what functions and nodes are numbered by must not depend on a table's.
  std::vector<uint64_t> numbers;
  for (const auto& [number, one] : there_)
    if (is_in_followed_part(number, one.size, part_)) numbers.push_back(number);
  std::ranges::sort(numbers);
  for (const uint64_t number : numbers) {
    const auto& one = there_.at(number);
    FollowedObject object;
    object.ns = clock.ns(one.counter);
    object.full = survived(object.ns, full);
    object.thread = one.thread;
    object.type = functions.add(names.type(one.klass));
    object.node = logical.of(one.thread, object.ns, one.stack);
    object.bytes = std::min(one.represented, kMostRepresented) * samples_in_part(one.size, part_);
    object.objects = static_cast<double>(object.bytes) / static_cast<double>(std::max<uint64_t>(one.size, 1));
    profile.followed.push_back(object);
  }
  std::ranges::stable_sort(profile.followed, {},
                           [](const FollowedObject& one) { return std::tuple(one.ns, one.thread); });
}

}  // namespace oriel::profile
