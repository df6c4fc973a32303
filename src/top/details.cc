// What is known of a row beyond its figures.
#include <algorithm>

#include "profile/trees/call_tree.h"
#include "profile/trees/scaffolding.h"
#include "profile/trees/weight.h"
#include "profile/waiting/requests.h"
#include "profile/work/category.h"
#include "report/words/text.h"
#include "top/view.h"

namespace oriel::top {
namespace {

using profile::Profile;

constexpr size_t kMostDetails = 500;
constexpr double kLeastPart = 0.01;

std::string function_name(uint32_t function, const Profile& profile) {
  return report::clean(profile.functions[function].name);
}

// The callers of a function, each behind those that it calls.
std::vector<Detail> caller_lines(Profile profile, uint32_t function) {
  std::vector<bool> selected(profile.functions.size());
  selected[function] = true;
  profile::fold_scaffolding(profile, selected);
  const profile::CallTree all = profile::callers(profile, function);
  const uint64_t whole = all.nodes[0].total;
  std::vector<Detail> lines;
  struct Left {
    uint32_t node;
    uint32_t depth;
  };
  std::vector<Left> left;
  const auto add_children = [&](uint32_t node, uint32_t depth) {
    const std::vector<uint32_t>& children = all.nodes[node].children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) left.push_back({*child, depth});
  };
  add_children(0, 0);
  while (!left.empty() && lines.size() < kMostDetails) {
    const Left next = left.back();
    left.pop_back();
    const profile::CallNode& node = all.nodes[next.node];
    const double part = static_cast<double>(node.total) / static_cast<double>(std::max<uint64_t>(whole, 1));
    if (part < kLeastPart) continue;
    lines.push_back(
        {part, next.depth, node.broken ? profile::kCallersNotKnown : function_name(node.function, profile)});
    // A single caller of a single caller is no branch: it stays at its depth.
    const bool branches = node.children.size() > 1;
    add_children(next.node, next.depth + (branches ? 1 : 0));
  }
  return lines;
}

// A stack's methods from the innermost outwards. Native frames beyond them only start threads.
void add_stack(double part, uint32_t node, const Profile& profile, std::vector<Detail>& lines) {
  constexpr size_t kMostFrames = 30;
  bool is_first = true;
  for (size_t i = 0; node != 0 && i < kMostFrames; node = profile.nodes[node].parent) {
    const uint32_t function = profile.nodes[node].function;
    if (!is_first && !profile.functions[function].managed) continue;
    lines.push_back({is_first ? part : -1, is_first ? 0u : 1u, function_name(function, profile)});
    is_first = false;
    ++i;
  }
}

std::vector<Detail> exception_lines(const Profile& profile, const std::string& type) {
  constexpr size_t kMostStacks = 10;
  std::vector<const profile::ThrownAt*> stacks;
  uint64_t all = 0;
  for (const profile::ThrownAt& at : profile.thrown_at) {
    if (at.type != type) continue;
    stacks.push_back(&at);
    all += at.thrown;
  }
  std::ranges::stable_sort(stacks, std::greater<>(), &profile::ThrownAt::thrown);
  stacks.resize(std::min(stacks.size(), kMostStacks));
  std::vector<Detail> lines;
  for (const profile::ExceptionMessage& message : profile.exception_messages)
    if (message.type == type) lines.push_back({-1, 0, "\"" + report::clean(message.text) + "\""});
  for (const profile::ThrownAt* at : stacks)
    add_stack(static_cast<double>(at->thrown) / static_cast<double>(all), at->node, profile, lines);
  return lines;
}

// The functions, of own code where there is any below, in which a thread spent its time.
std::vector<Detail> thread_lines(const Profile& profile, uint32_t thread) {
  const std::vector<uint32_t> nearest = profile::nearest_own(profile);
  std::map<uint32_t, uint64_t> sums;
  uint64_t all = 0;
  for (const profile::Sample& sample : profile.samples) {
    if (sample.thread != thread) continue;
    const uint32_t own = nearest[sample.node];
    sums[own != 0 ? own : profile.nodes[sample.node].function] += sample.periods;
    all += sample.periods;
  }
  std::vector<Detail> lines;
  for (const auto& [function, periods] : sums)
    lines.push_back({static_cast<double>(periods) / static_cast<double>(all), 0, function_name(function, profile)});
  std::ranges::stable_sort(lines, std::greater<>(), &Detail::part);
  lines.resize(std::min(lines.size(), kMostDetails));
  return lines;
}

void add_parts(const profile::ActivityGroup& group, int64_t whole, uint32_t depth, std::vector<Detail>& lines) {
  for (const profile::ActivityGroup& part : group.groups) {
    if (lines.size() >= kMostDetails) return;
    lines.push_back({static_cast<double>(part.ns) / static_cast<double>(std::max<int64_t>(whole, 1)), depth,
                     report::clean(part.name.empty() ? part.source : part.name)});
    add_parts(part, whole, depth + 1, lines);
  }
}

}  // namespace

std::vector<Detail> details(const View& view, PageId page, const std::string& key) {
  const Profile& profile = *view.window.profile;
  const std::vector<Row>& rows = view.page(page).rows;
  const auto row = std::ranges::find(rows, key, &Row::key);
  std::vector<Detail> lines;
  if (row == rows.end()) return lines;
  switch (page) {
    case PageId::kMethods:
    case PageId::kFunctions:
      return row->id != 0 ? caller_lines(profile, row->id) : lines;
    case PageId::kMemory:
      if (Result<Profile> weighed = profile::by_weight(profile::WeightKind::kBytes, profile))
        for (uint32_t i = 1; i < weighed->functions.size(); ++i)
          if (weighed->functions[i].type && weighed->functions[i].name == profile.functions[row->id].name)
            return caller_lines(std::move(*weighed), i);
      return lines;
    case PageId::kExceptions:
      return exception_lines(profile, profile.exceptions[row->id].type);
    case PageId::kWaits:
      add_stack(-1, row->id, profile, lines);
      return lines;
    case PageId::kThreads:
      return thread_lines(profile, row->id);
    case PageId::kRequests: {
      const std::vector<profile::ActivityGroup> groups = profile::requests(profile);
      if (row->id < groups.size()) add_parts(groups[row->id], groups[row->id].ns, 0, lines);
      return lines;
    }
  }
  return lines;
}

}  // namespace oriel::top
