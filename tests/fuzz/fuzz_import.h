// What holds for every importer.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "imports/formats.h"
#include "log/decoder.h"

namespace oriel::fuzz {

struct CountedSink : log::EventSink {
  uint64_t samples = 0;
  bool ended = false, problem = false;
  void on_sample(uint64_t, const log::Sample&) override { ++samples; }
  void on_end(const log::End&) override { ended = true; }
  void on_problem(uint64_t, const std::string&) override { problem = true; }
};

inline void check(const Status& status, imports::LogMaker& maker) {
  if (!status) {
    if (status.message().empty()) std::abort();
    return;
  }
  static const int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) std::abort();
  const auto writer = log::Writer::create_unnamed(file);
  if (!writer || !maker.write(**writer)) std::abort();
  CountedSink sink;
  const auto outcome = log::decode_file("/proc/self/fd/" + std::to_string(file), sink);
  if (!outcome || !sink.ended || sink.problem || sink.samples != maker.samples()) std::abort();
}

}  // namespace oriel::fuzz
