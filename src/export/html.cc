// The web page: the viewer's files with the profile in them as JSON. viewer/data.md says what the JSON means.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "export/export.h"
#include "export/text.h"
#include "export/tree.h"
#include "export/viewer_files.h"
#include "log/properties.h"
#include "profile/losses.h"
#include "profile/recorded.h"

namespace oriel::exporting {
namespace {

using nlohmann::json;

const char* unit_name(profile::Unit unit) {
  switch (unit) {
    case profile::Unit::kPeriods:
      return "samples";
    case profile::Unit::kNanoseconds:
      return "time";
    case profile::Unit::kBytes:
      return "bytes";
    case profile::Unit::kObjects:
      break;
  }
  return "objects";
}

const char* lost_name(profile::LostWhat what) {
  switch (what) {
    case profile::LostWhat::kSamples:
      return "samples";
    case profile::LostWhat::kCallers:
      return "callers";
    case profile::LostWhat::kEvents:
      return "events";
    case profile::LostWhat::kCallEvents:
      break;
  }
  return "calls";
}

json losses_json(const profile::Profile& profile) {
  json all = json::array();
  for (const profile::Loss& loss : profile::losses(profile)) {
    json reasons = json::array();
    for (const profile::LostReason& reason : loss.reasons) reasons.push_back({reason.count, clean_text(reason.words)});
    all.push_back({{"what", lost_name(loss.what)}, {"count", loss.count}, {"of", loss.of}, {"reasons", reasons}});
  }
  return all;
}

json facts(const profile::Profile& profile) {
  uint64_t periods = 0;
  for (const profile::Sample& sample : profile.samples) periods += sample.periods;
  json problems = json::array();
  for (const std::string& problem : profile.problems) problems.push_back(clean_text(problem));
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  const std::optional<double> busy = profile::cores_busy(profile);
  return {
      {"title", title_of(profile)},
      {"file", clean_text(profile.file)},
      {"runtime", clean_text(profile.intro.runtime)},
      {"pid", property_of(profile, log::property::kPid)},
      {"cwd", property_of(profile, log::property::kCwd)},
      {"oriel", ORIEL_VERSION},
      {"startMs", profile.start_unix_us / 1000},
      {"wallNs", profile.wall_ns},
      {"cpuUs", cpu ? cpu->program_us() : 0},
      {"coresBusy", busy ? json(*busy) : json()},
      {"maxRssKb", profile.usage.max_rss_kb},
      {"mode", clean_text(profile.sampling_mode)},
      {"hz", profile.sampling_hz},
      {"periodNs", period_ns(profile)},
      {"unit", unit_name(profile.unit)},
      {"samples", periods},
      {"ended", profile.outcome.ended},
      {"lost", losses_json(profile)},
      {"problems", problems},
  };
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
    if (!frame.raw_name.empty()) raw.push_back({i, frame.raw_name});
  }
  return {{"names", names}, {"modules", modules}, {"module", module_of}, {"kinds", kinds}, {"raw", raw}};
}

json threads_json(const profile::Profile& profile, const Tree& tree) {
  json threads = json::array();
  const std::vector<std::string> labels = thread_labels(profile);
  for (size_t i = 0; i < tree.threads.size(); ++i) {
    if (tree.threads[i].empty()) continue;
    json nodes = json::array(), self = json::array();
    uint32_t last = 0;
    for (const Tree::Self& weight : tree.threads[i]) {
      nodes.push_back(weight.node - last);
      self.push_back(weight.periods);
      last = weight.node;
    }
    threads.push_back({{"name", labels[i]},
                       {"id", profile.threads[i].os_id},
                       {"managed", profile.threads[i].managed},
                       {"nodes", nodes},
                       {"self", self}});
  }
  return threads;
}

std::string page_data(const profile::Profile& profile) {
  FrameTable frames = make_frames(profile);
  const Tree tree = make_tree(profile, frames);
  json up = json::array(), frame = json::array();
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    up.push_back(i - tree.nodes[i].parent);
    frame.push_back(tree.nodes[i].frame);
  }
  const json data = {{"facts", facts(profile)},
                     {"frames", frames_json(frames)},
                     {"tree", {{"up", up}, {"frame", frame}}},
                     {"threads", threads_json(profile, tree)}};
  return escape_for_script(data.dump());
}

Status write_html(const profile::Profile& profile, const Options&, std::ostream& out) {
  // The page's text up to each marker, then what the marker stands for.
  std::string_view page = kViewerHtml;
  const auto up_to = [&](std::string_view marker) {
    const size_t at = page.find(marker);
    out << page.substr(0, at);
    page.remove_prefix(std::min(page.size(), at == page.npos ? page.size() : at + marker.size()));
  };
  up_to("/*oriel:style*/");
  out << kViewerCss;
  up_to("/*oriel:data*/");
  out << page_data(profile);
  up_to("/*oriel:script*/");
  out << kViewerScript;
  out << page;
  return Status::ok();
}

}  // namespace

extern const Export kHtmlExport = {
    .name = "html",
    .description = "a flame graph in one web page that needs no network",
    .extension = ".html",
    .write = write_html,
};

}  // namespace oriel::exporting
