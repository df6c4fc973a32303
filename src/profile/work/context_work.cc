#include "profile/work/context_work.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "profile/work/category.h"

namespace oriel::profile {
namespace {

// Resumes an async method after its await.
bool is_resumption(const Function& function) {
  return function.managed && function.name.starts_with("System.Runtime.CompilerServices.AsyncTaskMethodBuilder") &&
         function.name.find("AsyncStateMachineBox") != std::string::npos;
}

// Completes a task, and runs its awaiting methods inline.
bool completes(const Function& function) {
  return function.managed && function.name.starts_with("System.Threading.Tasks.");
}

// By node: whether it is below a resumed method that was called by own code or a library's loop, and neither by a pool
// thread nor by the completion of its task.
std::vector<bool> below_context(const Profile& profile, const std::vector<uint32_t>& own) {
  std::vector<bool> below(profile.nodes.size()), completing(profile.nodes.size());
  for (size_t i = 1; i < below.size(); ++i) {
    const uint32_t caller = profile.nodes[i].parent;
    const Function& function = profile.functions[profile.nodes[i].function];
    completing[i] = own[i] != i && (completing[caller] || completes(function));
    below[i] = below[caller] || (is_resumption(function) && own[caller] != 0 && !completing[caller]);
  }
  return below;
}

}  // namespace

ContextWork context_work(const Profile& profile) {
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  const std::vector<bool> below = below_context(profile, own);
  ContextWork work;
  if (std::ranges::find(below, true) == below.end()) return work;
  std::vector<uint64_t> after_await(profile.threads.size()), all(profile.threads.size());
  std::map<uint32_t, std::map<uint32_t, uint64_t>> by_own;  // by thread, then own node
  for (const Sample& sample : profile.samples) {
    all[sample.thread] += sample.periods;
    if (!below[sample.node]) continue;
    after_await[sample.thread] += sample.periods;
    by_own[sample.thread][own[sample.node]] += sample.periods;
  }
  const auto most = std::ranges::max_element(after_await);
  if (most == after_await.end() || *most == 0) return work;
  work.thread = static_cast<uint32_t>(most - after_await.begin());
  work.periods = *most;
  work.of_thread = all[work.thread];
  for (const Sample& wait : profile.waits)
    if (wait.thread == work.thread) work.waited += wait.periods;
  const auto& places = by_own[work.thread];
  work.most_own = std::ranges::max_element(places, {}, [](const auto& entry) { return entry.second; })->first;
  return work;
}

}  // namespace oriel::profile
