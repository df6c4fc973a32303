#include "report/named_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "report/function_name.h"
#include "report/notes.h"
#include "report/units.h"

namespace oriel::report {

using profile::FunctionTotals;
using profile::Profile;

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Names that are like the pattern but for the case of letters; if there are none, those with the most samples.
std::vector<std::string> suggestions(const Profile& profile, const std::string& pattern) {
  constexpr size_t kSuggestions = 3;
  constexpr size_t kWidth = 60;
  std::vector<std::string> alike;
  std::vector<std::string> first;
  for (const FunctionTotals& entry : profile::function_totals(profile)) {
    const std::string& name = profile.functions[entry.function].name;
    if (alike.size() < kSuggestions && lower(name).find(lower(pattern)) != std::string::npos)
      alike.push_back(fit_name(name, kWidth));
    if (first.size() < kSuggestions) first.push_back(fit_name(name, kWidth));
  }
  return alike.empty() ? first : alike;
}

Status no_such_method(const Profile& profile, const std::string& pattern) {
  if (profile.samples.empty()) return Status::error(why_no_samples(profile));
  return Status::error(fmt::format("no sampled method has \"{}\" in its name; try one of: {}", pattern,
                                   fmt::join(suggestions(profile, pattern), "; ")));
}

}  // namespace

Status check_method(const char* what, const Profile& profile, const Options& options) {
  if (options.method.empty())
    return Status::error(fmt::format("{} of which method? Give a name or a part of one", what));
  const bool any = !named_methods(profile, options).empty();
  return any ? Status::ok() : no_such_method(profile, options.method);
}

std::vector<FunctionTotals> named_methods(const Profile& profile, const Options& options) {
  return profile::matching_functions(profile, options.method);
}

size_t shown_methods(const std::vector<FunctionTotals>& methods, const Options& options) {
  constexpr size_t kMethods = 5;
  return std::min(methods.size(), rows(options, kMethods));
}

void write_more_methods(const std::vector<FunctionTotals>& methods, const Options& options, std::ostream& out) {
  const size_t shown = shown_methods(methods, options);
  if (shown == methods.size()) return;
  out << '\n';
  write_note(fmt::format("{} more match, with less: give a longer name, or a higher limit.",
                         counted(methods.size() - shown, "method", "methods")),
             options, out);
}

}  // namespace oriel::report
