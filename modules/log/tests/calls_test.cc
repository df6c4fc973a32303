// Calls and allocations from the callbacks to the file: names before their use, pairs whole, filters by patterns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "call_buffer.h"
#include "log/decoder.h"
#include "log_file.h"
#include "modules/fake_engine.h"
#include "recorder.h"

namespace oriel::log_module {
namespace {

using log::Event;

struct Contents : log::EventSink {
  std::map<uint64_t, std::string> classes, methods;
  std::map<std::string, uint64_t> counters;
  std::map<std::string, std::string> properties;
  std::vector<std::string> events;

  void on_intro(const log::Intro& intro) override {
    properties.insert(intro.properties.begin(), intro.properties.end());
  }
  void on_class(const log::ClassName& name) override { classes[name.id] = name.name; }
  void on_method(const log::MethodName& name) override { methods[name.id] = name.name; }
  void on_counter(const log::Counter& counter) override { counters[counter.name] = counter.count; }
  void on_event(const Event& event) override {
    const std::string on = " on " + std::to_string(event.thread);
    const std::string name = log::describe_event(event.number)->name;
    if (name.starts_with("method_")) events.push_back(name.substr(7) + " " + methods[event.values[0]] + on);
    if (event.number == oriel_event_gc_allocation)
      events.push_back(classes[event.values[0]] + " " + std::to_string(event.values[1]) + " in " +
                       methods[event.values[3]] + on);
  }
  void on_problem(uint64_t, const std::string& message) override { ADD_FAILURE() << message; }
};

class LoggedCalls : public testing::Test {
 protected:
  LoggedCalls() {
    fake::engine() = {};
    fake::engine().classes = {{1, "Shop.Cart"}, {2, "System.String", 0}};
    oriel_class* cart = &fake::engine().classes[0];
    fake::engine().methods = {{1, "Main()", cart}, {2, "Add(int)", cart}, {3, "Foreign()", cart}};
    for (const uint32_t id : {1, 2}) {
      profiler_.recorder.calls.add(id);
      profiler_.recorder.allocations.add(id);
    }
    fake::engine().threads = {{1, 100, "main"}};
    call_buffers.drain([](CallBuffer& buffer) {
      std::vector<log::CallRecord> records;
      uint64_t base = 0;
      while (buffer.take(records, base)) {
      }
      return true;
    });
    auto options = parse_options("calls=Shop.*|!*.ToString,alloc,sample=none,out=" + path_);
    EXPECT_TRUE(options) << options.message();
    listen(nullptr, options->events);
    auto file = LogFile::create(plan_of(*options), profiler_.recorder, intro_of(plan_of(*options)));
    EXPECT_TRUE(file) << file.message();
    file_ = std::move(*file);
  }
  ~LoggedCalls() override { std::filesystem::remove(path_); }

  void enter(uint32_t id) { callback_method_enter(&profiler_, oriel_method_by_id(id), nullptr); }
  void leave(uint32_t id) { callback_method_leave(&profiler_, oriel_method_by_id(id), nullptr); }
  void allocate(uint32_t klass, uint64_t bytes, uint32_t site) {
    callback_gc_allocation(&profiler_, oriel_class_by_id(klass), bytes, nullptr, oriel_method_by_id(site));
  }
  Contents read() {
    Contents contents;
    const auto outcome = log::decode_file(path_, contents);
    EXPECT_TRUE(outcome) << outcome.message();
    return contents;
  }

  std::string path_ = testing::TempDir() + "calls_test-" + std::to_string(getpid()) + ".oriel";
  oriel_profiler profiler_;
  std::unique_ptr<LogFile> file_;
};

TEST_F(LoggedCalls, HaveNamesSizesAndSites) {
  enter(1);
  allocate(1, 24, 1);
  enter(2);
  allocate(2, 80, 2);
  allocate(1, 24, 2);
  callback_method_exception_leave(&profiler_, oriel_method_by_id(2), nullptr);
  enter(2);
  callback_method_tail_call(&profiler_, oriel_method_by_id(2), nullptr);
  allocate(1, 24, 0);
  leave(1);
  file_->drain();
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  EXPECT_THAT(contents.events,
              testing::ElementsAre("enter Main() on 1", "Shop.Cart 24 in Main() on 1", "enter Add(int) on 1",
                                   "System.String 80 in Add(int) on 1", "Shop.Cart 24 in Add(int) on 1",
                                   "exception_leave Add(int) on 1", "enter Add(int) on 1", "tail_call Add(int) on 1",
                                   "Shop.Cart 24 in  on 1", "leave Main() on 1"));
}

TEST_F(LoggedCalls, AreThoseOfMethodsThatTheModuleChose) {
  oriel_method* foreign = oriel_method_by_id(3);
  enter(3);
  enter(1);
  enter(3);
  allocate(1, 24, 1);
  allocate(2, 32, 3);
  allocate(2, 40, 1);
  leave(3);
  enter(3);
  callback_method_exception_leave(&profiler_, foreign, nullptr);
  enter(3);
  callback_method_tail_call(&profiler_, foreign, nullptr);
  leave(1);
  leave(3);
  file_->drain();
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  EXPECT_THAT(contents.events, testing::ElementsAre("enter Main() on 1", "Shop.Cart 24 in Main() on 1",
                                                    "System.String 40 in Main() on 1", "leave Main() on 1"));
  EXPECT_FALSE(contents.methods.contains(3));
}

TEST_F(LoggedCalls, TheIntroSaysWhatIsLogged) {
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  EXPECT_EQ(contents.properties["calls"], "Shop.*|!*.ToString");
  EXPECT_EQ(contents.properties["calls.inlining"], "keep");
  EXPECT_EQ(contents.properties["allocations"], "exact");
  EXPECT_EQ(contents.properties["allocations.in"], "*");
  EXPECT_TRUE(contents.properties.contains("events"));
}

TEST_F(LoggedCalls, HowMethodsFaredIsInTheLog) {
  fake::engine().outcomes = {1234, 12};
  ASSERT_TRUE(file_->flush());
  fake::engine().outcomes = {1300, 12};
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  EXPECT_EQ(contents.counters["instrumentation.instrumented"], 1300u);
  EXPECT_EQ(contents.counters["instrumentation.other"], 12u);
}

TEST_F(LoggedCalls, GoOnFromDrainToDrain) {
  enter(1);
  file_->drain();
  ASSERT_TRUE(file_->flush());
  enter(2);
  file_->drain();
  leave(2);
  file_->drain();
  leave(1);
  file_->drain();
  ASSERT_TRUE(file_->finish());
  EXPECT_THAT(read().events, testing::ElementsAre("enter Main() on 1", "enter Add(int) on 1", "leave Add(int) on 1",
                                                  "leave Main() on 1"));
}

TEST_F(LoggedCalls, OfAThreadThatHasEndedAreAllThere) {
  constexpr int kPairs = 50'000;
  std::thread([&] {
    for (int i = 0; i < kPairs; ++i) {
      enter(1);
      leave(1);
    }
  }).join();
  while (file_->drain() >= 100) {
  }
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(read().events.size(), 2u * kPairs);
}

class Filters : public testing::Test {
 protected:
  Filters() {
    // A self-contained program's folder.
    std::filesystem::create_directory(framework_);
    fclose(fopen((framework_ + "System.Private.CoreLib.dll").c_str(), "w"));
    fake::engine() = {};
    fake::engine().images = {
        {1, "Shop", "/srv/shop/Shop.dll"}, {2, "System.Linq", framework_ + "System.Linq.dll"}, {3, "System.Made", ""}};
    auto& images = fake::engine().images;
    fake::engine().methods = {{1, "Shop.Cart.Add(int)", nullptr, &images[0]},
                              {2, "Shop.Cart.ToString()", nullptr, &images[0]},
                              {3, "System.Linq.Enumerable.Where<T>(T)", nullptr, &images[1]},
                              {4, "Made.Up()", nullptr, &images[2]},
                              {5, "[dynamic] stub()", nullptr, nullptr}};
  }
  ~Filters() override { std::filesystem::remove_all(framework_); }
  // Which of the five methods a pattern gets.
  std::vector<int> chosen(const std::string& patterns, uint32_t probes = ORIEL_CALLS_ALL) {
    for (modules::ChosenMethods* methods : {&profiler_.recorder.calls, &profiler_.recorder.allocations})
      methods->choose(std::make_unique<modules::MethodFilter>(std::move(*MethodPatterns::parse(patterns))));
    profiler_.recorder.call_probes = probes;
    set_filters(nullptr, profiler_.recorder);
    std::vector<int> ids;
    for (int id = 1; id <= 5; ++id) {
      oriel_method* method = oriel_method_by_id(static_cast<uint32_t>(id));
      const uint32_t answer = call_filter(&profiler_, method);
      EXPECT_TRUE(answer == 0 || answer == probes);
      EXPECT_EQ(allocation_filter(&profiler_, method), answer != 0);
      if (answer) ids.push_back(id);
    }
    return ids;
  }

  const std::string framework_ = testing::TempDir() + "filters-" + std::to_string(getpid()) + "/";
  oriel_profiler profiler_;
};

TEST_F(Filters, TakeUserCodeByDefaultWithoutAskingForNames) {
  EXPECT_THAT(chosen(""), testing::ElementsAre(1, 2));
  EXPECT_THAT(chosen("*"), testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(chosen("[Shop]|[System.Made]"), testing::ElementsAre(1, 2, 4));
  EXPECT_EQ(fake::engine().named, 0u);
}

TEST_F(Filters, TakeWhatPatternsName) {
  EXPECT_THAT(chosen("Shop.*|!*.ToString"), testing::ElementsAre(1));
  EXPECT_THAT(chosen("System.Linq.Enumerable.Where", ORIEL_CALLS_ALL | ORIEL_CALLS_BLOCK_INLINING),
              testing::ElementsAre(3));
  EXPECT_THAT(chosen("!*.ToString"), testing::ElementsAre(1));
  EXPECT_GT(fake::engine().named, 0u);
}

TEST_F(Filters, RememberWhatTheyChose) {
  chosen("System.Linq.Enumerable.Where");
  for (const modules::ChosenMethods* set : {&profiler_.recorder.calls, &profiler_.recorder.allocations}) {
    EXPECT_TRUE(set->contains(3));
    EXPECT_FALSE(set->contains(1));
  }
}

TEST_F(Filters, ComplainOfPatternsWithoutAMethod) {
  chosen("Shop.*|Shpo.*");
  const auto complaints = profiler_.recorder.calls.filter()->complaints("--calls", true);
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_THAT(complaints[0], testing::StartsWith("--calls 'Shpo.*' matched no method"));
}

TEST_F(Filters, ComplainWhereNothingWasCalled) {
  chosen("Shop.*");
  const modules::MethodFilter& filter = *profiler_.recorder.calls.filter();
  EXPECT_TRUE(filter.complaints("--calls", true).empty());
  EXPECT_THAT(filter.complaints("--calls", false),
              testing::ElementsAre("--calls: no method that matches PATTERNS was called"));
  chosen("Shpo.*");
  EXPECT_EQ(profiler_.recorder.calls.filter()->complaints("--calls", false).size(), 1u) << "that says it all";
}

TEST_F(Filters, ComplainWhereThereIsNoUserCode) {
  chosen("");
  EXPECT_TRUE(profiler_.recorder.calls.filter()->complaints("--calls", true).empty());
  chosen("![Shop]|![System.Made]");
  const auto complaints = profiler_.recorder.calls.filter()->complaints("--calls", true);
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_THAT(complaints[0], testing::StartsWith("--calls found no user code"));
}

}  // namespace
}  // namespace oriel::log_module
