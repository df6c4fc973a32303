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

// Why there are no waits; `waits`: "waits for locks". Call it only if the log does not tell that they were looked at.
std::string why_no_waits(const profile::Profile& profile, std::string_view waits);

// "" if events of the group (profile/recorded.h) were recorded; else why not.
std::string not_recorded(const profile::Profile& profile, std::string_view group);

// "main, worker 1, worker 2 and 5 more"
std::string thread_names(const profile::Profile& profile);

// Which parts of a filter choose among what a report shows: a collection is no thread's.
struct FilteredBy {
  bool time = true;
  bool thread = true;
  bool method = true;
};
inline constexpr FilteredBy kByTimeOnly = {.time = true, .thread = false, .method = false};
// What apply() kept, in sentences; with the number of samples if `unit` is kPeriods and all of the filter applies. ""
// if there is no filter.
std::string filter_sentence(const profile::Profile& profile, profile::Unit unit = profile::Unit::kPeriods,
                            FilteredBy by = {});
// Whether a filter may have left out what would be there.
bool is_part(const profile::Profile& profile, FilteredBy by = {});

// Sentences about what is missing because the log has no end or is damaged.
std::vector<std::string> incomplete_sentences(const profile::Profile& profile);

// Sentences about lost samples, stacks and events, with reasons.
std::vector<std::string> loss_sentences(const profile::Profile& profile);

// A title line, the filter if there is one, and an empty line.
void write_title(std::string_view title, const profile::Profile& profile, const Options& options, std::ostream& out,
                 profile::Unit unit = profile::Unit::kPeriods, FilteredBy by = {});
// A sentence, wrapped.
void write_note(std::string_view text, const Options& options, std::ostream& out);

}  // namespace oriel::report
