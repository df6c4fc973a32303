#include "profile/async_stacks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace oriel::profile {
namespace {

class Mover {
 public:
  Mover(const std::vector<AsyncRun>& runs, Profile& profile) : runs_(runs), profile_(profile) {
    of_thread_.resize(profile.threads.size());
    for (uint32_t i = 0; i < runs.size(); ++i)
      if (runs[i].thread < of_thread_.size()) of_thread_[runs[i].thread].push_back(i);
  }

  void move(Sample& sample) {
    uint32_t run = run_at(sample.thread, sample.ns);
    if (run == AsyncRun::kNone) return;
    const auto [known, made] = moved_.try_emplace({sample.node, key_of(run)}, sample.node);
    if (made) known->second = moved(sample.node, run);
    sample.node = known->second;
  }

 private:
  // What decides where a stack goes, so that each is moved once: the run where the stack of the thread begins to tell,
  // and how many runs further in it was.
  using RunKey = std::tuple<uint32_t, uint32_t, uint32_t>;

  // The innermost one at that time.
  uint32_t run_at(uint32_t thread, int64_t ns) const {
    if (thread >= of_thread_.size()) return AsyncRun::kNone;
    const std::vector<uint32_t>& all = of_thread_[thread];
    const auto after = std::ranges::upper_bound(all, ns, {}, [&](uint32_t run) { return runs_[run].begin_ns; });
    uint32_t run = after == all.begin() ? AsyncRun::kNone : *std::prev(after);
    while (run != AsyncRun::kNone && runs_[run].end_ns >= 0 && runs_[run].end_ns < ns) run = runs_[run].outer;
    return run;
  }

  RunKey key_of(uint32_t run) const {
    uint32_t depth = 0;
    const uint32_t innermost = runs_[run].function;
    while (runs_[run].is_of_outer) {
      run = runs_[run].outer;
      ++depth;
    }
    return {innermost, runs_[run].under, depth};
  }

  // The stack's node under those that await the run, or the one in which it is as far as the stack shows that.
  uint32_t moved(uint32_t leaf, uint32_t run) {
    std::vector<uint32_t> frames;  // innermost first
    for (uint32_t node = leaf; node != 0; node = profile_.nodes[node].parent) {
      frames.push_back(node);
      if (profile_.nodes[node].function != runs_[run].function) continue;
      if (!runs_[run].is_of_outer) return runs_[run].under == 0 ? leaf : put_under(runs_[run].under, frames);
      run = runs_[run].outer;
    }
    return leaf;  // of something that ran beside it
  }

  uint32_t put_under(uint32_t node, const std::vector<uint32_t>& frames) {
    for (size_t i = frames.size(); i-- > 0;) node = child(node, frames[i]);
    return node;
  }

  // One like `like`.
  uint32_t child(uint32_t parent, uint32_t like) {
    Node made = profile_.nodes[like];
    made.parent = parent;
    made.truncated = false;
    const auto next = static_cast<uint32_t>(profile_.nodes.size());
    const auto [known, is_new] = children_.try_emplace({parent, made.function, made.position}, next);
    if (is_new) profile_.nodes.push_back(made);
    return known->second;
  }

  const std::vector<AsyncRun>& runs_;
  Profile& profile_;
  std::vector<std::vector<uint32_t>> of_thread_;  // runs, by begin
  std::map<std::pair<uint32_t, RunKey>, uint32_t> moved_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> children_;
};

}  // namespace

void stand_under_awaiters(const std::vector<AsyncRun>& runs, Profile& profile) {
  Mover mover(runs, profile);
  for (Sample& sample : profile.samples.change()) mover.move(sample);
  for (Sample& wait : profile.waits) mover.move(wait);
}

}  // namespace oriel::profile
