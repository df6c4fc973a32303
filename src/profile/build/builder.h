// The event sink that builds a Profile: passes each record to the processor responsible for it.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "log/range_decoder.h"
#include "profile/build/async/async_runs.h"
#include "profile/build/call_graphs.h"
#include "profile/build/call_lanes.h"
#include "profile/build/clock_map.h"
#include "profile/build/code_counts.h"
#include "profile/build/coverage_blocks.h"
#include "profile/build/exception_counts.h"
#include "profile/build/from_events.h"
#include "profile/build/lock_waits.h"
#include "profile/build/memory/collections.h"
#include "profile/build/memory/followed.h"
#include "profile/build/memory/heap_snapshots.h"
#include "profile/build/memory/memory_limit.h"
#include "profile/build/memory/sampled_allocations.h"
#include "profile/build/names.h"
#include "profile/build/reported_values.h"
#include "profile/build/stacks.h"
#include "profile/build/threads.h"
#include "profile/profile.h"

namespace oriel::profile {

class Builder : public log::RangeSink {
 public:
  // Announces the log's size in bytes: reserves memory, and limits what records may take in proportion to it.
  void expect(uint64_t bytes) {
    memory_limit_.open(bytes);
    threads_.expect(memory_limit_.for_threads());
    stacks_.expect(bytes);
  }
  // Keeps only samples between these counters. The others are counted (Profile::unfiltered_periods).
  void limit_samples(const log::CounterRange& range) { stacks_.limit(range); }
  // Counts only calls and allocations between these counters.
  void limit_calls(uint64_t from, uint64_t to) {
    calls_.limit({from, std::max(from, to)});
    sampled_allocations_.limit(from, to);
  }
  // Keeps no samples of threads with these ids, which are counted too. Calls of theirs need not be right.
  void leave_out_threads(std::unordered_set<uint64_t> ids) { threads_left_out_ = std::move(ids); }

  // What has none of these is passed over with an index.
  log::LogPart part() const {
    const log::CounterRange &samples = stacks_.limit(), calls = calls_.limit();
    return {{std::min(samples.from, calls.from), std::max(samples.to, calls.to)}, threads_left_out_};
  }

  // Keeps physical stacks: samples in async methods are not moved under the methods that await them.
  void keep_physical_stacks() { async_runs_.keep_physical_stacks(); }

  void on_intro(const log::Intro& intro) override;
  void on_load(const log::Load& load) override { code_.add(load); }
  void on_image(const log::ImageName& image) override { add_name(image); }
  void on_image_origin(const log::ImageOrigin& origin) override { add_name(origin); }
  void on_library_build(const log::LibraryBuild& build) override { add_name(build); }
  void on_native_address(const log::NativeAddress& address) override { add_name(address); }
  void on_method_definition(const log::MethodDefinition& method) override { add_name(method); }
  void on_unoptimized_image(const log::UnoptimizedImage& image) override { add_name(image); }
  void on_method_box(const log::MethodBox& box) override { add_name(box); }
  void on_image_symbols(const log::ImageSymbols& symbols) override { add_name(symbols); }
  void on_class(const log::ClassName& klass) override {
    if (!memory_limit_.for_record()) return;
    names_.add(klass);
    calls_.add(klass);
  }
  void on_method(const log::MethodName& method) override { add_name(method); }
  void on_library(const log::LibraryName& library) override { add_name(library); }
  void on_native(const log::NativeName& native) override { add_name(native); }
  void on_thread(const log::ThreadName& thread) override;
  void on_clock(const ClockPair& pair) override { clock_.add(pair); }
  void on_unpacked(uint64_t bytes) override {
    memory_limit_.add_unpacked(bytes);
    threads_.expect(memory_limit_.for_threads());
  }
  void on_event(const log::Event& event) override;
  void on_calls(uint64_t thread, std::span<const log::Call> calls) override {
    calls_.add(threads_.index(thread), calls);
  }
  bool on_calls_block(const log::BlockView& block, const log::CallsBlock& head, const log::Cursor& contents) override;
  void on_lost_calls(const log::CallsBlock& head) override { calls_.lose(threads_.index(head.thread)); }
  void on_stack_node(const log::StackNode& node) override {
    if (memory_limit_.for_record()) stacks_.add(node);
  }
  void on_node_il(uint64_t node, uint32_t il) override { stacks_.place(node, il); }
  void on_sample(uint64_t thread, const log::Sample& sample) override { on_samples(thread, {&sample, 1}); }
  void on_samples(uint64_t thread, std::span<const log::Sample> samples) override;
  // Of samples and calls that are outside the limit.
  void on_passed(uint64_t thread) override { threads_.index(thread); }
  void on_passed(const log::PassedThread& passed) override;
  void on_passed(const log::PassedFrame& passed) override {
    if (memory_limit_.for_record()) stacks_.leave_out(passed);
  }
  void on_passed(const log::PassedCalls& passed) override { calls_.pass_over(passed); }
  void on_passed(const log::PassedStack& passed) override { calls_.pass_over(threads_.index(passed.thread), passed); }
  void on_compiling(uint64_t thread, const log::Compiling& compiling) override;
  void on_statistical(const log::Statistical& hits) override;
  void on_call_graph(const log::CallGraph& graph) override;
  void on_call_node(const log::CallNode& node) override { call_graphs_.add(node); }
  void on_call_timing(const log::CallTiming& timing) override { call_graphs_.add(timing); }
  void on_call_entries(const log::CallEntries& entries) override { call_graphs_.add(entries); }
  void on_gc_parts(const log::GcParts& parts) override;
  void on_coverage(const log::Coverage& block) override { coverage_.add(block, memory_limit_, profile_); }
  // As CoverageBlocks::add_counters.
  void add_counters(std::vector<log::Coverage> periods) {
    coverage_.add_counters(std::move(periods), memory_limit_, profile_);
  }
  void on_options(const log::OptionChange& change) override;
  void on_heap(const log::HeapSnapshot& snapshot) override {
    if (memory_limit_.for_record()) heap_snapshots_.add(snapshot, threads_);
  }
  void on_process(const log::ProcessUsage& usage) override {
    profile_.usage = usage;
    if (memory_limit_.for_record()) usages_.push_back(usage);
  }
  void on_hole() override { calls_.lose_all(); }
  void on_lost(const log::Lost& lost) override;
  void on_lost_of_thread(const log::LostOfThread& lost) override;
  void on_counter(const log::Counter& counter) override;
  void on_end(const log::End& end) override;
  void on_problem(uint64_t offset, const std::string& message) override;

  // Returns the profile. The builder must not be used afterwards.
  Profile finish(const log::DecodeOutcome& outcome);

 private:
  struct Takers;
  struct Finishing;
  struct Step;
  template <typename Name>
  void add_name(const Name& name) {
    if (memory_limit_.for_record()) names_.add(name);
  }
  void follow(const log::Intro& intro);
  void begin_segment();
  void touch(uint32_t thread, uint64_t counter);
  void join_calls();
  void read_properties();
  uint64_t periods_left_out() const;
  void report_dropped_records();
  void add_gc_parts();

  Profile profile_;
  MemoryLimit memory_limit_;
  std::unordered_set<uint64_t> threads_left_out_;
  Names names_;
  ClockMap clock_;
  Stacks stacks_;
  CallLanes calls_;
  bool has_blocks_of_calls_ = false;  // their lanes have memory of their own
  SampledAllocations sampled_allocations_;
  Followed followed_;
  HeapSnapshots heap_snapshots_;
  CallGraphs call_graphs_;
  CoverageBlocks coverage_;
  Threads threads_;
  Collections collections_;
  ExceptionCounts exceptions_;
  LockWaits lock_waits_;
  ReportedValues reported_values_;
  table::FromEvents from_events_;
  std::vector<log::OptionChange> option_changes_;
  // Of a recorder's log: what its segments before this one have counted.
  std::vector<Lost> lost_before_;
  std::vector<Counter> counters_before_;
  std::map<uint32_t, LostOfThread> lost_by_thread_;
  std::vector<log::ProcessUsage> usages_;
  std::vector<log::GcPart> gc_parts_;
  AsyncMarks async_marks_;
  AsyncRuns async_runs_;
  CodeCounts code_;
  uint32_t segments_ = 0;                                        // of a recorder's log, after the first
  uint64_t last_counter_ = 0;                                    // of anything
  std::vector<std::pair<uint64_t, std::string>> problems_told_;  // and where; the first of them
  uint64_t problems_ = 0;
};

}  // namespace oriel::profile
