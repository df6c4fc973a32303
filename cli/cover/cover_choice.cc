#include "cover/cover_choice.h"

#include <fmt/format.h>

#include <utility>

#include "base/text/words.h"

namespace oriel::cli {
namespace {

// The elements of lists, without empty ones.
std::vector<std::string> parts_of(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (const std::string& list : lists) {
    for (const std::string& part : split(list, ',')) {
      for (std::string& one : split(part, '|')) parts.push_back(std::move(one));
    }
  }
  return parts;
}

std::string alternatives(const std::vector<std::string>& lists) { return join(parts_of(lists), "|"); }

}  // namespace

std::string CoverChoice::included() const { return alternatives(include); }

std::string CoverChoice::excluded() const { return alternatives(exclude); }

void add_choice(CLI::App& command, CoverChoice& choice) {
  const auto add = [&](const char* name, std::vector<std::string>& to, const char* type, const char* help) {
    command.add_option(name, to, help)->type_name(type)->allow_extra_args(false)->group("Which code");
  };
  add("--include", choice.include, "PATTERNS",
      "Count only code that matches, such as '[Shop*],Shop.Cart' (default: your own code)");
  add("--exclude", choice.exclude, "PATTERNS", "Leave out code that matches");
  add("--exclude-files", choice.files, "PATHS", "Leave out files with matching paths, such as '*.g.cs'");
  add("--exclude-attributes", choice.attributes, "NAMES",
      "Leave out code with one of these, such as GeneratedCode, in addition to ExcludeFromCodeCoverage");
  command.add_flag("--with-tests", choice.tests, "Include test assemblies")->group("Which code");
}

Result<coverage::Choice> choice_of(const CoverChoice& options) {
  const auto checked = [](const char* option, const std::string& list) {
    const Result<MethodPatterns> patterns = MethodPatterns::parse(list);
    return patterns ? Status::ok() : Status::error(fmt::format("{}: {}", option, patterns.message()));
  };
  if (Status status = checked("--include", options.included()); !status) return status;
  if (Status status = checked("--exclude", options.excluded()); !status) return status;
  std::string list = options.included();
  for (const std::string& part : parts_of(options.exclude)) {
    if (part.starts_with('!'))
      return Status::error(fmt::format("--exclude: '{}' would exclude from the exclusion; use --include", part));
    list += (list.empty() ? "!" : "|!") + part;
  }
  Result<MethodPatterns> patterns = MethodPatterns::parse(list);
  if (!patterns) return patterns.status();
  coverage::Choice choice;
  choice.methods = std::move(*patterns);
  choice.attributes = parts_of(options.attributes);
  choice.files = parts_of(options.files);
  choice.tests = options.tests;
  return choice;
}

std::string why_nothing(const CoverChoice& options, const coverage::Choice& choice) {
  const std::vector<std::string> unmatched = choice.methods.unmatched();
  if (!unmatched.empty())
    return fmt::format("nothing is covered: no code that ran matches --include {}", fmt::join(unmatched, ","));
  const bool any = !options.exclude.empty() || !options.files.empty() || !options.attributes.empty();
  return any ? "nothing is covered: all code that ran is left out by the --exclude options"
             : "nothing is covered: none of the code that ran is your own; choose code with --include";
}

}  // namespace oriel::cli
