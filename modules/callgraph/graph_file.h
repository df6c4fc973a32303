// The file: a whole log of what was counted up to now. Each dump is written beside the one before and then takes its
// place, so that whoever reads, at any time and after any end of the program, finds one that is whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/names.h"
#include "log/writer.h"
#include "options.h"

namespace oriel::callgraph {

class GraphFile {
 public:
  // Creates the file, without calls in it yet. Errors name the path and the reason.
  static Result<std::unique_ptr<GraphFile>> create(const Options& options);

  // Replaces the file by what all trees hold now; `last` marks it as complete. May throw std::bad_alloc. One thread at
  // a time.
  Status dump(bool last);

 private:
  explicit GraphFile(const Options& options);
  Status write(log::Writer& writer, bool last);
  void need_names(const log::CallGraph& graph);
  void take_names();

  std::string path_;
  log::Intro intro_;
  modules::NameTable names_;
  log::Mapping mapping_;  // of all names so far: each dump needs them again
  uint64_t dumps_ = 0;
};

}  // namespace oriel::callgraph
