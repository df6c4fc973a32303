#include "coverage/cases.h"

#include <filesystem>
#include <fstream>

#include "assembly/assembly.h"
#include "il/decode.h"
#include "paths.h"

namespace oriel::coverage::test {
namespace {

namespace fs = std::filesystem;

const fs::path kAssembly = fs::path(test_paths::targets) / "covered/covered.dll";

}  // namespace

bool has_cases() { return fs::exists(kAssembly); }

std::string cases_path() { return kAssembly; }

profile::Tables cases() {
  profile::Tables counted;
  counted.covered_images = {{"covered.dll", kAssembly, "", "", ""}};
  return counted;
}

Coverage cases_covered(const profile::Tables& counted, Choice choice) {
  choice.files.push_back("*.g.cs");
  return build(counted, files_of(counted.covered_images), choice, {});
}

profile::Tables all_ran(uint64_t count) {
  profile::Tables counted = cases();
  const Result<assembly::Assembly> assembly = assembly::Assembly::open(kAssembly);
  for (uint32_t row = 1; row <= assembly->method_count(); ++row) {
    Result<il::Body> body = il::decode(assembly->body(row));
    if (!body) continue;
    std::vector<profile::CoverageHit>& hits = counted.covered_methods.emplace_back().hits;
    counted.covered_methods.back().row = row;
    hits.push_back({false, 0, 0, count});
    for (const il::Instruction* at : body->number()) {
      if (at->info().flow != il::Flow::CondBranch) continue;
      for (uint32_t which = 0; which <= std::max<size_t>(1, at->cases().size()); ++which)
        hits.push_back({true, at->original_offset(), which, count});
    }
  }
  return counted;
}

const File& file_of(const Coverage& coverage, const std::string& name) {
  static const File kNone;
  for (const File& file : coverage.files)
    if (fs::path(file.path).filename() == name) return file;
  return kNone;
}

const FileLine* line_of(const File& file, uint32_t number) {
  for (const FileLine& line : file.lines)
    if (line.number == number) return &line;
  return nullptr;
}

std::vector<std::string> source_lines(const std::string& file) {
  std::ifstream in(fs::path(test_paths::cases) / file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

uint32_t line_with(const std::string& file, const std::string& text) {
  uint32_t number = 0;
  for (const std::string& line : source_lines(file)) {
    ++number;
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

}  // namespace oriel::coverage::test
