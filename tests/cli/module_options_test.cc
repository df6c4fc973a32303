#include "run/module_options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace oriel::cli {
namespace {

// The modules that a command line and texts for --module select: "NAME:ARGUMENTS" for each, or the error.
std::string loaded(std::vector<std::string> words, const std::string& log_text = "") {
  CLI::App app;
  ModuleOptions options;
  options.add_to(app);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  auto given = options.given();
  if (!given) return given.message();
  if (!log_text.empty()) {
    if (const Status status = settings::add_text(given->front(), log_text); !status) return status.message();
  }
  auto modules = modules_to_load(std::move(*given));
  if (!modules) return modules.message();
  std::string text;
  for (PlannedModule& module : *modules) text += (text.empty() ? "" : ";") + module.description();
  return text;
}

TEST(ModuleOptions, TheLogIsWhatIsDoneWhereNothingElseIsAsked) {
  EXPECT_EQ(loaded({}), "log:");
  EXPECT_EQ(loaded({"--sample=99"}), "log:sample=process,hz=99");
  EXPECT_EQ(loaded({"--sample-real"}), "log:sample=real");
  EXPECT_EQ(loaded({"--no-sample", "--calls"}), "log:sample=none,calls");
}

TEST(ModuleOptions, ACallGraphAloneOrBesideALog) {
  EXPECT_EQ(loaded({"--callgraph"}), "callgraph:calls");
  EXPECT_EQ(loaded({"--callgraph=Shop.*,!*.ToString", "--callgraph-alloc", "--inlining", "block"}),
            "callgraph:calls=Shop.*|!*.ToString,alloc,inlining=block");
  EXPECT_EQ(loaded({"--callgraph", "--sample"}), "log:sample=process;callgraph:calls");
  EXPECT_EQ(loaded({"--callgraph", "--alloc=sampled"}), "log:alloc=sampled;callgraph:calls");
  EXPECT_EQ(loaded({"--callgraph"}, "events=gc"), "log:events=gc;callgraph:calls");
  EXPECT_EQ(loaded({"--callgraph-alloc"}), "--callgraph-alloc needs a call graph; give --callgraph too");
}

TEST(ModuleOptions, CallsAndAllocations) {
  EXPECT_EQ(loaded({"--calls=A.*, !B", "--alloc", "--inlining", "block"}),
            "log:calls=A.*|!B,alloc=exact,inlining=block");
  EXPECT_EQ(loaded({"--alloc=exact", "--alloc-in=[Shop],Map<K, V>"}), "log:alloc=exact,alloc-in=[Shop]|Map");
  EXPECT_EQ(loaded({"--alloc-in=A", "--calls", "--alloc-in=B"}), "log:calls,alloc-in=A|B");
  EXPECT_EQ(loaded({"--alloc-in", "--alloc-stacks"}), "log:alloc-in,alloc-stacks");
}

TEST(ModuleOptions, MistakesNameTheOption) {
  EXPECT_EQ(loaded({"--calls=[A"}),
            "--calls: the pattern '[A' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  EXPECT_EQ(loaded({"--callgraph=[A"}),
            "--callgraph: the pattern '[A' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  EXPECT_EQ(loaded({"--alloc=some"}), "--alloc=some is unknown; use exact or sampled");
  EXPECT_EQ(loaded({"--alloc=sampled", "--alloc-in=Shop"}),
            "--alloc=sampled covers the allocations of all code; leave it out, or --alloc-in");
  EXPECT_EQ(loaded({"--alloc-stacks", "--calls"}),
            "--alloc-stacks applies to logged objects; give --alloc or --alloc-in too");
  EXPECT_EQ(loaded({"--inlining", "no"}), "--inlining=no is unknown; use keep or block");
  EXPECT_EQ(loaded({"--sample-real=0"}),
            "--sample-real=0: a rate is a whole number of samples a second, from 1 to 10000");
  EXPECT_EQ(loaded({"--sample", "--no-sample"}), "--sample and --no-sample cannot be combined; leave one out");
  EXPECT_EQ(loaded({"--inlining=block", "--sample"}),
            "--inlining=block applies to the methods that --calls or --callgraph choose; give one of them too");
}

TEST(ModuleOptions, AModulesTextJoinsItsOptions) {
  EXPECT_EQ(loaded({"--calls=A"}, "hz=1000,events=gc,calls=B"), "log:hz=1000,events=gc,calls=A|B");
  EXPECT_EQ(loaded({"--inlining=block"}, "calls"), "log:calls,inlining=block");
  EXPECT_EQ(loaded({"--sample=250"}, "hz=1000"), "--sample=250 and log: hz=1000 cannot be combined; leave one out");
  EXPECT_EQ(loaded({}, "nonsense=1"),
            "log: unknown argument 'nonsense'; known: sample, hz, events, calls, trivial, async, alloc, alloc-in, "
            "alloc-stacks, alloc-follow, inlining, gc-phases, locks, counters, activities, no-messages, budget, "
            "when-full, buffer, compress, rotate, keep, recorder, on-signal, on-exception, on-cpu, on-pause, "
            "on-request, heap, out");
  EXPECT_EQ(loaded({}, "events=tea"),
            "log: there are no events called 'tea'; known: runtime, loads, classes, jit, threads, phases, gc, moves, "
            "roots, handles, queued, finalizers, exceptions, unwind, messages, contentions, locks, all, none");
  EXPECT_EQ(loaded({}, "hz=99,out=/tmp/x,y.oriel"),
            "--module log:out=/tmp/x,y.oriel: oriel run names this file itself; write -o /tmp/x,y.oriel");
}

TEST(ModuleOptions, WhatStandsForTheProgramMayBeMeantForPatterns) {
  const auto option_after = [](std::vector<std::string> words) {
    CLI::App app;
    ModuleOptions options;
    options.add_to(app);
    std::reverse(words.begin(), words.end());
    app.parse(words);
    return options.option_for_pattern();
  };
  EXPECT_EQ(option_after({"--calls=A", "--alloc-in"}), "--alloc-in");
  EXPECT_EQ(option_after({"--callgraph"}), "--callgraph");
  EXPECT_EQ(option_after({"--alloc"}), "--calls");
  EXPECT_EQ(option_after({"--sample", "--calls=A"}), "");
}

TEST(Commands, SpeakOfOptionsThatTheirModulesHave) {
  for (const modules::Command* command : modules::all_commands()) {
    const modules::OptionTable& table = command->table;
    EXPECT_TRUE(command->is_default() || table.find(command->asked_by)) << command->name();
    EXPECT_LE(table.rows.size(), modules::kMostOptions);
    for (const modules::Option& row : table.rows) {
      EXPECT_TRUE(*row.takes == '\0' || table.find(row.takes)) << command->name() << " " << row.option;
      EXPECT_TRUE(*row.name != '\0' || *row.option != '\0') << command->name() << " has a row for nothing";
      EXPECT_EQ(*row.name != '\0', row.value.kind != modules::OptionKind::kNone) << row.name << row.option;
    }
    EXPECT_EQ(table.file().value.kind, modules::OptionKind::kFile) << command->name();
  }
}

TEST(LoadIn, PutsAllIntoOneVariable) {
  std::vector<PlannedModule> modules;
  for (const char* name : {"log", "callgraph"}) modules.emplace_back(*modules::find_command(name));
  ASSERT_TRUE(modules[0].read("calls=Shop.*,hz=99"));
  Environment environment = {"ORIEL_PROFILERS=old", "PATH=/bin"};
  load_in(
      environment, modules, [](size_t i) { return "/tmp/" + std::to_string(i); }, ";mine:verbose");
  EXPECT_EQ(value_of(environment, "ORIEL_PROFILERS"),
            "log:hz=99,calls=Shop.*,out=/tmp/0;callgraph:out=/tmp/1;mine:verbose");
  EXPECT_EQ(environment.size(), 2u);
}

}  // namespace
}  // namespace oriel::cli
