#include "exports/page_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/text/function_names.h"
#include "base/version.h"
#include "exports/page_collections.h"
#include "exports/page_lines.h"
#include "exports/page_parts.h"
#include "exports/page_timeline.h"
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

json facts(const profile::Profile& profile, const Options& options, const PageTrees& page, bool served) {
  const bool first = profile::check_weight(options.weight, profile).is_ok();
  return {
      {"title", title_of(profile)},
      {"cwd", property_of(profile, log::property::kCwd)},
      {"oriel", version_text()},
      {"mode", clean_text(profile.sampling_mode)},
      {"periodNs", period_ns(profile)},
      {"periods", profile.total_periods()},
      {"weight", weight_name(first ? options.weight : profile::natural_weight(profile))},
      {"estimated", profile.call_total().allocation_samples > 0},
      {"smaller", page.smaller},
      {"served", served},
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

// JSON as text, because there may be very many threads.
std::string threads_json(const profile::Profile& profile) {
  std::string threads;
  const std::vector<std::string> labels = thread_labels(profile);
  for (size_t i = 0; i < labels.size(); ++i)
    threads += fmt::format("{}[{},{}]", threads.empty() ? "[" : ",", json_string(labels[i]), profile.threads[i].os_id);
  return threads.empty() ? "[]" : threads + "]";
}

// Adds the frames that other parts of the page name.
void add_named_frames(const json& lines, const json& summary, const PageTrees& page, std::set<uint32_t>& used) {
  used.insert({page.frames.no_stack, page.frames.truncated, page.smaller});
  for (const json& of : lines["of"]) used.insert(of[0].get<uint32_t>());
  std::set<std::string> own;
  for (const json& method : summary["own"]) own.insert(method["name"].get<std::string>());
  const std::vector<Frame>& frames = page.frames.frames;
  for (uint32_t i = 0; i < frames.size(); ++i)
    if (frames[i].kind >= FrameKind::kObject || own.contains(frames[i].name)) used.insert(i);
}

// Writes part by part: JSON values take many times the memory of their text.
void write_data(const profile::Profile& profile, const Options& options, const PageTrees& page, PageContent& content,
                std::ostream& out) {
  const auto add = [&](const char* name, const json& part) {
    out << ",\"" << name << "\":" << escape_for_script(part.dump());
  };
  out << "{\"trees\":[" << fmt::format("{}", fmt::join(content.trees, ","));
  content.trees.clear();
  out << "],\"threads\":" << escape_for_script(threads_json(profile));
  const json summary = summary_json(profile, page.heap), lines = page_lines(profile, page.frames);
  add_named_frames(lines, summary, page, content.frames);
  add("facts", facts(profile, options, page, content.served));
  add("summary", summary);
  add("groups", page.groups.json());
  add("frames", frames_json(page.frames, content.frames));
  add("weights", page.weights);
  add("folded", content.folded);
  add("lines", lines);
  add("time", page_timeline(profile));
  add("collections", page_collections(profile, INT64_MIN, INT64_MAX));
  add("heap", page.heap);
  out << '}';
}

}  // namespace

json frames_json(const FrameTable& table, const std::set<uint32_t>& used) {
  json modules = json::array({""}), all = json::array();
  std::map<std::string, size_t> known = {{"", 0}};
  for (const uint32_t i : used) {
    const Frame& frame = table.frames[i];
    const auto [at, is_new] = known.try_emplace(frame.module, modules.size());
    if (is_new) modules.push_back(frame.module);
    all.push_back({i, frame.name, at->second, static_cast<int>(frame.kind)});
    if (const std::string_view other = other_name(frame); !other.empty()) all.back().push_back(other);
  }
  return {{"modules", modules}, {"all", all}};
}

void write_page(const profile::Profile& profile, const Options& options, const PageTrees& page, PageContent content,
                std::ostream& out) {
  PageParts parts(kViewerHtml, out);
  parts.up_to("/*oriel:connect*/");
  if (content.served) out << "connect-src 'self'; ";
  parts.up_to("/*oriel:style*/");
  out << kViewerCss;
  parts.up_to("/*oriel:data*/");
  write_data(profile, options, page, content, out);
  parts.up_to("/*oriel:script*/");
  out << kViewerScript;
  parts.rest();
}

}  // namespace oriel::exports
