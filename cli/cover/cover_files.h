// The files that coverage is written to.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"
#include "export/coverage_export.h"
#include "log/format.h"
#include "profile/coverage.h"

namespace oriel::cli {

struct CoverOutput {
  std::vector<std::string> formats;  // lists; none: the log
  std::string path;                  // "": by the formats' own names, here
};

// --format and --output.
void add_output(CLI::App& command, CoverOutput& output);
std::string coverage_formats_for_help();

struct CoverFile {
  const exporting::CoverageExport* format = nullptr;  // null: the log
  std::string path;                                   // "-": stdout
};

// With one format `path` is the file, with several their folder, which is made. Checks that all can be written.
Result<std::vector<CoverFile>> files_for(const CoverOutput& output);

// What was counted, the same as people read it, and of which run.
struct Covered {
  profile::Coverage counted;
  coverage::Coverage coverage;
  log::Intro intro;
};

// Each is written whole or, where that fails, not at all. Says what was written.
Status write_files(const std::vector<CoverFile>& files, const Covered& covered);

}  // namespace oriel::cli
