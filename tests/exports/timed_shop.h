// A profile with something of all that time lines show, for the tests of their exports.
#pragma once

#include "exports/build_profile.h"
#include "exports/hostile.h"

namespace oriel::testing {

constexpr int64_t kMs = 1'000'000;

// A run of 100 ms with two threads.
inline ProfileBuilder timed_shop() {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  profile.start_unix_us = 1'700'000'000'000'000;
  profile.wall_ns = 100 * kMs;
  profile.processes.push_back({});
  profile.processes[0].name = "Shop";
  profile.processes[0].pid = 100;
  const uint32_t main = builder.thread("Main", 100), pool = builder.thread("", 101);
  const uint32_t run = builder.function("Shop.Program.Main()", "Shop.dll"),
                 add = builder.function("Shop.Cart.Add(int)", "Shop.dll"),
                 copy = builder.function("memcpy", "libc.so.6", false),
                 oops = builder.function("Shop.Oops", "Shop.dll"), lock = builder.function("System.Threading.Lock");
  const uint32_t inner = builder.stack({run, add, copy}), outer = builder.stack({run, add}),
                 cut = builder.stack({add}, true);
  for (const auto& [thread, node] : {std::pair(main, inner), {pool, cut}, {main, outer}, {main, inner}, {pool, 0u}})
    builder.sample(thread, node);
  builder.sample(main, inner, 3);
  profile.samples.change()[1].ns = 9 * kMs;  // not in the order of time

  profile::Collection background{.number = 1, .generation = 2, .start_ns = 10 * kMs, .end_ns = 40 * kMs};
  background.background = true;
  profile.collections = {background,
                         {.number = 2, .generation = 0, .start_ns = 20 * kMs, .end_ns = 25 * kMs},
                         {.number = 3, .generation = 1, .start_ns = 90 * kMs}};
  profile.pauses = {{10 * kMs, kMs, 0}, {20 * kMs, 5 * kMs, 0}};
  profile.lock_waits = {
      {.end_ns = 30 * kMs, .ns = 20 * kMs, .lock = 1, .thread = pool, .owner = main, .type = lock, .node = outer}};
  profile.throws = {{5 * kMs, main, oops, outer}, {6 * kMs, main, oops, 0}};
  profile.marks = {{50 * kMs, "half\nway"}};
  const auto activity = [&](int64_t from, int64_t to, const char* id, const char* parent, const char* name) {
    profile::Activity one{.end_ns = to * kMs,
                          .ns = (to - from) * kMs,
                          .id = id,
                          .parent = parent,
                          .source = "Shop.Web",
                          .name = name,
                          .tags = {"peer.port=80"},
                          .thread = pool};
    profile.activities.push_back(one);
  };
  activity(12, 18, "b", "a", "query");
  activity(10, 60, "a", "", "GET /cart");
  activity(30, 70, "c", "", "GET /price");  // beside the other
  profile.series = {{.meter = "Shop",
                     .name = "stock",
                     .unit = "{piece}",
                     .tags = {"kind=tea"},
                     .points = {{kMs, 7}, {2 * kMs, 6.5}}}};
  return builder;
}

// Samples, exceptions, marks and requests with names that could break formats.
inline ProfileBuilder hostile_shop() {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  profile.wall_ns = 100 * kMs;
  for (const std::string& name : hostile_names()) {
    const uint32_t function = builder.function(name, name), thread = builder.thread(name, 5);
    builder.sample(thread, builder.stack({function}));
    profile.throws.push_back({kMs, thread, function, 0});
    profile.marks.push_back({kMs, name});
    profile.activities.push_back({.end_ns = kMs,
                                  .ns = kMs,
                                  .id = name,
                                  .parent = name,
                                  .source = name,
                                  .name = name,
                                  .tags = {name, name},
                                  .thread = thread});
    profile.series.push_back({.meter = name, .name = name, .unit = name, .tags = {name}, .points = {{kMs, 1}}});
  }
  return builder;
}

}  // namespace oriel::testing
