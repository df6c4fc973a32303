// The Firefox Profiler's own JSON ("processed profile"), version 60: the first whose threads share one table of stacks.
// Later viewers read it too; they bring it up to date. Streamed, as there may be millions of samples.
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "base/version.h"
#include "exports/export.h"
#include "exports/firefox_tables.h"
#include "exports/frames.h"
#include "exports/moments.h"
#include "exports/text.h"
#include "exports/trace_ids.h"
#include "exports/trace_text.h"

namespace oriel::exports {
namespace {

// What the viewer shows of each kind of events: keys of details, labels, formats.
constexpr const char* kMarkerSchema = R"([
{"name":"gc","chartLabel":"{marker.name}","tableLabel":"{marker.name}",
 "display":["marker-chart","marker-table","timeline-overview","timeline-memory"],
 "fields":[{"key":"number","label":"Number","format":"integer"},{"key":"generation","label":"Generation","format":"integer"},
 {"key":"trigger","label":"Trigger","format":"string"},{"key":"induced","label":"Induced","format":"string"},
 {"key":"background","label":"Background","format":"string"},{"key":"paused_ns","label":"Paused","format":"nanoseconds"},
 {"key":"heap_bytes","label":"Heap","format":"bytes"}]},
{"name":"pause","chartLabel":"{marker.name}","tableLabel":"{marker.name}",
 "display":["marker-chart","marker-table","timeline-overview"],"fields":[]},
{"name":"lock","chartLabel":"{marker.name}","tableLabel":"{marker.name}",
 "display":["marker-chart","marker-table","timeline-overview"],
 "fields":[{"key":"lock","label":"Lock","format":"string"},{"key":"owner","label":"Owner","format":"string"}]},
{"name":"request","chartLabel":"{marker.name}","tableLabel":"{marker.name}",
 "display":["marker-chart","marker-table","timeline-overview"],
 "fields":[{"key":"source","label":"Source","format":"string"},{"key":"failed","label":"Failed","format":"string"},
 {"key":"id","label":"Id","format":"string"},{"key":"parent","label":"Part of","format":"string"},
 {"key":"tags","label":"Tags","format":"string"}]},
{"name":"exception","chartLabel":"{marker.name}","tableLabel":"{marker.name}",
 "display":["marker-chart","marker-table","timeline-overview"],"fields":[]},
{"name":"mark","chartLabel":"{marker.name}","tableLabel":"{marker.name}",
 "display":["marker-chart","marker-table","timeline-overview"],"fields":[]}])";

class FirefoxProfile {
 public:
  FirefoxProfile(const profile::Profile& profile, std::ostream& out)
      : profile_(profile),
        ids_(trace_ids(profile)),
        moments_(moments_of(profile)),
        tables_(profile, moments_),
        out_(out) {
    by_thread_.resize(profile.threads.size());
    for (const uint32_t index : samples_by_time(profile))
      by_thread_[profile.samples[index].thread].samples.push_back(index);
    for (uint32_t i = 0; i < moments_.all.size(); ++i) {
      const uint32_t thread = thread_of(moments_.all[i]);
      if (thread != TraceIds::kNone) by_thread_[thread].moments.push_back(i);
    }
  }

  void write() {
    write_meta();
    out_ << ",\n\"libs\":[],\n\"threads\":[";
    const char* separator = "\n";
    for (uint32_t i = 0; i < by_thread_.size(); ++i) {
      if (by_thread_[i].samples.empty() && by_thread_[i].moments.empty()) continue;
      out_ << separator;
      write_thread(i);
      separator = ",\n";
    }
    out_ << "],\n\"shared\":{";
    tables_.write(out_);
    out_ << ",\n\"stringArray\":";
    tables_.strings().write(out_);
    out_ << "}}\n";
  }

 private:
  struct OfThread {
    std::vector<uint32_t> samples, moments;
  };

  // What is no thread's is shown at the one that stands for its process.
  uint32_t thread_of(const Moment& moment) const {
    const uint32_t thread = moment_thread(moment, profile_);
    if (thread != MomentTrack::kNone) return thread;
    const uint32_t process = moments_.tracks[moment.track].process;
    return ids_.main_thread[process < ids_.main_thread.size() ? process : 0];
  }

  void write_meta() {
    const uint64_t period = period_ns(profile_);
    const auto interval = static_cast<int64_t>(period == 0 ? 1'000'000 : period);
    out_ << "{\"meta\":{\"version\":24,\"preprocessedProfileVersion\":60,\"product\":"
         << json_string(title_of(profile_))
         << ",\"importedFrom\":" << json_string(std::string("Oriel ") + version_text())
         << ",\"interval\":" << millis(interval) << ",\"startTime\":" << thousandths(profile_.start_unix_us)
         << ",\"profilingStartTime\":0,\"profilingEndTime\":" << millis(profile_.wall_ns)
         << ",\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
         << "\"symbolicationNotSupported\":true,\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
         << "\"extensions\":{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0},"
         << "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n\"categories\":";
    tables_.categories().write(out_);
    out_ << ",\n\"markerSchema\":" << kMarkerSchema << '}';
  }

  // Milliseconds with the digits of nanoseconds.
  static std::string millis(int64_t ns) {
    constexpr int64_t kMillion = 1'000'000;
    if (ns <= 0) return "0";
    std::string digits = std::to_string(ns % kMillion);
    return std::to_string(ns / kMillion) + '.' + std::string(6 - digits.size(), '0') + digits;
  }

  void write_thread(uint32_t index) {
    const profile::Thread& thread = profile_.threads[index];
    const TraceIds::Process& process = ids_.processes[ids_.process_of[index]];
    const bool is_main = ids_.main_thread[ids_.process_of[index]] == index;
    out_ << "{\"name\":" << json_string(ids_.labels[index]) << ",\"isMainThread\":" << (is_main ? "true" : "false")
         << ",\"processType\":\"default\",\"processName\":" << json_string(process.name) << ",\"pid\":\"" << process.pid
         << "\",\"tid\":" << ids_.tid[index] << ",\"processStartupTime\":0,\"processShutdownTime\":null"
         << ",\"registerTime\":" << millis(thread.first_ns)
         << ",\"unregisterTime\":" << (thread.last_ns < 0 ? "null" : millis(thread.last_ns))
         << ",\"pausedRanges\":[],\n\"samples\":{";
    write_samples(by_thread_[index].samples);
    out_ << "},\n\"markers\":{";
    write_markers(by_thread_[index].moments);
    out_ << "}}";
  }

  template <typename Value>
  void write_values(const char* name, const std::vector<uint32_t>& rows, const Value& value) {
    out_ << '"' << name << "\":[";
    for (size_t i = 0; i < rows.size(); ++i) out_ << (i == 0 ? "" : ",") << value(rows[i]);
    out_ << "],";
  }

  void write_samples(const std::vector<uint32_t>& rows) {
    const auto sample = [&](uint32_t row) -> const profile::Sample& { return profile_.samples[row]; };
    write_values("stack", rows, [&](uint32_t row) { return std::to_string(tables_.stack_of_sample(row)); });
    write_values("time", rows, [&](uint32_t row) { return millis(sample(row).ns); });
    write_values("weight", rows, [&](uint32_t row) { return std::to_string(sample(row).periods); });
    // So that the viewer does not take the time between two samples for work.
    if (const uint64_t period = period_ns(profile_); period != 0 && counts_cpu(profile_))
      write_values("threadCPUDelta", rows, [&](uint32_t row) { return std::to_string(sample(row).periods * period); });
    out_ << "\"weightType\":\"samples\",\"length\":" << rows.size();
  }

  void write_markers(const std::vector<uint32_t>& rows) {
    const auto moment = [&](uint32_t row) -> const Moment& { return moments_.all[row]; };
    write_values("data", rows, [&](uint32_t row) { return marker_data(moment(row)); });
    write_values("name", rows, [&](uint32_t row) {
      return std::to_string(tables_.strings().number(moment_name(moment(row), profile_)));
    });
    write_values("startTime", rows, [&](uint32_t row) { return millis(moment(row).begin_ns); });
    write_values("endTime", rows,
                 [&](uint32_t row) { return moment(row).is_point() ? "null" : millis(moment(row).end_ns); });
    write_values("phase", rows, [&](uint32_t row) { return moment(row).is_point() ? "0" : "1"; });
    write_values("category", rows,
                 [&](uint32_t row) { return std::to_string(tables_.categories().of_moment(moment(row).kind)); });
    out_ << "\"length\":" << rows.size();
  }

  std::string marker_data(const Moment& moment) const {
    std::string data = std::string("{\"type\":\"") + moment_key(moment.kind) + '"';
    std::vector<MomentDetail> shown;
    std::string tags;
    constexpr std::string_view kTag = "tags.";
    for (auto& [name, value] : moment_details(moment, profile_)) {
      if (name.starts_with(kTag))
        tags += (tags.empty() ? "" : ", ") + name.substr(kTag.size()) + '=' + std::get<std::string>(value);
      else if (const auto* is = std::get_if<bool>(&value))
        shown.emplace_back(name, *is ? "yes" : "no");
      else if (name == "lock")
        shown.emplace_back(name, std::to_string(std::get<uint64_t>(value)));
      else
        shown.emplace_back(name, value);
    }
    if (!tags.empty()) shown.emplace_back("tags", tags);
    if (!shown.empty()) data += ',' + details_json(shown);
    if (const uint32_t node = moment_node(moment, profile_); node != 0)
      data += ",\"cause\":{\"time\":" + millis(moment.begin_ns) +
              ",\"stack\":" + std::to_string(tables_.stack_of_node(node)) + '}';
    return data + '}';
  }

  const profile::Profile& profile_;
  TraceIds ids_;
  Moments moments_;
  FirefoxTables tables_;
  std::vector<OfThread> by_thread_;
  BufferedText out_;
};

Status write_firefox(const profile::Profile& profile, const Options&, std::ostream& out) {
  FirefoxProfile(profile, out).write();
  return Status::ok();
}

}  // namespace

extern const Export kFirefoxExport = {
    .name = "firefox",
    .description = "JSON for profiler.firefox.com, with collections, locks and requests as markers",
    .extension = ".firefox.json",
    .times = Export::Times::kOfAll,
    .write = write_firefox,
};

}  // namespace oriel::exports
