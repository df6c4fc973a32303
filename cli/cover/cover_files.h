// Output files of coverage.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"
#include "exports/coverage_export.h"
#include "profile/profile.h"

namespace oriel::cli {

struct CoverOutput {
  std::vector<std::string> formats;  // comma-separated; if empty, a log
  std::string path;                  // if empty, the formats' default names in the current folder
};

// Adds --format and --output.
void add_output(CLI::App& command, CoverOutput& output);

// A format as people read of it.
struct CoverFormat {
  const char* name;
  const char* file;  // default name
  const char* description;
};
std::vector<CoverFormat> cover_formats();
std::string coverage_formats_for_help();

struct CoverFile {
  const exports::CoverageExport* format = nullptr;  // null for a log
  std::string path;                                 // "-" for stdout
};

// For one format, `path` is the file; for several, their folder, which is created. Checks that all can be written.
Result<std::vector<CoverFile>> files_for(const CoverOutput& output);

// Coverage as counted and for people, and the intro of its run.
struct Covered {
  profile::Profile counted;
  coverage::Coverage coverage;
  log::Intro intro;
};

// Writes each file completely or not at all, and reports what was written.
Status write_files(const std::vector<CoverFile>& files, const Covered& covered);

}  // namespace oriel::cli
