// The file: a complete log of everything counted so far. Each dump is written beside the previous one and then replaces
// it, so that a reader finds a complete one at any time and after any end of the program.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "log/writer.h"
#include "modules/method_filter.h"
#include "modules/names.h"
#include "modules/probe_costs.h"
#include "modules/process_info.h"
#include "options.h"

namespace oriel::callgraph_module {

class GraphFile {
 public:
  // Without a file yet: the first dump creates it.
  static Result<std::unique_ptr<GraphFile>> create(const Options& options);

  // The filter whose selection the file describes. Once, before the second dump.
  void tell_of(const modules::MethodFilter& methods) { methods_ = &methods; }

  // Replaces the file by the present contents of all trees; `last` marks it as complete. Errors name the path and the
  // reason; an existing file that a dump must not replace, such as a device or another process's log, is one. May throw
  // std::bad_alloc. All on one thread, which may have a separate descriptor table.
  Status dump(bool last);

 private:
  GraphFile(const Options& options, std::string path);
  Status may_be_replaced() const;
  Status write(log::Writer& writer, bool last);
  void need_names(const log::CallGraph& graph);
  void take_names();

  const std::string path_;               // absolute: each dump is renamed to it
  std::unique_ptr<log::Writer> writer_;  // of the last dump: while it lives no other process replaces the file
  struct stat written_ {};               // the last dump's file
  log::Intro intro_;
  modules::NameTable names_;
  log::Mapping mapping_;  // all names so far, which each dump contains
  std::atomic<const modules::MethodFilter*> methods_{nullptr};
  modules::OwnCpu own_cpu_;
  const bool allocations_;
  modules::TypicalCosts costs_;
  uint64_t dumps_ = 0;
};

}  // namespace oriel::callgraph_module
