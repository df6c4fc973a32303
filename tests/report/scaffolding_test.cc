// Frames that start threads, tasks and async methods are folded in all views of stacks, and shown on request.
#include <gmock/gmock.h>

#include "report/report_text.h"

namespace oriel::report {
namespace {

using oriel::testing::json_of;
using oriel::testing::text_of;
using ::testing::HasSubstr;
using ::testing::Not;

class Scaffolding : public ::testing::Test {
 protected:
  Scaffolding() {
    profile_.functions.resize(1);
    profile_.nodes.resize(1);
    profile_.threads.resize(1);
    profile_.sampling_hz = 1000;
    profile_.sampling_mode = "process";
    const profile::Function clone = {"clone3", "", "libc.so.6", false},
                            start = {"start_thread", "", "libc.so.6", false};
    const profile::Function runtime = {"[libcoreclr.so]", "", "libcoreclr.so", false};
    const profile::Function callback = base("System.Threading.Thread.StartCallback()");
    const profile::Function run = base("System.Threading.ExecutionContext.RunInternal(ExecutionContext)");
    const profile::Function begin =
        base("System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start<Shop.Work>(ref Shop.Work)");
    const profile::Function invoke = base("System.Threading.Tasks.Task<System.Int32>.InnerInvoke()");
    stack(60, {clone, start, runtime, runtime, callback, run, invoke, own("Shop.Program.Serve()"), begin,
               own("Shop.Work()")});
    stack(30, {clone, start, runtime, runtime, callback, run, invoke, own("Shop.Program.Serve()"), runtime});
    stack(10, {clone, start, runtime, runtime});
  }

  void stack(uint64_t periods, std::initializer_list<profile::Function> functions) {
    uint32_t node = 0;
    for (const profile::Function& function : functions) {
      uint32_t at = 1;
      while (at < profile_.functions.size() && profile_.functions[at].name != function.name) ++at;
      if (at == profile_.functions.size()) profile_.functions.push_back(function);
      profile_.nodes.push_back({node, at, false});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    profile_.samples.push_back({0, 0, node, periods});
    profile_.unfiltered_periods += periods;
  }
  static profile::Function own(const char* name) { return {name, "", "Shop.dll", true}; }
  static profile::Function base(const char* name) { return {name, "", "System.Private.CoreLib.dll", true}; }
  static NamedOptions callers_of(const char* method) {
    NamedOptions options;
    options.name = method;
    return options;
  }

  profile::Profile profile_;
};

TEST_F(Scaffolding, IsFoldedInTrees) {
  EXPECT_EQ(text_of("tree", profile_), R"text(Call tree of 100 samples

  total     self
 90.0 %           Shop.Program.Serve()
 60.0 %   60.0 %  ├ Shop.Work()
 30.0 %   30.0 %  └ [libcoreclr.so]
 10.0 %   10.0 %  [libcoreclr.so]

Folded: frames that only start threads and tasks, or pass on requests and queries (--all-frames
shows them).
)text");
  EXPECT_EQ(json_of("tree", profile_)["nodes"].size(), 4u);
}

TEST_F(Scaffolding, IsShownOnDemand) {
  Options options;
  options.all_frames = true;
  options.width = 200;
  const std::string text = text_of("tree", profile_, options);
  EXPECT_THAT(text, HasSubstr("clone3 → start_thread → [libcoreclr.so] ×2"));
  EXPECT_THAT(text, HasSubstr("AsyncMethodBuilderCore.Start<…> → Shop.Work"));
  EXPECT_THAT(text, Not(HasSubstr("Folded")));
}

TEST_F(Scaffolding, IsFoldedAboveAMethod) {
  EXPECT_THAT(text_of("callers", profile_, callers_of("Shop.Work")),
              HasSubstr("\n100.0 %  100.0 %  Shop.Program.Serve()\n"));
}

TEST_F(Scaffolding, IsNotFoldedWhereItIsAskedFor) {
  const std::string text = text_of("callers", profile_, callers_of("Start<Shop.Work>"));
  EXPECT_THAT(text, HasSubstr("60.0 % of all samples are in it"));
  EXPECT_THAT(text, HasSubstr("Shop.Program.Serve()"));
}

TEST_F(Scaffolding, IsLeftOutOfTablesByTotal) {
  const std::string text = text_of("top", profile_);
  const std::string by_total = text.substr(text.find("by total"));
  EXPECT_THAT(by_total, HasSubstr("Shop.Work()"));
  EXPECT_THAT(by_total, Not(HasSubstr("StartCallback")));
  EXPECT_THAT(by_total, Not(HasSubstr("libcoreclr")));
  Options options;
  options.all_frames = true;
  const std::string all = text_of("top", profile_, options);
  EXPECT_THAT(all.substr(all.find("by total")), HasSubstr("StartCallback"));
}

TEST_F(Scaffolding, IsWhatMonoPutsBetweenMethods) {
  const auto mono = [](const char* name) { return profile::Function{name, "", "mscorlib.dll", true}; };
  stack(50, {mono("<Module>.[runtime-invoke] runtime_invoke_void_object(object)"),
             own("Shop.Program.Add()"),
             mono("System.Action.[delegate-invoke] invoke_void()"),
             own("Shop.Program.Count()"),
             own("Shop.Program.[managed-to-native] usleep(int)"),
             {"usleep", "", "libc.so.6", false}});
  const std::string text = text_of("tree", profile_);
  EXPECT_THAT(text, Not(HasSubstr("-invoke")));
  EXPECT_THAT(text, HasSubstr("Add → Count"));
  EXPECT_THAT(text, HasSubstr("[managed-to-native] usleep")) << "what runs there may have no other name";
}

TEST_F(Scaffolding, IsARequestsWayToItsHandlerAndAQuerysToTheDatabase) {
  const auto asp = [](const std::string& name) {
    return profile::Function{"Microsoft.AspNetCore." + name, "", "Microsoft.AspNetCore.dll", true};
  };
  const auto ef = [](const std::string& name) {
    return profile::Function{"Microsoft.EntityFrameworkCore." + name, "", "Microsoft.EntityFrameworkCore.dll", true};
  };
  stack(50,
        {asp("Server.Kestrel.Core.Internal.Infrastructure.KestrelConnection<T>.System.Threading."
             "IThreadPoolWorkItem.Execute()"),
         asp("Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests<TContext>(IHttpApplication<TContext>)"),
         asp("HostFiltering.HostFilteringMiddleware.Invoke(HttpContext)"),
         asp("Http.RequestDelegateFactory.HandleRequestBodyAndCompileRequestDelegateForJson.lambda#2(object)"),
         base("[dynamic] lambda_method53(Closure, object, HttpContext, object)"), own("Shop.Find(int)"),
         ef("EntityFrameworkQueryableExtensions.ToListAsync<TSource>(IQueryable<TSource>)"),
         ef("Query.Internal.EntityQueryProvider.ExecuteAsync<TResult>(Expression)"),
         ef("Query.Internal.QueryCompiler.ExecuteCore<TResult>(Expression, bool)"),
         ef("Storage.Database.CompileQuery<TResult>(Expression, bool)")});
  stack(50, {asp("Server.Kestrel.Core.Internal.Http.HttpProtocol.ParseRequest(ref SequenceReader<byte>)")});
  const std::string text = text_of("tree", profile_);
  EXPECT_THAT(text, HasSubstr(" Find → ToListAsync<…> → Database.CompileQuery<…>\n"));
  EXPECT_THAT(text, HasSubstr("HttpProtocol.ParseRequest(")) << "work of the server's own";
}

TEST_F(Scaffolding, CallersThatAreNotKnownStaySo) {
  profile_.nodes[1].truncated = true;  // clone3
  EXPECT_THAT(text_of("tree", profile_), HasSubstr("[callers not known]"));
}

}  // namespace
}  // namespace oriel::report
