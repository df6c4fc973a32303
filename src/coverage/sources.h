// The text of covered files, from this machine or from PDBs.
#pragma once

#include <string_view>
#include <vector>

#include "coverage/coverage.h"
#include "lines/source.h"

namespace oriel::coverage {

struct SourceText {
  lines::Source here;                   // the file on this machine, unless it is embedded
  std::vector<std::string_view> lines;  // without line ends; empty if the text is not known

  bool changed() const { return here.changed; }  // differs from the compiled text
};
// Valid as long as `file`.
SourceText source_of(const File& file);
SourceText source_of(File&& file) = delete;

// Maps paths that are not on this machine, such as "/_/src/Cart.cs", to files with the same text. Adds one sentence
// about moved and missing files to the problems.
void find_sources(Coverage& coverage);

}  // namespace oriel::coverage
