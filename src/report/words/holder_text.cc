#include "report/words/holder_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "assembly/keeping_calls.h"
#include "report/words/function_name.h"
#include "report/words/own_code.h"
#include "report/words/text.h"

namespace oriel::report {

using profile::ObjectHolder;
using profile::Profile;

namespace {

constexpr size_t kNameWidth = 60;

const char* word(ObjectHolder::Kind kind) {
  switch (kind) {
    case ObjectHolder::Kind::kCollection:
      return "collection";
    case ObjectHolder::Kind::kEvent:
      return "event";
    case ObjectHolder::Kind::kToken:
      return "cancellation token";
    case ObjectHolder::Kind::kTimer:
      return "timer";
    case ObjectHolder::Kind::kDelay:
      return "delay";
    case ObjectHolder::Kind::kWeakMap:
      return "weak table";
    case ObjectHolder::Kind::kContext:
      return "context";
  }
  return "";
}

// Own images by index, each read once.
using CodeByImage = std::map<uint32_t, std::optional<assembly::Assembly>>;

// The field or property that own code adds to, "Shop.Server._stopping"; "" if its assembly is not found.
std::string kept_in(const ObjectHolder& keeper, const Profile& profile, CodeByImage& images) {
  const profile::Position& at = profile.places.positions[profile.nodes[keeper.own].position];
  if (at.row == 0) return "";
  const auto [code, first] = images.try_emplace(at.image);
  if (first) code->second = code_of_image(profile, at.image);
  if (!code->second) return "";
  const std::string name = assembly::kept_in(*code->second, {at.row, at.il}, [&](const assembly::CodeMember& callee) {
    return profile::adds_to(keeper, callee.type, callee.name);
  });
  // An argument's name does not say where the object comes from.
  return name.find('.') == std::string::npos || name.ends_with("()") ? "" : clean(name);
}

std::string event_sentence(const ObjectHolder& keeper, const std::string& place, const std::string& in) {
  std::string to = "an event";
  if (!in.empty()) to = fit_name(in, kNameWidth);
  if (!keeper.name.empty()) to = "the event " + fit_name(clean(keeper.name), kNameWidth);
  return fmt::format(
      "Handlers that {} adds to {} stay in memory, with the objects they belong to, until they are removed (-=).",
      place, to);
}

std::string collection_sentence(const ObjectHolder& keeper, const std::string& place, const std::string& in) {
  const std::string type = fit_name(clean(keeper.name), kNameWidth);
  return fmt::format("{}, which {} adds to, has grown meanwhile: are entries removed once they are no longer needed?",
                     in.empty() ? type : fmt::format("{} ({})", fit_name(in, kNameWidth), type), place);
}

}  // namespace

std::vector<ShownObjectHolder> shown_object_holders(const Profile& profile, const Options& options) {
  ShownPlaces places(profile, options);
  CodeByImage images;
  std::vector<ShownObjectHolder> all;
  std::map<std::tuple<ObjectHolder::Kind, std::string, uint32_t, std::string>, size_t> known;
  for (const ObjectHolder& keeper : profile::significant_holders(profile)) {
    ShownObjectHolder shown{keeper, places.of(keeper.own), kept_in(keeper, profile, images)};
    const std::string& name = shown.in.empty() ? keeper.name : shown.in;
    const auto [entry, is_new] =
        known.try_emplace({keeper.kind, name, shown.at.function, shown.at.line.text}, all.size());
    if (is_new) {
      all.push_back(std::move(shown));
    } else {
      all[entry->second].figures.bytes += keeper.bytes;
      all[entry->second].figures.samples += keeper.samples;
    }
  }
  std::ranges::stable_sort(all, std::greater<>(), [](const ShownObjectHolder& one) { return one.figures.bytes; });
  return all;
}

std::string keeper_sentence(const ShownObjectHolder& keeper, const Profile& profile) {
  const std::string place = place_text(keeper.at, profile);
  const std::string& in = keeper.in;
  const std::string known = fit_name(in, kNameWidth);
  switch (keeper.figures.kind) {
    case ObjectHolder::Kind::kCollection:
      return collection_sentence(keeper.figures, place, in);
    case ObjectHolder::Kind::kEvent:
      return event_sentence(keeper.figures, place, in);
    case ObjectHolder::Kind::kToken:
      return fmt::format(
          "Callbacks that {} registers with {} (CancellationToken.Register) stay in memory, with the objects they "
          "belong to, until the registration is disposed.",
          place, in.empty() ? "a cancellation token" : "the token of " + known);
    case ObjectHolder::Kind::kTimer:
      return fmt::format(
          "Timers that {} starts stay in memory, with the objects their callbacks belong to, until they are disposed "
          "or have fired for the last time.",
          place);
    case ObjectHolder::Kind::kDelay:
      return fmt::format(
          "Delays (Task.Delay) that {} starts stay in memory until they elapse, with whatever awaits them: a "
          "cancellation token ends them sooner.",
          place);
    case ObjectHolder::Kind::kWeakMap:
      return fmt::format(
          "Values that {} attaches to objects through {} live as long as these objects: what keeps the keys alive?",
          place, in.empty() ? "a ConditionalWeakTable" : fmt::format("{} (ConditionalWeakTable)", known));
    case ObjectHolder::Kind::kContext:
      return fmt::format(
          "Each AsyncLocal that {} sets stays in memory, with its value, in the ExecutionContext that flows from "
          "there. Reuse one AsyncLocal, or set it to null.",
          place);
  }
  return "";
}

Json keeper_json(const ShownObjectHolder& keeper, const Profile& profile) {
  const ObjectHolder& figures = keeper.figures;
  Json json = {{"kind", word(figures.kind)}, {"name", figures.name}, {"bytes", figures.bytes}};
  json["in"] = keeper.in.empty() ? Json() : Json(keeper.in);
  Json by;
  add_place(keeper.at, profile, by);
  json["added_by"] = std::move(by);
  return json;
}

}  // namespace oriel::report
