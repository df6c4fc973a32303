// The text of `perf script`: each sample at its time with its stack, innermost frame first. Times are seconds since the
// log's start.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "exports/export.h"
#include "exports/frames.h"
#include "exports/text.h"
#include "exports/trace_ids.h"

namespace oriel::exports {
namespace {

// Readers take what stands before the first number, or between brackets at a line's end, for one word.
std::string one_word(std::string text) {
  const auto is_end = [](char c) { return c == ' ' || c == '(' || c == ')'; };
  std::replace_if(text.begin(), text.end(), is_end, '_');
  return text.empty() ? "[unknown]" : text;
}

Status write_perf_script(const profile::Profile& profile, const Options&, std::ostream& to) {
  constexpr int64_t kSecond = 1'000'000'000;
  const TraceIds ids = trace_ids(profile);
  const FrameTable frames = make_frames(profile);
  const uint64_t period = std::max<uint64_t>(period_ns(profile), 1);
  const char* event = counts_cpu(profile) ? "cpu-clock" : "wall-clock";
  std::vector<std::string> threads;
  for (size_t i = 0; i < ids.tid.size(); ++i)
    threads.push_back(
        fmt::format("{} {}/{} [000] ", one_word(ids.labels[i]), ids.processes[ids.process_of[i]].pid, ids.tid[i]));
  BufferedText out(to);
  std::vector<uint32_t> stack;
  for (const uint32_t index : samples_by_time(profile)) {
    const profile::Sample& sample = profile.samples[index];
    const int64_t ns = std::max<int64_t>(sample.ns, 0);
    out << threads[sample.thread]
        << fmt::format("{}.{:09}: {} {}:\n", ns / kSecond, ns % kSecond, sample.periods * period, event);
    stack_of(profile, frames, sample.node, stack);
    // An address, which the log does not have of each frame, tells frames of one name apart: here the name alone does.
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
      const Frame& its = frames.frames[*frame];
      out << "\t0 " << its.name << " (" << one_word(its.module) << ")\n";
    }
    out << '\n';
  }
  return Status::ok();
}

}  // namespace

extern const Export kPerfScriptExport = {
    .name = "perf-script",
    .description = "text of `perf script`, each sample at its time, for tools that draw flame graphs",
    .extension = ".perf.txt",
    .times = Export::Times::kOfSamples,
    .write = write_perf_script,
};

}  // namespace oriel::exports
