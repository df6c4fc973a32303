// speedscope's JSON: all frames once, then a "sampled" profile for each thread with samples, in time order. Streamed,
// because a long profile would take gigabytes as one document in memory.
#include <fmt/format.h>

#include <ostream>

#include "base/version.h"
#include "exports/export.h"
#include "exports/frames.h"
#include "exports/text.h"
#include "pdb/find.h"

namespace oriel::exports {
namespace {

void write_frames(const FrameTable& table, std::ostream& out) {
  const char* separator = "";
  for (const Frame& frame : table.frames) {
    out << separator << "\n{\"name\":" << json_string(frame.name);
    const std::string& file = frame.file.empty() ? frame.module : frame.file;
    if (!file.empty()) out << ",\"file\":" << json_string(file);
    if (frame.line != 0) out << ",\"line\":" << frame.line;
    if (!frame.file.empty() && !frame.module.empty()) out << ",\"module\":" << json_string(frame.module);
    out << '}';
    separator = ",";
  }
}

// Samples by thread; consecutive samples with one stack are merged.
std::vector<std::vector<Weight>> runs_by_thread(const profile::Profile& profile) {
  std::vector<std::vector<Weight>> threads(profile.threads.size());
  for (const profile::Sample& sample : profile.samples) {
    std::vector<Weight>& runs = threads[sample.thread];
    if (!runs.empty() && runs.back().node == sample.node)
      runs.back().periods += sample.periods;
    else
      runs.push_back({sample.thread, sample.node, sample.periods});
  }
  return threads;
}

const char* unit_name(const profile::Profile& profile) {
  if (counts_bytes(profile.unit)) return "bytes";
  return period_ns(profile) == 0 ? "none" : "nanoseconds";
}

std::string stack_json(const std::vector<uint32_t>& stack) { return fmt::format("[{}]", fmt::join(stack, ",")); }

void write_thread(const profile::Profile& profile, const FrameTable& frames, const std::string& label,
                  const std::vector<Weight>& runs, std::ostream& out) {
  const uint64_t period = period_ns(profile);
  const uint64_t unit = period == 0 ? 1 : period;
  uint64_t end = 0;
  for (const Weight& run : runs) end += run.periods * unit;
  out << "{\"type\":\"sampled\",\"name\":" << json_string(label) << ",\"unit\":\"" << unit_name(profile)
      << "\",\"startValue\":0,\"endValue\":" << end << ",\n\"samples\":[";
  std::vector<uint32_t> stack;
  for (size_t i = 0; i < runs.size(); ++i) {
    stack_of(profile, frames, runs[i].node, stack);
    out << (i == 0 ? "" : ",") << stack_json(stack);
  }
  out << "],\n\"weights\":[";
  for (size_t i = 0; i < runs.size(); ++i) out << (i == 0 ? "" : ",") << runs[i].periods * unit;
  out << "]}";
}

Status write_speedscope(const profile::Profile& profile, const Options&, std::ostream& out) {
  FrameTable frames = make_frames(profile);
  lines::Lines lines(profile, pdb::symbol_folders());
  add_files(profile, lines, frames);
  const std::vector<std::string> labels = thread_labels(profile);
  const std::vector<std::vector<Weight>> threads = runs_by_thread(profile);
  out << "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"oriel@" << version_text()
      << "\",\n\"name\":" << json_string(title_of(profile));
  // For an Oriel that reads the file back.
  if (profile.unit == profile::Unit::kPeriods && profile.sampling_mode != "none" && profile.sampling_hz != 0)
    out << ",\n\"oriel\":{\"mode\":" << json_string(clean_text(profile.sampling_mode))
        << ",\"hz\":" << profile.sampling_hz << '}';
  out << ",\n\"activeProfileIndex\":";
  // The busiest thread is shown first.
  size_t active = 0, written = 0;
  uint64_t most = 0;
  for (const auto& runs : threads) {
    uint64_t periods = 0;
    for (const Weight& run : runs) periods += run.periods;
    if (periods > most) {
      most = periods;
      active = written;
    }
    written += !runs.empty();
  }
  out << active << ",\n\"shared\":{\"frames\":[";
  write_frames(frames, out);
  out << "]},\n\"profiles\":[";
  const char* separator = "\n";
  for (size_t i = 0; i < threads.size(); ++i) {
    if (threads[i].empty()) continue;
    out << separator;
    write_thread(profile, frames, labels[i], threads[i], out);
    separator = ",\n";
  }
  out << "]}\n";
  return Status::ok();
}

}  // namespace

extern const Export kSpeedscopeExport = {
    .name = "speedscope",
    .description = "JSON for speedscope, one profile per thread",
    .extension = ".speedscope.json",
    .write = write_speedscope,
};

}  // namespace oriel::exports
