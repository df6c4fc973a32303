// The web page: the viewer's files with the profile as JSON. viewer/10-data.js documents the JSON.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text/function_names.h"
#include "base/version.h"
#include "exports/export.h"
#include "exports/page_collections.h"
#include "exports/page_lines.h"
#include "exports/page_parts.h"
#include "exports/page_timeline.h"
#include "exports/page_trees.h"
#include "exports/text.h"
#include "exports/viewer_files.h"
#include "log/properties.h"
#include "profile/trees/call_tree.h"
#include "report/hints/hints.h"
#include "report/shares.h"
#include "report/summary.h"

namespace oriel::exports {
namespace {

using nlohmann::json;

const char* weight_name(profile::WeightKind weight) {
  const auto all = profile::weights();
  return std::ranges::find(all, weight, &profile::WeightInfo::weight)->name;
}

json facts(const profile::Profile& profile, const Options& options) {
  const bool first = profile::check_weight(options.weight, profile).is_ok();
  return {
      {"title", title_of(profile)},
      {"cwd", property_of(profile, log::property::kCwd)},
      {"oriel", version_text()},
      {"mode", clean_text(profile.sampling_mode)},
      {"periodNs", period_ns(profile)},
      {"weight", weight_name(first ? options.weight : profile::natural_weight(profile))},
      {"estimated", profile.call_total().allocation_samples > 0},
  };
}

// Sanitizes all strings of a report's JSON, which come from the log.
template <typename Json>
json cleaned(const Json& value) {
  if (value.is_string()) return clean_text(value.template get_ref<const std::string&>());
  json result = value.is_object() ? json::object() : json::array();
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) result[key] = cleaned(part);
  } else if (value.is_array()) {
    for (const auto& part : value) result.push_back(cleaned(part));
  } else {
    return value;
  }
  return result;
}

json summary_json(const profile::Profile& profile, const json& heap) {
  constexpr size_t kOwnMethods = 10;  // as in the text report
  json facts = json::array();
  const auto add = [&](const std::vector<report::Fact>& all) {
    for (const report::Fact& fact : all)
      facts.push_back({fact.label, clean_text(fact.text), fact.kind == report::Fact::Kind::kWarning});
  };
  add(report::wait_facts(profile, {}));
  add(report::summary_facts(profile));
  for (const json& problem : heap["problems"]) facts.push_back({"Heap", problem, true});
  return {{"facts", facts},
          {"hints", cleaned(report::hints_json(profile))},
          {"own", cleaned(report::own_methods_json(profile, kOwnMethods))}};
}

// The name in metadata if it differs in more than spelling, as for a state machine's method or a lambda. Metadata's
// parameters and generic types are dropped: they would be half of the page.
std::string_view other_name(const Frame& frame) {
  const std::string_view other = without_parameters(frame.raw_name);
  return other.find('<') == other.npos || frame.name.starts_with(other) ? std::string_view() : other;
}

json frames_json(const FrameTable& table) {
  json names = json::array(), modules = json::array({""}), module_of = json::array(), raw = json::array();
  std::string kinds;
  std::map<std::string, size_t> known = {{"", 0}};
  for (size_t i = 0; i < table.frames.size(); ++i) {
    const Frame& frame = table.frames[i];
    names.push_back(frame.name);
    const auto [at, is_new] = known.try_emplace(frame.module, modules.size());
    if (is_new) modules.push_back(frame.module);
    module_of.push_back(at->second);
    kinds += static_cast<char>('0' + static_cast<int>(frame.kind));
    if (const std::string_view other = other_name(frame); !other.empty()) raw.push_back({i, other});
  }
  return {{"names", names}, {"modules", modules}, {"module", module_of}, {"kinds", kinds}, {"raw", raw}};
}

// JSON as text, because there may be very many threads.
std::string threads_json(const profile::Profile& profile) {
  std::string threads;
  const std::vector<std::string> labels = thread_labels(profile);
  for (size_t i = 0; i < labels.size(); ++i)
    threads += fmt::format("{}[{},{}]", threads.empty() ? "[" : ",", json_string(labels[i]), profile.threads[i].os_id);
  return threads.empty() ? "[]" : threads + "]";
}

// Writes part by part: JSON values take many times the memory of their text.
void write_data(const profile::Profile& profile, const Options& options, const PageTrees& trees,
                const FrameTable& frames, const Groups& groups, std::ostream& out) {
  const auto add = [&](const char* name, const json& part) {
    out << ",\"" << name << "\":" << escape_for_script(part.dump());
  };
  out << "{\"trees\":[" << fmt::format("{}", fmt::join(trees.trees, ","))
      << "],\"threads\":" << escape_for_script(threads_json(profile));
  add("facts", facts(profile, options));
  add("summary", summary_json(profile, trees.heap));
  add("groups", groups.json());
  add("frames", frames_json(frames));
  add("weights", trees.weights);
  add("lines", page_lines(profile, frames));
  add("time", page_timeline(profile));
  add("collections", page_collections(profile));
  add("heap", trees.heap);
  out << '}';
}

Status write_html(const profile::Profile& profile, const Options& options, std::ostream& out) {
  FrameTable frames = make_frames(profile);
  Groups groups;
  const Result<PageTrees> trees = page_trees(profile, options, frames, groups);
  if (!trees) return trees.status();
  PageParts page(kViewerHtml, out);
  page.up_to("/*oriel:style*/");
  out << kViewerCss;
  page.up_to("/*oriel:data*/");
  write_data(profile, options, *trees, frames, groups, out);
  page.up_to("/*oriel:script*/");
  out << kViewerScript;
  page.rest();
  return Status::ok();
}

}  // namespace

extern const Export kHtmlExport = {
    .name = "html",
    .description = "a page for the browser: summary, flame graph of all weights, who holds the heap",
    .extension = ".html",
    .all_weights = true,
    .write = write_html,
};

}  // namespace oriel::exports
