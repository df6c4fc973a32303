#include "profile/waiting/requests.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace oriel::profile {
namespace {

constexpr int kDeepest = 16;

using Indices = std::vector<uint32_t>;

// Saturates, for values of a corrupt log.
int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

// The parent and child relation of activities.
class ActivityTree {
 public:
  explicit ActivityTree(const Profile& profile) : profile_(profile), of_(profile.activities.size()) {
    std::unordered_map<std::string_view, uint32_t> by_id;
    const auto count = static_cast<uint32_t>(of_.size());
    for (uint32_t i = 0; i < count; ++i)
      if (!profile.activities[i].id.empty()) by_id.emplace(profile.activities[i].id, i);
    for (uint32_t i = 0; i < count; ++i) {
      const auto whole = by_id.find(profile.activities[i].parent);
      if (profile.activities[i].parent.empty() || whole == by_id.end()) {
        roots_.push_back(i);
      } else {
        of_[whole->second].push_back(i);
      }
    }
  }

  const Indices& roots() const { return roots_; }

  // Groups activities by source and name.
  std::vector<ActivityGroup> groups(const Indices& activities, int depth = 0) const {
    std::map<std::pair<std::string, std::string>, ActivityGroup> by_name;
    for (const uint32_t index : activities) {
      const Activity& activity = profile_.activities[index];
      std::string name = name_of(activity);
      ActivityGroup& group = by_name[{activity.source, name}];
      group.source = activity.source;
      group.name = std::move(name);
      group.activities.push_back(index);
      group.failed += activity.failed ? 1 : 0;
      group.ns = sum(group.ns, activity.ns);
      group.longest_ns = std::max(group.longest_ns, activity.ns);
      group.parts_ns = sum(group.parts_ns, time_in_parts(index));
    }
    std::vector<ActivityGroup> all;
    for (auto& [name, group] : by_name) {
      if (depth < kDeepest) group.groups = groups(parts_of(group.activities), depth + 1);
      all.push_back(std::move(group));
    }
    std::ranges::stable_sort(all, std::greater(), &ActivityGroup::ns);
    return all;
  }

 private:
  Indices parts_of(const Indices& activities) const {
    Indices parts;
    for (const uint32_t index : activities) parts.insert(parts.end(), of_[index].begin(), of_[index].end());
    return parts;
  }

  // Length of the union of its children, which may overlap.
  int64_t time_in_parts(uint32_t index) const {
    const Activity& whole = profile_.activities[index];
    std::vector<std::pair<int64_t, int64_t>> spans;
    for (const uint32_t part : of_[index]) {
      const Activity& activity = profile_.activities[part];
      spans.emplace_back(std::max(activity.end_ns - activity.ns, whole.end_ns - whole.ns),
                         std::min(activity.end_ns, whole.end_ns));
    }
    std::ranges::sort(spans);
    int64_t sum = 0, covered = INT64_MIN;
    for (const auto& [begin, end] : spans) {
      sum += std::max<int64_t>(0, end - std::max(begin, covered));
      covered = std::max(covered, end);
    }
    return sum;
  }

  const Profile& profile_;
  std::vector<Indices> of_;
  Indices roots_;
};

}  // namespace

std::vector<ActivityGroup> requests(const Profile& profile) {
  const ActivityTree tree(profile);
  return tree.groups(tree.roots());
}

std::vector<ActivityGroup> slowest_requests(const Profile& profile, size_t most) {
  const ActivityTree tree(profile);
  Indices roots = tree.roots();
  std::ranges::stable_sort(roots, std::greater(), [&](uint32_t index) { return profile.activities[index].ns; });
  roots.resize(std::min(roots.size(), most));
  std::vector<ActivityGroup> slowest;
  for (const uint32_t root : roots) slowest.push_back(std::move(tree.groups({root}).front()));
  return slowest;
}

int64_t quantile(const ActivityGroup& group, const Profile& profile, double part) {
  std::vector<int64_t> times;
  for (const uint32_t index : group.activities) times.push_back(profile.activities[index].ns);
  if (times.empty()) return 0;
  constexpr double kRounding = 1e-9;
  const double count = std::ceil(part * static_cast<double>(times.size()) - kRounding);
  const auto at = std::min(times.size(), static_cast<size_t>(std::max(count, 1.0))) - 1;
  std::ranges::nth_element(times, times.begin() + static_cast<ptrdiff_t>(at));
  return times[at];
}

std::string tag(const Activity& activity, const char* name) {
  const std::string begin = std::string(name) + "=";
  for (const std::string& tag : activity.tags)
    if (tag.starts_with(begin)) return tag.substr(begin.size());
  return "";
}

// Some libraries name a request only by its method or by the kind of activity.
std::string name_of(const Activity& activity) {
  const std::string method = tag(activity, "http.request.method");
  if (method.empty() || activity.name.find(' ') != std::string::npos) return activity.name;
  for (const char* const what : {"http.route", "url.path", "server.address"})
    if (const std::string value = tag(activity, what); !value.empty()) return method + " " + value;
  return activity.name.empty() || activity.name == activity.source ? method : activity.name;
}

}  // namespace oriel::profile
