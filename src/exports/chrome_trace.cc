// Chrome's Trace Event JSON: what happened as complete, instant and counter events; samples with a tree of frames.
// Streamed, as a trace can be larger than memory. Times are microseconds since the log's start.
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "base/version.h"
#include "exports/export.h"
#include "exports/frames.h"
#include "exports/moments.h"
#include "exports/text.h"
#include "exports/trace_ids.h"
#include "exports/trace_text.h"
#include "profile/work/category.h"
#include "profile/work/series.h"
#include "report/shares.h"

namespace oriel::exports {
namespace {

class ChromeTrace {
 public:
  ChromeTrace(const profile::Profile& profile, std::ostream& out)
      : profile_(profile), ids_(trace_ids(profile)), frames_(make_frames(profile)), out_(out) {}

  void write() {
    const Moments moments = moments_of(profile_);
    out_ << "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"exporter\":"
         << json_string(std::string("oriel@") + version_text()) << ",\"command\":" << json_string(title_of(profile_))
         << ",\"start_unix_us\":\"" << std::to_string(profile_.start_unix_us) << "\"},\n\"traceEvents\":[";
    write_names(moments);
    for (const Moment& moment : moments.all) write_moment(moment, moments);
    write_counters();
    out_ << "],\n\"stackFrames\":{";
    write_frames(moments);
    out_ << "},\n\"samples\":[";
    write_samples();
    out_ << "]}\n";
  }

 private:
  // Above all numbers of processes and threads.
  static constexpr uint32_t kEverybody = 1 << 23;
  static constexpr uint32_t kFirstTrack = kEverybody + 1;

  uint32_t pid_of(uint32_t process) const {
    return process < ids_.processes.size() ? ids_.processes[process].pid : kEverybody;
  }
  // Tracks of their own look like threads.
  uint32_t tid_of(uint32_t track, const Moments& moments) const {
    const MomentTrack& its = moments.tracks[track];
    return track_name(its).empty() ? ids_.tid[its.thread] : kFirstTrack + track;
  }

  BufferedText& next() {
    out_ << (is_first_ ? "\n" : ",\n");
    is_first_ = false;
    return out_;
  }

  void write_name(const char* what, uint32_t pid, uint32_t tid, const std::string& name) {
    next() << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << pid << ",\"tid\":" << tid
           << ",\"args\":{\"name\":" << json_string(name) << "}}";
  }

  void write_names(const Moments& moments) {
    for (const TraceIds::Process& process : ids_.processes) write_name("process_name", process.pid, 0, process.name);
    for (size_t i = 0; i < ids_.tid.size(); ++i)
      write_name("thread_name", pid_of(ids_.process_of[i]), ids_.tid[i], ids_.labels[i]);
    bool has_everybody = false;
    for (uint32_t i = 0; i < moments.tracks.size(); ++i) {
      const MomentTrack& track = moments.tracks[i];
      const std::string name = track_name(track);
      if (name.empty()) continue;
      if (pid_of(track.process) == kEverybody && !has_everybody) {
        has_everybody = true;
        write_name("process_name", kEverybody, 0, "All processes");
      }
      const std::string whose = track.thread == MomentTrack::kNone ? "" : ids_.labels[track.thread] + ": ";
      write_name("thread_name", pid_of(track.process), tid_of(i, moments), whose + name);
    }
  }

  void write_moment(const Moment& moment, const Moments& moments) {
    next() << "{\"ph\":\"" << (moment.is_point() ? "i\",\"s\":\"t" : "X")
           << "\",\"pid\":" << pid_of(moments.tracks[moment.track].process)
           << ",\"tid\":" << tid_of(moment.track, moments) << ",\"ts\":" << thousandths(moment.begin_ns);
    if (!moment.is_point()) out_ << ",\"dur\":" << thousandths(moment.end_ns - moment.begin_ns);
    out_ << ",\"name\":" << json_string(moment_name(moment, profile_)) << ",\"cat\":\"" << moment_key(moment.kind)
         << '"';
    if (const std::string details = details_json(moment_details(moment, profile_)); !details.empty())
      out_ << ",\"args\":{" << details << '}';
    if (const uint32_t node = moment_node(moment, profile_); node != 0) out_ << ",\"sf\":\"" << node << '"';
    out_ << '}';
  }

  void write_counters() {
    std::vector<profile::CounterSeries> all = profile::process_series(profile_);
    all.insert(all.end(), profile_.series.begin(), profile_.series.end());
    for (const profile::CounterSeries& series : all) {
      const std::string name = json_string(series_name(series));
      const std::string unit = json_string(series.unit.empty() ? "value" : series.unit);
      for (const profile::CounterSeries::Point& point : series.points)
        next() << "{\"ph\":\"C\",\"pid\":" << pid_of(series.process) << ",\"tid\":0,\"ts\":" << thousandths(point.ns)
               << ",\"name\":" << name << ",\"args\":{" << unit << ':' << json_number(point.value) << "}}";
    }
  }

  void write_frame(uint64_t id, uint32_t frame, const std::string& category, const std::string& parent) {
    next() << '"' << id << "\":{\"name\":" << json_string(frames_.frames[frame].name)
           << ",\"category\":" << json_string(category);
    if (!parent.empty()) out_ << ",\"parent\":\"" << parent << '"';
    out_ << '}';
  }

  // A frame's number is its node's. The number after all nodes stands for callers that are not known.
  void write_frames(const Moments& moments) {
    is_first_ = true;
    if (profile_.nodes.empty()) return;
    const std::vector<bool> used = shown_nodes(moments, profile_);
    const profile::Purposes purposes = profile::purposes(profile_);
    const std::string not_known = std::to_string(profile_.nodes.size());
    bool has_truncated = false;
    for (uint32_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      const profile::Node& node = profile_.nodes[i];
      const bool is_truncated = i != 0 && node.parent == 0 && node.truncated;
      if (is_truncated && !has_truncated) write_frame(profile_.nodes.size(), frames_.truncated, "unknown", "");
      has_truncated |= is_truncated;
      const std::string parent = is_truncated                 ? not_known
                                 : i != 0 && node.parent != 0 ? std::to_string(node.parent)
                                                              : "";
      write_frame(i, frames_.of_function[node.function],
                  report::category_key(purposes.all[purposes.of_node[i]].category), parent);
    }
  }

  void write_samples() {
    is_first_ = true;
    const char* name = counts_cpu(profile_) ? "cpu" : "wall";
    const uint64_t period = std::max<uint64_t>(period_ns(profile_), 1);
    for (const uint32_t index : samples_by_time(profile_)) {
      const profile::Sample& sample = profile_.samples[index];
      next() << "{\"cpu\":0,\"pid\":" << pid_of(ids_.process_of[sample.thread])
             << ",\"tid\":" << ids_.tid[sample.thread] << ",\"ts\":" << thousandths(sample.ns) << ",\"name\":\"" << name
             << "\",\"sf\":\"" << sample.node << "\",\"weight\":" << sample.periods * period << '}';
    }
  }

  const profile::Profile& profile_;
  TraceIds ids_;
  FrameTable frames_;
  BufferedText out_;
  bool is_first_ = true;
};

Status write_chrome_trace(const profile::Profile& profile, const Options&, std::ostream& out) {
  ChromeTrace(profile, out).write();
  return Status::ok();
}

}  // namespace

extern const Export kChromeTraceExport = {
    .name = "chrome-trace",
    .description = "Trace Event JSON for chrome://tracing and other viewers of it",
    .extension = ".trace.json",
    .times = Export::Times::kOfAll,
    .write = write_chrome_trace,
};

}  // namespace oriel::exports
