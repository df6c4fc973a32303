// Perfetto's protobuf trace: threads, samples with their stacks, and what happened, on one time line. Streamed, packet
// by packet: a trace may be larger than memory.
//
// Samples are perf_sample packets (field 66). Perfetto 58 also reads a newer kind (135), but that has no interned
// stack, so that each sample would be as long as its stack; and viewers of all versions read the older.
#include <ostream>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "exports/export.h"
#include "exports/frames.h"
#include "exports/moments.h"
#include "exports/perfetto_fields.h"
#include "exports/text.h"
#include "exports/trace_ids.h"
#include "pdb/find.h"
#include "profile/work/series.h"

namespace oriel::exports {
namespace {

constexpr uint32_t kRealTime = 1;  // Perfetto's number of the clock that counts since 1970

template <typename Field>
using Message = protozero::pbf_builder<Field>;

// Adds the packets' common fields and writes them.
class PacketWriter {
 public:
  PacketWriter(const profile::Profile& profile, std::ostream& out)
      : out_(out),
        start_ns_(static_cast<uint64_t>(std::max<int64_t>(profile.start_unix_us, 0)) * 1000),
        mark_(start_ns_ * 0x9E3779B97F4A7C15) {}

  // An empty packet, to be filled and written.
  Message<perfetto::Packet>& next() {
    fields_.clear();
    interned_fields_.clear();
    return packet_;
  }
  Message<perfetto::Packet>& next(int64_t ns) {
    next().add_uint64(perfetto::Packet::kTimestamp, start_ns_ + static_cast<uint64_t>(ns));
    return packet_;
  }
  // What the packet interns. It may be filled while the packet is.
  Message<perfetto::Interned>& interned() { return interned_; }
  uint64_t start_ns() const { return start_ns_; }

  void write() {
    using F = perfetto::Packet;
    if (!interned_fields_.empty()) packet_.add_message(F::kInternedData, interned_fields_);
    packet_.add_uint32(F::kSequenceId, static_cast<uint32_t>(mark_ >> 40) | 1);
    packet_.add_uint32(F::kSequenceFlags, is_first_ ? perfetto::kStateCleared : perfetto::kNeedsState);
    is_first_ = false;
    trace_.add_message(perfetto::Trace::kPacket, fields_);
    constexpr size_t kMost = size_t{64} << 10;
    if (buffer_.size() >= kMost) flush();
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  // Tracks have numbers that other traces' tracks are unlikely to have, so that traces can be put together.
  enum class Tracks : uint64_t { kProcesses = 1, kThreads, kMoments, kCounters };
  uint64_t uuid(Tracks kind, size_t index) const {
    return (mark_ & ~((uint64_t{1} << 40) - 1)) | static_cast<uint64_t>(kind) << 36 | index;
  }

 private:
  std::ostream& out_;
  uint64_t start_ns_;
  uint64_t mark_;
  std::string fields_, interned_fields_, buffer_;
  Message<perfetto::Packet> packet_{fields_};
  Message<perfetto::Interned> interned_{interned_fields_};
  Message<perfetto::Trace> trace_{buffer_};
  bool is_first_ = true;
};

// Names by which packets of the sequence refer to texts. A new one goes into the packet that needs it.
class InternedNames {
 public:
  explicit InternedNames(perfetto::Interned field) : field_(field) {}

  uint64_t iid(const std::string& name, Message<perfetto::Interned>& to) {
    const auto [at, is_new] = known_.try_emplace(name, known_.size() + 1);
    if (is_new) {
      Message<perfetto::InternedName> interned(to, field_);
      interned.add_uint64(perfetto::InternedName::kIid, at->second);
      interned.add_bytes(perfetto::InternedName::kName, name);
    }
    return at->second;
  }

  size_t size() const { return known_.size(); }

 private:
  perfetto::Interned field_;
  std::unordered_map<std::string, uint64_t> known_;
};

class InternedStacks {
 public:
  explicit InternedStacks(const profile::Profile& profile)
      : profile_(profile), frames_(make_frames(profile)), has_node_(profile.nodes.size()) {
    lines::Lines lines(profile, pdb::symbol_folders());
    add_files(profile, lines, frames_);
    has_frame_.resize(frames_.frames.size());
  }

  uint64_t iid(uint32_t node, Message<perfetto::Interned>& to) {
    if (!has_node_[node]) {
      has_node_[node] = true;
      stack_of(profile_, frames_, node, stack_);
      for (const uint32_t frame : stack_) add_frame(frame, to);
      Message<perfetto::Callstack> stack(to, perfetto::Interned::kCallstacks);
      stack.add_uint64(perfetto::Callstack::kIid, node + uint64_t{1});
      for (const uint32_t frame : stack_) stack.add_uint64(perfetto::Callstack::kFrameIds, frame + uint64_t{1});
    }
    return node + uint64_t{1};
  }

 private:
  void add_frame(uint32_t index, Message<perfetto::Interned>& to) {
    using F = perfetto::Frame;
    if (has_frame_[index]) return;
    has_frame_[index] = true;
    const Frame& frame = frames_.frames[index];
    const uint64_t name = function_names_.iid(frame.name, to);
    // Older viewers leave out frames that are in no file.
    const uint64_t in = mapping(frame.module.empty() ? "[no file]" : frame.module, to);
    const uint64_t file = frame.file.empty() ? 0 : source_paths_.iid(frame.file, to);
    Message<F> added(to, perfetto::Interned::kFrames);
    added.add_uint64(F::kIid, index + uint64_t{1});
    added.add_uint64(F::kFunctionNameId, name);
    added.add_uint64(F::kMappingId, in);
    added.add_uint64(F::kRelPc, 0);
    if (file != 0) {
      added.add_uint64(F::kSourcePathIid, file);
      added.add_uint32(F::kLineNumber, frame.line);
    }
    added.add_enum(F::kKind, static_cast<int32_t>(kind_in_trace(frame.kind)));
  }

  static perfetto::FrameKind kind_in_trace(FrameKind kind) {
    if (kind == FrameKind::kManaged) return perfetto::FrameKind::kJit;
    return kind == FrameKind::kRuntime ? perfetto::FrameKind::kRuntime : perfetto::FrameKind::kNative;
  }

  uint64_t mapping(const std::string& module, Message<perfetto::Interned>& to) {
    const size_t before = mapping_paths_.size();
    const uint64_t iid = mapping_paths_.iid(module, to);
    if (mapping_paths_.size() != before) {
      Message<perfetto::Mapping> added(to, perfetto::Interned::kMappings);
      added.add_uint64(perfetto::Mapping::kIid, iid);
      added.add_uint64(perfetto::Mapping::kPathIds, iid);
    }
    return iid;
  }

  const profile::Profile& profile_;
  FrameTable frames_;
  std::vector<bool> has_node_, has_frame_;
  InternedNames function_names_{perfetto::Interned::kFunctionNames};
  InternedNames mapping_paths_{perfetto::Interned::kMappingPaths};
  InternedNames source_paths_{perfetto::Interned::kSourcePaths};
  std::vector<uint32_t> stack_;
};

class PerfettoTrace {
 public:
  PerfettoTrace(const profile::Profile& profile, std::ostream& out)
      : profile_(profile), ids_(trace_ids(profile)), stacks_(profile), packets_(profile, out) {}

  void write() {
    write_head();
    write_processes();
    write_moments();
    write_counters();
    write_samples();
    packets_.flush();
  }

 private:
  using Tracks = PacketWriter::Tracks;

  // A packet that describes a track, with what `fill` adds.
  template <typename Fill>
  void write_track(uint64_t uuid, Fill fill) {
    Message<perfetto::Track> track(packets_.next(), perfetto::Packet::kTrackDescriptor);
    track.add_uint64(perfetto::Track::kUuid, uuid);
    fill(track);
    track.commit();
    packets_.write();
  }

  void write_head() {
    using F = perfetto::ClockSnapshot;
    Message<perfetto::Packet>& packet = packets_.next();
    Message<perfetto::Defaults> defaults(packet, perfetto::Packet::kDefaults);
    defaults.add_uint32(perfetto::Defaults::kTimestampClockId, kRealTime);
    defaults.commit();
    Message<F> snapshot(packet, perfetto::Packet::kClockSnapshot);
    snapshot.add_uint32(F::kPrimaryTraceClock, kRealTime);
    Message<perfetto::Clock> clock(snapshot, F::kClocks);
    clock.add_uint32(perfetto::Clock::kClockId, kRealTime);
    clock.add_uint64(perfetto::Clock::kTimestamp, packets_.start_ns());
    clock.commit();
    snapshot.commit();
    packets_.write();
  }

  void write_processes() {
    for (size_t i = 0; i < ids_.processes.size(); ++i)
      write_track(packets_.uuid(Tracks::kProcesses, i), [&](Message<perfetto::Track>& track) {
        Message<perfetto::Process> process(track, perfetto::Track::kProcess);
        process.add_int32(perfetto::Process::kPid, static_cast<int32_t>(ids_.processes[i].pid));
        process.add_string(perfetto::Process::kName, ids_.processes[i].name);
      });
    for (size_t i = 0; i < ids_.tid.size(); ++i)
      write_track(packets_.uuid(Tracks::kThreads, i), [&](Message<perfetto::Track>& track) {
        track.add_uint64(perfetto::Track::kParentUuid, packets_.uuid(Tracks::kProcesses, ids_.process_of[i]));
        Message<perfetto::Thread> thread(track, perfetto::Track::kThread);
        thread.add_int32(perfetto::Thread::kPid, static_cast<int32_t>(ids_.processes[ids_.process_of[i]].pid));
        thread.add_int32(perfetto::Thread::kTid, static_cast<int32_t>(ids_.tid[i]));
        thread.add_string(perfetto::Thread::kName, ids_.labels[i]);
      });
  }

  uint64_t uuid_of(const MomentTrack& track, size_t index) const {
    const bool is_threads = track.thread != MomentTrack::kNone && track.lane == 0;
    return is_threads ? packets_.uuid(Tracks::kThreads, track.thread) : packets_.uuid(Tracks::kMoments, index);
  }

  void write_moments() {
    const Moments moments = moments_of(profile_);
    for (size_t i = 0; i < moments.tracks.size(); ++i) {
      const MomentTrack& its = moments.tracks[i];
      const std::string name = track_name(its);
      if (name.empty()) continue;
      write_track(uuid_of(its, i), [&](Message<perfetto::Track>& track) {
        using F = perfetto::Track;
        track.add_string(F::kName, name);
        if (its.thread != MomentTrack::kNone)
          track.add_uint64(F::kParentUuid, packets_.uuid(Tracks::kThreads, its.thread));
        else if (its.process < ids_.processes.size())
          track.add_uint64(F::kParentUuid, packets_.uuid(Tracks::kProcesses, its.process));
      });
    }
    for (auto at = moments.all.begin(); at != moments.all.end();) {
      const auto end = std::find_if(at, moments.all.end(), [&](const Moment& one) { return one.track != at->track; });
      write_events(std::span(at, end), uuid_of(moments.tracks[at->track], at->track));
      at = end;
    }
  }

  void write_events(std::span<const Moment> moments, uint64_t track) {
    std::vector<int64_t> open;  // ends of slices, outermost first
    const auto close = [&](int64_t until) {
      for (; !open.empty() && open.back() <= until; open.pop_back())
        write_event(open.back(), track, perfetto::EventType::kEnd, [](Message<perfetto::Event>&) {});
    };
    for (const Moment& moment : moments) {
      close(moment.begin_ns);
      write_moment(moment, track);
      if (!moment.is_point()) open.push_back(moment.end_ns);
    }
    close(INT64_MAX);
  }

  // A packet with an event of a track, with what `fill` adds.
  template <typename Fill>
  void write_event(int64_t ns, uint64_t track, perfetto::EventType type, Fill fill) {
    Message<perfetto::Event> event(packets_.next(ns), perfetto::Packet::kTrackEvent);
    event.add_enum(perfetto::Event::kType, static_cast<int32_t>(type));
    event.add_uint64(perfetto::Event::kTrackUuid, track);
    fill(event);
    event.commit();
    packets_.write();
  }

  void write_moment(const Moment& moment, uint64_t track) {
    using F = perfetto::Event;
    const auto type = moment.is_point() ? perfetto::EventType::kInstant : perfetto::EventType::kBegin;
    write_event(moment.begin_ns, track, type, [&](Message<F>& event) {
      Message<perfetto::Interned>& interned = packets_.interned();
      event.add_uint64(F::kCategoryIids, categories_.iid(moment_key(moment.kind), interned));
      event.add_uint64(F::kNameIid, event_names_.iid(moment_name(moment, profile_), interned));
      for (const auto& [name, value] : moment_details(moment, profile_)) {
        Message<perfetto::Annotation> detail(event, F::kDebugAnnotations);
        detail.add_uint64(perfetto::Annotation::kNameIid, detail_names_.iid(name, interned));
        if (const auto* text = std::get_if<std::string>(&value))
          detail.add_string(perfetto::Annotation::kString, *text);
        else if (const auto* number = std::get_if<uint64_t>(&value))
          detail.add_uint64(perfetto::Annotation::kUint, *number);
        else
          detail.add_bool(perfetto::Annotation::kBool, std::get<bool>(value));
      }
      if (const uint32_t node = moment_node(moment, profile_); node != 0)
        event.add_uint64(F::kCallstackIid, stacks_.iid(node, interned));
    });
  }

  void write_counters() {
    std::vector<profile::CounterSeries> all = profile::process_series(profile_);
    all.insert(all.end(), profile_.series.begin(), profile_.series.end());
    for (size_t i = 0; i < all.size(); ++i) {
      const uint64_t uuid = packets_.uuid(Tracks::kCounters, i);
      write_track(uuid, [&](Message<perfetto::Track>& track) {
        using F = perfetto::Track;
        track.add_string(F::kName, series_name(all[i]));
        const uint32_t process = all[i].process;
        if (process < ids_.processes.size())
          track.add_uint64(F::kParentUuid, packets_.uuid(Tracks::kProcesses, process));
        Message<perfetto::Counter> counter(track, F::kCounter);
        counter.add_string(perfetto::Counter::kUnitName, clean_text(all[i].unit));
      });
      for (const profile::CounterSeries::Point& point : all[i].points)
        write_event(std::max<int64_t>(point.ns, 0), uuid, perfetto::EventType::kCounter,
                    [&](Message<perfetto::Event>& event) {
                      event.add_double(perfetto::Event::kDoubleCounterValue, point.value);
                    });
    }
  }

  void write_samples() {
    using F = perfetto::Sample;
    const uint64_t period = std::max<uint64_t>(period_ns(profile_), 1);
    uint64_t counted = 0;
    for (const uint32_t index : samples_by_time(profile_)) {
      const profile::Sample& sample = profile_.samples[index];
      counted += sample.periods * period;
      Message<F> told(packets_.next(std::max<int64_t>(sample.ns, 0)), perfetto::Packet::kPerfSample);
      told.add_uint32(F::kPid, ids_.processes[ids_.process_of[sample.thread]].pid);
      told.add_uint32(F::kTid, ids_.tid[sample.thread]);
      told.add_uint64(F::kTimebaseCount, counted);
      told.add_uint64(F::kCallstackIid, stacks_.iid(sample.node, packets_.interned()));
      told.commit();
      packets_.write();
    }
  }

  const profile::Profile& profile_;
  TraceIds ids_;
  InternedStacks stacks_;
  PacketWriter packets_;
  InternedNames categories_{perfetto::Interned::kEventCategories};
  InternedNames event_names_{perfetto::Interned::kEventNames};
  InternedNames detail_names_{perfetto::Interned::kAnnotationNames};
};

Status write_perfetto(const profile::Profile& profile, const Options&, std::ostream& out) {
  PerfettoTrace(profile, out).write();
  return Status::ok();
}

}  // namespace

extern const Export kPerfettoExport = {
    .name = "perfetto",
    .description = "trace for ui.perfetto.dev: threads, samples, collections, locks, requests over time",
    .extension = ".perfetto-trace",
    .binary = true,
    .times = Export::Times::kOfAll,
    .write = write_perfetto,
};

}  // namespace oriel::exports
