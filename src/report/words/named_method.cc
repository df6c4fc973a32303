#include "report/words/named_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "base/text/edit_distance.h"
#include "profile/work/category.h"
#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::FunctionTotals;
using profile::Profile;

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Whether the function's name contains the pattern ignoring case, or its method name is similar to it.
bool is_alike(const profile::Function& function, const std::string& pattern) {
  constexpr size_t kLettersForEachWrong = 4;
  if (function.name.starts_with('[')) return false;  // a placeholder, not a name
  if (lower(function.name).find(pattern) != std::string::npos) return true;
  const BriefName brief = brief_name(function);
  const size_t most = pattern.size() / kLettersForEachWrong;
  return function.managed && std::min(edit_distance(lower(brief.method), pattern),
                                      edit_distance(lower(brief.owner + brief.method), pattern)) <= most;
}

// Similar names; if there are none, the hottest own methods, or else any.
std::vector<std::string> suggestions(const Profile& profile, const std::string& pattern) {
  constexpr size_t kSuggestions = 3;
  constexpr size_t kWidth = 60;
  const std::string wanted = lower(pattern);
  std::vector<std::string> alike, own, all;
  const auto add = [](const std::string& name, std::vector<std::string>& to) {
    if (to.size() < kSuggestions) to.push_back(fit_name(name, kWidth));
  };
  for (const FunctionTotals& entry : profile::function_totals(profile)) {
    const profile::Function& function = profile.functions[entry.function];
    if (is_alike(function, wanted)) add(function.name, alike);
    if (profile::is_own(function, profile)) add(function.name, own);
    add(function.name, all);
  }
  return !alike.empty() ? alike : !own.empty() ? own : all;
}

Status no_such_method(const Profile& profile, const std::string& pattern) {
  if (profile.samples.empty()) return Status::error(why_no_samples(profile));
  return Status::error(fmt::format("no sampled method has \"{}\" in its name; try one of: {}", pattern,
                                   fmt::join(suggestions(profile, pattern), "; ")));
}

}  // namespace

Status check_method(const char* what, const Profile& profile, const NamedOptions& options) {
  if (options.name.empty()) return Status::error(fmt::format("{} of which method? Give a name or part of one", what));
  const bool any = !named_methods(profile, options).empty();
  return any ? Status::ok() : no_such_method(profile, options.name);
}

std::vector<FunctionTotals> named_methods(const Profile& profile, const NamedOptions& options) {
  return profile::matching_functions(profile, options.name);
}

size_t shown_methods(const std::vector<FunctionTotals>& methods, const Options& options) {
  constexpr size_t kMethods = 5;
  return std::min(methods.size(), rows(options, kMethods));
}

void write_more_methods(const std::vector<FunctionTotals>& methods, const Options& options, std::ostream& out) {
  const size_t shown = shown_methods(methods, options);
  if (shown == methods.size()) return;
  out << '\n';
  write_note(fmt::format("{} more match, with fewer samples: give a longer name or a higher --limit.",
                         counted(methods.size() - shown, "method", "methods")),
             options, out);
}

}  // namespace oriel::report
