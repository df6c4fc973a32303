// The file: a whole log of what was counted up to now. Each dump is written beside the one before and then takes its
// place, so that whoever reads, at any time and after any end of the program, finds one that is whole.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "log/writer.h"
#include "module/method_filter.h"
#include "module/names.h"
#include "module/probe_costs.h"
#include "module/process_info.h"
#include "options.h"

namespace oriel::callgraph {

class GraphFile {
 public:
  // Of no file yet: the first dump creates it.
  static Result<std::unique_ptr<GraphFile>> create(const Options& options);

  // Whose choice the file tells of. Once, before the second dump.
  void tell_of(const modules::MethodFilter& methods) { methods_ = &methods; }

  // Replaces the file by what all trees hold now; `last` marks it as complete. Errors name the path and the reason:
  // also of what is there already and a dump must not replace, as a device or what another process is writing. May
  // throw std::bad_alloc. All on one thread: it may have files of its own.
  Status dump(bool last);

 private:
  GraphFile(const Options& options, std::string path);
  Status may_be_replaced() const;
  Status write(log::Writer& writer, bool last);
  void need_names(const log::CallGraph& graph);
  void take_names();

  const std::string path_;               // full: each dump is renamed to it
  std::unique_ptr<log::Writer> writer_;  // of the last dump: as long as it lives no other process takes its place
  struct stat written_ {};               // that dump's file
  log::Intro intro_;
  modules::NameTable names_;
  log::Mapping mapping_;  // of all names so far: each dump needs them again
  std::atomic<const modules::MethodFilter*> methods_{nullptr};
  modules::OwnCpu own_cpu_;
  const bool allocations_;
  modules::ProbeCosts costs_;  // the least of all dumps
  uint64_t dumps_ = 0;
};

}  // namespace oriel::callgraph
