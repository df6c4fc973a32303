// A program run with its coverage counted.
#pragma once

#include <string>
#include <vector>

#include "cover/cover_choice.h"
#include "cover/cover_files.h"

namespace oriel::cli {

struct CoverRunOptions {
  std::string mode;  // "hit", "count", "": hit
  bool per_test = false;
  bool no_redact = false;
  CoverChoice choice;
  CoverOutput output;
  std::vector<std::string> fail_under;
  std::vector<std::string> command;
};

// The exit code.
int cover_run(const CoverRunOptions& options);

}  // namespace oriel::cli
