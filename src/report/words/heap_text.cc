#include "report/words/heap_text.h"

#include <fmt/format.h>

#include "profile/memory/heap_growth.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::HeapGrowth;
using profile::HeapHistory;
using profile::HeapSizes;
using profile::Profile;

namespace {

constexpr const char* kKeys[HeapSizes::kParts] = {"gen0", "gen1", "gen2", "large", "pinned", "frozen"};

constexpr const char* kNames[HeapSizes::kParts] = {"gen 0", "gen 1", "gen 2", "large", "pinned", "frozen"};

double per_minute(const HeapGrowth& growth) {
  constexpr double kMinute = 60e9;
  if (growth.last <= growth.first || growth.ns <= 0) return 0;
  return static_cast<double>(growth.last - growth.first) / static_cast<double>(growth.ns) * kMinute;
}

}  // namespace

std::string heap_text(const Profile& profile) {
  const std::optional<HeapHistory> run = profile::heap_history(profile);
  if (!run) return "";
  std::string text;
  const std::optional<HeapGrowth> growth = profile::heap_growth(profile);
  if (!growth)
    text = bytes(run->last.total()) + " after the last collection (none was full)";
  else if (growth->collections == 1)
    text = bytes(growth->last) + " after the only full collection";
  else
    text = fmt::format("{} after the last of {} full collections, {} after the first", bytes(growth->last),
                       count(growth->collections), bytes(growth->first));
  // Only if it is the same collection as that of the size before it.
  const bool is_last = !growth || growth->last == run->last.total();
  if (const uint64_t large = run->last.bytes[HeapSizes::kLarge]; is_last && large * 10 > run->last.total())
    text += fmt::format("; {} of it large objects", bytes(large));
  return text;
}

std::string heap_snapshots_text(const Profile& profile) {
  if (profile.heap_snapshots.empty()) return "";
  const profile::HeapSnapshot& last = profile.heap_snapshots.back();
  return fmt::format("{} of the heap; the last at {}: {} in {}", count(profile.heap_snapshots.size()), moment(last.ns),
                     bytes(last.bytes), counted(last.objects, "object", "objects"));
}

std::string heap_growth_sentence(const Profile& profile) {
  constexpr int64_t kLong = 1'000'000'000;
  const std::optional<HeapGrowth> growth = profile::heap_growth(profile);
  if (!growth || !growth->goes_on) return "";
  const std::string rate =
      growth->ns >= kLong ? fmt::format(", {} a minute", bytes(static_cast<uint64_t>(per_minute(*growth)))) : "";
  return fmt::format(
      "The heap grew from {} to {} over {} full collections{}, and kept growing: is all of it still needed?",
      bytes(growth->first), bytes(growth->last), count(growth->collections), rate);
}

const char* heap_part_name(size_t part) { return kNames[part]; }

Json heap_json(const HeapSizes& sizes) {
  Json json = {{"total", sizes.total()}};
  for (size_t i = 0; i < HeapSizes::kParts; ++i) json[kKeys[i]] = sizes.bytes[i];
  return json;
}

Json heap_of_run_json(const Profile& profile) {
  const std::optional<HeapHistory> run = profile::heap_history(profile);
  if (!run) return {};
  Json json = {{"first", heap_json(run->first)}, {"last", heap_json(run->last)}, {"most", heap_json(run->most)}};
  if (const std::optional<HeapGrowth> growth = profile::heap_growth(profile))
    json["full"] = {{"collections", growth->collections},
                    {"first", growth->first},
                    {"last", growth->last},
                    {"bytes_per_minute", per_minute(*growth)},
                    {"goes_on", growth->goes_on}};
  return json;
}

}  // namespace oriel::report
