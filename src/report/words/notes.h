// Sentences and titles that several reports have in common.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "report/report.h"

namespace oriel::report {

// Why there are no samples, and what to do. Only if there are none.
std::string why_no_samples(const profile::Profile& profile);

// "" if events of the group (profile/recorded.h) were recorded; else a sentence that says why they were not.
std::string not_recorded(const profile::Profile& profile, std::string_view group);

// "main, worker 1, worker 2 and 5 more"
std::string thread_names(const profile::Profile& profile);

// What apply() kept, as a sentence, with how many samples these are where `unit` says that it is about samples; "" if
// everything.
std::string filter_sentence(const profile::Profile& profile, profile::Unit unit = profile::Unit::kPeriods);
// For reports about what a filter does not concern; "" if there is none.
std::string unfiltered_sentence(const profile::Profile& profile);

// What is missing of the log because it has no end or is damaged, as sentences.
std::vector<std::string> incomplete_sentences(const profile::Profile& profile);

// Lost samples, stacks and events, with the reasons.
std::vector<std::string> loss_sentences(const profile::Profile& profile);

// A title line, what a filter left, and an empty line.
void write_title(std::string_view title, const profile::Profile& profile, const Options& options, std::ostream& out,
                 profile::Unit unit = profile::Unit::kPeriods);
// A sentence over as many lines as it needs.
void write_note(std::string_view text, const Options& options, std::ostream& out);

}  // namespace oriel::report
