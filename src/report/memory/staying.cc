#include "report/memory/staying.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "report/words/function_name.h"
#include "report/words/holder_text.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;
using profile::Staying;

namespace {

constexpr uint64_t kFewest = 10;  // samples; fewer are not significant

void add(const Staying& more, Staying& sum) {
  sum.bytes += more.bytes;
  sum.objects += more.objects;
  sum.stay_bytes += more.stay_bytes;
  sum.samples += more.samples;
  sum.full = std::max(sum.full, more.full);
  for (size_t i = 0; i < Staying::kParts; ++i) sum.when[i] += more.when[i];
}

// "69.4 MB of byte[] allocated in Shop.Cart..ctor() (Cart.cs:12)"
std::string one_text(const ShownStaying& one, const Profile& profile) {
  constexpr size_t kTypeWidth = 50;
  const std::string text = fmt::format("{} of {}", bytes(one.figures.bytes), fit_name(one.type, kTypeWidth));
  return one.at.function == 0 ? text : text + " allocated in " + place_text(one.at, profile);
}

}  // namespace

std::vector<ShownStaying> shown_staying(const Profile& profile, const Options& options) {
  ShownPlaces places(profile, options);
  std::vector<ShownStaying> all;
  std::map<std::tuple<uint32_t, uint32_t, std::string>, size_t> known;
  for (const Staying& figures : profile::staying(profile)) {
    ShownPlace place = places.of(figures.own);
    const auto [entry, is_new] = known.try_emplace({figures.type, place.function, place.line.text}, all.size());
    if (is_new) {
      all.push_back({figures, clean(profile.functions[figures.type].name), std::move(place)});
    } else {
      add(figures, all[entry->second].figures);
    }
  }
  std::ranges::stable_sort(all, std::greater<>(), [](const ShownStaying& one) { return one.figures.bytes; });
  return all;
}

std::string followed_sentence(const Profile& profile) {
  const std::string types = clean(profile::followed_types(profile));
  const profile::Following following = sum_of_following(profile.following);
  if (types.empty())
    return fmt::format("Estimated from {}: about ±10 % with 100 samples, ±30 % with 10.",
                       counted(following.samples, "sample", "samples"));
  return fmt::format(
      "Each object of {} is followed{}.", types,
      profile::followed_is_part(profile) ? ", while there were not too many; figures are estimates" : "");
}

Json staying_json(const ShownStaying& staying, const Profile& profile) {
  const Staying& figures = staying.figures;
  Json json = {{"type", staying.type},       {"bytes", figures.bytes},
               {"objects", figures.objects}, {"stay_bytes", figures.stay_bytes},
               {"samples", figures.samples}, {"full_collections", figures.full},
               {"allocated", figures.when}};
  add_place(staying.at, profile, json);
  return json;
}

bool is_own_to_take_out(const Profile& profile) {
  const std::vector<ShownStaying> all = shown_staying(profile, Options());
  if (all.empty() || all.front().figures.samples < kFewest) return false;
  const auto is_set = [](const std::string& type) {
    return type.find("HashSet<") != std::string::npos || type.find("SortedSet<") != std::string::npos;
  };
  const std::vector<profile::ObjectHolder> object_holders = profile::significant_holders(profile);
  if (object_holders.empty()) return all.front().at.function != 0 && !is_set(all.front().type);
  return object_holders.front().kind != profile::ObjectHolder::Kind::kCollection ||
         !is_set(object_holders.front().name);
}

std::string staying_sentence(const Profile& profile) {
  constexpr double kMuch = 0.2;  // of the first row's bytes
  const std::vector<ShownStaying> all = shown_staying(profile, Options());
  if (all.empty()) return "";
  const Staying& most = all.front().figures;
  if (most.samples < kFewest) return "";
  std::string text = " What stays: " + one_text(all.front(), profile);
  uint32_t full = most.full;
  if (all.size() > 1 && share(all[1].figures.bytes, most.bytes) >= kMuch) {
    text += " and " + one_text(all[1], profile);
    full = std::max(full, all[1].figures.full);
  }
  text += fmt::format(", still alive after up to {}.", counted(full, "full collection", "full collections"));
  const std::vector<ShownObjectHolder> object_holders = shown_object_holders(profile, Options());
  return object_holders.empty() ? text : text + " " + keeper_sentence(object_holders.front(), profile);
}

}  // namespace oriel::report
