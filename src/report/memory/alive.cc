#include "report/memory/alive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/text/whole_number.h"
#include "profile/trees/weight.h"
#include "report/memory/staying.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::FollowedObject;
using profile::Profile;

namespace {

// Objects that survived so many full collections, up to the next age.
struct Age {
  uint32_t from = 0, to = 0;
  uint64_t bytes = 0, samples = 0;
  double objects = 0;
};

std::vector<Age> ages_of(const Profile& profile) {
  std::vector<Age> ages = {{10, UINT32_MAX}, {2, 9}, {1, 1}};
  for (const FollowedObject& object : profile.followed) {
    const auto age = std::ranges::find_if(ages, [&](const Age& one) { return object.full >= one.from; });
    if (age == ages.end()) continue;
    age->bytes += object.bytes;
    age->objects += object.objects;
    ++age->samples;
  }
  return ages;
}

uint64_t objects_of(const Age& age) { return static_cast<uint64_t>(std::llround(std::min(age.objects, 4e18))); }

std::string name_of(const Age& age) {
  if (age.to == UINT32_MAX) return fmt::format("{} or more", age.from);
  return age.from == age.to ? std::to_string(age.from) : fmt::format("{} to {}", age.from, age.to);
}

// 0: none.
uint32_t least_survived(const HeapOptions& options) {
  if (options.survived.empty()) return 1;
  const auto number = whole_number(options.survived);
  return number && *number <= UINT32_MAX ? static_cast<uint32_t>(*number) : 0;
}

void write_ages(const std::vector<Age>& ages, const Options& options, std::ostream& out) {
  uint64_t whole = 0;
  for (const Age& age : ages) whole += age.bytes;
  Table table({{"alive"}, {""}, {"objects"}, {"samples"}}, "full collections survived");
  for (const Age& age : ages)
    table.add(
        {percent(age.bytes, whole), bytes(age.bytes), count(objects_of(age)), count(age.samples)},
        [name = name_of(age)](size_t width) { return cut_end(name, width); }, share(age.bytes, whole));
  table.write(out, options.width, 0, Style(options.color));
}

}  // namespace

Status check_alive(const Profile& profile, const HeapOptions& options) {
  if (!options.alive) return Status::error("--survived goes with --alive");
  if (options.about_snapshots()) return Status::error("--alive is of sampled allocations, not of snapshots");
  const uint32_t survived = least_survived(options);
  if (survived == 0)
    return Status::error("--survived " + options.survived + ": it is a number of full collections, from 1");
  const Status status = profile::check_weight(profile::WeightKind::kAlive, profile);
  if (!status) return Status::error("there are " + status.message());
  return Status::ok();
}

void write_alive(const Profile& profile, const HeapOptions& options, std::ostream& out) {
  const uint32_t survived = least_survived(options);
  Profile alive = profile::by_survival(profile, survived);
  const bool is_exact = !profile::followed_types(profile).empty() && !profile::followed_is_part(profile);
  write_title(
      fmt::format("Still alive after at least {}: {}{}", counted(survived, "full collection", "full collections"),
                  bytes(alive.total_periods()), is_exact ? "" : ", an estimate"),
      profile, options, out, profile::Unit::kBytesAlive);
  write_ages(ages_of(profile), options, out);
  out << '\n';
  if (alive.total_periods() == 0)
    write_note("No tracked object survived that many.", options, out);
  else
    write_weighed(std::move(alive), options, out);
  out << '\n';
  const profile::Following following = sum_of_following(profile.following);
  write_note(fmt::format("Allocated since {}. ", moment(following.from_ns)) + followed_sentence(profile), options, out);
}

void alive_json(const Profile& profile, const HeapOptions& options, Json& json) {
  json["exact_of"] = profile::followed_types(profile);
  json["survived"] = least_survived(options);
  Json& ages = json["ages"] = Json::array();
  for (const Age& age : ages_of(profile))
    ages.push_back(
        {{"full_collections", age.from}, {"bytes", age.bytes}, {"objects", objects_of(age)}, {"samples", age.samples}});
  add_weighed(profile::by_survival(profile, least_survived(options)), options, json);
}

}  // namespace oriel::report
