#include "profile/build/async/async_runs.h"

#include <algorithm>
#include <unordered_map>

#include "base/text/patterns.h"
#include "profile/build/async/async_stacks.h"

namespace oriel::profile {
namespace {

bool says_cancelled(const std::string& type) {
  return type == "System.OperationCanceledException" || type == "System.Threading.Tasks.TaskCanceledException";
}

// Converts the replayed calls, waits and runs into the profile's.
class RunMaker {
 public:
  RunMaker(const AsyncReplay& replay, const AwaitedNames& awaited, const Names& names, Functions& functions,
           Profile& profile)
      : replay_(replay), awaited_(awaited), names_(names), functions_(functions), profile_(profile) {
    starts_.resize(replay.calls().size());
    for (const ReplayedCall& call : replay.calls())
      if (call.starter != kNoneReplayed) starts_[call.starter] = true;
  }

  void make_calls() {
    for (const ReplayedCall& from : replay_.calls()) profile_.async_calls.push_back(made_of(from));
    for (const ReplayedWait& from : replay_.waits()) {
      AsyncWait wait;
      wait.start_ns = from.start_ns;
      wait.end_ns = from.end_ns;
      wait.call = from.call;
      wait.of_call = from.of_call || (starts_[from.call] && is_of_several(from));
      wait.node = node_of({callers_of(from.call), from.call, from.il});
      profile_.async_waits.push_back(wait);
    }
  }

  std::vector<AsyncRun> make_runs() {
    std::vector<AsyncRun> runs;
    for (const ReplayedRun& from : replay_.runs()) {
      const uint32_t call = now(from.call);
      AsyncRun run;
      run.begin_ns = from.begin_ns;
      run.end_ns = from.end_ns;
      run.thread = from.thread;
      run.function = function_of(replay_.calls()[call].method);
      run.under = callers_of(call);
      run.outer = from.outer;
      run.is_of_outer = from.outer != kNoneReplayed && now(replay_.runs()[from.outer].call) == caller_of(call);
      runs.push_back(run);
    }
    return runs;
  }

  // By method that is queued elsewhere: the waits for it.
  QueueingWaits make_handed(const QueuedMethods& handed) {
    QueueingWaits result;
    if (handed.empty()) return result;
    std::map<std::pair<uint64_t, uint32_t>, std::vector<QueueingWait>> at_place;
    for (const AsyncWait& wait : profile_.async_waits) {
      const ReplayedWait& from = replay_.waits()[static_cast<size_t>(&wait - profile_.async_waits.data())];
      at_place[{replay_.calls()[from.call].method, from.il}].push_back({wait.start_ns, wait.end_ns, wait.node});
    }
    for (const auto& [method, handing] : handed) {
      const auto found = at_place.find({handing.by, handing.il});
      if (found != at_place.end()) result[function_of(method)] = found->second;
    }
    return result;
  }

  uint32_t position_of(uint64_t method, uint32_t il) {
    const auto [known, made] = positions_.try_emplace({method, il}, 0);
    if (!made) return known->second;
    const log::MethodDefinition definition = names_.definition(method);
    known->second = static_cast<uint32_t>(profile_.places.positions.size());
    profile_.places.positions.push_back({image_of(definition.image), static_cast<uint32_t>(definition.row), il});
    return known->second;
  }

 private:
  struct Place {
    uint32_t under = 0;  // node
    uint32_t call = 0;
    uint32_t il = 0;
  };

  AsyncCall made_of(const ReplayedCall& from) {
    AsyncCall call;
    if (from.instead != kNoneReplayed) return call;
    call.start_ns = from.start_ns;
    call.end_ns = from.end_ns;
    call.ran_ns = from.ran_ns;
    call.function = function_of(from.method);
    call.caller = caller_of(static_cast<uint32_t>(&from - replay_.calls().data()));
    if (from.exception != 0) {
      Function type = names_.type(from.exception);
      call.is_cancelled = says_cancelled(type.name);
      call.exception = functions_.add(std::move(type));
    }
    return call;
  }

  uint32_t function_of(uint64_t method) {
    const auto [known, made] = methods_.try_emplace(method, 0);
    if (made) known->second = functions_.add(names_.method(method));
    return known->second;
  }

  uint32_t image_of(uint64_t id) {
    const auto [known, made] = images_.try_emplace(id, 0);
    if (!made) return known->second;
    std::vector<Image>& images = profile_.places.images;
    const Image image = names_.image(id);
    known->second = static_cast<uint32_t>(std::ranges::find(images, image) - images.begin());
    if (known->second == images.size()) images.push_back(image);
    return known->second;
  }

  // The node of the call's awaiters, at the places of their awaits.
  uint32_t callers_of(uint32_t call) {
    constexpr size_t kDeepest = 200;  // awaits may form a cycle
    std::vector<uint32_t> chain;
    uint32_t node = 0;
    for (uint32_t at = call; chain.size() < kDeepest;) {
      if (const auto known = callers_.find(at); known != callers_.end()) {
        node = known->second;
        break;
      }
      chain.push_back(at);
      const uint32_t caller = caller_of(at);
      if (caller == kNoneReplayed) break;
      at = caller;
    }
    // From the outermost call inwards: a call's callers are its caller's callers and its caller.
    for (size_t i = chain.size(); i-- > 0;) {
      const ReplayedCall& its = replay_.calls()[chain[i]];
      const uint32_t caller = caller_of(chain[i]);
      if (caller != kNoneReplayed) node = node_of({node, caller, its.awaiter != kNoneReplayed ? its.awaiter_il : 0});
      callers_[chain[i]] = node;
    }
    return node;
  }

  // Whether it waits for several calls. If it started them itself, their own waits say more.
  bool is_of_several(const ReplayedWait& wait) const {
    const auto awaited = awaited_.find({replay_.calls()[wait.call].method, wait.il});
    return awaited != awaited_.end() && (awaited->second == "System.Threading.Tasks.Task.WhenAll" ||
                                         awaited->second == "System.Threading.Tasks.Task.WhenAny");
  }

  // The call that replaces it, or itself.
  uint32_t now(uint32_t call) const {
    if (call == kNoneReplayed) return kNoneReplayed;
    const uint32_t instead = replay_.calls()[call].instead;
    return instead == kNoneReplayed ? call : instead;
  }
  uint32_t caller_of(uint32_t call) const {
    const ReplayedCall& its = replay_.calls()[call];
    return now(its.awaiter != kNoneReplayed ? its.awaiter : its.starter);
  }

  uint32_t node_of(const Place& place) {
    const uint64_t method = replay_.calls()[place.call].method;
    const uint32_t position = position_of(method, place.il);
    const auto [known, made] =
        nodes_.try_emplace({place.under, position}, static_cast<uint32_t>(profile_.nodes.size()));
    if (made) {
      Node node;
      node.parent = place.under;
      node.function = function_of(method);
      node.position = position;
      profile_.nodes.push_back(node);
    }
    return known->second;
  }

  const AsyncReplay& replay_;
  const AwaitedNames& awaited_;
  std::vector<bool> starts_;  // by call: whether it starts others
  const Names& names_;
  Functions& functions_;
  Profile& profile_;
  std::unordered_map<uint64_t, uint32_t> methods_;  // functions by id
  std::unordered_map<uint64_t, uint32_t> images_;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> positions_;  // by method and IL offset
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> nodes_;      // by parent and position
  std::unordered_map<uint32_t, uint32_t> callers_;               // nodes by call
};

}  // namespace

void AsyncRuns::name_awaited(const Incoming& told) {
  const log::Event& event = told.event;
  awaited_[{event.values[0], static_cast<uint32_t>(event.values[1])}] = event.text;
}

void AsyncRuns::hand_over(const Incoming& told) {
  const log::Event& event = told.event;
  handed_[event.values[2]] = {event.values[0], static_cast<uint32_t>(event.values[1])};
}

// The queued method is a lambda. The events name MoveNext of its state machine, which is shown by the lambda's name.
QueuedMethods AsyncRuns::of_state_machines(const AsyncMarks& marks, const Names& names) const {
  if (handed_.empty()) return {};
  std::unordered_map<std::string, Queueing> by_name;
  for (const auto& [method, handing] : handed_) by_name[names.method_name(method)] = handing;
  QueuedMethods result;
  for (const uint64_t method : marks.methods()) {
    const auto found = by_name.find(names.method_name(method));
    if (found != by_name.end()) result[method] = found->second;
  }
  return result;
}

LogicalStacks AsyncRuns::finish(AsyncMarks& marks, const Names& names, const ClockMap& clock, Functions& functions,
                                Profile& profile) {
  const auto awaits = [&](uint64_t method, uint32_t il, uint64_t awaited) {
    const auto site = awaited_.find({method, il});
    if (site == awaited_.end()) return false;
    return site->second.ends_with("IAsyncEnumerator.MoveNextAsync") ||
           plain_method_name(names.method_name(awaited)) == site->second;
  };
  const AsyncReplay replay = marks.play(clock, awaits, of_state_machines(marks, names));
  RunMaker maker(replay, awaited_, names, functions, profile);
  maker.make_calls();
  LogicalStacks stacks(physical_stacks_ ? std::vector<AsyncRun>() : maker.make_runs(),
                       physical_stacks_ ? QueueingWaits() : maker.make_handed(handed_), profile);
  const auto move = [&](Sample& sample) { sample.node = stacks.of(sample.thread, sample.ns, sample.node); };
  if (!physical_stacks_) {
    std::ranges::for_each(profile.samples.change(), move);
    std::ranges::for_each(profile.waits, move);
  }
  for (auto& [place, text] : awaited_) {
    if (text.empty()) continue;
    profile.awaited[profile.places.positions[maker.position_of(place.first, place.second)]] = std::move(text);
  }
  return stacks;
}

}  // namespace oriel::profile
