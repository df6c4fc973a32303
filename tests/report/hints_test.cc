#include "report/hints/hints.h"

#include <gmock/gmock.h>

#include "oriel/oriel.h"
#include "profile/work/own_places.h"
#include "profile/work/uses.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kPause = 30'000'000;  // of a collection, in nanoseconds

// Samples of stacks, outermost function first. Own code has a module name without a dot except for its extension.
class Hints : public ::testing::Test {
 protected:
  Hints() {
    profile_.functions.resize(1);
    profile_.nodes.resize(1);
    profile_.threads.resize(1);
    profile_.sampling_hz = 100;
  }

  void stack(uint64_t periods, std::initializer_list<profile::Function> functions) {
    uint32_t node = 0;
    for (const profile::Function& function : functions) {
      profile_.functions.push_back(function);
      profile_.nodes.push_back({node, static_cast<uint32_t>(profile_.functions.size() - 1), false});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    profile_.samples.push_back({0, 0, node, periods});
  }
  static profile::Function own(const char* name) { return {name, "", "Shop.dll", true}; }
  static profile::Function base(const char* name) { return {name, "", "System.Private.CoreLib.dll", true}; }
  static profile::Function runtime(const char* name) { return {name, "", "libcoreclr.so", false}; }

  std::vector<std::string> keys() const {
    std::vector<std::string> result;
    for (const Hint& hint : hints(profile_)) result.emplace_back(hint.key);
    return result;
  }

  profile::Profile profile_;
};

TEST_F(Hints, AreNoneWhereNothingStandsOut) {
  EXPECT_THAT(hints(profile_), IsEmpty());
  stack(96, {own("Main()")});
  stack(4, {own("Main()"), runtime("[PGO counting]")});
  EXPECT_THAT(hints(profile_), IsEmpty());
}

TEST_F(Hints, AreNoneOfAFewSamples) {
  stack(1, {own("Main()")});
  stack(9, {own("Main()"), runtime("[PGO counting]")});
  EXPECT_THAT(hints(profile_), IsEmpty());
}

// Negligible costs are not worth reading about.
TEST_F(Hints, AreNoneOfWhatTakesLittle) {
  profile_.intro.properties = {{"events", "gc"}};
  for (uint32_t i = 0; i < 10; ++i) profile_.collections.push_back({i, 2, true, 0, 1, kPause});
  EXPECT_THAT(keys(), ElementsAre("induced-gc"));
  profile_.wall_ns = 600 * kPause;
  EXPECT_THAT(keys(), IsEmpty()) << "less than a fiftieth of the run";
  stack(12, {own("Main()"), {"[libclrjit.so]", "", "libclrjit.so", false}});
  profile_.compiling.push_back({0, 0, 1, false, 12});
  EXPECT_THAT(keys(), IsEmpty()) << "a program that idles after its start";
}

// In long-running programs, PGO instrumentation pays off.
TEST_F(Hints, AdviseAgainstCountingOnlyWhatEndsSoon) {
  stack(80, {own("Main()")});
  stack(20, {own("Main()"), runtime("[PGO counting]")});
  EXPECT_THAT(keys(), ElementsAre("pgo"));
  profile_.state = profile::LogState::kStopped;
  EXPECT_THAT(keys(), IsEmpty());
  profile_.state = profile::LogState::kComplete;
  stack(1,
        {{"Microsoft.AspNetCore.Server.Kestrel.Core.Run()", "", "Microsoft.AspNetCore.Server.Kestrel.Core.dll", true}});
  EXPECT_THAT(keys(), IsEmpty()) << "a server";
}

TEST_F(Hints, OfAllocationNameTheReportWhereItIsLogged) {
  stack(50, {own("Main()"), runtime("[allocation]")});
  EXPECT_THAT(hints(profile_).at(0).text, HasSubstr("`oriel run --alloc=sampled`"));
  profile_.call_totals = {{.allocated = 1}};
  EXPECT_THAT(hints(profile_).at(0).text, ::testing::Not(HasSubstr("--alloc")));
  EXPECT_EQ(hints(profile_).at(0).command, "oriel report alloc");
}

TEST_F(Hints, TellTheShareAndWhatToDo) {
  stack(80, {own("Main()")});
  stack(20, {own("Main()"), runtime("[PGO counting]")});
  const std::vector<Hint> all = hints(profile_);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].share, 0.2);
  EXPECT_THAT(all[0].text, HasSubstr("20.0 % (200 ms) is PGO instrumentation"));
  EXPECT_THAT(all[0].text, HasSubstr("DOTNET_TieredPGO=0"));
}

TEST_F(Hints, NameTheCommandThatShowsMore) {
  stack(50, {own("Shop.Names.<Count>(int)"), base("System.Text.RegularExpressions.Regex.IsMatch(string)")});
  stack(50, {own("Main()"), runtime("[PGO counting]")});
  std::vector<std::string> commands;
  for (const Hint& hint : hints(profile_)) commands.push_back(hint.command);
  EXPECT_THAT(commands,
              ::testing::UnorderedElementsAre("oriel report lines 'Shop.Names.<Count>'", "oriel report shares"));
}

TEST_F(Hints, NameTheOwnMethodThatMostIsFor) {
  stack(30, {own("Main()"), own("Check()"), base("System.Text.RegularExpressions.Regex..ctor(string)"),
             base("System.Text.RegularExpressions.RegexParser.Scan()")});
  stack(10, {own("Main()"), base("System.Text.RegularExpressions.Regex..ctor(string)")});
  stack(60, {own("Main()")});
  const std::vector<Hint> all = hints(profile_);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(all[0].text, HasSubstr("40.0 % (400 ms) is constructing regular expressions, most of it for Check()"));
}

TEST_F(Hints, ArePlacedInTheLineThatHasMostOfIt) {
  stack(10, {own("Check()"), base("System.Linq.Enumerable.Sum()")});
  stack(30, {own("Check()"), base("System.Linq.Enumerable.Sum()")});
  stack(20, {own("Check()"), base("System.Text.Json.JsonSerializerOptions.Get()")});
  for (profile::Node& node : profile_.nodes) node.function = node.function % 2 == 1 ? 1 : node.function;
  for (uint32_t line = 0; line < 3; ++line) profile_.nodes[1 + 2 * line].position = 1 + line;
  EXPECT_EQ(profile::own_place_in(1, profile_.samples.by_node(), profile_), 3u);
  EXPECT_EQ(profile::own_place_in(1, profile::periods_of_use(profile::Use::kJsonMetadata, profile_), profile_), 5u);
  EXPECT_EQ(profile::own_place_in(1, profile::periods_of_use(profile::Use::kReflection, profile_), profile_), 0u);
}

TEST_F(Hints, AreOfWhatStandsBetweenTheLeafAndOwnCode) {
  stack(50, {own("Main()"), base("System.Linq.Enumerable.Sum()"), own("Main.lambda#0(int)")});
  stack(50, {own("Main()"), base("System.Linq.Enumerable.Sum()"), base("System.Reflection.Method.Invoke()")});
  EXPECT_THAT(keys(), ElementsAre("linq")) << "the lambda is not LINQ, and what LINQ calls is";
}

TEST_F(Hints, OfAUseAreNotOfWhatItCallsBackOrOfCompilingIt) {
  const profile::Function invoke = base("System.Reflection.MethodBaseInvoker.InvokeWithNoArgs(object)");
  profile_.origins = {{}, {log::Origin::kPackage, "Orm 3.0.1"}};
  profile::Function made = own("Orm.Model..ctor()");
  made.origin = 1;
  stack(50, {own("Main()"), invoke, made});
  stack(50, {own("Main()"), base("System.Linq.Enumerable.Sum()"), {"[libclrjit.so]", "", "libclrjit.so", false}});
  EXPECT_THAT(keys(), IsEmpty());
}

// Own code cannot change what a library does on its own.
TEST_F(Hints, AreNotOfWhatLibrariesDoByThemselves) {
  profile_.origins = {
      {}, {log::Origin::kPackage, "Compose 9.0.0"}, {log::Origin::kFramework, "Microsoft.AspNetCore.App"}};
  profile::Function compose = own("Compose.Host.Create()");
  compose.origin = 1;
  stack(50, {own("Main()"), compose, base("System.Reflection.RuntimeMethodInfo.Invoke(object)")});
  stack(50, {own("Main()"), compose, base("System.Linq.Enumerable.ToList()")});
  EXPECT_THAT(keys(), IsEmpty());
  profile::Function activate = {"Microsoft.Extensions.DependencyInjection.Make()", "",
                                "Microsoft.Extensions.DependencyInjection.dll", true};
  activate.origin = 2;
  stack(60, {own("Main()"), activate, base("System.Reflection.RuntimeMethodInfo.Invoke(object)")});
  EXPECT_THAT(keys(), IsEmpty());
  stack(60, {own("Main()"), base("System.Attribute.GetCustomAttributes(MemberInfo)"),
             base("System.Reflection.RuntimeMethodInfo.Invoke(object)")});
  EXPECT_THAT(keys(), ElementsAre("reflection"));
}

TEST_F(Hints, OfReflectionAreNotOfWhatTheRuntimeCallsForIt) {
  const profile::Function invoke = base("System.Reflection.MethodBaseInvoker.InvokeWithNoArgs(object)");
  const profile::Function native = {"[libcoreclr.so]", "", "libcoreclr.so", false};
  stack(60, {own("Main()"), invoke, native, runtime("[runtime stub]")});
  EXPECT_THAT(keys(), IsEmpty());
  stack(40, {own("Main()"), invoke, native});
  EXPECT_THAT(keys(), ElementsAre("reflection"));
}

TEST_F(Hints, TheWeightiestStandFirst) {
  stack(20, {own("Main()"), runtime("[PGO counting]")});
  stack(30, {own("Main()"), base("string.Concat(string, string)")});
  stack(50, {own("Main()"), runtime("[allocation]")});
  EXPECT_THAT(keys(), ElementsAre("allocation", "concatenation", "pgo"));
  stack(30, {own("Main()"), runtime("[PGO counting]")});
  EXPECT_THAT(keys(), ElementsAre("allocation", "concatenation", "pgo")) << "a setting";
}

// A healthy cache replaces old entries by new ones.
TEST_F(Hints, AreNoneOfAllocatingAndCollectingAsManyProgramsDo) {
  stack(17, {own("Load()"), runtime("[allocation]")});
  stack(21, {own("Load()"), {"[libclrgc.so]", "", "libclrgc.so", false}});
  stack(62, {own("Main()")});
  EXPECT_THAT(keys(), IsEmpty());
}

TEST_F(Hints, TellOnceOfAllocatingAndCollecting) {
  stack(25, {own("Load()"), runtime("[allocation]")});
  stack(45, {own("Load()"), {"[libclrgc.so]", "", "libclrgc.so", false}});
  stack(30, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("gc"));
  EXPECT_THAT(hints(profile_)[0].text,
              HasSubstr("45.0 % (450 ms) is the garbage collector. Most is allocated for Load()."));
}

TEST_F(Hints, TellOfBoxingInsteadOfAllocation) {
  profile_.places.images.resize(2);
  profile_.places.positions = {{}, {1, 1, 10}, {1, 1, 20}};
  profile_.places.boxes = {{1, 1, 12}};
  stack(40, {own("Add()"), runtime("[allocation]"), runtime("[libcoreclr.so]")});
  profile_.nodes[1].position = 1;
  stack(10, {own("Add()"), runtime("[allocation]")});
  profile_.nodes[4].position = 2;
  stack(50, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("boxing"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("40.0 % (400 ms) is boxing value types, most of it for Add()"));
}

// Consequences of a cause need no hint of their own.
TEST_F(Hints, TellOfPatternsMadeAgainAndAgainAndNotWhatFollows) {
  const profile::Function make = base("System.Text.RegularExpressions.Regex..ctor(string)");
  const profile::Function match = base("System.Text.RegularExpressions.Regex.RunSingleMatch()");
  stack(30, {own("Find()"), make});
  stack(15, {own("Find()"), make, runtime("[PGO counting]")});
  stack(25, {own("Find()"), make, runtime("[allocation]")});
  stack(12, {own("Find()"), match});
  stack(18, {own("Main()")});
  EXPECT_THAT(keys(), ElementsAre("regex-made"));
  stack(30, {own("Main()"), runtime("[allocation]")});
  EXPECT_THAT(keys(), ElementsAre("regex-made", "allocation")) << "which has other reasons too";
}

TEST_F(Hints, TellOfPatternsThatStaticMethodsMake) {
  const profile::Function match = base("System.Text.RegularExpressions.Regex.IsMatch(string, string)");
  stack(60, {own("Find()"), match, base("System.Text.RegularExpressions.RegexCache.GetOrAdd(string)"),
             base("System.Text.RegularExpressions.Regex..ctor(string)")});
  stack(40, {own("Find()"), match});
  ASSERT_THAT(keys(), ElementsAre("regex-made"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("60.0 % (600 ms) is constructing regular expressions"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("the last 15 patterns"));
}

TEST_F(Hints, TellOfInterpretedPatternsWhereMostAreThese) {
  const profile::Function match = base("System.Text.RegularExpressions.Regex.RunSingleMatch()");
  stack(30, {own("Find()"), match, base("System.Text.RegularExpressions.RegexInterpreter.Scan()")});
  stack(40, {own("Find()"), match, base("Regex1_TryMatchAtCurrentPosition()")});
  ASSERT_THAT(keys(), ElementsAre("regex"));
  EXPECT_THAT(hints(profile_)[0].text, ::testing::Not(HasSubstr("interprets")));
  stack(60, {own("Find()"), match, base("System.Text.RegularExpressions.RegexInterpreter.Scan()")});
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("Most of that interprets them"));
}

TEST_F(Hints, TellOfQueriesThatRequestsRepeat) {
  const auto add = [&](const char* id, const char* parent, const char* name, int64_t ns) {
    profile_.activities.push_back({1'000'000, ns, id, parent, "Shop", name, false, {}, 0});
  };
  add("1", "", "GET /cart", 1'000'000);
  for (const char* const id : {"2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"})
    add(id, "1", "price of an article", 20'000);
  EXPECT_THAT(keys(), IsEmpty()) << "what this is, is not known";
  for (size_t i = 1; i < profile_.activities.size(); ++i) profile_.activities[i].tags = {"db.system=sqlite"};
  ASSERT_THAT(keys(), ElementsAre("repeated"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("repeats one operation 11 times: price of an article. Possible N+1"));
  for (size_t i = 1; i < profile_.activities.size(); ++i) profile_.activities[i].ns = 2'000;
  EXPECT_THAT(keys(), IsEmpty()) << "they take little";
  for (size_t i = 1; i < profile_.activities.size(); ++i) profile_.activities[i].ns = 20'000;
  add("13", "", "GET /cart", 1'000'000);
  add("14", "", "GET /cart", 500'000'000);
  for (size_t i = 0; i < 22; ++i)
    add(std::to_string(20 + i).c_str(), i < 11 ? "13" : "14", "price of an article", 20'000);
  for (size_t i = 14; i < profile_.activities.size(); ++i) profile_.activities[i].tags = {"db.system=sqlite"};
  EXPECT_THAT(keys(), ElementsAre("repeated")) << "the first request was compiled, and says nothing of the others";
}

TEST_F(Hints, TellOfPatternsThatAreCompiledAgainAndAgain) {
  const profile::Function match = base("System.Text.RegularExpressions.Regex.RunSingleMatch()");
  stack(10, {own("Find()"), base("System.Text.RegularExpressions.Regex..ctor(string)"),
             base("System.Text.RegularExpressions.RegexLWCGCompiler.FactoryInstanceFromCode()")});
  stack(80, {own("Find()"), match, {"[libclrjit.so]", "", "libclrjit.so", false}});
  stack(10, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("regex-made"));
  EXPECT_EQ(hints(profile_)[0].share, 0.9);
}

TEST_F(Hints, TellWhyValuesAreComparedByReflection) {
  stack(60, {own("Count()"), base("System.Collections.Generic.Dictionary<Place, int>.FindValue(Place)"),
             base("System.ValueType.Equals(object)"), base("System.Reflection.RtFieldInfo.GetValue(object)")});
  stack(40, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("struct-equality"));
  EXPECT_THAT(hints(profile_)[0].text,
              HasSubstr("60.0 % (600 ms) is comparing or hashing structs field by field, most of it for Count()"));
}

TEST_F(Hints, TellWhyValuesAreComparedByReflectionWhereThatIsInlined) {
  stack(20, {own("Count()"), base("System.ValueType.Equals(object)")});
  stack(40, {own("Count()"), base("System.Reflection.RtFieldInfo.GetValue(object)")});
  profile_.nodes.back().parent = 1;
  profile_.nodes[3].function = 1;
  stack(40, {own("Main()"), base("System.Reflection.RtFieldInfo.GetValue(object)")});
  EXPECT_THAT(keys(), ElementsAre("struct-equality", "reflection"));
  EXPECT_EQ(hints(profile_)[0].share, 0.6);
}

TEST_F(Hints, TellOfTextsComparedByLanguage) {
  stack(60, {own("Find()"),
             base("System.Globalization.CompareInfo.IndexOf(string, string)"),
             {"[libicui18n.so.72]", "", "libicui18n.so.72", false}});
  stack(40, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("culture"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("StringComparison.Ordinal"));
}

// A library's lock cannot be changed, but the number of waits may be.
TEST_F(Hints, TellOfALibrarysLockOnlyWhereSomethingHelps) {
  stack(1, {own("Take()"), base("Microsoft.Extensions.Logging.LoggerExtensions.LogInformation(string)"),
            base("System.Threading.Monitor.Enter(object)")});
  profile_.wall_ns = 10 * kPause;
  profile_.functions.push_back(
      {"System.Collections.Generic.Queue<Microsoft.Extensions.Logging.Console.LogMessageEntry>", "", "", true});
  const auto type = static_cast<uint32_t>(profile_.functions.size() - 1);
  profile_.lock_waits = {{9 * kPause, 8 * kPause, 1, 0, profile::LockWait::kNobody, type, 3}};
  ASSERT_THAT(keys(), ElementsAre("library-lock"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("for the console log's queue in Take(). One thread writes"));
  profile_.functions[type].name = "System.Collections.Generic.Queue<Other.Entry>";
  EXPECT_THAT(keys(), IsEmpty());
}

TEST_F(Hints, TellOfLocksThatAreTakenOften) {
  stack(30, {own("Sum()"), base("System.Collections.Concurrent.ConcurrentDictionary<int, int>.get_Count()"),
             runtime("[taking a lock]")});
  stack(30, {own("Sum()"), base("System.Threading.Lock.Exit()")});
  stack(40, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("locks-taken"));
  EXPECT_THAT(
      hints(profile_)[0].text,
      HasSubstr(
          "60.0 % (600 ms) is acquiring and releasing locks, contended or not, most of it for Sum(). Take the lock"));
  stack(31, {own("Sum()"), base("System.Collections.Concurrent.ConcurrentDictionary<int, int>.get_Count()"),
             runtime("[taking a lock]")});
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("for Sum(). Count, Keys and Values of a ConcurrentDictionary"));
  profile_.samples = {};
  stack(60, {base("System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()"), runtime("[taking a lock]")});
  EXPECT_THAT(keys(), IsEmpty()) << "frameworks' own";
}

TEST_F(Hints, TellOfMemoryThatIsTouchedFirst) {
  stack(60, {own("Render()"), {"[page fault]", "", "", false}});
  stack(40, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("page-faults"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("most of it for Render()"));
}

TEST_F(Hints, TellOfTextsMadeOfValues) {
  stack(60, {own("Log()"), base("System.Number.FormatInt32(int)")});
  stack(30, {own("Main()"), base("System.Number.ParseInt32(string)")});
  EXPECT_THAT(keys(), IsEmpty()) << "they may be what the program is for";
  stack(10, {own("Log()"),
             {"Microsoft.Extensions.Logging.Logger.IsEnabled(LogLevel)", "",
              "Microsoft.Extensions.Logging.Abstractions.dll", true}});
  profile_.nodes.back().parent = 1;
  ASSERT_THAT(keys(), ElementsAre("formatting"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("check first whether its level is enabled"));
}

TEST_F(Hints, TellOfQueriesByWhoAsks) {
  profile_.origins = {{}, {log::Origin::kPackage, "Microsoft.Data.Sqlite.Core 10.0.0"}};
  profile::Function provider = own("Microsoft.Data.Sqlite.SqliteCommand.ExecuteReader()");
  provider.origin = 1;
  const profile::Function native = {"[libe_sqlite3.so]", "", "libe_sqlite3.so", false};
  stack(60, {own("Report()"), base("Microsoft.EntityFrameworkCore.EntityQueryable.ToList()"), provider, native});
  stack(40, {own("Main()")});
  ASSERT_THAT(keys(), ElementsAre("database"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("60.0 % (600 ms) is database queries, most of it for Report()."));
  profile_.activities.resize(1);
  EXPECT_THAT(keys(), IsEmpty()) << "the log tells of each";
}

TEST_F(Hints, KnowLookingAtTypesFromWritingThem) {
  const std::string metadata = "System.Text.Json.Serialization.Metadata.";
  stack(80, {own("Main()"), base((metadata + "JsonPropertyInfo<int>.GetMemberAndWriteJson(object)").c_str())});
  EXPECT_THAT(keys(), IsEmpty());
  stack(20, {own("Main()"), base((metadata + "JsonTypeInfo.EnsureConfigured()").c_str())});
  EXPECT_THAT(keys(), ElementsAre("json-options"));
}

// JIT compilation of one assembly's methods for the first time.
TEST_F(Hints, TellOfCodeThatIsNotCompiledAhead) {
  const profile::Function jit = {"[libclrjit.so]", "", "libclrjit.so", false};
  profile_.origins = {{}, {log::Origin::kPackage, "Orm 3.0.1"}, {log::Origin::kFramework, "Microsoft.NETCore.App 10"}};
  stack(60, {own("Main()")});
  stack(40, {own("Main()"), jit});
  const auto compile = [&](profile::Function function, uint32_t origin, uint64_t periods) {
    function.origin = origin;
    profile_.functions.push_back(function);
    profile_.compiling.push_back({0, 0, static_cast<uint32_t>(profile_.functions.size() - 1), false, periods});
  };
  compile(base("List.Add()"), 2, 20);
  EXPECT_THAT(keys(), IsEmpty()) << "of .NET's own code nobody can change that";
  compile(own("Orm.Query()"), 1, 15);
  compile(own("Main()"), 0, 5);
  ASSERT_THAT(keys(), ElementsAre("ready-to-run"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("20.0 % (200 ms) is the JIT compiler"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr(": 15.0 % Orm, 5.0 % your code. "));
  EXPECT_THAT(oriel::testing::text_of("jit", profile_), HasSubstr("15.0 %   150 ms  Orm\n")) << "as the hint says";
  profile_.intro.runtime = "Mono 6.8.0.105";
  EXPECT_THAT(keys(), ElementsAre("mono-aot"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr(": 15.0 % Orm, 5.0 % your code. To precompile them, run mono --aot"));
  EXPECT_THAT(oriel::testing::text_of("jit", profile_), HasSubstr("Mono compiles a method before its first call"));
  profile_.intro.properties = {{"calls", "*"}};
  EXPECT_THAT(keys(), IsEmpty()) << "Oriel has it compile what was compiled ahead";
  profile_.intro.runtime = "";
  profile_.intro.properties = {{"runtime.settings", "DOTNET_ReadyToRun=0 System.Runtime.TieredCompilation=true"}};
  ASSERT_THAT(keys(), ElementsAre("ready-to-run-off"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("35.0 % (350 ms)"));
  profile_.intro.properties = {{"runtime.settings", "System.Runtime.TieredCompilation=false"}};
  ASSERT_THAT(keys(), ElementsAre("tiered-off"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("With System.Runtime.TieredCompilation=false, it optimizes"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("40.0 % (400 ms)"));
  profile_.intro.properties = {{"runtime.settings", "DOTNET_TC_QuickJitForLoops=0"}};
  EXPECT_THAT(keys(), ElementsAre("quick-jit-off"));
  stack(20, {own("Main()")});
  EXPECT_THAT(keys(), ElementsAre("ready-to-run")) << "less than what counting for PGO takes else";
}

TEST_F(Hints, AreOfTheProgramsOwnTime) {
  stack(900, {own("Main()"), {"probe", "", "liboriel.so.1", false}});
  stack(80, {own("Main()")});
  stack(20, {own("Main()"), runtime("[PGO counting]")});
  ASSERT_THAT(keys(), ElementsAre("pgo"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("20.0 % (200 ms)"));
}

TEST_F(Hints, OfPageFaultsAreNoMoreThanTheKernelsShare) {
  stack(60, {own("Main()"), {"[page fault]", "", "", false}});
  stack(40, {own("Main()"), runtime("[allocation]"), {"[page fault]", "", "", false}});
  EXPECT_THAT(keys(), ElementsAre("page-faults", "allocation"));
  EXPECT_EQ(hints(profile_)[0].share, 0.6);
}

TEST_F(Hints, TellOfADebugBuild) {
  stack(60, {own("Main()")});
  EXPECT_THAT(keys(), IsEmpty());
  profile_.unoptimized = {"Shop.dll"};
  ASSERT_THAT(keys(), ElementsAre("debug-build"));
  EXPECT_EQ(hints(profile_)[0].share, 1);
}

TEST_F(Hints, TellOfCollectionsThatLargeObjectsMake) {
  profile_.intro.properties = {{"events", "gc"}};
  for (uint32_t i = 0; i < 20; ++i) profile_.collections.push_back({i, i < 15 ? 2u : 0u, false, 0, 1, kPause});
  EXPECT_THAT(keys(), IsEmpty()) << "why they began is not told";
  const auto told = [&](uint64_t trigger) {
    for (size_t i = 3; i < 9; ++i) profile_.collections[i].detail.emplace().trigger = trigger;
    return keys();
  };
  EXPECT_THAT(told(ORIEL_GC_TRIGGER_SMALL_OBJECTS), IsEmpty());
  ASSERT_THAT(told(ORIEL_GC_TRIGGER_LARGE_OBJECTS), ElementsAre("large-objects"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("15 of 20 collections"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("`oriel run --alloc=sampled` shows where"));
  profile_.call_totals.resize(1);
  profile_.call_totals[0].allocated = 1;
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("`oriel report alloc` shows where"));
}

TEST_F(Hints, TellOfALimitThatCollectionsBeganFor) {
  profile_.intro.properties = {{"events", "gc"}, {"memory.limit", "100000000"}};
  profile::GcDetail detail;
  for (uint32_t i = 0; i < 30; ++i) {
    detail.trigger = i < 20 ? ORIEL_GC_TRIGGER_OUT_OF_SPACE : ORIEL_GC_TRIGGER_SMALL_OBJECTS;
    profile_.collections.push_back({i, 2, false, 0, 1, kPause, {}, {}, detail});
  }
  ASSERT_THAT(keys(), ElementsAre("memory-limit"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("20 of 30 collections"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("full (100 MB for its container or control group)"));
  profile_.intro.properties[1] = {"runtime.settings", "System.GC.Server=true DOTNET_GCHeapHardLimit=4000000"};
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("full (DOTNET_GCHeapHardLimit=4000000). Raise the limit, or keep"));
  profile_.intro.properties.pop_back();
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("was full. Keep less in memory."));
}

TEST_F(Hints, TellOfAHeapThatIsFullBeforeReasonsAreTold) {
  profile::HeapSizes sizes;
  sizes.bytes[profile::HeapSizes::kLarge] = 60'000'000;
  for (uint32_t i = 0; i < 30; ++i) profile_.collections.push_back({i, 2, false, 0, 1, kPause, {}, sizes});
  const auto with = [&](const char* name, const char* value) {
    profile_.intro.properties = {{"events", "gc"}, {name, value}};
    return keys();
  };
  EXPECT_THAT(with("memory.limit", "95000000"), IsEmpty());
  ASSERT_THAT(with("memory.limit", "90000000"), ElementsAre("memory-limit"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("30 of 30 collections"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("at its limit (90.0 MB for its container"));
  EXPECT_THAT(with("runtime.settings", "DOTNET_GCHeapHardLimit=4000000"), ElementsAre("memory-limit")) << "67 MB";
  EXPECT_THAT(with("runtime.settings", "DOTNET_GCHeapHardLimit=0x5000000"), IsEmpty()) << "84 MB";
  EXPECT_THAT(with("runtime.settings", "System.GC.HeapHardLimit=70000000"), ElementsAre("memory-limit"));
  EXPECT_THAT(with("runtime.settings", "System.GC.HeapHardLimitPercent=50"), IsEmpty()) << "of what is not known";
}

// Collections with half of their pause time spent on many handles.
void add_handles(profile::Profile& profile) {
  profile.intro.properties = {{"events", "gc"}};
  profile::GcDetail detail;
  detail.has_heap_counts = true;
  detail.handles = 60'000;
  profile::GcPhaseTimes phases = {};
  phases[static_cast<size_t>(profile::GcPhase::kMarkHandles)] = kPause / 2;
  for (uint32_t i = 0; i < 30; ++i) profile.collections.push_back({i, 0, false, 0, 1, kPause, phases, {}, detail});
}

TEST_F(Hints, TellOfHandlesThatPausesGoTo) {
  add_handles(profile_);
  ASSERT_THAT(keys(), ElementsAre("handles"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("50.0 % of GC pauses"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("up to 60,000. Collections scan them"));
}

// Objects reachable from statics are marked through handles too, of which there are few.
TEST_F(Hints, AreNotOfHandlesWhereMarkingTakesLongerThanTheseCan) {
  add_handles(profile_);
  for (profile::Collection& one : profile_.collections) one.detail->handles = 12'000;
  EXPECT_THAT(keys(), IsEmpty());
}

TEST_F(Hints, OfHandlesTellWhatMakesThem) {
  add_handles(profile_);
  stack(99, {own("Main()")});
  stack(1, {own("Send()"), base("System.Runtime.InteropServices.GCHandle.InternalAlloc(object)")});
  ASSERT_THAT(keys(), ElementsAre("handles"));
  EXPECT_THAT(hints(profile_)[0].text,
              HasSubstr("up to 60,000, such as GCHandles created in Send(). Collections scan"));
  stack(1, {own("Note()"), base("System.WeakReference<object>.Create(object)"),
            base("System.Runtime.InteropServices.GCHandle.InternalAlloc(object)")});
  EXPECT_THAT(hints(profile_)[0].text,
              HasSubstr(", such as weak references created in Note(). Each is a handle until it is"));
}

// Each JsonSerializerOptions takes a handle, so these are the cause, however much time they take otherwise.
TEST_F(Hints, OfHandlesThatOptionsForJsonTakeTellOfThese) {
  add_handles(profile_);
  stack(94, {own("Main()")});
  stack(6, {own("Answer()"), base("System.Text.Json.JsonSerializerOptions.get_CacheContext()")});
  ASSERT_THAT(keys(), ElementsAre("json-options"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("up to 60,000. Each JsonSerializerOptions takes one"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("in Answer(): keep one in a static field."));
  stack(40, {own("Answer()"), base("System.Text.Json.JsonSerializerOptions.get_CacheContext()")});
  stack(60, {own("Answer()"), {"[GC]", "", "libclrgc.so", false}});
  ASSERT_THAT(keys(), ElementsAre("json-options")) << "once, and neither handles nor collecting besides";
}

TEST_F(Hints, TellOfTimeWithoutProcessors) {
  profile_.usage.user_us = 1'000'000;
  profile_.wall_ns = 4'000'000'000;
  profile_.intro.properties = {{"cores", "4"}};
  profile_.counters = {{"threads.ready-ns", 900'000'000}};
  EXPECT_THAT(keys(), IsEmpty()) << "less than they ran";
  profile_.counters = {{"threads.ready-ns", 3'000'000'000}};
  ASSERT_THAT(keys(), ElementsAre("processors"));
  EXPECT_THAT(hints(profile_)[0].text,
              HasSubstr("The program used 0.25 processors on average. Other programs may have used"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr(", or it may not run on all processors."));
  profile_.intro.properties = {{"cores", "4"}, {"cores.usable", "1"}};
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("were runnable at the same moments."));
  profile_.usage.user_us = 3'900'000;
  profile_.counters = {{"threads.ready-ns", 9'000'000'000}};
  EXPECT_THAT(keys(), IsEmpty()) << "it has all of the one that it may use";
  profile_.usage.user_us = 1'000'000;
  profile_.counters = {{"threads.ready-ns", 3'000'000'000}};
  profile_.intro.properties = {{"cores", "4"}, {"cpu.limit", "0.25"}};
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("It had more runnable threads than the 0.25 processors"));
  profile_.intro.properties = {{"cores", "1"}};
  profile_.usage.user_us = 3'900'000;
  profile_.counters = {{"threads.ready-ns", 9'000'000'000}};
  EXPECT_THAT(keys(), IsEmpty()) << "it has all of the machine, and nobody waits for what it does";
  profile_.activities.emplace_back();
  EXPECT_THAT(keys(), ElementsAre("processors"));
  profile_.activities.clear();
  profile_.usage.user_us = 1'000'000;
  profile_.intro.properties = {{"cores", "4"}, {"cpu.limit", "0.25"}};
  profile_.counters.push_back({"cpu.periods", 40});
  profile_.counters.push_back({"cpu.throttled", 20});
  profile_.counters.push_back({"cpu.throttled-ns", 2'000'000'000});
  ASSERT_THAT(keys(), ElementsAre("limit"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("Its limit of 0.25 processors throttled it in 20 of 40 periods"));
  profile_.filter.from_ns = 1;
  EXPECT_THAT(keys(), IsEmpty()) << "when it was, the log does not tell";
}

TEST_F(Hints, OfProcessorsLeaveOutTheTimeBetweenRuns) {
  profile_.usage.user_us = 2'000'000;
  profile_.wall_ns = 3'600'000'000'000;
  profile_.processes.resize(2);
  for (profile::Process& process : profile_.processes) process.wall_ns = 4'000'000'000;
  profile_.processes[1].start_ns = 3'596'000'000'000;
  profile_.intro.properties = {{"cores", "4"}};
  profile_.counters = {{"threads.ready-ns", 100'000'000'000}};
  ASSERT_THAT(keys(), ElementsAre("processors"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("The program used 0.25 processors on average."));
}

TEST_F(Hints, TellOfProcessesThatDidMore) {
  profile_.usage.user_us = 100'000;
  profile_.counters = {{"cpu.children-us", 5'000'000}};
  ASSERT_THAT(keys(), ElementsAre("children"));
  profile_.intro.properties = {{"children", "followed"}};
  EXPECT_THAT(keys(), IsEmpty());
  profile_.intro.properties = {};
  profile_.heap_snapshots.resize(1);
  EXPECT_THAT(keys(), IsEmpty()) << "it may be the copy of the process";
  profile_.heap_snapshots.clear();
  profile_.filter.to_ns = 1;
  EXPECT_THAT(keys(), IsEmpty()) << "when they took it, the log does not tell";
}

TEST_F(Hints, TellOfCollectionsThatWereAskedFor) {
  profile_.intro.properties = {{"events", "gc"}};
  for (uint32_t i = 0; i < 10; ++i) profile_.collections.push_back({i, 2, i < 8, 0, 1, kPause});
  ASSERT_THAT(keys(), ElementsAre("induced-gc"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("8 of 10 collections ("));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("of pauses) were induced by GC.Collect. "));
}

// GC.Collect may be inlined; and allocation is not the cause of induced collections.
TEST_F(Hints, NameWhoAsksForCollectionsByWhoRunsThem) {
  profile_.intro.properties = {{"events", "gc"}};
  for (uint32_t i = 0; i < 10; ++i) profile_.collections.push_back({i, 2, i < 8, i * 100, i * 100 + 50, kPause});
  stack(60, {own("Clean()"), runtime("WKS::gc_heap::garbage_collect")});
  stack(40, {own("Other()")});
  int64_t at = 0;
  for (profile::Sample& sample : profile_.samples.change()) sample.ns = at += 20;
  ASSERT_THAT(keys(), ElementsAre("induced-gc"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("induced by GC.Collect in Clean(). "));
}

TEST_F(Hints, NameWhoAsksForCollectionsBeforeWhatTheyTake) {
  profile_.intro.properties = {{"events", "gc"}};
  for (uint32_t i = 0; i < 20; ++i) profile_.collections.push_back({i, 2, i < 8, 0, 1, kPause});
  stack(60, {own("Clean()"), base("System.GC.Collect(int)"), base("System.GC.Collect(int, GCCollectionMode)"),
             runtime("WKS::gc_heap::garbage_collect")});
  stack(40, {own("Other()")});
  ASSERT_THAT(keys(), ElementsAre("induced-gc", "gc"));
  EXPECT_THAT(hints(profile_)[0].text, HasSubstr("induced by GC.Collect in Clean(). "));
}

}  // namespace
}  // namespace oriel::report
