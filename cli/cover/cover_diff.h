// oriel cover diff.
#pragma once

#include <string>
#include <vector>

#include "cover/cover_choice.h"

namespace oriel::cli {

struct CoverDiffOptions {
  std::string lines_of;  // file with output of git diff, "-" for stdin; "" compares with another coverage
  std::vector<std::string> words;
  std::vector<std::string> fail_under;
  size_t limit = 0;
  CoverChoice choice;
};

// Returns the exit code.
int cover_diff(const CoverDiffOptions& options);

}  // namespace oriel::cli
