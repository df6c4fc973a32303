#include "report/option_changes.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "profile/build/process.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::OptionChange;
using profile::Profile;

namespace {

// Without each module's first row, which has the options that the log began with.
std::vector<const OptionChange*> changes_in(const Profile& profile) {
  std::vector<const OptionChange*> changes;
  std::set<std::pair<uint32_t, std::string>> begun;
  for (const OptionChange& row : profile.option_changes)
    if (!begun.emplace(row.process, row.module).second) changes.push_back(&row);
  return changes;
}

std::string change_text(const OptionChange& change, const Profile& profile) {
  std::string when = moment(change.ns);
  if (profile.processes.size() > 1 && change.process < profile.processes.size())
    when += " in " + clean(profile::process_label(profile.processes[change.process]));
  return fmt::format("changed at {}: {}", when, change.options.empty() ? "the defaults" : clean(change.options));
}

}  // namespace

// A stop is not told: the log ends there.
std::string option_changes_text(const Profile& profile) {
  constexpr size_t kShown = 3;
  std::vector<const OptionChange*> changes = changes_in(profile);
  std::erase_if(changes, [](const OptionChange* change) { return !change->running; });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, changes.size()); ++i)
    text += (i > 0 ? "; " : "") + change_text(*changes[i], profile);
  if (changes.size() > kShown) text += fmt::format("; {} more", changes.size() - kShown);
  return text;
}

Json option_changes_json(const Profile& profile) {
  Json json = Json::array();
  for (const OptionChange* change : changes_in(profile))
    json.push_back({{"at_ns", change->ns},
                    {"module", change->module},
                    {"running", change->running},
                    {"options", change->options},
                    {"process", change->process}});
  return json;
}

}  // namespace oriel::report
