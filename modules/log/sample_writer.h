// From the rings of sampled stacks to the log: the writer's.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "log/writer.h"
#include "lost_by_thread.h"
#include "modules/names.h"
#include "sample_rings.h"
#include "stack_tree.h"

namespace oriel::log_module {

class SampleWriter {
 public:
  // Records from before `since`, in ticks, belong to an earlier log; 0: there was none.
  SampleWriter(SampleRings& rings, NameTable& names, StackTree& stacks, log::Writer& writer, LostByThread& lost,
               uint64_t since)
      : rings_(rings), names_(names), stacks_(stacks), writer_(writer), lost_(lost), since_(since) {}

  // Takes what is in the rings. Returns how full the fullest was, in percent.
  unsigned drain();

  // Needs the names of threads whose samples were taken.
  void need_threads();
  // Writes what was taken, after the names and the nodes that it needs.
  void write();
  // Copies into the log's tail what write() will write; it stays.
  void copy_to_tail();
  // How much of it is of threads that ran, about. That threads of a program that does nothing wait is no reason to
  // write a tail.
  size_t bytes() const;

 private:
  void take(const SampleView& sample);

  SampleRings& rings_;
  NameTable& names_;
  StackTree& stacks_;
  log::Writer& writer_;
  LostByThread& lost_;
  const uint64_t since_;
  struct SamplesOfThread {
    std::vector<log::Sample> samples;
    std::vector<log::Compiling> compiling;
    size_t running = 0;  // of the samples
  };
  std::map<uint64_t, SamplesOfThread> samples_;  // by thread
};

}  // namespace oriel::log_module
