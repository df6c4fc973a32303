#include "exports/coverage_export.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text/path.h"

namespace oriel::exports {

// Each is defined at the end of its own file.
extern const CoverageExport kLcovExport, kCoberturaExport, kCoverletExport, kCoverageJsonExport, kCoverageHtmlExport;

namespace {

constexpr const CoverageExport* kCoverageExports[] = {&kCoberturaExport, &kLcovExport, &kCoverletExport,
                                                      &kCoverageJsonExport, &kCoverageHtmlExport};

}  // namespace

std::span<const CoverageExport* const> all_coverage_exports() { return kCoverageExports; }

Result<const CoverageExport*> find_coverage_export(std::string_view name) {
  std::string names;
  for (const CoverageExport* format : kCoverageExports) {
    if (name == format->name) return format;
    names += names.empty() ? "" : ", ";
    names += format->name;
  }
  return Status::error("there is no format \"" + std::string(name) + "\" of coverage; choose one of " + names);
}

std::string assembly_file(const coverage::Assembly& assembly) { return recorded_file_name(assembly.path); }

std::vector<TypeMethods> methods_by_type(const coverage::Coverage& coverage) {
  std::map<uint32_t, std::vector<uint32_t>> by_type;
  for (uint32_t i = 0; i < coverage.methods.size(); ++i) by_type[coverage.methods[i].type].push_back(i);
  std::vector<TypeMethods> all;
  for (auto& [type, methods] : by_type) all.push_back({type, std::move(methods)});
  std::ranges::stable_sort(all, {}, [&](const TypeMethods& entry) {
    const coverage::Type& type = coverage.types[entry.type];
    return std::tuple(type.assembly, type.name);
  });
  return all;
}

}  // namespace oriel::exports
