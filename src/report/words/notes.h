// Sentences and titles that several reports share.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "report/report.h"

namespace oriel::report {

// Why there are no samples, and what to do. Call it only if there are none.
std::string why_no_samples(const profile::Profile& profile);

// "" if events of the group (profile/recorded.h) were recorded; else why not.
std::string not_recorded(const profile::Profile& profile, std::string_view group);

// "main, worker 1, worker 2 and 5 more"
std::string thread_names(const profile::Profile& profile);

// What apply() kept, as a sentence; with the number of samples if `unit` is kPeriods. "" if there is no filter.
std::string filter_sentence(const profile::Profile& profile, profile::Unit unit = profile::Unit::kPeriods);
// For reports that a filter does not affect; "" if there is no filter.
std::string unfiltered_sentence(const profile::Profile& profile);

// Sentences about what is missing because the log has no end or is damaged.
std::vector<std::string> incomplete_sentences(const profile::Profile& profile);

// Sentences about lost samples, stacks and events, with reasons.
std::vector<std::string> loss_sentences(const profile::Profile& profile);

// A title line, the filter if there is one, and an empty line.
void write_title(std::string_view title, const profile::Profile& profile, const Options& options, std::ostream& out,
                 profile::Unit unit = profile::Unit::kPeriods);
// A sentence, wrapped.
void write_note(std::string_view text, const Options& options, std::ostream& out);

}  // namespace oriel::report
