// The log module, started, changed and stopped while the program's threads are in its callbacks. Also run under TSan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "lifecycle/running_program.h"

namespace oriel::scripted {
namespace {

std::string start_log(const std::string& options) { return said(oriel_module_start_log, options.c_str()); }
std::string apply_log(const std::string& options) { return said(oriel_module_apply_log, options.c_str()); }
std::string stop_log() { return said(oriel_module_stop_log); }

const std::string kAdd = "Add()", kPay = "Pay()", kOpen = "Open()";

struct Program {
  oriel_method* add = method_named("Add");
  oriel_method* pay = method_named("Pay");
  oriel_method* open = method_named("Open");
};

std::string change_log(const std::string& base, const std::string& set, const std::string& dropped) {
  return said(oriel_module_change_log, base.c_str(), set.c_str(), dropped.c_str());
}

// "OPTIONS > FILE", or "not OPTIONS".
std::string status_of_log() {
  char options[512] = "", file[512] = "";
  const bool runs = oriel_module_status_log(options, sizeof options, file, sizeof file) != 0;
  return runs ? std::string(options) + " > " + file : std::string("not ") + options;
}

TEST(LogModule, IsChangedByWhatIsNamed) {
  const Program program;
  const std::string path = fresh_path("changed.oriel"), out = ",out=" + path;
  ASSERT_EQ(change_log("sample=none,calls=Shop.*" + out, "trivial", ""), "") << "which starts it";
  EXPECT_EQ(status_of_log(), "sample=none,calls=Shop.*,trivial" + out + " > " + path);
  ask_all_filters();
  call(program.add), call(program.open);
  ASSERT_EQ(change_log("", "calls=Other.*", "trivial"), "");
  ask_all_filters();
  call(program.add), call(program.open), call(program.open);
  EXPECT_EQ(change_log("", "hz=0", ""), "log: hz=0: a rate is a whole number of samples a second, from 1 to 10000");
  EXPECT_EQ(status_of_log(), "sample=none,calls=Other.*" + out + " > " + path);
  ASSERT_EQ(stop_log(), "");
  EXPECT_EQ(status_of_log(), "not sample=none,calls=Other.*" + out);
  const Contents contents = read_log(path);
  EXPECT_EQ(contents.count("method_enter " + kAdd), 1u);
  EXPECT_EQ(contents.count("method_enter " + kOpen), 2u);
  ASSERT_EQ(change_log("sample=real", "", "calls"), "") << "with the options that it had last";
  EXPECT_EQ(status_of_log(), "sample=none" + out + " > " + fresh_path("changed-2.oriel"));
  ASSERT_EQ(stop_log(), "");
}

TEST(LogModule, HasItsFilesAsFarAsItIsAsked) {
  method_named("Add");
  EXPECT_EQ(said(oriel_module_flush_log), "log: does not run");
  EXPECT_EQ(said(oriel_module_rotate_log), "log: does not run");
  const std::string path = fresh_path("rotated.oriel");
  ASSERT_EQ(start_log("sample=none,out=" + path), "");
  throw_exception();
  ASSERT_EQ(said(oriel_module_flush_log), "");
  const Contents so_far = read_log(path, Ending::kMissing);
  EXPECT_EQ(so_far.count("exception_throw"), 1u);
  ASSERT_EQ(said(oriel_module_rotate_log), "");
  read_log(path);
  throw_exception();
  ASSERT_EQ(stop_log(), "");
  const Contents next = read_log(fresh_path("rotated-2.oriel"));
  EXPECT_EQ(next.count("exception_throw"), 1u);
}

// What is thrown and called while files end and begin is in exactly one of them.
TEST(LogModule, RotatesByItselfAndLosesNothing) {
  const Program program;
  const std::string path = fresh_path("limited.oriel");
  ASSERT_EQ(start_log("sample=none,calls=Shop.*,out=" + path), "");
  ask_all_filters();
  ASSERT_EQ(change_log("", "rotate=64KB", ""), "");
  std::atomic<uint64_t> count{0};
  Threads threads(2, [&] {
    throw_exception();
    call(program.add);
    ++count;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  });
  const std::string fourth = fresh_path("limited-4.oriel");
  for (int i = 0; i < 1'000 && !status_of_log().ends_with(" > " + fourth); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  threads.join();
  EXPECT_TRUE(status_of_log().ends_with(" > " + fourth)) << status_of_log();
  ASSERT_EQ(stop_log(), "");
  uint64_t thrown = 0, called = 0;
  for (const char* name : {"limited.oriel", "limited-2.oriel", "limited-3.oriel", "limited-4.oriel"}) {
    const Contents contents = read_log(fresh_path(name));
    EXPECT_EQ(contents.properties.at("calls"), "Shop.*") << name;
    EXPECT_EQ(contents.options.at(0).options.find("sample=none,calls=Shop.*"), 0u) << name;
    thrown += contents.count("exception_throw");
    called += contents.count("method_enter " + kAdd);
    for (const auto& [reason, lost] : contents.lost) EXPECT_EQ(lost, 0u) << reason;
  }
  EXPECT_EQ(thrown, count);
  EXPECT_EQ(called, count);
}

TEST(LogModule, KeepsItsNewestFilesAndNobodyElses) {
  method_named("Add");
  const std::string path = fresh_path("kept.oriel");
  const auto exists = [](const char* name) { return std::filesystem::exists(fresh_path(name)); };
  ASSERT_EQ(start_log("sample=none,rotate=1h,keep=2,out=" + path), "");
  ASSERT_EQ(said(oriel_module_rotate_log), "");
  EXPECT_TRUE(exists("kept.oriel"));
  ASSERT_EQ(said(oriel_module_rotate_log), "");
  EXPECT_FALSE(exists("kept.oriel"));
  std::filesystem::rename(fresh_path("kept-2.oriel"), fresh_path("moved"));
  std::filesystem::copy_file(fresh_path("moved"), fresh_path("kept-2.oriel"));
  ASSERT_EQ(said(oriel_module_rotate_log), "");
  EXPECT_TRUE(exists("kept-2.oriel")) << "which is a copy that somebody else made";
  EXPECT_TRUE(exists("kept-3.oriel") && exists("kept-4.oriel"));
  ASSERT_EQ(stop_log(), "");
}

TEST(LogModule, GoesOnWhereTheNextFileCannotBe) {
  const std::string folder = fresh_path("gone");
  std::filesystem::create_directory(folder);
  method_named("Add");
  ASSERT_EQ(start_log("sample=none,rotate=1s,out=" + folder + "/a.oriel"), "");
  std::filesystem::rename(folder, fresh_path("elsewhere"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
  throw_exception();
  ASSERT_EQ(stop_log(), "");
  EXPECT_EQ(read_log(fresh_path("elsewhere") + "/a.oriel").count("exception_throw"), 1u);
}

TEST(LogModule, IsStartedChangedAndStoppedInItsOrder) {
  const Program program;
  EXPECT_EQ(stop_log(), "log: does not run");
  EXPECT_EQ(apply_log(""), "log: does not run; start it");
  const std::string path = fresh_path("order.oriel");
  EXPECT_EQ(start_log("sample=never"), "log: sample=never is unknown; use process, cpu, real or none");
  ASSERT_EQ(start_log("sample=none,out=" + path), "");
  EXPECT_EQ(start_log("sample=none"), "log: runs already; stop it first, or change it");
  EXPECT_EQ(apply_log("hz=0"), "log: hz=0: a rate is a whole number of samples a second, from 1 to 10000");
  EXPECT_EQ(apply_log("sample=none,out=/tmp/other.oriel"),
            "log: out cannot change while it runs; stop it, and start it so");
  EXPECT_EQ(apply_log("sample=none,out=" + path), "");
  EXPECT_EQ(stop_log(), "");
  EXPECT_EQ(stop_log(), "log: does not run");
  read_log(path);
}

TEST(LogModule, ASecondLogOfANameHasANumber) {
  const Program program;
  const std::string path = fresh_path("twice.oriel");
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(start_log("sample=none,out=" + path), "");
    ASSERT_EQ(stop_log(), "");
  }
  for (const char* name : {"twice.oriel", "twice-2.oriel", "twice-3.oriel"}) read_log(fresh_path(name));
  EXPECT_FALSE(std::filesystem::exists(fresh_path("twice-4.oriel")));
}

TEST(LogModule, LogsWhatWasOnAndNothingElse) {
  const Program program;
  const auto some_of_all = [&] {
    for (int i = 0; i < 10; ++i) call(program.add);
    for (int i = 0; i < 20; ++i) call(program.open);
    allocate_in(program.add);
    throw_exception();
  };
  const std::string path = fresh_path("on-and-off.oriel");
  some_of_all();
  ASSERT_EQ(start_log("sample=none,calls=Shop.*,events=none,out=" + path), "");
  ask_all_filters();
  some_of_all();
  ASSERT_EQ(apply_log("sample=none,calls=Other.*,alloc-in=Shop.*,events=exceptions"), "");
  ask_all_filters();
  some_of_all();
  ASSERT_EQ(apply_log("sample=none,events=none"), "");
  ask_all_filters();
  some_of_all();
  ASSERT_EQ(apply_log("sample=none,events=none,calls=Shop.Cart.Add"), "");
  ask_all_filters();
  some_of_all();
  ASSERT_EQ(stop_log(), "");
  some_of_all();
  Contents contents = read_log(path);
  EXPECT_EQ(contents.count("method_enter " + kAdd), 20u);
  EXPECT_EQ(contents.count("method_leave " + kAdd), 20u);
  EXPECT_EQ(contents.count("method_enter " + kOpen), 20u);
  EXPECT_EQ(contents.count("gc_allocation in " + kAdd), 1u);
  EXPECT_EQ(contents.count("exception_throw"), 1u);
  EXPECT_TRUE(contents.lost.empty());
  // What was logged while it was off is not in the next one either.
  const std::string next = fresh_path("next.oriel");
  ASSERT_EQ(start_log("sample=none,calls=Shop.Cart.Pay,alloc,out=" + next), "");
  ask_all_filters();
  call(program.pay);
  call(program.add);
  allocate_in(program.open);
  ASSERT_EQ(stop_log(), "");
  contents = read_log(next);
  EXPECT_EQ(contents.count("method_enter " + kPay), 1u);
  EXPECT_EQ(contents.count("method_enter " + kAdd), 0u);
  EXPECT_EQ(contents.count("gc_allocation in " + kOpen), 1u);
  EXPECT_EQ(contents.count("exception_throw"), 0u);
  EXPECT_EQ(contents.properties["calls"], "Shop.Cart.Pay");
}

TEST(LogModule, LogsHowItsOptionsChanged) {
  const Program program;
  const std::string path = fresh_path("options.oriel");
  ASSERT_EQ(start_log("sample=none,events=none,out=" + path), "");
  ASSERT_EQ(apply_log("sample=none,events=none,out=" + path), "") << "changes nothing";
  ASSERT_EQ(apply_log("sample=none,events=none,calls=Shop.*,alloc"), "");
  ASSERT_EQ(apply_log("sample=none,events=none"), "");
  ASSERT_EQ(stop_log(), "");
  const std::vector<log::OptionChange> logged = read_log(path).options;
  std::vector<std::string> texts;
  for (const log::OptionChange& change : logged) texts.push_back(change.running ? change.options : "(stopped)");
  EXPECT_THAT(texts,
              ::testing::ElementsAre("sample=none,events=none", "sample=none,events=none,calls=Shop.*,alloc=exact",
                                     "sample=none,events=none", "(stopped)"));
  for (size_t i = 1; i < logged.size(); ++i) EXPECT_GE(logged[i].clock.counter, logged[i - 1].clock.counter);
}

TEST(LogModule, AnotherRateBeginsTheNextLog) {
  const Program program;
  const std::string path = fresh_path("rate.oriel");
  ASSERT_EQ(start_log("sample=cpu,hz=100,out=" + path), "");
  ASSERT_EQ(apply_log("sample=none"), "") << "for a while";
  ASSERT_EQ(apply_log("sample=cpu,hz=100,calls=Shop.*"), "");
  EXPECT_FALSE(std::filesystem::exists(fresh_path("rate-2.oriel")));
  ASSERT_EQ(apply_log("sample=cpu,hz=500"), "");
  ASSERT_EQ(stop_log(), "");
  EXPECT_EQ(read_log(path).properties["sampling.hz"], "100");
  EXPECT_EQ(read_log(fresh_path("rate-2.oriel")).properties["sampling.hz"], "500");
}

// What stays on is logged to the last event, whatever else changes meanwhile.
TEST(LogModule, LosesNothingOfWhatStaysOn) {
  const Program program;
  const std::string path = fresh_path("stays.oriel");
  ASSERT_EQ(start_log("sample=none,calls=Shop.*,events=exceptions,out=" + path), "");
  ask_all_filters();
  std::atomic<uint64_t> called{0}, thrown{0};
  std::atomic<unsigned> number{0};
  {
    Threads threads(3, [&] {
      call(program.add);
      call(program.open);
      allocate_in(program.open);
      const uint64_t so_far = ++called;
      if (so_far % 64 == 0) {
        throw_exception();
        ++thrown;
      }
      if (so_far % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    });
    const char* const kChanges[] = {"calls=Shop.*|Other.*,alloc", "calls=Shop.Cart.Add,alloc-in=Other.*",
                                    "calls=Shop.*,trivial,counters,events=exceptions", "calls=*,events=all"};
    for (int round = 0; round < 24 || called < 2'000; ++round) {
      const std::string change = kChanges[number++ % std::size(kChanges)];
      const bool has_events = change.find("events=") != std::string::npos;
      ASSERT_EQ(apply_log("sample=none," + change + (has_events ? "" : ",events=exceptions")), "");
      ask_all_filters();
    }
  }
  ASSERT_EQ(stop_log(), "");
  const Contents contents = read_log(path);
  EXPECT_EQ(contents.count("method_enter " + kAdd), called);
  EXPECT_EQ(contents.count("method_leave " + kAdd), called);
  EXPECT_EQ(contents.count("exception_throw"), thrown);
  EXPECT_TRUE(contents.lost.empty());
}

TEST(LogModule, MayBeStoppedAndStartedWhileThreadsAreInItsCallbacks) {
  const Program program;
  Threads threads(4, [&] {
    call(program.add);
    call(program.open);
    allocate_in(program.open);
    throw_exception();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  });
  Threads asker(1, ask_all_filters);
  Threads short_lived(1, [&] { std::thread([&] { call(program.add), throw_exception(); }).join(); });
  for (int round = 0; round < 12; ++round) {
    const bool shop = round % 2 == 0;
    const std::string path = fresh_path("round-" + std::to_string(round) + ".oriel");
    const std::string on = shop ? "calls=Shop.*,events=none" : "calls=Other.*,alloc,events=exceptions";
    ASSERT_EQ(start_log("sample=cpu,hz=1000," + on + ",out=" + path), "");
    ask_all_filters();
    call(program.add), call(program.open);
    allocate_in(program.open);
    throw_exception();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (round % 3 == 0) {
      ASSERT_EQ(apply_log("sample=none," + on), "");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_EQ(stop_log(), "");
    const Contents contents = read_log(path);
    EXPECT_GT(contents.count("method_enter " + (shop ? kAdd : kOpen)), 0u) << path;
    EXPECT_EQ(contents.count("method_enter " + (shop ? kOpen : kAdd)), 0u) << path;
    EXPECT_EQ(contents.count("gc_allocation in " + kOpen) != 0, !shop) << path;
    EXPECT_EQ(contents.count("exception_throw") != 0, !shop) << path;
  }
}

TEST(LogModule, MayBeControlledByManyAtOnce) {
  const Program program;
  Threads program_threads(2, [&] {
    call(program.add);
    throw_exception();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  });
  const std::string path = fresh_path("many.oriel");
  Threads controls(3, [&] {
    start_log("sample=none,calls,out=" + path);
    apply_log("sample=none,calls=Shop.*,counters,out=" + path);
    stop_log();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  controls.join();
  program_threads.join();
  stop_log();
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path())) {
    if (entry.path().filename().string().starts_with("many")) read_log(entry.path().string());
  }
}

// The child of a fork has no writer: it leaves its parent's log alone.
TEST(LogModule, BelongsToOneProcess) {
  const Program program;
  const std::string path = fresh_path("forked.oriel");
  ASSERT_EQ(start_log("sample=none,calls=Shop.*,out=" + path), "");
  ask_all_filters();
  const pid_t child = fork();
  if (child == 0) {
    const std::string forked = "log: belongs to the process that this one was forked from";
    _exit(stop_log() == forked && start_log("") == forked && apply_log("") == forked ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  call(program.add);
  ASSERT_EQ(stop_log(), "");
  EXPECT_EQ(read_log(path).count("method_enter " + kAdd), 1u);
}

[[noreturn]] void end_while_all_run(const std::string& path) {
  const Program program;
  start_log("sample=none,calls=Shop.*,out=" + path);
  ask_all_filters();
  Threads program_threads(2, [&] {
    call(program.add);
    throw_exception();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  });
  Threads controls(1, [] {
    apply_log("sample=none,calls");
    apply_log("sample=none,calls=Shop.*,counters");
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::exit(7);
}

TEST(LogModuleDeathTest, TheProcessMayEndInTheMiddle) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const std::string path = testing::TempDir() + "ends-in-the-middle.oriel";
  std::filesystem::remove(path);
  EXPECT_EXIT(end_while_all_run(path), testing::ExitedWithCode(7), "");
  EXPECT_GT(read_log(path).count("method_enter " + kAdd), 0u);
}

}  // namespace
}  // namespace oriel::scripted
