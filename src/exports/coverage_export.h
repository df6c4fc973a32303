// Coverage in formats of other tools: lcov, Cobertura, coverlet's JSON; and as our own JSON and web page.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "coverage/coverage.h"

namespace oriel::exports {

// An export: a row at the end of the file that makes it, and its entry in coverage_export.cc's list.
struct CoverageExport {
  const char* name;         // value of --format
  const char* description;  // one line for --help
  const char* file;         // default file name: "lcov.info"
  void (*write)(const coverage::Coverage& coverage, std::ostream& out) = nullptr;
};

std::span<const CoverageExport* const> all_coverage_exports();
// The error lists the known names.
Result<const CoverageExport*> find_coverage_export(std::string_view name);

// Shared by several exports:

// File name of an assembly's path: "Shop.dll".
std::string assembly_file(const coverage::Assembly& assembly);
// Indexes into `coverage.methods`, grouped by type, in the order of assemblies and types.
struct TypeMethods {
  uint32_t type = 0;
  std::vector<uint32_t> methods;
};
std::vector<TypeMethods> methods_by_type(const coverage::Coverage& coverage);

}  // namespace oriel::exports
