// Perfetto's traces, read by the rules of the format: what a packet refers to was interned before, in its sequence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "exports/export.h"
#include "exports/text.h"
#include "exports/timed_shop.h"
#include "perfetto.pb.h"

namespace oriel::exports {
namespace {

namespace perfetto = ::oriel::testing::perfetto;  // as protobuf reads it

using ::testing::ElementsAre;
using testing::kMs;
using ::testing::UnorderedElementsAre;

class TraceReader {
 public:
  explicit TraceReader(const profile::Profile& profile) : start_(static_cast<uint64_t>(profile.start_unix_us) * 1000) {
    std::ostringstream out;
    const Status status = write_export(**find_export("perfetto"), profile, out);
    EXPECT_TRUE(status) << status.message();
    perfetto::Trace trace;
    EXPECT_TRUE(trace.ParseFromString(out.str()));
    for (const perfetto::TracePacket& packet : trace.packet()) read(packet, start_ + profile.wall_ns);
    for (const auto& [track, open] : open_) EXPECT_TRUE(open.empty()) << "a slice without an end";
  }

  std::vector<std::string> samples, events, counters;
  std::map<uint64_t, std::string> tracks;
  std::map<uint64_t, uint64_t> parents;

 private:
  using Names = std::map<uint64_t, std::string>;

  void read(const perfetto::TracePacket& packet, uint64_t end) {
    if (sequence_ == 0) {
      EXPECT_EQ(packet.sequence_flags(), perfetto::TracePacket::STATE_CLEARED);
      EXPECT_EQ(packet.trace_packet_defaults().timestamp_clock_id(), 1u);
      EXPECT_EQ(packet.clock_snapshot().primary_trace_clock(), 1u);
      EXPECT_EQ(packet.clock_snapshot().clocks(0).timestamp(), start_);
      sequence_ = packet.trusted_packet_sequence_id();
      EXPECT_NE(sequence_, 0u);
      return;
    }
    EXPECT_EQ(packet.trusted_packet_sequence_id(), sequence_);
    EXPECT_EQ(packet.sequence_flags(), perfetto::TracePacket::NEEDS_STATE);
    intern(packet.interned_data());
    if (packet.has_track_descriptor()) return add_track(packet.track_descriptor());
    EXPECT_GE(packet.timestamp(), start_);
    EXPECT_LE(packet.timestamp(), end);
    const std::string at = std::to_string((packet.timestamp() - start_) / kMs) + " ";
    if (packet.has_track_event()) return read(packet.track_event(), at);
    ASSERT_TRUE(packet.has_perf_sample());
    const perfetto::PerfSample& sample = packet.perf_sample();
    samples.push_back(at + std::to_string(sample.pid()) + "/" + std::to_string(sample.tid()) + " " +
                      std::to_string(sample.timebase_count() / kMs) + " " + stacks_.at(sample.callstack_iid()));
  }

  void add(const google::protobuf::RepeatedPtrField<perfetto::InternedName>& names, Names& to) {
    for (const perfetto::InternedName& name : names) EXPECT_TRUE(to.try_emplace(name.iid(), name.name()).second);
  }

  void intern(const perfetto::InternedData& data) {
    add(data.event_categories(), categories_);
    add(data.event_names(), names_);
    add(data.debug_annotation_names(), details_);
    add(data.function_names(), functions_);
    add(data.mapping_paths(), paths_);
    for (const perfetto::Mapping& mapping : data.mappings())
      EXPECT_TRUE(mappings_.try_emplace(mapping.iid(), paths_.at(mapping.path_string_ids(0))).second);
    for (const perfetto::Frame& frame : data.frames()) {
      EXPECT_TRUE(frame.has_rel_pc());
      const std::string name = functions_.at(frame.function_name_id()) + "@" + mappings_.at(frame.mapping_id());
      EXPECT_TRUE(frames_.try_emplace(frame.iid(), name).second);
    }
    for (const perfetto::Callstack& stack : data.callstacks()) {
      std::string names;
      for (const uint64_t frame : stack.frame_ids()) names += (names.empty() ? "" : ";") + frames_.at(frame);
      EXPECT_FALSE(names.empty());
      EXPECT_TRUE(stacks_.try_emplace(stack.iid(), names).second);
    }
  }

  void add_track(const perfetto::TrackDescriptor& track) {
    const std::string name = track.has_process()  ? track.process().process_name()
                             : track.has_thread() ? track.thread().thread_name()
                                                  : track.name();
    EXPECT_TRUE(tracks.try_emplace(track.uuid(), name).second);
    if (!track.has_parent_uuid()) return;
    EXPECT_TRUE(tracks.contains(track.parent_uuid()));
    parents[track.uuid()] = track.parent_uuid();
  }

  void read(const perfetto::TrackEvent& event, const std::string& at) {
    std::vector<std::string>& open = open_[event.track_uuid()];
    const std::string where = tracks.at(event.track_uuid()) + ": ";
    if (event.type() == perfetto::TrackEvent::COUNTER) {
      std::ostringstream value;
      value << event.double_counter_value();
      return counters.push_back(at + where + value.str());
    }
    if (event.type() == perfetto::TrackEvent::END) {
      ASSERT_FALSE(open.empty());
      events.push_back(open.back() + "-" + at.substr(0, at.size() - 1));
      return open.pop_back();
    }
    const std::string name = where + std::string(2 * open.size(), ' ') + names_.at(event.name_iid()) + " " + at;
    EXPECT_TRUE(categories_.contains(event.category_iids(0)));
    for (const perfetto::DebugAnnotation& detail : event.debug_annotations())
      EXPECT_TRUE(details_.contains(detail.name_iid()));
    const std::string text =
        name.substr(0, name.size() - 1) + (event.has_callstack_iid() ? " at " + stacks_.at(event.callstack_iid()) : "");
    if (event.type() == perfetto::TrackEvent::INSTANT) return events.push_back(text);
    ASSERT_EQ(event.type(), perfetto::TrackEvent::BEGIN);
    open.push_back(text);
  }

  uint64_t start_;
  uint32_t sequence_ = 0;
  Names categories_, names_, details_, functions_, paths_, mappings_, frames_, stacks_;
  std::map<uint64_t, std::vector<std::string>> open_;  // slices by track
};

TEST(Perfetto, SamplesHaveTheirTimeThreadAndStack) {
  const TraceReader trace(testing::timed_shop().profile());
  const std::string outer = "Shop.Program.Main()@Shop.dll;Shop.Cart.Add(int)@Shop.dll",
                    inner = outer + ";memcpy@libc.so.6";
  EXPECT_THAT(trace.samples, ElementsAre("0 100/100 1 " + inner, "2 100/100 2 " + outer, "3 100/100 3 " + inner,
                                         "4 100/101 4 [stack could not be read]@[no file]", "5 100/100 7 " + inner,
                                         "9 100/101 8 [callers not known]@[no file];Shop.Cart.Add(int)@Shop.dll"));
}

TEST(Perfetto, WhatHappenedIsOnItsTracks) {
  const TraceReader trace(testing::timed_shop().profile());
  const std::string outer = " at Shop.Program.Main()@Shop.dll;Shop.Cart.Add(int)@Shop.dll";
  EXPECT_THAT(
      trace.events,
      UnorderedElementsAre("Garbage collections: GC generation 2, background 10-40",
                           "Garbage collections: GC generation 0 20-25", "Garbage collections: GC generation 1 90-100",
                           "Pauses: Paused: other 10-11", "Pauses: Paused: other 20-25",
                           "Thread 101: Wait for System.Threading.Lock 10" + outer + "-30", "Main: Shop.Oops 5" + outer,
                           "Main: Shop.Oops 6", "Marks: half way 50", "Requests: GET /cart 10-60",
                           "Requests:   query 12-18", "Requests: GET /price 30-70"));
}

TEST(Perfetto, TracksAreOfTheProcess) {
  const TraceReader trace(testing::timed_shop().profile());
  for (const auto& [uuid, name] : trace.tracks)
    EXPECT_EQ(trace.parents.contains(uuid) ? trace.tracks.at(trace.parents.at(uuid)) : name, "Shop") << name;
}

TEST(Perfetto, CountersHaveTheirValues) {
  const TraceReader trace(testing::timed_shop().profile());
  EXPECT_THAT(trace.counters, ::testing::IsSupersetOf({"1 stock {kind=tea}: 7", "2 stock {kind=tea}: 6.5"}));
}

TEST(Perfetto, HostileNamesArriveClean) {
  const TraceReader trace(testing::hostile_shop().profile());
  EXPECT_EQ(trace.samples.size(), testing::hostile_names().size());
  EXPECT_EQ(trace.events.size(), 3 * testing::hostile_names().size());
  for (const std::vector<std::string>* all : {&trace.samples, &trace.events, &trace.counters})
    for (const std::string& text : *all) EXPECT_EQ(text, clean_text(text));
}

TEST(Perfetto, NothingSampledIsAValidFile) { EXPECT_TRUE(TraceReader(profile::Profile()).samples.empty()); }

}  // namespace
}  // namespace oriel::exports
