// The text of covered files, as far as it is on this machine or in PDBs.
#pragma once

#include <string_view>
#include <vector>

#include "coverage/coverage.h"
#include "lines/source.h"

namespace oriel::coverage {

struct SourceText {
  lines::Source here;                   // the file on this machine, where it is not embedded
  std::vector<std::string_view> lines;  // without their ends; empty if the text is not known

  bool changed() const { return here.changed; }  // it is not what was compiled
};
// Valid as long as the file.
SourceText source_of(const File& file);
SourceText source_of(File&& file) = delete;

// Turns paths that are not of this machine, as "/_/src/Cart.cs", into those where the same text is. Adds to the
// problems what moved and was not found, in one sentence.
void find_sources(Coverage& coverage);

}  // namespace oriel::coverage
