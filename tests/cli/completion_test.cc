// Completions come from the commands' definitions: an option with a type missing from the table would not be completed.
#include "completion.h"

#include <gtest/gtest.h>

#include <set>

#include "commands.h"

namespace oriel::cli {
namespace {

TEST(Completion, KnowsEveryTypeOfValueThatOptionsHave) {
  CLI::App app("", "oriel");
  int code = 0;
  add_run(app, {}, code);
  add_cover(app, {}, code);
  add_report(app, code);
  add_export(app, code);
  add_view(app, code);
  add_ps(app, code);
  add_ctl(app, code);
  add_attach(app, code);
  add_push(app, code);
  add_version(app, code);
  add_completion(app, code);
  std::set<std::string> names;
  for (const CompletedCommand& command : completed_commands(app)) {
    names.insert(command.name);
    for (const CompletedOption& option : command.options) {
      if (!option.has_value) continue;
      EXPECT_TRUE(completed_value(option.type)) << command.name << " " << option.names[0];
    }
  }
  EXPECT_TRUE(names.contains("cover merge"));
  EXPECT_FALSE(names.contains("completion")) << "it is hidden";
}

}  // namespace
}  // namespace oriel::cli
