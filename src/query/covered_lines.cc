#include "query/covered_lines.h"

#include "base/text/utf8.h"
#include "coverage/build.h"
#include "query/source.h"

namespace oriel::query {
namespace {

const CoveredLines::Line& line_at(const Log& log, size_t row) { return log.covered_lines().lines[row]; }

const std::string& state_name(report::LineState state) {
  static const std::string kMissed = "missed", kPartly = "partly", kCovered = "covered";
  return state == report::LineState::kMissed ? kMissed : state == report::LineState::kPartly ? kPartly : kCovered;
}

}  // namespace

CoveredLines covered_lines(const profile::Profile& profile) {
  CoveredLines result;
  if (profile.covered_images.empty()) return result;
  coverage::Choice all;
  const coverage::Coverage covered = coverage::coverage_of(profile, all);
  for (const coverage::File& file : covered.files) {
    const auto number = static_cast<uint32_t>(result.files.size());
    make_valid_utf8(result.files.emplace_back(file.path));
    for (const coverage::FileLine& line : file.lines) {
      const coverage::ArmCounts ways = coverage::ways_of(covered, line.branches);
      result.lines.push_back({number, line.number, line.count, ways.all, ways.taken, report::state_of(covered, line)});
    }
  }
  return result;
}

void add_covered_lines(std::vector<Source>& to) {
  Source source{"covered_lines",
                "a line of a source file that has counted code, where the PDB of its assembly is found; without test "
                "assemblies, as in the coverage report",
                {},
                [](const Log& log) { return log.covered_lines().lines.size(); },
                true};
  source.columns = {
      {"file", "text", "where the file is, or was when it was compiled", true,
       [](const Log& log, size_t row, sqlite3_context* out) {
         show_kept_text(log.covered_lines().files[line_at(log, row).file], out);
       }},
      {"line", "number", "the number of the line, from 1", false,
       [](const Log& log, size_t row, sqlite3_context* out) { show_count(line_at(log, row).number, out); }},
      {"hits", "count", "how often it ran, or 1 if only whether it ran was counted", false,
       [](const Log& log, size_t row, sqlite3_context* out) { show_count(line_at(log, row).hits, out); }},
      {"state", "word", "covered; partly: some of its statements or ways did not run; missed", true,
       [](const Log& log, size_t row, sqlite3_context* out) {
         show_kept_text(state_name(line_at(log, row).state), out);
       }},
      {"ways", "count", "the ways of its conditions", false,
       [](const Log& log, size_t row, sqlite3_context* out) { show_count(line_at(log, row).ways, out); }},
      {"ways_taken", "count", "of these, those that were taken", false,
       [](const Log& log, size_t row, sqlite3_context* out) { show_count(line_at(log, row).ways_taken, out); }},
  };
  to.push_back(std::move(source));
}

}  // namespace oriel::query
