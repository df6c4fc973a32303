// Perfetto's protobuf trace: threads, samples with their stacks, and what happened, on one time line. Streamed, packet
// by packet: a trace may be larger than memory.
//
// Samples are perf_sample packets (field 66). Perfetto 58 also reads a newer kind (135), but that has no interned
// stack, so that each sample would be as long as its stack; and viewers of all versions read the older.
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "exports/export.h"
#include "exports/frames.h"
#include "exports/moments.h"
#include "exports/text.h"
#include "exports/trace_ids.h"
#include "pdb/find.h"
#include "perfetto.pb.h"
#include "profile/work/series.h"

namespace oriel::exports {
namespace {

constexpr uint32_t kRealTime = 1;  // Perfetto's number of the clock that counts since 1970

// Adds the packets' common fields and writes them.
class PacketWriter {
 public:
  PacketWriter(const profile::Profile& profile, std::ostream& out)
      : out_(out),
        start_ns_(static_cast<uint64_t>(std::max<int64_t>(profile.start_unix_us, 0)) * 1000),
        mark_(start_ns_ * 0x9E3779B97F4A7C15) {}

  // An empty packet, to be filled and written.
  perfetto::TracePacket& next() {
    packet_.Clear();
    return packet_;
  }
  perfetto::TracePacket& next(int64_t ns) {
    packet_.Clear();
    packet_.set_timestamp(start_ns_ + static_cast<uint64_t>(ns));
    return packet_;
  }
  uint64_t start_ns() const { return start_ns_; }

  void write() {
    using Packet = perfetto::TracePacket;
    packet_.set_trusted_packet_sequence_id(static_cast<uint32_t>(mark_ >> 40) | 1);
    packet_.set_sequence_flags(is_first_ ? Packet::STATE_CLEARED : Packet::NEEDS_STATE);
    is_first_ = false;
    constexpr char kPacketOfTrace = (1 << 3) | 2;  // a field with a length
    buffer_ += kPacketOfTrace;
    for (size_t size = packet_.ByteSizeLong(); true; size >>= 7) {
      buffer_ += static_cast<char>((size & 0x7F) | (size > 0x7F ? 0x80 : 0));
      if (size <= 0x7F) break;
    }
    packet_.AppendToString(&buffer_);
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
  perfetto::TracePacket packet_;
  std::string buffer_;
  bool is_first_ = true;
};

// Names by which packets of the sequence refer to texts. A new one goes into the packet that needs it.
class InternedNames {
 public:
  uint64_t iid(const std::string& name, google::protobuf::RepeatedPtrField<perfetto::InternedName>& to) {
    const auto [at, is_new] = known_.try_emplace(name, known_.size() + 1);
    if (is_new) {
      perfetto::InternedName& interned = *to.Add();
      interned.set_iid(at->second);
      interned.set_name(name);
    }
    return at->second;
  }

 private:
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

  uint64_t iid(uint32_t node, perfetto::TracePacket& packet) {
    if (!has_node_[node]) {
      has_node_[node] = true;
      stack_of(profile_, frames_, node, stack_);
      for (const uint32_t frame : stack_) add_frame(frame, *packet.mutable_interned_data());
      perfetto::Callstack& stack = *packet.mutable_interned_data()->add_callstacks();
      stack.set_iid(node + uint64_t{1});
      for (const uint32_t frame : stack_) stack.add_frame_ids(frame + uint64_t{1});
    }
    return node + uint64_t{1};
  }

 private:
  void add_frame(uint32_t index, perfetto::InternedData& to) {
    if (has_frame_[index]) return;
    has_frame_[index] = true;
    const Frame& frame = frames_.frames[index];
    perfetto::Frame& added = *to.add_frames();
    added.set_iid(index + uint64_t{1});
    added.set_function_name_id(function_names_.iid(frame.name, *to.mutable_function_names()));
    // Older viewers leave out frames that are in no file.
    added.set_mapping_id(mapping(frame.module.empty() ? "[no file]" : frame.module, to));
    added.set_rel_pc(0);
    if (!frame.file.empty()) {
      added.set_source_path_iid(source_paths_.iid(frame.file, *to.mutable_source_paths()));
      added.set_line_number(frame.line);
    }
    using Kinds = perfetto::Frame;
    const bool is_managed = frame.kind == FrameKind::kManaged;
    added.set_kind(is_managed ? Kinds::JIT : frame.kind == FrameKind::kRuntime ? Kinds::RUNTIME : Kinds::NATIVE);
  }

  uint64_t mapping(const std::string& module, perfetto::InternedData& to) {
    const int before = to.mapping_paths_size();
    const uint64_t iid = mapping_paths_.iid(module, *to.mutable_mapping_paths());
    if (to.mapping_paths_size() != before) {
      perfetto::Mapping& added = *to.add_mappings();
      added.set_iid(iid);
      added.add_path_string_ids(iid);
    }
    return iid;
  }

  const profile::Profile& profile_;
  FrameTable frames_;
  std::vector<bool> has_node_, has_frame_;
  InternedNames function_names_, mapping_paths_, source_paths_;
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

  void write_head() {
    perfetto::TracePacket& packet = packets_.next();
    packet.mutable_trace_packet_defaults()->set_timestamp_clock_id(kRealTime);
    perfetto::ClockSnapshot& snapshot = *packet.mutable_clock_snapshot();
    snapshot.set_primary_trace_clock(kRealTime);
    perfetto::ClockSnapshot::Clock& clock = *snapshot.add_clocks();
    clock.set_clock_id(kRealTime);
    clock.set_timestamp(packets_.start_ns());
    packets_.write();
  }

  void write_processes() {
    for (size_t i = 0; i < ids_.processes.size(); ++i) {
      perfetto::TrackDescriptor& track = *packets_.next().mutable_track_descriptor();
      track.set_uuid(packets_.uuid(Tracks::kProcesses, i));
      track.mutable_process()->set_pid(static_cast<int32_t>(ids_.processes[i].pid));
      track.mutable_process()->set_process_name(ids_.processes[i].name);
      packets_.write();
    }
    for (size_t i = 0; i < ids_.tid.size(); ++i) {
      perfetto::TrackDescriptor& track = *packets_.next().mutable_track_descriptor();
      track.set_uuid(packets_.uuid(Tracks::kThreads, i));
      track.set_parent_uuid(packets_.uuid(Tracks::kProcesses, ids_.process_of[i]));
      track.mutable_thread()->set_pid(static_cast<int32_t>(ids_.processes[ids_.process_of[i]].pid));
      track.mutable_thread()->set_tid(static_cast<int32_t>(ids_.tid[i]));
      track.mutable_thread()->set_thread_name(ids_.labels[i]);
      packets_.write();
    }
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
      perfetto::TrackDescriptor& track = *packets_.next().mutable_track_descriptor();
      track.set_uuid(uuid_of(its, i));
      track.set_name(name);
      if (its.thread != MomentTrack::kNone)
        track.set_parent_uuid(packets_.uuid(Tracks::kThreads, its.thread));
      else if (its.process < ids_.processes.size())
        track.set_parent_uuid(packets_.uuid(Tracks::kProcesses, its.process));
      packets_.write();
    }
    for (auto at = moments.all.begin(); at != moments.all.end();) {
      const auto end = std::find_if(at, moments.all.end(), [&](const Moment& one) { return one.track != at->track; });
      write_track(std::span(at, end), uuid_of(moments.tracks[at->track], at->track));
      at = end;
    }
  }

  void write_track(std::span<const Moment> moments, uint64_t track) {
    std::vector<int64_t> open;  // ends of slices, outermost first
    const auto close = [&](int64_t until) {
      for (; !open.empty() && open.back() <= until; open.pop_back()) {
        perfetto::TrackEvent& event = *packets_.next(open.back()).mutable_track_event();
        event.set_type(perfetto::TrackEvent::END);
        event.set_track_uuid(track);
        packets_.write();
      }
    };
    for (const Moment& moment : moments) {
      close(moment.begin_ns);
      write_event(moment, track);
      if (!moment.is_point()) open.push_back(moment.end_ns);
    }
    close(INT64_MAX);
  }

  void write_event(const Moment& moment, uint64_t track) {
    perfetto::TracePacket& packet = packets_.next(moment.begin_ns);
    perfetto::InternedData& interned = *packet.mutable_interned_data();
    perfetto::TrackEvent& event = *packet.mutable_track_event();
    event.set_type(moment.is_point() ? perfetto::TrackEvent::INSTANT : perfetto::TrackEvent::BEGIN);
    event.set_track_uuid(track);
    event.add_category_iids(categories_.iid(moment_key(moment.kind), *interned.mutable_event_categories()));
    event.set_name_iid(event_names_.iid(moment_name(moment, profile_), *interned.mutable_event_names()));
    for (const auto& [name, value] : moment_details(moment, profile_)) {
      perfetto::DebugAnnotation& detail = *event.add_debug_annotations();
      detail.set_name_iid(detail_names_.iid(name, *interned.mutable_debug_annotation_names()));
      if (const auto* text = std::get_if<std::string>(&value))
        detail.set_string_value(*text);
      else if (const auto* number = std::get_if<uint64_t>(&value))
        detail.set_uint_value(*number);
      else
        detail.set_bool_value(std::get<bool>(value));
    }
    if (const uint32_t node = moment_node(moment, profile_); node != 0)
      event.set_callstack_iid(stacks_.iid(node, packet));
    if (interned.ByteSizeLong() == 0) packet.clear_interned_data();
    packets_.write();
  }

  void write_counters() {
    std::vector<profile::CounterSeries> all = profile::process_series(profile_);
    all.insert(all.end(), profile_.series.begin(), profile_.series.end());
    for (size_t i = 0; i < all.size(); ++i) {
      const uint64_t uuid = packets_.uuid(Tracks::kCounters, i);
      perfetto::TrackDescriptor& track = *packets_.next().mutable_track_descriptor();
      track.set_uuid(uuid);
      track.set_name(series_name(all[i]));
      const uint32_t process = all[i].process;
      if (process < ids_.processes.size()) track.set_parent_uuid(packets_.uuid(Tracks::kProcesses, process));
      track.mutable_counter()->set_unit_name(clean_text(all[i].unit));
      packets_.write();
      for (const profile::CounterSeries::Point& point : all[i].points) {
        perfetto::TrackEvent& event = *packets_.next(std::max<int64_t>(point.ns, 0)).mutable_track_event();
        event.set_type(perfetto::TrackEvent::COUNTER);
        event.set_track_uuid(uuid);
        event.set_double_counter_value(point.value);
        packets_.write();
      }
    }
  }

  void write_samples() {
    const uint64_t period = std::max<uint64_t>(period_ns(profile_), 1);
    uint64_t counted = 0;
    for (const uint32_t index : samples_by_time(profile_)) {
      const profile::Sample& sample = profile_.samples[index];
      counted += sample.periods * period;
      perfetto::TracePacket& packet = packets_.next(std::max<int64_t>(sample.ns, 0));
      perfetto::PerfSample& told = *packet.mutable_perf_sample();
      told.set_pid(ids_.processes[ids_.process_of[sample.thread]].pid);
      told.set_tid(ids_.tid[sample.thread]);
      told.set_timebase_count(counted);
      told.set_callstack_iid(stacks_.iid(sample.node, packet));
      packets_.write();
    }
  }

  const profile::Profile& profile_;
  TraceIds ids_;
  InternedStacks stacks_;
  PacketWriter packets_;
  InternedNames categories_, event_names_, detail_names_;
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
