// lcov tracefiles, for genhtml, editors and services (see FILES in geninfo's manual).
#include <algorithm>
#include <map>

#include "exports/coverage_export.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

using coverage::Coverage;

void write_functions(const Coverage& coverage, const std::vector<uint32_t>& methods, uint32_t file, BufferedText& out) {
  uint64_t hit = 0;
  std::map<std::string, uint64_t> counts;  // by name: readers merge methods of one name
  for (const uint32_t index : methods) {
    const coverage::Method& method = coverage.methods[index];
    const std::string name = clean_text(coverage.types[method.type].name + "." + method.name);
    const auto line = std::ranges::find(method.lines, file, &coverage::Line::file);
    const auto [known, is_new] = counts.try_emplace(name, 0);
    if (is_new) out << "FN:" << line->number << ',' << name << '\n';
    known->second = std::max(known->second, method.count);
  }
  for (const auto& [name, count] : counts) {
    out << "FNDA:" << count << ',' << name << '\n';
    hit += count > 0;
  }
  out << "FNF:" << counts.size() << "\nFNH:" << hit << '\n';
}

void write_branches(const Coverage& coverage, uint32_t file, BufferedText& out) {
  for (const coverage::FileLine& line : coverage.files[file].lines) {
    uint32_t block = 0;
    for (const auto& [method, branch] : line.branches) {
      const std::vector<uint64_t>& arms = coverage.methods[method].branches[branch].arms;
      for (size_t arm = 0; arm < arms.size(); ++arm) {
        out << "BRDA:" << line.number << ',' << block << ',' << arm << ',';
        // "-": the branch could not be taken, because the line never ran.
        line.count == 0 ? out << '-' : out << arms[arm];
        out << '\n';
      }
      ++block;
    }
  }
  const coverage::Totals totals = totals_of_file(coverage, file);
  out << "BRF:" << totals.branches << "\nBRH:" << totals.branches_hit << '\n';
}

void write_lcov(const Coverage& coverage, std::ostream& stream) {
  BufferedText out(stream);
  std::vector<std::vector<uint32_t>> methods(coverage.files.size());
  for (uint32_t i = 0; i < coverage.methods.size(); ++i) {
    for (const coverage::Line& line : coverage.methods[i].lines)
      if (methods[line.file].empty() || methods[line.file].back() != i) methods[line.file].push_back(i);
  }
  for (uint32_t file = 0; file < coverage.files.size(); ++file) {
    const coverage::File& shown = coverage.files[file];
    if (shown.lines.empty()) continue;
    out << "SF:" << clean_text(shown.path) << '\n';
    write_functions(coverage, methods[file], file, out);
    write_branches(coverage, file, out);
    for (const coverage::FileLine& line : shown.lines) out << "DA:" << line.number << ',' << line.count << '\n';
    const coverage::Totals totals = totals_of_file(coverage, file);
    out << "LF:" << totals.lines << "\nLH:" << totals.lines_hit << "\nend_of_record\n";
  }
}

}  // namespace

extern const CoverageExport kLcovExport = {
    .name = "lcov", .description = "lcov tracefile", .file = "lcov.info", .write = write_lcov};

}  // namespace oriel::exports
