// What a log's calls and allocations come to: what the summary, calls, alloc and callgraph say the same.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "profile/trees/call_totals.h"
#include "report/report.h"

namespace oriel::report {

// A table of methods. Rows as given. `whole_ns` is what the shares are of.
void write_method_table(std::span<const profile::MethodCalls> methods, int64_t whole_ns,
                        const profile::Profile& profile, const Options& options, std::ostream& out);

// "12.3 M calls of 1,234 methods, 4.04 s over all threads"
std::string calls_text(const profile::Profile& profile);
// "3.40 M objects, 210 MB: 100 MB System.String, …"; estimates say so: "sampled: 2,100 samples stand for about …"
std::string allocations_text(const profile::Profile& profile);
// Whether the log's allocations are sampled, so that sums of them are estimates.
bool is_estimate(const profile::CallSums& sums);
// "3.40 M objects, 210 MB"; of estimates, what they are from too.
std::string allocation_sums_text(const profile::CallSums& sums);
// "8,010 calls still ran at the end, on 5 threads", which is no loss: their time up to then is counted. "" if none did.
std::string running_text(const profile::Profile& profile);
// What was lost or did not pair, as sentences.
std::vector<std::string> unpaired_sentences(const profile::Profile& profile);
// "took about 1.20 s of 5.30 s", of probes; "" where it is too little to say, or not known.
std::string probes_took(const profile::Profile& profile);
// "Probes took about 1.20 s of 5.30 s: that is taken out."; "" where it is too little to say, or not known.
std::string probes_text(const profile::Profile& profile);
// How many methods got probes, and which did not; "" if the log does not say.
std::string instrumented_text(const profile::Profile& profile);

Json call_sums_json(const profile::Profile& profile);
// "objects", "bytes", "estimated"; of estimates, "samples" too.
Json allocation_sums_json(const profile::Profile& profile);
Json method_json(const profile::MethodCalls& method, const profile::Profile& profile);

}  // namespace oriel::report
