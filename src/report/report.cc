#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/function_name.h"
#include "report/sections.h"

namespace oriel::report {

using profile::FunctionTotals;
using profile::Profile;

namespace {

constexpr unsigned kLeastWidth = 80;

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

Status check_callers(const Profile& profile, const Options& options, std::vector<FunctionTotals>& functions) {
  if (options.method.empty()) return Status::error("callers of which method? Give a name or a part of one");
  functions = profile::matching_functions(profile, options.method);
  return functions.empty() ? no_such_method(profile, options.method) : Status::ok();
}

Json make_json(Kind kind, const Profile& profile, const std::vector<FunctionTotals>& callees, const Options& options) {
  switch (kind) {
    case Kind::kSummary:
      return summary_json(profile, options);
    case Kind::kTop:
      return top_json(profile, options);
    case Kind::kTree:
      return tree_json(profile, options);
    case Kind::kCallers:
      return callers_json(profile, callees, options);
    case Kind::kThreads:
      return threads_json(profile, options);
    case Kind::kGc:
      return gc_json(profile, options);
    case Kind::kExceptions:
      return exceptions_json(profile, options);
    case Kind::kCalls:
      return calls_json(profile, options);
    case Kind::kAlloc:
      return alloc_json(profile, options);
    case Kind::kCallgraph:
      return callgraph_json(profile, options);
    case Kind::kDump:
      break;
  }
  return {};
}

void write_text(Kind kind, const Profile& profile, const std::vector<FunctionTotals>& callees, const Options& options,
                std::ostream& out) {
  switch (kind) {
    case Kind::kSummary:
      return write_summary(profile, options, out);
    case Kind::kTop:
      return write_top(profile, options, out);
    case Kind::kTree:
      return write_tree(profile, options, out);
    case Kind::kCallers:
      return write_callers(profile, callees, options, out);
    case Kind::kThreads:
      return write_threads(profile, options, out);
    case Kind::kGc:
      return write_gc(profile, options, out);
    case Kind::kExceptions:
      return write_exceptions(profile, options, out);
    case Kind::kCalls:
      return write_calls(profile, options, out);
    case Kind::kAlloc:
      return write_alloc(profile, options, out);
    case Kind::kCallgraph:
      return write_callgraph(profile, options, out);
    case Kind::kDump:
      return;
  }
}

}  // namespace

Status write_report(Kind kind, const Profile& profile, const Options& wanted, std::ostream& out) {
  if (kind == Kind::kDump) return Status::error("a dump is written from the log file: call write_dump");
  Options options = wanted;
  options.width = std::max(options.width, kLeastWidth);
  std::vector<FunctionTotals> callees;
  if (kind == Kind::kCallers) {
    if (Status status = check_callers(profile, options, callees); !status) return status;
  }
  if (options.json) {
    // Names may hold any bytes: what is no UTF-8 becomes U+FFFD.
    out << make_json(kind, profile, callees, options).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    write_text(kind, profile, callees, options, out);
  }
  out.flush();
  return out.good() ? Status::ok() : Status::error("the report could not be written: is the disk full?");
}

}  // namespace oriel::report
