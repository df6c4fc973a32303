#include "profile/build/builder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "log/properties.h"
#include "oriel/oriel.h"
#include "profile/recorded.h"
#include "profile/waiting/waits.h"

namespace oriel::profile {
namespace {

constexpr uint64_t kMaxProblems = DamagedBlocks::kMostKept;  // one sentence each; a log of noise has endless ones

Usage usage_of(const log::ProcessUsage& told, const ClockMap& clock) {
  constexpr uint64_t kMost = uint64_t{1} << 50;  // a corrupt log may claim more
  Usage usage;
  usage.ns = clock.ns(told.clock.counter);
  usage.user_ns = static_cast<int64_t>(std::min(told.user_us, kMost) * 1000);
  usage.system_ns = static_cast<int64_t>(std::min(told.system_us, kMost) * 1000);
  usage.max_rss = std::min(told.max_rss_kb, kMost) * 1024;
  return usage;
}

OptionChange change_of(const log::OptionChange& told, const ClockMap& clock) {
  OptionChange change{clock.ns(told.clock.counter), told.module, told.running, told.options, {}, 0};
  for (const auto& [key, value] : told.properties) change.properties.push_back(key + "=" + value);
  return change;
}

// Whether each step comes after all steps that it names.
template <typename Step, size_t Count>
constexpr bool are_in_order(const Step (&steps)[Count]) {
  for (size_t at = 0; at < Count; ++at) {
    for (std::string_view rest = steps[at].after; !rest.empty();) {
      const size_t comma = std::min(rest.find(", "), rest.size());
      bool found = false;
      for (size_t before = 0; before < at; ++before) found = found || steps[before].name == rest.substr(0, comma);
      if (!found) return false;
      rest.remove_prefix(std::min(comma + 2, rest.size()));
    }
  }
  return true;
}

}  // namespace

// What the segments of a recorder's log count, each for itself, is added up.
void Builder::begin_segment() {
  lost_before_ = profile_.lost;
  counters_before_ = profile_.counters;
  std::erase_if(counters_before_, [](const Counter& counter) { return !log::is_of_file(counter.name); });
}

void Builder::on_intro(const log::Intro& intro) {
  constexpr uint32_t kMostSegments = 1000;  // a recorder has a few dozen
  if (property(profile_.intro, log::property::kRecorderSeconds)) {
    if (++segments_ < kMostSegments) begin_segment();
    return follow(intro);
  }
  profile_.intro = intro;
  last_counter_ = std::max(last_counter_, intro.clock.counter);
  names_.add(intro);
  follow(intro);
}

// A segment of a recorder's log begins with the options that are in force.
void Builder::on_options(const log::OptionChange& change) {
  if (!memory_limit_.for_record()) return;
  const log::OptionChange* const last = option_changes_.empty() ? nullptr : &option_changes_.back();
  const bool is_known = last && last->module == change.module && last->running && last->options == change.options;
  if (is_known && change.properties.empty() && change.running) return;
  option_changes_.push_back(change);
  follow({.runtime = {}, .clock = {}, .properties = change.properties});
}

// Keeps what records mean that are logged with these properties.
void Builder::follow(const log::Intro& intro) {
  if (property(intro, log::property::kAsync)) sampled_allocations_.keep_times();
  const std::string* followed = property(intro, log::property::kFollowed);
  if (followed != nullptr) sampled_allocations_.leave_out_followed(*followed != "start");
  if (property(intro, log::property::kExceptionsStacks)) exceptions_.keep_stacks();
}

void Builder::on_thread(const log::ThreadName& thread) {
  if (!memory_limit_.for_record()) return;
  threads_.index(thread.id);
  names_.add(thread);
}

void Builder::touch(uint32_t thread, uint64_t counter) {
  threads_.seen(thread, counter);
  if (counter > last_counter_) last_counter_ = counter;
}

// Which processors take which event. A processor has a line here; tables whose rows each come from one event need none
// (tables.h).
struct Builder::Takers {
  using Take = void (*)(Builder& builder, const Incoming& told);
  static constexpr size_t kNumbers = 1024;  // greater than the numbers of packed_events.def
  static constexpr size_t kMost = 2;        // takers of one event
  struct OfEvent {
    std::array<Take, kMost> takes{};
    size_t count = 0;
  };
  using Table = std::array<OfEvent, kNumbers>;

  static constexpr void add(uint32_t event, Take take, Table& table) {
    OfEvent& of_event = table[event];
    // Out of bounds, so no constant and an error of compilation, if there are more takers.
    of_event.takes[of_event.count++] = take;
  }
  template <auto Processor>
  static constexpr void add(Table& table) {
    using Taker = std::remove_cvref_t<decltype(std::declval<Builder&>().*Processor)>;
    [&]<size_t... At>(std::index_sequence<At...>) { (add(Taker::kTakes[At].event, hand<Processor, At>, table), ...); }
    (std::make_index_sequence<std::size(Taker::kTakes)>());
  }
  template <auto Processor, size_t At>
  static void hand(Builder& builder, const Incoming& told) {
    using Taker = std::remove_cvref_t<decltype(builder.*Processor)>;
    ((builder.*Processor).*Taker::kTakes[At].take)(told);
  }
  template <typename Row, auto Rows>
  static constexpr void add_rows(Table& table) {
    if constexpr (table::MadeFromEvents<Row>) add(Row::kEvent, make_row<Rows>, table);
  }
  template <auto Rows>
  static void make_row(Builder& builder, const Incoming& told) {
    builder.from_events_.add(told, builder.profile_.*Rows);
  }

  // Follows what it calls, which clang else does not know while it makes a constant.
  static constexpr Table made() {
    Table table{};
    add<&Builder::calls_>(table);
    add<&Builder::followed_>(table);
    add<&Builder::sampled_allocations_>(table);
    add<&Builder::lock_waits_>(table);
    add<&Builder::async_marks_>(table);
    add<&Builder::async_runs_>(table);
    add<&Builder::reported_values_>(table);
    add<&Builder::collections_>(table);
    add<&Builder::exceptions_>(table);
    add<&Builder::code_>(table);
    add<&Builder::threads_>(table);
#define ORIEL_TABLE(name, Row, Rows, help) add_rows<Row, &Tables::name>(table);
    ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
    return table;
  }
};

void Builder::on_event(const log::Event& event) {
  static constexpr Takers::Table kTakers = Takers::made();
  const uint32_t thread = threads_.index(event.thread);
  touch(thread, event.counter);
  const uint32_t stack = event.stack != 0 ? stacks_.node_of(event.stack) : 0;
  if (event.number >= kTakers.size()) return;
  const Incoming told{event, thread, stack, threads_, memory_limit_};
  const Takers::OfEvent& takers = kTakers[event.number];
  for (size_t i = 0; i < takers.count; ++i) takers.takes[i](*this, told);
}

bool Builder::on_calls_block(const log::BlockView& block, const log::CallsBlock& head, const log::Cursor& contents) {
  // In a recorder's log the ids of stacks begin anew in each segment: there they have to be followed at once.
  if (property(profile_.intro, log::property::kRecorderSeconds)) return false;
  if (!std::exchange(has_blocks_of_calls_, true)) memory_limit_.raise_limit(kCallLanes * CallLane::kMostMemory);
  return calls_.add(threads_.index(head.thread), block, head, contents);
}

void Builder::on_samples(uint64_t thread, std::span<const log::Sample> samples) {
  const auto some = samples.first(memory_limit_.for_small_records(samples.size()));
  if (some.empty()) return;
  const uint32_t index = threads_.index(thread);
  const auto [first, last] = std::ranges::minmax(some, {}, &log::Sample::counter);
  touch(index, first.counter);
  touch(index, last.counter);
  code_.saw(thread, some);
  if (threads_left_out_.contains(thread))
    stacks_.leave_out(some);
  else
    stacks_.add(index, some);
}

void Builder::on_passed(const log::PassedThread& passed) {
  const uint32_t thread = threads_.index(passed.thread);
  touch(thread, passed.seen.from);
  touch(thread, passed.seen.to);
}

void Builder::on_compiling(uint64_t thread, const log::Compiling& compiling) {
  if (!memory_limit_.for_record()) return;
  const uint64_t node = code_.node_of(thread, compiling.counter);
  code_.add(threads_.index(thread), node == 0 ? 0 : stacks_.node_of(node), compiling);
}

void Builder::on_statistical(const log::Statistical& hits) {
  if ((hits.methods.empty() && hits.natives.empty()) || !memory_limit_.for_record()) return;
  const uint32_t thread = threads_.index(0);  // the block is about all threads together
  threads_.set_name(thread, "all threads");
  touch(thread, hits.start);
  touch(thread, hits.end);
  stacks_.add_hits(thread, hits);
}

void Builder::on_call_graph(const log::CallGraph& graph) {
  const uint32_t thread = threads_.index(graph.thread);
  if (graph.thread == 0) threads_.set_name(thread, std::to_string(graph.threads) + " threads that have ended");
  last_counter_ = std::max(last_counter_, graph.counter);  // does not show that the thread was alive
  call_graphs_.begin(thread, graph);
}

void Builder::on_gc_parts(const log::GcParts& parts) {
  for (const log::GcPart& part : parts.parts)
    if (memory_limit_.for_record()) gc_parts_.push_back(part);
}

void Builder::add_gc_parts() {
  constexpr uint64_t kMostNs = uint64_t{1} << 60;
  for (const log::GcPart& told : gc_parts_) {
    const auto ns = static_cast<int64_t>(std::min(told.ns, kMostNs));
    profile_.gc_parts.push_back({clock_.ns(told.counter), ns, threads_.index(told.thread), told.number,
                                 told.responsible, told.kept_bytes, told.promoted_bytes, told.freed_bytes, told.roots});
  }
  std::ranges::stable_sort(profile_.gc_parts, {}, &GcPart::start_ns);
}

void Builder::on_lost(const log::Lost& lost) {
  for (Lost& known : profile_.lost) {
    if (known.reason != lost.reason) continue;
    const auto before = std::ranges::find(lost_before_, lost.reason, &Lost::reason);
    const uint64_t count = lost.count + (before != lost_before_.end() ? before->count : 0);
    known.count = std::max(known.count, count);
    return;
  }
  constexpr size_t kMostReasons = 1000;  // as with counters
  if (profile_.lost.size() < kMostReasons) profile_.lost.push_back({lost.reason, lost.count});
}

void Builder::on_lost_of_thread(const log::LostOfThread& lost) {
  if (!memory_limit_.for_record()) return;
  const uint32_t thread = threads_.index(lost.thread);
  LostOfThread& its = lost_by_thread_[thread];
  its.thread = thread;
  its.samples += lost.samples;
  its.events += lost.events;
  its.calls += lost.calls;
  its.allocations += lost.allocations;
}

void Builder::on_counter(const log::Counter& counter) {
  for (Counter& known : profile_.counters) {
    if (known.name != counter.name) continue;
    const auto before = std::ranges::find(counters_before_, counter.name, &Counter::name);
    known.count = counter.count + (before != counters_before_.end() ? before->count : 0);
    return;
  }
  constexpr size_t kMostCounters = 1000;  // a corrupt log may invent any number of names
  if (profile_.counters.size() < kMostCounters) profile_.counters.push_back({counter.name, counter.count});
}

void Builder::on_end(const log::End& end) { last_counter_ = std::max(last_counter_, end.clock.counter); }

void Builder::on_problem(uint64_t offset, const std::string& message) {
  if (++problems_ <= kMaxProblems) problems_told_.emplace_back(offset, message);
}

// What was decoded in the background is known now.
void Builder::join_calls() {
  calls_.join([this](uint64_t stack) { return stacks_.node_of(stack); });
  calls_.each_thread([this](uint32_t thread, const log::CounterRange& seen) {
    touch(thread, seen.from);
    touch(thread, seen.to);
  });
  const DamagedBlocks damaged = calls_.damaged();
  profile_.outcome.blocks -= damaged.count;
  profile_.outcome.corrupt_blocks += damaged.count;
  problems_ += damaged.count;
  for (const DamagedCalls& one : damaged.first) problems_told_.emplace_back(one.offset, one.text);
  std::ranges::stable_sort(problems_told_, {}, &std::pair<uint64_t, std::string>::first);
  problems_told_.resize(std::min<size_t>(problems_told_.size(), kMaxProblems));
  for (const auto& [offset, message] : problems_told_)
    profile_.problems.push_back("at byte " + std::to_string(offset) + ": " + message);
}

void Builder::read_properties() {
  profile_.start_unix_us = static_cast<int64_t>(profile_.intro.clock.unix_us);
  const std::string* mode = property(profile_.intro, log::property::kSamplingMode);
  profile_.sampling_mode = mode ? *mode : "none";
  const uint64_t hz = number_property(profile_.intro, log::property::kSamplingHz);
  if (hz <= std::numeric_limits<uint32_t>::max()) profile_.sampling_hz = static_cast<uint32_t>(hz);
}

// The state that steps of finish() share.
struct Builder::Finishing {
  Functions functions;
  ProbeCosts costs;
  std::optional<LogicalStacks> stacks = {};
};

// A step of finish(), which runs them in order. `after` names the steps whose results it reads.
struct Builder::Step {
  std::string_view name;
  std::string_view after;
  void (*run)(Builder& builder, Finishing& with);
};

Profile Builder::finish(const log::DecodeOutcome& outcome) {
  static constexpr Step kSteps[] = {
      {"stacks", "", [](Builder& b, Finishing& f) { b.stacks_.finish(b.names_, b.clock_, f.functions, b.profile_); }},
      {"calls", "stacks",
       [](Builder& b, Finishing& f) {
         b.calls_.finish(b.names_, b.clock_, b.last_counter_, f.costs, f.functions, b.profile_);
       }},
      {"call graphs", "calls",
       [](Builder& b, Finishing& f) {
         if (b.call_graphs_.empty() || b.profile_.call_total().enters != 0) return;
         b.call_graphs_.finish(b.names_, b.clock_, b.profile_.intro.clock.counter, f.costs, f.functions, b.profile_);
       }},
      {"code", "stacks", [](Builder& b, Finishing& f) { b.code_.finish(b.names_, b.clock_, f.functions, b.profile_); }},
      {"lock waits", "stacks",
       [](Builder& b, Finishing& f) { b.lock_waits_.finish(b.names_, b.clock_, f.functions, b.profile_); }},
      {"origins", "stacks",
       [](Builder& b, Finishing&) {
         b.profile_.origins = b.names_.origins();
         b.profile_.unoptimized = b.names_.unoptimized();
       }},
      {"parts of collections", "", [](Builder& b, Finishing&) { b.add_gc_parts(); }},
      {"threads", "parts of collections",
       [](Builder& b, Finishing&) { b.profile_.threads = b.threads_.finish(b.names_, b.clock_); }},
      // Moves samples, and everything else with a stack, to the logical stacks, under the awaiting methods.
      {"async", "stacks, threads",
       [](Builder& b, Finishing& f) {
         f.stacks.emplace(b.async_runs_.finish(b.async_marks_, b.names_, b.clock_, f.functions, b.profile_));
       }},
      {"stacks of lock waits", "lock waits, async",
       [](Builder& b, Finishing& f) {
         for (LockWait& wait : b.profile_.lock_waits) wait.node = f.stacks->of(wait.thread, wait.end_ns, wait.node);
       }},
      {"sampled allocations", "calls, async",
       [](Builder& b, Finishing& f) {
         b.sampled_allocations_.finish(b.names_, b.clock_, *f.stacks, f.functions, b.profile_);
         std::vector<CallFigures>& figures = b.profile_.call_figures;
         for (uint32_t i = 0; i < figures.size(); ++i) figures[i].node = i;
       }},
      {"told values", "", [](Builder& b, Finishing&) { b.reported_values_.finish(b.clock_, b.profile_); }},
      {"rows of events", "async",
       [](Builder& b, Finishing& f) { b.from_events_.finish(b.clock_, *f.stacks, b.profile_); }},
      {"option changes", "",
       [](Builder& b, Finishing&) {
         for (const log::OptionChange& change : b.option_changes_)
           b.profile_.option_changes.push_back(change_of(change, b.clock_));
       }},
      {"usages", "",
       [](Builder& b, Finishing&) {
         for (const log::ProcessUsage& usage : b.usages_) b.profile_.usages.push_back(usage_of(usage, b.clock_));
       }},
      {"waits", "async", [](Builder& b, Finishing&) { split_waits(b.profile_); }},
      {"counts of samples", "waits, threads", [](Builder& b, Finishing&) { count_samples(b.profile_); }},
      {"collections", "", [](Builder& b, Finishing&) { b.collections_.finish(b.clock_, b.profile_); }},
      {"followed", "async, collections",
       [](Builder& b, Finishing& f) { b.followed_.finish(b.names_, b.clock_, *f.stacks, f.functions, b.profile_); }},
      {"heap snapshots", "stacks",
       [](Builder& b, Finishing& f) { b.heap_snapshots_.finish(b.names_, b.clock_, f.functions, b.profile_); }},
      {"coverage", "", [](Builder& b, Finishing&) { b.coverage_.finish(b.profile_); }},
      {"exceptions", "async",
       [](Builder& b, Finishing& f) { b.exceptions_.finish(b.names_, b.clock_, *f.stacks, f.functions, b.profile_); }},
  };
  static_assert(are_in_order(kSteps));
  read_properties();
  profile_.outcome = outcome;
  join_calls();
  for (const auto& [thread, lost] : lost_by_thread_) profile_.lost_by_thread.push_back(lost);
  clock_.seal(profile_.intro.clock, fallback_rate(profile_.intro));
  names_.find_symbols();
  Finishing with{Functions(profile_.functions, memory_limit_.for_names()), probe_costs(profile_.counters)};
  for (const Step& step : kSteps) step.run(*this, with);
  profile_.wall_ns = std::max(clock_.last_ns(), clock_.ns(last_counter_));
  profile_.unfiltered_periods = profile_.total_periods() + periods_left_out();
  const std::string* const counter = property(profile_.intro, log::property::kCounter);
  const bool is_ns = counter && *counter == "monotonic-ns";  // which needs no pairs of clocks
  if (!clock_.rate_known() && !is_ns && !profile_.samples.empty())
    profile_.problems.push_back("the log ends before its clock rate is known: times are estimates");
  report_dropped_records();
  return std::move(profile_);
}

// As split_waits: samples of threads that wait are others, except in real time.
uint64_t Builder::periods_left_out() const {
  const std::vector<uint64_t>& by_function = stacks_.left_out();
  const std::vector<bool> waiting = waiting_functions(profile_);
  uint64_t periods = 0;
  for (size_t i = 0; i < by_function.size(); ++i)
    if (profile_.sampling_mode == "real" || !waiting[i]) periods += by_function[i];
  return periods;
}

void Builder::report_dropped_records() {
  if (memory_limit_.left_out() != 0)
    profile_.problems.push_back("the log has more than a log of its size can hold: " +
                                std::to_string(memory_limit_.left_out()) + " records are left out");
  if (threads_.left_out() != 0)
    profile_.problems.push_back(
        "the log has more threads than a log of its size can hold: the last of them are shown as one");
  if (problems_ > kMaxProblems)
    profile_.problems.push_back("and " + std::to_string(problems_ - kMaxProblems) + " more problems");
}

}  // namespace oriel::profile
