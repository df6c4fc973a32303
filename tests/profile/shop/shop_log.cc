#include "profile/shop/shop_log.h"

#include <gtest/gtest.h>

#include "log/writer.h"
#include "oriel/oriel.h"
#include "profile/build/builder.h"

namespace oriel::testing {

ClockPair clock_at(uint64_t ms) { return {kStart + ms * kMs, kStartUnixUs + ms * 1000}; }

log::Intro shop_intro() {
  log::Intro intro;
  intro.runtime = "CoreCLR 10.0.12";
  intro.clock = clock_at(0);
  intro.properties = {{"command", "dotnet shop.dll --orders 12"},
                      {"pid", "4711"},
                      {"host", "no-such-host"},
                      {"cores", "2"},
                      {"counter", "monotonic-ns"},
                      {"sampling.mode", "process"},
                      {"sampling.hz", "1000"}};
  return intro;
}

log::Mapping shop_mapping() {
  log::Mapping mapping;
  mapping.start = mapping.end = clock_at(0);
  mapping.thread = 1;
  mapping.images = {{1, "Shop.dll", "/srv/shop/Shop.dll", "Shop"}};
  mapping.classes = {{1, 24, 1, "Shop.Cart"},
                     {2, 24, 1, "Shop.Program"},
                     {3, 0, 0, "System.InvalidOperationException"},
                     {4, 0, 0, "System.IO.FileNotFoundException"}};
  mapping.methods = {{1, 2, "Main(string[])", ""},
                     {2, 1, "AddAsync(System.String, int)", "Shop.Cart+<AddAsync>d__3.MoveNext()"},
                     {3, 1, "Total()", ""},
                     {4, 1, "Recurse(int)", ""}};
  mapping.libraries = {{1, "/usr/lib/libcoreclr.so"}, {2, "/lib/libc.so.6"}};
  mapping.natives = {{1, 1, ""}, {2, 2, "memcpy"}};
  mapping.threads = {{1, 101, true, "main"}, {2, 102, true, "worker 1"}, {3, 103, true, "worker 12"}};
  return mapping;
}

std::vector<log::StackNode> shop_nodes() {
  using enum log::FrameKind;
  return {{1, 0, kManaged, 1, false}, {2, 1, kManaged, 2, false}, {3, 2, kNative, 2, false}, {4, 1, kManaged, 4, false},
          {5, 4, kManaged, 4, false}, {6, 5, kManaged, 3, false}, {7, 0, kNative, 1, true}};
}

std::vector<log::Sample> main_samples() {
  std::vector<log::Sample> samples;
  uint64_t ms = 0;
  const auto add = [&](int count, uint64_t node, uint64_t periods) {
    while (count-- > 0) samples.push_back({kStart + ++ms * kMs, node, periods});
  };
  add(10, 3, 1);
  add(5, 2, 1);
  add(4, 6, 1);
  add(3, 5, 2);
  add(1, 1, 1);
  return samples;
}

std::vector<log::Sample> worker_samples() {
  return {{kStart + 30 * kMs, 7, 1}, {kStart + 31 * kMs, 7, 1}, {kStart + 32 * kMs, 0, 1}};
}

log::ProcessUsage shop_usage() {
  log::ProcessUsage usage;
  usage.clock = clock_at(100);
  usage.user_us = 20'000;
  usage.system_us = 5'000;
  usage.max_rss_kb = 50'000;
  return usage;
}

log::Event event_at(uint64_t ms, uint64_t thread, const char* name, std::initializer_list<uint64_t> values) {
  log::Event event;
  event.number = log::describe_event(name)->number;
  event.thread = thread;
  event.counter = kStart + ms * kMs;
  for (const uint64_t value : values) event.values[event.value_count++] = value;
  return event;
}

namespace {

void tell_names(log::EventSink& sink) {
  const log::Mapping mapping = shop_mapping();
  for (const auto& image : mapping.images) sink.on_image(image);
  for (const auto& klass : mapping.classes) sink.on_class(klass);
  for (const auto& method : mapping.methods) sink.on_method(method);
  for (const auto& library : mapping.libraries) sink.on_library(library);
  for (const auto& native : mapping.natives) sink.on_native(native);
  for (const auto& thread : mapping.threads) sink.on_thread(thread);
}

void tell_collections(log::EventSink& sink) {
  const auto event = [&](uint64_t ms, const char* name, std::initializer_list<uint64_t> values) {
    sink.on_event(event_at(ms, 1, name, values));
  };
  // Not in time order, like blocks of different threads.
  event(50, "suspend_begin", {ORIEL_SUSPEND_GC});
  event(50, "gc_begin", {2, 2, ORIEL_GC_REASON_INDUCED});
  event(52, "resume_end", {ORIEL_SUSPEND_GC, 2 * kMs});
  event(60, "gc_end", {2, 2});
  event(40, "suspend_begin", {ORIEL_SUSPEND_GC});
  event(41, "gc_begin", {1, 0, ORIEL_GC_REASON_OTHER});
  event(43, "gc_end", {1, 0});
  event(44, "resume_end", {ORIEL_SUSPEND_GC, 4 * kMs});
  event(53, "suspend_begin", {ORIEL_SUSPEND_GC});
  event(54, "gc_begin", {3, 0, ORIEL_GC_REASON_OTHER});
  event(56, "gc_end", {3, 0});
  event(57, "resume_end", {ORIEL_SUSPEND_GC, 4 * kMs});
  event(70, "suspend_begin", {ORIEL_SUSPEND_REJIT});
  event(71, "resume_end", {ORIEL_SUSPEND_REJIT, kMs});
}

void tell_exceptions(log::EventSink& sink) {
  for (uint64_t ms = 80; ms < 83; ++ms) sink.on_event(event_at(ms, 2, "exception_throw", {3}));
  sink.on_event(event_at(83, 2, "exception_throw", {4}));
  sink.on_event(event_at(83, 2, "exception_throw", {99}));
  sink.on_event(event_at(84, 2, "exception_clause", {2, ORIEL_CLAUSE_CATCH, 3}));
  sink.on_event(event_at(84, 2, "exception_clause", {2, ORIEL_CLAUSE_FINALLY, 3}));
  sink.on_event(event_at(85, 2, "exception_clause", {2, ORIEL_CLAUSE_CATCH, 3}));
  sink.on_event(event_at(86, 2, "exception_clause", {77, ORIEL_CLAUSE_CATCH, 99}));
}

}  // namespace

void tell_shop(log::EventSink& sink) {
  sink.on_intro(shop_intro());
  sink.on_clock(clock_at(0));
  tell_names(sink);
  for (const uint64_t method : {1, 2, 2}) sink.on_event(event_at(1, 1, "jit_done", {method, 0x1000, 100}));
  for (const auto& node : shop_nodes()) sink.on_stack_node(node);
  for (const auto& sample : main_samples()) sink.on_sample(1, sample);
  for (const auto& sample : worker_samples()) sink.on_sample(2, sample);
  tell_collections(sink);
  tell_exceptions(sink);
  sink.on_process(shop_usage());
  sink.on_clock(clock_at(100));
}

profile::Profile shop_profile() {
  profile::Builder builder;
  tell_shop(builder);
  log::DecodeOutcome outcome;
  outcome.ended = true;
  profile::Profile profile = builder.finish(outcome);
  profile.file = "shop.oriel";
  return profile;
}

void write_shop_log(const std::string& path, bool with_end) {
  const auto writer = log::Writer::create(path);
  ASSERT_TRUE(writer) << writer.message();
  (*writer)->intro(shop_intro());
  (*writer)->mapping(shop_mapping());
  (*writer)->stacks(shop_nodes());
  (*writer)->samples(1, main_samples());
  ASSERT_TRUE((*writer)->flush({}));
  (*writer)->samples(2, worker_samples());
  (*writer)->process(shop_usage());
  if (with_end) (*writer)->end({log::kVersion2, clock_at(100)});
  const log::Lost lost = {"buffer-full", 3};
  ASSERT_TRUE((*writer)->flush({&lost, 1}));
}

}  // namespace oriel::testing
