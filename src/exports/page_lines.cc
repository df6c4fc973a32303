#include "exports/page_lines.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "exports/text.h"
#include "lines/line_totals.h"
#include "lines/source.h"
#include "pdb/find.h"
#include "profile/trees/call_tree.h"

namespace oriel::exports {
namespace {

using nlohmann::json;

constexpr size_t kMethods = 150;
constexpr size_t kLines = 12;     // per method
constexpr size_t kLongest = 160;  // bytes of a line's text

// Functions with known lines, by samples, descending.
std::vector<uint32_t> functions_with_lines(const profile::Profile& profile, lines::Lines& lines) {
  std::vector<bool> known(profile.functions.size());
  for (const profile::Node& node : profile.nodes)
    if (!known[node.function] && node.position != 0) known[node.function] = lines.of(node.position).file != 0;
  std::vector<profile::FunctionTotals> totals = profile::function_totals(profile);
  std::erase_if(totals, [&](const auto& entry) { return !known[entry.function]; });
  std::ranges::stable_sort(totals, std::greater<>(), &profile::FunctionTotals::total);
  std::vector<uint32_t> functions;
  for (size_t i = 0; i < std::min(kMethods, totals.size()); ++i) functions.push_back(totals[i].function);
  return functions;
}

// Numbers paths, and reads the files that are on this machine.
class Files {
 public:
  explicit Files(const lines::Lines& lines) : lines_(lines) {}

  size_t number(uint32_t file) {
    const auto [at, is_new] = numbers_.try_emplace(file, paths_.size());
    if (is_new) {
      paths_.push_back(clean_text(lines::shown_path(lines_.file(file).path)));
      sources_.push_back(lines::find_source(lines_.file(file)));
    }
    return at->second;
  }

  std::string text(size_t number, uint32_t line) const {
    const std::optional<lines::Source>& source = sources_[number];
    if (!source || source->changed || line > source->lines.size()) return "";
    std::string text = source->lines[line - 1];
    text.erase(0, std::min(text.size(), text.find_first_not_of(" \t")));
    return clean_text(std::string_view(text).substr(0, kLongest));
  }

  const json& paths() const { return paths_; }

 private:
  const lines::Lines& lines_;
  std::map<uint32_t, size_t> numbers_;
  json paths_ = json::array();
  std::vector<std::optional<lines::Source>> sources_;
};

json lines_json(std::vector<lines::LineTotals> totals, Files& files) {
  std::erase_if(totals, [](const lines::LineTotals& entry) { return entry.line.file == 0; });
  std::ranges::stable_sort(totals, std::greater<>(), &lines::LineTotals::total);
  json rows = json::array();
  for (size_t i = 0; i < std::min(kLines, totals.size()); ++i) {
    const lines::LineTotals& entry = totals[i];
    const size_t file = files.number(entry.line.file);
    rows.push_back({file, entry.line.line, entry.self, entry.total, files.text(file, entry.line.line)});
  }
  return rows;
}

}  // namespace

json page_lines(const profile::Profile& profile, const FrameTable& frames) {
  lines::Lines lines(profile, pdb::symbol_folders());
  Files files(lines);
  const profile::SampleTree tree = profile::weigh(profile);
  json of = json::array();
  std::set<uint32_t> done;  // frames; functions that share one are skipped after the first
  for (const uint32_t function : functions_with_lines(profile, lines)) {
    const uint32_t frame = frames.of_function[function];
    if (done.insert(frame).second)
      of.push_back({frame, lines_json(lines::lines_of_function(profile, tree, function, lines), files)});
  }
  return {{"files", files.paths()}, {"of", of}};
}

}  // namespace oriel::exports
