#include "coverage/counted.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "assembly/assembly.h"
#include "coverage/sources.h"
#include "lines/source.h"
#include "lines/source_places.h"
#include "pdb/find.h"

namespace oriel::coverage {
namespace {

namespace fs = std::filesystem;

void add(const std::vector<profile::CoveredMethod>& methods, const std::string* tests,
         std::vector<CountedAssembly>& counted) {
  for (const profile::CoveredMethod& method : methods) {
    CountedAssembly& assembly = counted[method.image];
    std::vector<Counted>& points = tests ? assembly.tests[method.row][*tests] : assembly.methods[method.row];
    for (const profile::CoverageHit& point : method.points)
      points.push_back({point.is_outcome, point.il, point.outcome, point.count});
  }
}

bool has_sources_here(const pdb::Pdb& pdb) {
  constexpr uint32_t kMost = 8;  // limits the number of file look-ups
  for (uint32_t row = 1; row <= std::min(kMost, pdb.document_count()); ++row)
    if (lines::find_source(pdb.document(row))) return true;
  return false;
}

std::optional<CountedAssembly> unloaded(const std::string& path, const std::vector<std::string>& symbol_folders) {
  // Do not read all of a program's libraries: packages' libraries are there too.
  const auto directory = pdb::debug_directory(path);
  if (!directory) return std::nullopt;
  const std::optional<pdb::Pdb> pdb = pdb::find_pdb({directory->pdb_id, directory->pdb_path, path}, symbol_folders);
  if (!pdb) return std::nullopt;
  lines::add_project_of(path);
  if (!has_sources_here(*pdb)) return std::nullopt;
  const Result<assembly::Assembly> assembly = assembly::Assembly::open(path);
  if (!assembly) return std::nullopt;
  CountedAssembly found;
  found.name = fs::path(path).filename();
  found.path = path;
  found.mvid = assembly->mvid();
  found.pdb_path = directory->pdb_path;
  found.loaded = false;
  return found;
}

}  // namespace

std::vector<CountedAssembly> counted_of(const profile::Coverage& coverage) {
  std::vector<CountedAssembly> counted(coverage.images.size());
  for (size_t i = 0; i < counted.size(); ++i) {
    const profile::CoverageImage& image = coverage.images[i];
    counted[i].name = image.name;
    counted[i].path = image.path;
    counted[i].mvid = image.mvid;
    counted[i].pdb_path = image.pdb_path;
  }
  add(coverage.methods, nullptr, counted);
  for (const profile::Coverage::Test& test : coverage.tests) add(test.methods, &test.name, counted);
  return counted;
}

void add_unloaded(std::vector<CountedAssembly>& counted, const std::vector<std::string>& symbol_folders) {
  std::set<std::string> folders, names;
  for (const CountedAssembly& assembly : counted) {
    names.insert(assembly.name);
    if (!assembly.path.empty()) folders.insert(fs::path(assembly.path).parent_path());
  }
  std::set<std::string> paths;  // makes the order independent of the folder's
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".dll" && !names.contains(entry.path().filename())) paths.insert(entry.path());
  }
  for (const std::string& path : paths)
    if (std::optional<CountedAssembly> found = unloaded(path, symbol_folders)) counted.push_back(std::move(*found));
}

Coverage coverage_of(const profile::Coverage& counted, Choice& choice) {
  const std::vector<std::string> symbol_folders = pdb::symbol_folders();
  std::vector<CountedAssembly> assemblies = counted_of(counted);
  add_unloaded(assemblies, symbol_folders);
  // Makes the order independent of which process loaded what first.
  std::ranges::stable_sort(assemblies, {}, &CountedAssembly::name);
  std::vector<std::string> tests;
  for (const profile::Coverage::Test& test : counted.tests) tests.push_back(test.name);
  Coverage coverage = build(assemblies, counted.counts, choice, symbol_folders, tests);
  if (coverage.methods.empty() && !choice.tests) {
    choice.tests = true;
    coverage = build(assemblies, counted.counts, choice, symbol_folders, tests);
  }
  find_sources(coverage);
  return coverage;
}

}  // namespace oriel::coverage
