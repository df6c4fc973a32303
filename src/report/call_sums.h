// Sums of a log's calls and allocations, as the reports summary, calls, alloc and callgraph show them.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "profile/trees/call_totals.h"
#include "report/report.h"

namespace oriel::report {

// Writes a table of methods, in the given order. Shares are of `whole_ns`.
void write_method_table(std::span<const profile::MethodCalls> methods, int64_t whole_ns,
                        const profile::Profile& profile, const Options& options, std::ostream& out);

// "12.3 M calls of 1,234 methods, 4.04 s over all threads"
std::string calls_text(const profile::Profile& profile);
// "3.40 M objects, 210 MB: 100 MB System.String, …"; for estimates "sampled: 2,100 samples stand for about …"
std::string allocations_text(const profile::Profile& profile);
// Whether the log's allocations are sampled, which makes sums of them estimates.
bool is_estimate(const profile::CallSums& sums);
// "3.40 M objects, 210 MB"; for estimates, with the number of samples.
std::string allocation_sums_text(const profile::CallSums& sums);
// "8,010 calls still ran at the end, on 5 threads"; "" if none did. Their time up to the end is counted, so nothing is
// lost.
std::string running_text(const profile::Profile& profile);
// Sentences about events that were lost or could not be paired.
std::vector<std::string> unpaired_sentences(const profile::Profile& profile);
// "took about 1.20 s of 5.30 s", for probes; "" if negligible or not known.
std::string probes_took(const profile::Profile& profile);
// "Probes took about 1.20 s of 5.30 s: that is taken out."; "" if negligible or not known.
std::string probes_text(const profile::Profile& profile);
// How many methods were instrumented, and which were not; "" if the log does not say.
std::string instrumented_text(const profile::Profile& profile);

Json call_sums_json(const profile::Profile& profile);
// "objects", "bytes", "estimated"; for estimates also "samples".
Json allocation_sums_json(const profile::Profile& profile);
Json method_json(const profile::MethodCalls& method, const profile::Profile& profile);

}  // namespace oriel::report
