#include "exports/moments.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "exports/frames.h"
#include "exports/text.h"
#include "profile/table/keep.h"
#include "profile/waiting/requests.h"

namespace oriel::exports {
namespace {

using profile::Profile;

constexpr uint32_t kNoTrack = MomentTrack::kNone;

// Puts stretches that are told in the order of their begin on lanes where they follow or contain each other.
class Lanes {
 public:
  // `inside`: the stretch that it is a part of, by its key; 0 for none.
  uint32_t place(const Moment& moment, uint64_t key, uint64_t inside) {
    leave(moment.begin_ns);
    uint32_t lane = lane_of_part(moment, inside);
    if (lane == kNoTrack) lane = free_lane();
    std::vector<Open>& open = lanes_[lane];
    ends_.push({moment.end_ns, UINT32_MAX - static_cast<uint32_t>(open.size()), lane});
    open.push_back({moment.end_ns, key});
    if (key != 0) lane_of_[key] = lane;
    return lane;
  }

 private:
  struct Open {
    int64_t end_ns = 0;
    uint64_t key = 0;
  };

  // Only the innermost stretch of a lane takes parts.
  uint32_t lane_of_part(const Moment& moment, uint64_t inside) const {
    const auto lane = inside != 0 ? lane_of_.find(inside) : lane_of_.end();
    if (lane == lane_of_.end()) return kNoTrack;
    const Open& innermost = lanes_[lane->second].back();
    return innermost.key == inside && moment.end_ns <= innermost.end_ns ? lane->second : kNoTrack;
  }

  uint32_t free_lane() {
    if (free_.empty()) {
      lanes_.emplace_back();
      return static_cast<uint32_t>(lanes_.size() - 1);
    }
    return free_.extract(free_.begin()).value();
  }

  void leave(int64_t now) {
    for (; !ends_.empty() && std::get<int64_t>(ends_.top()) <= now; ends_.pop()) {
      const uint32_t lane = std::get<2>(ends_.top());
      lane_of_.erase(lanes_[lane].back().key);
      lanes_[lane].pop_back();
      if (lanes_[lane].empty()) free_.insert(lane);
    }
  }

  using End = std::tuple<int64_t, uint32_t, uint32_t>;  // time; inner ones first; lane
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<std::vector<Open>> lanes_;
  std::set<uint32_t> free_;
  std::unordered_map<uint64_t, uint32_t> lane_of_;  // of those under way
};

class MomentMaker {
 public:
  explicit MomentMaker(const Profile& profile)
      : profile_(profile),
        end_ns_(std::max<int64_t>(profile.wall_ns, 0)),
        process_(profile.processes.size() == 1 ? 0 : kNoTrack) {}

  Moments make() {
    add_rows(profile_.collections, MomentKind::kCollection);
    add_rows(profile_.pauses, MomentKind::kPause);
    add_rows(profile_.lock_waits, MomentKind::kLockWait);
    add_rows(profile_.activities, MomentKind::kRequest);
    add_rows(profile_.throws, MomentKind::kException);
    add_rows(profile_.marks, MomentKind::kMark);
    put_on_tracks();
    return std::move(made_);
  }

 private:
  // What has no end, or one that a corrupt log claims, ends with the log.
  template <typename Row>
  void add_rows(const std::vector<Row>& rows, MomentKind kind) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const table::Extent extent = table::extent_of(rows[i]);
      Moment moment{.row = i, .kind = kind};
      moment.begin_ns = std::max<int64_t>(extent.from_ns, 0);
      const int64_t end = extent.to_ns == INT64_MAX ? end_ns_ : extent.to_ns;
      moment.end_ns = moment.is_point() ? moment.begin_ns : std::max(end, moment.begin_ns);
      made_.all.push_back(moment);
    }
  }

  // Without its lane.
  MomentTrack track_of(const Moment& moment) const {
    const uint32_t thread = moment_thread(moment, profile_);
    const bool is_threads = moment.kind == MomentKind::kLockWait || moment.kind == MomentKind::kException;
    MomentTrack track{.kind = is_threads ? MomentKind::kLockWait : moment.kind, .process = process_};
    if (thread != kNoTrack) track.process = profile_.threads[thread].process;
    if (is_threads) track.thread = thread;
    return track;
  }

  // An activity has an id by which its parts refer to it.
  uint64_t key_of(const std::string& id) {
    return id.empty() ? 0 : keys_.try_emplace(id, keys_.size() + 1).first->second;
  }

  void put_on_tracks() {
    std::ranges::stable_sort(made_.all, [](const Moment& a, const Moment& b) {
      return std::pair(a.begin_ns, -a.end_ns) < std::pair(b.begin_ns, -b.end_ns);
    });
    for (Moment& moment : made_.all) {
      MomentTrack track = track_of(moment);
      const auto base = std::tuple(track.kind, track.thread, track.process);
      if (!moment.is_point()) {
        const bool is_request = moment.kind == MomentKind::kRequest;
        const profile::Activity* one = is_request ? &profile_.activities[moment.row] : nullptr;
        track.lane = lanes_[base].place(moment, one ? key_of(one->id) : 0, one ? key_of(one->parent) : 0);
      }
      const auto [at, is_new] = tracks_.try_emplace(std::tuple_cat(base, std::tuple(track.lane)), made_.tracks.size());
      if (is_new) made_.tracks.push_back(track);
      moment.track = at->second;
    }
    std::ranges::stable_sort(made_.all, {}, &Moment::track);
  }

  using Base = std::tuple<MomentKind, uint32_t, uint32_t>;  // kind, thread, process
  const Profile& profile_;
  int64_t end_ns_;
  uint32_t process_;  // of what is not a thread's
  Moments made_;
  std::map<Base, Lanes> lanes_;
  std::map<std::tuple<MomentKind, uint32_t, uint32_t, uint32_t>, uint32_t> tracks_;
  std::unordered_map<std::string, uint64_t> keys_;
};

std::vector<MomentDetail> details_of(const profile::Collection& one) {
  std::vector<MomentDetail> all = {{"number", uint64_t{one.number}},
                                   {"generation", uint64_t{one.generation}},
                                   {"background", one.background},
                                   {"induced", one.induced},
                                   {"paused_ns", static_cast<uint64_t>(std::max<int64_t>(one.pause_ns, 0))}};
  if (one.detail && !one.detail->trigger_name().empty())
    all.emplace_back("trigger", std::string(one.detail->trigger_name()));
  if (one.heap) all.emplace_back("heap_bytes", one.heap->total());
  return all;
}

std::vector<MomentDetail> details_of(const profile::LockWait& one, const Profile& profile) {
  std::vector<MomentDetail> all = {{"lock", one.lock}};
  if (one.owner != profile::LockWait::kNobody) {
    const profile::Thread& owner = profile.threads[one.owner];
    all.emplace_back("owner", owner.name.empty() ? "Thread " + std::to_string(owner.os_id) : clean_text(owner.name));
  }
  return all;
}

std::vector<MomentDetail> details_of(const profile::Activity& one) {
  std::vector<MomentDetail> all = {{"source", clean_text(one.source)}, {"failed", one.failed}};
  if (!one.id.empty()) all.emplace_back("id", clean_text(one.id));
  if (!one.parent.empty()) all.emplace_back("parent", clean_text(one.parent));
  std::set<std::string> names;
  for (const std::string& tag : one.tags) {
    const size_t equals = std::min(tag.find('='), tag.size());
    const std::string name = "tags." + clean_text(tag.substr(0, equals));
    if (names.insert(name).second) all.emplace_back(name, clean_text(tag.substr(std::min(equals + 1, tag.size()))));
  }
  return all;
}

}  // namespace

const char* moment_key(MomentKind kind) {
  static constexpr const char* kKeys[kMomentKinds] = {"gc", "pause", "lock", "request", "exception", "mark"};
  return kKeys[static_cast<size_t>(kind)];
}

std::string track_name(const MomentTrack& track) {
  static constexpr const char* kNames[kMomentKinds] = {
      "Garbage collections", "Pauses", "Waits for locks", "Requests", "", "Marks"};
  if (track.thread != kNoTrack && track.lane == 0) return "";
  return kNames[static_cast<size_t>(track.kind)];
}

Moments moments_of(const Profile& profile) { return MomentMaker(profile).make(); }

std::string moment_name(const Moment& moment, const Profile& profile) {
  switch (moment.kind) {
    case MomentKind::kCollection: {
      const profile::Collection& one = profile.collections[moment.row];
      return "GC generation " + std::to_string(one.generation) + (one.background ? ", background" : "");
    }
    case MomentKind::kPause:
      return "Paused: " + std::string(profile.pauses[moment.row].reason_name());
    case MomentKind::kLockWait:
      return "Wait for " + clean_text(profile.functions[profile.lock_waits[moment.row].type].name);
    case MomentKind::kRequest:
      return clean_text(profile::name_of(profile.activities[moment.row]));
    case MomentKind::kException:
      return clean_text(profile.functions[profile.throws[moment.row].type].name);
    case MomentKind::kMark:
      return clean_text(profile.marks[moment.row].text);
  }
  return "";
}

uint32_t moment_node(const Moment& moment, const Profile& profile) {
  if (moment.kind == MomentKind::kLockWait) return profile.lock_waits[moment.row].node;
  return moment.kind == MomentKind::kException ? profile.throws[moment.row].node : 0;
}

uint32_t moment_thread(const Moment& moment, const Profile& profile) {
  switch (moment.kind) {
    case MomentKind::kLockWait:
      return profile.lock_waits[moment.row].thread;
    case MomentKind::kRequest:
      return profile.activities[moment.row].thread;
    case MomentKind::kException:
      return profile.throws[moment.row].thread;
    default:
      return kNoTrack;
  }
}

std::vector<bool> shown_nodes(const Moments& moments, const Profile& profile) {
  std::vector<bool> shown(profile.nodes.size());
  for (const profile::Sample& sample : profile.samples) shown[sample.node] = true;
  for (const Moment& moment : moments.all)
    if (const uint32_t node = moment_node(moment, profile); node != 0) shown[node] = true;
  for (size_t node = shown.size(); node-- > 1;)
    if (shown[node] && profile.nodes[node].parent != 0) shown[profile.nodes[node].parent] = true;
  return shown;
}

std::vector<MomentDetail> moment_details(const Moment& moment, const Profile& profile) {
  switch (moment.kind) {
    case MomentKind::kCollection:
      return details_of(profile.collections[moment.row]);
    case MomentKind::kLockWait:
      return details_of(profile.lock_waits[moment.row], profile);
    case MomentKind::kRequest:
      return details_of(profile.activities[moment.row]);
    default:
      return {};
  }
}

std::string details_json(const std::vector<MomentDetail>& details) {
  std::string json;
  for (const auto& [name, value] : details) {
    json += (json.empty() ? "" : ",") + json_string(name) + ':';
    if (const auto* text = std::get_if<std::string>(&value))
      json += json_string(*text);
    else if (const auto* number = std::get_if<uint64_t>(&value))
      json += std::to_string(*number);
    else
      json += std::get<bool>(value) ? "true" : "false";
  }
  return json;
}

}  // namespace oriel::exports
