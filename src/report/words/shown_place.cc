#include "report/words/shown_place.h"

#include <vector>

#include "pdb/find.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/text.h"

namespace oriel::report {

std::string place_text(const ShownPlace& place, const profile::Profile& profile) {
  constexpr size_t kWidth = 60;
  const std::string name = fit_function(profile.functions[place.function], kWidth);
  return place.line.text.empty() ? name : name + " (" + place.line.text + ")";
}

void add_place(const ShownPlace& place, const profile::Profile& profile, Json& json) {
  if (place.function != 0) add_function(json, profile.functions[place.function]);
  if (place.line.text.empty()) return;
  json["file"] = place.line.path;
  json["line"] = place.line.line;
}

ShownPlaces::ShownPlaces(const profile::Profile& profile, const Options& options)
    : profile_(profile),
      wanted_(options.lines),
      lines_(profile, wanted_ ? pdb::symbol_folders() : std::vector<std::string>()) {}

ShownPlace ShownPlaces::of(uint32_t node) {
  if (node == 0) return {};
  const profile::Node& own = profile_.nodes[node];
  return {own.function, own.position != 0 ? line_of(profile_.places.positions[own.position]) : ShownLine{}};
}

ShownLine ShownPlaces::line_of(const profile::Position& at) {
  const lines::Line line = wanted_ ? lines_.of(at) : lines::Line{};
  if (line.file == 0) return {};
  return {clean(lines_.short_text(line)), lines_.file(line.file).path, line.line};
}

}  // namespace oriel::report
