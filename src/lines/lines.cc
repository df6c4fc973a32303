#include "lines/lines.h"

#include <algorithm>

#include "base/text/path.h"
#include "lines/source_places.h"
#include "pdb/find.h"

namespace oriel::lines {

Lines::Lines(const profile::Profile& profile, std::vector<std::string> folders)
    : profile_(profile), folders_(std::move(folders)), symbols_(profile.places.images.size()) {}

const std::optional<pdb::Symbols>& Lines::symbols_of(uint32_t image) {
  std::optional<std::optional<pdb::Symbols>>& known = symbols_[image];
  if (!known) {
    const profile::Image& wanted = profile_.places.images[image];
    add_project_of(wanted.path);
    known.emplace(pdb::find_symbols({wanted.pdb_id, wanted.pdb_path, wanted.path}, folders_));
  }
  return *known;
}

// One number per path: several images may be compiled from one file.
uint32_t Lines::file_of(uint32_t image, uint32_t document) {
  const auto [number, made] = file_numbers_.try_emplace({image, document}, 0u);
  if (!made) return number->second;
  pdb::Document read = symbols_of(image)->document(document);
  if (read.path.empty()) return 0;
  const auto [known, first] = by_path_.try_emplace(read.path, static_cast<uint32_t>(files_.size()));
  if (first) files_.push_back(std::move(read));
  return number->second = known->second;
}

const Lines::Method& Lines::method(const profile::Position& position) {
  const auto [known, made] = methods_.try_emplace({position.image, position.row});
  Method& method = known->second;
  if (!made || position.row == 0 || !symbols_of(position.image)) return method;
  for (pdb::SequencePoint point : symbols_of(position.image)->points(position.row)) {
    if (point.line == 0) continue;
    point.document = file_of(position.image, point.document);
    if (point.document != 0) method.points.push_back(point);
  }
  return method;
}

// Compiler-generated code belongs to the preceding line, as in debuggers.
Line Lines::of(const profile::Position& at) {
  const std::vector<pdb::SequencePoint>& points = method(at).points;
  if (points.empty()) return {};
  const auto after = std::ranges::upper_bound(points, at.il, {}, &pdb::SequencePoint::il);
  const pdb::SequencePoint& point = after == points.begin() ? *after : *std::prev(after);
  return {point.document, point.line};
}

Extent Lines::method_of(uint32_t position) {
  const std::vector<pdb::SequencePoint>& points = method(profile_.places.positions[position]).points;
  if (points.empty()) return {};
  Extent extent{points.front().document, points.front().line, points.front().end_line};
  for (const pdb::SequencePoint& point : points) {
    if (point.document != extent.file) continue;
    extent.first = std::min(extent.first, point.line);
    extent.last = std::max(extent.last, point.end_line);
  }
  return extent;
}

std::string Lines::short_text(const Line& line) const {
  return line.file == 0 ? "" : recorded_file_name(files_[line.file].path) + ":" + std::to_string(line.line);
}

}  // namespace oriel::lines
