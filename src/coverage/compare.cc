#include "coverage/compare.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace oriel::coverage {
namespace {

// Length of the common folder of all paths, including its slash.
size_t common_folder(const LineStates& states) {
  if (states.empty()) return 0;
  const std::string& first = states.begin()->first;
  const std::string& last = states.rbegin()->first;
  const auto [end, other] = std::ranges::mismatch(first, last);
  const std::string common(first.begin(), end);
  return common.find_last_of("/\\") == std::string::npos ? 0 : common.find_last_of("/\\") + 1;
}

bool is_end_of(const std::string& end, const std::string& path) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

}  // namespace

LineStates states_of(const Coverage& coverage) {
  LineStates states;
  for (const File& file : coverage.files)
    for (const FileLine& line : file.lines) states[file.path][line.number] |= line.count > 0;
  return states;
}

Result<LineStates> read_states(const std::string& json) {
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  if (!parsed.is_object() || parsed.value("format", "") != "oriel coverage" || !parsed.contains("files") ||
      !parsed["files"].is_array())
    return Status::error("it is not coverage as 'oriel cover --format json' writes it");
  LineStates states;
  for (const auto& file : parsed["files"]) {
    if (!file.is_object() || !file.contains("path") || !file["path"].is_string() || !file.contains("lines") ||
        !file["lines"].is_array())
      return Status::error("a file in it is damaged");
    std::map<uint32_t, bool>& lines = states[file["path"].get<std::string>()];
    for (const auto& line : file["lines"]) {
      if (!line.is_array() || line.size() < 2 || !line[0].is_number_unsigned() || !line[1].is_number_unsigned())
        return Status::error("a line in it is damaged");
      lines[line[0].get<uint32_t>()] |= line[1].get<uint64_t>() > 0;
    }
  }
  return states;
}

std::vector<FileChange> changes(const LineStates& before, const LineStates& now) {
  std::map<std::string, FileChange> by_path;
  const size_t cut_before = common_folder(before), cut = common_folder(now);
  for (const auto& [path, lines] : before) {
    FileChange& change = by_path[path.substr(cut_before)];
    change.path = path;
    change.lines_before = lines.size();
    for (const auto& [line, ran] : lines) change.hit_before += ran;
  }
  for (const auto& [path, lines] : now) {
    FileChange& change = by_path[path.substr(cut)];
    change.path = path;
    change.lines = lines.size();
    for (const auto& [line, ran] : lines) change.hit += ran;
  }
  std::vector<FileChange> all;
  for (auto& [path, change] : by_path)
    if (change.lines != change.lines_before || change.hit != change.hit_before) all.push_back(std::move(change));
  const auto lost = [](const FileChange& change) {
    return static_cast<int64_t>(change.lines - change.hit) -
           static_cast<int64_t>(change.lines_before - change.hit_before);
  };
  std::ranges::stable_sort(all, std::greater<>(), lost);
  return all;
}

std::vector<TouchedFile> touched(const std::map<std::string, std::set<uint32_t>>& changed, const LineStates& states) {
  std::vector<TouchedFile> files;
  for (const auto& [end, lines] : changed) {
    for (const auto& [path, known] : states) {
      if (!is_end_of(end, path)) continue;
      TouchedFile file{path, {}, {}};
      for (const uint32_t line : lines) {
        const auto state = known.find(line);
        if (state != known.end()) (state->second ? file.covered : file.missed).push_back(line);
      }
      if (!file.covered.empty() || !file.missed.empty()) files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace oriel::coverage
