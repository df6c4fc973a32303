#include "report/words/json.h"

#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/state_name.h"
#include "report/words/heap_text.h"
#include "report/words/notes.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

Json json_head(const Report& report, const Profile& profile) {
  Json json = {{"report", report.name}, {"file", profile.file}, {"state", profile::state_name(profile.state)}};
  for (const profile::Process& process : profile.processes)
    if (profile.processes.size() > 1) json["files"].push_back(process.file);
  const profile::Filter& filter = profile.filter;
  if (filter_sentence(profile).empty()) return json;
  Json& kept = json["filter"] = Json::object();
  if (!filter.thread.empty()) kept["thread"] = filter.thread;
  if (!filter.method.empty()) kept["method"] = filter.method;
  if (filter.from_ns > 0) kept["from_ns"] = filter.from_ns;
  if (filter.to_ns != INT64_MAX) kept["to_ns"] = filter.to_ns;
  return json;
}

void add_function(Json& json, const profile::Function& function) {
  json["name"] = function.name;
  if (!function.raw_name.empty()) json["raw_name"] = function.raw_name;
  if (!function.module.empty()) json["module"] = function.module;
  json["managed"] = function.managed;
}

Json totals_json(const profile::FunctionTotals& totals, const Profile& profile, uint64_t whole) {
  Json json = {{"self", totals.self},
               {"total", totals.total},
               {"self_share", share(totals.self, whole)},
               {"total_share", share(totals.total, whole)}};
  add_function(json, profile.functions[totals.function]);
  return json;
}

Json gc_phases_json(const profile::GcPhaseTimes& times) {
  Json json = Json::object();
  for (size_t i = 0; i < profile::kGcPhases; ++i)
    if (times[i] > 0) json[gc_phase_key(static_cast<profile::GcPhase>(i))] = times[i];
  return json;
}

Json gc_totals_json(const Profile& profile) {
  const profile::GcTotals totals = profile::gc_totals(profile);
  // Mono does not tell why it collects.
  const auto induced = [&](uint64_t times) { return profile::is_of_mono(profile) ? Json() : Json(times); };
  Json json = {{"collections", totals.count},
               {"induced", induced(totals.induced)},
               {"pause_ns", totals.pause_ns},
               {"longest_pause_ns", totals.longest_ns},
               {"pause_share_of_wall",
                share(static_cast<uint64_t>(totals.pause_ns), static_cast<uint64_t>(profile::kept_ns(profile)))},
               {"generations", Json::array()}};
  json["heap"] = heap_of_run_json(profile);
  const bool with_phases = !profile.gc_stretches.empty();
  if (with_phases) json["phases"] = gc_phases_json(totals.phases);
  for (const auto& [generation, of_it] : totals.by_generation) {
    Json entry = {{"generation", generation},
                  {"collections", of_it.count},
                  {"induced", induced(of_it.induced)},
                  {"pause_ns", of_it.pause_ns},
                  {"longest_pause_ns", of_it.longest_ns}};
    if (with_phases) entry["phases"] = gc_phases_json(of_it.phases);
    json["generations"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace oriel::report
