// What makes a flight recorder save.
#include "triggers.h"

#include <gtest/gtest.h>

#include <csignal>

#include "modules/fake_engine.h"
#include "options.h"
#include "signal_trigger.h"

namespace oriel::log_module {
namespace {

using std::chrono::seconds;

Triggers triggers_of(const std::string& options) {
  const auto parsed = parse_options("recorder=60s," + options);
  EXPECT_TRUE(parsed) << parsed.message();
  Triggers triggers;
  triggers.set(parsed->save_when, seconds(60));
  return triggers;
}

std::string cause_of(Triggers& triggers) {
  const auto cause = triggers.due(Triggers::Clock::now());
  return cause ? cause->word + ": " + cause->why : "";
}

TEST(Triggers, ATypeOfExceptionsOnceInTheRecordersTime) {
  fake::engine() = {};
  fake::engine().classes = {{1, "System.TimeoutException"}, {2, "Shop.Refusal"}};
  Triggers triggers = triggers_of("on-exception=TimeoutException");
  const uint64_t timeout[] = {1}, refusal[] = {2};
  triggers.see({.number = oriel_event_exception_throw, .values = refusal});
  EXPECT_EQ(cause_of(triggers), "");
  triggers.see({.number = oriel_event_exception_throw, .values = timeout});
  EXPECT_EQ(cause_of(triggers), "exception: System.TimeoutException thrown");
  triggers.see({.number = oriel_event_exception_throw, .values = timeout});
  EXPECT_EQ(cause_of(triggers), "");
}

TEST(Triggers, PausesOfCollectionsAlone) {
  Triggers triggers = triggers_of("on-pause=100ms");
  const uint64_t other[] = {ORIEL_SUSPEND_OTHER, 200'000'000}, brief[] = {ORIEL_SUSPEND_GC, 99'000'000},
                 lasting[] = {ORIEL_SUSPEND_GC, 150'000'000};
  triggers.see({.number = oriel_event_resume_end, .values = other});
  triggers.see({.number = oriel_event_resume_end, .values = brief});
  EXPECT_EQ(cause_of(triggers), "");
  triggers.see({.number = oriel_event_resume_end, .values = lasting});
  EXPECT_EQ(cause_of(triggers), "pause: a collection paused the program for 150 ms");
}

TEST(Triggers, RequestsByTheirTags) {
  Triggers triggers = triggers_of("on-request=2s");
  const uint64_t brief[] = {1'900'000'000, 0}, lasting[] = {2'300'000'000, 0};
  const std::string text =
      "trace\tid\tparent\t0\tMicrosoft.AspNetCore\tMicrosoft.AspNetCore.Hosting.HttpRequestIn\t"
      "http.request.method=GET\turl.path=/slow";
  triggers.see({.number = oriel_event_activity_stopped, .values = brief, .text = text});
  EXPECT_EQ(cause_of(triggers), "");
  triggers.see({.number = oriel_event_activity_stopped, .values = lasting, .text = text});
  EXPECT_EQ(cause_of(triggers), "request: GET /slow took 2.3 s");
}

int handled = 0;

TEST(Triggers, ASignalBesidesTheProgramsOwnHandler) {
  struct sigaction own {
  }, before{};
  own.sa_handler = [](int) { ++handled; };
  sigaction(SIGUSR2, &own, &before);
  {
    Triggers triggers = triggers_of("on-signal=USR2");
    EXPECT_EQ(cause_of(triggers), "");
    raise(SIGUSR2);
    EXPECT_EQ(handled, 1);
    EXPECT_EQ(cause_of(triggers), "signal: the signal SIGUSR2 came");
    // The program puts its handler before Oriel's.
    sigaction(SIGUSR2, &own, nullptr);
    EXPECT_EQ(cause_of(triggers), "");
    raise(SIGUSR2);
    EXPECT_EQ(handled, 2);
    EXPECT_EQ(cause_of(triggers), "signal: the signal SIGUSR2 came");
    triggers.set({}, seconds(60));
  }
  raise(SIGUSR2);
  EXPECT_EQ(handled, 3);
  sigaction(SIGUSR2, &before, nullptr);
}

TEST(Triggers, TypesByTheirFullNameOrItsLastPart) {
  EXPECT_TRUE(modules::matches_type({"TimeoutException"}, "System.TimeoutException"));
  EXPECT_TRUE(modules::matches_type({"Box<*"}, "Shop.Box<Shop.Order>"));
  EXPECT_TRUE(modules::matches_type({"*Exception"}, "System.TimeoutException"));
  EXPECT_TRUE(modules::matches_type({"Other", "System.*"}, "System.TimeoutException"));
  EXPECT_FALSE(modules::matches_type({"Exception"}, "System.TimeoutException"));
  EXPECT_FALSE(modules::matches_type({"Shop.TimeoutException"}, "System.TimeoutException"));
}

TEST(Triggers, OptionsOfARecorder) {
  const auto options = parse_options("recorder=60s,on-pause=100ms,on-cpu=80%,on-exception=A|B,on-signal=USR2,keep=3");
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->held.bytes, 64'000'000u);
  EXPECT_EQ(options->held.time, seconds(60));
  EXPECT_EQ(options->save_when.pause_ns, 100'000'000u);
  EXPECT_EQ(options->save_when.cpu_percent, 80u);
  EXPECT_EQ(options->save_when.exceptions, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(options->save_when.signal, SIGUSR2);
  EXPECT_TRUE(parse_options("recorder=60s/1GB")->events[oriel_event_mark]);
  EXPECT_TRUE(parse_options("recorder=60s,events=none,on-pause=1s")->events[oriel_event_resume_end]);
  EXPECT_EQ(parse_options("recorder=60s,on-request=1s")->activities, "Microsoft.AspNetCore");
  EXPECT_EQ(parse_options("recorder=60s,activities=Shop,on-request=1s")->activities, "Shop");
  for (const char* wrong : {"recorder", "recorder=64MB", "recorder=60s/100KB", "recorder=60s/5GB", "recorder=0s",
                            "recorder=60s,rotate=1h", "on-cpu=80%", "recorder=60s,on-cpu=0", "recorder=60s,on-cpu=x",
                            "recorder=60s,on-pause=1x", "recorder=60s,on-pause=0ms", "recorder=60s,on-exception"})
    EXPECT_FALSE(parse_options(wrong)) << wrong;
}

}  // namespace
}  // namespace oriel::log_module
