// Tables of logged calls, for the summary and the calls report, and what both say of them.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "profile/call_totals.h"
#include "report/common.h"

namespace oriel::report {

// Rows as given. `whole_ns` is what the shares are of.
void write_method_table(std::span<const profile::MethodCalls> methods, int64_t whole_ns,
                        const profile::Profile& profile, const Options& options, std::ostream& out);

// "12.3 M calls of 1,234 methods, 4.04 s over all threads"
std::string calls_text(const profile::Profile& profile);
// "3.40 M objects, 210 MB: 100 MB System.String, …"; estimates say so: "sampled: 2,100 samples stand for about …"
std::string allocations_text(const profile::Profile& profile);
// "8,010 calls still ran at the end, on 5 threads", which is no loss: their time up to then is counted. "" if none did.
std::string running_text(const profile::Profile& profile);
// What was lost or did not pair, as sentences.
std::vector<std::string> unpaired_sentences(const profile::Profile& profile);
// How many methods got probes, and which did not; "" if the log does not say.
std::string instrumented_text(const profile::Profile& profile);

Json call_sums_json(const profile::Profile& profile);
// "objects", "bytes", "estimated"; of estimates, "samples" too.
Json allocation_sums_json(const profile::Profile& profile);
Json method_json(const profile::MethodCalls& method, const profile::Profile& profile);

}  // namespace oriel::report
