#include <algorithm>
#include <iterator>

#include "report/report.h"

namespace oriel::report {
namespace {

constexpr KindDescription kKinds[] = {
    {Kind::kSummary, "summary", "one screen: what ran, CPU and wall time, top methods, GC, exceptions, losses"},
    {Kind::kTop, "top", "methods by the samples in themselves, and with what they call"},
    {Kind::kTree, "tree", "the call tree from the threads' starts down"},
    {Kind::kCallers, "callers", "who calls a method, and for which share of its samples"},
    {Kind::kThreads, "threads", "threads with their samples and lifetimes"},
    {Kind::kGc, "gc", "garbage collections by generation, and each with its pause"},
    {Kind::kExceptions, "exceptions", "exceptions by type, and the methods that caught them"},
    {Kind::kCalls, "calls", "logged calls by method: how many, how long; with --tree, who called what"},
    {Kind::kAlloc, "alloc", "logged allocations by type and site; with --tree, by the calls that led there"},
    {Kind::kCallgraph, "callgraph", "a call graph's methods with their callers and callees; with --tree, as a tree"},
    {Kind::kDump, "dump", "every record and event as a line"},
};

}  // namespace

std::span<const KindDescription> all_kinds() { return kKinds; }

std::optional<Kind> kind_by_name(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const KindDescription& description) { return name == description.name; });
  if (found == std::end(kKinds)) return std::nullopt;
  return found->kind;
}

}  // namespace oriel::report
