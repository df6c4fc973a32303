#include "profile/work/category.h"

#include <gmock/gmock.h>

#include "oriel/oriel.h"

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;

// Makes a profile from stacks, outermost function first, with samples.
class ProfileMaker {
 public:
  ProfileMaker() {
    profile_.functions.resize(1);
    profile_.nodes.resize(1);
    profile_.threads.resize(1);
    profile_.threads[0].name = "main";
    profile_.origins = {{},
                        {log::Origin::kProject, "Shop"},
                        {log::Origin::kPackage, "Newtonsoft.Json 13.0.3"},
                        {log::Origin::kFramework, "Microsoft.NETCore.App 10.0.1"},
                        {log::Origin::kFramework, "Microsoft.AspNetCore.App 10.0.1"}};
  }
  enum : uint32_t { kUnknown, kShop, kJson, kBase, kAsp };

  uint32_t managed(const std::string& name, uint32_t origin, const std::string& module = "Some.dll") {
    Function function;
    function.name = name;
    function.module = module;
    function.managed = true;
    function.origin = origin;
    return add(function);
  }
  uint32_t native(const std::string& library, const std::string& name = "") {
    Function function;
    function.name = name.empty() ? "[" + library + "]" : name;
    function.module = library;
    return add(function);
  }
  ProfileMaker& stack(uint64_t periods, std::initializer_list<uint32_t> functions, uint32_t thread = 0) {
    uint32_t node = 0;
    for (const uint32_t function : functions) {
      profile_.nodes.push_back({node, function, false});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    profile_.samples.push_back({0, thread, node, periods});
    return *this;
  }
  uint32_t thread(const std::string& name) {
    profile_.threads.emplace_back().name = name;
    return static_cast<uint32_t>(profile_.threads.size() - 1);
  }

  // "12 package Newtonsoft.Json"
  std::vector<std::string> shares() const {
    constexpr const char* kNames[] = {"own",        "package", "framework",  "generated",  "jit",     "pgo",
                                      "tiering",    "types",   "lookups",    "locks",      "casts",   "stubs",
                                      "allocation", "gc",      "exceptions", "suspension", "start",   "waiting",
                                      "kernel",     "oriel",   "guest",      "native",     "runtime", "unknown"};
    static_assert(std::size(kNames) == static_cast<size_t>(Category::kUnknown) + 1);
    std::vector<std::string> lines;
    for (const Share& share : profile::shares(profile_)) {
      lines.push_back(std::to_string(share.periods) + " " + kNames[static_cast<size_t>(share.category)] +
                      (share.name.empty() ? "" : " " + share.name));
    }
    return lines;
  }

  Profile profile_;

 private:
  uint32_t add(const Function& function) {
    profile_.functions.push_back(function);
    return static_cast<uint32_t>(profile_.functions.size() - 1);
  }
};

TEST(Shares, OfManagedCodeGoByWhereItComesFrom) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), parse = maker.managed("Parse()", maker.kJson),
                 hash = maker.managed("Hash()", maker.kBase), handle = maker.managed("Handle()", maker.kAsp),
                 made = maker.managed("Lambda()", maker.kUnknown, "");
  maker.stack(7, {main})
      .stack(6, {main, parse})
      .stack(5, {main, parse, hash})
      .stack(4, {handle})
      .stack(3, {main, made});
  EXPECT_THAT(maker.shares(), ElementsAre("7 own", "6 package Newtonsoft.Json", "5 framework Microsoft.NETCore.App",
                                          "4 framework Microsoft.AspNetCore.App", "3 generated"));
}

TEST(Shares, OfALogThatDoesNotTellGoByName) {
  ProfileMaker maker;
  maker.stack(2, {maker.managed("Main()", maker.kUnknown, "Shop.dll")});
  maker.stack(1, {maker.managed("Linq()", maker.kUnknown, "System.Linq.dll")});
  EXPECT_THAT(maker.shares(), ElementsAre("2 own", "1 framework"));
}

TEST(Shares, OfOtherProfilersGoByTheirNames) {
  ProfileMaker maker;
  maker.profile_.intro.properties = {{"guests", "libagent.so {1}, libother.so {2}"}};
  const uint32_t main = maker.managed("Main()", maker.kShop), jit = maker.native("libclrjit.so");
  maker.stack(3, {main, jit, maker.native("libagent.so"), maker.native("libc.so.6", "malloc")});
  maker.stack(2, {main, maker.native("libother.so")}).stack(1, {main, maker.native("agent.so")});
  EXPECT_THAT(maker.shares(), ElementsAre("3 guest libagent.so", "2 guest libother.so", "1 native agent.so"));
}

TEST(Shares, WhatTheJitCompilerCallsIsItsOwn) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), runtime = maker.native("libcoreclr.so"),
                 jit = maker.native("libclrjit.so"), libc = maker.native("libc.so.6", "malloc");
  maker.stack(9, {main, runtime}).stack(8, {main, runtime, jit});
  maker.stack(4, {main, runtime, jit, runtime}).stack(2, {main, runtime, jit, runtime, libc});
  // Managed code that runs below keeps its own category.
  maker.stack(1, {main, runtime, jit, runtime, main});
  EXPECT_THAT(maker.shares(), ElementsAre("14 jit first time", "9 runtime", "1 own"));
}

TEST(Shares, OfTheSystemsLibrariesAreTheirCallersInNet) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), base = maker.managed("Read()", maker.kBase),
                 native = maker.native("libSystem.Native.so"), libc = maker.native("libc.so.6", "read"),
                 sqlite = maker.native("libe_sqlite3.so"), stub = maker.native("", "[runtime stub]");
  maker.stack(8, {main, libc}).stack(4, {main, base, native, libc}).stack(3, {main, sqlite, libc});
  maker.stack(2, {main, stub}).stack(1, {libc});
  EXPECT_THAT(maker.shares(),
              ElementsAre("8 native libc.so.6", "4 framework", "3 native libe_sqlite3.so", "2 stubs", "1 unknown"));
}

TEST(Shares, OfTheCollectorsThreadsAreItsOwn) {
  ProfileMaker maker;
  const uint32_t runtime = maker.native("libcoreclr.so");
  maker.stack(3, {runtime}, maker.thread(".NET Server GC")).stack(1, {runtime});
  maker.stack(2, {maker.native("libclrgc.so")});
  EXPECT_THAT(maker.shares(), ElementsAre("5 gc", "1 runtime"));
}

TEST(Shares, OfTheRuntimeGoByWhatItsCodeIs) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), runtime = maker.native("libcoreclr.so"),
                 tls = maker.native("ld-linux-x86-64.so.2", "__tls_get_addr"), jit = maker.native("libclrjit.so");
  maker.stack(11, {main, maker.native("libcoreclr.so", "[PGO counting]"), tls});
  maker.stack(10, {main, maker.native("libcoreclr.so", "JIT_New"), runtime});
  maker.stack(9, {main, maker.native("", "[virtual call stub]")}).stack(8, {main, maker.native("", "[look-up]")});
  const uint32_t prepares = maker.native("libcoreclr.so", "[call preparation]");
  maker.stack(7, {main, prepares, runtime}).stack(6, {main, prepares, runtime, jit, runtime});
  maker.stack(5, {main, maker.native("", "[call counting]")});
  maker.stack(4, {main, maker.native("libcoreclr.so", "[write barrier]")});
  EXPECT_THAT(maker.shares(), ElementsAre("11 pgo", "10 allocation", "9 stubs", "8 lookups", "7 types",
                                          "6 jit first time", "5 tiering", "4 casts"));
}

TEST(Shares, OfTheRuntimesHelpersInCSharpAreTheRuntimes) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), runtime = maker.native("libcoreclr.so"),
                 cast = maker.managed("System.Runtime.CompilerServices.CastHelpers.ChkCastAny(void*, object)",
                                      maker.kBase),
                 copy = maker.managed("System.Array.Copy(Array, Array, int)", maker.kBase),
                 thrown = maker.managed("System.Runtime.EH.RhThrowEx(object)", maker.kBase);
  maker.stack(8, {main, cast}).stack(4, {main, cast, runtime}).stack(2, {main, copy, runtime});
  maker.stack(3, {main, cast, maker.native("libcoreclr.so", "[PGO counting]"), runtime});
  maker.stack(1, {main, runtime, thrown, runtime});
  EXPECT_THAT(maker.shares(), ElementsAre("12 casts", "3 pgo", "2 framework Microsoft.NETCore.App", "1 exceptions"));
}

TEST(Shares, OfTheRuntimesCodeThatThrowsAreExceptions) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), runtime = maker.native("libcoreclr.so"),
                 parse = maker.managed("System.Number.ThrowFormatException()", maker.kBase),
                 libc = maker.native("libc.so.6", "memcpy"),
                 handle = maker.managed("System.Runtime.EH.DispatchEx(ref ExInfo)", maker.kBase),
                 load = maker.managed("System.Reflection.Assembly.Load(string)", maker.kBase);
  const auto node = [&](uint32_t caller, uint32_t function, uint64_t periods) {
    maker.profile_.nodes.push_back({caller, function, false});
    const auto made = static_cast<uint32_t>(maker.profile_.nodes.size() - 1);
    if (periods != 0) maker.profile_.samples.push_back({0, 0, made, periods});
    return made;
  };
  const uint32_t parses = node(node(0, main, 0), parse, 1), throws = node(node(parses, runtime, 0), runtime, 0);
  node(throws, libc, 2);
  node(node(throws, handle, 0), runtime, 4);
  // A function that rarely throws keeps its category, except for exception handling.
  node(node(node(1, load, 0), runtime, 64), handle, 16);
  EXPECT_THAT(maker.shares(), ElementsAre("65 framework Microsoft.NETCore.App", "22 exceptions"));
}

TEST(Shares, OfCollectionsThatTheBaseLibraryAsksForAreTheCollectors) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), runtime = maker.native("libcoreclr.so"),
                 pressure = maker.managed("System.GC.AddMemoryPressure(long)", maker.kBase),
                 collect = maker.managed("System.GC.Collect(int)", maker.kBase),
                 libc = maker.native("libc.so.6", "memset");
  maker.profile_.pauses = {{10, 10, ORIEL_SUSPEND_GC}};
  const auto at = [&](int64_t ns) { maker.profile_.samples.change().back().ns = ns; };
  maker.stack(8, {main, pressure, runtime, libc});
  at(15);
  maker.stack(4, {main, pressure, runtime, libc});
  at(25);
  maker.stack(2, {main, collect, runtime});
  at(26);
  EXPECT_THAT(maker.shares(), ElementsAre("10 gc", "4 framework Microsoft.NETCore.App"));
}

TEST(Shares, OfLocksAreTheirs) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop),
                 count = maker.managed("System.Collections.Concurrent.ConcurrentDictionary<int, int>.get_Count()",
                                       maker.kBase),
                 exit = maker.managed("System.Threading.Monitor.Exit(object)", maker.kBase),
                 tls = maker.native("ld-linux-x86-64.so.2", "__tls_get_addr"),
                 take = maker.native("libcoreclr.so", "[taking a lock]");
  maker.stack(8, {main, take}).stack(4, {main, count, take, tls}).stack(2, {main, count, exit});
  maker.stack(1, {main, count}).stack(3, {main, tls});
  EXPECT_THAT(maker.shares(), ElementsAre("14 locks", "3 own", "1 framework Microsoft.NETCore.App"));
}

TEST(Shares, OfSystemCallsAreTheKernels) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), libc = maker.native("libc.so.6", "__write"),
                 kernel = maker.native("", "[kernel]"), jit = maker.native("libclrjit.so"),
                 oriel = maker.native("liboriel.so", "oriel::f()"), runtime = maker.native("libcoreclr.so");
  maker.stack(8, {main, libc, kernel}).stack(4, {main, runtime, jit, libc, kernel}).stack(2, {main, libc});
  maker.stack(1, {main, runtime, jit, runtime, oriel, runtime, libc, kernel});
  EXPECT_THAT(maker.shares(), ElementsAre("8 kernel", "4 jit first time", "2 native libc.so.6", "1 oriel"));
}

TEST(Shares, OfTheRuntimeWhileThreadsStandAreTheirReasons) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), libc = maker.native("libc.so.6", "__write"),
                 allocates = maker.native("libcoreclr.so", "[allocation]"), runtime = maker.native("libcoreclr.so");
  maker.profile_.pauses = {{10, 10, ORIEL_SUSPEND_GC}, {30, 10, ORIEL_SUSPEND_REJIT}};
  const auto at = [&](int64_t ns) { maker.profile_.samples.change().back().ns = ns; };
  maker.stack(16, {main, allocates, runtime});
  at(15);
  maker.stack(8, {main, allocates, runtime});
  at(20);
  maker.stack(4, {main, runtime});
  at(35);
  maker.stack(2, {main, libc});
  at(15);
  maker.stack(1, {runtime}, maker.thread(".NET Tiered Com"));
  at(5);
  EXPECT_THAT(maker.shares(), ElementsAre("16 gc", "8 allocation", "4 suspension", "2 native libc.so.6", "1 tiering"));
}

TEST(Shares, OfSamplesMayBeOthersThanOfTheirFrames) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), runtime = maker.native("libcoreclr.so");
  maker.profile_.pauses = {{10, 10, ORIEL_SUSPEND_GC}};
  maker.stack(2, {main, runtime}).stack(1, {main, runtime});
  maker.profile_.samples.change()[0].ns = 15;
  const Purposes found = purposes(maker.profile_);
  const auto category = [&](uint32_t number) { return found.all[number].category; };
  ASSERT_EQ(found.of_sample.size(), 2U);
  EXPECT_EQ(category(found.of_sample[0]), Category::kGc);
  EXPECT_EQ(category(found.of_sample[1]), Category::kRuntime);
  ASSERT_EQ(found.of_node.size(), maker.profile_.nodes.size());
  EXPECT_EQ(category(found.of_node[1]), Category::kOwn);
  EXPECT_EQ(category(found.of_node[2]), Category::kRuntime);
}

// Its compiler is in the same library as all else, so only the event of a compilation tells of it.
TEST(Shares, OfMonoAreItsCompilersWhileItCompiles) {
  ProfileMaker profile;
  profile.profile_.intro.runtime = "Mono 6.8.0.105";
  const uint32_t main = profile.managed("Shop.Main()", profile.kShop);
  const uint32_t mono = profile.native("mono-sgen"), stub = profile.native("", "[runtime stub]");
  const uint32_t memset = profile.native("libc.so.6"), kernel = profile.native("", "[page fault]");
  const auto compiles = [&](int64_t ns) {
    profile.profile_.samples.change().back().ns = ns;
    profile.profile_.compiling.push_back({ns, 0, main, false, 1});
  };
  profile.stack(1, {main, stub, mono});
  compiles(1);
  profile.stack(2, {main, stub, mono, memset});
  compiles(2);
  profile.stack(4, {main, stub, mono, kernel});
  compiles(3);
  profile.stack(8, {main, stub, mono}).stack(16, {main}).stack(32, {main, stub});
  EXPECT_THAT(profile.shares(), ElementsAre("40 runtime", "16 own", "7 jit first time"));
}

TEST(Shares, OfCodeThatMonoMakesAreWhatItIsFor) {
  ProfileMaker profile;
  profile.profile_.intro.runtime = "Mono 6.8.0.105";
  const uint32_t start = profile.native("mono-sgen", "mono_main"), mono = profile.native("mono-sgen");
  const uint32_t invoke = profile.managed("<Module>.[runtime-invoke] runtime_invoke_void", profile.kShop);
  const uint32_t main = profile.managed("Shop.Main()", profile.kShop);
  const uint32_t alloc = profile.managed("object.[alloc] AllocVector", profile.kBase);
  const uint32_t icall =
      profile.managed("object.[managed-to-native] __icall_wrapper_mono_gc_alloc_vector", profile.kBase);
  const uint32_t store = profile.managed("object.[stelemref] virt_stelemref_class", profile.kBase);
  profile.stack(1, {start, mono}).stack(2, {start, mono, invoke}).stack(4, {start, invoke, main});
  profile.stack(8, {start, invoke, main, alloc}).stack(16, {start, invoke, main, alloc, icall, mono});
  profile.stack(32, {start, invoke, main, store});
  EXPECT_THAT(profile.shares(), ElementsAre("32 casts", "24 allocation", "4 own", "2 framework Mono", "1 start"));
  EXPECT_THAT(own_totals(profile.profile_).size(), 1u);
}

TEST(Shares, OfWhatMonoPutsBeforeTheProgramsFunctionsAreNoneOfItsOwnCode) {
  ProfileMaker profile;
  profile.profile_.intro.runtime = "Mono 6.8.0.105";
  const uint32_t main = profile.managed("Shop.Till.Main()", profile.kShop),
                 libc = profile.native("libc.so.6", "usleep"),
                 call = profile.managed("Shop.Till.[managed-to-native] usleep(int)", profile.kShop),
                 taking = profile.managed("Shop.Till.[synchronized] Pay()", profile.kShop),
                 read = profile.managed("System.IO.MonoIO.[managed-to-native] Read(int)", profile.kBase),
                 dynamic = profile.managed("object.[dynamic-method] made()", profile.kBase);
  profile.stack(1, {main, call}).stack(2, {main, call, libc}).stack(4, {main, taking}).stack(8, {main, read});
  profile.stack(16, {main, dynamic});
  EXPECT_THAT(profile.shares(),
              ElementsAre("17 generated", "8 framework Microsoft.NETCore.App", "4 own", "2 native libc.so.6"));
  EXPECT_EQ(nearest_own(profile.profile_)[2], main);
}

TEST(OwnTotals, CountWhatOwnMethodsCallToTheNearestOfThem) {
  ProfileMaker maker;
  const uint32_t main = maker.managed("Main()", maker.kShop), add = maker.managed("Add()", maker.kShop),
                 parse = maker.managed("Parse()", maker.kJson), libc = maker.native("libc.so.6", "memcpy");
  maker.stack(1, {main}).stack(2, {main, parse}).stack(4, {main, add}).stack(8, {main, parse, add, parse, libc});
  maker.stack(16, {parse});
  std::vector<std::string> lines;
  for (const OwnTotals& entry : own_totals(maker.profile_)) {
    lines.push_back(maker.profile_.functions[entry.function].name + " " + std::to_string(entry.nearest) + " of " +
                    std::to_string(entry.total));
  }
  EXPECT_THAT(lines, ElementsAre("Add() 12 of 12", "Main() 3 of 15"));
}

}  // namespace
}  // namespace oriel::profile
