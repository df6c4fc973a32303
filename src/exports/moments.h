// What happened when, apart from samples: for formats with a time line.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "profile/profile.h"

namespace oriel::exports {

enum class MomentKind : uint8_t { kCollection, kPause, kLockWait, kRequest, kException, kMark };
inline constexpr size_t kMomentKinds = static_cast<size_t>(MomentKind::kMark) + 1;
// "gc", a category of events in viewers
const char* moment_key(MomentKind kind);

// A row of a table, as a stretch or a point of a track.
struct Moment {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;  // of a point: its begin
  uint32_t row = 0;    // of the kind's table
  uint32_t track = 0;  // index into Moments::tracks
  MomentKind kind = MomentKind::kMark;

  bool is_point() const { return kind == MomentKind::kException || kind == MomentKind::kMark; }
};

// Stretches of a track either follow or contain each other.
struct MomentTrack {
  static constexpr uint32_t kNone = UINT32_MAX;
  MomentKind kind = MomentKind::kMark;  // lock waits and exceptions share their thread's
  uint32_t lane = 0;                    // a kind has another track for each that is under way at a time
  uint32_t thread = kNone;              // index into threads, of a thread's own track
  uint32_t process = kNone;             // index into processes; kNone: it is not known whose it is
};
// "Garbage collections"; "" of a thread's own first track.
std::string track_name(const MomentTrack& track);

struct Moments {
  std::vector<MomentTrack> tracks;
  std::vector<Moment> all;  // by track, then by begin; those that contain others before these
};
Moments moments_of(const profile::Profile& profile);

// Sanitized.
std::string moment_name(const Moment& moment, const profile::Profile& profile);
// The stack where it happened; 0 if there is none.
uint32_t moment_node(const Moment& moment, const profile::Profile& profile);
// On whose thread it happened, or ended; MomentTrack::kNone if it is not known.
uint32_t moment_thread(const Moment& moment, const profile::Profile& profile);

// By node of the profile: whether a sample or an event has it, or a caller of its own.
std::vector<bool> shown_nodes(const Moments& moments, const profile::Profile& profile);

// What is known besides, texts sanitized.
using MomentDetail = std::pair<std::string, std::variant<std::string, uint64_t, bool>>;
std::vector<MomentDetail> moment_details(const Moment& moment, const profile::Profile& profile);

// As members of a JSON object, without its braces.
std::string details_json(const std::vector<MomentDetail>& details);

}  // namespace oriel::exports
