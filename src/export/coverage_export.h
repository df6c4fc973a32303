// Coverage as files that other tools read: lcov, Cobertura, coverlet's JSON; JSON and a web page of our own.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "coverage/coverage.h"

namespace oriel::exporting {

// An export is one such row, at the end of the file that makes it, and its place in coverage_export.cc's list.
struct CoverageExport {
  const char* name;         // what --format takes
  const char* description;  // one line for --help
  const char* file;         // what the file is called if nobody says: "lcov.info"
  void (*write)(const coverage::Coverage& coverage, std::ostream& out) = nullptr;
};

std::span<const CoverageExport* const> all_coverage_exports();
// The error lists the names there are.
Result<const CoverageExport*> find_coverage_export(std::string_view name);

// What several of them say alike.

// The last part of an assembly's path: "Shop.dll".
std::string assembly_file(const coverage::Assembly& assembly);
// Indexes into `coverage.methods`, by type: each type's together, in the order of assemblies and types.
struct TypeMethods {
  uint32_t type = 0;
  std::vector<uint32_t> methods;
};
std::vector<TypeMethods> methods_by_type(const coverage::Coverage& coverage);

}  // namespace oriel::exporting
