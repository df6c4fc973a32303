// The reports one by one; report.cc chooses among them. Options are checked by then.
#pragma once

#include <ostream>

#include "report/common.h"

namespace oriel::report {

void write_summary(const profile::Profile& profile, const Options& options, std::ostream& out);
Json summary_json(const profile::Profile& profile, const Options& options);

void write_top(const profile::Profile& profile, const Options& options, std::ostream& out);
Json top_json(const profile::Profile& profile, const Options& options);

void write_tree(const profile::Profile& profile, const Options& options, std::ostream& out);
Json tree_json(const profile::Profile& profile, const Options& options);

// `functions` are those that options.method means; there is at least one.
void write_callers(const profile::Profile& profile, const std::vector<profile::FunctionTotals>& functions,
                   const Options& options, std::ostream& out);
Json callers_json(const profile::Profile& profile, const std::vector<profile::FunctionTotals>& functions,
                  const Options& options);

void write_threads(const profile::Profile& profile, const Options& options, std::ostream& out);
Json threads_json(const profile::Profile& profile, const Options& options);

void write_gc(const profile::Profile& profile, const Options& options, std::ostream& out);
Json gc_json(const profile::Profile& profile, const Options& options);

void write_exceptions(const profile::Profile& profile, const Options& options, std::ostream& out);
Json exceptions_json(const profile::Profile& profile, const Options& options);

void write_calls(const profile::Profile& profile, const Options& options, std::ostream& out);
Json calls_json(const profile::Profile& profile, const Options& options);

void write_alloc(const profile::Profile& profile, const Options& options, std::ostream& out);
Json alloc_json(const profile::Profile& profile, const Options& options);

void write_callgraph(const profile::Profile& profile, const Options& options, std::ostream& out);
Json callgraph_json(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
