#include "profile/waiting/waits.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace oriel::profile {
namespace {

Profile empty_profile() {
  Profile profile;
  profile.functions.resize(1);
  profile.nodes.resize(1);
  profile.threads.resize(3);
  for (Thread& thread : profile.threads) thread.last_ns = 1'000'000'000;
  profile.origins.push_back({log::Origin::kProject, "Shop"});
  profile.origins.push_back({log::Origin::kFramework, "Microsoft.NETCore.App 10.0.0"});
  profile.sampling_mode = "process";
  return profile;
}

class WaitsTest : public ::testing::Test {
 protected:
  uint32_t function(const std::string& name, bool managed, uint32_t origin, const std::string& module) {
    Function made;
    made.name = name;
    made.managed = managed;
    made.origin = origin;
    made.module = module;
    profile_.functions.push_back(made);
    return static_cast<uint32_t>(profile_.functions.size() - 1);
  }
  uint32_t own(const std::string& name) { return function(name, true, 1, "Shop.dll"); }
  uint32_t net(const std::string& name) { return function(name, true, 2, "System.Private.CoreLib.dll"); }
  uint32_t native(const std::string& library, const std::string& name) { return function(name, false, 0, library); }
  // A sample of a waiting thread, outermost frame first.
  void wait(uint64_t periods, std::initializer_list<uint32_t> functions, uint32_t thread = 0, int64_t ns = 0) {
    uint32_t node = 0;
    const auto add = [&](uint32_t called) {
      profile_.nodes.push_back({node, called, false});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    };
    for (const uint32_t called : functions) add(called);
    add(waiting_);
    profile_.samples.push_back({ns, thread, node, periods});
  }
  WaitTotals parted() {
    split_waits(profile_);
    return waits(profile_);
  }
  std::string callee(const WaitRow& row) const { return profile_.functions[row.place.callee].name; }

  Profile profile_ = empty_profile();
  const uint32_t main_ = own("Shop.Program.Main(string[])");
  const uint32_t waiting_ = native("", "[waiting]");
  const uint32_t futex_ = native("libc.so.6", "futex");
};

TEST_F(WaitsTest, AreNamedByTheOutermostMethodThatIsKnownToWait) {
  const uint32_t result = net("System.Threading.Tasks.Task<int>.GetResultCore(bool)"),
                 slim = net("System.Threading.ManualResetEventSlim.Wait(int)"),
                 monitor = net("System.Threading.Monitor.Wait(object)");
  wait(5, {main_, result, slim, monitor, futex_});
  wait(2, {main_, slim, monitor, futex_}, 1);
  const WaitTotals all = parted();
  ASSERT_EQ(all.rows.size(), 2u);
  EXPECT_EQ(all.rows[0].place.what, WaitFor::kTask);
  EXPECT_EQ(all.rows[0].periods, 5u);
  EXPECT_EQ(all.rows[1].place.what, WaitFor::kSignal);
  EXPECT_EQ(callee(all.rows[1]), "System.Threading.ManualResetEventSlim.Wait(int)");
  EXPECT_EQ(all.periods, 7u);
  EXPECT_EQ(all.threads, 2u);
  EXPECT_NEAR(static_cast<double>(all.lived_ns), 2e9, 10);
}

TEST_F(WaitsTest, OfWhatNoRowKnowsAreNamedByWhatOwnCodeCalled) {
  wait(3, {main_, net("System.Threading.Fence.Pass()"), net("System.Threading.Inner.Pass()"), futex_});
  wait(2, {main_, native("libc.so.6", "pause")});
  const WaitTotals all = parted();
  ASSERT_EQ(all.rows.size(), 2u);
  EXPECT_EQ(callee(all.rows[0]), "System.Threading.Fence.Pass()");
  EXPECT_EQ(callee(all.rows[1]), "pause");
  EXPECT_EQ(all.rows[0].place.what, WaitFor::kSystem);
}

TEST_F(WaitsTest, BelowWhatMonoMakesAreOfWhoCallsIt) {
  profile_.intro.runtime = "Mono 6.8.0.105";
  const uint32_t mono = native("mono-sgen", "");
  wait(3, {main_, net("object.[managed-to-native] __icall_wrapper_mono_monitor_enter_v4_internal(object, ref bool)"),
           mono, futex_});
  wait(2, {main_, own("Shop.Program.[managed-to-native] usleep(int)"), native("libc.so.6", "usleep")});
  const WaitTotals all = parted();
  ASSERT_EQ(all.rows.size(), 2u);
  EXPECT_EQ(all.rows[0].place.what, WaitFor::kLock);
  for (const WaitRow& row : all.rows) EXPECT_EQ(profile_.nodes[row.place.own].function, main_);
  EXPECT_EQ(callee(all.rows[1]), "Shop.Program.[managed-to-native] usleep(int)");
}

TEST_F(WaitsTest, WithoutOwnCodeAreIdle) {
  const uint32_t worker = net("System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()");
  wait(4, {worker, futex_}, 1);
  const uint32_t made = own("Shop.Program.Main(string[]) of the compiler");
  profile_.functions[made].raw_name = "Shop.Program.<Main>(System.String[])";
  wait(1, {made, net("System.Runtime.CompilerServices.TaskAwaiter.GetResult()"), futex_});
  wait(1, {main_, net("Microsoft.AspNetCore.Builder.WebApplication.Run(string)"), futex_});
  WaitTotals all = parted();
  EXPECT_TRUE(all.rows.empty());
  EXPECT_EQ(all.idle, 6u);
  profile_.filter.idle = true;
  all = waits(profile_);
  EXPECT_EQ(all.rows.size(), 2u) << "of no own code, and of Main";
  EXPECT_EQ(all.periods, 0u);
}

TEST_F(WaitsTest, InTheRuntimeAreForWhatItDoesOrForTheCollectionAtThatMoment) {
  const uint32_t coreclr = native("libcoreclr.so", ""), prepare = native("libcoreclr.so", "[call preparation]");
  profile_.pauses.push_back({100, 50, 0});
  wait(2, {main_, prepare, coreclr, futex_}, 0, 10);
  wait(3, {main_, prepare, coreclr, futex_}, 0, 120);
  wait(4, {main_, native("libcoreclr.so", "[allocation]"), coreclr, futex_}, 0, 10);
  const WaitTotals all = parted();
  ASSERT_EQ(all.rows.size(), 3u);
  EXPECT_EQ(all.rows[0].place.what, WaitFor::kCollection);
  EXPECT_EQ(all.rows[1].place.what, WaitFor::kCollection) << "all threads were stopped";
  EXPECT_EQ(all.rows[2].place.what, WaitFor::kCompilation);
}

TEST_F(WaitsTest, OfMethodsThatOnlyComputeAreNotTheirs) {
  const uint32_t copy = net("System.Span<byte>.CopyTo(System.Span<byte>)"), coreclr = native("libcoreclr.so", "");
  profile_.pauses.push_back({100, 50, 0});
  wait(4, {main_, copy, coreclr, futex_}, 0, 120);
  wait(3, {main_, copy, coreclr, futex_}, 0, 10);
  wait(2, {main_, copy}, 0, 10);
  const WaitTotals all = parted();
  ASSERT_EQ(all.rows.size(), 3u);
  EXPECT_EQ(all.rows[0].place.what, WaitFor::kCollection);
  EXPECT_EQ(all.rows[1].place.what, WaitFor::kRuntime);
  EXPECT_EQ(all.rows[2].place.what, WaitFor::kMemory);
}

TEST_F(WaitsTest, LeaveSamplesOfProcessorTimeAndStayAmongThoseOfRealTime) {
  wait(1, {main_, net("System.Threading.Thread.Sleep(int)"), futex_});
  profile_.samples.push_back({0, 0, 1, 9});
  Profile real = profile_;
  real.sampling_mode = "real";
  split_waits(profile_);
  EXPECT_EQ(profile_.samples.periods(), 9u);
  ASSERT_EQ(profile_.waits.size(), 1u);
  EXPECT_EQ(profile_.nodes[profile_.waits[0].node].function, futex_);
  split_waits(real);
  EXPECT_EQ(real.samples.periods(), 10u);
}

TEST_F(WaitsTest, OfIdleThreadsAreNoSamplesOfRealTimeUnlessTheyAreWanted) {
  profile_.sampling_mode = "real";
  wait(1, {main_, net("System.Threading.Thread.Sleep(int)"), futex_});
  wait(8, {net("System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()"), futex_}, 1);
  split_waits(profile_);
  Profile with_idle = profile_;
  apply({}, profile_);
  EXPECT_EQ(profile_.samples.periods(), 1u);
  EXPECT_EQ(waits(profile_).idle, 8u) << "what is told of them stays";
  Filter filter;
  filter.idle = true;
  apply(filter, with_idle);
  EXPECT_EQ(with_idle.samples.periods(), 9u);
}

}  // namespace
}  // namespace oriel::profile
