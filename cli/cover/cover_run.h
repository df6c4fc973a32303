// Runs a program with coverage.
#pragma once

#include <string>
#include <vector>

#include "cover/cover_choice.h"
#include "cover/cover_files.h"

namespace oriel::cli {

struct CoverRunOptions {
  std::string mode;  // "hit", "count"; "" means hit
  bool per_test = false;
  bool no_redact = false;
  CoverChoice choice;
  CoverOutput output;
  std::vector<std::string> fail_under;
  std::vector<std::string> command;
};

// Returns the exit code.
int cover_run(const CoverRunOptions& options);

}  // namespace oriel::cli
