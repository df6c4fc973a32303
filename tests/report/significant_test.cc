// What the summary's list by total time omits, and what it must keep.
#include "report/words/function_table.h"

#include <gmock/gmock.h>

namespace oriel::report {
namespace {

using profile::Profile;
using ::testing::ElementsAre;

// Stacks of functions, outermost first: "module!name"; native ones without a module.
class Program {
 public:
  Program() {
    profile_.functions.resize(1);
    profile_.nodes.resize(1);
    profile_.threads.resize(1);
  }

  Program& stack(const std::vector<std::string>& names, uint64_t periods) {
    uint32_t node = 0;
    for (const std::string& name : names) node = child(node, function(name));
    profile_.samples.push_back({0, 0, node, periods});
    return *this;
  }

  std::vector<std::string> told() const {
    const std::vector<bool> telling = significant_functions(profile::function_totals(profile_), profile_);
    std::vector<std::string> names;
    for (size_t i = 1; i < telling.size(); ++i)
      if (telling[i]) names.push_back(profile_.functions[i].name);
    return names;
  }

 private:
  uint32_t function(const std::string& text) {
    const size_t mark = text.find('!');
    profile::Function function;
    function.managed = mark != std::string::npos;
    function.name = function.managed ? text.substr(mark + 1) : text;
    function.module = function.managed ? text.substr(0, mark) : "";
    for (uint32_t i = 1; i < profile_.functions.size(); ++i)
      if (profile_.functions[i].name == function.name) return i;
    profile_.functions.push_back(function);
    return static_cast<uint32_t>(profile_.functions.size() - 1);
  }

  uint32_t child(uint32_t parent, uint32_t function) {
    for (uint32_t i = 1; i < profile_.nodes.size(); ++i)
      if (profile_.nodes[i].parent == parent && profile_.nodes[i].function == function) return i;
    profile_.nodes.push_back({parent, function, false});
    return static_cast<uint32_t>(profile_.nodes.size() - 1);
  }

  Profile profile_;
};

TEST(Telling, AWaitIsToldByWhoWaitsAndWhatItAsksFor) {
  Program program;
  program.stack(
      {"start_thread", "[libcoreclr.so]", "System.Private.CoreLib.dll!Thread.StartCallback", "Shop.dll!Deliver",
       "Shop.dll!Poll", "System.Private.CoreLib.dll!Thread.Sleep", "System.Private.CoreLib.dll!Thread.SleepInternal",
       "[libcoreclr.so]", "pthread_cond_timedwait", "__futex_wait"},
      100);
  EXPECT_THAT(program.told(), ElementsAre("Deliver", "Thread.Sleep", "__futex_wait"));
}

TEST(Telling, WithoutOwnCodeTheLastManagedMethodIsTold) {
  Program program;
  program.stack({"start_thread", "[libcoreclr.so]", "System.Private.CoreLib.dll!WorkerThreadStart",
                 "System.Private.CoreLib.dll!WaitForSignal", "System.Private.CoreLib.dll!WaitCore", "[libcoreclr.so]",
                 "__futex_wait"},
                100);
  EXPECT_THAT(program.told(), ElementsAre("WaitCore", "__futex_wait"));
}

TEST(Telling, OwnCodeThatCallsNativeCodeIsTold) {
  Program program;
  program.stack({"Shop.dll!Main", "Shop.dll!Run", "Shop.dll!Native", "usleep"}, 100);
  EXPECT_THAT(program.told(), ElementsAre("Main", "Native", "usleep"));
}

TEST(Telling, WhatLeadsBackToOwnCodeIsNotWhatItAskedFor) {
  Program program;
  program.stack({"Shop.dll!Main", "System.Private.CoreLib.dll!Builder.Start", "System.Private.CoreLib.dll!Core.Start",
                 "Shop.dll!AddAsync", "System.Private.CoreLib.dll!File.Read", "__read"},
                100);
  EXPECT_THAT(program.told(), ElementsAre("Main", "File.Read", "__read"));
}

TEST(Telling, WhatForksIsToldAnyway) {
  Program program;
  program.stack({"Shop.dll!Main", "Shop.dll!Run", "Shop.dll!A"}, 50)
      .stack({"Shop.dll!Main", "Shop.dll!Run", "Shop.dll!B"}, 50);
  EXPECT_THAT(program.told(), ElementsAre("Main", "Run", "A", "B"));
}

}  // namespace
}  // namespace oriel::report
